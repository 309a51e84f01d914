//! Every algorithm on random directed graphs, against distances computed by
//! plain relaxation.

use std::ops::ControlFlow;

use novelo_search::algorithms::Needs;
use novelo_search::{
    Algorithm, Answer, Fate, Heuristic, Limits, Node, Observer, Outcome, Problem, Promise, Real, Reversible,
    Search, Side, Stats, Stop, Weight, Zero, check_reversible, from_successors,
};
use proptest::prelude::*;

type Cost = u32;

/// Nodes are numbers, the goal is the last.
#[derive(Debug, Clone)]
struct Graph {
    nodes: u8,
    start: u8,
    goal: u8,
    /// From, to, cost.
    edges: Vec<(u8, u8, Cost)>,
}

impl Problem for Graph {
    type State = u8;
    /// The number of an edge.
    type Action = u16;
    type Undo = u8;
    type Cost = u32;

    fn start(&self) -> u8 {
        self.start
    }
    fn is_goal(&self, node: &u8) -> bool {
        *node == self.goal
    }
    fn actions(&self, node: &u8, out: &mut Vec<u16>) {
        out.extend((0..).zip(&self.edges).filter(|(_, edge)| edge.0 == *node).map(|(i, _)| i));
    }
    fn apply(&self, node: &mut u8, edge: u16) -> (Cost, u8) {
        let (from, to, cost) = self.edges[edge as usize];
        assert_eq!(*node, from);
        *node = to;
        (cost, from)
    }
    fn undo(&self, node: &mut u8, _: u16, from: u8) {
        *node = from;
    }
}

impl Reversible for Graph {
    fn goals(&self) -> Vec<u8> {
        vec![self.goal]
    }
    fn actions_into(&self, node: &u8, out: &mut Vec<u16>) {
        out.extend((0..).zip(&self.edges).filter(|(_, edge)| edge.1 == *node).map(|(i, _)| i));
    }
    fn retract(&self, node: &mut u8, edge: u16) -> Cost {
        let (from, to, cost) = self.edges[edge as usize];
        assert_eq!(*node, to);
        *node = from;
        cost
    }
}

const FAR: Cost = 1_000_000;

impl Graph {
    /// The cost from every node to the goal.
    fn distances(&self, unit: bool) -> Vec<Cost> {
        let mut distances = vec![FAR; self.nodes as usize];
        distances[self.goal as usize] = 0;
        for _ in 0..self.nodes {
            for &(from, to, cost) in &self.edges {
                let through = distances[to as usize] + if unit { 1 } else { cost };
                distances[from as usize] = distances[from as usize].min(through);
            }
        }
        distances
    }

    fn replay(&self, path: &[u16]) -> (u8, Cost) {
        let mut node = self.start;
        let cost = path.iter().map(|&edge| self.apply(&mut node, edge).0).sum();
        (node, cost)
    }
}

/// An estimate given by a table; dead ends where the goal is out of reach.
struct Table {
    values: Vec<Cost>,
    promise: Promise,
}

impl Heuristic<Graph> for Table {
    type Memo = Cost;
    type Value = u32;

    fn promise(&self) -> Promise {
        self.promise
    }
    fn memo(&self, _: &Graph, node: &u8) -> Option<Cost> {
        Some(self.values[*node as usize]).filter(|&value| value < FAR)
    }
    fn value(&self, memo: &Cost) -> u32 {
        *memo
    }
}

/// The same in real numbers.
struct RealTable(Table);

impl Heuristic<Graph> for RealTable {
    type Memo = Cost;
    type Value = Real;

    fn promise(&self) -> Promise {
        self.0.promise
    }
    fn memo(&self, graph: &Graph, node: &u8) -> Option<Cost> {
        self.0.memo(graph, node)
    }
    fn value(&self, memo: &Cost) -> Real {
        Real::new(f64::from(*memo))
    }
}

fn graphs(least_cost: Cost) -> impl Strategy<Value = Graph> {
    (2..12u8).prop_flat_map(move |nodes| {
        let edge = (0..nodes, 0..nodes, least_cost..9);
        prop::collection::vec(edge, 0..30).prop_map(move |edges| Graph {
            nodes,
            start: 0,
            goal: nodes - 1,
            edges,
        })
    })
}

