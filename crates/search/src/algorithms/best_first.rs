//! The one best-first engine: uniform cost, greedy, A* and weighted A* differ
//! only in the key of a node; anytime weighted A* goes on after the first goal,
//! and leaves out what its [`Incumbent`] beats.
//!
//! A node that is reached again at a lower cost is put into the open list once
//! more; the older entry is recognised as stale when it comes out, because the
//! node's key has sunk below the entry's. An inconsistent heuristic lets that
//! happen to expanded nodes, which are expanded again: with f alone, up to
//! 2^n times for n nodes (Martelli, 1977). So A* does as his algorithm B: among
//! nodes whose f lies below the largest f expanded so far, the one with the
//! smallest g comes first. Then n nodes take at most n^2 expansions, and the
//! proof is the same. A heuristic that does not promise to be admissible has no
//! proof to lose, and often an f that falls all the way to the goal, which is
//! what it is good for: there f alone counts.
//!
//! Under a depth limit, where the cheaper of two paths may be the longer one,
//! neither of two depths of a state can stand in for the other. As long as no
//! node is at the limit, that makes no difference, and the search is the one
//! without a limit; as soon as one is, it begins anew, and a state at another
//! depth is another node.
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

use std::ops::ControlFlow::{self, Break, Continue};

use super::idastar::unit;
use crate::cost::Cost;
use crate::heuristic::{Estimate, Heuristic, Key, Weight};
use crate::incumbent::Incumbent;
use crate::limits::{Frontier, Stop};
use crate::meter::{Budget, Counter, Held, Meter};
use crate::observer::{Fate, Node, NodeOf, Observer, Side};
use crate::open::OpenList;
use crate::order;
use crate::outcome::{Answer, Outcome, OutcomeOf, path_cost, solved};
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
    pub fn frontier<C, E: Estimate<C>>(self, key: E::Key) -> Frontier {
        match self {
            Self::Cost => Frontier::Cost(key.to_f64()),
            // Whole keys are multiplied by the denominator.
            Self::Sum(weight) if E::WHOLE => Frontier::F(key.to_f64() / f64::from(weight.fraction().1)),
            Self::Estimate | Self::Sum(_) => Frontier::F(key.to_f64()),
        }
    }

    #[inline]
    pub fn key<C: Cost, E: Estimate<C>>(self, g: C, h: E) -> Option<E::Key> {
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
    /// Whether there may be such: otherwise f alone counts.
    sorts_below: bool,
    /// The largest key taken from the open list so far.
    highest: E::Key,
    /// Whether a node was not expanded because of the depth limit.
    cut: bool,
}

impl<'s, P: Problem, E: Estimate<P::Cost>> Lists<'s, P, E> {
    /// The start alone, not yet in an open list.
    fn new(problem: &'s P, budget: Budget<'s>, nodes: Nodes, sorts_below: bool) -> Self {
        let limit = budget.meter().limits().depth;
        let mut store = NodeStore::new(problem, budget).with_costs().with_depths(limit, nodes);
        store.insert_root(problem.start());
        let (open, below) = (E::Open::default(), E::Open::default());
        Self { store, open, below, sorts_below, highest: Key::LEAST, cut: false }
    }

    /// Bytes held beside the store.
    fn beside(&self) -> usize {
        self.open.bytes() + self.below.bytes()
    }

    /// Puts a node into its open list.
    #[inline(always)]
    fn open(&mut self, rule: Rule, g: P::Cost, h: E, node: Handle) -> Result<(), Stop> {
        let key = rule.key(g, h).ok_or(Stop::Overflow)?;
        if self.sorts_below && key < self.highest {
            self.below.push(E::cost_key(g), h, node);
        } else {
            self.open.push(key, h, node);
        }
        Ok(())
    }

