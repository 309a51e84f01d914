//! Random boards: any that can be solved, or any at an exact distance.

use std::sync::atomic::{AtomicBool, Ordering};

use novelo_search::parameter::{Kind, Parameter};
use novelo_search::{Algorithm, Answer, Heuristic, Limits, Problem, Search};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use super::board::{Board, Bytes, Packed64, Packed128};
use super::heuristics::LinearConflict;
use super::instance::{LONGEST, Tiles, blank_last};
use super::optimal;
use super::parity::unreachable;
use super::rules::{Move, Rules};
use crate::puzzle::{GenerateRequest, Size};
use crate::request::RequestError;

/// Boards with at most this many cells are searched completely.
const COMPLETE: usize = 9;
/// Expansions spent on finding out how far one candidate is from the goal.
const EFFORT: u64 = 2_000_000;
const CANDIDATES: usize = 60;
/// Beyond this many moves, boards of the 15-puzzle are solved with pattern databases.
const FAR: u32 = 40;
/// No board of the 15-puzzle is further from its goal.
const DIAMETER: u32 = 80;
/// Walks of more steps for each cell lead no further away.
const LONGEST_WALK: usize = 64;
/// About one random board of the 15-puzzle in a hundred needs 66 moves or more.
const FAR_CANDIDATES: usize = 3000;

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
        kind: Kind::Text("blank-first"),
        default: None,
        required: false,
        about: "The goal: blank-last, blank-first, or a board.",
    },
];

/// The board of a request with a running number.
pub fn generate(request: &GenerateRequest, number: u64, cancel: &AtomicBool) -> Result<Tiles, RequestError> {
    let steps = request.difficulty.as_deref().map(steps_a_cell).transpose()?;
    let usual = if steps == Some(EASY) { Size { rows: 3, cols: 3 } } else { Size { rows: 4, cols: 4 } };
    let size = request.size.unwrap_or(usual);
    let cells = size.rows * size.cols;
    if size.rows > LONGEST || size.cols > LONGEST || cells < 2 {
        return Err(RequestError::Unsupported(format!(
            "a board of {size} cannot be made; boards go from 1x2 to {LONGEST}x{LONGEST}"
        )));
    }
    let solved = Tiles { size, start: blank_last(cells), goal: blank_last(cells) };
    let goal = match request.options.text("goal") {
        None => solved.goal.clone(),
        Some(goal) => {
            Tiles::parse_id(&solved.id(), Some(goal))
                .map_err(|error| RequestError::Unsupported(error.to_string()))?
                .goal
        }
    };
    let solved = Tiles { size, start: goal.clone(), goal };
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    rng.set_stream(number);
    let flat = size.rows == 1 || size.cols == 1;
    match (request.options.number("moves"), steps) {
        (Some(moves), None) => at_distance(&solved, moves, &mut rng, cancel),
        (None, Some(_)) if cells <= COMPLETE && !flat => {
            Ok(by_distance(&solved, request.difficulty.as_deref().unwrap_or_default(), &mut rng))
        }
        (None, Some(steps)) if !flat => {
            let drawn = match steps {
                EXPERT => 32,
                HARD => 4,
                _ => 1,
            };
            Ok(farthest(drawn, &solved, || match steps {
                EXPERT => uniform(&solved, &mut rng),
                _ => near(&solved, steps * cells, &mut rng),
            }))
        }
        (None, _) => Ok(uniform(&solved, &mut rng)),
        (Some(_), Some(_)) => {
            Err(RequestError::Unsupported("give either moves or difficulty, not both".into()))
        }
    }
}

/// Steps of a random walk for each cell of an easy board, and as many as any board has.
const EASY: usize = 3;
const HARD: usize = 25;
const EXPERT: usize = usize::MAX;

/// How far a board of a difficulty is walked from its goal.
fn steps_a_cell(difficulty: &str) -> Result<usize, RequestError> {
    match difficulty {
        "easy" => Ok(EASY),
        "normal" => Ok(8),
        "hard" => Ok(HARD),
        "expert" => Ok(EXPERT),
        other => Err(RequestError::Unsupported(format!(
            "'{other}' is not a difficulty; there are easy, normal, hard and expert"
        ))),
    }
}

