//! The INSTANCE argument: an id, a file, one instance of a file, or `-`.

use std::io::Read as _;
use std::path::Path;

use novelo_puzzles::{Named, Puzzle, input};
use novelo_search::parameter::nearest;

use crate::user_error::UserError;

/// The longest text that is read.
const LONGEST: u64 = 64 << 20;

/// All instances an argument stands for.
pub fn read(
    argument: &str,
    puzzle: Option<&'static dyn Puzzle>,
    goal: Option<&str>,
) -> Result<Vec<Named>, UserError> {
    if argument == "-" {
        let text = text_of(std::io::stdin().lock(), "standard input")?;
        let mut instances = parse(&text, "standard input", puzzle, goal)?;
        if instances.len() > 1 {
            input::name_after("-", &mut instances);
        }
        return Ok(instances);
    }
    if input::as_id(argument).is_some() && !Path::new(argument).exists() {
        return parse(argument, "instance", puzzle, goal);
    }
    let (path, which) = match argument.rsplit_once('#') {
        Some((path, which)) if !Path::new(argument).exists() => (path, Some(which)),
        _ => (argument, None),
    };
    let text = file(path, argument)?;
    let mut instances = parse(&text, path, puzzle, goal)?;
    if instances.is_empty() {
        return Err(UserError::new(format!("{path} has no instance in it")));
    }
    let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    input::name_after(&stem, &mut instances);
    match which {
        None => Ok(instances),
        Some(which) => {
            let named =
                input::pick(instances, which).map_err(|error| UserError::in_text(error, path, &text))?;
            Ok(vec![named])
        }
    }
}

/// The one instance an argument must stand for.
pub fn read_one(
    argument: &str,
    puzzle: Option<&'static dyn Puzzle>,
    goal: Option<&str>,
) -> Result<Named, UserError> {
    let mut instances = read(argument, puzzle, goal)?;
    match instances.len() {
        1 => Ok(instances.remove(0)),
        count => Err(UserError::new(format!("{argument} holds {count} instances; one is needed here"))
            .help(format!("pick one, such as {argument}#1"))),
    }
}

fn parse(
    text: &str,
    origin: &str,
    puzzle: Option<&'static dyn Puzzle>,
    goal: Option<&str>,
) -> Result<Vec<Named>, UserError> {
    input::read(text, puzzle, goal).map_err(|error| UserError::in_text(error, origin, text))
}

fn file(path: &str, argument: &str) -> Result<String, UserError> {
    match std::fs::File::open(path) {
        Ok(file) => text_of(file, path),
        Err(error) => {
            let names: Vec<_> = novelo_puzzles::PUZZLES.iter().map(|puzzle| puzzle.info().name).collect();
            let user_error = UserError::new(format!("cannot read {path}: {error}"));
            Err(match argument.split_once(':') {
                Some((name, _)) if !name.contains(['/', '.', '\\']) => {
                    let known = match nearest(name, names.iter().copied()) {
                        Some(near) => format!("did you mean '{near}'?"),
                        None => format!("there are {}", names.join(", ")),
                    };
                    user_error.help(format!(
                        "if this is meant to be an instance id, there is no puzzle '{name}'; {known}"
                    ))
                }
                _ => user_error.help(
                    "an instance is a file, an id such as sliding:2x2:3,1,2,0, or - for standard input",
                ),
            })
        }
    }
}

/// Reads a text that is not too long.
pub fn text_of(reader: impl std::io::Read, origin: &str) -> Result<String, UserError> {
    let mut bytes = Vec::new();
    let read = reader.take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| UserError::new(format!("cannot read {origin}: {error}")))?;
    if bytes.len() as u64 > LONGEST {
        return Err(UserError::new(format!("{origin} is longer than {LONGEST} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        UserError::new(format!("{origin} is not text: byte {at} is not valid UTF-8"))
    })
}
