//! Random boards.

use std::sync::atomic::{AtomicBool, Ordering};

use novelo_search::parameter::{Kind, Parameter};
use novelo_search::{Control, Limits, Meter, Stop};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::exact::{self, Effort, SatLimits};
use super::instance::{Board, LONGEST};
use super::path;
use crate::puzzle::{GenerateRequest, Size};
use crate::request::RequestError;

/// Paths tried before giving up.
const PATHS: u64 = 200;
/// Failures after which a clue is kept, because it may be needed.
const EFFORT: u64 = 200;
/// Failures before the SAT solver is asked, where the board must be minimal.
const PATIENCE: u64 = 1000;

/// What can be asked for.
pub const OPTIONS: &[Parameter] = &[
    Parameter {
        name: "clues",
        kind: Kind::Integer { least: 0, most: (LONGEST * LONGEST) as u64 },
        default: None,
        required: false,
        about: "How many numbers are given.",
    },
    Parameter {
        name: "pattern",
        kind: Kind::Word(&["random", "border", "symmetric"]),
        default: Some("random"),
        required: false,
        about: "Where numbers are given.",
    },
    Parameter {
        name: "unique",
        kind: Kind::Flag,
        default: None,
        required: false,
        about: "Exactly one solution.",
    },
    Parameter {
        name: "minimal",
        kind: Kind::Flag,
        default: None,
        required: false,
        about: "Exactly one solution, and every number given is needed.",
    },
];

/// The board of a request with a running number.
pub fn generate(request: &GenerateRequest, number: u64, cancel: &AtomicBool) -> Result<Board, RequestError> {
    let size = request.size.unwrap_or(Size { rows: 9, cols: 9 });
    if size.rows > LONGEST || size.cols > LONGEST || size.rows * size.cols == 0 {
        return Err(RequestError::Unsupported(format!(
            "a board of {size} cannot be made; boards go from 1x1 to {LONGEST}x{LONGEST}"
        )));
    }
    let pattern = Pattern::read(request.options.text("pattern"));
    let difficulty = request.difficulty.as_deref().map(Difficulty::read).transpose()?;
    let most: usize = pattern.groups(size).iter().map(Vec::len).sum();
    let clues: Option<usize> = request.options.number("clues");
    if let Some(clues) = clues.filter(|&clues| clues > most) {
        let place = if pattern == Pattern::Border { "the border of a" } else { "a" };
        return Err(RequestError::Unsupported(format!(
            "{clues} numbers cannot be given on {place} {size} board, which has {most} cells"
        )));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    rng.set_stream(number);
    let minimal = request.options.flag("minimal");
    if !request.options.flag("unique") && !minimal && difficulty.is_none() {
        let usual = if pattern == Pattern::Border { most } else { (size.rows * size.cols).div_ceil(3) };
        return Ok(plain(size, pattern, clues.unwrap_or(usual), &mut rng));
    }
    for _ in 0..PATHS {
        let maker = Maker { clues, minimal, size, pattern, difficulty, cancel };
        if let Some(board) = maker.attempt(&mut rng)? {
            return Ok(board);
        }
    }
    Err(RequestError::Unsupported(format!("found no such {size} board with exactly one solution")))
}

/// A solved board.
fn solved(size: Size, rng: &mut ChaCha8Rng) -> Board {
    let mut solution = Board::empty(size);
    for (i, &cell) in path::random(size, rng).iter().enumerate() {
        solution.cells[cell as usize] = i as u16 + 1;
    }
    solution
}

/// A board with some numbers of a solved one.
fn plain(size: Size, pattern: Pattern, clues: usize, rng: &mut ChaCha8Rng) -> Board {
    let solution = solved(size, rng);
    let mut groups = pattern.groups(size);
    groups.shuffle(rng);
    let mut board = Board::empty(size);
    let mut given = 0;
    for group in groups {
        if given + group.len() <= clues {
            given += group.len();
            for cell in group {
                board.cells[cell] = solution.cells[cell];
            }
        }
    }
    board
}

/// What makes boards with exactly one solution.
struct Maker<'r> {
    clues: Option<usize>,
    minimal: bool,
    size: Size,
    pattern: Pattern,
    difficulty: Option<Difficulty>,
    cancel: &'r AtomicBool,
}

