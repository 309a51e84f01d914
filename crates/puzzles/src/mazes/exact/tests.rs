//! The exact solver against brute force and the textbook formulation.

use std::sync::atomic::AtomicBool;

use novelo_search::{Algorithm, Answer, Control, Limits, Meter};
use proptest::prelude::*;

use crate::mazes::moves::{self, Move, Way};
use crate::mazes::tests::{gone_on, maze, mazes, walk_of};
use crate::mazes::{Maze, Walk};
use crate::method::Choice;
use crate::puzzle::{Instance as _, Size};
use crate::request::Request;

/// All solutions as moves, by trying every path of steps and looking at its
/// lengths only at the end.
fn all_solutions(maze: &Maze) -> Vec<Vec<Move>> {
    fn go(maze: &Maze, visited: &mut [bool], cell: usize, steps: &mut Vec<Way>, out: &mut Vec<Vec<Move>>) {
        if steps.len() + 1 == maze.free() {
            let mut lengths: Vec<_> = steps.chunk_by(|a, b| a == b).map(<[Way]>::len).collect();
            let before = lengths.len();
            lengths.dedup();
            if cell == maze.end && lengths.len() == before {
                out.push(moves::of_steps(steps.iter().copied()));
            }
            return;
        }
        for way in Way::ALL {
            let Some(next) = maze.next(cell, way) else { continue };
            if maze.blocked[next] || visited[next] {
                continue;
            }
            visited[next] = true;
            steps.push(way);
            go(maze, visited, next, steps, out);
            steps.pop();
            visited[next] = false;
        }
    }
    let mut visited = vec![false; maze.blocked.len()];
    visited[maze.start] = true;
    let mut out = Vec::new();
    go(maze, &mut visited, maze.start, &mut Vec::new(), &mut out);
    out
}

/// The exact solver, brute force and uniform cost agree on how many solutions
/// there are and what the cheapest costs.
fn agree(maze: &Maze) {
    let walked = maze.walked.len();
    let mut expected: Vec<Vec<String>> = all_solutions(maze)
        .into_iter()
        .filter(|moves| moves.starts_with(&maze.walked))
        .map(|moves| moves[walked..].iter().map(Move::to_string).collect())
        .collect();
    let walk = Walk(maze.clone());
    let request = Request::default();
    let mut found = walk
        .enumerate(u64::MAX, usize::MAX, &Meter::new(request.settings.limits, Control::default()))
        .unwrap();
    assert!(found.exact);
    assert_eq!(found.count, expected.len() as u64, "{}", maze.id());
    found.solutions.sort();
    expected.sort();
    assert_eq!(found.solutions, expected, "{}", maze.id());
    let cheapest = expected.iter().map(|moves| walk.check(moves).cost).min();
    let attempt = walk.solve(&request, Control::default()).unwrap();
    let solution = attempt.outcome.solution();
    assert_eq!(solution.map(|solution| (solution.cost, solution.optimal)), cheapest.map(|cost| (cost, true)));
    let uniform = Request { algorithm: Choice::from(Algorithm::Ucs), ..Request::default() };
    let attempt = walk.solve(&uniform, Control::default()).unwrap();
    assert_eq!(attempt.outcome.solution().map(|solution| solution.cost), cheapest);
}

#[test]
fn solvers_agree_on_every_board_up_to_3x4() {
    for (rows, cols) in [(1, 4), (2, 4), (3, 3), (3, 4), (4, 3)] {
        let corner = 1 << Maze::usual_start(Size { rows, cols });
        for pattern in (0..1u32 << (rows * cols)).filter(|pattern| pattern & corner == 0) {
            agree(&maze(rows, cols, |cell| pattern >> cell & 1 != 0));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn solvers_agree_on_random_boards(maze in mazes(5, 0.1)) {
        agree(&maze);
    }

    #[test]
    fn solvers_agree_on_boards_with_few_blocked(a in 0..30usize, b in 0..30usize, c in 0..30usize) {
        agree(&maze(5, 6, |cell| cell != 24 && [a, b, c].contains(&cell)));
    }

    #[test]
    fn solvers_agree_after_a_walk(maze in mazes(5, 0.05), choices in prop::collection::vec(any::<u8>(), 0..9)) {
        agree(&gone_on(maze, &choices).0);
    }
}

#[test]
fn counting_stops_where_it_is_told() {
    let walk = walk_of("5x5:5/5/5/5/5");
    let request = Request::default();
    let found = walk.enumerate(7, 3, &Meter::new(request.settings.limits, Control::default())).unwrap();
    assert_eq!((found.count, found.exact, found.stop, found.solutions.len()), (7, false, None, 3));
    let found = walk.enumerate(20, 0, &Meter::new(request.settings.limits, Control::default())).unwrap();
    assert_eq!((found.count, found.exact), (20, false));
    let found = walk.enumerate(21, 0, &Meter::new(request.settings.limits, Control::default())).unwrap();
    assert_eq!((found.count, found.exact), (20, true));
}

#[test]
fn limits_hold_in_the_exact_solver() {
    use novelo_search::Stop;
    let open =
        walk_of(&format!("20x20:{}", ["20"; 20].join("/").replacen("20", "19x", 1).replace("19x", "18x1")));
    let run = |limits: Limits, cancel: Option<&AtomicBool>| {
        let mut request = Request::default();
        request.settings.limits = limits;
        open.enumerate(u64::MAX, 0, &Meter::new(request.settings.limits, Control { cancel, progress: None }))
            .unwrap()
            .stop
    };
    assert_eq!(run(Limits { nodes: Some(50), ..Limits::default() }, None), Some(Stop::Nodes));
    assert_eq!(run(Limits { memory: Some(1 << 16), ..Limits::default() }, None), Some(Stop::Memory));
    let time = Some(std::time::Duration::from_millis(20));
    assert_eq!(run(Limits { time, ..Limits::default() }, None), Some(Stop::Time));
    assert_eq!(run(Limits::default(), Some(&AtomicBool::new(true))), Some(Stop::Interrupted));
    let mut request = Request::default();
    request.settings.limits.depth = Some(12);
    let attempt = walk_of("3x3:3/3/3").solve(&request, Control::default()).unwrap();
    assert_eq!(attempt.outcome.answer, Answer::Stopped(Stop::Depth));
}
