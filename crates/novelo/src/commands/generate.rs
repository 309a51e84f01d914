//! `novelo generate`

use novelo_puzzles::{GenerateRequest, RequestError};

use super::print;
use crate::cli::Generate;
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{interrupt, paint, progress};

/// Prints new instances as ids, one a line, with their boards if asked for.
pub fn run(options: Generate) -> Result<Code, UserError> {
    let request = GenerateRequest {
        size: options.size,
        seed: options.seed,
        difficulty: options.difficulty,
        ..GenerateRequest::default()
    };
    let request = request.with(options.puzzle, options.options.0)?;
    let line = progress::making(options.puzzle.info().name, options.count);
    for number in 0..options.count {
        match options.puzzle.generate(&request, number, interrupt::flag()) {
            _ if interrupt::requested() => return Ok(Code::Interrupted),
            Ok(instance) => {
                let mut text = format!("{}\n", instance.id());
                if options.show {
                    let picture = instance.pictures(&[]).pop().unwrap_or_default();
                    text.push_str(&paint::indented(&picture, 2));
                    text.push('\n');
                }
                line.above(|| print(&text))?;
            }
            Err(RequestError::Interrupted) => return Ok(Code::Interrupted),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Code::Success)
}
