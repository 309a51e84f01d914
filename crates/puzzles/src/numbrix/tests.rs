//! Facts about the formulation, checked against brute force.

use novelo_search::{Control, Heuristic, Limits, Problem};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::heuristics::{Openness, Remaining};
use super::*;
use crate::puzzle::Size;

/// Every path through all cells of a grid, as cells in order.
fn all_paths(rows: usize, cols: usize) -> Vec<Vec<usize>> {
    fn extend(path: &mut Vec<usize>, rows: usize, cols: usize, found: &mut Vec<Vec<usize>>) {
        if path.len() == rows * cols {
            found.push(path.clone());
            return;
        }
        for cell in 0..rows * cols {
            let near = path.last().is_none_or(|&last| {
                (last / cols).abs_diff(cell / cols) + (last % cols).abs_diff(cell % cols) == 1
            });
            if near && !path.contains(&cell) {
                path.push(cell);
                extend(path, rows, cols, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(&mut Vec::new(), rows, cols, &mut found);
    found
}

/// A board on which some numbers of a path are given.
fn board(path: &[usize], rows: usize, cols: usize, given: impl Fn(usize) -> bool) -> Board {
    let mut board = Board::empty(Size { rows, cols });
    (0..path.len()).filter(|&i| given(i)).for_each(|i| board.cells[path[i]] = i as u16 + 1);
    board
}

/// How many boards the rules fill, by trying everything.
fn count(rules: &Rules<1>, state: &mut State<1>) -> usize {
    if rules.is_goal(state) {
        return 1;
    }
    let mut actions = Vec::new();
    rules.actions(state, &mut actions);
    let mut total = 0;
    for action in actions {
        let (_, undo) = rules.apply(state, action);
        total += count(rules, state);
        rules.undo(state, action, undo);
    }
    total
}

#[test]
fn paths_of_empty_boards() {
    // Directed Hamiltonian paths of square grids: OEIS A096969.
    for (side, paths) in [(1, 1), (2, 8), (3, 40), (4, 552), (5, 8648)] {
        let rules = Rules::<1>::new(&Board::empty(Size { rows: side, cols: side }), DEFAULT_ORDER);
        assert_eq!(count(&rules, &mut rules.start()), paths);
    }
}

#[test]
fn solutions_agree_with_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (rows, cols) in [(1, 5), (2, 4), (3, 3), (3, 4), (4, 4)] {
        let paths = all_paths(rows, cols);
        for _ in 0..300 {
            let path = &paths[rng.random_range(0..paths.len())];
            let share = rng.random_range(0.0..0.6);
            let given: Vec<bool> = path.iter().map(|_| rng.random_bool(share)).collect();
            let mut board = board(path, rows, cols, |i| given[i]);
            if rng.random_bool(0.3) {
                let other = rng.random_range(0..path.len());
                board.cells.swap(path[0], path[other]);
            }
            let fits = |path: &&Vec<usize>| {
                let right = |(i, &cell): (usize, &usize)| [0, i as u16 + 1].contains(&board.cells[cell]);
                path.iter().enumerate().all(right)
            };
            let solutions = paths.iter().filter(fits).count();
            let rules = Rules::<1>::new(&board, DEFAULT_ORDER);
            assert_eq!(count(&rules, &mut rules.start()), solutions, "{}", board.id());
            assert!(solutions == 0 || impossible(&board).is_none(), "{}", board.id());
        }
    }
}

/// Follows one solution from the start and sees to it that no test rejects any
/// state on the way.
fn follow(rules: &Rules<1>, path: &[usize], tests: &[DeadEnds]) {
    let mut state = rules.start();
    loop {
        for test in tests {
            assert!(!test.reject(rules, &state), "{} {:?}", rules.board().id(), rules.values(&state));
        }
        if rules.is_goal(&state) {
            break;
        }
        let value = state.next();
        let write = Write { cell: path[value - 1] as u16, value: value as u16 };
        rules.apply(&mut state, write);
    }
    assert!(path.iter().enumerate().all(|(i, &cell)| rules.values(&state)[cell] == i as u16 + 1));
}

#[test]
fn no_state_that_can_be_solved_is_a_dead_end() {
    // A state that can be solved lies on the way to a solution, so following
    // every solution of every board visits all of them.
    let tests: Vec<_> = ["1", "2", "3", "4", "all"].iter().map(|t| DeadEnds::parse(t).unwrap()).collect();
    for (rows, cols) in [(1, 1), (1, 4), (2, 2), (2, 3), (2, 4), (3, 3)] {
        for path in all_paths(rows, cols) {
            for clues in 0..1 << (rows * cols) {
                let board = board(&path, rows, cols, |i| clues >> i & 1 == 1);
                follow(&Rules::new(&board, DEFAULT_ORDER), &path, &tests);
            }
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (rows, cols) in [(3, 4), (2, 6)] {
        for path in all_paths(rows, cols) {
            for sparse in [0, 1, 2].repeat(40) {
                // Each further mask halves the share of clues.
                let mut clues: u32 = rng.random();
                (0..sparse).for_each(|_| clues &= rng.random::<u32>());
                let board = board(&path, rows, cols, |i| clues >> i & 1 == 1);
                follow(&Rules::new(&board, DEFAULT_ORDER), &path, &tests[4..]);
            }
        }
    }
}

/// The path as the eight symmetries of a square show it.
fn images(path: &[usize], side: usize) -> [Vec<usize>; 8] {
    std::array::from_fn(|symmetry| {
        let image = |&cell: &usize| {
            let (mut row, mut col) = (cell / side, cell % side);
            if symmetry & 1 != 0 {
                row = side - 1 - row;
            }
            if symmetry & 2 != 0 {
                col = side - 1 - col;
            }
            if symmetry & 4 != 0 {
                (row, col) = (col, row);
            }
            row * side + col
        };
        path.iter().map(image).collect()
    })
}

#[test]
fn no_4x4_board_that_can_be_solved_is_a_dead_end() {
    // Every state is the start of the board that shows the same numbers.
    let all = DeadEnds::parse("all").unwrap();
    let paths = all_paths(4, 4);
    let different = paths.iter().filter(|path| images(path, 4).iter().all(|image| *path <= image));
    let mut boards = 0;
    for path in different {
        for clues in 0..1 << 16 {
            let rules = Rules::<1>::new(&board(path, 4, 4, |i| clues >> i & 1 == 1), DEFAULT_ORDER);
            assert!(!all.reject(&rules, &rules.start()), "{}", rules.board().id());
            boards += 1;
        }
    }
    assert_eq!(boards, (552 / 8) << 16);
}

#[test]
fn dead_ends_are_recognised() {
    let rejected = |id: &str, test: &str| {
        let rules = Rules::<1>::new(&Board::parse_id(id).unwrap(), DEFAULT_ORDER);
        DeadEnds::parse(test).unwrap().reject(&rules, &rules.start())
    };
    // The middle column is full: 2 can be beside 1 or beside 3, not both.
    assert!(rejected("3x3:1_5b6b7_3", "1"));
    assert!(!rejected("3x3:1_5b6b7_3", "3"));
    assert!(rejected("3x3:1g3", "2"));
    assert!(rejected("1x5:a3_2b", "3"));
    // 5, 6 and 7 are all beside 4 or each other, so none is in the corner.
    assert!(rejected("3x3:1_2a4_3_8b9", "4"));
    assert!(!rejected("3x3:1c5_4b9", "all"));
}

fn given_boards() -> impl Strategy<Value = (Board, Vec<u8>)> {
    (1..=9usize, 1..=9usize, any::<u64>(), 0.0..0.5f64, prop::collection::vec(any::<u8>(), 0..90)).prop_map(
        |(rows, cols, seed, share, choices)| {
            let size = Size { rows, cols };
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let path = path::random(size, &mut rng);
            let mut board = Board::empty(size);
            for (i, &cell) in path.iter().enumerate() {
                if rng.random_bool(share) {
                    board.cells[cell as usize] = i as u16 + 1;
                }
            }
            (board, choices)
        },
    )
}

/// Walks at random: undoing is the inverse of applying, the board can be read
/// off the state, and the estimates are what their definition says.
fn walk<const F: usize>(board: &Board, choices: &[u8]) {
    let rules = Rules::<F>::new(board, DEFAULT_ORDER);
    let (openness, remaining) = (Openness::new(1.4, DeadEnds::NONE), Remaining::new(DeadEnds::NONE));
    let mut state = rules.start();
    let mut values = board.cells.clone();
    let mut actions = Vec::new();
    for &choice in choices {
        assert_eq!(rules.values(&state), values);
        let free = |cell: usize| values[cell] == 0;
        let near = |a: usize| (0..values.len()).filter(move |&b| board.distance(a, b) == 1);
        let taken = |cell: usize| 4.0 - near(cell).filter(|&other| free(other)).count() as f64;
        let sum: f64 = (0..values.len()).filter(|&cell| free(cell)).map(|cell| taken(cell).powf(1.4)).sum();
        let memo = openness.memo(&rules, &state).unwrap();
        let value = Heuristic::<Rules<F>>::value(&openness, &memo);
        assert!((value.get() - sum).abs() < 1e-9);
        let left = values.iter().filter(|&&value| value == 0).count();
        assert_eq!(remaining.memo(&rules, &state), Some(left as u32));

        actions.clear();
        rules.actions(&state, &mut actions);
        for &action in &actions {
            let mut other = state;
            let (cost, undo) = rules.apply(&mut other, action);
            assert_eq!(cost, 1);
            rules.undo(&mut other, action, undo);
            assert_eq!(other, state);
        }
        if actions.is_empty() {
            break;
        }
        let action = actions[choice as usize % actions.len()];
        rules.apply(&mut state, action);
        values[action.cell as usize] = action.value;
    }
}

proptest! {
    #[test]
    fn random_walks((board, choices) in given_boards()) {
        walk::<2>(&board, &choices);
        walk::<4>(&board, &choices);
    }
}

#[test]
fn parameters_of_heuristics() {
    let board = Clues(Board::parse_id("2x2:1c").unwrap());
    let parse = |text: &str| {
        let request = Request { heuristic: Some(text.parse().unwrap()), ..Request::default() };
        let meter = Meter::new(Limits::default(), Control::default());
        board.explore(&request, &meter, &mut |_| ()).map_err(|error| error.to_string())
    };
    for right in [
        "openness",
        "openness:alpha=2",
        "openness:alpha=1.4,prune=1,2",
        "openness:prune=none",
        "remaining:prune=4",
    ] {
        assert_eq!(parse(right), Ok(ControlFlow::Continue(())), "{right}");
    }
    assert_eq!(parse("openness:alpha=x").unwrap_err(), "openness: alpha is a number from 0 to 20, not 'x'");
    assert_eq!(
        parse("openness:prune=5").unwrap_err(),
        "openness: '5' is no dead-end test; prune takes none, all, or some of 1,2,3,4"
    );
    assert_eq!(parse("remaining:alpha=2").unwrap_err(), "remaining has no parameter 'alpha'; it has prune");
    assert!(parse("zero:alpha=2").is_err());
    assert!(parse("manhattan").is_err());
}
