//! What the algorithms share that keep every state they find and are handed an [`Estimator`]: the store, expanding a node,
//! telling observers, and the depth limit.
//!
//! Each keeps open lists of its own, and judges anew every state that is reached at a lower cost. So on an optimal path
//! there is always a node in its lists, reached as cheaply as can be, whose f is no more than the optimal cost if the
//! estimate is admissible: the smallest f of all open nodes is a lower bound, in whatever order they are expanded.
//!
//! As long as no node is at a depth limit, a search is the one without it; as soon as one is, it begins anew, and a state
//! at another depth is another node (as in `best_first.rs`, which says why).

use super::idastar::unit;
use crate::cost::Cost;
use crate::estimator::{Estimator, Successor};
use crate::heuristic::Estimate;
use crate::incumbent::Incumbent;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::observer::{Fate, Node, Observer, Side};
use crate::order;
use crate::outcome::{Answer, Outcome, OutcomeOf, path_cost, solved};
use crate::problem::Problem;
use crate::search::{Guided, Search};
use crate::store::{Arrival, Handle, NodeStore, Nodes};

/// How a search ended: at a goal, with nothing left, or stopped.
pub(super) type Ended = Result<Option<Handle>, Stop>;

/// The states found so far, and what is needed to find more.
pub(super) struct Space<'s, P: Problem, V, O> {
    pub problem: &'s P,
    pub estimator: &'s dyn Estimator<P, V>,
    pub observer: O,
    pub meter: &'s Meter<'s>,
    pub store: NodeStore<'s, P>,
    /// The estimate of the start, unless that is a dead end.
    pub root: Option<V>,
    /// Whether the heuristic promises to be admissible.
    pub admissible: bool,
    /// Whether a node was not expanded because of the depth limit.
    pub cut: bool,
    counter: Counter<'s>,
    shuffle: Option<u64>,
    /// Whether there is a depth limit that must be heeded as soon as it matters.
    heedless: bool,
    actions: Vec<P::Action>,
    peeked: Vec<Option<(P::Cost, V)>>,
    successors: Vec<Successor<P, V>>,
}

/// A store, and bytes of open lists beside it.
struct Beside<'b, 's, P: Problem>(&'b NodeStore<'s, P>, usize);

impl<P: Problem> Held for Beside<'_, '_, P> {
    fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    fn bytes(&self) -> usize {
        self.0.bytes() + self.1
    }

    fn passing_bytes(&self) -> usize {
        self.0.passing_bytes()
    }
}

/// A successor that was stored, or reached at a lower cost than before.
pub(super) struct Placed<C, V> {
    pub node: Handle,
    pub g: C,
    pub h: V,
    pub is_new: bool,
}

