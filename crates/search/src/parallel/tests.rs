//! Simulated runs with random delays against searches on one thread; and the real threads.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::simulator::{self, Network};
use super::*;
use crate::heuristic::{Promise, Zero, from_fn};
use crate::limits::{Limits, Stop};
use crate::meter::Control;
use crate::outcome::{Answer, Solution};
use crate::random::Random;
use crate::search::Search;
use crate::{Algorithm, from_successors};

/// A random graph with free and dear arcs, goals or none, and estimates that are admissible and not consistent.
struct Graph {
    arcs: Vec<Vec<(usize, u32)>>,
    goals: Vec<bool>,
    h: Vec<Option<u32>>,
}

impl Graph {
    fn random(random: &mut Random) -> Self {
        let n = 2 + random.below(40);
        let arcs: Vec<Vec<_>> = (0..n)
            .map(|_| (0..random.below(4)).map(|_| (random.below(n), random.below(7) as u32)).collect())
            .collect();
        let rare = 1 + random.below(20);
        let goals: Vec<_> = (0..n).map(|node| node > 0 && random.below(rare) == 0).collect();
        let mut left: Vec<_> = goals.iter().map(|&goal| goal.then_some(0u32)).collect();
        for _ in 0..n {
            for from in 0..n {
                for &(to, cost) in &arcs[from] {
                    if let Some(sum) = left[to].map(|left| left + cost)
                        && left[from].is_none_or(|known| sum < known)
                    {
                        left[from] = Some(sum);
                    }
                }
            }
        }
        let mut guess = |left: Option<u32>| match left {
            Some(left) => Some(random.below(left as usize + 1) as u32),
            None if random.below(2) == 0 => None,
            None => Some(random.below(30) as u32),
        };
        let h = left.into_iter().map(&mut guess).collect();
        Self { arcs, goals, h }
    }

    fn problem(&self) -> impl Problem<State = usize, Cost = u32> {
        let arcs = |&node: &usize| self.arcs[node].iter().enumerate().map(|(i, &(to, cost))| (i, to, cost));
        from_successors(0, arcs, |&node: &usize| self.goals[node])
    }
}

/// Pancakes in a heap of a few, each flip of which takes itself back: a problem whose nodes are linked by the action.
struct Pancakes {
    heap: Vec<u8>,
}

impl Problem for Pancakes {
    type State = [u8; 8];
    type Action = u8;
    type Undo = ();
    type Cost = u32;

    const BACK: Option<()> = Some(());

    fn start(&self) -> [u8; 8] {
        std::array::from_fn(|i| self.heap.get(i).copied().unwrap_or(i as u8))
    }

    fn is_goal(&self, state: &[u8; 8]) -> bool {
        state.is_sorted()
    }

    fn actions(&self, _: &[u8; 8], out: &mut Vec<u8>) {
        out.extend(2..=self.heap.len() as u8);
    }

    fn apply(&self, state: &mut [u8; 8], flip: u8) -> (u32, ()) {
        state[..flip as usize].reverse();
        (1, ())
    }

    fn undo(&self, state: &mut [u8; 8], flip: u8, (): ()) {
        state[..flip as usize].reverse();
    }

    fn unit_cost(&self) -> bool {
        true
    }
}

/// Up by one, for ever: a problem with states and actions of a few bytes.
#[derive(Debug)]
pub(super) struct Counting;

impl Problem for Counting {
    type State = u64;
    type Action = u8;
    type Undo = ();
    type Cost = u32;

    fn start(&self) -> u64 {
        0
    }

    fn is_goal(&self, _: &u64) -> bool {
        false
    }

    fn actions(&self, _: &u64, out: &mut Vec<u8>) {
        out.push(1);
    }

    fn apply(&self, state: &mut u64, by: u8) -> (u32, ()) {
        *state += u64::from(by);
        (1, ())
    }

    fn undo(&self, state: &mut u64, by: u8, (): ()) {
        *state -= u64::from(by);
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "an estimate is a function of a reference")]
fn gap(_: &Pancakes, heap: &[u8; 8]) -> u32 {
    heap.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) != 1).count() as u32
}

