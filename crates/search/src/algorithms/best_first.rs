//! The one best-first engine: uniform cost, greedy, A* and weighted A* differ
//! only in the key of a node.
//!
//! A node that is reached again at a lower cost is put into the open list once
//! more; the older entry is recognised as stale when it comes out, because the
//! node's key has sunk below the entry's. An inconsistent heuristic lets that
//! happen to expanded nodes, which are expanded again: with f alone, up to
//! 2^n times for n nodes (Martelli, 1977). So A* does as his algorithm B: among
//! nodes whose f lies below the largest f expanded so far, the one with the
//! smallest g comes first. Then n nodes take at most n^2 expansions, and the
//! proof is the same.
//!
//! The cost of an expansion on a large problem is waiting for memory. So nodes
//! are taken from the open list in batches of equal key; all successors of a
//! batch are produced first, their places in the hash index being fetched
//! meanwhile, and only then looked up: first those that are new at first sight,
//! then, when the states that they may be equal to have been fetched as well, the
//! others. A batch is a single node until the store
//! outgrows the processor's caches, so that on small searches the order of
//! expansion is exactly the open list's; beyond, nodes that come up within a
//! batch wait for its end. Neither which states are expanded below the optimal
//! cost nor the proof of optimality depends on that order.

use super::idastar::unit;
use crate::cost::Cost;
use crate::heuristic::{Estimate, Heuristic, Key, Weight};
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::observer::{Fate, Node, Observer};
use crate::open::OpenList;
use crate::order;
use crate::outcome::{Answer, Outcome, OutcomeOf, solved};
use crate::problem::Problem;
use crate::search::Search;
use crate::store::{Arrival, Found, Handle, NodeStore, Nodes};

/// What nodes are ordered by.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    /// g alone.
    Cost,
    /// h alone. A state is kept as it was first reached.
    Estimate,
    /// g plus the weighted h.
    Sum(Weight),
}

impl Rule {
    /// Whether a state that is reached again at a lower cost takes its place anew.
    #[inline]
    fn counts_cost(self) -> bool {
        !matches!(self, Self::Estimate)
    }

    /// How far a search has come that takes a key from the open list.
    #[inline]
    fn frontier<C, E: Estimate<C>>(self, key: E::Key) -> Frontier {
        match self {
            Self::Cost => Frontier::Cost(key.to_f64()),
            // Whole keys are multiplied by the denominator.
            Self::Sum(weight) if E::WHOLE => Frontier::F(key.to_f64() / f64::from(weight.fraction().1)),
            Self::Estimate | Self::Sum(_) => Frontier::F(key.to_f64()),
        }
    }

    #[inline]
    fn key<C: Cost, E: Estimate<C>>(self, g: C, h: E) -> Option<E::Key> {
        match self {
            Self::Cost => Some(E::cost_key(g)),
            Self::Estimate => Some(h.key()),
            Self::Sum(Weight::ONE) => h.plus(g).map(E::key),
            Self::Sum(weight) => h.weighted_key(g, weight),
        }
    }
}

struct Lists<'s, P: Problem, E: Estimate<P::Cost>> {
    store: NodeStore<'s, P>,
    open: E::Open,
    /// Nodes whose f lies below the largest one expanded so far, by g.
    below: E::Open,
    /// The largest key taken from the open list so far.
    highest: E::Key,
    /// Whether a node was not expanded because of the depth limit.
    cut: bool,
}

impl<P: Problem, E: Estimate<P::Cost>> Lists<'_, P, E> {
    /// Bytes held beside the store.
    fn beside(&self) -> usize {
        self.open.bytes() + self.below.bytes()
    }

    /// Puts a node into its open list.
    #[inline(always)]
    fn open(&mut self, rule: Rule, g: P::Cost, h: E, node: Handle) -> Result<(), Stop> {
        let key = rule.key(g, h).ok_or(Stop::Overflow)?;
        if key < self.highest && matches!(rule, Rule::Sum(Weight::ONE)) {
            self.below.push(E::cost_key(g), h, node);
        } else {
            self.open.push(key, h, node);
        }
        Ok(())
    }
}

impl<P: Problem, E: Estimate<P::Cost>> Held for Lists<'_, P, E> {
    fn nodes(&self) -> u64 {
        self.store.nodes()
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.beside()
    }

    fn passing_bytes(&self) -> usize {
        self.store.passing_bytes()
    }
}

/// Nodes taken together once the store is larger than `SMALL`.
const BATCH: usize = 32;
/// Stored nodes up to which nodes are expanded strictly one by one.
const SMALL: usize = 1 << 14;

struct Parent<P: Problem, E> {
    node: Handle,
    state: P::State,
    g: P::Cost,
    h: E,
}

struct Child<P: Problem, E> {
    state: P::State,
    parent: Handle,
    /// The place of the action among those of the batch.
    action: u32,
    hash: u64,
    g: P::Cost,
    h: E,
}

/// What the open lists of a search order by.
type KeyOf<P, H> = <<H as Heuristic<P>>::Value as Estimate<<P as Problem>::Cost>>::Key;

