//! Random boards: plain ones, ones of a given par, ones of a given difficulty.

use std::sync::atomic::AtomicBool;

use novelo_search::parameter::{Kind, Parameter};
use novelo_search::{Answer, Control, Limits, Meter};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::exact;
use super::instance::{Board, LONGEST};
use super::isoperimetric::fewest_arcs;
use crate::puzzle::{GenerateRequest, Size};
use crate::request::RequestError;

/// Boards tried for one of a difficulty.
const CANDIDATES: usize = 2000;

/// How hard a board is to solve with the fewest arcs.
///
/// The measure is what the nearest thing to do, closing the box that lacks the
/// fewest arcs again and again, draws beyond the optimum. Harder boards also
/// have fewer arcs and more boxes to close, so that there is more to see.
struct Level {
    name: &'static str,
    /// The percentage of arcs drawn at the start.
    drawn: u32,
    /// The percentage of boxes to close.
    goal: usize,
    /// Arcs wasted by the nearest thing to do, least and most.
    wasted: (u32, u32),
}

const LEVELS: [Level; 4] = [
    Level { name: "easy", drawn: 55, goal: 25, wasted: (0, 0) },
    Level { name: "normal", drawn: 45, goal: 40, wasted: (1, 1) },
    Level { name: "hard", drawn: 30, goal: 55, wasted: (2, 2) },
    Level { name: "expert", drawn: 15, goal: 65, wasted: (3, u32::MAX) },
];

fn unsupported<T>(message: String) -> Result<T, RequestError> {
    Err(RequestError::Unsupported(message))
}

/// What can be asked for.
pub const OPTIONS: &[Parameter] = &[
    Parameter {
        name: "moves",
        kind: Kind::Integer { least: 0, most: 10_000 },
        default: None,
        required: false,
        about: "Exact number of moves of an optimal solution.",
    },
    Parameter {
        name: "goal",
        kind: Kind::Integer { least: 0, most: (LONGEST * LONGEST) as u64 },
        default: None,
        required: false,
        about: "How many boxes are to be closed.",
    },
];