fn shuffled(random: &mut Random, n: usize) -> Pancakes {
    let mut heap: Vec<u8> = (0..n as u8).collect();
    (1..n).rev().for_each(|i| heap.swap(i, random.below(i + 1)));
    Pancakes { heap }
}

fn unlimited() -> Meter<'static> {
    Meter::new(Limits::default(), Control::default())
}

fn network(random: &mut Random) -> Network {
    Network {
        expansion: 1 + random.below(2000) as u64,
        node: random.below(200) as u64,
        message: random.below(500) as u64,
        latency: random.below(20_000) as u64,
        kilobyte: random.below(1000) as u64,
        jitter: Some((random.below(1 << 30) as u64, 1 + random.below(8) as u64)),
    }
}

/// What the costs of a problem's solutions are said to be: nothing where there is none.
fn cost<A>(answer: &Answer<A, u32>) -> Option<(u32, bool)> {
    match answer {
        Answer::Solved(solution) => Some((solution.cost, solution.optimal)),
        Answer::Unsolvable => None,
        Answer::Stopped(stop) => panic!("stopped by {stop}"),
    }
}

/// Runs of random graphs; how many end wrongly or not at all.
fn wrong_ends(runs: u64, careless: bool) -> usize {
    let mut wrong = 0;
    for run in 0..runs {
        let mut random = Random::new(run);
        let graph = Graph::random(&mut random);
        let problem = graph.problem();
        let network = network(&mut random);
        let workers = 1 + random.below(6);
        let guide = from_fn(Promise::ADMISSIBLE, |_: &_, &node: &usize| graph.h[node]);
        let blind = run % 2 == 0;
        let search = if blind { Parallel::new(&problem, &Zero) } else { Parallel::new(&problem, &guide) };
        let meter = unlimited();
        let simulated = simulator::run(&search, workers, &network, &meter, |worker| {
            if careless {
                worker.be_careless();
            }
        });
        let alone = Search::new(&problem).heuristic(&guide).run(Algorithm::AStar).unwrap();
        let right = simulated.is_some_and(|it| cost(&it.outcome.answer) == cost(&alone.answer));
        wrong += usize::from(!right);
    }
    wrong
}

#[test]
fn ten_thousand_simulated_runs_end_and_are_right() {
    assert_eq!(wrong_ends(10_000, false), 0);
}

#[test]
fn a_careless_end_is_caught_by_the_simulator() {
    assert!(wrong_ends(1000, true) > 0);
}

#[test]
fn breadth_first_over_simulated_workers_finds_the_shallowest() {
    for run in 0..1000 {
        let mut random = Random::new(run);
        let graph = Graph::random(&mut random);
        let problem = graph.problem();
        let network = network(&mut random);
        let search = Parallel { order: Order::Depth, ..Parallel::new(&problem, &Zero) };
        let simulated = simulate(&search, 1 + random.below(6), &network, &unlimited()).expect("no hang");
        let alone = Search::new(&problem).run(Algorithm::Bfs).unwrap();
        let depth = |solution: Option<&Solution<_, u32>>| solution.map(|solution| solution.path.len());
        assert_eq!(depth(simulated.outcome.solution()), depth(alone.solution()), "run {run}");
    }
}

#[test]
fn paths_are_followed_back_by_actions_over_simulated_workers() {
    for run in 0..100 {
        let mut random = Random::new(run);
        let problem = shuffled(&mut random, 4 + run as usize % 4);
        let guide = from_fn(Promise::CONSISTENT, gap);
        let network = network(&mut random);
        let search = Parallel::new(&problem, &guide);
        let simulated = simulate(&search, 1 + random.below(9), &network, &unlimited()).expect("no hang");
        let alone = Search::new(&problem).heuristic(&guide).run(Algorithm::AStar).unwrap();
        assert_eq!(cost(&simulated.outcome.answer), cost(&alone.answer), "run {run}");
        assert!(WorkerStats::total(&simulated.workers).expanded > 0 || alone.stats.expanded == 0);
    }
}

