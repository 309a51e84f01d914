//! Searches over several workers on all puzzles: the costs and the proofs of one.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use novelo_puzzles::{Ending, GenerateRequest, Instance, PUZZLES, Report, Request, Size};
use novelo_search::parallel::Parallel;
use novelo_search::{Algorithm, Answer, Control, Limits, Meter, Settings};

/// Boards over all puzzles.
const BOARDS: usize = 200;
/// Expansions within which one thread must be done for a board to be taken.
const NODES: u64 = 20_000;

fn report(instance: &dyn Instance, algorithm: Algorithm, threads: usize, nodes: Option<u64>) -> Report {
    let limits = Limits { nodes, ..Limits::default() };
    let request = Request {
        algorithm: algorithm.into(),
        settings: Settings { limits, ..Settings::default() },
        threads: Some(threads),
        ..Request::default()
    };
    let attempt = instance.solve(&request, Control::default()).expect("it can be run");
    Report::new(instance, &request, attempt).expect("the verifier accepts it")
}

/// Generated boards of a puzzle that A* can do on one thread, with their reports.
fn boards() -> Vec<(Box<dyn Instance>, Report)> {
    let sizes =
        [(1, 1), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5)].map(|(rows, cols)| Size { rows, cols });
    let sizes: Vec<_> = sizes.into_iter().chain([5, 8, 12].map(Size::line)).collect();
    let mut boards = Vec::new();
    for puzzle in PUZZLES {
        let wanted = boards.len() + BOARDS.div_ceil(PUZZLES.len());
        for number in 0..1000 {
            let size = Some(sizes[number % sizes.len()]);
            let request = GenerateRequest { size, seed: 23, ..GenerateRequest::default() };
            let made = puzzle.generate(&request, number as u64, &AtomicBool::new(false));
            // Some puzzles have no boards of some sizes.
            let Ok(instance) = made else { continue };
            let alone = report(&*instance, Algorithm::AStar, 1, Some(NODES));
            if alone.outcome != Ending::Stopped {
                boards.push((instance, alone));
            }
            if boards.len() == wanted {
                break;
            }
        }
        assert_eq!(boards.len(), wanted, "{} has so many boards", puzzle.info().name);
    }
    boards
}

#[test]
fn two_hundred_boards_cost_the_same_on_any_number_of_workers() {
    let boards = boards();
    assert!(boards.len() >= BOARDS);
    for (instance, alone) in &boards {
        let id = instance.id();
        for threads in [2, 3, 8] {
            let report = report(&**instance, Algorithm::AStar, threads, None);
            let fact = |report: &Report| (report.outcome, report.cost, report.optimal, report.lower_bound);
            assert_eq!(fact(&report), fact(alone), "{id} astar on {threads}");
            assert_eq!(report.workers.map_or(threads, |workers| workers.count), threads);
        }
        // One worker, which a request would not ask for.
        let meter = Meter::new(Limits::default(), Control::default());
        let one = |formulation: &novelo_puzzles::Formulation<'_>| {
            let (outcome, _) = Parallel::new(formulation, &formulation.heuristic()).run(1, &meter);
            match outcome.answer {
                Answer::Solved(solution) => {
                    assert_eq!((Some(solution.cost), solution.optimal), (alone.cost, alone.optimal), "{id}");
                }
                Answer::Unsolvable => assert_eq!(alone.outcome, Ending::Unsolvable, "{id}"),
                Answer::Stopped(stop) => panic!("{id}: stopped by {stop}"),
            }
        };
        let request = Request { algorithm: Algorithm::AStar.into(), ..Request::default() };
        let lent = instance.explore(&request, &meter, &mut { one }).expect("it can be lent");
        assert_eq!(lent, ControlFlow::Continue(()));
    }
}

#[test]
fn blind_searches_agree_too() {
    for (instance, _) in boards().iter().step_by(4) {
        for algorithm in [Algorithm::Ucs, Algorithm::Bfs] {
            let alone = report(&**instance, algorithm, 1, Some(2 * NODES));
            if alone.outcome == Ending::Stopped {
                continue;
            }
            for threads in [2, 3] {
                let report = report(&**instance, algorithm, threads, None);
                let id = instance.id();
                assert_eq!(
                    (report.outcome, report.optimal),
                    (alone.outcome, alone.optimal),
                    "{id} {algorithm}"
                );
                // The shallowest solutions may differ in cost, where they are not the cheapest.
                if algorithm == Algorithm::Ucs || alone.optimal {
                    assert_eq!(report.cost, alone.cost, "{id} {algorithm}");
                }
                assert!(algorithm == Algorithm::Ucs || report.depth == alone.depth, "{id} {algorithm}");
            }
        }
    }
}