/// A board of a difficulty among all that there are of its size: so far from its goal, as parts of the farthest. On small
/// boards random walks come to all boards alike before long.
fn by_distance(solved: &Tiles, difficulty: &str, rng: &mut ChaCha8Rng) -> Tiles {
    let (least, most) = match difficulty {
        "easy" => (0.20, 0.36),
        "normal" => (0.45, 0.58),
        "hard" => (0.64, 0.78),
        _ => (0.83, 1.0),
    };
    let levels = levels::<Packed64>(solved, u32::MAX);
    let farthest = (levels.len() - 1) as f64;
    let depth = |part: f64| (part * farthest).round() as usize;
    let boards: Vec<_> = levels[depth(least).max(1)..=depth(most)].iter().flatten().collect();
    let board = boards.choose(rng).expect("every distance up to the farthest has boards");
    Tiles { start: tiles_of(*board, solved.start.len()), ..solved.clone() }
}

/// The one of several boards that is estimated to be the farthest from the goal: most boards of a size are about as far, and
/// long walks lead to such as well.
fn farthest(drawn: usize, solved: &Tiles, mut draw: impl FnMut() -> Tiles) -> Tiles {
    let heuristic = LinearConflict::new(solved);
    let estimate = |tiles: &Tiles| {
        let rules = Rules::<Bytes<256>>::new(tiles, Move::DEFAULT_ORDER);
        heuristic
            .memo(&rules, &rules.start())
            .map(|memo| Heuristic::<Rules<Bytes<256>>>::value(&heuristic, &memo))
    };
    (0..drawn).map(|_| draw()).max_by_key(estimate).expect("one at least is drawn")
}

/// A board some random steps from its goal.
fn near(solved: &Tiles, steps: usize, rng: &mut ChaCha8Rng) -> Tiles {
    let rules = Rules::<Bytes<256>>::new(solved, Move::DEFAULT_ORDER);
    // Walking round a block of four cells leads back after twelve steps.
    let mut starts = (steps..).map(|steps| walk(&rules, solved.start.len(), steps, rng));
    let start = starts.find(|start| *start != solved.goal).expect("one step leads elsewhere");
    Tiles { start, ..solved.clone() }
}

/// Every board that can be solved, with equal chances.
fn uniform(solved: &Tiles, rng: &mut ChaCha8Rng) -> Tiles {
    let mut tiles = solved.clone();
    if tiles.size.rows == 1 || tiles.size.cols == 1 {
        // Only the blank's place can vary.
        tiles.start.retain(|&tile| tile != 0);
        tiles.start.insert(rng.random_range(0..solved.start.len()), 0);
        return tiles;
    }
    tiles.start.shuffle(rng);
    if unreachable(&tiles).is_some() {
        // Exchanging two tiles pairs each unreachable board with a reachable one.
        let mut cells = (0..tiles.start.len()).filter(|&cell| tiles.start[cell] != 0);
        let (a, b) = (cells.next().expect("three tiles"), cells.next().expect("three tiles"));
        tiles.start.swap(a, b);
    }
    tiles
}

/// A board whose optimal solution has exactly so many moves.
fn at_distance(
    solved: &Tiles,
    moves: u32,
    rng: &mut ChaCha8Rng,
    cancel: &AtomicBool,
) -> Result<Tiles, RequestError> {
    if solved.start.len() <= COMPLETE || solved.size.rows == 1 || solved.size.cols == 1 {
        let level = level::<Packed64>(solved, moves);
        return level.choose(rng).map(|start| Tiles { start: start.clone(), ..solved.clone() }).ok_or_else(
            || {
                RequestError::Unsupported(format!(
                    "no {} board is exactly {moves} moves from its goal",
                    solved.size
                ))
            },
        );
    }
    let fifteen = solved.size == Size { rows: 4, cols: 4 };
    let found = match solved.start.len() {
        _ if fifteen && moves > DIAMETER => None,
        _ if fifteen && moves > FAR => on_an_optimal_solution(solved, moves, rng, cancel),
        0..=16 => on_a_shortest_path::<Packed64>(solved, moves, rng, cancel),
        17..=25 => on_a_shortest_path::<Packed128>(solved, moves, rng, cancel),
        _ => None,
    };
    if cancel.load(Ordering::Relaxed) {
        return Err(RequestError::Interrupted);
    }
    found.ok_or_else(|| {
        let hint = if fifteen { "; up to 66 can be had" } else { "" };
        RequestError::Unsupported(format!("found no {} board at exactly {moves} moves{hint}", solved.size))
    })
}

