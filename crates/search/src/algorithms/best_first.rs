//! The one best-first engine: uniform cost, greedy, A* and weighted A* differ
//! only in the key of a node.
//!
//! A node that is reached again at a lower cost is put into the open list once
//! more; the older entry is recognised as stale when it comes out, because the
//! node's key has sunk below the entry's. That is also all there is to
//! reopening: an inconsistent heuristic lets it happen to expanded nodes.
//!
//! The cost of an expansion on a large problem is waiting for memory. So nodes
//! are taken from the open list in batches of equal key and equal h; all successors of a
//! batch are produced first, their places in the hash index being fetched
//! meanwhile, and only then looked up: first those that are new at first sight,
//! then, when the states that they may be equal to have been fetched as well, the
//! others. A batch is a single node until the store
//! outgrows the processor's caches, so that on small searches the order of
//! expansion is exactly the open list's; beyond, nodes that come up within a
//! batch wait for its end, which on grids and tiles changes the number of
//! expansions by less than a thousandth. Neither which states are expanded below the optimal
//! cost nor the proof of optimality depends on that order.

use crate::heuristic::{Estimate, Heuristic, Weight};
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::observer::{Fate, Node, Observer};
use crate::open::OpenList;
use crate::order;
use crate::outcome::{Answer, Outcome, Solution, path_cost};
use crate::problem::{Cost, Problem};
use crate::search::Search;
use crate::store::{Arrival, Depths, Found, Handle, NodeStore};

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
    fn frontier<E: Estimate>(self, key: E) -> Frontier {
        match self {
            Self::Cost => Frontier::Cost(key.ceil()),
            _ => Frontier::F(key.to_f64()),
        }
    }

    #[inline]
    fn key<E: Estimate>(self, g: Cost, h: E) -> E {
        match self {
            Self::Cost => E::ZERO.plus(g),
            Self::Estimate => h,
            Self::Sum(Weight::ONE) => h.plus(g),
            Self::Sum(weight) => h.key(g, weight),
        }
    }
}

struct Lists<P: Problem, E: Estimate> {
    store: NodeStore<P>,
    open: E::Open,
    depths: Depths,
}

impl<P: Problem, E: Estimate> Lists<P, E> {
    /// Bytes held beside the store.
    fn beside(&self) -> usize {
        self.open.bytes() + self.depths.bytes()
    }
}

impl<P: Problem, E: Estimate> Held for Lists<P, E> {
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
/// Stored nodes up to which the successors of a node that comes alone are not fetched ahead.
const LARGE: usize = 1 << 18;

struct Parent<P: Problem, E> {
    node: Handle,
    state: P::State,
    g: Cost,
    h: E,
}

struct Child<P: Problem, E> {
    state: P::State,
    parent: Handle,
    action: P::Action,
    hash: u64,
    g: Cost,
    h: E,
}

/// Runs a best-first search by one rule.
pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
    rule: Rule,
) -> Outcome<P::Action> {
    let Search { problem, heuristic, settings, mut observer, .. } = search;
    let mut counter = meter.counter();
    let mut lists = Lists::<P, H::Value> {
        store: NodeStore::with_costs(meter.room()),
        open: Default::default(),
        depths: Depths::new(meter.limits().depth),
    };
    let start = problem.start();
    let admissible = heuristic.promise().admissible;
    let root = heuristic.memo(problem, &start).map(|memo| heuristic.value(&memo));
    let mut engine = Engine {
        problem,
        heuristic: &heuristic,
        observer: &mut observer,
        rule,
        highest: H::Value::ZERO,
        watched: Vec::new(),
    };
    meter.note_root();
    let answer = match root {
        None => Answer::Unsolvable,
        Some(h) => {
            lists.store.insert_root(start);
            lists.depths.push_root();
            lists.open.push(rule.key(0, h), h, 0);
            match engine.run(&mut lists, &mut counter, settings.shuffle) {
                Ok(Some(goal)) => {
                    // Where several actions lead from one state to the next,
                    // the path takes the cheapest: greedy search may have
                    // stored another.
                    let path = lists.store.path(problem, goal);
                    let cost = path_cost(problem, &path);
                    Answer::Solved(Solution { path, cost, optimal: false })
                }
                Ok(None) if lists.depths.cut => Answer::Stopped(Stop::Depth),
                Ok(None) => Answer::Unsolvable,
                Err(stop) => Answer::Stopped(stop),
            }
        }
    };
    let mut lower_bound = root.filter(|_| admissible).map(Estimate::ceil);
    if let (Rule::Cost | Rule::Sum(Weight::ONE), Some(bound)) = (rule, &mut lower_bound) {
        // The smallest f in the open list never exceeds the optimal cost,
        // unless a depth limit has kept nodes out of it.
        if !lists.depths.cut {
            *bound = (*bound).max(engine.highest.ceil());
        }
    }
    if let (Answer::Solved(solution), Some(bound)) = (&answer, &mut lower_bound)
        && !lists.depths.cut
    {
        match rule {
            Rule::Cost => *bound = solution.cost,
            Rule::Sum(weight) => *bound = (*bound).max(weight.bound(solution.cost)),
            Rule::Estimate => {}
        }
    }
    counter.finish(&lists);
    Outcome { answer, lower_bound, stats: meter.stats() }.proved_by_bound()
}