impl<'s, P: Problem, V: Estimate<P::Cost>, O: Observer<P>> Space<'s, P, V, O> {
    /// Carries a search out: `run` is given the start alone, in the store and in no list. It returns the goal at which it
    /// ends, or offers solutions to the incumbent, and proves bounds there.
    pub fn search(
        search: Guided<'s, P, V, O>,
        meter: &'s Meter<'s>,
        mut run: impl FnMut(&mut Self, &mut Incumbent<'s, P::Action, P::Cost>) -> Ended,
    ) -> OutcomeOf<P> {
        let Search { problem, heuristic: estimator, settings, observer, mut incumbent, .. } = search;
        let root = estimator.estimate(problem, &problem.start());
        let admissible = estimator.promise().admissible;
        root.filter(|_| admissible).and_then(Estimate::ceil).into_iter().for_each(|h| incumbent.prove(h));
        meter.note_root();
        // Where all actions cost the same, and not nothing, the cheaper of two paths is the shorter one.
        let shorter = || problem.unit_cost() && unit(problem, &problem.start()) > P::Cost::ZERO;
        let mut space = Self {
            problem,
            estimator,
            observer,
            meter,
            store: Self::start(problem, meter, Nodes::States),
            root,
            admissible,
            cut: false,
            counter: meter.counter(),
            shuffle: settings.shuffle,
            heedless: meter.limits().depth.is_some() && !shorter(),
            actions: Vec::new(),
            peeked: Vec::new(),
            successors: Vec::new(),
        };
        let mut ended = run(&mut space, &mut incumbent);
        if space.heedless && space.limit_matters(ended) {
            space.heed_depths();
            ended = run(&mut space, &mut incumbent);
        }
        space.outcome(ended, incumbent)
    }

    fn start(problem: &'s P, meter: &'s Meter<'s>, nodes: Nodes) -> NodeStore<'s, P> {
        let limit = meter.limits().depth;
        let mut store = NodeStore::new(problem, meter.budget()).with_costs().with_depths(limit, nodes);
        store.insert_root(problem.start());
        store
    }

    /// Whether a node is at the depth limit, or a path that was found is longer.
    fn limit_matters(&self, ended: Ended) -> bool {
        self.cut || matches!(ended, Ok(Some(goal)) if self.is_too_long(self.store.ancestry(goal).len() - 1))
    }

    fn is_too_long(&self, actions: usize) -> bool {
        self.meter.limits().depth.is_some_and(|limit| actions > limit as usize)
    }

    /// Begins anew with nodes that are states at depths.
    #[cold]
    fn heed_depths(&mut self) {
        self.heedless = false;
        self.cut = false;
        self.counter.hold(&());
        self.store = Self::start(self.problem, self.meter, Nodes::StatesAtDepths);
        self.observer.iteration(f64::from(self.meter.limits().depth.unwrap_or(u32::MAX)));
    }

    fn outcome(self, ended: Ended, mut incumbent: Incumbent<'s, P::Action, P::Cost>) -> OutcomeOf<P> {
        let Self { problem, meter, store, admissible, cut, counter, .. } = self;
        // Nothing that could be cheaper is left. It is so without the promise, too, but nothing is claimed without it.
        if ended == Ok(None) && admissible && !cut {
            incumbent.prove_best();
        }
        let lower_bound = incumbent.lower_bound().filter(|_| ended != Err(Stop::Overflow));
        let answer = match (incumbent.into_solution(), ended) {
            (Some(best), _) => Answer::Solved(best),
            (None, Ok(Some(goal))) => solved(problem, store.path(goal), false),
            (None, Ok(None)) if cut => Answer::Stopped(Stop::Depth),
            (None, Ok(None)) => Answer::Unsolvable,
            (None, Err(stop)) => Answer::Stopped(stop),
        };
        counter.finish(&store);
        Outcome { answer, lower_bound, stop: ended.err(), stats: meter.stats() }.proved_by_bound()
    }

    /// No solution costs less than the smallest f of all open nodes, if the estimate promises that, and no depth limit has
    /// kept nodes out.
    pub fn prove(&self, incumbent: &mut Incumbent<'_, P::Action, P::Cost>, least: V) {
        if self.admissible && !self.cut {
            least.ceil().into_iter().for_each(|bound| incumbent.prove(bound));
        }
    }

    /// Whether no solution through a node can be cheaper than the incumbent.
    pub fn is_beaten(&self, incumbent: &Incumbent<'_, P::Action, P::Cost>, g: P::Cost, h: V) -> bool {
        incumbent.beats(g, self.admissible.then_some(h))
    }

    pub fn is_goal(&self, node: Handle) -> bool {
        self.problem.is_goal(self.store.state(node))
    }

    /// Offers the path to a goal, and tells what it costs; an error if the depth limit forbids it.
    #[cold]
    pub fn offer(
        &mut self,
        goal: Handle,
        incumbent: &mut Incumbent<'_, P::Action, P::Cost>,
    ) -> Result<(), Stop> {
        let path = self.store.path(goal);
        if self.is_too_long(path.len()) {
            self.cut = true;
            return Err(Stop::Depth);
        }
        let cost = path_cost(self.problem, &path).ok_or(Stop::Overflow)?;
        incumbent.offer(path, cost, self.meter)
    }

    /// Whether a node may be expanded. At the depth limit it may not: that is noted, and ends a search that must begin
    /// anew because of it.
    pub fn may_expand(&mut self, node: Handle) -> Result<bool, Stop> {
        if !self.store.at_limit(node) {
            return Ok(true);
        }
        self.cut = true;
        if self.heedless { Err(Stop::Depth) } else { Ok(false) }
    }

    /// Counts an expansion and tells the observer; `beside` are the bytes of the open lists.
    fn begin(
        &mut self,
        node: Handle,
        state: &P::State,
        h: V,
        frontier: Frontier,
        beside: usize,
    ) -> Result<(), Stop> {
        self.store.leave_room(beside);
        self.counter.expand(&Beside(&self.store, beside), frontier)?;
        if O::ACTIVE {
            let seen = Node::forward(node, state, self.store.cost(node), Some(h.to_f64()));
            let store = &self.store;
            if self.observer.expanded(seen, &|| store.path(node)).is_break() {
                return Err(Stop::Interrupted);
            }
        }
        Ok(())
    }

    /// Expands a node that is no goal and [may be](Self::may_expand) expanded. Successors that are `beaten`, by cost and
    /// estimate, are dropped; `place` is told of those that are stored, or reached at a lower cost.
    pub fn expand(
        &mut self,
        (node, h): (Handle, V),
        frontier: Frontier,
        beside: usize,
        beaten: impl Fn(P::Cost, V) -> bool,
        mut place: impl FnMut(Placed<P::Cost, V>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let state = self.store.state(node).clone();
        self.begin(node, &state, h, frontier, beside)?;
        let arrival = if O::ACTIVE { None } else { self.store.arrival(node) };
        let mut actions = std::mem::take(&mut self.actions);
        let mut successors = std::mem::take(&mut self.successors);
        actions.clear();
        successors.clear();
        self.counter.generated +=
            order::actions_of(self.problem, self.shuffle, &state, arrival.as_ref(), &mut actions);
        let (of, held) = ((self.estimator, self.problem), Beside(&self.store, beside));
        let mut placed = self.counter.successors(of, (&state, h), &actions, &mut successors, &held);
        self.counter.generated -= (actions.len() - successors.len()) as u64;
        let parent = (node, &state, h);
        for (action, successor) in actions.iter().zip(&successors) {
            if placed.is_err() {
                break;
            }
            placed = self.place(parent, action, successor, &beaten, &mut place);
        }
        self.actions = actions;
        self.successors = successors;
        placed
    }

    /// Expands a node in part: only successors whose f is `wanted` are stored. Where the heuristic can tell without doing an
    /// action, the others are not even produced. Returns the smallest f that was not wanted, if it is `later`.
    pub fn expand_part(
        &mut self,
        (node, h): (Handle, V),
        frontier: Frontier,
        beside: usize,
        wanted: impl Fn(V) -> bool,
        later: impl Fn(V) -> bool,
        mut place: impl FnMut(Placed<P::Cost, V>) -> Result<(), Stop>,
    ) -> Result<Option<V>, Stop> {
        let state = self.store.state(node).clone();
        self.begin(node, &state, h, frontier, beside)?;
        let g = self.store.cost(node);
        let mut actions = std::mem::take(&mut self.actions);
        let mut peeked = std::mem::take(&mut self.peeked);
        let mut successors = std::mem::take(&mut self.successors);
        actions.clear();
        peeked.clear();
        successors.clear();
        order::actions(self.problem, self.shuffle, &state, &mut actions);
        self.estimator.peek(self.problem, &state, h, &actions, &mut peeked);
        let mut next: Option<V> = None;
        let mut note = |f: V| {
            if later(f) && next.is_none_or(|least| f < least) {
                next = Some(f);
            }
        };
        let mut ended = Ok(());
        for (i, (action, &told)) in actions.iter().zip(&peeked).enumerate() {
            ended = self.counter.produce(i, &Beside(&self.store, beside));
            if ended.is_err() {
                break;
            }
            let sum = |cost, h: V| g.checked_add(cost).and_then(|g| h.plus(g)).ok_or(Stop::Overflow);
            let told = told.map(|(cost, h)| sum(cost, h)).transpose();
            let f = match told {
                Ok(Some(f)) if !wanted(f) => {
                    note(f);
                    continue;
                }
                Ok(_) => {
                    successors.clear();
                    self.counter.generated += 1;
                    let one = std::slice::from_ref(action);
                    self.estimator.successors(self.problem, &state, h, one, &mut successors);
                    let successor = &successors[0];
                    successor.h.map(|h| sum(successor.cost, h)).transpose()
                }
                Err(stop) => Err(stop),
            };
            ended = match f {
                Ok(Some(f)) if !wanted(f) => {
                    note(f);
                    self.tell_cut((node, &state, h), action, &successors[0]);
                    Ok(())
                }
                Ok(_) => self.place((node, &state, h), action, &successors[0], &|_, _| false, &mut place),
                Err(stop) => Err(stop),
            };
            if ended.is_err() {
                break;
            }
        }
        self.actions = actions;
        self.peeked = peeked;
        self.successors = successors;
        ended.map(|()| next)
    }

    /// Tells an observer of a successor that was produced and not stored.
    fn tell_cut(
        &mut self,
        (above, before, parent_h): (Handle, &P::State, V),
        action: &P::Action,
        successor: &Successor<P, V>,
    ) {
        if O::ACTIVE {
            let parent_g = self.store.cost(above);
            let g = parent_g.checked_add(successor.cost).unwrap_or(parent_g);
            let parent = Node::forward(above, before, parent_g, Some(parent_h.to_f64()));
            let child = Node::forward(Handle::MAX, &successor.state, g, successor.h.map(Estimate::to_f64));
            self.observer.generated(parent, action, child, Fate::Cut);
        }
    }

    /// Stores a successor, or finds that it is known, a dead end or beaten.
    #[inline]
    fn place(
        &mut self,
        (above, before, parent_h): (Handle, &P::State, V),
        action: &P::Action,
        successor: &Successor<P, V>,
        beaten: &impl Fn(P::Cost, V) -> bool,
        place: &mut impl FnMut(Placed<P::Cost, V>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let &Successor { ref state, cost, h } = successor;
        let parent_g = self.store.cost(above);
        let g = parent_g.checked_add(cost).ok_or(Stop::Overflow)?;
        let hash = self.store.hash(state, above);
        let arrival = Arrival { parent: above, action, cost: g };
        let (node, fate) = match (self.store.look_up(state, hash, above), h) {
            (_, None) => (Handle::MAX, Fate::Dead),
            (Ok(node), _) if g >= self.store.cost(node) => (node, Fate::Repeated),
            (_, Some(h)) if beaten(g, h) => (Handle::MAX, Fate::Cut),
            (Ok(node), Some(h)) => {
                self.store.improve(node, arrival);
                place(Placed { node, g, h, is_new: false })?;
                (node, Fate::Better)
            }
            (Err(slot), Some(h)) => {
                let node = self.store.insert_at(slot, state, hash, arrival)?;
                place(Placed { node, g, h, is_new: true })?;
                (node, Fate::New)
            }
        };
        if O::ACTIVE {
            let parent = Node::forward(above, before, parent_g, Some(parent_h.to_f64()));
            let child = Node::forward(node, state, g, h.map(Estimate::to_f64));
            self.observer.generated(parent, action, child, fate);
        }
        Ok(())
    }

    /// Tells an observer what is open after an expansion, in the order in which it comes next.
    pub fn tell_frontier(&mut self, open: impl FnOnce(&NodeStore<'s, P>) -> Vec<Handle>) {
        if O::ACTIVE {
            let mut open = Some(open);
            let store = &self.store;
            self.observer.frontier(&mut || {
                let open = open.take().map_or_else(Vec::new, |open| open(store));
                open.into_iter().map(|node| (Side::Forward, node)).collect()
            });
        }
    }
}