/// Runs a best-first search by one rule.
pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
    rule: Rule,
) -> OutcomeOf<P> {
    let Search { problem, heuristic, settings, mut observer, .. } = search;
    let mut counter = meter.counter();
    // Where all actions cost the same, and not nothing, the cheaper of two paths is the shorter one.
    let shorter = problem.unit_cost() && unit(problem, &problem.start()) > P::Cost::ZERO;
    let nodes = if shorter && rule.counts_cost() { Nodes::States } else { Nodes::StatesAtDepths };
    let mut lists = Lists::<P, H::Value> {
        store: NodeStore::new(problem, meter.budget()).with_costs().with_depths(meter.limits().depth, nodes),
        open: Default::default(),
        below: Default::default(),
        highest: Key::LEAST,
        cut: false,
    };
    let start = problem.start();
    let admissible = heuristic.promise().admissible;
    let root = heuristic.memo(problem, &start).map(|memo| heuristic.value(&memo));
    let mut engine =
        Engine { problem, heuristic: &heuristic, observer: &mut observer, rule, watched: Vec::new() };
    meter.note_root();
    let answer = match root {
        None => Answer::Unsolvable,
        Some(h) => match engine.run(start, h, &mut lists, &mut counter, settings.shuffle) {
            // Where several actions lead from one state to the next, the path takes the cheapest: greedy search may
            // have stored another.
            Ok(Some(goal)) => solved(problem, lists.store.path(goal), false),
            Ok(None) if lists.cut => Answer::Stopped(Stop::Depth),
            Ok(None) => Answer::Unsolvable,
            Err(stop) => Answer::Stopped(stop),
        },
    };
    let mut lower_bound = root.filter(|_| admissible).and_then(Estimate::ceil);
    // The smallest f in the open list never exceeds the optimal cost, unless a depth limit has kept nodes out of it.
    if let (true, false, Some(bound)) = (admissible, lists.cut, &mut lower_bound) {
        let proved = match (rule, &answer) {
            (Rule::Cost | Rule::Sum(Weight::ONE), _) => H::Value::ceil_key(lists.highest),
            (Rule::Sum(weight), Answer::Solved(solution)) => {
                let least = solution.cost.unweighted(weight);
                // Real keys may have been rounded, so that a path a little too dear came first.
                if H::Value::WHOLE { Some(least) } else { P::Cost::at_least(least.to_f64()) }
            }
            _ => None,
        };
        *bound = proved.map_or(*bound, |proved| proved.max(*bound));
    }
    counter.finish(&lists);
    Outcome { answer, lower_bound, stats: meter.stats() }.proved_by_bound()
}

struct Engine<'s, P: Problem, H: Heuristic<P>, O> {
    problem: &'s P,
    heuristic: &'s H,
    observer: &'s mut O,
    rule: Rule,
    /// The nodes of the batch in hand, for an observer.
    watched: Vec<(Handle, P::Cost, H::Value)>,
}

