//! What a search may claim, and what it must keep to: sums that do not fit, limits, promises of a problem.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use novelo_search::{
    Algorithm, Answer, CannotRun, Control, Cost, Frontier, Limits, Meter, Outcome, Problem, Promise, Real,
    Reversible, Search, Stop, Weight, Zero, allocated, from_successors,
};

/// A problem of edges (from, to, cost) between numbers, from 0 to a goal.
fn graph<C: Cost>(
    edges: &[(u32, u32, C)],
    goal: u32,
) -> impl Problem<State = u32, Action: PartialEq, Cost = C> {
    let successors = move |&at: &u32| -> Vec<(usize, u32, C)> {
        let numbered = edges.iter().enumerate();
        numbered.filter(|(_, edge)| edge.0 == at).map(|(i, edge)| (i, edge.1, edge.2)).collect()
    };
    from_successors(0, successors, move |&at| at == goal)
}

/// Algorithms that need nothing but a heuristic or a depth limit.
fn algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|algorithm| !algorithm.info().needs.reversible())
}

/// Those that end without an answer only if something stops them.
fn complete() -> impl Iterator<Item = Algorithm> {
    let yes = |algorithm: &Algorithm| {
        let complete = algorithm.info().complete;
        complete.starts_with("yes") || matches!(algorithm, Algorithm::SmaStar { .. })
    };
    algorithms().filter(yes)
}

fn run<P: Problem>(problem: &P, algorithm: Algorithm) -> Outcome<P::Action, P::Cost> {
    let dls = matches!(algorithm, Algorithm::Dls { .. });
    let limits = Limits { depth: dls.then_some(20), ..Limits::default() };
    Search::new(problem).heuristic(Zero).limits(limits).run(algorithm).unwrap()
}

#[test]
fn a_sum_that_does_not_fit_ends_every_search_and_claims_nothing() {
    let edges = [(0, 1, 3_000_000_000u32), (1, 2, 3_000_000_000)];
    for algorithm in algorithms() {
        let outcome = run(&graph(&edges, 2), algorithm);
        assert_eq!(outcome.answer, Answer::Stopped(Stop::Overflow), "{algorithm}");
        assert_eq!(outcome.lower_bound, None, "{algorithm}");
    }
    // Wider costs hold it.
    let edges = edges.map(|(from, to, cost)| (from, to, u64::from(cost)));
    for algorithm in algorithms() {
        assert_eq!(run(&graph(&edges, 2), algorithm).solution().unwrap().cost, 6_000_000_000, "{algorithm}");
    }
}

#[test]
fn an_optimum_that_fits_is_never_undercut() {
    // The dearer way does not fit; wrapped around, it would look cheap.
    let edges = [(0, 1, 3_000_000_000u32), (1, 2, 1_593_284_415), (0, 2, 1_579_676_713)];
    for algorithm in algorithms() {
        match run(&graph(&edges, 2), algorithm).answer {
            Answer::Solved(solution) => assert_eq!(solution.cost, 1_579_676_713, "{algorithm}"),
            answer => assert_eq!(answer, Answer::Stopped(Stop::Overflow), "{algorithm}"),
        }
    }
}

#[test]
fn the_largest_cost_is_a_cost_like_any_other() {
    for algorithm in [Algorithm::IdaStar, Algorithm::AStar, Algorithm::Ucs] {
        let outcome = run(&graph(&[(0, 1, u32::MAX)], 1), algorithm);
        let solution = outcome.solution().expect("one edge");
        assert!(solution.cost == u32::MAX && solution.optimal, "{algorithm}");
    }
}

#[test]
fn weighted_sums_of_large_costs_are_exact() {
    let edges = [(0, 1, 50_000_000u32), (1, 2, 50_000_000), (0, 2, 1_000_000_000)];
    let weight = Weight::new(1.37).unwrap();
    let outcome = run(&graph(&edges, 2), Algorithm::WAStar { weight });
    let solution = outcome.solution().unwrap();
    assert!(f64::from(solution.cost) <= 1.37 * 1e8);
    assert!(outcome.lower_bound.unwrap() <= 100_000_000, "{:?}", outcome.lower_bound);
}