struct Engine<'s, P: Problem, H: Heuristic<P>, O> {
    problem: &'s P,
    heuristic: &'s H,
    observer: &'s mut O,
    rule: Rule,
    /// The largest key taken from the open list so far.
    highest: H::Value,
    /// The nodes of the batch in hand, for an observer.
    watched: Vec<(Handle, Cost, H::Value)>,
}

impl<P: Problem, H: Heuristic<P>, O: Observer<P>> Engine<'_, P, H, O> {
    /// Expands nodes until a goal comes out of the open list.
    fn run(
        &mut self,
        lists: &mut Lists<P, H::Value>,
        counter: &mut Counter<'_>,
        shuffle: Option<u64>,
    ) -> Result<Option<Handle>, Stop> {
        let limited = counter.limits().memory.is_some();
        let mut batch = Vec::with_capacity(BATCH);
        let mut actions = Vec::new();
        let mut children: Vec<Child<P, H::Value>> = Vec::new();
        while let Some(key) = Self::take(lists, &mut batch) {
            self.highest = self.highest.max(key);
            if limited {
                lists.store.leave_room(lists.beside());
            }
            children.clear();
            self.watched.clear();
            for &(h, node) in &batch {
                let g = lists.store.cost(node);
                if self.rule.key(g, h) < key {
                    continue;
                }
                let state = lists.store.state(node).clone();
                if self.problem.is_goal(&state) {
                    return Ok(Some(node));
                }
                if lists.depths.at_limit(node) {
                    continue;
                }
                counter.expand(&*lists, self.rule.frontier(key))?;
                if O::ACTIVE {
                    self.watched.push((node, g, h));
                    let path = || lists.store.path(self.problem, node);
                    let seen = Node::forward(node, &state, g, Some(h.to_f64()));
                    if self.observer.expanded(seen, &path).is_break() {
                        return Err(Stop::Interrupted);
                    }
                }
                let arrival = if O::ACTIVE { None } else { lists.store.arrival(node) };
                counter.generated += order::actions_of(self.problem, shuffle, &state, arrival, &mut actions);
                let parent = Parent { node, state, g, h };
                if batch.len() == 1 && lists.store.len() <= LARGE {
                    self.place_successors(parent, &actions, lists)?;
                    break;
                }
                self.successors(parent, &actions, &mut children, &lists.store);
            }
            // One after the other they would wait for memory; so those for which a glance does not do come last,
            // when what must be looked at has been fetched.
            children.retain(|child| !self.place_if_new(lists, child));
            for child in &children {
                self.place(lists, child)?;
            }
        }
        Ok(None)
    }

    /// Takes the next batch of nodes from the open list, all of one key.
    #[inline]
    fn take(lists: &mut Lists<P, H::Value>, batch: &mut Vec<(H::Value, Handle)>) -> Option<H::Value> {
        batch.clear();
        if lists.store.len() <= SMALL {
            return lists.open.pop_batch(1, batch);
        }
        let key = lists.open.pop_batch(BATCH, batch);
        batch.iter().for_each(|&(_, node)| lists.store.prefetch_node(node));
        key
    }

    /// Produces the successors of a state and stores each at once. Where they are known already, and reached at no lower
    /// cost, there is no need for their estimate.
    #[inline]
    fn place_successors(
        &mut self,
        parent: Parent<P, H::Value>,
        actions: &[P::Action],
        lists: &mut Lists<P, H::Value>,
    ) -> Result<(), Stop> {
        let Parent { node: above, state: before, g: parent_g, h: parent_h } = parent;
        let memo = self.heuristic.resume(self.problem, &before, parent_h);
        for &action in actions {
            let mut state = before.clone();
            let (cost, undo) = self.problem.apply(&mut state, action);
            let g = parent_g.saturating_add(cost);
            let hash = if P::TREE { 0 } else { order::hash(&state) };
            let found = lists.store.look_up(&state, hash);
            let arrival = Arrival { parent: above, action, cost: g };
            let known = found.is_ok_and(|node| !self.rule.counts_cost() || g >= lists.store.cost(node));
            if known && !O::ACTIVE {
                continue;
            }
            let Some(memo) = self.heuristic.child(self.problem, &memo, &state, action, &undo) else {
                if O::ACTIVE {
                    let parent = Node::forward(above, &before, parent_g, Some(parent_h.to_f64()));
                    let child = Node::forward(Handle::MAX, &state, g, None);
                    self.observer.generated(parent, action, child, Fate::Dead);
                }
                continue;
            };
            let h = self.heuristic.value(&memo);
            let (node, fate) = match found {
                Ok(node) if known => (node, Fate::Repeated),
                Ok(node) => {
                    lists.store.improve(node, arrival);
                    lists.depths.improve(node, above);
                    lists.open.push(self.rule.key(g, h), h, node);
                    (node, Fate::Better)
                }
                Err(slot) => {
                    let node = lists.store.insert_at(slot, &state, hash, arrival)?;
                    lists.depths.push_child(above);
                    lists.open.push(self.rule.key(g, h), h, node);
                    (node, Fate::New)
                }
            };
            if O::ACTIVE {
                self.tell(lists, &Child { state, parent: above, action, hash, g, h }, node, fate);
            }
        }
        Ok(())
    }

    /// Produces the successors of a state, fetching their places in the index.
    #[inline]
    fn successors(
        &mut self,
        parent: Parent<P, H::Value>,
        actions: &[P::Action],
        children: &mut Vec<Child<P, H::Value>>,
        store: &NodeStore<P>,
    ) {
        let Parent { node, state: before, g: parent_g, h } = parent;
        let memo = self.heuristic.resume(self.problem, &before, h);
        for &action in actions {
            let mut state = before.clone();
            let (cost, undo) = self.problem.apply(&mut state, action);
            let g = parent_g.saturating_add(cost);
            if let Some(memo) = self.heuristic.child(self.problem, &memo, &state, action, &undo) {
                let hash = if P::TREE { 0 } else { order::hash(&state) };
                store.prefetch(hash);
                let h = self.heuristic.value(&memo);
                children.push(Child { state, parent: node, action, hash, g, h });
            } else if O::ACTIVE {
                let parent = Node::forward(node, &before, parent_g, Some(h.to_f64()));
                let child = Node::forward(Handle::MAX, &state, g, None);
                self.observer.generated(parent, action, child, Fate::Dead);
            }
        }
    }

    /// Stores a successor that is new at first sight.
    #[inline(always)]
    fn place_if_new(&mut self, lists: &mut Lists<P, H::Value>, child: &Child<P, H::Value>) -> bool {
        let &Child { ref state, parent, action, hash, g, h } = child;
        let Some(node) = lists.store.insert_if_new(state, hash, Arrival { parent, action, cost: g }) else {
            return false;
        };
        lists.depths.push_child(parent);
        lists.open.push(self.rule.key(g, h), h, node);
        self.tell(lists, child, node, Fate::New);
        true
    }

    /// Tells an observer of a successor.
    #[inline]
    fn tell(&mut self, lists: &Lists<P, H::Value>, child: &Child<P, H::Value>, node: Handle, fate: Fate) {
        if !O::ACTIVE {
            return;
        }
        let &Child { ref state, parent, action, g, h, .. } = child;
        let known = self.watched.iter().find(|&&(node, ..)| node == parent);
        let &(_, parent_g, parent_h) = known.expect("its parent is of this batch");
        let above = Node::forward(parent, lists.store.state(parent), parent_g, Some(parent_h.to_f64()));
        self.observer.generated(above, action, Node::forward(node, state, g, Some(h.to_f64())), fate);
    }

    /// Stores a successor, or finds that it is known.
    #[inline]
    fn place(&mut self, lists: &mut Lists<P, H::Value>, child: &Child<P, H::Value>) -> Result<(), Stop> {
        let &Child { ref state, parent, action, hash, g, h } = child;
        let arrival = Arrival { parent, action, cost: g };
        let (node, fate) = match lists.store.insert(state, hash, arrival)? {
            Found::New(node) => {
                lists.depths.push_child(parent);
                lists.open.push(self.rule.key(g, h), h, node);
                (node, Fate::New)
            }
            Found::Old(node) if self.rule.counts_cost() && g < lists.store.cost(node) => {
                lists.store.improve(node, arrival);
                lists.depths.improve(node, parent);
                lists.open.push(self.rule.key(g, h), h, node);
                (node, Fate::Better)
            }
            Found::Old(node) => (node, Fate::Repeated),
        };
        self.tell(lists, child, node, fate);
        Ok(())
    }
}