impl<P: Problem, H: Heuristic<P>, O: Observer<P>> Engine<'_, P, H, O> {
    /// Expands nodes until a goal comes out of the open list.
    fn run(
        &mut self,
        start: P::State,
        h: H::Value,
        lists: &mut Lists<'_, P, H::Value>,
        counter: &mut Counter<'_>,
        shuffle: Option<u64>,
    ) -> Result<Option<Handle>, Stop> {
        lists.store.insert_root(start);
        lists.open(self.rule, P::Cost::ZERO, h, 0)?;
        let mut batch = Vec::with_capacity(BATCH);
        let mut actions = Vec::new();
        let mut children: Vec<Child<P, H::Value>> = Vec::new();
        while let Some((key, by_cost)) = Self::take(lists, &mut batch) {
            lists.store.leave_room(lists.beside());
            children.clear();
            actions.clear();
            self.watched.clear();
            for &(h, node) in &batch {
                let g = lists.store.cost(node);
                let now = if by_cost { Some(H::Value::cost_key(g)) } else { self.rule.key(g, h) };
                if now < Some(key) {
                    continue;
                }
                let state = lists.store.state(node).clone();
                if self.problem.is_goal(&state) {
                    return Ok(Some(node));
                }
                if lists.store.at_limit(node) {
                    lists.cut = true;
                    continue;
                }
                counter.expand(&*lists, self.rule.frontier::<P::Cost, H::Value>(lists.highest))?;
                if O::ACTIVE {
                    self.watched.push((node, g, h));
                    let path = || lists.store.path(node);
                    let seen = Node::forward(node, &state, g, Some(h.to_f64()));
                    if self.observer.expanded(seen, &path).is_break() {
                        return Err(Stop::Interrupted);
                    }
                }
                let arrival = if O::ACTIVE { None } else { lists.store.arrival(node) };
                let first = actions.len();
                counter.generated +=
                    order::actions_of(self.problem, shuffle, &state, arrival.as_ref(), &mut actions);
                let parent = Parent { node, state, g, h };
                self.successors(parent, &actions, first, &mut children, &lists.store)?;
            }
            // One after the other they would wait for memory; so those for which a glance does not do come last,
            // when what must be looked at has been fetched.
            if batch.len() > 1 {
                let mut ended = Ok(());
                children.retain(|child| match self.place_if_new(lists, child, &actions) {
                    Ok(placed) => !placed,
                    Err(stop) => {
                        ended = Err(stop);
                        true
                    }
                });
                ended?;
            }
            for child in &children {
                self.place(lists, child, &actions)?;
            }
        }
        Ok(None)
    }

    /// Takes the next batch of nodes, all of one key, and tells whether that is their cost.
    #[inline]
    fn take(
        lists: &mut Lists<'_, P, H::Value>,
        batch: &mut Vec<(H::Value, Handle)>,
    ) -> Option<(KeyOf<P, H>, bool)> {
        batch.clear();
        let most = if lists.store.len() <= SMALL { 1 } else { BATCH };
        let taken = if let Some(key) = lists.below.pop_batch(most, batch) {
            (key, true)
        } else {
            let key = lists.open.pop_batch(most, batch)?;
            lists.highest = lists.highest.max(key);
            (key, false)
        };
        if most > 1 {
            batch.iter().for_each(|&(_, node)| lists.store.prefetch_node(node));
        }
        Some(taken)
    }

    /// Produces the successors of a state by the actions from `first` on, fetching their places in the index.
    #[inline]
    fn successors(
        &mut self,
        parent: Parent<P, H::Value>,
        actions: &[P::Action],
        first: usize,
        children: &mut Vec<Child<P, H::Value>>,
        store: &NodeStore<'_, P>,
    ) -> Result<(), Stop> {
        let Parent { node, state: before, g: parent_g, h } = parent;
        let memo = self.heuristic.resume(self.problem, &before, h);
        for (i, action) in actions.iter().enumerate().skip(first) {
            let (state, cost, undo) = self.problem.successor(&before, action);
            let g = parent_g.checked_add(cost).ok_or(Stop::Overflow)?;
            if let Some(memo) = self.heuristic.child(self.problem, &memo, &state, action, &undo) {
                let hash = store.hash(&state, node);
                store.prefetch(hash);
                let h = self.heuristic.value(&memo);
                children.push(Child { state, parent: node, action: i as u32, hash, g, h });
            } else if O::ACTIVE {
                let parent = Node::forward(node, &before, parent_g, Some(h.to_f64()));
                let child = Node::forward(Handle::MAX, &state, g, None);
                self.observer.generated(parent, action, child, Fate::Dead);
            }
        }
        Ok(())
    }

    /// Stores a successor that is new at first sight.
    #[inline(always)]
    fn place_if_new(
        &mut self,
        lists: &mut Lists<'_, P, H::Value>,
        child: &Child<P, H::Value>,
        actions: &[P::Action],
    ) -> Result<bool, Stop> {
        let &Child { ref state, parent, action, hash, g, h } = child;
        let arrival = Arrival { parent, action: &actions[action as usize], cost: g };
        let Some(node) = lists.store.insert_if_new(state, hash, arrival) else {
            return Ok(false);
        };
        lists.open(self.rule, g, h, node)?;
        self.tell(lists, child, actions, node, Fate::New);
        Ok(true)
    }

    /// Tells an observer of a successor.
    #[inline]
    fn tell(
        &mut self,
        lists: &Lists<'_, P, H::Value>,
        child: &Child<P, H::Value>,
        actions: &[P::Action],
        node: Handle,
        fate: Fate,
    ) {
        if !O::ACTIVE {
            return;
        }
        let &Child { ref state, parent, action, g, h, .. } = child;
        let known = self.watched.iter().find(|&&(node, ..)| node == parent);
        let &(_, parent_g, parent_h) = known.expect("its parent is of this batch");
        let above = Node::forward(parent, lists.store.state(parent), parent_g, Some(parent_h.to_f64()));
        let below = Node::forward(node, state, g, Some(h.to_f64()));
        self.observer.generated(above, &actions[action as usize], below, fate);
    }

    /// Stores a successor, or finds that it is known.
    #[inline]
    fn place(
        &mut self,
        lists: &mut Lists<'_, P, H::Value>,
        child: &Child<P, H::Value>,
        actions: &[P::Action],
    ) -> Result<(), Stop> {
        let &Child { ref state, parent, action, hash, g, h } = child;
        let arrival = Arrival { parent, action: &actions[action as usize], cost: g };
        let (node, fate) = match lists.store.insert(state, hash, arrival)? {
            Found::New(node) => {
                lists.open(self.rule, g, h, node)?;
                (node, Fate::New)
            }
            Found::Old(node) if self.rule.counts_cost() && g < lists.store.cost(node) => {
                lists.store.improve(node, arrival);
                lists.open(self.rule, g, h, node)?;
                (node, Fate::Better)
            }
            Found::Old(node) => (node, Fate::Repeated),
        };
        self.tell(lists, child, actions, node, fate);
        Ok(())
    }
}