/// An admissible estimate that is mostly inconsistent.
fn table(graph: &Graph, noise: &[u8]) -> Table {
    let lower = |(distance, noise): (&Cost, &u8)| {
        if *distance < FAR { distance * Cost::from(*noise % 5) / 4 } else { FAR }
    };
    let distances = graph.distances(false);
    Table { values: distances.iter().zip(noise).map(lower).collect(), promise: Promise::ADMISSIBLE }
}

fn check(graph: &Graph, algorithm: Algorithm, outcome: &Outcome<u16>, optimum: Cost) {
    match &outcome.answer {
        Answer::Solved(solution) => {
            assert_eq!(graph.replay(&solution.path), (graph.goal, solution.cost), "{algorithm}");
            assert!(solution.cost >= optimum);
            if solution.optimal {
                assert_eq!(solution.cost, optimum, "{algorithm}");
            }
        }
        Answer::Unsolvable => assert_eq!(optimum, FAR, "{algorithm}"),
        Answer::Stopped(Stop::GaveUp) if may_give_up(algorithm) => {}
        Answer::Stopped(stop) => panic!("{algorithm} stopped: {stop:?}"),
    }
    if let Some(bound) = outcome.lower_bound {
        assert!(bound <= optimum, "{algorithm}: bound {bound}, optimum {optimum}");
    }
    // Of the two roots of a search from both ends, one is counted.
    let roots = u64::from(algorithm.info().needs == Needs::HeuristicBothWays);
    let Stats { expanded, generated, .. } = outcome.stats;
    assert!(generated > 0 && expanded <= generated + roots, "{algorithm}");
}

/// Those that need no estimate towards the start.
fn algorithms() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|algorithm| algorithm.info().needs != Needs::HeuristicBothWays)
}

/// Whether an algorithm may end without an answer though nothing stopped it.
fn may_give_up(algorithm: Algorithm) -> bool {
    use Algorithm::{Anneal, Beam, HillClimb, LrtaStar};
    matches!(algorithm, Beam { .. } | HillClimb { .. } | Anneal { .. } | LrtaStar { .. })
}

fn optimal_cost(outcome: &Outcome<u16>) -> Option<Cost> {
    outcome.solution().filter(|solution| solution.optimal).map(|solution| solution.cost)
}

