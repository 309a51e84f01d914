//! What the algorithms share that search from both ends, each guided towards the other: two stores, expanding a node of
//! either, and the cheapest path on which they have met.
//!
//! Estimates are rounded up to costs, which keeps them what they promise: consistent. A successor whose f is no less than the
//! cost of the best path so far is dropped. A state that is reached at a lower cost is judged anew.

use super::idastar::unit;
use crate::cost::Cost;
use crate::estimator::{Estimator, Successor};
use crate::heuristic::Estimate;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::observer::{Fate, Node, Observer, Side};
use crate::open::OpenList;
use crate::order;
use crate::outcome::{Answer, Outcome, OutcomeOf, solved};
use crate::problem::{Backward, Forward, Problem, Reversible};
use crate::search::{Guided, Search};
use crate::store::{Arrival, Handle, NodeStore, actions_along};

/// An open list of which the next node can be seen. It holds entries that have gone stale.
pub(super) struct Peekable<Q, K, E> {
    queue: Q,
    /// Before all others.
    top: Option<(K, E, Handle)>,
}

/// An open list of nodes with estimates of a kind, ordered by costs.
pub(super) type Open<P, V> =
    Peekable<<V as Estimate<<P as Problem>::Cost>>::Open, <V as Estimate<<P as Problem>::Cost>>::Key, V>;

impl<Q: OpenList<K, E>, K: Copy + Ord, E: Copy + Ord> Peekable<Q, K, E> {
    pub fn new() -> Self {
        Self { queue: Q::default(), top: None }
    }

    #[inline]
    pub fn push(&mut self, key: K, h: E, node: Handle) {
        match self.top {
            Some((first, least, top)) if (key, h) <= (first, least) => {
                self.queue.push(first, least, top);
                self.top = Some((key, h, node));
            }
            _ => self.queue.push(key, h, node),
        }
    }

    /// The next node that is not stale.
    #[inline]
    pub fn peek(&mut self, is_valid: impl Fn(K, E, Handle) -> bool) -> Option<(K, E, Handle)> {
        loop {
            self.top = self.top.or_else(|| self.queue.pop());
            let (key, h, node) = self.top?;
            if is_valid(key, h, node) {
                return self.top;
            }
            self.top = None;
        }
    }

    /// Takes out what was seen last.
    #[inline]
    pub fn take_seen(&mut self) {
        self.top = None;
    }

    pub fn bytes(&self) -> usize {
        self.queue.bytes()
    }

    /// Everything in it, stale entries too, in the order in which it comes.
    pub fn in_order(&mut self) -> Vec<(K, E, Handle)> {
        self.top.into_iter().chain(self.queue.in_order()).collect()
    }
}

/// A node that was stored, or reached at a lower cost.
pub(super) struct Placed<C, V> {
    pub side: Side,
    pub node: Handle,
    pub g: C,
    /// The estimate of what is left to the other end.
    pub h: V,
    /// The same as a cost.
    pub left: C,
    /// The estimate of the cost from this side's own end, as a cost, if that was asked for.
    pub behind: C,
    /// The g it had before, if it is not new.
    pub before: Option<C>,
}

/// Two searches that go towards each other.
pub(super) struct Both<'s, P: Reversible, V, O> {
    pub observer: O,
    pub forward: NodeStore<'s, Forward<'s, P>>,
    pub backward: NodeStore<'s, Backward<'s, P>>,
    /// The least that an action costs, as far as is known.
    pub epsilon: P::Cost,
    /// What no solution costs less than, as far as is proved, but for the best one known.
    pub lower_bound: P::Cost,
    problem: &'s P,
    toward_goal: &'s dyn Estimator<P, V>,
    toward_start: &'s dyn Estimator<P, V>,
    /// Whether successors are told how far they are from their own end.
    looks_behind: bool,
    /// The cheapest path known: its cost, and the node where the two ends meet, in both stores.
    best: Option<(P::Cost, Handle, Handle)>,
    /// What a path may cost at most, by a limit on its length where all actions cost the same; and whether that mattered.
    most: Option<P::Cost>,
    cut: bool,
    counter: Counter<'s>,
    shuffle: Option<u64>,
    limited: bool,
    actions: Vec<P::Action>,
    successors: Vec<Successor<P, V>>,
    /// Hashes of successors, and their distances from behind.
    beside: Vec<(u64, Option<V>)>,
}

