//! A name is one program: `solve`, `watch` and the trace run the same search with the same counts, a limit that does not
//! bind changes none of them, and what observers are told agrees with a replay.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use novelo_puzzles::{
    Attempt, Choice, GenerateRequest, Instance, PUZZLES, Puzzle, Request, RequestError, input, trace, watch,
};
use novelo_search::algorithms::Needs;
use novelo_search::parameter::Spec;
use novelo_search::{Algorithm, Answer, CannotRun, Control, Limits, Meter, Outcome, Problem, Settings, Stop};

/// Expansions after which the larger boards are ended.
const NODES: u64 = 1000;

/// Boards to try: small ones that are generated, and those that the puzzle's own words mention, of which some are hard.
fn boards(puzzle: &dyn Puzzle) -> Vec<Box<dyn Instance>> {
    let info = puzzle.info();
    let mut ids = vec![info.example.to_owned(), info.lesson.to_owned(), info.face.to_owned()];
    if info.name == "sliding" {
        // 31 moves, 80 moves, a board of 24 tiles.
        ids.push("sliding:3x3:8,6,7,2,5,4,3,0,1".into());
        ids.push("sliding:4x4:0,12,9,13,15,11,10,14,3,7,2,5,4,8,6,1".into());
        ids.push("sliding:5x5:14,5,9,2,18,8,23,19,12,17,15,0,10,20,4,6,11,21,1,7,24,3,16,22,13".into());
    }
    for (number, size) in info.sizes.iter().take(2).enumerate() {
        let size = Some(size.parse().expect("a size"));
        let request = GenerateRequest { size, seed: 3, ..GenerateRequest::default() };
        let made = puzzle.generate(&request, number as u64, &AtomicBool::new(false)).expect("it can be made");
        ids.push(made.id());
    }
    ids.sort();
    ids.dedup();
    ids.iter().map(|id| instance(id)).collect()
}

fn instance(id: &str) -> Box<dyn Instance> {
    input::read(id, None, None).expect("the id is right").remove(0).instance
}

/// Every algorithm with every heuristic of the puzzle that it can use, those with parameters among them.
fn requests(puzzle: &dyn Puzzle) -> Vec<Request> {
    let mut heuristics: Vec<Spec> = puzzle
        .heuristics()
        .iter()
        .filter(|info| !info.needs_parameters())
        .map(|info| Spec::plain(info.name))
        .collect();
    if puzzle.info().name == "sliding" {
        heuristics.push("walking-distance:linear-conflict".parse().unwrap());
    }
    let mut requests = Vec::new();
    for algorithm in Algorithm::all() {
        let guided = algorithm.info().needs == Needs::Heuristic;
        for heuristic in heuristics.iter().take(if guided { usize::MAX } else { 1 }) {
            let heuristic = guided.then(|| heuristic.clone());
            requests.push(Request { algorithm: algorithm.into(), heuristic, ..Request::default() });
        }
    }
    requests.push(Request { algorithm: "dls:limit=7".parse().unwrap(), ..Request::default() });
    requests
}

fn within(request: &Request, limits: Limits) -> Request {
    let settings = Settings { limits, ..request.settings };
    Request { settings, ..request.clone() }
}

type Counts = (u64, u64, u64);

fn counts(outcome: &Outcome<String>) -> Counts {
    (outcome.stats.expanded, outcome.stats.generated, outcome.stats.stored_peak)
}

/// `None` where the algorithm does not apply to the puzzle or the board.
fn solved(instance: &dyn Instance, request: &Request) -> Option<Attempt> {
    match instance.solve(request, Control::default()) {
        Err(RequestError::CannotRun(CannotRun::NeedsReversible(_)) | RequestError::Unsupported(_)) => None,
        attempt => Some(attempt.expect("it can run")),
    }
}

#[test]
fn solve_watch_and_trace_are_one_program() {
    let idle = AtomicBool::new(false);
    let mut runs = 0;
    for puzzle in PUZZLES {
        for instance in boards(*puzzle) {
            for request in requests(*puzzle) {
                let depth = (request.algorithm.to_string() == "dls").then_some(12);
                let limits = Limits { nodes: Some(NODES), depth, ..Limits::default() };
                let request = within(&request, limits);
                let what = format!("{} {:?} {}", request.algorithm, request.heuristic, instance.id());
                let Some(attempt) = solved(&*instance, &request) else { continue };
                runs += 1;
                let same = |other: &Attempt, how: &str| {
                    assert_eq!(other.outcome.answer, attempt.outcome.answer, "{how} {what}");
                    assert_eq!(other.outcome.lower_bound, attempt.outcome.lower_bound, "{how} {what}");
                    assert_eq!(counts(&other.outcome), counts(&attempt.outcome), "{how} {what}");
                    assert_eq!(other.method, attempt.method, "{how} {what}");
                };
                let watched =
                    watch::watch(&*instance, &request, &idle, |_, _| {}).expect("it can be watched");
                same(&watched, "watched");
                let (traced, _) = trace::trace(&*instance, &request, 1000, &idle).expect("it can be traced");
                same(&traced, "traced");
                let ample = Limits {
                    time: Some(Duration::from_secs(3600)),
                    memory: Some(1 << 40),
                    nodes: Some(NODES),
                    depth: depth.or(Some(u32::MAX / 2)),
                };
                same(&solved(&*instance, &within(&request, ample)).expect("it can run"), "with ample limits");
                if attempt.outcome.answer == Answer::Stopped(Stop::Nodes) {
                    assert_eq!(attempt.outcome.stats.expanded, NODES, "{what}");
                    continue;
                }
                for nodes in [None, Some(u64::MAX)] {
                    let request = within(&request, Limits { nodes, ..limits });
                    same(&solved(&*instance, &request).expect("it can run"), "with other node limits");
                }
            }
        }
    }
    assert!(runs > 300, "{runs}");
}