#[test]
fn real_costs_add_up() {
    let tenth = Real::new(0.1);
    let edges = [(0, 1, tenth), (1, 2, tenth), (2, 3, tenth), (0, 3, Real::new(0.31))];
    for algorithm in [Algorithm::Ucs, Algorithm::AStar, Algorithm::IdaStar] {
        let outcome = run(&graph(&edges, 3), algorithm);
        let solution = outcome.solution().unwrap();
        assert!((solution.cost.get() - 0.3).abs() < 1e-12 && solution.optimal, "{algorithm}: {solution:?}");
    }
}

#[test]
fn rounding_of_an_estimate_proves_nothing() {
    // The true distance is 3; the estimate was rounded up by a hair. The other way costs 4.
    let edges = [(0, 1, 4u32), (0, 2, 1), (2, 3, 1), (3, 1, 1)];
    for algorithm in [Algorithm::Greedy, Algorithm::AStar, Algorithm::IdaStar] {
        let problem = graph(&edges, 1);
        let estimate = |_: &_, at: &u32| [3.000_000_000_000_001_3, 0.0, 2.0, 1.0][*at as usize];
        let outcome = Search::new(&problem).estimate(Promise::ADMISSIBLE, estimate).run(algorithm).unwrap();
        let solution = outcome.solution().unwrap();
        assert_eq!(solution.optimal, solution.cost == 3, "{algorithm}: {solution:?}");
        assert!(outcome.lower_bound.is_none_or(|bound| bound <= 3));
    }
}

#[test]
fn no_path_is_longer_than_the_depth_limit() {
    // S, N, A, G: N is expanded by its dear edge, then reached cheaper and deeper.
    let edges = [(0, 1, 10u32), (0, 2, 1), (2, 1, 1), (1, 3, 20)];
    let problem = graph(&edges, 3);
    for algorithm in algorithms() {
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let search = Search::new(&problem)
            .estimate(Promise::ADMISSIBLE, |_, &at| [22u32, 0, 21, 0][at as usize])
            .limits(limits);
        let outcome = search.run(algorithm).unwrap();
        let solution = outcome.solution().unwrap_or_else(|| panic!("{algorithm}: {:?}", outcome.answer));
        assert!(solution.path.len() == 2 && solution.cost == 30 && !solution.optimal, "{algorithm}");
    }
}

#[test]
fn depth_first_search_finds_what_lies_within_the_limit() {
    // It first meets state 2 at the limit, by a detour.
    let problem = graph(&[(0, 1, 1u32), (1, 2, 1), (0, 2, 1), (2, 3, 1)], 3);
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let outcome = Search::new(&problem).limits(limits).run(Algorithm::Dfs).unwrap();
    assert_eq!(outcome.solution().expect("0, 2, 3").path.len(), 2);
}

/// A binary tree of the numbers 1 to `last`.
struct Tree {
    last: u64,
    goal: u64,
}

impl Problem for Tree {
    type State = u64;
    type Action = u64;
    type Undo = ();
    type Cost = u32;
    const TREE: bool = true;
    fn start(&self) -> u64 {
        1
    }
    fn is_goal(&self, at: &u64) -> bool {
        *at == self.goal
    }
    fn actions(&self, at: &u64, out: &mut Vec<u64>) {
        out.extend((0..2).filter(|&side| 2 * at + side <= self.last));
    }
    fn apply(&self, at: &mut u64, side: u64) -> (u32, ()) {
        *at = 2 * *at + side;
        (1, ())
    }
    fn undo(&self, at: &mut u64, _: u64, (): ()) {
        *at /= 2;
    }
    fn unit_cost(&self) -> bool {
        true
    }
}