struct Stores<'b, 's, P: Reversible>(
    &'b NodeStore<'s, Forward<'s, P>>,
    &'b NodeStore<'s, Backward<'s, P>>,
    usize,
);

impl<P: Reversible> Held for Stores<'_, '_, P> {
    fn nodes(&self) -> u64 {
        self.0.nodes() + self.1.nodes()
    }

    fn bytes(&self) -> usize {
        self.0.bytes() + self.1.bytes() + self.2
    }

    fn passing_bytes(&self) -> usize {
        self.0.passing_bytes().max(self.1.passing_bytes())
    }
}

/// Carries a search out. `run` is given the roots by `Both::roots`, and ends when no solution is cheaper than the best.
pub(super) fn search<P: Reversible, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    toward_start: &dyn Estimator<P, V>,
    meter: &Meter<'_>,
    looks_behind: bool,
    run: impl FnOnce(&mut Both<'_, P, V, O>, Vec<Placed<P::Cost, V>>) -> Result<(), Stop>,
) -> OutcomeOf<P> {
    let Search { problem, heuristic: toward_goal, settings, observer, .. } = search;
    // The goal is given like the start: neither was generated by another node, and the root counts once.
    meter.note_root();
    if problem.is_goal(&problem.start()) {
        let answer = solved(problem, Vec::new(), true);
        return Outcome { answer, lower_bound: None, stop: None, stats: meter.stats() }.proved_by_bound();
    }
    let limit = meter.limits().depth;
    let (ahead, back) = (Forward(problem), Backward(problem));
    let mut both = Both {
        observer,
        forward: NodeStore::new(&ahead, meter.budget()).with_costs(),
        backward: NodeStore::new(&back, meter.budget()).with_costs(),
        epsilon: if problem.unit_cost() { unit(problem, &problem.start()) } else { P::Cost::ZERO },
        lower_bound: P::Cost::ZERO,
        problem,
        toward_goal,
        toward_start,
        looks_behind,
        best: None,
        most: limit.and_then(|limit| unit(problem, &problem.start()).checked_mul(limit)),
        cut: false,
        counter: meter.counter(),
        shuffle: settings.shuffle,
        limited: meter.limits().memory.is_some(),
        actions: Vec::new(),
        successors: Vec::new(),
        beside: Vec::new(),
    };
    let ended = both.roots().and_then(|roots| run(&mut both, roots));
    both.outcome(ended, meter)
}

/// Whether an estimate is a number: an infinite one that is admissible says that the other end is out of reach.
fn is_finite<C: Cost, V: Estimate<C>>(h: &V) -> bool {
    h.to_f64() < f64::INFINITY
}

/// An estimate as a cost.
fn rounded<C: Cost, V: Estimate<C>>(h: V) -> Result<C, Stop> {
    h.ceil().ok_or(Stop::Overflow)
}