#[test]
fn what_observers_are_told_agrees_with_a_replay() {
    let idle = AtomicBool::new(false);
    for puzzle in PUZZLES {
        let instance = instance(puzzle.info().lesson);
        for request in requests(*puzzle) {
            let depth = (request.algorithm.to_string() == "dls").then_some(10);
            let request = within(&request, Limits { nodes: Some(400), depth, ..Limits::default() });
            let what = format!("{} {:?} {}", request.algorithm, request.heuristic, instance.id());
            if solved(&*instance, &request).is_none() {
                continue;
            }
            let (attempt, trace) =
                trace::trace(&*instance, &request, 100_000, &idle).expect("it can be traced");
            assert!(trace.complete, "{what}");
            assert_eq!(trace.expansions.len() as u64, attempt.outcome.stats.expanded, "{what}");
            let roots = trace.nodes.iter().filter(|node| node.fate == "root").count();
            assert_eq!((trace.nodes.len() - roots + 1) as u64, attempt.outcome.stats.generated, "{what}");
            for (number, node) in trace.nodes.iter().enumerate() {
                assert!(node.parent.is_none_or(|parent| (parent as usize) < number), "{what}");
                assert_eq!(node.parent.is_none(), node.fate == "root", "{what}");
            }
            let meter = Meter::new(Limits::default(), Control::default());
            let explored = instance.explore(&request, &meter, &mut |formulation| {
                for (number, node) in trace.nodes.iter().enumerate().filter(|(_, node)| !node.backward) {
                    let moves = trace.moves_to(number as u32);
                    let verdict = instance.check(&moves);
                    assert_eq!((verdict.legal, verdict.cost), (moves.len(), node.g), "{what}: {moves:?}");
                    let Some(h) = node.h.filter(|_| request.heuristic.is_some()) else { continue };
                    let mut position = formulation.start();
                    for text in &moves {
                        let mut actions = Vec::new();
                        formulation.actions(&position, &mut actions);
                        let action = actions.into_iter().find(|&action| formulation.written(action) == *text);
                        formulation.apply(&mut position, action.expect("the move is legal"));
                    }
                    let estimate = formulation.estimate(&position).expect("no dead end");
                    assert!((estimate - h).abs() < 1e-9, "{what}: {h} is not {estimate} after {moves:?}");
                }
            });
            assert!(explored.expect("it can be explored").is_continue());
            if let Answer::Solved(solution) = attempt.outcome.answer {
                assert_eq!(trace.path.len(), solution.path.len() + 1, "{what}");
            }
        }
    }
}

#[test]
fn a_name_that_ran_beside_the_engine_is_now_the_engine() {
    let instance = instance("sliding:3x3:8,6,7,2,5,4,3,0,1");
    let idle = AtomicBool::new(false);
    for heuristic in ["pdb:4-4", "walking-distance", "manhattan"] {
        let request = Request {
            algorithm: Choice::from(Algorithm::IdaStar),
            heuristic: Some(heuristic.parse().unwrap()),
            ..Request::default()
        };
        let solved = instance.solve(&request, Control::default()).expect("it can run");
        let watched = watch::watch(&*instance, &request, &idle, |_, _| {}).expect("it can be watched");
        assert_eq!(counts(&solved.outcome), counts(&watched.outcome), "{heuristic}");
    }
}

#[test]
fn a_trace_ends_where_it_is_told_to() {
    let instance = instance("sliding:3x3:8,6,7,2,5,4,3,0,1");
    let request = Request { algorithm: Choice::from(Algorithm::Bfs), ..Request::default() };
    let (_, trace) =
        trace::trace(&*instance, &request, 100, &AtomicBool::new(false)).expect("it can be traced");
    assert_eq!((trace.nodes.len(), trace.complete), (100, false));
}