impl Reversible for Tree {
    fn goals(&self) -> Vec<u64> {
        vec![self.goal]
    }
    fn actions_into(&self, at: &u64, out: &mut Vec<u64>) {
        out.extend((*at > 1).then_some(at % 2));
    }
    fn retract(&self, at: &mut u64, _: u64) -> u32 {
        *at /= 2;
        1
    }
}

#[test]
fn a_tree_is_searched_from_both_ends() {
    let bidirectional = |tree: &Tree| Search::new(tree).run_reversible(Algorithm::Bidirectional).unwrap();
    let outcome = bidirectional(&Tree { last: 31, goal: 11 });
    assert_eq!(outcome.solution().unwrap().path, [0, 1, 1]);
    // Without an end it still meets.
    let outcome = bidirectional(&Tree { last: u64::MAX / 4, goal: 1 << 20 });
    assert_eq!(outcome.solution().unwrap().cost, 20);
}

/// Up and down a line, by one action that takes itself back.
struct Swap;

impl Problem for Swap {
    type State = bool;
    type Action = ();
    type Undo = ();
    type Cost = u32;
    const BACK: Option<()> = Some(());
    fn start(&self) -> bool {
        false
    }
    fn is_goal(&self, _: &bool) -> bool {
        false
    }
    fn actions(&self, _: &bool, out: &mut Vec<()>) {
        out.push(());
    }
    fn apply(&self, at: &mut bool, (): ()) -> (u32, ()) {
        *at = !*at;
        (1, ())
    }
    fn undo(&self, at: &mut bool, (): (), (): ()) {
        *at = !*at;
    }
}

#[test]
fn circles_without_a_goal_are_seen_to_be_circles() {
    for algorithm in complete() {
        for threads in [1, 2] {
            let outcome = Search::new(&Swap).heuristic(Zero).threads(threads).run(algorithm).unwrap();
            assert_eq!(outcome.answer, Answer::Unsolvable, "{algorithm}");
        }
    }
}

/// A line by one action of no size, to be walked back.
struct Line;

impl Problem for Line {
    type State = u32;
    type Action = ();
    type Undo = ();
    type Cost = u32;
    const BACK: Option<()> = Some(());
    fn start(&self) -> u32 {
        0
    }
    fn is_goal(&self, at: &u32) -> bool {
        [3000, 4000].contains(at)
    }
    fn actions(&self, _: &u32, out: &mut Vec<()>) {
        out.push(());
    }
    fn apply(&self, at: &mut u32, (): ()) -> (u32, ()) {
        *at += 1;
        (1, ())
    }
    fn undo(&self, at: &mut u32, (): (), (): ()) {
        *at -= 1;
    }
}

impl Reversible for Line {
    fn goals(&self) -> Vec<u32> {
        vec![3000, 4000]
    }
    fn actions_into(&self, at: &u32, out: &mut Vec<()>) {
        out.extend((*at > 0).then_some(()));
    }
    fn retract(&self, at: &mut u32, (): ()) -> u32 {
        *at -= 1;
        1
    }
}

#[test]
fn actions_may_be_of_no_size() {
    for algorithm in [Algorithm::Bfs, Algorithm::Dfs, Algorithm::Ucs, Algorithm::Bidirectional] {
        let outcome = Search::new(&Line).run_reversible(algorithm).unwrap();
        assert_eq!(outcome.solution().unwrap().cost, 3000, "{algorithm}");
    }
}

#[test]
fn progress_is_told_in_the_measure_of_the_algorithm() {
    // Slow enough to be asked more than once.
    let slow = from_successors(
        0u32,
        |&at| {
            std::thread::sleep(Duration::from_micros(200));
            [((), at + 1, 3u32)]
        },
        |&at| at == 2000,
    );
    let told = |algorithm| {
        let last = Mutex::new(None);
        let listener = |progress: &novelo_search::Progress| *last.lock().unwrap() = Some(progress.frontier);
        Search::new(&slow).progress(listener).run(algorithm).unwrap();
        last.into_inner().unwrap().expect("it takes long enough")
    };
    assert!(matches!(told(Algorithm::Dfs), Frontier::Depth(depth) if depth > 100));
    assert!(matches!(told(Algorithm::Ucs), Frontier::Cost(cost) if cost > 100.0 && cost % 3.0 == 0.0));
}

