use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proptest::prelude::*;

use novelo_search::{Control, Limits};

use super::*;
use crate::boxes::tests::boards;
use crate::boxes::verify;
use crate::puzzle::Size;

/// The fewest arcs, by trying every set of boxes.
fn by_brute_force(board: &Board) -> u32 {
    let cols = board.size.cols;
    let sets = (0..1u32 << board.boxes()).filter(|set| set.count_ones() as usize == board.goal);
    let cost = |set: u32| {
        let mut drawn = board.clone();
        for cell in (0..board.boxes()).filter(|cell| set >> cell & 1 == 1) {
            let (r, c) = (cell / cols, cell % cols);
            drawn.horizontal[r][c] = true;
            drawn.horizontal[r + 1][c] = true;
            drawn.vertical[r][c] = true;
            drawn.vertical[r][c + 1] = true;
        }
        (drawn.arcs().filter(|&arc| arc).count() - board.arcs().filter(|&arc| arc).count()) as u32
    };
    sets.map(cost).min().expect("the goal is within the board")
}

/// What the solver comes to without limits.
fn unlimited(board: &Board) -> Outcome<Arc> {
    solve(board, &Meter::new(Limits::default(), Control::default()))
}

/// The optimum by one method alone, without any help from the bounds.
fn by_method(board: &Board, profiles: bool) -> u32 {
    let grid = Grid::new(board);
    let left = board.goal.saturating_sub(board.closed());
    let mut relaxation = Relaxation::new(grid.size());
    grid.load(&mut relaxation);
    let mut gap = Gap { lower: 0, upper: u32::MAX, best: grid.none() };
    let meter = Meter::new(Limits::default(), Control::default());
    let mut counter = meter.counter();
    if left == 0 {
        return 0;
    }
    let (low, high) = relaxation.solve(left as i32).unwrap();
    if profiles {
        // Any price keeps the method exact; where the relaxation has none to
        // offer, a box is worth two arcs.
        let (arcs, boxes) = (high.cost - low.cost, high.boxes - low.boxes);
        let price =
            if boxes > 0 { profile::Price { arcs, boxes } } else { profile::Price { arcs: 2, boxes: 1 } };
        profile::solve(&grid, left, price, &mut gap, &mut counter).unwrap();
    } else {
        assert!(branch::solve(&grid, left, &mut relaxation, None, &mut gap, &mut counter).unwrap());
    }
    assert_eq!(grid.cost(&gap.best), gap.upper);
    assert_eq!(gap.best.iter().filter(|&&inside| inside).count(), left);
    assert_eq!(grid.arcs(&gap.best).len() as u32, gap.upper);
    gap.upper
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_method_agrees_with_brute_force(mut board in boards(3)) {
        board.goal = board.goal.min(board.boxes());
        let optimum = if board.closed() >= board.goal { 0 } else { by_brute_force(&board) };
        prop_assert_eq!(by_method(&board, true), optimum);
        prop_assert_eq!(by_method(&board, false), optimum);
        let exact = unlimited(&board);
        let solution = exact.solution().unwrap();
        prop_assert_eq!((solution.cost, solution.optimal), (optimum, true));
        let moves: Vec<_> = solution.path.iter().map(|arc| arc.written(board.size.cols)).collect();
        prop_assert!(verify::check(&board, &moves).is_solution());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn methods_agree_on_larger_boards(mut board in boards(6)) {
        board.goal = board.goal.min(board.boxes());
        let optimum = by_method(&board, true);
        prop_assert_eq!(by_method(&board, false), optimum);
        prop_assert_eq!(unlimited(&board).lower_bound, Some(optimum));
    }
}

#[test]
fn on_an_empty_board_the_optimum_is_that_of_the_most_compact_shape() {
    for (rows, cols) in [(1, 7), (3, 5), (6, 6), (4, 9), (12, 12), (30, 30)] {
        let size = Size { rows, cols };
        for goal in (0..=rows * cols).step_by(1 + rows * cols / 40) {
            let exact = unlimited(&Board::empty(size, goal));
            let solution = exact.solution().unwrap();
            assert_eq!(solution.cost as usize, fewest_arcs(size, goal).unwrap(), "{size} goal {goal}");
        }
    }
    let size = Size { rows: 5, cols: 5 };
    for goal in 1..=25 {
        assert_eq!(by_method(&Board::empty(size, goal), true) as usize, fewest_arcs(size, goal).unwrap());
    }
}

/// A nearly empty board, on which no bound is tight.
fn loose(side: usize) -> Board {
    let mut board = Board::empty(Size { rows: side, cols: side }, side * side / 3);
    let mut random = 7u64;
    for arc in board.arcs_mut() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *arc = (random >> 33) % 100 < 4;
    }
    board
}

#[test]
fn limits_and_cancellation_end_it() {
    for side in [16, 30] {
        let board = loose(side);
        let ends = |limits: Limits, control: Control<'_>| {
            let outcome = solve(&board, &Meter::new(limits, control));
            assert!(outcome.lower_bound.is_some());
            outcome.answer
        };
        let nodes = Limits { nodes: Some(20), ..Limits::default() };
        assert_eq!(ends(nodes, Control::default()), Answer::Stopped(Stop::Nodes));
        let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(ends(time, Control::default()), Answer::Stopped(Stop::Time));
        let flag = AtomicBool::new(true);
        let cancelled = Control { cancel: Some(&flag), progress: None };
        assert_eq!(ends(Limits::default(), cancelled), Answer::Stopped(Stop::Interrupted));
    }
    // Enough for the tables of this board, and for nothing at all.
    let board = loose(14);
    let tables = 2 * profile::tables(Size { rows: 14, cols: 14 }) + 4096;
    let within = |memory| {
        solve(&board, &Meter::new(Limits { memory: Some(memory), ..Limits::default() }, Control::default()))
    };
    assert!(within(tables).stats.peak_bytes <= tables * 5 / 4);
    let outcome = within(4096);
    assert_eq!(outcome.answer, Answer::Stopped(Stop::Memory));
    assert!(outcome.lower_bound.is_some());
    let depth = Limits { depth: Some(3), ..Limits::default() };
    let board = Board::empty(Size { rows: 2, cols: 2 }, 1);
    assert_eq!(solve(&board, &Meter::new(depth, Control::default())).answer, Answer::Stopped(Stop::Depth));
}