impl Maker<'_> {
    /// Takes clues from a solved board for as long as it keeps to what was
    /// asked; none if that led nowhere.
    fn attempt(&self, rng: &mut ChaCha8Rng) -> Result<Option<Board>, RequestError> {
        let solution = solved(self.size, rng);
        let mut groups = self.pattern.groups(self.size);
        groups.shuffle(rng);
        let mut board = Board::empty(self.size);
        for &cell in groups.iter().flatten() {
            board.cells[cell] = solution.cells[cell];
        }
        let mut given = board.clues();
        if given < solution.last() && !self.alone(&board, &solution)? {
            return Ok(None);
        }
        let cells = self.size.rows * self.size.cols;
        let floor = self.clues.or(self.difficulty.map(|d| d.fewest(cells))).unwrap_or(0);
        for group in groups {
            if given < floor + group.len() {
                continue;
            }
            for &cell in &group {
                board.cells[cell] = 0;
            }
            if self.may_lack(&board, &solution, &group)? {
                given -= group.len();
            } else {
                for &cell in &group {
                    board.cells[cell] = solution.cells[cell];
                }
            }
        }
        let exact = self.clues.is_none_or(|clues| given == clues);
        let hard = self.difficulty != Some(Difficulty::Expert) || !exact::needs_no_search(&board);
        Ok((exact && hard).then_some(board))
    }

    /// Whether a board has no other solution.
    fn alone(&self, board: &Board, solution: &Board) -> Result<bool, RequestError> {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let meter = Meter::new(limits, Control::cancelled_by(self.cancel));
        let mut others = 0;
        let all = exact::enumerate(board, SatLimits::new(&meter), &mut meter.counter(), |cells| {
            others += u32::from(cells != solution.cells);
            others == 0
        });
        match all {
            Err(Stop::Interrupted) => Err(RequestError::Interrupted),
            all => Ok(all == Ok(true) && others == 0),
        }
    }

    /// Whether a board from which a group of clues was just taken still has
    /// one solution, and is as easy as it should be.
    fn may_lack(&self, board: &Board, solution: &Board, group: &[usize]) -> Result<bool, RequestError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(RequestError::Interrupted);
        }
        if self.difficulty.is_some_and(|difficulty| difficulty != Difficulty::Expert) {
            return Ok(exact::needs_no_search(board));
        }
        let effort = if self.minimal { Effort::Certain(PATIENCE) } else { Effort::Failures(EFFORT) };
        let meter = Meter::new(Limits::default(), Control::cancelled_by(self.cancel));
        let (limits, mut counter) = (SatLimits::new(&meter), meter.counter());
        // Another solution has some number of the group elsewhere: the first
        // such is elsewhere, and those before it are where they were.
        let mut board = board.clone();
        for &cell in group {
            let value = solution.cells[cell];
            match exact::solvable_without(&board, (value as usize, cell), effort, limits, &mut counter) {
                Ok(Some(false)) => board.cells[cell] = value,
                Ok(_) => return Ok(false),
                Err(_) => return Err(RequestError::Interrupted),
            }
        }
        Ok(true)
    }
}

/// How hard a board is, by what it takes to solve it.
///
/// Up to `Hard`, propagation alone fills the board: at each moment some number
/// has one cell left or some cell one number. The levels differ in how many
/// numbers are given, and so in how far one must look ahead. `Expert` boards
/// have as few clues as one solution allows, and cannot be filled without
/// trying something that turns out wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Difficulty {
    Easy,
    Normal,
    Hard,
    Expert,
}

impl Difficulty {
    fn read(name: &str) -> Result<Self, RequestError> {
        match name {
            "easy" => Ok(Self::Easy),
            "normal" => Ok(Self::Normal),
            "hard" => Ok(Self::Hard),
            "expert" => Ok(Self::Expert),
            _ => Err(RequestError::Unsupported(format!(
                "there is no difficulty '{name}'; there are easy, normal, hard, expert"
            ))),
        }
    }

    /// The fewest numbers given.
    fn fewest(self, cells: usize) -> usize {
        match self {
            Self::Easy => cells * 45 / 100,
            Self::Normal => cells * 30 / 100,
            Self::Hard | Self::Expert => 0,
        }
    }
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
    /// The pattern of a checked option.
    fn read(name: Option<&str>) -> Self {
        match name {
            Some("border") => Self::Border,
            Some("symmetric") => Self::Symmetric,
            _ => Self::Random,
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
