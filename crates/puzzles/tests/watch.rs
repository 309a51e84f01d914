//! A watched search is the same search: same answers, same counts, and a trace that has every node of it.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{Choice, HeuristicSpec, Instance, Request, input, trace, watch};
use novelo_search::{Algorithm, Answer, Control, Limits, Settings, Stop};

const BOARDS: [&str; 4] =
    ["sliding:3x3:1,2,3,0,4,6,7,5,8", "numbrix:3x3:1c5_4b9", "mazes:3x3:3/3/3", "boxes:2x2:2:a04"];

fn instance(id: &str) -> Box<dyn Instance> {
    input::read(id, None, None).expect("the id is right").remove(0).instance
}

/// Every algorithm that can be watched, with a heuristic of the puzzle where it takes one.
fn requests(instance: &dyn Instance) -> Vec<(Algorithm, Request)> {
    let limits = Limits { depth: Some(20), ..Limits::default() };
    let watchable = Algorithm::ALL.iter().filter(|&&algorithm| algorithm != Algorithm::Bidirectional);
    let mut requests = Vec::new();
    for &algorithm in watchable {
        for info in instance.puzzle().heuristics().iter().filter(|info| info.name != "pdb") {
            let settings = Settings { limits, ..Settings::default() };
            let heuristic = Some(HeuristicSpec::plain(info.name));
            let request =
                Request { algorithm: Choice::Named(algorithm), heuristic, settings, ..Request::default() };
            requests.push((algorithm, request));
        }
    }
    requests
}

#[test]
fn watching_changes_nothing() {
    let idle = AtomicBool::new(false);
    for id in BOARDS {
        let instance = instance(id);
        for (algorithm, request) in requests(&*instance) {
            let solved = instance.solve(&request, Control::default()).expect("it can run");
            let watched = watch::watch(&*instance, &request, &idle, |_, _| {}).expect("it can be watched");
            let what = format!("{algorithm} with {:?} on {id}", request.heuristic);
            assert_eq!(watched.outcome.answer, solved.outcome.answer, "{what}");
            assert_eq!(watched.outcome.stats.expanded, solved.outcome.stats.expanded, "{what}");
            assert_eq!(watched.outcome.stats.generated, solved.outcome.stats.generated, "{what}");
        }
    }
}

#[test]
fn a_trace_has_every_node_and_the_way_to_each() {
    let idle = AtomicBool::new(false);
    for id in BOARDS {
        let instance = instance(id);
        for (algorithm, request) in requests(&*instance) {
            let (attempt, trace) =
                trace::trace(&*instance, &request, 100_000, &idle).expect("it can be traced");
            let what = format!("{algorithm} with {:?} on {id}", request.heuristic);
            assert!(trace.complete, "{what}");
            assert_eq!(trace.expansions.len() as u64, attempt.outcome.stats.expanded, "{what}");
            let roots = trace.nodes.iter().filter(|node| node.fate == "root").count() as u64;
            let children = trace.nodes.len() as u64 - roots;
            assert_eq!(children + 1, attempt.outcome.stats.generated, "{what}");
            for (number, node) in trace.nodes.iter().enumerate() {
                assert!(node.parent.is_none_or(|parent| (parent as usize) < number), "{what}");
                assert_eq!(node.parent.is_none(), node.fate == "root", "{what}");
            }
            for &node in trace.expansions.iter().take(50) {
                let moves = trace.moves_to(node);
                assert_eq!(instance.check(&moves).legal, moves.len(), "{what}: {moves:?}");
            }
            if let Answer::Solved(solution) = attempt.outcome.answer {
                let last = *trace.path.last().expect("a solution has its nodes");
                assert_eq!(trace.moves_to(last), solution.path, "{what}");
            }
        }
    }
}

#[test]
fn a_trace_ends_where_it_is_told_to() {
    let instance = instance("sliding:3x3:8,6,7,2,5,4,3,0,1");
    let request = Request { algorithm: Choice::Named(Algorithm::Bfs), ..Request::default() };
    let (_, trace) =
        trace::trace(&*instance, &request, 100, &AtomicBool::new(false)).expect("it can be traced");
    assert_eq!((trace.nodes.len(), trace.complete), (100, false));
}

#[test]
fn an_unsolvable_board_is_not_searched() {
    let instance = instance("sliding:3x3:1,2,3,4,5,6,8,7,0");
    let request = Request { algorithm: Choice::Named(Algorithm::Bfs), ..Request::default() };
    let attempt =
        watch::watch(&*instance, &request, &AtomicBool::new(false), |_, _| {}).expect("it can be watched");
    assert_eq!(attempt.outcome.answer, Answer::Unsolvable);
    assert!(attempt.reason.is_some());
}

#[test]
fn limits_hold_while_the_tables_of_a_heuristic_are_made() {
    let instance = instance("sliding:4x4:0,12,9,13,15,11,10,14,3,7,2,5,4,8,6,1");
    let request = |memory| Request {
        algorithm: Choice::Named(Algorithm::AStar),
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
