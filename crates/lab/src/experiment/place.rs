//! Where in an experiment file something stands.

use std::ops::Range;

/// The place of a word in the entry of a number, from 0, under `[[section]]`; that of the section's name where the entry
/// does not have the word as it is.
pub(super) fn of(text: &str, section: &str, number: usize, word: Option<&str>) -> Option<Range<usize>> {
    let heading = format!("[[{section}]]");
    let start = text.match_indices(&heading).nth(number)?.0;
    let body = start + heading.len();
    let end = text[body..].find("\n[[").map_or(text.len(), |after| body + after);
    let found = word.and_then(|word| Some((text[body..end].find(word)?, word.len())));
    Some(found.map_or(start..body, |(at, length)| body + at..body + at + length))
}

/// The place of a key at the beginning of a line.
pub(super) fn of_key(text: &str, key: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(key) {
            return Some(start..start + line.trim_end().len());
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_looked_for_in_its_own_entry() {
        let text = "repeats = 0\n[[methods]]\nalgorithms = [\"astar\"]\n\n[[methods]]\nalgorithms = [\"astar\", \"bfs\"]\n";
        let second = of(text, "methods", 1, Some("astar")).unwrap();
        assert_eq!((&text[second.clone()], second.start > 50), ("astar", true));
        assert_eq!(&text[of(text, "methods", 0, Some("bfs")).unwrap()], "[[methods]]");
        assert_eq!(of(text, "methods", 2, None), None);
        assert_eq!(&text[of_key(text, "repeats").unwrap()], "repeats = 0");
    }
}
