//! The SOLUTION argument: moves, a file of moves, a result of `solve --json`.

use std::path::Path;

use novelo_puzzles::Instance;

use crate::source::text_of;
use crate::user_error::UserError;

/// The moves an argument stands for.
pub fn read(argument: &str, instance: &dyn Instance) -> Result<Vec<String>, UserError> {
    let (origin, text) = if argument == "-" {
        ("standard input", text_of(std::io::stdin().lock(), "standard input")?)
    } else if Path::new(argument).is_file() {
        let file = std::fs::File::open(argument)
            .map_err(|error| UserError::new(format!("cannot read {argument}: {error}")))?;
        (argument, text_of(file, argument)?)
    } else {
        ("solution", argument.to_owned())
    };
    if text.trim_start().starts_with('{') {
        return from_json(origin, &text);
    }
    instance.parse_moves(&text).map_err(|error| UserError::in_text(error, origin, &text))
}

fn from_json(origin: &str, text: &str) -> Result<Vec<String>, UserError> {
    let wrong = |what: &str| {
        UserError::new(format!("{origin}: {what}")).help("a result is what novelo solve --json prints")
    };
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| wrong(&format!("not a result: {error}")))?;
    let moves = value.get("moves").and_then(|moves| moves.as_array());
    let moves = moves.ok_or_else(|| wrong("this result has no moves"))?;
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    moves.iter().map(text).collect::<Option<_>>().ok_or_else(|| wrong("a move of this result is no text"))
}
