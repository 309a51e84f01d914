//! Every algorithm on every puzzle with every heuristic it can use, over small
//! generated instances: solutions are replayed, proofs agree, and what ends
//! without an answer says why.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{
    Choice, Ending, GenerateRequest, HeuristicInfo, Instance, Method, PUZZLES, Puzzle, Report, Request,
    RequestError, Size,
};
use novelo_search::algorithms::Needs;
use novelo_search::parameter::Spec;
use novelo_search::{Algorithm, CannotRun, Control, Stop};

/// Expansions after which a run is ended.
const NODES: u64 = 30_000;
/// The depth limit of the algorithms that need one, beyond any solution here.
const DEPTH: u32 = 100;

/// Sizes small enough for every algorithm to come somewhere.
const SIZES: [Size; 5] = [
    Size::line(5),
    Size { rows: 1, cols: 1 },
    Size { rows: 2, cols: 2 },
    Size { rows: 2, cols: 3 },
    Size { rows: 3, cols: 3 },
];

fn instances(puzzle: &dyn Puzzle) -> Vec<Box<dyn Instance>> {
    let mut instances = Vec::new();
    for size in SIZES {
        let request = GenerateRequest { size: Some(size), seed: 11, ..GenerateRequest::default() };
        for number in 0..3 {
            // Some puzzles have no boards of some sizes.
            instances.extend(puzzle.generate(&request, number, &AtomicBool::new(false)).ok());
        }
    }
    assert!(!instances.is_empty(), "{} generates small boards", puzzle.info().name);
    instances
}

/// Runs one combination; `None` if the engine says that it cannot be run.
fn run(instance: &dyn Instance, choice: Choice, heuristic: Option<&HeuristicInfo>) -> Option<Report> {
    let mut request = Request {
        algorithm: choice,
        heuristic: heuristic.map(|info| Spec::plain(info.name)),
        ..Request::default()
    };
    request.settings.limits.nodes = Some(NODES);
    if choice.info().needs == Needs::DepthLimit {
        request.settings.limits.depth = Some(DEPTH);
    }
    match instance.solve(&request, Control::default()) {
        Ok(attempt) => {
            let report = Report::new(instance, &request, attempt);
            Some(report.unwrap_or_else(|verdict| panic!("{}: {choice}: {verdict:?}", instance.id())))
        }
        Err(RequestError::CannotRun(CannotRun::NeedsReversible(algorithm))) => {
            assert!(algorithm.info().needs.reversible());
            None
        }
        Err(RequestError::CannotRun(CannotRun::NeedsTowardStart(algorithm))) => {
            assert_eq!(algorithm.info().needs, Needs::HeuristicBothWays);
            None
        }
        // A heuristic that must be told what to use, such as a pattern database.
        Err(RequestError::Parameter { .. }) => None,
        Err(error) => panic!("{}: {choice}: {error}", instance.id()),
    }
}

#[test]
fn every_algorithm_runs_on_every_puzzle_with_every_heuristic() {
    for puzzle in PUZZLES {
        let name = puzzle.info().name;
        let mut runs = 0;
        let mut answered = 0;
        for instance in instances(*puzzle) {
            let id = instance.id();
            let mut reports = vec![(String::from("auto"), None, run(&*instance, Choice::Auto, None))];
            for &method in puzzle.methods() {
                let choice = Choice::Method(Method::Dedicated(method));
                reports.push((choice.to_string(), None, run(&*instance, choice, None)));
            }
            for algorithm in Algorithm::all() {
                let choice = Choice::from(algorithm);
                if algorithm.info().needs.heuristic() {
                    for info in puzzle.heuristics() {
                        let label = format!("{algorithm} {}", info.name);
                        reports.push((label, Some(info), run(&*instance, choice, Some(info))));
                    }
                } else {
                    reports.push((algorithm.to_string(), None, run(&*instance, choice, None)));
                }
            }
            let mut optimum = None;
            for (label, info, report) in &reports {
                let Some(report) = report else { continue };
                runs += 1;
                match report.outcome {
                    Ending::Solved => {
                        answered += 1;
                        // Some keep what they have when a limit ends the search for a better one, or for a proof.
                        assert!(report.stop.is_none() || !report.optimal, "{id} {label}");
                        let cost = report.cost.expect("a solution has a cost");
                        if report.optimal {
                            assert_eq!(*optimum.get_or_insert(cost), cost, "{id} {label}");
                            assert_eq!(report.lower_bound, Some(cost), "{id} {label}");
                        }
                        // The bound that proves a solution optimal can come from
                        // nowhere but an admissible heuristic; a cost of zero
                        // needs no proof.
                        let proves = info.is_none_or(|info| info.promise.admissible);
                        assert!(proves || !report.optimal || cost == 0, "{id} {label}");
                    }
                    Ending::Stopped => {
                        let stop = report.stop.expect("what stopped it is said");
                        let gave_up = stop == Stop::GaveUp && report.method.info().complete.starts_with("no");
                        let limits = [Stop::Nodes, Stop::Depth];
                        assert!(limits.contains(&stop) || gave_up, "{id} {label}: {stop}");
                        assert!(stop != Stop::Nodes || report.expanded <= Some(NODES), "{id} {label}");
                        assert!(report.cost.is_none() && report.moves.is_none(), "{id} {label}");
                    }
                    Ending::Unsolvable => {
                        panic!("{id} {label}: unsolvable, but it was made to have a solution")
                    }
                }
            }
            for (label, _, report) in &reports {
                let Some(report) = report else { continue };
                if let (Some(cost), Some(optimum)) = (report.cost, optimum) {
                    assert!(cost >= optimum, "{id} {label}: {cost} is below the optimum {optimum}");
                }
                if let (Some(bound), Some(optimum)) = (report.lower_bound, optimum) {
                    assert!(bound <= optimum, "{id} {label}: bound {bound}, optimum {optimum}");
                }
            }
        }
        println!("{name}: {runs} runs, {answered} solved");
        assert!(2 * answered > runs, "{name}: most runs end with a solution");
    }
}

