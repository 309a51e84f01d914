//! The part of the state space that one worker owns: its nodes, its open list, and how they are expanded.

use super::message::{At, Parcel, WorkerStats};
use crate::cost::Cost;
use crate::estimator::{Estimator, Successor};
use crate::heuristic::{Estimate, Key};
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::open::OpenList;
use crate::order;
use crate::problem::Problem;
use crate::store::{Arrival, Column, Found, Handle, Link, NodeStore};

/// What nodes are expanded in the order of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// f = g + h. With an estimate of nothing that is uniform cost search.
    Sum,
    /// The number of actions. A goal is known when it is generated.
    Depth,
}

/// Which worker owns a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignment {
    /// As the problem says: [`Problem::projection`].
    Projection,
    /// By a hash of the whole state.
    Hash,
}

/// Nodes taken together once the store is larger than `SMALL`, as in the search on one thread.
const BATCH: usize = 32;
const SMALL: usize = 1 << 14;

/// A part of the nodes.
pub(super) struct Part<'s, P: Problem, V: Estimate<P::Cost>> {
    problem: &'s P,
    estimator: &'s dyn Estimator<P, V>,
    order: Order,
    assignment: Assignment,
    shuffle: Option<u64>,
    me: usize,
    workers: usize,
    nodes: Nodes<'s, P, V>,
    /// Whether there may be something to expand below the incumbent.
    pub has_work: bool,
    /// The least cost of a path to a goal that this worker knows of.
    best: Option<P::Cost>,
    /// The goal of least cost that this worker has found itself: its node or, if it was not stored, its parent's.
    goal: Option<(Handle, Option<P::State>)>,
    /// What one action counts for in the order of depth.
    one: P::Cost,
    meter: &'s Meter<'s>,
    counter: Counter<'s>,
    /// The largest key expanded.
    highest: V::Key,
    batch: Vec<(V, Handle)>,
    actions: Vec<P::Action>,
    successors: Vec<Successor<P, V>>,
    own: Vec<Parcel<P, V>>,
    hashes: Vec<u64>,
    known: Vec<u32>,
    pub kept: u64,
    pub sent: u64,
}

struct Nodes<'s, P: Problem, V: Estimate<P::Cost>> {
    store: NodeStore<'s, P>,
    open: V::Open,
    /// Who has the parent of each node, where it cannot be told from the action.
    origins: Column<u16>,
    /// Bytes of buffers and messages, and of other workers under the same limit.
    beside: usize,
}

impl<P: Problem, V: Estimate<P::Cost>> Held for Nodes<'_, P, V> {
    fn nodes(&self) -> u64 {
        self.store.nodes()
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.open.bytes() + self.origins.bytes() + self.beside
    }

    fn passing_bytes(&self) -> usize {
        self.store.passing_bytes()
    }
}

/// What became of an expansion.
pub(super) enum Expanded<C> {
    /// Nothing special.
    Some,
    /// A goal at a lower cost than any known here.
    Goal(C),
    /// There is nothing to expand.
    Nothing,
}

impl<'s, P: Problem, V: Estimate<P::Cost>> Part<'s, P, V> {
    pub fn new(search: &super::Parallel<'s, P, V>, meter: &'s Meter<'s>, me: usize, workers: usize) -> Self {
        let &super::Parallel { problem, estimator, order, assignment, shuffle } = search;
        Self {
            problem,
            estimator,
            order,
            assignment,
            shuffle,
            me,
            workers,
            nodes: Nodes {
                store: NodeStore::new(problem, meter.budget()).with_costs(),
                open: V::Open::default(),
                origins: Column::new(),
                beside: 0,
            },
            has_work: false,
            best: None,
            goal: None,
            one: P::Cost::from_bits(1),
            meter,
            counter: if workers > 1 { meter.counter().sharing() } else { meter.counter() },
            highest: Key::LEAST,
            batch: Vec::with_capacity(BATCH),
            actions: Vec::new(),
            successors: Vec::new(),
            own: Vec::new(),
            hashes: Vec::new(),
            known: Vec::new(),
            kept: 0,
            sent: 0,
        }
    }

