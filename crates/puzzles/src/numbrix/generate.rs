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
    let count = size.rows * size.cols;
    let clues = request.clues.unwrap_or(count.div_ceil(3));
    if clues > count {
        return Err(RequestError::Unsupported(format!(
            "{clues} numbers cannot be given on a {size} board, which has {count} cells"
        )));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    rng.set_stream(number);
    let path = path::random(size, &mut rng);
    let mut values: Vec<usize> = (0..count).collect();
    values.shuffle(&mut rng);
    let mut board = Board::empty(size);
    for &i in &values[..clues] {
        board.cells[path[i] as usize] = i as u16 + 1;
    }
    Ok(board)
}