#[test]
fn the_largest_limit_on_nodes_is_no_limit() {
    let limits = Limits { nodes: Some(u64::MAX), ..Limits::default() };
    for algorithm in complete() {
        let outcome = Search::new(&Line).heuristic(Zero).limits(limits).run(algorithm).unwrap();
        assert!(outcome.solution().is_some(), "{algorithm}");
    }
}

#[test]
fn a_memory_limit_counts_what_states_hold() {
    let endless = from_successors(
        vec![0u8; 100],
        |at: &Vec<u8>| {
            let count = u32::from_le_bytes([at[0], at[1], at[2], at[3]]);
            [1, 2].map(|side| {
                let mut next = at.clone();
                next[..4].copy_from_slice(&(2 * count + side).to_le_bytes());
                (side, next, 1u32)
            })
        },
        |_| false,
    );
    let limits = Limits { memory: Some(8 << 20), ..Limits::default() };
    // Nobody can tell what these states hold.
    let refused = Search::new(&endless).limits(limits).run(Algorithm::Bfs);
    assert_eq!(refused, Err(CannotRun::NeedsHeapBytes));
    let endless = endless.heap_bytes(|state| allocated(state.capacity()));
    for algorithm in [Algorithm::Bfs, Algorithm::Ucs] {
        let outcome = Search::new(&endless).limits(limits).run(algorithm).unwrap();
        assert_eq!(outcome.answer, Answer::Stopped(Stop::Memory), "{algorithm}");
        assert!(outcome.stats.stored_peak * 130 < 8 << 20, "{algorithm}: {:?}", outcome.stats);
    }
}

#[test]
fn a_search_says_what_it_lacks() {
    let problem = graph(&[(0, 1, 1u32)], 1);
    for algorithm in [Algorithm::AStar, Algorithm::Greedy, Algorithm::IdaStar] {
        assert_eq!(Search::new(&problem).run(algorithm), Err(CannotRun::NeedsHeuristic(algorithm)));
    }
    assert!(Search::new(&problem).run(Algorithm::Ucs).is_ok());
}

#[test]
fn settings_do_not_undo_each_other() {
    let limits = Limits { nodes: Some(10), ..Limits::default() };
    let outcome = Search::new(&Line).limits(limits).shuffle(Some(1)).threads(2).run(Algorithm::Bfs).unwrap();
    assert_eq!(outcome.answer, Answer::Stopped(Stop::Nodes));
}

#[test]
fn a_limit_on_nodes_is_kept_to_the_node_by_several_threads() {
    let endless = from_successors(
        1u64,
        |&at| [((), (at * 2) % 1_000_000_007, 1u32), ((), (at * 3 + 1) % 1_000_000_007, 1)],
        |_| false,
    );
    for algorithm in [Algorithm::AStar, Algorithm::Ucs, Algorithm::Bfs] {
        for threads in [1, 2, 5] {
            for nodes in [0, 1, 100, 30_000] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let search = Search::new(&endless).heuristic(Zero).limits(limits).threads(threads);
                let outcome = search.run(algorithm).unwrap();
                assert_eq!(outcome.answer, Answer::Stopped(Stop::Nodes));
                assert_eq!(outcome.stats.expanded, nodes, "{algorithm} on {threads} threads");
                assert_eq!(
                    outcome.stats.workers.map(|workers| workers.count),
                    (threads > 1).then_some(threads)
                );
            }
        }
    }
}