    /// The open nodes in the order in which they come next, without the entries that have gone stale and those that are
    /// beaten, by cost and h.
    fn in_order(&mut self, rule: Rule, beaten: impl Fn(P::Cost, E) -> bool) -> Vec<(Side, Handle)> {
        let Self { store, open, below, .. } = self;
        let below =
            below.in_order().into_iter().filter(|&(key, _, node)| E::cost_key(store.cost(node)) >= key);
        let open =
            open.in_order().into_iter().filter(|&(key, h, node)| rule.key(store.cost(node), h) >= Some(key));
        let next = below.chain(open).filter(|&(_, h, node)| !beaten(store.cost(node), h));
        next.map(|(.., node)| (Side::Forward, node)).collect()
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
/// Bytes that the successors of a batch may come to: they are held twice until they are stored.
const SUCCESSOR_BYTES: usize = 1 << 20;
/// Stored nodes up to which nodes are expanded strictly one by one.
const SMALL: usize = 1 << 14;
/// Stored nodes up to which few of them are not fetched ahead, but looked at when they are needed,
const LARGE: usize = 1 << 18;
/// and successors of a batch that are few.
const FEW: usize = 16;

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
    let mut search = BestFirst::new(search, meter, rule, Goals::First);
    let ended = search.run();
    search.outcome(ended, meter)
}

/// Runs a best-first search that goes on for cheaper solutions.
pub(crate) fn improve<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
    rule: Rule,
) -> OutcomeOf<P> {
    let mut search = BestFirst::new(search, meter, rule, Goals::Improve);
    let ended = search.run();
    search.outcome(ended, meter)
}

/// What a search does about goals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goals {
    /// It ends at the first.
    First,
    /// It goes on for cheaper ones until none can be left.
    Improve,
    /// It goes on until every state is known that may lie on an optimal path.
    AllOptimal,
    /// Goals are states like any others.
    None,
}

/// How a search ended: at a goal, with nothing left, or stopped.
pub(crate) type Ended = Result<Option<Handle>, Stop>;

/// A best-first search in hand.
pub(crate) struct BestFirst<'s, P: Problem, H: Heuristic<P>, O> {
    problem: &'s P,
    heuristic: H,
    observer: O,
    shuffle: Option<u64>,
    /// Whether there is a memory limit.
    limited: bool,
    /// Whether there is a depth limit that must be heeded as soon as it matters.
    heedless: bool,
    meter: &'s Meter<'s>,
    rule: Rule,
    goals: Goals,
    lists: Lists<'s, P, H::Value>,
    counter: Counter<'s>,
    /// The estimate of the start, unless that is a dead end.
    root: Option<H::Value>,
    /// Whether the heuristic promises to be admissible.
    admissible: bool,
    /// The best solution so far, if it goes on for cheaper ones.
    incumbent: Incumbent<'s, P::Action, P::Cost>,
    /// The first goal, and its key.
    found: Option<(Handle, KeyOf<P, H>)>,
    /// All goals that came out of the open list, if all are looked for.
    optimal: Vec<Handle>,
    /// Why it must end before it begins.
    ended: Option<Ended>,
    batch: Vec<(H::Value, Handle)>,
    actions: Vec<P::Action>,
    children: Vec<Child<P, H::Value>>,
    /// The nodes of the batch in hand, for an observer.
    watched: Vec<(Handle, P::Cost, H::Value)>,
}

impl<'s, P: Problem, H: Heuristic<P>, O: Observer<P>> BestFirst<'s, P, H, O> {
    pub fn new(search: Search<'s, P, H, O>, meter: &'s Meter<'s>, rule: Rule, goals: Goals) -> Self {
        let Search { problem, heuristic, settings, observer, mut incumbent, .. } = search;
        // Where all actions cost the same, and not nothing, the cheaper of two paths is the shorter one.
        let shorter = || problem.unit_cost() && unit(problem, &problem.start()) > P::Cost::ZERO;
        let heedless = meter.limits().depth.is_some() && !(rule.counts_cost() && shorter());
        let root = heuristic.memo(problem, &problem.start()).map(|memo| heuristic.value(&memo));
        let admissible = heuristic.promise().admissible;
        root.filter(|_| admissible).and_then(Estimate::ceil).into_iter().for_each(|h| incumbent.prove(h));
        meter.note_root();
        let sorts_below = admissible && matches!(rule, Rule::Sum(Weight::ONE));
        let mut lists = Lists::new(problem, meter.budget(), Nodes::States, sorts_below);
        let opened = root.map(|h| lists.open(rule, P::Cost::ZERO, h, 0));
        Self {
            problem,
            heuristic,
            observer,
            shuffle: settings.shuffle,
            limited: meter.limits().memory.is_some(),
            heedless,
            meter,
            rule,
            goals,
            lists,
            counter: meter.counter(),
            root,
            admissible,
            incumbent,
            found: None,
            optimal: Vec::new(),
            ended: opened.and_then(Result::err).map(Err),
            batch: Vec::with_capacity(BATCH),
            actions: Vec::new(),
            children: Vec::new(),
            watched: Vec::new(),
        }
    }