proptest! {
    #[test]
    fn answers_are_right(graph in graphs(1), noise in prop::collection::vec(any::<u8>(), 12)) {
        let optimum = graph.distances(false)[graph.start as usize];
        let fewest = graph.distances(true)[graph.start as usize];
        let best = (optimum < FAR).then_some(optimum);
        for algorithm in algorithms() {
            let limits = Limits { depth: (algorithm == Algorithm::Dls { limit: None }).then_some(12), ..Limits::default() };
            let search = Search::new(&graph).heuristic(table(&graph, &noise)).limits(limits);
            let outcome = search.run_reversible(algorithm).unwrap();
            check(&graph, algorithm, &outcome, optimum);
            let real = Search::new(&graph).heuristic(RealTable(table(&graph, &noise))).limits(limits);
            let outcome_real = real.run_reversible(algorithm).unwrap();
            check(&graph, algorithm, &outcome_real, optimum);
            match algorithm {
                Algorithm::Ucs
                | Algorithm::AStar
                | Algorithm::AWAStar { .. }
                | Algorithm::AraStar { .. }
                | Algorithm::IdaStar
                | Algorithm::Rbfs
                | Algorithm::SmaStar { .. }
                | Algorithm::Ibex
                | Algorithm::Cabs
                | Algorithm::PeaStar => {
                    prop_assert_eq!(optimal_cost(&outcome), best, "{}", algorithm);
                    prop_assert_eq!(optimal_cost(&outcome_real), best, "{}", algorithm);
                }
                Algorithm::Bfs | Algorithm::Ids | Algorithm::Bidirectional => {
                    let length = outcome.solution().map(|solution| solution.path.len() as Cost);
                    prop_assert_eq!(length, (fewest < FAR).then_some(fewest), "{}", algorithm);
                }
                _ if may_give_up(algorithm) => prop_assert!(best.is_some() || outcome.solution().is_none()),
                _ => prop_assert_eq!(outcome.solution().is_some(), best.is_some()),
            }
        }
    }

    /// Searches from both ends find the cheapest path, and count the same while they are watched.
    #[test]
    fn both_ends_meet(graph in graphs(0), seed in any::<u64>()) {
        let optimum = graph.distances(false)[graph.start as usize];
        for algorithm in Algorithm::all().filter(|algorithm| algorithm.info().needs == Needs::HeuristicBothWays) {
            for shuffle in [None, Some(seed)] {
                let search = || Search::new(&graph).heuristic(Zero).shuffle(shuffle);
                let outcome = search().run_reversible(algorithm).unwrap();
                check(&graph, algorithm, &outcome, optimum);
                prop_assert_eq!(optimal_cost(&outcome), (optimum < FAR).then_some(optimum), "{}", algorithm);
                let mut seen = Seen { graph: &graph, estimates: None, expanded: 0, generated: 0 };
                let watched = search().observer(&mut seen).run_reversible(algorithm).unwrap();
                prop_assert_eq!(&watched.answer, &outcome.answer);
                prop_assert_eq!(seen.expanded, outcome.stats.expanded, "{}", algorithm);
                prop_assert_eq!(watched.stats.generated, outcome.stats.generated, "{}", algorithm);
            }
        }
    }

    /// A problem by functions that has its predecessors, too, is searched from both ends.
    #[test]
    fn functions_run_backwards(graph in graphs(1)) {
        let edges = &graph.edges;
        let successors = |&at: &u8| {
            let out = edges.iter().zip(0u16..).filter(move |(edge, _)| edge.0 == at);
            out.map(|(&(_, to, cost), i)| (i, to, cost))
        };
        let predecessors = |&at: &u8| {
            let into = edges.iter().zip(0u16..).filter(move |(edge, _)| edge.1 == at);
            into.map(|(&(from, _, cost), i)| (i, from, cost))
        };
        let problem = from_successors(graph.start, successors, |&at| at == graph.goal)
            .backwards([graph.goal], predecessors);
        prop_assert!(check_reversible(&problem, &Zero, 50).is_ok());
        let (optimum, fewest) = (graph.distances(false)[graph.start as usize], graph.distances(true)[graph.start as usize]);
        for algorithm in [Algorithm::Bidirectional, Algorithm::Ucs, Algorithm::Bfs] {
            let outcome = Search::new(&problem).run_reversible(algorithm).unwrap();
            let path: Option<Vec<u16>> =
                outcome.solution().map(|solution| solution.path.iter().map(|edge| edge.action).collect());
            prop_assert_eq!(path.is_some(), optimum < FAR, "{}", algorithm);
            let (Some(path), Some(solution)) = (path, outcome.solution()) else { continue };
            prop_assert_eq!(graph.replay(&path), (graph.goal, solution.cost), "{}", algorithm);
            if algorithm == Algorithm::Ucs {
                prop_assert_eq!(solution.cost, optimum);
            } else {
                prop_assert_eq!(path.len() as Cost, fewest, "{}", algorithm);
            }
        }
    }

    #[test]
    fn free_edges_do_no_harm(graph in graphs(0), noise in prop::collection::vec(any::<u8>(), 12)) {
        let optimum = graph.distances(false)[graph.start as usize];
        for algorithm in [Algorithm::Bfs, Algorithm::Dfs, Algorithm::Ucs, Algorithm::AStar, Algorithm::Greedy] {
            let outcome = Search::new(&graph).heuristic(table(&graph, &noise)).run(algorithm).unwrap();
            check(&graph, algorithm, &outcome, optimum);
        }
    }

    #[test]
    fn weighted_search_keeps_its_bound(graph in graphs(1), noise in prop::collection::vec(any::<u8>(), 12), weight in 100..500u32) {
        let optimum = graph.distances(false)[graph.start as usize];
        let weight = Weight::new(f64::from(weight) / 100.0).unwrap();
        let algorithm = Algorithm::WAStar { weight };
        let outcome = Search::new(&graph).heuristic(table(&graph, &noise)).run(algorithm).unwrap();
        check(&graph, algorithm, &outcome, optimum);
        if let Some(solution) = outcome.solution() {
            prop_assert!(f64::from(solution.cost) <= f64::from(optimum) * weight.to_f64() + 1e-9);
        }
    }

    /// Watching a search, shuffling it and running it again change neither
    /// what is optimal nor what is counted.
    #[test]
    fn counts_are_reproducible(graph in graphs(1), noise in prop::collection::vec(any::<u8>(), 12), seed in any::<u64>()) {
        for algorithm in algorithms() {
            let limits = Limits { depth: Some(20), ..Limits::default() };
            for shuffle in [None, Some(seed)] {
                let search = || Search::new(&graph).heuristic(table(&graph, &noise)).limits(limits).shuffle(shuffle);
                let blind = Algorithm::Bidirectional == algorithm
                    || algorithm.info().needs == Needs::Nothing;
                let estimates = table(&graph, &noise).values;
                let mut seen = Seen { graph: &graph, estimates: (!blind).then_some(estimates), expanded: 0, generated: 0 };
                let watched = search().observer(&mut seen).run_reversible(algorithm).unwrap();
                let first = search().run_reversible(algorithm).unwrap();
                let counts = |outcome: &Outcome<u16>| (outcome.stats.expanded, outcome.stats.generated);
                prop_assert_eq!(counts(&watched), counts(&first), "{}", algorithm);
                prop_assert_eq!(watched.answer, first.answer);
                prop_assert_eq!(seen.expanded, first.stats.expanded, "{}", algorithm);
                prop_assert!(seen.generated + 1 >= first.stats.generated);
                prop_assert_eq!(watched.stats.stored_peak, first.stats.stored_peak, "{}", algorithm);
                prop_assert!(first.stats.stored_peak <= first.stats.generated + 1, "{}", algorithm);
            }
        }
    }
}

