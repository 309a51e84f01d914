//! A name is one program: `solve`, `watch` and the trace run the same search with the same counts, a limit that does not
//! bind changes none of them, and what observers are told agrees with a replay.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use novelo_puzzles::watch::{Seen, Watcher};
use novelo_puzzles::{
    Attempt, Choice, GenerateRequest, Instance, PUZZLES, Puzzle, Request, RequestError, input, trace,
};
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
        let guided = algorithm.info().needs.heuristic();
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
        Err(
            RequestError::CannotRun(CannotRun::NeedsReversible(_) | CannotRun::NeedsTowardStart(_))
            | RequestError::Unsupported(_),
        ) => None,
        attempt => Some(attempt.expect("it can run")),
    }
}

/// Looks on.
struct Bystander;

impl Watcher for Bystander {
    fn expanded(&mut self, _: Seen, _: &dyn Fn() -> Vec<String>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The same run with somebody looking on.
fn watched(instance: &dyn Instance, request: &Request, cancel: &AtomicBool) -> Attempt {
    let meter = Meter::new(request.settings.limits, Control::cancelled_by(cancel));
    instance.run(request, &meter, Some(&mut Bystander)).expect("it can be watched")
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
                // The table of walking distances for 24 tiles takes a second to make: two algorithms will do.
                let walks = request.heuristic.as_ref().is_some_and(|spec| spec.name == "walking-distance");
                let few = ["astar", "idastar"].contains(&request.algorithm.to_string().as_str());
                if walks && !few && instance.id().starts_with("sliding:5x5") {
                    continue;
                }
                let Some(attempt) = solved(&*instance, &request) else { continue };
                runs += 1;
                let same = |other: &Attempt, how: &str| {
                    assert_eq!(other.outcome.answer, attempt.outcome.answer, "{how} {what}");
                    assert_eq!(other.outcome.lower_bound, attempt.outcome.lower_bound, "{how} {what}");
                    assert_eq!(counts(&other.outcome), counts(&attempt.outcome), "{how} {what}");
                    assert_eq!(other.method, attempt.method, "{how} {what}");
                };
                same(&watched(&*instance, &request, &idle), "watched");
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
                }
                // A search that improves on its solutions has one when the nodes run out.
                if attempt.outcome.stats.expanded == NODES {
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
        let watched = watched(&*instance, &request, &idle);
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
    let attempt = watched(&*instance, &request, &AtomicBool::new(false));
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
        let watched = watched(&*instance, &request(memory), cancel);
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

/// Sums up the steps of a search.
#[derive(Default)]
struct Tally {
    algorithm: Option<Algorithm>,
    steps: u64,
    generated: u64,
    /// The largest number of nodes on both lists.
    lists: u64,
    /// Where the node expanded was not the first of the open list: the step and that first.
    disorder: Vec<(u64, u32)>,
    /// Where the list was not by f and h.
    unsorted: Vec<String>,
    open: Option<Vec<u32>>,
    bounds: Vec<f64>,
}

impl trace::Listener for Tally {
    fn begins(&mut self, algorithm: Algorithm, _: Option<&str>) {
        self.algorithm = Some(algorithm);
    }

    fn step(&mut self, step: &trace::TraceStep<'_>) -> ControlFlow<()> {
        let trace = step.trace;
        let node = |number: u32| &trace.nodes[number as usize];
        self.steps += 1;
        assert_eq!(self.steps, step.number);
        self.generated += step.generated.clone().filter(|&number| node(number).fate != "root").count() as u64;
        // On the side of the node expanded, it was the first of the list.
        let first = self.open.iter().flatten().find(|&&open| node(open).backward == node(step.node).backward);
        self.disorder.extend(first.filter(|&&first| first != step.node).map(|&first| (step.number, first)));
        if let Some(open) = &step.open {
            let keys: Vec<_> = open.iter().filter_map(|&open| node(open).f.zip(node(open).h)).collect();
            if !keys.is_sorted_by(|a, b| a <= b) {
                self.unsorted.push(format!("step {}: {keys:?}", step.number));
            }
            self.lists = self.lists.max((open.len() + step.closed().len()) as u64);
        }
        self.open.clone_from(&step.open);
        if let Some((number, bound)) = step.iteration.filter(|&(number, _)| number > self.bounds.len()) {
            assert_eq!(number, self.bounds.len() + 1);
            self.bounds.push(bound);
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn the_steps_of_a_trace_add_up_to_the_counts_of_the_run() {
    let mut kept = 0;
    for puzzle in PUZZLES {
        let instance = instance(puzzle.info().lesson);
        for request in requests(*puzzle) {
            let depth = (request.algorithm.to_string() == "dls").then_some(10);
            let request = within(&request, Limits { nodes: Some(400), depth, ..Limits::default() });
            let what = format!("{} {:?} {}", request.algorithm, request.heuristic, instance.id());
            if solved(&*instance, &request).is_none() {
                continue;
            }
            let mut tally = Tally::default();
            let told =
                trace::steps(&*instance, &request, 100_000, 1..=u64::MAX, Control::default(), &mut tally);
            let (attempt, trace) = told.expect("it can be traced");
            let stats = attempt.outcome.stats;
            assert!(trace.complete, "{what}");
            assert_eq!((tally.steps, tally.generated + 1), (stats.expanded, stats.generated), "{what}");
            assert_eq!(tally.algorithm.map(Choice::from), Some(request.algorithm), "{what}");
            let improves = ["awastar", "arastar"].contains(&request.algorithm.info().name);
            if improves {
                // It takes goals out of the list, notes what they cost, and goes on without expanding them.
                tally.disorder.retain(|(_, first)| trace.expansions.contains(first));
            }
            assert_eq!(tally.disorder, [], "{what}");
            // What an inconsistent heuristic lets fall below the largest f so far comes first.
            let consistent = |spec: &Spec| {
                puzzle.heuristics().iter().any(|info| info.name == spec.name && info.promise.consistent)
            };
            if request.heuristic.as_ref().is_none_or(consistent) {
                assert!(tally.unsorted.is_empty(), "{what}: {:?}", tally.unsorted);
            }
            // Iterative deepening raises its bound; the first is the estimate of the start, or a depth of one. Budgeted
            // tree search looks for the next one from both sides.
            let both_sides = request.algorithm.to_string() == "ibex";
            assert!(both_sides || tally.bounds.is_sorted_by(|a, b| a < b), "{what}: {:?}", tally.bounds);
            if tally.lists > 0 {
                kept += 1;
                // What a solution already found beats stays in the store, and is on no list.
                assert!(
                    tally.lists == stats.stored_peak || improves && tally.lists < stats.stored_peak,
                    "{what}"
                );
            }
        }
    }
    assert!(kept > 20, "{kept}");
}

#[test]
fn a_window_of_steps_is_that_part_of_the_whole_and_the_rest_is_counted() {
    struct Numbers(Vec<(u64, u32)>);
    impl trace::Listener for Numbers {
        fn begins(&mut self, _: Algorithm, _: Option<&str>) {}
        fn step(&mut self, step: &trace::TraceStep<'_>) -> ControlFlow<()> {
            self.0.push((step.number, step.node));
            ControlFlow::Continue(())
        }
    }
    let instance = instance("sliding:3x3:8,6,7,2,5,4,3,0,1");
    let request = Request { algorithm: Choice::from(Algorithm::Bfs), ..Request::default() };
    let run = |window| {
        let mut numbers = Numbers(Vec::new());
        let told = trace::steps(&*instance, &request, 100_000, window, Control::default(), &mut numbers);
        (told.expect("it can be traced").0.outcome.stats.expanded, numbers.0)
    };
    let (all, first) = run(1..=30);
    assert_eq!(first.iter().map(|step| step.0).collect::<Vec<_>>(), (1..=30).collect::<Vec<_>>());
    assert_eq!(run(11..=20), (all, first[10..20].to_vec()));
    assert_eq!(instance.solve(&request, Control::default()).unwrap().outcome.stats.expanded, all);
}
