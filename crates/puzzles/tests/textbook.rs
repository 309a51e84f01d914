//! What is known of the algorithms that the textbooks teach after A*, on boards.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{GenerateRequest, Instance, Puzzle as _, Report, Request, sliding::Sliding};
use novelo_search::{Control, Stop};

fn solve(instance: &dyn Instance, algorithm: &str) -> Report {
    let request = Request {
        algorithm: algorithm.parse().unwrap(),
        heuristic: Some("manhattan".parse().unwrap()),
        ..Request::default()
    };
    let attempt = instance.solve(&request, Control::default()).unwrap();
    Report::new(instance, &request, attempt).expect("the verifier accepts it")
}

/// A board at an exact distance.
fn board(size: &str, moves: u32, number: u64) -> Box<dyn Instance> {
    let request = GenerateRequest { size: size.parse().ok(), seed: 22, ..GenerateRequest::default() };
    let request = request.with(&Sliding, [("moves", moves.to_string())]).unwrap();
    Sliding.generate(&request, number, &AtomicBool::new(false)).unwrap()
}

#[test]
fn rbfs_solves_a_fifteen_puzzle_of_32_moves() {
    let board = board("4x4", 32, 0);
    let report = solve(&*board, "rbfs");
    assert_eq!((report.cost, report.optimal), (Some(32), true));
    // In the memory of a path and the successors on it.
    assert!(report.stored_peak <= Some(4 * 100));
}

#[test]
fn linear_and_bounded_memory_agree_with_astar() {
    for number in 0..20 {
        let board = board("3x3", 14 + number as u32 % 5, number);
        let best = solve(&*board, "astar").cost;
        for algorithm in ["rbfs", "ibex", "cabs", "smastar:nodes=1000", "smastar:nodes=60"] {
            let report = solve(&*board, algorithm);
            assert_eq!((report.cost, report.optimal), (best, true), "{} {algorithm}", board.id());
            if algorithm == "smastar:nodes=60" {
                assert!(report.stored_peak <= Some(60));
            }
        }
    }
}

#[test]
fn smastar_says_when_its_nodes_do_not_suffice() {
    let board = board("3x3", 18, 1);
    // A path of 18 moves has 19 nodes.
    let report = solve(&*board, "smastar:nodes=18");
    assert_eq!((report.stop, report.optimal), (Some(Stop::GaveUp), false));
    assert!(report.stored_peak <= Some(18) && report.lower_bound <= Some(18));
    let report = solve(&*board, "smastar:nodes=19");
    assert_eq!((report.cost, report.optimal), (Some(18), true));
}

#[test]
fn wide_beams_find_solutions_and_incomplete_search_gives_up() {
    let board = board("4x4", 40, 2);
    let report = solve(&*board, "beam:width=20000");
    assert!(report.cost.is_some_and(|cost| cost >= 40 && cost.is_multiple_of(2)), "{:?}", report.cost);
    for algorithm in ["beam:width=1", "hillclimb:restarts=3", "anneal:steps=100", "lrtastar:steps=10"] {
        let report = solve(&*board, algorithm);
        assert_eq!(report.stop, Some(Stop::GaveUp), "{algorithm}");
    }
}

#[test]
fn walks_find_their_way_on_small_boards() {
    for number in 0..10 {
        let board = board("3x3", 12, number);
        for algorithm in ["hillclimb", "anneal", "lrtastar", "lrtastar:lookahead=3"] {
            let report = solve(&*board, algorithm);
            let cost = report.cost.unwrap_or_else(|| panic!("{} {algorithm}", board.id()));
            assert!(cost >= 12 && cost.is_multiple_of(2), "{} {algorithm}: {cost}", board.id());
        }
    }
}