/// All boards at one distance from the goal.
fn level<B: Board>(solved: &Tiles, distance: u32) -> Vec<Vec<u8>> {
    let level = levels::<B>(solved, distance).into_iter().nth(distance as usize).unwrap_or_default();
    level.iter().map(|board| tiles_of(board, solved.start.len())).collect()
}

fn tiles_of<B: Board>(board: &B, cells: usize) -> Vec<u8> {
    (0..cells).map(|cell| board.tile(cell)).collect()
}

/// All boards at each distance from the goal up to the farthest that is wanted, by complete breadth-first search.
fn levels<B: Board>(solved: &Tiles, farthest: u32) -> Vec<Vec<B>> {
    let rules = Rules::<B>::new(solved, Move::DEFAULT_ORDER);
    let mut seen = FxHashSet::default();
    let mut levels = vec![vec![rules.start()]];
    let mut actions = Vec::new();
    for distance in 0..farthest as usize {
        let mut next = Vec::new();
        for board in &levels[distance] {
            actions.clear();
            rules.actions(board, &mut actions);
            seen.insert(board.clone());
            for &action in &actions {
                let mut child = board.clone();
                rules.apply(&mut child, action);
                if seen.insert(child.clone()) {
                    next.push(child);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        levels.push(next);
    }
    levels
}

/// Walks away from the goal at random, solves the board optimally, and takes
/// the board that is as many moves from the goal on that solution: every part
/// of a shortest path is a shortest path.
fn on_a_shortest_path<B: Board>(
    solved: &Tiles,
    moves: u32,
    rng: &mut ChaCha8Rng,
    cancel: &AtomicBool,
) -> Option<Tiles> {
    let rules = Rules::<B>::new(solved, Move::DEFAULT_ORDER);
    let heuristic = LinearConflict::new(solved);
    // Random walks lose more and more of their length; start short.
    let longest = LONGEST_WALK * solved.start.len();
    let mut length = longest.min(moves as usize);
    for _ in 0..CANDIDATES {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let mut tiles = solved.clone();
        tiles.start = walk(&rules, solved.start.len(), length, rng);
        let limits = Limits { nodes: Some(EFFORT), ..Limits::default() };
        let problem = Rules::<B>::new(&tiles, Move::DEFAULT_ORDER);
        let outcome =
            Search::new(&problem).heuristic(&heuristic).limits(limits).cancel(cancel).run(Algorithm::AStar);
        match outcome.expect("A* needs only a heuristic").answer {
            Answer::Solved(solution) if solution.cost >= moves => {
                let mut board = problem.start();
                for &action in &solution.path[..(solution.cost - moves) as usize] {
                    problem.apply(&mut board, action);
                }
                tiles.start = (0..tiles.start.len()).map(|cell| board.tile(cell)).collect();
                return Some(tiles);
            }
            Answer::Solved(_) => length = longest.min(length + 2 + length / 8),
            // Too far to tell.
            _ => length -= length / 10,
        }
    }
    None
}

/// Solves random boards of the 15-puzzle until one is far enough, and takes the board that is as many moves from the
/// goal on its solution.
fn on_an_optimal_solution(
    solved: &Tiles,
    moves: u32,
    rng: &mut ChaCha8Rng,
    cancel: &AtomicBool,
) -> Option<Tiles> {
    for _ in 0..FAR_CANDIDATES {
        let mut tiles = uniform(solved, rng);
        let path = optimal::shortest(&tiles, "6-6-3", cancel)?;
        let Some(surplus) = path.len().checked_sub(moves as usize) else { continue };
        let rules = Rules::<Packed64>::new(&tiles, Move::DEFAULT_ORDER);
        let mut board = rules.start();
        path[..surplus].iter().for_each(|&way| _ = rules.apply(&mut board, way));
        tiles.start = (0..tiles.start.len()).map(|cell| board.tile(cell)).collect();
        return Some(tiles);
    }
    None
}

/// Where a random walk that never steps back ends.
fn walk<B: Board>(rules: &Rules<B>, cells: usize, length: usize, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut board = rules.start();
    let mut last = None;
    let mut actions = Vec::new();
    for _ in 0..length {
        actions.clear();
        rules.actions(&board, &mut actions);
        actions.retain(|&action| last.is_none_or(|last| !rules.reverses(&action, &last)));
        let &action = actions.choose(rng).expect("a board of two rows and columns has a way on");
        rules.apply(&mut board, action);
        last = Some(action);
    }
    (0..cells).map(|cell| board.tile(cell)).collect()
}
