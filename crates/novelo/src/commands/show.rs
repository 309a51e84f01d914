//! `novelo show`

#[cfg(feature = "plots")]
use std::path::PathBuf;

use clap::Args;
#[cfg(feature = "plots")]
use novelo_lab::plots::board;
use novelo_puzzles::input;

use super::print;
use crate::cli::Reading;
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{paint, solution, source};

const EXAMPLES: &str = "\
Examples:
  novelo show set.txt                                    every board of a file
  novelo show sliding:3x3:8,6,7,2,5,4,3,0,1 --after 'U L'
  novelo solve board.txt --json | novelo show board.txt --after -
  novelo show board.txt --svg board.svg --png board.png  where this build has plots";

/// Options of `show`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShowOptions {
    /// Files, FILE#name, ids, or - for standard input
    #[arg(required = true, value_name = "INSTANCE")]
    pub instances: Vec<String>,

    #[command(flatten)]
    pub reading: Reading,

    /// The board after moves: as check takes them
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub after: Option<String>,

    /// Draw it into a file that scales
    #[cfg(feature = "plots")]
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Draw it into a file of pixels
    #[cfg(feature = "plots")]
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
}

impl ShowOptions {
    /// Whether a file is asked for, which holds one board.
    #[cfg(feature = "plots")]
    fn draws(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    #[cfg(not(feature = "plots"))]
    #[allow(clippy::unused_self)]
    fn draws(&self) -> bool {
        false
    }
}

/// Draws boards.
pub fn run(options: &ShowOptions) -> Result<Code, UserError> {
    let mut boards = Vec::new();
    for argument in &options.instances {
        let reading = &options.reading;
        boards.extend(source::read(argument, reading.puzzle, reading.goal.as_deref())?);
    }
    let several = boards.len() > 1;
    if several && (options.draws() || options.after.is_some()) {
        let count = boards.len();
        return Err(UserError::new(format!("{count} boards were given; moves and files are for one"))
            .help("pick one, such as set.txt#1"));
    }
    for named in boards {
        let start = named.instance;
        let mut moves = Vec::new();
        let mut end = None;
        if let Some(after) = &options.after {
            moves = solution::read(after, &*start)?;
            let verdict = start.check(&moves);
            if let Some(failure) = verdict.failure {
                return Err(UserError::new(format!(
                    "move {}, {}: {}",
                    failure.at, failure.text, failure.reason
                )));
            }
            let (puzzle, body) = input::as_id(&verdict.end).expect("a verdict has an id");
            end = Some(puzzle.parse_id(body, None).expect("an id can be read"));
        }
        let end = end.as_deref().unwrap_or(&*start);
        #[cfg(feature = "plots")]
        if options.draws() {
            let view = end.game().view().since(&start.game().view());
            if let Some(path) = &options.svg {
                super::write_file(path, board::svg(&view).as_bytes())?;
            }
            if let Some(path) = &options.png {
                super::write_file(path, &board::png(&view).map_err(UserError::new)?)?;
            }
            continue;
        }
        let name = named.name.filter(|_| several).map(|name| format!("{name}  ")).unwrap_or_default();
        let picture = start.pictures(&moves).pop().unwrap_or_default();
        print(&format!("{name}{}\n{}\n", end.id(), paint::indented(&picture, 2)))?;
    }
    Ok(Code::Success)
}