/// Holds what an observer is told against a replay.
struct Seen<'g> {
    graph: &'g Graph,
    /// The estimates, where the algorithm computes any.
    estimates: Option<Vec<Cost>>,
    expanded: u64,
    generated: u64,
}

impl Seen<'_> {
    fn check(&self, node: &Node<'_, u8>) {
        if let (Some(h), Some(estimates)) = (node.h, &self.estimates) {
            assert_eq!(h as Cost, estimates[*node.state as usize]);
        }
    }
}

impl Observer<Graph> for Seen<'_> {
    fn expanded(&mut self, node: Node<'_, u8>, path: &dyn Fn() -> Vec<u16>) -> ControlFlow<()> {
        self.expanded += 1;
        self.check(&node);
        if node.side == Side::Forward {
            // The path rebuilt from the store takes the cheapest of parallel edges; the search may have taken another.
            let (end, cost) = self.graph.replay(&path());
            assert_eq!(end, *node.state);
            assert!(cost <= node.g);
        }
        ControlFlow::Continue(())
    }

    fn generated(&mut self, parent: Node<'_, u8>, edge: &u16, child: Node<'_, u8>, fate: Fate) {
        self.generated += 1;
        let (from, to, cost) = self.graph.edges[*edge as usize];
        let (before, after) = match child.side {
            Side::Forward => (parent.state, child.state),
            Side::Backward => (child.state, parent.state),
        };
        assert_eq!((*before, *after), (from, to));
        assert_eq!(child.g, parent.g + cost, "{fate:?}");
        self.check(&parent);
        if fate != Fate::Dead {
            self.check(&child);
        }
    }
}