#[test]
fn the_two_trees_of_bidirectional_search_meet() {
    let instance = instance("sliding:3x3:1,6,2,5,0,3,4,7,8");
    let request = Request { algorithm: Choice::from(Algorithm::Bidirectional), ..Request::default() };
    let (attempt, trace) =
        trace::trace(&*instance, &request, 1000, &AtomicBool::new(false)).expect("it can be traced");
    assert!(trace.complete);
    assert_eq!(trace.nodes.iter().filter(|node| node.fate == "root").count(), 2);
    let solution = attempt.outcome.solution().expect("it can be solved").path.clone();
    assert_eq!(trace.path.len(), solution.len() + 1);
    let backward = trace.path.iter().filter(|&&node| trace.nodes[node as usize].backward).count();
    assert!(0 < backward && backward < trace.path.len());
    for (pair, written) in trace.path.windows(2).zip(&solution) {
        let [from, to] = [pair[0], pair[1]].map(|node| &trace.nodes[node as usize]);
        let step = if from.backward { from } else { to };
        // Where the trees meet, the last node of the one is a child of the same state as in the other.
        if from.backward == to.backward {
            assert_eq!(step.action.as_ref(), Some(written));
        }
    }
}

#[test]
fn an_unsolvable_board_is_not_searched() {
    let instance = instance("sliding:3x3:1,2,3,4,5,6,8,7,0");
    let request = Request { algorithm: Choice::from(Algorithm::Bfs), ..Request::default() };
    let attempt =
        watch::watch(&*instance, &request, &AtomicBool::new(false), |_, _| {}).expect("it can be watched");
    assert_eq!(attempt.outcome.answer, Answer::Unsolvable);
    assert!(attempt.reason.is_some() && !attempt.searched);
}

#[test]
fn limits_hold_while_the_tables_of_a_heuristic_are_made() {
    let instance = instance("sliding:4x4:0,12,9,13,15,11,10,14,3,7,2,5,4,8,6,1");
    let request = |memory| Request {
        algorithm: Choice::from(Algorithm::AStar),
        heuristic: Some("pdb:7-8".parse().expect("a heuristic")),
        settings: Settings { limits: Limits { memory, ..Limits::default() }, ..Settings::default() },
        ..Request::default()
    };
    let (idle, raised) = (AtomicBool::new(false), AtomicBool::new(true));
    for (memory, cancel, stop) in [(Some(1 << 20), &idle, Stop::Memory), (None, &raised, Stop::Interrupted)] {
        let watched =
            watch::watch(&*instance, &request(memory), cancel, |_, _| {}).expect("it can be watched");
        assert_eq!(watched.outcome.answer, Answer::Stopped(stop));
        let (traced, trace) =
            trace::trace(&*instance, &request(memory), 100, cancel).expect("it can be traced");
        assert_eq!(traced.outcome.answer, Answer::Stopped(stop));
        assert!(trace.nodes.is_empty());
    }
}

#[test]
fn a_depth_limit_ends_iterative_deepening_when_no_bound_is_left() {
    let stop = |id: &str, algorithm: &str, heuristic: Option<&str>, depth| {
        let limits = Limits { depth: Some(depth), nodes: Some(1_000_000), ..Limits::default() };
        let request = Request {
            algorithm: algorithm.parse().unwrap(),
            heuristic: heuristic.map(|text| text.parse().unwrap()),
            ..Request::default()
        };
        instance(id).solve(&within(&request, limits), Control::default()).expect("it can run").outcome.answer
    };
    let eight = "sliding:3x3:8,6,7,2,5,4,3,0,1";
    let fifteen = "sliding:4x4:2,6,12,4,1,10,14,8,7,3,13,11,5,0,9,15";
    for heuristic in ["manhattan", "linear-conflict", "zero"] {
        assert_eq!(stop(eight, "idastar", Some(heuristic), 12), Answer::Stopped(Stop::Depth), "{heuristic}");
    }
    assert_eq!(stop(fifteen, "idastar", Some("manhattan"), 28), Answer::Stopped(Stop::Depth));
    assert_eq!(stop(fifteen, "tiles", None, 28), Answer::Stopped(Stop::Depth));
    assert_eq!(stop("numbrix:3x3:1c5_4b9", "auto", None, 3), Answer::Stopped(Stop::Depth));
}

#[test]
fn several_threads_find_what_one_does() {
    // Enough work for iterations to be shared among threads.
    let instance =
        instance("sliding:4x4:14,1,9,6,4,8,12,5,7,2,3,0,10,11,13,15:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
    let request = |threads| Request {
        algorithm: Choice::from(Algorithm::IdaStar),
        heuristic: Some("linear-conflict".parse().unwrap()),
        threads: Some(threads),
        ..Request::default()
    };
    for threads in [1, 2, 5] {
        let attempt = instance.solve(&request(threads), Control::default()).expect("it can run");
        let solution = attempt.outcome.solution().expect("Korf's twelfth board can be solved");
        assert_eq!((solution.cost, solution.optimal), (45, true), "{threads}");
        // A node limit is kept on several threads, too.
        let limited = within(&request(threads), Limits { nodes: Some(50_000), ..Limits::default() });
        let attempt = instance.solve(&limited, Control::default()).expect("it can run");
        assert_eq!(attempt.outcome.answer, Answer::Stopped(Stop::Nodes), "{threads}");
        assert!(attempt.outcome.stats.expanded <= 50_000, "{threads}");
    }
}
