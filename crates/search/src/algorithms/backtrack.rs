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
    /// Where this state's untried actions begin on the stack of actions.
    base: usize,
}

/// The current path and its open siblings; kept from one iteration to the next
/// so that nothing is allocated anew.
pub(crate) struct Path<P: Problem, M> {
    frames: Vec<Frame<P, M>>,
    /// Untried actions of all states on the path, the next one last.
    actions: Vec<P::Action>,
}

impl<P: Problem, M> Path<P, M> {
    pub fn new() -> Self {
        Self { frames: Vec::new(), actions: Vec::new() }
    }
}

impl<P: Problem, M> Held for Path<P, M> {
    fn nodes(&self) -> u64 {
        (self.frames.len() + self.actions.len()) as u64
    }

    fn bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame<P, M>>() + self.actions.capacity() * size_of::<P::Action>()
    }
}

/// The path, and what its guard holds.
struct HeldWith<'h, P: Problem, M>(&'h Path<P, M>, usize);

impl<P: Problem, M> Held for HeldWith<'_, P, M> {
    fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    fn bytes(&self) -> usize {
        self.0.bytes() + self.1
    }
}

/// How one descent ended.
pub(crate) enum Descent<A> {
    /// At a goal.
    Found(Vec<A>, Cost),
    /// With nothing left to try; `cut` if some state was not expanded because
    /// of the depth limit.
    Exhausted { cut: bool },
}

/// One depth-first search from the start, which is no goal itself, down to a
/// depth.
pub(crate) fn descend<P: Problem, G: Guard<P>, O: Observer<P>>(
    problem: &P,
    guard: &mut G,
    root: G::Memo,
    depth_limit: u32,
    shuffle: Option<u64>,
    path: &mut Path<P, G::Memo>,
    meter: &mut Meter<'_, '_>,
    observer: &mut O,
) -> Result<Descent<P::Action>, Stop> {
    path.frames.clear();
    path.actions.clear();
    if depth_limit == 0 {
        return Ok(Descent::Exhausted { cut: true });
    }
    let mut cut = false;
    let mut state = problem.start();
    expand(problem, guard, &state, None, root, 0, shuffle, path, meter, observer)?;
    while let Some(frame) = path.frames.last() {
        if path.actions.len() == frame.base {
            let frame = path.frames.pop().expect("there is one");
            guard.leave();
            observer.left();
            if let Some((action, undo)) = frame.step {
                problem.undo(&mut state, action, undo);
            }
            continue;
        }
        let action = path.actions.pop().expect("above the base");
        if let Some((previous, _)) = frame.step
            && problem.reverses(action, previous)
        {
            continue;
        }
        let (cost, undo) = problem.apply(&mut state, action);
        meter.stats.generated += 1;
        let g = frame.g.saturating_add(cost);
        let memo = match guard.admit(problem, &frame.memo, &state, action, &undo, g) {
            Ok(memo) => memo,
            Err(fate) => {
                observer.generated(action, &state, g, None, fate);
                problem.undo(&mut state, action, undo);
                continue;
            }
        };
        observer.generated(action, &state, g, guard.estimate(&memo), Fate::New);
        if problem.is_goal(&state) {
            let actions = path.frames.iter().filter_map(|frame| frame.step.as_ref().map(|step| step.0));
            return Ok(Descent::Found(actions.chain([action]).collect(), g));
        }
        if path.frames.len() as u32 >= depth_limit {
            cut = true;
            problem.undo(&mut state, action, undo);
            continue;
        }
        expand(problem, guard, &state, Some((action, undo)), memo, g, shuffle, path, meter, observer)?;
    }
    Ok(Descent::Exhausted { cut })
}

/// Puts a state on the path, with its actions.
#[inline(always)]
fn expand<P: Problem, G: Guard<P>, O: Observer<P>>(
    problem: &P,
    guard: &mut G,
    state: &P::State,
    step: Option<(P::Action, P::Undo)>,
    memo: G::Memo,
    g: Cost,
    shuffle: Option<u64>,
    path: &mut Path<P, G::Memo>,
    meter: &mut Meter<'_, '_>,
    observer: &mut O,
) -> Result<(), Stop> {
    let depth = Frontier::Depth(path.frames.len() as u32);
    meter.expand(&HeldWith(path, guard.bytes()), depth)?;
    observer.expanded(state, g, guard.estimate(&memo).unwrap_or(0.0));
    guard.enter(state);
    let base = path.actions.len();
    path.frames.push(Frame { step, memo, g, base });
    order::actions(problem, shuffle, state, &mut path.actions);
    path.actions[base..].reverse();
    meter.stats.stored_peak = meter.stats.stored_peak.max(path.nodes());
    Ok(())
}
