//! Random mazes: any with a solution, or with exactly one, as hard as asked.

mod difficulty;
mod grow;
mod scatter;

use std::sync::atomic::{AtomicBool, Ordering};

use novelo_search::parameter::{Kind, Parameter};
use novelo_search::{Control, Limits, Meter};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use difficulty::{Difficulty, difficulty};

use super::exact::Exact;
use super::impossible::impossible;
use super::instance::{LONGEST, Maze};
use crate::puzzle::{GenerateRequest, Size};
use crate::request::RequestError;

/// Boards tried before a request is given up.
const CANDIDATES: usize = 300_000;
/// One board in so many is grown, the others are scattered.
const GROW_EVERY: usize = 8;
/// Decisions spent on one of them.
const EFFORT: u64 = 100_000;

/// What can be asked for.
pub const OPTIONS: &[Parameter] = &[
    Parameter {
        name: "blocked",
        kind: Kind::Integer { least: 0, most: (LONGEST * LONGEST) as u64 },
        default: None,
        required: false,
        about: "How many cells are blocked.",
    },
    Parameter {
        name: "unique",
        kind: Kind::Flag,
        default: None,
        required: false,
        about: "Exactly one solution.",
    },
];

/// The maze of a request with a running number.
pub fn generate(request: &GenerateRequest, number: u64, cancel: &AtomicBool) -> Result<Maze, RequestError> {
    let size = request.size.unwrap_or(Size { rows: 7, cols: 7 });
    let wish = Wish::new(request, size)?;
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    rng.set_stream(number);
    for candidate in 0..CANDIDATES {
        if cancel.load(Ordering::Relaxed) {
            return Err(RequestError::Interrupted);
        }
        if let Some(maze) = wish.candidate(candidate, &mut rng, cancel)
            && wish.is_granted(&maze, cancel)
        {
            return Ok(maze);
        }
    }
    Err(RequestError::Unsupported(format!("found no such {size} maze among {CANDIDATES}")))
}

/// What is asked for.
struct Wish {
    size: Size,
    blocked: Option<usize>,
    unique: bool,
    difficulty: Option<Difficulty>,
}

impl Wish {
    fn new(request: &GenerateRequest, size: Size) -> Result<Self, RequestError> {
        let refuse = |message: String| Err(RequestError::Unsupported(message));
        let cells = size.rows * size.cols;
        if size.rows > LONGEST || size.cols > LONGEST || cells < 2 {
            return refuse(format!(
                "a maze of {size} cannot be made; mazes go from 1x2 to {LONGEST}x{LONGEST}"
            ));
        }
        if size.rows == 2 && size.cols == 2 {
            return refuse("no 2x2 maze has a solution".into());
        }
        let blocked = request.options.number("blocked");
        if let Some(blocked) = blocked {
            let most = cells - (size.rows + size.cols - 1);
            if blocked > most {
                return refuse(format!(
                    "{blocked} blocked cells leave no way from corner to corner on {size}; at most {most} do"
                ));
            }
            if scatter::colours(size, blocked).is_none() {
                let kind = if blocked % 2 == 0 { "an odd" } else { "an even" };
                return refuse(format!(
                    "on {size} the path alternates between the colours of a chessboard, which takes {kind} \
                     number of blocked cells"
                ));
            }
        }
        let difficulty = match &request.difficulty {
            None => None,
            Some(name) => Some(name.parse().map_err(RequestError::Unsupported)?),
        };
        let unique = request.options.flag("unique") || difficulty.is_some();
        Ok(Self { size, blocked, unique, difficulty })
    }

    /// A board that may do. Grown paths always have a solution, but leave many
    /// cells blocked; scattered blocks make the prettier puzzles.
    fn candidate(&self, number: usize, rng: &mut ChaCha8Rng, cancel: &AtomicBool) -> Option<Maze> {
        let cells = self.size.rows * self.size.cols;
        let solvable = |maze: &Maze| impossible(maze).is_none() && solutions(maze, 1, cancel) == Some(1);
        if !self.unique && self.blocked.is_none() {
            return Some(grow::grown(self.size, 0, rng));
        }
        if number % GROW_EVERY == GROW_EVERY - 1 {
            let blocked = self.blocked.unwrap_or(0);
            let maze = grow::grown(self.size, blocked, rng);
            return match self.blocked {
                None => Some(maze),
                Some(blocked) => grow::freed(maze, blocked, rng, solvable),
            };
        }
        let blocked = self.blocked.unwrap_or_else(|| rng.random_range(cells / 16..=cells / 5));
        scatter::scattered(self.size, blocked, rng).filter(|maze| impossible(maze).is_none())
    }

    /// Whether a board has the solutions and the difficulty wished for.
    fn is_granted(&self, maze: &Maze, cancel: &AtomicBool) -> bool {
        let most = if self.unique { 2 } else { 1 };
        solutions(maze, most, cancel) == Some(1)
            && self.difficulty.is_none_or(|wanted| difficulty(maze) == wanted)
    }
}

/// How many solutions a maze has, up to a number; `None` if it is too hard to
/// tell.
fn solutions(maze: &Maze, most: usize, cancel: &AtomicBool) -> Option<usize> {
    let limits = Limits { nodes: Some(EFFORT), ..Limits::default() };
    let meter = Meter::new(limits, Control::cancelled_by(cancel));
    let mut counter = meter.counter();
    let mut exact = Exact::new(maze);
    let mut count = 0;
    while count < most && exact.next(&mut counter, u64::MAX).ok()?.is_some() {
        count += 1;
    }
    Some(count)
}
