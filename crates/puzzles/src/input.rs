//! From what a user gives, file, text or id, to instances.

use crate::PUZZLES;
use crate::puzzle::{Named, Puzzle};
use crate::text::ParseError;

/// The puzzle and the rest of a text that is an id.
pub fn as_id(text: &str) -> Option<(&'static dyn Puzzle, &str)> {
    let (name, body) = text.trim().split_once(':')?;
    Some((crate::puzzle(name)?, body))
}

/// Reads all instances of a text: ids, one a line, or any format of any puzzle.
/// `puzzle` says which, where that is known; else the text's looks decide.
pub fn read(
    text: &str,
    puzzle: Option<&'static dyn Puzzle>,
    goal: Option<&str>,
) -> Result<Vec<Named>, ParseError> {
    if let Some((first, _)) = text.lines().find(|line| !is_blank(line)).and_then(as_id)
        && puzzle.is_none_or(|puzzle| puzzle.info().name == first.info().name)
    {
        return read_ids(text, goal);
    }
    let puzzle = match puzzle {
        Some(puzzle) => puzzle,
        None => recognise(text)?,
    };
    puzzle.parse(text, goal)
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn read_ids(text: &str, goal: Option<&str>) -> Result<Vec<Named>, ParseError> {
    let mut instances = Vec::new();
    for line in crate::text::Piece::new(text).lines().map(crate::text::Piece::trim) {
        if is_blank(line.text) {
            continue;
        }
        let Some((puzzle, body)) = as_id(line.text) else {
            return Err(line.error("this line is no instance id, but the lines before it are"));
        };
        let offset = line.start + line.text.len() - body.len();
        let instance = puzzle.parse_id(body, goal).map_err(|error| error.shifted(offset))?;
        instances.push(Named { name: None, instance });
    }
    Ok(instances)
}

/// The puzzle that a text looks most like.
fn recognise(text: &str) -> Result<&'static dyn Puzzle, ParseError> {
    let mut scores: Vec<_> = PUZZLES.iter().map(|&puzzle| (puzzle.likeness(text), puzzle)).collect();
    scores.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    match scores[..] {
        [(0, _), ..] | [] => {
            let names: Vec<_> = PUZZLES.iter().map(|puzzle| puzzle.info().name).collect();
            Err(ParseError::whole("this does not look like any puzzle")
                .help(format!("say which with --puzzle: {}", names.join(", "))))
        }
        [(first, a), (second, b), ..] if first == second => {
            Err(ParseError::whole(format!("this could be {} or {}", a.info().name, b.info().name))
                .help("say which with --puzzle"))
        }
        [(_, puzzle), ..] => Ok(puzzle),
    }
}

/// Picks one instance of a file by its name or its number from 1.
pub fn pick(instances: Vec<Named>, which: &str) -> Result<Named, ParseError> {
    let count = instances.len();
    let by_name = instances.iter().position(|named| named.name.as_deref() == Some(which));
    let by_number = || which.parse::<usize>().ok().filter(|n| (1..=count).contains(n)).map(|n| n - 1);
    match by_name.or_else(by_number) {
        Some(i) => Ok(instances.into_iter().nth(i).expect("in range")),
        None => Err(ParseError::whole(format!("there is no instance '{which}' in this file")).help(format!(
            "it has {count}: give a number from 1 to {count}, or the name at the start of a line"
        ))),
    }
}