    /// What the search comes to that has ended so.
    pub fn outcome(self, ended: Ended, meter: &Meter<'_>) -> OutcomeOf<P> {
        let Self { problem, rule, lists, counter, admissible, mut incumbent, .. } = self;
        // Nothing that could be cheaper is left. It is so without the promise, too, but nothing is claimed without it.
        if ended == Ok(None) && admissible && !lists.cut {
            incumbent.prove_best();
        }
        let mut lower_bound = incumbent.lower_bound().filter(|_| ended != Err(Stop::Overflow));
        if let Some(best) = incumbent.into_solution() {
            counter.finish(&lists);
            let (answer, stop) = (Answer::Solved(best), ended.err());
            return Outcome { answer, lower_bound, stop, stats: meter.stats() }.proved_by_bound();
        }
        let answer = match ended {
            // Where several actions lead from one state to the next, the path takes the cheapest: greedy search may
            // have stored another.
            Ok(Some(goal)) => solved(problem, lists.store.path(goal), false),
            Ok(None) if lists.cut => Answer::Stopped(Stop::Depth),
            Ok(None) => Answer::Unsolvable,
            Err(stop) => Answer::Stopped(stop),
        };
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
        Outcome { answer, lower_bound, stop: None, stats: meter.stats() }.proved_by_bound()
    }

    /// Expands nodes until the search ends.
    fn run(&mut self) -> Ended {
        loop {
            if let Some(ended) = self.step(BATCH) {
                return ended;
            }
        }
    }

    /// Expands nodes until the search ends; how it did, its goals, and all its nodes.
    pub fn run_for_nodes(mut self) -> (Ended, Vec<Handle>, NodeStore<'s, P>) {
        let ended = self.run();
        let Self { lists, counter, optimal, .. } = self;
        counter.finish(&lists);
        (ended, optimal, lists.store)
    }

    /// Nodes expanded so far.
    pub fn expanded(&self) -> u64 {
        self.counter.expanded
    }

