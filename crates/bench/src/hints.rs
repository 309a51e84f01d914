//! How long a player waits for a hint, on boards of the usual sizes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use novelo_puzzles::session::Session;
use novelo_puzzles::{GenerateRequest, Request, puzzle};

/// Boards of each kind, and positions of each board.
const BOARDS: u64 = 10;
const POSITIONS: usize = 5;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Prints the first hint of each kind, which may have tables to make, and the mean and the longest of the others. They
/// are asked for in positions that no hint has led to: after moves by chance, most of which are mistakes.
pub fn table() {
    println!(
        "{:8} {:5} {:7} {:>9} {:>10} {:>9} {:>12}",
        "puzzle", "size", "level", "first, ms", "then, mean", "at most", "positions"
    );
    for (name, size, moves) in
        [("sliding", "4x4", 12), ("numbrix", "9x9", 4), ("mazes", "8x8", 6), ("boxes", "5x5", 4)]
    {
        for level in ["normal", "hard"] {
            let times = times(name, size, level, moves);
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            let (first, then) = times.split_first().expect("there are boards");
            let mean = ms(then.iter().sum()) / then.len() as f64;
            let most = ms(then.iter().copied().max().unwrap_or_default());
            let positions = then.len();
            println!("{name:8} {size:5} {level:7} {:9.1} {mean:10.1} {most:9.1} {positions:12}", ms(*first));
        }
    }
}

fn times(name: &str, size: &str, level: &str, moves: usize) -> Vec<Duration> {
    let request = GenerateRequest {
        size: Some(size.parse().expect("a size")),
        seed: 1,
        difficulty: Some(level.into()),
        ..GenerateRequest::default()
    };
    let puzzle = puzzle(name).expect("a puzzle of the registry");
    let mut times = Vec::new();
    for number in 0..BOARDS {
        let board = puzzle.generate(&request, number, &NEVER).expect("the generator can do this");
        let mut session = Session::new(Arc::from(board));
        for position in 0..POSITIONS {
            let start = Instant::now();
            session.hint(&Request::default(), &NEVER);
            times.push(start.elapsed());
            wander(&mut session, (0..moves).map(|step| 7 * step + 13 * position + number as usize));
        }
    }
    times
}

/// Plays a move for each number; what the game refuses is left out.
fn wander(session: &mut Session, picks: impl Iterator<Item = usize>) {
    for pick in picks {
        let moves = session.snapshot().view.map(|view| view.tries()).unwrap_or_default();
        if let Some(made) = moves.get(pick * 31 % moves.len().max(1)) {
            let _ = session.play(made);
        }
    }
}
