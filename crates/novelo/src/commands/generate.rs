//! `novelo generate`

use novelo_puzzles::{GenerateRequest, RequestError};

use super::print;
use crate::cli::Generate;
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{interrupt, progress};

/// Prints new instances as ids, one a line.
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
            Ok(instance) => line.above(|| print(&format!("{}\n", instance.id())))?,
            Err(RequestError::Interrupted) => return Ok(Code::Interrupted),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Code::Success)
}