impl<P: Reversible, V: Estimate<P::Cost>, O: Observer<P>> Both<'_, P, V, O> {
    /// Stores the start and the goals, but for those from which the other end cannot be reached.
    fn roots(&mut self) -> Result<Vec<Placed<P::Cost, V>>, Stop> {
        let mut roots = Vec::new();
        let ends = self.problem.goals().into_iter().map(|goal| (Side::Backward, goal));
        for (side, state) in std::iter::once((Side::Forward, self.problem.start())).chain(ends) {
            let is_forward = side == Side::Forward;
            let (ahead, behind) = if is_forward {
                (self.toward_goal, self.toward_start)
            } else {
                (self.toward_start, self.toward_goal)
            };
            let Some(h) = ahead.estimate(self.problem, &state).filter(is_finite) else { continue };
            if self.most.is_some_and(|most| h.ceil().is_none_or(|left: P::Cost| left > most)) {
                self.cut = true;
                continue;
            }
            let behind = behind.estimate(self.problem, &state).filter(|h| self.looks_behind && is_finite(h));
            let behind = behind.map_or(Ok(P::Cost::ZERO), rounded)?;
            let known = self.stored(side);
            if is_forward {
                self.forward.insert_root(state);
            } else {
                self.backward.insert_root(state);
            }
            if self.stored(side) > known {
                let left = rounded(h)?;
                let node = known as Handle;
                roots.push(Placed { side, node, g: P::Cost::ZERO, h, left, behind, before: None });
            }
        }
        Ok(roots)
    }

    fn stored(&self, side: Side) -> usize {
        match side {
            Side::Forward => self.forward.len(),
            Side::Backward => self.backward.len(),
        }
    }

    /// The cost of the path to a node from its end.
    #[inline]
    pub fn cost(&self, side: Side, node: Handle) -> P::Cost {
        match side {
            Side::Forward => self.forward.cost(node),
            Side::Backward => self.backward.cost(node),
        }
    }

    /// No solution but the best costs less than this; whether that proves the best one optimal.
    pub fn prove(&mut self, bound: P::Cost) -> bool {
        self.lower_bound = self.lower_bound.max(bound);
        self.best.is_some_and(|(cost, ..)| cost.reaches(self.lower_bound))
    }

    fn outcome(self, ended: Result<(), Stop>, meter: &Meter<'_>) -> OutcomeOf<P> {
        let Self { problem, forward, backward, best, counter, lower_bound, cut, .. } = self;
        let answer = match (best, ended) {
            (Some((_, here, there)), _) => {
                let mut states = forward.ancestry(here);
                states.extend(backward.ancestry(there).into_iter().rev().skip(1));
                solved(problem, actions_along(problem, &states), ended.is_ok())
            }
            (None, Ok(())) if cut => Answer::Stopped(Stop::Depth),
            (None, Ok(())) => Answer::Unsolvable,
            (None, Err(stop)) => Answer::Stopped(stop),
        };
        let cost = if let Answer::Solved(solution) = &answer { Some(solution.cost) } else { None };
        let proved = cost.map_or(lower_bound, |cost| cost.min(lower_bound));
        // What the limit has kept out costs more than what was found within it.
        let claimed = ended != Err(Stop::Overflow) && (cost.is_some() || ended.is_err() && !cut);
        let lower_bound = claimed.then_some(proved);
        counter.finish(&Stores(&forward, &backward, 0));
        Outcome { answer, lower_bound, stop: ended.err(), stats: meter.stats() }.proved_by_bound()
    }

    /// Expands a node; `place` is told of each successor that is stored, or reached at a lower cost, and `open` are the bytes
    /// of the open lists.
    pub fn expand(
        &mut self,
        side: Side,
        (node, h): (Handle, V),
        frontier: Frontier,
        open: usize,
        place: impl FnMut(Placed<P::Cost, V>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.counter.expand(&Stores(&self.forward, &self.backward, open), frontier)?;
        if self.limited {
            self.forward.leave_room(self.backward.bytes() + open);
            self.backward.leave_room(self.forward.bytes() + open);
        }
        let Self { problem, toward_goal, toward_start, shuffle, actions, successors, .. } = self;
        let (problem, shuffle) = (*problem, *shuffle);
        actions.clear();
        successors.clear();
        match side {
            Side::Forward => {
                let state = self.forward.state(node).clone();
                let arrival = if O::ACTIVE { None } else { self.forward.arrival(node) };
                self.counter.generated +=
                    order::actions_of(&Forward(problem), shuffle, &state, arrival.as_ref(), actions);
                let (of, held) = ((*toward_goal, problem), Stores(&self.forward, &self.backward, open));
                if let Err(stop) = self.counter.successors(of, (&state, h), actions, successors, &held) {
                    self.counter.generated -= (actions.len() - successors.len()) as u64;
                    return Err(stop);
                }
                let behind = if self.looks_behind { Some(*toward_start) } else { None };
                fetch(problem, &self.forward, &self.backward, behind, successors, &mut self.beside);
                let mut expansion = Expansion {
                    side,
                    own: &mut self.forward,
                    other: &self.backward,
                    best: &mut self.best,
                    most: self.most,
                    cut: &mut self.cut,
                    observer: &mut self.observer,
                };
                expansion.place_all(node, &state, h, actions, successors, &self.beside, place)
            }
            Side::Backward => {
                let back = Backward(problem);
                let state = self.backward.state(node).clone();
                let arrival = if O::ACTIVE { None } else { self.backward.arrival(node) };
                self.counter.generated +=
                    order::actions_of(&back, shuffle, &state, arrival.as_ref(), actions);
                for (place, action) in actions.iter().enumerate() {
                    let held = Stores(&self.forward, &self.backward, open);
                    if let Err(stop) = self.counter.produce(place, &held) {
                        self.counter.generated -= (actions.len() - place) as u64;
                        return Err(stop);
                    }
                    let (state, cost, ()) = back.successor(&state, action);
                    let h = toward_start.estimate(problem, &state);
                    successors.push(Successor { state, cost, h });
                }
                let behind = if self.looks_behind { Some(*toward_goal) } else { None };
                fetch(problem, &self.forward, &self.backward, behind, successors, &mut self.beside);
                let mut expansion = Expansion {
                    side,
                    own: &mut self.backward,
                    other: &self.forward,
                    best: &mut self.best,
                    most: self.most,
                    cut: &mut self.cut,
                    observer: &mut self.observer,
                };
                expansion.place_all(node, &state, h, actions, successors, &self.beside, place)
            }
        }
    }

    /// Tells an observer what is open after an expansion, of each side in the order in which it comes next. `open` lists it,
    /// only if the observer asks, by what nodes cost.
    pub fn tell_frontier(
        &mut self,
        open: impl FnOnce(&dyn Fn(Side, Handle) -> P::Cost) -> Vec<(Side, Handle)>,
    ) {
        if O::ACTIVE {
            let Self { observer, forward, backward, .. } = self;
            let cost = |side, node| match side {
                Side::Forward => forward.cost(node),
                Side::Backward => backward.cost(node),
            };
            let mut open = Some(open);
            observer.frontier(&mut || open.take().map_or_else(Vec::new, |open| open(&cost)));
        }
    }
}