#[test]
fn simulated_runs_repeat() {
    let problem = shuffled(&mut Random::new(7), 8);
    let once = || {
        let simulated =
            simulate(&Parallel::new(&problem, &Zero), 16, &Network::CLUSTER, &unlimited()).unwrap();
        (simulated.makespan, simulated.workers)
    };
    assert_eq!(once(), once());
}

#[test]
fn a_limit_that_one_worker_meets_ends_all_and_proves_nothing() {
    for run in 0..2000 {
        let mut random = Random::new(run);
        let problem = shuffled(&mut random, 6);
        let limits = Limits { nodes: Some(1 + random.below(720) as u64), ..Limits::default() };
        let meter = Meter::new(limits, Control::default());
        let network = network(&mut random);
        let guide = from_fn(Promise::CONSISTENT, gap);
        let least = Search::new(&problem).heuristic(guide).run(Algorithm::AStar).unwrap();
        let (least, _) = cost(&least.answer).unwrap();
        let simulated = simulate(&Parallel::new(&problem, &Zero), 5, &network, &meter).expect("no hang");
        match simulated.outcome.answer {
            Answer::Solved(solution) => assert!(!solution.optimal || solution.cost == least, "{solution:?}"),
            Answer::Unsolvable => panic!("a heap can always be sorted"),
            Answer::Stopped(stop) => assert_eq!(stop, Stop::Nodes),
        }
        assert!(simulated.outcome.stats.expanded <= limits.nodes.unwrap());
    }
}

#[test]
fn a_sum_that_does_not_fit_ends_all_and_proves_nothing() {
    let steps = |&n: &u32| [(1, n + 1, u32::MAX / 3), (2, n + 2, u32::MAX / 2)];
    let problem = from_successors(0u32, steps, |&n| n == 40);
    let simulated = simulate(&Parallel::new(&problem, &Zero), 4, &Network::CLUSTER, &unlimited()).unwrap();
    assert_eq!(simulated.outcome.answer, Answer::Stopped(Stop::Overflow));
    assert_eq!(simulated.outcome.lower_bound, None);
}

#[test]
fn threads_agree_with_one() {
    for run in 0..40 {
        let mut random = Random::new(run);
        let problem = shuffled(&mut random, 8);
        let guide = from_fn(Promise::CONSISTENT, gap);
        let alone = Search::new(&problem).heuristic(&guide).run(Algorithm::AStar).unwrap();
        for workers in [1, 2, 3, 8] {
            let searches = [
                Parallel::new(&problem, &guide),
                Parallel { order: Order::Depth, ..Parallel::new(&problem, &Zero) },
            ];
            for search in searches {
                let (outcome, all) = search.run(workers, &unlimited());
                assert_eq!(cost(&outcome.answer), cost(&alone.answer));
                let total = WorkerStats::total(&all);
                assert_eq!((all.len(), total.expanded), (workers, outcome.stats.expanded));
                assert_eq!(total.stored, outcome.stats.stored_peak);
            }
        }
    }
}

#[test]
fn threads_end_when_cancelled_or_out_of_time_or_memory() {
    // To infinity.
    let problem = from_successors(0u64, |&n| [(1, n + 1, 1u32), (2, 2 * n, 1)], |_| false);
    let cancelled = AtomicBool::new(true);
    let run = |limits, control| Parallel::new(&problem, &Zero).run(3, &Meter::new(limits, control)).0.answer;
    let control = Control::cancelled_by(&cancelled);
    assert_eq!(run(Limits::default(), control), Answer::Stopped(Stop::Interrupted));
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    assert_eq!(run(limits, Control::default()), Answer::Stopped(Stop::Time));
    let limits = Limits { memory: Some(4 << 20), ..Limits::default() };
    assert_eq!(run(limits, Control::default()), Answer::Stopped(Stop::Memory));
}

#[test]
fn a_panic_in_one_thread_is_passed_on() {
    let problem = from_successors(
        0u32,
        |&n| {
            assert!(n < 5000, "too far");
            [(1, n + 1, 1u32), (2, n + 7, 1)]
        },
        |_| false,
    );
    let run = || Parallel::new(&problem, &Zero).run(4, &unlimited());
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}
