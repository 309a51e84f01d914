//! Random boards.

use std::sync::atomic::AtomicBool;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::instance::{Board, LONGEST};
use super::path;
use crate::puzzle::{GenerateRequest, Size};
use crate::request::RequestError;

/// The board of a request with a running number.
pub fn generate(request: &GenerateRequest, number: u64, _cancel: &AtomicBool) -> Result<Board, RequestError> {
    let size = request.size.unwrap_or(Size { rows: 9, cols: 9 });
    if size.rows > LONGEST || size.cols > LONGEST || size.rows * size.cols == 0 {
        return Err(RequestError::Unsupported(format!(
            "a board of {size} cannot be made; boards go from 1x1 to {LONGEST}x{LONGEST}"
        )));
    }
    let pattern = Pattern::read(request.pattern.as_deref())?;
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    rng.set_stream(number);
    let path = path::random(size, &mut rng);
    let mut solution = Board::empty(size);
    for (i, &cell) in path.iter().enumerate() {
        solution.cells[cell as usize] = i as u16 + 1;
    }
    let mut groups = pattern.groups(size);
    groups.shuffle(&mut rng);
    let cells = size.rows * size.cols;
    let most = groups.iter().map(Vec::len).sum();
    let usual = if pattern == Pattern::Border { most } else { cells.div_ceil(3) };
    let clues = request.clues.unwrap_or(usual);
    if clues > most {
        return Err(RequestError::Unsupported(match pattern {
            Pattern::Border => format!(
                "{clues} numbers cannot be given on the border of a {size} board, which has {most} cells"
            ),
            _ => format!("{clues} numbers cannot be given on a {size} board, which has {most} cells"),
        }));
    }
    let mut board = Board::empty(size);
    let mut given = 0;
    for group in groups {
        if given + group.len() <= clues {
            given += group.len();
            group.iter().for_each(|&cell| board.cells[cell] = solution.cells[cell]);
        }
    }
    Ok(board)
}

/// Where numbers may be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pattern {
    Random,
    Border,
    /// A cell together with the one opposite the board's centre.
    Symmetric,
}

impl Pattern {
    fn read(name: Option<&str>) -> Result<Self, RequestError> {
        match name {
            None | Some("random") => Ok(Self::Random),
            Some("border") => Ok(Self::Border),
            Some("symmetric") => Ok(Self::Symmetric),
            Some(other) => Err(RequestError::Unsupported(format!(
                "there is no pattern '{other}'; there are random, border, symmetric"
            ))),
        }
    }

    /// The cells that may be given, those together that must be given together.
    fn groups(self, Size { rows, cols }: Size) -> Vec<Vec<usize>> {
        let cells = rows * cols;
        match self {
            Self::Random => (0..cells).map(|cell| vec![cell]).collect(),
            Self::Border => (0..cells)
                .filter(|cell| {
                    let (row, col) = (cell / cols, cell % cols);
                    row == 0 || col == 0 || row + 1 == rows || col + 1 == cols
                })
                .map(|cell| vec![cell])
                .collect(),
            Self::Symmetric => (0..cells.div_ceil(2))
                .map(|cell| if cell == cells - 1 - cell { vec![cell] } else { vec![cell, cells - 1 - cell] })
                .collect(),
        }
    }
}