/// Finds out what placing successors will need, and asks the processor for it.
#[inline]
fn fetch<P: Reversible, V: Estimate<P::Cost>>(
    problem: &P,
    forward: &NodeStore<'_, Forward<'_, P>>,
    backward: &NodeStore<'_, Backward<'_, P>>,
    behind: Option<&dyn Estimator<P, V>>,
    successors: &[Successor<P, V>],
    out: &mut Vec<(u64, Option<V>)>,
) {
    out.clear();
    out.extend(successors.iter().map(|Successor { state, .. }| {
        let hash = order::hash(state);
        forward.prefetch(hash);
        backward.prefetch(hash);
        (hash, behind.and_then(|behind| behind.estimate(problem, state)).filter(is_finite))
    }));
}

/// An expansion on one side, with what it may change.
struct Expansion<'e, 's, A: Problem, B: Problem, O> {
    side: Side,
    own: &'e mut NodeStore<'s, A>,
    other: &'e NodeStore<'s, B>,
    best: &'e mut Option<(A::Cost, Handle, Handle)>,
    most: Option<A::Cost>,
    cut: &'e mut bool,
    observer: &'e mut O,
}

impl<A, B, O> Expansion<'_, '_, A, B, O>
where
    A: Problem,
    B: Problem<State = A::State, Cost = A::Cost>,
{
    #[allow(clippy::too_many_arguments)]
    fn place_all<P, V>(
        &mut self,
        above: Handle,
        before: &A::State,
        parent_h: V,
        actions: &[A::Action],
        successors: &[Successor<P, V>],
        beside: &[(u64, Option<V>)],
        mut place: impl FnMut(Placed<A::Cost, V>) -> Result<(), Stop>,
    ) -> Result<(), Stop>
    where
        P: Problem<State = A::State, Action = A::Action, Cost = A::Cost>,
        V: Estimate<A::Cost>,
        O: Observer<P>,
    {
        let parent_g = self.own.cost(above);
        let parent =
            Node { side: self.side, key: above, state: before, g: parent_g, h: Some(parent_h.to_f64()) };
        if O::ACTIVE && self.observer.expanded(parent, &|| self.own.path(above)).is_break() {
            return Err(Stop::Interrupted);
        }
        for ((action, successor), &(hash, behind)) in actions.iter().zip(successors).zip(beside) {
            let &Successor { ref state, cost, h } = successor;
            let h = h.filter(is_finite);
            let g = parent_g.checked_add(cost).ok_or(Stop::Overflow)?;
            let left = h.map(rounded).transpose()?;
            let f = left.map(|left: A::Cost| g.checked_add(left).ok_or(Stop::Overflow)).transpose()?;
            let arrival = Arrival { parent: above, action, cost: g };
            let found = self.own.look_up(state, hash, above);
            let beaten = |f: A::Cost| self.best.is_some_and(|(best, ..)| best.reaches(f));
            let (node, fate) = match (found, f) {
                (_, None) => (Handle::MAX, Fate::Dead),
                (Ok(node), _) if g >= self.own.cost(node) => (node, Fate::Repeated),
                (_, Some(f)) if beaten(f) => (Handle::MAX, Fate::Cut),
                (_, Some(f)) if self.most.is_some_and(|most| f > most) => {
                    *self.cut = true;
                    (Handle::MAX, Fate::AtLimit)
                }
                (Ok(node), _) => (node, Fate::Better),
                (Err(slot), _) => (self.own.insert_at(slot, state, hash, arrival)?, Fate::New),
            };
            if let (Fate::New | Fate::Better, Some(h), Some(left)) = (fate, h, left) {
                let known = (fate == Fate::Better).then(|| self.own.cost(node));
                if known.is_some() {
                    self.own.improve(node, arrival);
                }
                self.meet(state, hash, node, g)?;
                let behind = behind.map_or(Ok(A::Cost::ZERO), rounded)?;
                place(Placed { side: self.side, node, g, h, left, behind, before: known })?;
            }
            if O::ACTIVE {
                let child = Node { side: self.side, key: node, state, g, h: h.map(Estimate::to_f64) };
                self.observer.generated(parent, action, child, fate);
            }
        }
        Ok(())
    }

    /// Joins the paths where the other side knows a state as well.
    #[inline]
    fn meet(&mut self, state: &A::State, hash: u64, node: Handle, g: A::Cost) -> Result<(), Stop> {
        let Some(there) = self.other.find_hashed(state, hash) else { return Ok(()) };
        let cost = g.checked_add(self.other.cost(there)).ok_or(Stop::Overflow)?;
        let is_short = self.most.is_none_or(|most| cost <= most);
        *self.cut |= !is_short;
        if is_short && self.best.is_none_or(|(best, ..)| cost < best) {
            let (forward, backward) = match self.side {
                Side::Forward => (node, there),
                Side::Backward => (there, node),
            };
            *self.best = Some((cost, forward, backward));
        }
        Ok(())
    }
}
