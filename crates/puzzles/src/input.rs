//! From what a user gives, file, text or id, to instances.

use crate::PUZZLES;
use crate::puzzle::{Named, Puzzle};
use crate::text::{ParseError, either};

const BYTE_ORDER_MARK: char = '\u{feff}';

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
    // Editors of some systems begin a file with a mark that is no part of its text.
    if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
        return read(rest, puzzle, goal).map_err(|error| error.shifted(BYTE_ORDER_MARK.len_utf8()));
    }
    if let Some((first, _)) = text.lines().find(|line| !is_blank(line)).and_then(as_id)
        && puzzle.is_none_or(|puzzle| puzzle.info().name == first.info().name)
    {
        return read_ids(text, goal);
    }
    match puzzle {
        Some(puzzle) => puzzle.parse(text, goal),
        None => recognise(text, goal),
    }
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

/// Reads a text as the puzzle that it looks most like.
///
/// Where it looks as much like another that can read it, nothing is guessed. Nor where the likeliest cannot read it and
/// what another makes of it has no solution at sight: more likely it is the former with a mistake. Nor where what the
/// likeliest makes of it has none, and what another makes of it may have one.
fn recognise(text: &str, goal: Option<&str>) -> Result<Vec<Named>, ParseError> {
    if text.trim().is_empty() {
        return Err(ParseError::whole("there is nothing in it"));
    }
    let name = |puzzle: &dyn Puzzle| puzzle.info().name;
    let scores = PUZZLES.iter().map(|&puzzle| (puzzle.likeness(text), puzzle));
    let mut guesses: Vec<_> = scores.filter(|&(score, _)| score > 0).collect();
    guesses.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    let mut mistake: Option<ParseError> = None;
    for (i, &(score, puzzle)) in guesses.iter().enumerate() {
        let instances = match puzzle.parse(text, goal) {
            Ok(instances) => instances,
            Err(error) => {
                mistake.get_or_insert(ParseError { taken_for: vec![name(puzzle)], ..error });
                continue;
            }
        };
        let rivals = guesses[i + 1..].iter().filter(|&&(other, _)| other == score).map(|&(_, rival)| rival);
        let rivals: Vec<_> = rivals.filter(|rival| rival.parse(text, goal).is_ok()).map(name).collect();
        if !rivals.is_empty() {
            let taken_for = [vec![name(puzzle)], rivals].concat();
            let message = format!("this could be {}", either(&taken_for));
            return Err(ParseError { taken_for, ..ParseError::whole(message) });
        }
        let Some(reason) = impossible(&instances) else { return Ok(instances) };
        let here = name(puzzle);
        let no_solution = format!("read as {here} it has no solution: {reason}");
        if let Some(mut mistake) = mistake {
            let likeliest = mistake.taken_for[0];
            let help = mistake.help.map(|help| format!("; {help}")).unwrap_or_default();
            mistake.help = Some(format!("so it is, read as {likeliest}{help}; {no_solution}"));
            mistake.taken_for.push(here);
            return Err(mistake);
        }
        let other = guesses[i + 1..].iter().map(|&(_, other)| other);
        let mut possible = other
            .filter(|other| other.parse(text, goal).is_ok_and(|instances| impossible(&instances).is_none()));
        let Some(other) = possible.next().map(name) else { return Ok(instances) };
        let taken_for = vec![here, other];
        let message = format!("this could be {}", either(&taken_for));
        return Err(ParseError { taken_for, ..ParseError::whole(message).help(no_solution) });
    }
    Err(mistake.unwrap_or_else(|| {
        let taken_for = PUZZLES.iter().map(|&puzzle| name(puzzle)).collect();
        ParseError { taken_for, ..ParseError::whole("this does not look like any puzzle") }
    }))
}

/// Why one of the instances has no solution, where that is seen without a search.
fn impossible(instances: &[Named]) -> Option<String> {
    instances.iter().find_map(|named| named.instance.impossible())
}

/// Gives instances that have no name of their own the one of their file, with a number where it holds several.
pub fn name_after(file: &str, instances: &mut [Named]) {
    let alone = instances.len() == 1;
    for (i, named) in instances.iter_mut().enumerate() {
        let name = || if alone { file.to_owned() } else { format!("{file}#{}", i + 1) };
        named.name.get_or_insert_with(name);
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