    /// The worker that owns a state.
    #[inline]
    pub fn owner(&self, state: &P::State) -> usize {
        let hash = match self.assignment {
            Assignment::Projection => self.problem.projection(state),
            Assignment::Hash => order::hash(state),
        };
        // Mixed once more: the head of a state's hash is its place in the owner's index.
        let mixed = (hash ^ hash >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (((mixed >> 32) * self.workers as u64) >> 32) as usize
    }

    /// Stores the start and opens it, if it is this worker's; the cost of the start, if it is a goal.
    pub fn begin(&mut self) -> Result<Option<P::Cost>, Stop> {
        let start = self.problem.start();
        let Some(h) = self.estimator.estimate(self.problem, &start) else { return Ok(None) };
        if self.owner(&start) != self.me {
            return Ok(None);
        }
        self.meter.note_root();
        let is_goal = self.order == Order::Depth && self.problem.is_goal(&start);
        self.nodes.store.insert_root(start);
        if !NodeStore::<P>::LINK_BY_ACTION {
            self.nodes.origins.push(self.me as u16);
        }
        if is_goal {
            return Ok(self.improve(P::Cost::ZERO, 0, None));
        }
        self.open(P::Cost::ZERO, h, 0)?;
        Ok(None)
    }

    /// A path to a goal was found, here or elsewhere.
    pub fn note_best(&mut self, cost: P::Cost) {
        if self.best.is_none_or(|best| cost < best) {
            self.best = Some(cost);
        }
    }

    /// A path to a goal was found here; its cost, if that is less than any known.
    fn improve(&mut self, cost: P::Cost, node: Handle, state: Option<P::State>) -> Option<P::Cost> {
        if self.best.is_some_and(|best| cost >= best) {
            return None;
        }
        self.best = Some(cost);
        self.goal = Some((node, state));
        Some(cost)
    }

    /// Whether no solution through a node that is no goal can cost less than the incumbent.
    #[inline]
    fn is_beaten(&self, g: P::Cost, h: V) -> bool {
        self.best.is_some_and(|best| match self.order {
            // A sum that does not fit is above every cost.
            Order::Sum => h.plus(g).and_then(V::ceil).is_none_or(|least| best.reaches(least)),
            Order::Depth => g.checked_add(self.one).is_none_or(|least| least >= best),
        })
    }

    #[inline]
    fn key(&self, g: P::Cost, h: V) -> Option<V::Key> {
        match self.order {
            Order::Sum => h.plus(g).map(V::key),
            Order::Depth => Some(V::cost_key(g)),
        }
    }

    #[inline]
    fn open(&mut self, g: P::Cost, h: V, node: Handle) -> Result<(), Stop> {
        let key = self.key(g, h).ok_or(Stop::Overflow)?;
        self.nodes.open.push(key, h, node);
        self.has_work = true;
        Ok(())
    }

    /// Notes bytes of messages, and leaves room within the memory limit for them and for what others hold under it.
    pub fn make_room(&mut self, beside: usize) {
        let others = self.meter.held().saturating_sub(self.nodes.bytes());
        self.nodes.beside = beside;
        self.nodes.store.leave_room(self.nodes.bytes() - self.nodes.store.bytes() + others);
    }

    /// Nodes expanded so far.
    pub fn expanded(&self) -> u64 {
        self.counter.expanded
    }

    /// Stores nodes that another worker has sent.
    pub fn accept(&mut self, parcels: &[Parcel<P, V>], from: usize) -> Result<(), Stop> {
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.clear();
        for parcel in parcels {
            let hash = self.nodes.store.hash(&parcel.state, parcel.parent);
            self.nodes.store.prefetch(hash);
            hashes.push(hash);
        }
        let placed = self.place(parcels, &hashes, from);
        self.hashes = hashes;
        placed
    }

    /// Expands the next nodes. What is another worker's goes to `send`, which is told the owner.
    pub fn expand(&mut self, mut send: impl FnMut(usize, Parcel<P, V>)) -> Result<Expanded<P::Cost>, Stop> {
        let most = if self.nodes.store.len() <= SMALL { 1 } else { BATCH };
        self.batch.clear();
        let Some(key) = self.nodes.open.pop_batch(most, &mut self.batch) else {
            self.has_work = false;
            return Ok(Expanded::Nothing);
        };
        let mut batch = std::mem::take(&mut self.batch);
        if most > 1 {
            batch.iter().for_each(|&(_, node)| self.nodes.store.prefetch_node(node));
        }
        let mut own = std::mem::take(&mut self.own);
        let mut hashes = std::mem::take(&mut self.hashes);
        own.clear();
        hashes.clear();
        self.counter.take(batch.len() as u64);
        let ended = self.expand_batch(key, &batch, &mut own, &mut hashes, &mut send);
        self.counter.give_back();
        // What was produced before a limit ended the batch is stored all the same.
        let placed = self.place(&own, &hashes, self.me);
        batch.clear();
        (self.batch, self.own, self.hashes) = (batch, own, hashes);
        let found = ended?;
        placed?;
        Ok(found)
    }

    fn expand_batch(
        &mut self,
        key: V::Key,
        batch: &[(V, Handle)],
        own: &mut Vec<Parcel<P, V>>,
        hashes: &mut Vec<u64>,
        send: &mut impl FnMut(usize, Parcel<P, V>),
    ) -> Result<Expanded<P::Cost>, Stop> {
        let mut found = Expanded::Some;
        for &(h, node) in batch {
            let g = self.nodes.store.cost(node);
            if self.key(g, h) < Some(key) {
                continue; // It was reached at a lower cost since.
            }
            if self.is_beaten(g, h) {
                // So are all that come after it; and what is beaten once is beaten for good.
                self.has_work = false;
                return Ok(if matches!(found, Expanded::Some) { Expanded::Nothing } else { found });
            }
            let state = self.nodes.store.state(node).clone();
            if self.order == Order::Sum && self.problem.is_goal(&state) {
                if let Some(cost) = self.improve(g, node, None) {
                    found = Expanded::Goal(cost);
                }
                continue;
            }
            self.highest = self.highest.max(key);
            let frontier = match self.order {
                Order::Sum => Frontier::F(self.highest.to_f64()),
                Order::Depth => Frontier::Depth(self.highest.to_f64() as u32),
            };
            self.counter.expand(&self.nodes, frontier)?;
            let arrival = self.nodes.store.arrival(node);
            self.actions.clear();
            self.counter.generated +=
                order::actions_of(self.problem, self.shuffle, &state, arrival.as_ref(), &mut self.actions);
            let mut successors = std::mem::take(&mut self.successors);
            self.estimator.successors(self.problem, &state, h, &self.actions, &mut successors);
            for (i, Successor { state, cost, h }) in successors.drain(..).enumerate() {
                let cost = if self.order == Order::Depth { self.one } else { cost };
                let g = g.checked_add(cost).ok_or(Stop::Overflow)?;
                let Some(h) = h else { continue };
                if self.order == Order::Depth && self.problem.is_goal(&state) {
                    if let Some(cost) = self.improve(g, node, Some(state)) {
                        found = Expanded::Goal(cost);
                    }
                    continue;
                }
                if self.is_beaten(g, h) {
                    continue;
                }
                let owner = self.owner(&state);
                let parcel = Parcel { state, action: self.actions[i].clone(), parent: node, g, h };
                if owner == self.me {
                    let hash = self.nodes.store.hash(&parcel.state, node);
                    self.nodes.store.prefetch(hash);
                    hashes.push(hash);
                    own.push(parcel);
                    self.kept += 1;
                } else {
                    send(owner, parcel);
                    self.sent += 1;
                }
            }
            self.successors = successors;
        }
        Ok(found)
    }

    /// Stores nodes that are this worker's: first those that are new at first sight, then, when the states that they may
    /// be equal to have been fetched, the others.
    fn place(&mut self, parcels: &[Parcel<P, V>], hashes: &[u64], from: usize) -> Result<(), Stop> {
        let mut known = std::mem::take(&mut self.known);
        known.clear();
        for (i, (parcel, &hash)) in parcels.iter().zip(hashes).enumerate() {
            let &Parcel { ref state, ref action, parent, g, h } = parcel;
            if self.is_beaten(g, h) {
                continue;
            }
            let arrival = Arrival { parent, action, cost: g };
            match self.nodes.store.insert_if_new(state, hash, arrival) {
                Some(node) => self.placed(g, h, node, from)?,
                None => known.push(i as u32),
            }
        }
        for &i in &known {
            let &Parcel { ref state, ref action, parent, g, h } = &parcels[i as usize];
            let arrival = Arrival { parent, action, cost: g };
            match self.nodes.store.insert(state, hashes[i as usize], arrival)? {
                Found::New(node) => self.placed(g, h, node, from)?,
                Found::Old(node) if g < self.nodes.store.cost(node) => {
                    self.nodes.store.improve(node, arrival);
                    if !NodeStore::<P>::LINK_BY_ACTION {
                        *self.nodes.origins.get_mut(node as usize) = from as u16;
                    }
                    self.open(g, h, node)?;
                }
                Found::Old(_) => {}
            }
        }
        self.known = known;
        Ok(())
    }

    #[inline]
    fn placed(&mut self, g: P::Cost, h: V, node: Handle, from: usize) -> Result<(), Stop> {
        if !NodeStore::<P>::LINK_BY_ACTION {
            self.nodes.origins.push(from as u16);
        }
        self.open(g, h, node)
    }

    /// Follows a path back as far as it is this worker's; who has the rest, and where it goes on, unless this is the start.
    pub fn trace(&self, at: At<P>, states: &mut Vec<P::State>) -> Option<(usize, At<P>)> {
        let store = &self.nodes.store;
        let mut node = match at {
            At::Goal => {
                let (node, state) = self.goal.clone()?;
                states.extend(state);
                node
            }
            At::State(state) => store.find(&state).expect("a stored node's parent is stored"),
            At::Node(node) => node,
        };
        loop {
            states.push(store.state(node).clone());
            let (owner, at) = match store.link(node) {
                Link::Root => return None,
                Link::State(parent) => (self.owner(&parent), At::State(parent)),
                Link::Node(parent) => (*self.nodes.origins.get(node as usize) as usize, At::Node(parent)),
            };
            if owner != self.me {
                return Some((owner, at));
            }
            node = match at {
                At::State(state) => store.find(&state).expect("a stored node's parent is stored"),
                At::Node(node) => node,
                At::Goal => unreachable!("a link leads to no goal"),
            };
        }
    }

    /// What ends this worker's part of the run now, whatever it has counted.
    pub fn ended(&self) -> Option<Stop> {
        self.meter.budget().ended()
    }

    /// Notes what is held at the end.
    pub fn finish(&mut self) -> WorkerStats {
        self.counter.hold(&self.nodes);
        WorkerStats {
            expanded: self.counter.expanded,
            generated: self.counter.generated,
            stored: self.nodes.nodes(),
            bytes: self.nodes.bytes() as u64,
            kept: self.kept,
            sent: self.sent,
            ..WorkerStats::default()
        }
    }
}
