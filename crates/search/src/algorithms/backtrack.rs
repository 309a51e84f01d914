//! Depth-first search in place: one state, changed and changed back, and a
//! stack. Depth-first search on trees, depth-limited search, iterative
//! deepening and IDA* are this loop with different guards.

use crate::control::{Held, Meter};
use crate::limits::{Frontier, Stop};
use crate::observer::{Fate, Observer};
use crate::order;
use crate::problem::{Cost, Problem};

/// Decides which generated states are followed.
pub(crate) trait Guard<P: Problem> {
    /// Carried along the path.
    type Memo: Clone;

    /// The memo of a state just generated, or why it is not followed.
    fn admit(
        &mut self,
        problem: &P,
        parent: &Self::Memo,
        state: &P::State,
        action: P::Action,
        undo: &P::Undo,
        g: Cost,
    ) -> Result<Self::Memo, Fate>;

    /// The same before the action is done, where that can be told.
    #[inline]
    fn peek(
        &mut self,
        _problem: &P,
        _parent: &Self::Memo,
        _before: &P::State,
        _action: P::Action,
        _g: Cost,
    ) -> Option<Result<Self::Memo, Fate>> {
        None
    }

    /// The estimate in a memo, for observers.
    fn estimate(&self, _memo: &Self::Memo) -> Option<f64> {
        None
    }

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
        _: P::Action,
        _: &P::Undo,
        _: Cost,
    ) -> Result<(), Fate> {
        Ok(())
    }
}

/// A state on the current path.
struct Frame<P: Problem, M> {
    /// How the path came here; absent at the root.
    step: Option<(P::Action, P::Undo)>,
    memo: M,
    g: Cost,
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
    untried: usize,
}

impl<P: Problem, M> Held for HeldNow<'_, P, M> {
    fn nodes(&self) -> u64 {
        (self.path.above.len() + 1 + self.untried) as u64
    }

    fn bytes(&self) -> usize {
        self.path.bytes() + self.guard_bytes
    }
}

/// How one descent ended.
pub(crate) enum Ending<A> {
    /// At a goal.
    Found(Vec<A>, Cost),
    /// With nothing left to try; `cut` if some state was not expanded because
    /// of the depth limit.
    Exhausted { cut: bool },
}

/// One depth-first search from the start, which is no goal itself, down to a
/// depth.
pub(crate) struct Descent<'d, P, G, O> {
    pub problem: &'d P,
    pub guard: &'d mut G,
    pub observer: &'d mut O,
    pub shuffle: Option<u64>,
    pub depth_limit: u32,
}

impl<P: Problem, G: Guard<P>, O: Observer<P>> Descent<'_, P, G, O> {
    /// Searches until a goal is found or nothing is left.
    pub fn run(
        &mut self,
        root: G::Memo,
        path: &mut Path<P, G::Memo>,
        meter: &mut Meter<'_, '_>,
    ) -> Result<Ending<P::Action>, Stop> {
        path.above.clear();
        path.actions.clear();
        if self.depth_limit == 0 {
            return Ok(Ending::Exhausted { cut: true });
        }
        let problem = self.problem;
        let mut state = problem.start();
        let mut here = Frame { step: None, memo: root, g: 0, first: 0, next: 0 };
        let mut untried = 0;
        let mut cut = false;
        'deeper: loop {
            self.expand(&here, &state, path, &mut untried, meter)?;
            loop {
                let Some(&action) = path.actions.get(here.next as usize) else {
                    self.guard.leave();
                    self.observer.left();
                    let Some(parent) = path.above.pop() else { return Ok(Ending::Exhausted { cut }) };
                    path.actions.truncate(here.first as usize);
                    if let Some((action, undo)) = here.step {
                        problem.undo(&mut state, action, undo);
                    }
                    here = parent;
                    continue;
                };
                here.next += 1;
                untried -= 1;
                let peeked = if O::ACTIVE {
                    None
                } else {
                    self.guard.peek(problem, &here.memo, &state, action, here.g)
                };
                if let Some(Err(_)) = peeked {
                    continue;
                }
                let (cost, undo) = problem.apply(&mut state, action);
                let g = here.g.saturating_add(cost);
                let admitted = match peeked {
                    Some(admitted) => admitted,
                    None => self.guard.admit(problem, &here.memo, &state, action, &undo, g),
                };
                match admitted {
                    Err(fate) => self.observer.generated(action, &state, g, None, fate),
                    Ok(memo) => {
                        self.observer.generated(action, &state, g, self.guard.estimate(&memo), Fate::New);
                        if problem.is_goal(&state) {
                            meter.stats.generated -= untried as u64;
                            let steps = path.above.iter().chain([&here]).filter_map(|frame| frame.step);
                            let path = steps.map(|step| step.0).chain([action]).collect();
                            return Ok(Ending::Found(path, g));
                        }
                        if (path.above.len() as u32) + 1 < self.depth_limit {
                            let first = path.actions.len() as u32;
                            let child = Frame { step: Some((action, undo)), memo, g, first, next: first };
                            path.above.push(std::mem::replace(&mut here, child));
                            continue 'deeper;
                        }
                        cut = true;
                    }
                }
                problem.undo(&mut state, action, undo);
            }
        }
    }

    /// Puts the actions of the deepest state on the stack.
    #[inline(always)]
    fn expand(
        &mut self,
        here: &Frame<P, G::Memo>,
        state: &P::State,
        path: &mut Path<P, G::Memo>,
        untried: &mut usize,
        meter: &mut Meter<'_, '_>,
    ) -> Result<(), Stop> {
        let held = HeldNow { path, guard_bytes: self.guard.bytes(), untried: *untried };
        if let Err(stop) = meter.expand(&held, Frontier::Depth(path.above.len() as u32)) {
            meter.stats.generated -= *untried as u64;
            return Err(stop);
        }
        self.observer.expanded(state, here.g, self.guard.estimate(&here.memo).unwrap_or(0.0));
        self.guard.enter(state);
        match here.step {
            None => order::actions(self.problem, self.shuffle, state, &mut path.actions),
            Some((previous, _)) => {
                order::actions_after(self.problem, self.shuffle, state, previous, &mut path.actions);
            }
        }
        let count = path.actions.len() - here.first as usize;
        *untried += count;
        // Counted here rather than one by one; those never tried are taken off when the search ends.
        meter.stats.generated += count as u64;
        let nodes = (path.above.len() + 1 + *untried) as u64;
        meter.stats.stored_peak = meter.stats.stored_peak.max(nodes);
        Ok(())
    }
}