/// The board of a request with a running number.
pub fn generate(request: &GenerateRequest, number: u64, cancel: &AtomicBool) -> Result<Board, RequestError> {
    let size = request.size.unwrap_or(Size { rows: 4, cols: 4 });
    if size.rows > LONGEST || size.cols > LONGEST || size.cols == 0 {
        return unsupported(format!(
            "a board of {size} cannot be made; boards go from 1x1 to {LONGEST}x{LONGEST}"
        ));
    }
    let goal: Option<usize> = request.options.number("goal");
    let boxes = size.rows * size.cols;
    if let Some(goal) = goal.filter(|&goal| goal > boxes) {
        return unsupported(format!("a {size} board has {boxes} boxes, {goal} cannot be closed"));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    rng.set_stream(number);
    match (request.options.number("moves"), &request.difficulty) {
        (None, None) => Ok(plain(size, goal, &mut rng)),
        (Some(par), None) => with_par(size, goal, par, &mut rng, cancel),
        (None, Some(name)) => match LEVELS.iter().find(|level| level.name == name) {
            Some(level) => of_level(size, goal, level, &mut rng, cancel),
            None => unsupported(format!("'{name}' is no difficulty; there are easy, normal, hard, expert")),
        },
        (Some(_), Some(_)) => unsupported("give either moves or difficulty, not both".into()),
    }
}

/// Draws each arc with a chance in percent.
fn scatter(size: Size, percent: u32, rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::empty(size, 0);
    for arc in board.arcs_mut() {
        *arc = rng.random_range(0..100) < percent;
    }
    board
}

/// Some share of the arcs, from none to three fifths, drawn at random.
fn plain(size: Size, goal: Option<usize>, rng: &mut ChaCha8Rng) -> Board {
    let percent = rng.random_range(0..=60);
    let mut board = scatter(size, percent, rng);
    let (closed, boxes) = (board.closed(), board.boxes());
    board.goal = match goal {
        Some(goal) => goal,
        None => rng.random_range((closed + 1).min(boxes)..=boxes),
    };
    board
}

/// The fewest arcs that solve a board.
fn optimum(board: &Board, cancel: &AtomicBool) -> Result<u32, RequestError> {
    let meter = Meter::new(Limits::default(), Control::cancelled_by(cancel));
    match exact::solve(board, &meter).answer {
        Answer::Solved(solution) => Ok(solution.cost),
        _ => Err(RequestError::Interrupted),
    }
}

/// A board that takes exactly `par` arcs. Arcs are drawn on an empty board in a
/// random order; each lowers the optimum by one or not at all, so par is met on
/// the way, and the stretch where it holds is found by halving.
fn with_par(
    size: Size,
    goal: Option<usize>,
    par: u32,
    rng: &mut ChaCha8Rng,
    cancel: &AtomicBool,
) -> Result<Board, RequestError> {
    let boxes = size.rows * size.cols;
    let fewest = |goal| fewest_arcs(size, goal).map_or(0, |fewest| fewest as u32);
    let Some(least) = (0..=boxes).find(|&goal| fewest(goal) >= par) else {
        return unsupported(format!("a {size} board has only {} arcs to draw", fewest(boxes)));
    };
    let goal = goal.unwrap_or_else(|| rng.random_range(least..=boxes));
    if fewest(goal) < par {
        return unsupported(format!(
            "closing {goal} boxes of a {size} board never takes more than {} arcs, so not {par}",
            fewest(goal)
        ));
    }
    let mut order: Vec<usize> = (0..Board::empty(size, goal).arcs().count()).collect();
    order.shuffle(rng);
    let with = |count: usize| {
        let mut board = Board::empty(size, goal);
        let mut drawn = vec![false; order.len()];
        order[..count].iter().for_each(|&arc| drawn[arc] = true);
        board.arcs_mut().zip(drawn).for_each(|(arc, drawn)| *arc = drawn);
        board
    };
    // The first number of arcs whose optimum is below a value.
    let first_below = |value: u32| -> Result<usize, RequestError> {
        let (mut low, mut high) = (0, order.len() + 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            if middle > order.len() || optimum(&with(middle), cancel)? < value {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(low)
    };
    let (first, end) = (first_below(par + 1)?, first_below(par)?);
    Ok(with(rng.random_range(first..end)))
}

/// A board of a difficulty.
fn of_level(
    size: Size,
    goal: Option<usize>,
    level: &Level,
    rng: &mut ChaCha8Rng,
    cancel: &AtomicBool,
) -> Result<Board, RequestError> {
    for _ in 0..CANDIDATES {
        let mut board = scatter(size, level.drawn, rng);
        board.goal = goal.unwrap_or((board.boxes() * level.goal).div_ceil(100));
        if board.closed() < board.goal {
            let wasted = nearest(&board) - optimum(&board, cancel)?;
            if (level.wasted.0..=level.wasted.1).contains(&wasted) {
                return Ok(board);
            }
        }
    }
    unsupported(format!("found no {} board of {size}; larger boards can be harder", level.name))
}

/// The arcs drawn by always closing the box that lacks the fewest.
fn nearest(board: &Board) -> u32 {
    let mut board = board.clone();
    let (cols, mut drawn) = (board.size.cols, 0);
    while board.closed() < board.goal {
        let cells = (0..board.boxes()).map(|cell| (cell / cols, cell % cols));
        let open = cells.filter(|&(r, c)| board.lacking(r, c) > 0);
        let (r, c) = open.min_by_key(|&(r, c)| board.lacking(r, c)).expect("the goal is within the board");
        drawn += board.lacking(r, c) as u32;
        board.horizontal[r][c] = true;
        board.horizontal[r + 1][c] = true;
        board.vertical[r][c] = true;
        board.vertical[r][c + 1] = true;
    }
    drawn
}