/// A path so long that recursion would overflow the stack.
#[test]
fn depth_is_no_danger() {
    struct Line;
    impl Problem for Line {
        type State = u32;
        type Action = ();
        type Undo = ();
        type Cost = u32;
        const TREE: bool = true;
        fn start(&self) -> u32 {
            0
        }
        fn is_goal(&self, at: &u32) -> bool {
            *at == 1_000_000
        }
        fn actions(&self, _: &u32, out: &mut Vec<()>) {
            out.push(());
        }
        fn apply(&self, at: &mut u32, (): ()) -> (Cost, ()) {
            *at += 1;
            (1, ())
        }
        fn undo(&self, at: &mut u32, (): (), (): ()) {
            *at -= 1;
        }
    }
    for algorithm in [Algorithm::Dfs, Algorithm::Bfs, Algorithm::AStar] {
        let outcome = Search::new(&Line).heuristic(Zero).run(algorithm).unwrap();
        assert_eq!(outcome.solution().unwrap().cost, 1_000_000);
    }
    let limits = Limits { depth: Some(2_000_000), ..Limits::default() };
    assert!(
        Search::new(&Line).limits(limits).run(Algorithm::Dls { limit: None }).unwrap().solution().is_some()
    );
}

#[test]
fn cancelling_ends_every_algorithm() {
    struct Endless;
    impl Problem for Endless {
        type State = u64;
        type Action = u64;
        type Undo = u64;
        type Cost = u32;
        fn start(&self) -> u64 {
            1
        }
        fn is_goal(&self, _: &u64) -> bool {
            false
        }
        fn actions(&self, _: &u64, out: &mut Vec<u64>) {
            out.extend([2, 3]);
        }
        fn apply(&self, at: &mut u64, factor: u64) -> (Cost, u64) {
            let before = *at;
            *at = at.wrapping_mul(factor).wrapping_add(1);
            (1, before)
        }
        fn undo(&self, at: &mut u64, _: u64, before: u64) {
            *at = before;
        }
    }
    let cancel = std::sync::atomic::AtomicBool::new(true);
    for algorithm in Algorithm::all().filter(|algorithm| !algorithm.info().needs.reversible()) {
        let limits = Limits {
            depth: (algorithm == Algorithm::Dls { limit: None }).then_some(1 << 20),
            ..Limits::default()
        };
        let outcome =
            Search::new(&Endless).heuristic(Zero).limits(limits).cancel(&cancel).run(algorithm).unwrap();
        assert_eq!(outcome.answer, Answer::Stopped(Stop::Interrupted), "{algorithm}");
    }
}

/// The cheapest simple paths to the goal, counted by trying all.
fn optimal_paths(graph: &Graph, node: u8, left: Cost, path: &mut Vec<u8>) -> usize {
    if node == graph.goal {
        return usize::from(left == 0);
    }
    path.push(node);
    let edges = graph.edges.iter().filter(|edge| edge.0 == node && edge.2 <= left);
    let next: Vec<_> = edges.copied().filter(|edge| !path.contains(&edge.1)).collect();
    let count = next.iter().map(|&(_, to, cost)| optimal_paths(graph, to, left - cost, path)).sum();
    path.pop();
    count
}

proptest! {
    #[test]
    fn all_optimal_solutions_are_found(graph in graphs(0), noise in prop::collection::vec(any::<u8>(), 12)) {
        let optimum = graph.distances(false)[graph.start as usize];
        let expected = if optimum < FAR { optimal_paths(&graph, graph.start, optimum, &mut Vec::new()) } else { 0 };
        let guided = Search::new(&graph).heuristic(table(&graph, &noise)).optima().unwrap();
        for optima in [Search::new(&graph).optima().unwrap(), guided] {
            prop_assert_eq!(optima.cost(), Ok((optimum < FAR).then_some(optimum)));
            let mut paths: Vec<_> = optima.iter().map(|solution| solution.path).collect();
            for path in &paths {
                prop_assert_eq!(graph.replay(path), (graph.goal, optimum));
            }
            prop_assert_eq!(paths.len(), expected);
            paths.sort();
            paths.dedup();
            prop_assert_eq!(paths.len(), expected);
        }
    }

    #[test]
    fn everything_is_reached_at_its_distance(mut graph in graphs(0)) {
        let reach = |graph: &Graph| -> Vec<Option<Cost>> {
            let reach = Search::new(graph).reach().unwrap();
            (0..graph.nodes).map(|node| {
                let cost = reach.cost(&node);
                if let Some(path) = reach.path(&node) {
                    assert_eq!(graph.replay(&path), (node, cost.unwrap()));
                }
                cost
            }).collect()
        };
        let costs = reach(&graph);
        for node in 0..graph.nodes {
            graph.goal = node;
            let distance = graph.distances(false)[graph.start as usize];
            prop_assert_eq!(costs[node as usize], (distance < FAR).then_some(distance));
        }
    }
}