#[test]
fn a_tiny_node_limit_is_what_ends_a_run() {
    for puzzle in PUZZLES {
        for instance in instances(*puzzle) {
            for algorithm in Algorithm::all().filter(|algorithm| !algorithm.info().needs.reversible()) {
                let mut request = Request { algorithm: Choice::from(algorithm), ..Request::default() };
                request.settings.limits.nodes = Some(1);
                request.settings.limits.depth = Some(DEPTH);
                let attempt = instance.solve(&request, Control::default()).unwrap();
                let report = Report::new(&*instance, &request, attempt).unwrap();
                let within = report.outcome == Ending::Solved || report.stop == Some(Stop::Nodes);
                assert!(within, "{} {algorithm}: {} {:?}", instance.id(), report.outcome, report.stop);
                assert!(report.expanded <= Some(1));
            }
        }
    }
}

/// Beyond 25 cells `auto` promises no proof, and its words in the registry must not either.
#[test]
fn auto_claims_no_more_than_it_proves() {
    let board =
        GenerateRequest { size: Some(Size { rows: 6, cols: 6 }), seed: 2, ..GenerateRequest::default() };
    let sliding = PUZZLES.iter().find(|puzzle| puzzle.info().name == "sliding").unwrap();
    let instance = sliding.generate(&board, 0, &AtomicBool::new(false)).unwrap();
    let mut request = Request::default();
    request.settings.limits.time = Some(std::time::Duration::from_millis(200));
    let attempt = instance.solve(&request, Control::default()).unwrap();
    let report = Report::new(&*instance, &request, attempt).unwrap();
    assert_eq!((report.outcome, report.optimal), (Ending::Solved, false));
    assert_eq!(report.method.to_string(), "windows");
    assert!(novelo_puzzles::AUTO.optimal.starts_with("where the result says so"));
}

/// Nilsson and AIMA leave the root out of penetrance and the effective branching factor; what does not apply to a method
/// is not known.
#[test]
fn the_figures_of_a_run_are_those_of_the_books() {
    let read = |id: &str| novelo_puzzles::input::read(id, None, None).unwrap().remove(0).instance;
    let instance = read("sliding:2x2:1,2,0,3");
    let report = run(&*instance, Choice::from(Algorithm::Bfs), None).unwrap();
    assert_eq!((report.expanded, report.generated), (Some(1), Some(3)));
    assert_eq!((report.penetrance, report.branching_factor.map(f64::round)), (Some(0.5), Some(2.0)));
    let instance = read("boxes:2x2:2:a04");
    let report = run(&*instance, Choice::Auto, None).unwrap();
    assert_eq!((report.expanded, report.generated, report.stored_peak), (None, None, None));
    assert_eq!((report.penetrance, report.branching_factor), (None, None));
}

/// Depth-first search keeps what it generates, depth-limited search only its path; neither holds what it never generated.
#[test]
fn depth_first_searches_count_alike() {
    let read = |id: &str| novelo_puzzles::input::read(id, None, None).unwrap().remove(0).instance;
    for id in ["boxes:3x3:4:ddb900", "sliding:3x3:1,2,3,0,4,6,7,5,8", "numbrix:3x3:1c5_4b9"] {
        for algorithm in ["dfs", "dls:limit=9", "ids", "idastar"] {
            let report = run(&*read(id), algorithm.parse().unwrap(), None).unwrap();
            assert!(report.stored_peak <= report.generated, "{id} {algorithm}");
        }
    }
}
