//! The exact solver against the textbook formulation and against itself.

use novelo_search::{Control, Limits, Meter, Problem};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::instance::Board;
use super::super::rules::{DEFAULT_ORDER, Rules, State};
use super::super::{impossible, path};
use super::*;
use crate::puzzle::Size;

/// Some numbers of a random solution, sometimes with two exchanged.
fn random_board(size: Size, rng: &mut ChaCha8Rng) -> Board {
    let path = path::random(size, rng);
    let share = rng.random_range(0.0..0.5);
    let mut board = Board::empty(size);
    for (i, &cell) in path.iter().enumerate() {
        if rng.random_bool(share) {
            board.cells[cell as usize] = i as u16 + 1;
        }
    }
    if rng.random_bool(0.3) {
        let (a, b) = (rng.random_range(0..path.len()), rng.random_range(0..path.len()));
        board.cells.swap(a, b);
    }
    board
}

/// All solutions by the textbook rules.
fn brute_force(rules: &Rules<1>, state: &mut State<1>, found: &mut Vec<Vec<u16>>) {
    if rules.is_goal(state) {
        found.push(rules.values(state));
        return;
    }
    let mut actions = Vec::new();
    rules.actions(state, &mut actions);
    for action in actions {
        let (_, undo) = rules.apply(state, action);
        brute_force(rules, state, found);
        rules.undo(state, action, undo);
    }
}

fn all(board: &Board) -> Vec<Vec<u16>> {
    let meter = Meter::new(Limits::default(), Control::default());
    let mut found = Vec::new();
    let complete = enumerate(board, SatLimits::new(&meter), &mut meter.counter(), |cells| {
        found.push(cells);
        true
    });
    assert_eq!(complete, Ok(true));
    found.sort();
    found
}

#[test]
fn propagation_and_the_rules_find_the_same_solutions() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..3000 {
        let size = Size { rows: rng.random_range(1..=5), cols: rng.random_range(1..=5) };
        let board = random_board(size, &mut rng);
        let rules = Rules::<1>::new(&board, DEFAULT_ORDER);
        let mut expected = Vec::new();
        brute_force(&rules, &mut rules.start(), &mut expected);
        expected.sort();
        assert_eq!(all(&board), expected, "{}", board.id());
        assert!(expected.is_empty() || impossible(&board).is_none(), "{}", board.id());
        let meter = Meter::new(Limits::default(), Control::default());
        let solution = solve(&board, SatLimits::new(&meter), &mut meter.counter()).unwrap();
        assert_eq!(solution.is_some(), !expected.is_empty(), "{}", board.id());
        assert!(solution.is_none_or(|cells| expected.contains(&cells)), "{}", board.id());
    }
}

#[test]
fn propagation_never_loses_the_solution() {
    // Forbidding a number's cell leaves a solution exactly when there is one
    // with the number elsewhere.
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..400 {
        let size = Size { rows: rng.random_range(2..=5), cols: rng.random_range(2..=5) };
        let board = random_board(size, &mut rng);
        let solutions = all(&board);
        let Some(first) = solutions.first() else { continue };
        let cell = rng.random_range(0..board.last());
        if board.cells[cell] != 0 {
            continue;
        }
        let meter = Meter::new(Limits::default(), Control::default());
        let pair = (first[cell] as usize, cell);
        let other =
            solvable_without(&board, pair, Effort::Certain(3), SatLimits::new(&meter), &mut meter.counter());
        let expected = solutions.iter().any(|cells| cells[cell] != first[cell]);
        assert_eq!(other, Ok(Some(expected)), "{}", board.id());
    }
}

#[test]
fn wide_and_long_boards() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for (rows, cols) in [(1, 64), (64, 1), (2, 64), (3, 63), (64, 2), (12, 30)] {
        let size = Size { rows, cols };
        let path = path::random(size, &mut rng);
        let mut board = Board::empty(size);
        for (i, &cell) in path.iter().enumerate() {
            if i % 3 == 0 || rng.random_bool(0.3) {
                board.cells[cell as usize] = i as u16 + 1;
            }
        }
        let meter = Meter::new(Limits::default(), Control::default());
        let cells = solve(&board, SatLimits::new(&meter), &mut meter.counter())
            .unwrap()
            .expect("there is a solution");
        let full = Board { size, cells };
        assert!(super::super::verify::check(&full, &[]).is_solution());
        assert!((0..board.last()).all(|cell| [0, full.cells[cell]].contains(&board.cells[cell])));
    }
}

/// The SAT solver alone.
#[cfg(feature = "sat")]
mod sat {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;

    /// All solutions by the SAT solver alone.
    fn all_by_sat(board: &Board) -> Vec<Vec<u16>> {
        let tree = Tree::new(Domains::new(board), 1);
        let mut found = Vec::new();
        if tree.is_impossible() {
            return found;
        }
        let meter = Meter::new(Limits::default(), Control::default());
        let mut sat = Sat::new(tree.domains(), SatLimits::new(&meter));
        loop {
            match sat.solve(1_000_000) {
                Answer::Solution(cells) => {
                    sat.exclude(&cells);
                    found.push(cells);
                }
                answer => {
                    assert_eq!(answer, Answer::None);
                    found.sort();
                    return found;
                }
            }
        }
    }

    #[test]
    fn sat_finds_the_solutions_that_propagation_finds() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        for _ in 0..300 {
            let size = Size { rows: rng.random_range(1..=5), cols: rng.random_range(1..=5) };
            let board = random_board(size, &mut rng);
            let expected = all(&board);
            if expected.len() < 100 {
                assert_eq!(all_by_sat(&board), expected, "{}", board.id());
            }
        }
    }

    #[test]
    fn the_sat_solver_can_be_ended() {
        // A board without clues is far from being refuted or solved at once.
        let board = Board::empty(Size { rows: 12, cols: 12 });
        let tree = Tree::new(Domains::new(&board), 1);
        let cancel = AtomicBool::new(true);
        let meter = Meter::new(Limits::default(), Control::cancelled_by(&cancel));
        let mut sat = Sat::new(tree.domains(), SatLimits::new(&meter));
        assert_eq!(sat.solve(i32::MAX), Answer::Unknown);
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let meter = Meter::new(limits, Control::default());
        let mut sat = Sat::new(tree.domains(), SatLimits::new(&meter));
        assert_eq!(sat.solve(i32::MAX), Answer::Unknown);
        let meter = Meter::new(Limits { memory: Some(1000), ..Limits::default() }, Control::default());
        assert_eq!(slice(&mut sat, &mut meter.counter()), Err(Stop::Memory));
    }
}