fn graph(nodes: u8, edges: &[(u8, u8, Cost)]) -> Graph {
    Graph { nodes, start: 0, goal: 1, edges: edges.to_vec() }
}

/// An estimate below nothing at a goal must not make a dear path to it look cheap.
#[test]
fn negative_estimates_prove_nothing_wrong() {
    let graph = graph(3, &[(0, 1, 4), (0, 2, 1), (2, 1, 1)]);
    let estimate = |_: &Graph, node: &u8| [0.0, -2.0, 1.0][*node as usize];
    let weighted = |weight| Algorithm::WAStar { weight: Weight::new(weight).unwrap() };
    for algorithm in [Algorithm::AStar, Algorithm::IdaStar, weighted(1.5), weighted(1000.0)] {
        let search = Search::new(&graph).estimate(Promise::ADMISSIBLE, estimate);
        let outcome = search.run_reversible(algorithm).unwrap();
        check(&graph, algorithm, &outcome, 2);
        if !matches!(algorithm, Algorithm::WAStar { .. }) {
            assert_eq!(optimal_cost(&outcome), Some(2), "{algorithm}");
        }
    }
}

/// Within an infinite bound, IDA* would go round in circles for ever.
#[test]
fn infinite_estimates_are_no_bounds() {
    let run = |graph: &Graph, promise| {
        let estimate = |graph: &Graph, node: &u8| match graph.distances(false)[*node as usize] {
            FAR => f64::INFINITY,
            distance => f64::from(distance),
        };
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        Search::new(graph).estimate(promise, estimate).limits(limits).run(Algorithm::IdaStar).unwrap()
    };
    let endless = graph(2, &[(0, 0, 1)]);
    assert_eq!(run(&endless, Promise::ADMISSIBLE).answer, Answer::Unsolvable);
    // Without the promise, infinity is no proof that there is no goal.
    assert_eq!(run(&endless, Promise::NONE).answer, Answer::Stopped(Stop::Overflow));
    let aside = graph(4, &[(0, 2, 1), (2, 2, 1), (0, 3, 1), (3, 1, 5)]);
    assert_eq!(optimal_cost(&run(&aside, Promise::ADMISSIBLE)), Some(6));
}

/// Where all actions are free, the first path to a state may be the longer one, and is not dearer.
#[test]
fn free_actions_leave_shorter_paths_their_depth() {
    struct Free(Graph);
    impl Problem for Free {
        type State = u8;
        type Action = u16;
        type Undo = u8;
        type Cost = u32;
        fn start(&self) -> u8 {
            self.0.start
        }
        fn is_goal(&self, node: &u8) -> bool {
            self.0.is_goal(node)
        }
        fn actions(&self, node: &u8, out: &mut Vec<u16>) {
            self.0.actions(node, out);
        }
        fn apply(&self, node: &mut u8, edge: u16) -> (Cost, u8) {
            self.0.apply(node, edge)
        }
        fn undo(&self, node: &mut u8, edge: u16, from: u8) {
            self.0.undo(node, edge, from);
        }
        fn unit_cost(&self) -> bool {
            true
        }
    }
    let free = Free(graph(6, &[(0, 2, 0), (2, 5, 0), (0, 3, 0), (3, 4, 0), (4, 5, 0), (5, 1, 0)]));
    let limits = Limits { depth: Some(3), ..Limits::default() };
    for algorithm in Algorithm::all().filter(|algorithm| !algorithm.info().needs.reversible()) {
        let outcome = Search::new(&free).heuristic(Zero).limits(limits).run(algorithm).unwrap();
        assert!(outcome.solution().is_some_and(|solution| solution.path.len() == 3), "{algorithm}");
    }
}