#[test]
fn time_limits_hold_while_tables_grow() {
    let binary = from_successors(
        1u64,
        |&at| [((), (at * 2) % 1_000_000_007, 1u32), ((), (at * 3 + 1) % 1_000_000_007, 1)],
        |_| false,
    );
    let seen = AtomicU32::new(0);
    for milliseconds in [100, 300, 500] {
        let limits = Limits { time: Some(Duration::from_millis(milliseconds)), ..Limits::default() };
        let start = Instant::now();
        let outcome = Search::new(&binary).limits(limits).run(Algorithm::Bfs).unwrap();
        assert_eq!(outcome.answer, Answer::Stopped(Stop::Time));
        seen.fetch_max((start.elapsed().as_millis() as u64 - milliseconds) as u32, Relaxed);
    }
    println!("ended up to {} ms after the limit", seen.load(Relaxed));
}

#[test]
fn small_real_costs_are_told_apart() {
    let edges = [(0, 1, 5e-10), (0, 2, 1e-10), (2, 1, 1e-10)].map(|(a, b, cost)| (a, b, Real::new(cost)));
    for algorithm in algorithms() {
        let outcome = run(&graph(&edges, 1), algorithm);
        let solution = outcome.solution().unwrap();
        assert!(!solution.optimal || solution.cost.get() < 3e-10, "{algorithm}: {solution:?}");
        assert!(outcome.lower_bound.is_none_or(|bound| bound.get() < 3e-10), "{algorithm}");
    }
}

#[test]
fn all_optimal_ways_of_real_costs_are_found() {
    // From (0, 0) to (7, 4) by 3 straight and 4 diagonal steps in any order.
    let successors = |&(x, y): &(i32, i32)| {
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        let steps = around.filter(|&step| step != (0, 0));
        let inside = steps.filter(move |(dx, dy)| (0..=7).contains(&(x + dx)) && (0..=7).contains(&(y + dy)));
        inside.map(move |(dx, dy)| {
            ((), (x + dx, y + dy), Real::new(if dx * dy == 0 { 1.0 } else { std::f64::consts::SQRT_2 }))
        })
    };
    let problem = from_successors((0, 0), successors, |&at| at == (7, 4));
    assert_eq!(Search::new(&problem).optima().unwrap().iter().count(), 35);
}

#[test]
fn free_circles_end() {
    let cycle = [(0, 1, 0u32), (1, 0, 0)];
    let beside = [(0, 1, 0u32), (1, 0, 0), (1, 2, 1)];
    for algorithm in complete() {
        assert_eq!(run(&graph(&cycle, 2), algorithm).answer, Answer::Unsolvable, "{algorithm}");
        assert_eq!(run(&graph(&beside, 2), algorithm).solution().unwrap().cost, 1, "{algorithm}");
    }
}

#[test]
fn what_a_meter_would_undo_is_refused() {
    let meter = Meter::new(Limits::default(), Control::default());
    let limited = || Search::new(&Line).limits(Limits { nodes: Some(1), ..Limits::default() });
    assert_eq!(limited().stepper(&meter, Algorithm::Ucs).unwrap_err(), CannotRun::LimitsBesideMeter);
    assert_eq!(limited().run_under(&meter, Algorithm::Ucs), Err(CannotRun::LimitsBesideMeter));
    let guided = Search::new(&Line).heuristic(Zero);
    assert_eq!(
        guided.stepper(&meter, Algorithm::Ucs).unwrap_err(),
        CannotRun::TakesNoHeuristic(Algorithm::Ucs)
    );
}

/// Two ways from 0 to 3: by 1 at 20, which looks nearer, and by 2 at 10.
const TWO_WAYS: [(u32, u32, u32); 4] = [(0, 1, 10), (1, 3, 10), (0, 2, 9), (2, 3, 1)];

fn awastar() -> Algorithm {
    Algorithm::AWAStar { weight: Weight::new(20.0).unwrap() }
}