    /// The node that was expanded last, where nodes are expanded one by one.
    pub fn last(&self) -> Option<NodeOf<'_, P>> {
        let &(h, node) = self.batch.last()?;
        let store = &self.lists.store;
        Some(Node::forward(node, store.state(node), store.cost(node), Some(h.to_f64())))
    }

    /// Nodes stored so far.
    pub fn stored(&self) -> usize {
        self.lists.store.len()
    }

    /// Expands the next nodes, up to so many at once; how the search ended, when it has.
    pub fn step(&mut self, most: usize) -> Option<Ended> {
        if self.ended.is_none() {
            self.ended = match self.expand_next(most) {
                Ok(Continue(())) => None,
                Ok(Break(goal)) => Some(Ok(goal)),
                Err(stop) => Some(Err(stop)),
            };
            if self.heedless && self.limit_matters() {
                self.ended = self.heed_depths().err().map(Err);
            }
        }
        self.ended
    }

    /// Whether a node is at the depth limit, or a path that was found is longer.
    fn limit_matters(&self) -> bool {
        let limit = self.meter.limits().depth.unwrap_or(u32::MAX);
        let is_longer = |goal| self.lists.store.ancestry(goal).len() - 1 > limit as usize;
        self.lists.cut || matches!(self.ended, Some(Ok(Some(goal))) if is_longer(goal))
    }

    /// Begins anew with nodes that are states at depths.
    #[cold]
    fn heed_depths(&mut self) -> Result<(), Stop> {
        self.heedless = false;
        self.found = None;
        self.counter.hold(&());
        let sorts_below = self.lists.sorts_below;
        self.lists = Lists::new(self.problem, self.meter.budget(), Nodes::StatesAtDepths, sorts_below);
        self.observer.iteration(f64::from(self.meter.limits().depth.unwrap_or(u32::MAX)));
        self.root.map_or(Ok(()), |h| self.lists.open(self.rule, P::Cost::ZERO, h, 0))
    }

    /// Breaks at the end, with the goal, if there is one.
    fn expand_next(&mut self, most: usize) -> Result<ControlFlow<Option<Handle>>, Stop> {
        let Some((key, by_cost)) = self.take(most) else { return Ok(Break(self.first_goal())) };
        if self.found.is_some_and(|(_, best)| !by_cost && H::Value::key_exceeds(key, best)) {
            return Ok(Break(self.first_goal()));
        }
        if self.goals == Goals::Improve && self.is_settled() {
            return Ok(Break(None));
        }
        if self.limited {
            self.lists.store.leave_room(self.lists.beside());
        }
        self.children.clear();
        self.actions.clear();
        self.watched.clear();
        for i in 0..self.batch.len() {
            let (h, node) = self.batch[i];
            let g = self.lists.store.cost(node);
            let now = if by_cost { Some(H::Value::cost_key(g)) } else { self.rule.key(g, h) };
            if now < Some(key) {
                continue;
            }
            if self.incumbent.beats(g, self.admissible.then_some(h)) {
                continue;
            }
            let state = self.lists.store.state(node).clone();
            if self.goals != Goals::None && self.problem.is_goal(&state) {
                match self.goals {
                    Goals::First => return Ok(Break(Some(node))),
                    Goals::Improve => {
                        if !self.improve(node)? {
                            return Ok(Continue(()));
                        }
                    }
                    Goals::AllOptimal => {
                        self.found.get_or_insert((node, key));
                        self.optimal.push(node);
                    }
                    Goals::None => {}
                }
                continue;
            }
            if self.lists.store.at_limit(node) {
                self.lists.cut = true;
                if self.heedless {
                    return Ok(Continue(()));
                }
                continue;
            }
            if self.counter.is_due() {
                let frontier = self.rule.frontier::<P::Cost, H::Value>(self.lists.highest);
                self.counter.look(&self.lists, frontier)?;
            }
            self.counter.expanded += 1;
            if O::ACTIVE {
                self.watched.push((node, g, h));
                let path = || self.lists.store.path(node);
                let seen = Node::forward(node, &state, g, Some(h.to_f64()));
                if self.observer.expanded(seen, &path).is_break() {
                    return Err(Stop::Interrupted);
                }
            }
            let arrival = if O::ACTIVE { None } else { self.lists.store.arrival(node) };
            let first = self.actions.len();
            self.counter.generated +=
                order::actions_of(self.problem, self.shuffle, &state, arrival.as_ref(), &mut self.actions);
            let parent = Parent { node, state, g, h };
            if self.batch.len() == 1 && self.lists.store.len() <= LARGE {
                self.place_successors(&parent)?;
                self.tell_frontier();
                return Ok(Continue(()));
            }
            self.successors(parent, first)?;
        }
        let mut children = std::mem::take(&mut self.children);
        let placed = self.place_all(&mut children);
        self.children = children;
        placed?;
        self.tell_frontier();
        Ok(Continue(()))
    }

    /// Tells an observer what is open after an expansion.
    #[inline]
    fn tell_frontier(&mut self) {
        if O::ACTIVE && !self.watched.is_empty() {
            let Self { observer, lists, rule, incumbent, admissible, .. } = self;
            let beaten = |g, h| incumbent.beats(g, admissible.then_some(h));
            observer.frontier(&mut || lists.in_order(*rule, beaten));
        }
    }

    /// Offers the path to a goal; false if the depth limit forbids it.
    #[cold]
    fn improve(&mut self, goal: Handle) -> Result<bool, Stop> {
        let path = self.lists.store.path(goal);
        if self.meter.limits().depth.is_some_and(|limit| path.len() > limit as usize) {
            self.lists.cut = true;
            return Ok(false);
        }
        let cost = path_cost(self.problem, &path).ok_or(Stop::Overflow)?;
        self.incumbent.offer(path, cost, self.meter)?;
        Ok(true)
    }

    /// Whether the incumbent is proved optimal, now that the lowest key of the open list may have risen. A node's weighted
    /// key is at most the weight times its f, and the lowest f never exceeds the optimal cost, unless a depth limit has
    /// kept nodes out of the list.
    fn is_settled(&mut self) -> bool {
        if let (Rule::Sum(weight), true, false) = (self.rule, self.admissible, self.lists.cut) {
            let bound = H::Value::unweighted_key(self.lists.highest, weight);
            bound.into_iter().for_each(|bound| self.incumbent.prove(bound));
        }
        self.incumbent.is_optimal()
    }

    /// The first goal that came out of the open list, if one did.
    fn first_goal(&self) -> Option<Handle> {
        self.found.map(|(goal, _)| goal)
    }

    /// Takes the next batch of nodes, all of one key, and tells whether that is their cost.
    #[inline]
    fn take(&mut self, most: usize) -> Option<(KeyOf<P, H>, bool)> {
        let Self { lists, batch, actions, .. } = self;
        let most = if lists.store.len() <= SMALL {
            1
        } else {
            // Each node will have about as many successors as those of the last batch.
            let width = actions.len().div_ceil(batch.len().max(1)).max(1);
            most.min(SUCCESSOR_BYTES / (width * size_of::<Child<P, H::Value>>())).max(1)
        };
        batch.clear();
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

    /// Produces the successors of a state that comes alone, and stores each at once. Where they are known already, and
    /// reached at no lower cost, there is no need for their estimate.
    #[inline]
    fn place_successors(&mut self, parent: &Parent<P, H::Value>) -> Result<(), Stop> {
        let &Parent { node: above, state: ref before, g: parent_g, h: parent_h } = parent;
        let lists = &mut self.lists;
        let memo = self.heuristic.resume(self.problem, before, parent_h);
        let above_seen = |state| Node::forward(above, state, parent_g, Some(parent_h.to_f64()));
        for (i, action) in self.actions.iter().enumerate() {
            if let Err(stop) = self.counter.produce(i, lists) {
                self.counter.generated -= (self.actions.len() - i) as u64;
                return Err(stop);
            }
            let (state, cost, undo) = self.problem.successor(before, action);
            let g = parent_g.checked_add(cost).ok_or(Stop::Overflow)?;
            let hash = lists.store.hash(&state, above);
            let found = lists.store.look_up(&state, hash, above);
            let known = found.is_ok_and(|node| !self.rule.counts_cost() || g >= lists.store.cost(node));
            if known && !O::ACTIVE {
                continue;
            }
            let Some(memo) = self.heuristic.child(self.problem, &memo, &state, action, &undo) else {
                if O::ACTIVE {
                    let child = Node::forward(Handle::MAX, &state, g, None);
                    self.observer.generated(above_seen(before), action, child, Fate::Dead);
                }
                continue;
            };
            let h = self.heuristic.value(&memo);
            if self.incumbent.beats(g, self.admissible.then_some(h)) {
                if O::ACTIVE {
                    let child = Node::forward(Handle::MAX, &state, g, Some(h.to_f64()));
                    self.observer.generated(above_seen(before), action, child, Fate::Cut);
                }
                continue;
            }
            let arrival = Arrival { parent: above, action, cost: g };
            let (node, fate) = match found {
                Ok(node) if known => (node, Fate::Repeated),
                Ok(node) => {
                    lists.store.improve(node, arrival);
                    (node, Fate::Better)
                }
                Err(slot) => (lists.store.insert_at(slot, &state, hash, arrival)?, Fate::New),
            };
            if fate != Fate::Repeated {
                lists.open(self.rule, g, h, node)?;
            }
            if O::ACTIVE {
                let child = Node::forward(node, &state, g, Some(h.to_f64()));
                self.observer.generated(above_seen(before), action, child, fate);
            }
        }
        Ok(())
    }

    /// Produces the successors of a state by the actions from `first` on, fetching their places in the index.
    #[inline]
    fn successors(&mut self, parent: Parent<P, H::Value>, first: usize) -> Result<(), Stop> {
        let Parent { node, state: before, g: parent_g, h } = parent;
        let store = &self.lists.store;
        let memo = self.heuristic.resume(self.problem, &before, h);
        for (i, action) in self.actions.iter().enumerate().skip(first) {
            if let Err(stop) = self.counter.produce(i - first, &self.lists) {
                self.counter.generated -= (self.actions.len() - i) as u64;
                return Err(stop);
            }
            let (state, cost, undo) = self.problem.successor(&before, action);
            let g = parent_g.checked_add(cost).ok_or(Stop::Overflow)?;
            let memo = self.heuristic.child(self.problem, &memo, &state, action, &undo);
            let below = memo.map(|memo| self.heuristic.value(&memo));
            if let Some(h) = below.filter(|&h| !self.incumbent.beats(g, self.admissible.then_some(h))) {
                let hash = store.hash(&state, node);
                store.prefetch(hash);
                self.children.push(Child { state, parent: node, action: i as u32, hash, g, h });
            } else if O::ACTIVE {
                let parent = Node::forward(node, &before, parent_g, Some(h.to_f64()));
                let child = Node::forward(Handle::MAX, &state, g, below.map(Estimate::to_f64));
                let fate = if below.is_some() { Fate::Cut } else { Fate::Dead };
                self.observer.generated(parent, action, child, fate);
            }
        }
        Ok(())
    }

    /// Stores the successors of a batch.
    ///
    /// One after the other they would wait for memory; so those for which a glance does not do come last, when what must
    /// be looked at has been fetched.
    #[inline]
    fn place_all(&mut self, children: &mut Vec<Child<P, H::Value>>) -> Result<(), Stop> {
        let mut ended = Ok(());
        let at_hand = !O::ACTIVE && children.len() <= FEW && self.lists.store.len() <= LARGE;
        children.retain(|child| {
            self.place_if_new(child, at_hand).map_or_else(
                |stop| {
                    ended = Err(stop);
                    true
                },
                |placed| !placed,
            )
        });
        ended?;
        children.iter().try_for_each(|child| self.place(child))
    }

    /// Stores a successor that is new at first sight; whether it is done with. Where nodes are at hand, it is also done with
    /// one that is known.
    #[inline(always)]
    fn place_if_new(&mut self, child: &Child<P, H::Value>, at_hand: bool) -> Result<bool, Stop> {
        let &Child { ref state, parent, action, hash, g, h } = child;
        let arrival = Arrival { parent, action: &self.actions[action as usize], cost: g };
        let store = &mut self.lists.store;
        let node = match store.insert_at_a_glance(state, hash, arrival) {
            Ok(node) => node,
            // One that is known at no higher cost stays so, whatever else the batch stores.
            Err(Some(alike)) if at_hand => {
                let known = store.is_child(alike, state, parent);
                return Ok(known && !(self.rule.counts_cost() && g < store.cost(alike)));
            }
            Err(alike) => {
                alike.into_iter().for_each(|node| store.prefetch_node(node));
                return Ok(false);
            }
        };
        self.lists.open(self.rule, g, h, node)?;
        self.tell(child, node, Fate::New);
        Ok(true)
    }

    /// Tells an observer of a successor.
    #[inline]
    fn tell(&mut self, child: &Child<P, H::Value>, node: Handle, fate: Fate) {
        if !O::ACTIVE {
            return;
        }
        let &Child { ref state, parent, action, g, h, .. } = child;
        let known = self.watched.iter().find(|&&(node, ..)| node == parent);
        let &(_, parent_g, parent_h) = known.expect("its parent is of this batch");
        let above = self.lists.store.state(parent);
        let above = Node::forward(parent, above, parent_g, Some(parent_h.to_f64()));
        let below = Node::forward(node, state, g, Some(h.to_f64()));
        self.observer.generated(above, &self.actions[action as usize], below, fate);
    }

    /// Stores a successor, or finds that it is known.
    #[inline]
    fn place(&mut self, child: &Child<P, H::Value>) -> Result<(), Stop> {
        let &Child { ref state, parent, action, hash, g, h } = child;
        let arrival = Arrival { parent, action: &self.actions[action as usize], cost: g };
        let lists = &mut self.lists;
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
        self.tell(child, node, fate);
        Ok(())
    }
}
