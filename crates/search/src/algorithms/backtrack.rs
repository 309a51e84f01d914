//! Depth-first search in place: one state, changed and changed back, and a
//! stack. Depth-first search on trees, depth-limited search, iterative
//! deepening and IDA* are this loop with different guards.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use crate::cost::Cost;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held};
use crate::observer::{Fate, Node, Observer};
use crate::order;
use crate::problem::Problem;

/// The memo of a state that is followed; or why it is not and, where one was computed, its estimate.
pub(crate) type Admission<M> = Result<M, (Fate, Option<f64>)>;

/// Decides which generated states are followed.
pub(crate) trait Guard<P: Problem> {
    /// Carried along the path.
    type Memo: Clone;

    /// The memo of a state just generated, or why it is not followed and, where one was computed, its estimate.
    fn admit(
        &mut self,
        problem: &P,
        parent: &Self::Memo,
        state: &P::State,
        action: &P::Action,
        undo: &P::Undo,
        g: P::Cost,
    ) -> Admission<Self::Memo>;

    /// The same before the action is done, where that can be told.
    #[inline]
    fn peek(
        &mut self,
        _problem: &P,
        _parent: &Self::Memo,
        _before: &P::State,
        _action: &P::Action,
        _g: P::Cost,
    ) -> Option<Admission<Self::Memo>> {
        None
    }

    /// The estimate in a memo, for observers.
    fn estimate(&self, _memo: &Self::Memo) -> Option<f64> {
        None
    }

    /// Whether it must know of the state just turned back at if the path to it is simple: no state on it comes twice.
    #[inline]
    fn asks_for_simple(&self) -> bool {
        false
    }

    /// Whether a step that costs nothing may lead back to a state of the path, round and round within any bound.
    #[inline]
    fn fears_free_cycles(&self) -> bool {
        false
    }

    /// It turned back at the end of a simple path.
    fn cut_simple(&mut self) {}

    /// A state is expanded: it is now on the path.
    fn enter(&mut self, _state: &P::State) {}

    /// The state expanded last is no longer on the path.
    fn leave(&mut self) {}

    /// Bytes the guard holds.
    fn bytes(&self) -> usize {
        0
    }
}

/// Follows everything.
pub(crate) struct Open;

impl<P: Problem> Guard<P> for Open {
    type Memo = ();

    #[inline]
    fn admit(
        &mut self,
        _: &P,
        (): &(),
        _: &P::State,
        _: &P::Action,
        _: &P::Undo,
        _: P::Cost,
    ) -> Admission<()> {
        Ok(())
    }
}

/// A state on the current path.
struct Frame<P: Problem, M> {
    /// How the path came here; absent at the root.
    step: Option<(P::Action, P::Undo)>,
    memo: M,
    g: P::Cost,
    /// This state's actions on the stack of actions, and the next one to try.
    /// The last is the last of the stack, while this state is the deepest.
    first: u32,
    next: u32,
}

/// The current path and its open siblings; kept from one iteration to the next
/// so that nothing is allocated anew.
pub(crate) struct Path<P: Problem, M> {
    /// Every state above the deepest.
    above: Vec<Frame<P, M>>,
    /// The actions of all states on the path.
    actions: Vec<P::Action>,
}

impl<P: Problem, M> Path<P, M> {
    pub fn new() -> Self {
        Self { above: Vec::new(), actions: Vec::new() }
    }
}

impl<P: Problem, M> Held for Path<P, M> {
    /// Nothing: while it is searched, the loop counts; afterwards it is empty.
    fn nodes(&self) -> u64 {
        0
    }

    fn bytes(&self) -> usize {
        self.above.capacity() * size_of::<Frame<P, M>>() + self.actions.capacity() * size_of::<P::Action>()
    }
}

/// What is held in the middle of a descent.
struct HeldNow<'h, P: Problem, M> {
    path: &'h Path<P, M>,
    guard_bytes: usize,
    nodes: u64,
}

impl<P: Problem, M> Held for HeldNow<'_, P, M> {
    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn bytes(&self) -> usize {
        self.path.bytes() + self.guard_bytes
    }
}

/// How one descent ended.
pub(crate) enum Ending<A> {
    /// At a goal: the actions from the root of the descent.
    Found(Vec<A>),
    /// With nothing left to try; `cut` if some state was not expanded because
    /// of the depth limit.
    Exhausted { cut: bool },
}

/// Where a descent begins: a state that is no goal.
pub(crate) struct Root<'r, P: Problem, M> {
    pub state: P::State,
    pub memo: M,
    pub g: P::Cost,
    /// The actions that led to it.
    pub above: &'r [P::Action],
}

