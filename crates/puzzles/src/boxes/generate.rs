//! Random boards.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::instance::{Board, LONGEST, goal_option};
use crate::puzzle::{GenerateRequest, Size};
use crate::request::RequestError;

/// The board of a request with a running number: some share of the arcs, from
/// none to three fifths, drawn at random.
pub fn generate(request: &GenerateRequest, number: u64) -> Result<Board, RequestError> {
    let size = request.size.unwrap_or(Size { rows: 4, cols: 4 });
    if size.rows > LONGEST || size.cols > LONGEST {
        return Err(RequestError::Unsupported(format!(
            "a board of {size} cannot be made; boards go from 1x1 to {LONGEST}x{LONGEST}"
        )));
    }
    let unsupported = |error: crate::text::ParseError| RequestError::Unsupported(error.to_string());
    let goal = request.goal.as_deref().map(goal_option).transpose().map_err(unsupported)?;
    let mut board = Board::empty(size, 0);
    if let Some(goal) = goal.filter(|&goal| goal > board.boxes()) {
        return Err(RequestError::Unsupported(format!(
            "a {size} board has {} boxes, {goal} cannot be closed",
            board.boxes()
        )));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    rng.set_stream(number);
    let share = rng.random_range(0..=60);
    for arc in board.arcs_mut() {
        *arc = rng.random_range(0..100) < share;
    }
    let (closed, boxes) = (board.closed(), board.boxes());
    board.goal = match goal {
        Some(goal) => goal,
        None => rng.random_range((closed + 1).min(boxes)..=boxes),
    };
    Ok(board)
}