#[test]
fn better_solutions_are_told_as_they_come() {
    let problem = graph(&TWO_WAYS, 3);
    let mut told = Vec::new();
    let outcome = Search::new(&problem)
        .estimate(Promise::ADMISSIBLE, |_, &at| [8u32, 0, 1, 0][at as usize])
        .improvements(|better| {
            told.push((better.cost, better.path.len(), better.lower_bound));
            ControlFlow::Continue(())
        })
        .run(awastar())
        .unwrap();
    let solution = outcome.solution().unwrap();
    assert!(solution.optimal && solution.cost == 10 && outcome.lower_bound == Some(10));
    assert_eq!(told.iter().map(|better| better.0).collect::<Vec<_>>(), [20, 10]);
    assert!(
        told.iter()
            .all(|&(_, steps, bound)| steps == 2 && bound.is_some_and(|bound| (8..=10).contains(&bound)))
    );
}

#[test]
fn a_search_that_is_ended_early_keeps_the_best() {
    let problem = graph(&TWO_WAYS, 3);
    let search =
        || Search::new(&problem).estimate(Promise::ADMISSIBLE, |_, &at| [8u32, 0, 1, 0][at as usize]);
    let check = |outcome: Outcome<_, u32>| {
        let solution = outcome.solution().expect("the first solution is kept");
        assert!(solution.cost == 20 && !solution.optimal, "{solution:?}");
        assert!(outcome.lower_bound.is_some_and(|bound| (8..=10).contains(&bound)));
    };
    // By the listener.
    check(search().improvements(|_| ControlFlow::Break(())).run(awastar()).unwrap());
    // By a limit.
    let limits = Limits { nodes: Some(2), ..Limits::default() };
    check(search().limits(limits).run(awastar()).unwrap());
    // From elsewhere, now or a moment later.
    let cancel = AtomicBool::new(false);
    let outcome = search().cancel(&cancel).improvements(|_| {
        cancel.store(true, Relaxed);
        ControlFlow::Continue(())
    });
    let outcome = outcome.run(awastar()).unwrap();
    assert!(outcome.solution().is_some());
}

#[test]
fn without_a_promise_the_cheapest_is_found_and_not_claimed() {
    let problem = graph(&TWO_WAYS, 3);
    let outcome = Search::new(&problem)
        .estimate(Promise::NONE, |_, &at| [70u32, 0, 90, 0][at as usize])
        .run(awastar())
        .unwrap();
    let solution = outcome.solution().unwrap();
    assert!(!solution.optimal && solution.cost == 10 && outcome.lower_bound.is_none());
}

#[test]
fn a_sum_that_does_not_fit_takes_no_solution_away() {
    // The goal comes out first; what lies behind 2 is cheaper so far, and does not fit.
    let edges = [(0, 1, 4_000_000_000u32), (0, 2, 3_000_000_000), (2, 3, 3_000_000_000)];
    let outcome = Search::new(&graph(&edges, 1))
        .estimate(Promise::NONE, |_, &at| [0u32, 0, 2_000_000_000, 0][at as usize])
        .run(awastar())
        .unwrap();
    let solution = outcome.solution().unwrap();
    assert!(solution.cost == 4_000_000_000 && !solution.optimal && outcome.lower_bound.is_none());
}

#[test]
fn improvements_are_within_the_depth_limit() {
    // The cheapest way takes three actions, the next two, the dearest one.
    let edges = [(0, 1, 1u32), (1, 2, 1), (2, 3, 1), (0, 2, 5), (0, 3, 20)];
    for (depth, best, optimal) in [(1, 20, false), (2, 6, false), (3, 3, true)] {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let outcome = Search::new(&graph(&edges, 3))
            .estimate(Promise::ADMISSIBLE, |_, _| 0u32)
            .limits(limits)
            .improvements(|better| {
                assert!(better.path.len() <= depth as usize);
                ControlFlow::Continue(())
            })
            .run(awastar())
            .unwrap();
        let solution = outcome.solution().unwrap();
        assert_eq!((solution.cost, solution.optimal), (best, optimal), "{depth}");
    }
}