impl<P: Problem, M> Root<'_, P, M> {
    /// The start of a problem.
    pub fn start(problem: &P, memo: M) -> Self {
        Self { state: problem.start(), memo, g: P::Cost::ZERO, above: &[] }
    }
}

/// A depth-first search down to a depth.
pub(crate) struct Descent<'d, P, G, O> {
    pub problem: &'d P,
    pub guard: &'d mut G,
    pub observer: &'d mut O,
    pub shuffle: Option<u64>,
    pub depth_limit: u32,
    /// The bound of the iteration, for those who are told of progress; the depth in hand if there is none.
    pub bound: Option<f64>,
}

impl<P: Problem, G: Guard<P>, O: Observer<P>> Descent<'_, P, G, O> {
    /// Searches below a root until a goal is found or nothing is left.
    pub fn run(
        &mut self,
        root: Root<'_, P, G::Memo>,
        path: &mut Path<P, G::Memo>,
        counter: &mut Counter<'_>,
    ) -> Result<Ending<P::Action>, Stop> {
        path.above.clear();
        path.actions.clear();
        let Root { mut state, memo, g, above } = root;
        let root_depth = above.len() as u32;
        if self.depth_limit <= root_depth {
            return Ok(Ending::Exhausted { cut: true });
        }
        let problem = self.problem;
        let mut here = Frame { step: None, memo, g, first: 0, next: 0 };
        let mut untried = 0;
        let mut cut = false;
        'deeper: loop {
            self.expand(&here, above, &state, path, &mut untried, counter)?;
            // The state whose successors are produced, for an observer.
            let mut before = O::ACTIVE.then(|| state.clone());
            loop {
                let Some(action) = path.actions.get(here.next as usize) else {
                    self.guard.leave();
                    let Some(parent) = path.above.pop() else { return Ok(Ending::Exhausted { cut }) };
                    path.actions.truncate(here.first as usize);
                    if let Some((action, undo)) = here.step {
                        problem.undo(&mut state, action, undo);
                    }
                    here = parent;
                    before = O::ACTIVE.then(|| state.clone());
                    continue;
                };
                let action = action.clone();
                let place = (here.next - here.first) as usize;
                if let Err(stop) = counter.produce(place, &self.held(path, root_depth)) {
                    counter.generated -= untried as u64;
                    return Err(stop);
                }
                here.next += 1;
                untried -= 1;
                let peeked = if O::ACTIVE {
                    None
                } else {
                    self.guard.peek(problem, &here.memo, &state, &action, here.g)
                };
                if let Some(Err((fate, _))) = peeked {
                    if fate == Fate::Cut && self.guard.asks_for_simple() {
                        self.tell_if_simple(above, path, &here, &action);
                    }
                    continue;
                }
                let (cost, undo) = problem.apply(&mut state, action.clone());
                let Some(g) = here.g.checked_add(cost) else {
                    counter.generated -= untried as u64;
                    return Err(Stop::Overflow);
                };
                let circling = cost == P::Cost::ZERO
                    && self.guard.fears_free_cycles()
                    && self.comes_back(above, path, &here, &state, (&action, &undo));
                let admitted = match peeked {
                    _ if circling => Err((Fate::Repeated, None)),
                    Some(admitted) => admitted,
                    None => self.guard.admit(problem, &here.memo, &state, &action, &undo, g),
                };
                let depth = root_depth + path.above.len() as u32 + 1;
                let deeper = depth < self.depth_limit;
                if let Some(before) = &before {
                    let (h, fate) = match &admitted {
                        Ok(memo) => {
                            let open = deeper || problem.is_goal(&state);
                            (self.guard.estimate(memo), if open { Fate::New } else { Fate::AtLimit })
                        }
                        Err((fate, h)) => (*h, *fate),
                    };
                    let parent = Node::forward(depth - 1, before, here.g, self.guard.estimate(&here.memo));
                    // What is turned back at is no node of the path.
                    let key = if admitted.is_ok() { depth } else { u32::MAX };
                    self.observer.generated(parent, &action, Node::forward(key, &state, g, h), fate);
                }
                match admitted {
                    Ok(_) if problem.is_goal(&state) => {
                        counter.generated -= untried as u64;
                        counter.stored_peak = counter.stored_peak.max(u64::from(depth) + 1);
                        let steps = path.above.iter().chain([&here]).filter_map(|frame| frame.step.clone());
                        return Ok(Ending::Found(steps.map(|step| step.0).chain([action]).collect()));
                    }
                    Ok(memo) if deeper => {
                        let first = path.actions.len() as u32;
                        let child = Frame { step: Some((action, undo)), memo, g, first, next: first };
                        path.above.push(std::mem::replace(&mut here, child));
                        continue 'deeper;
                    }
                    Ok(_) => {
                        cut = true;
                        counter.stored_peak = counter.stored_peak.max(u64::from(depth) + 1);
                    }
                    Err((Fate::Cut, _)) if self.guard.asks_for_simple() => {
                        self.tell_if_simple(above, path, &here, &action);
                    }
                    Err(_) => {}
                }
                problem.undo(&mut state, action, undo);
            }
        }
    }

    /// What is held now, by the path that goes on from a root.
    #[inline(always)]
    fn held<'h>(&self, path: &'h Path<P, G::Memo>, root_depth: u32) -> HeldNow<'h, P, G::Memo> {
        let nodes = u64::from(root_depth) + path.above.len() as u64 + 1;
        HeldNow { path, guard_bytes: self.guard.bytes(), nodes }
    }

    /// Whether a free step has led back to a state of the path that costs as much: one behind which all steps were free.
    #[cold]
    #[inline(never)]
    fn comes_back(
        &self,
        above: &[P::Action],
        path: &Path<P, G::Memo>,
        here: &Frame<P, G::Memo>,
        state: &P::State,
        (action, undo): (&P::Action, &P::Undo),
    ) -> bool {
        let mut before = state.clone();
        self.problem.undo(&mut before, action.clone(), undo.clone());
        for frame in [here].into_iter().chain(path.above.iter().rev()) {
            if frame.g < here.g {
                return false;
            }
            if before == *state {
                return true;
            }
            if let Some((action, undo)) = frame.step.clone() {
                self.problem.undo(&mut before, action, undo);
            }
        }
        let mut before = self.problem.start();
        above.iter().any(|action| {
            let same = before == *state;
            self.problem.apply(&mut before, action.clone());
            same
        })
    }

    /// Tells the guard if the path to a child of the deepest state, the whole of it from the start, is simple.
    #[cold]
    #[inline(never)]
    fn tell_if_simple(
        &mut self,
        above: &[P::Action],
        path: &Path<P, G::Memo>,
        here: &Frame<P, G::Memo>,
        action: &P::Action,
    ) {
        let frames = path.above.iter().chain([here]);
        let steps = frames.filter_map(|frame| frame.step.as_ref().map(|step| &step.0));
        if is_simple(self.problem, above.iter().chain(steps).chain([action])) {
            self.guard.cut_simple();
        }
    }

    /// Puts the actions of the deepest state on the stack.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn expand(
        &mut self,
        here: &Frame<P, G::Memo>,
        above: &[P::Action],
        state: &P::State,
        path: &mut Path<P, G::Memo>,
        untried: &mut usize,
        counter: &mut Counter<'_>,
    ) -> Result<(), Stop> {
        let depth = (above.len() + path.above.len()) as u32;
        let nodes = u64::from(depth) + 1;
        counter.stored_peak = counter.stored_peak.max(nodes);
        let held = self.held(path, above.len() as u32);
        let frontier = self.bound.map_or(Frontier::Depth(depth), Frontier::Bound);
        if let Err(stop) = counter.expand(&held, frontier) {
            counter.generated -= *untried as u64;
            return Err(stop);
        }
        if O::ACTIVE {
            let seen = Node::forward(depth, state, here.g, self.guard.estimate(&here.memo));
            let steps = || {
                let frames = path.above.iter().chain([here]).filter_map(|frame| frame.step.clone());
                above.iter().cloned().chain(frames.map(|step| step.0)).collect()
            };
            if self.observer.expanded(seen, &steps).is_break() {
                counter.generated -= *untried as u64;
                return Err(Stop::Interrupted);
            }
        }
        self.guard.enter(state);
        match here.step.as_ref().map(|step| &step.0).or(above.last()) {
            None => order::actions(self.problem, self.shuffle, state, &mut path.actions),
            Some(previous) => {
                order::actions_after(self.problem, self.shuffle, state, previous, &mut path.actions);
            }
        }
        let count = path.actions.len() - here.first as usize;
        *untried += count;
        // Counted here rather than one by one; those never tried are taken off when the search ends.
        counter.generated += count as u64;
        Ok(())
    }
}

/// Whether no state comes twice on a path from the start.
pub(crate) fn is_simple<'a, P: Problem>(problem: &P, path: impl Iterator<Item = &'a P::Action>) -> bool
where
    P::Action: 'a,
{
    let mut state = problem.start();
    let mut states: HashSet<P::State, FxBuildHasher> = HashSet::from_iter([state.clone()]);
    path.into_iter().all(|action| {
        problem.apply(&mut state, action.clone());
        states.insert(state.clone())
    })
}
