//! A puzzle as a search problem under a heuristic, whichever puzzle it is.
//!
//! Each puzzle has one function that picks the representation of its states and the heuristic, and hands both to a
//! [`Visitor`]. Solving is a visitor that runs the engine on them, statically typed. [`Formulation`] is what another
//! visitor makes of them: one problem type for all puzzles, several times slower, for those who want to look at states
//! rather than race through them: a search that is watched, the audit of a heuristic ([`Instance::explore`]). It is the
//! same search: the same algorithm, order of actions, estimates and counts. One compiled copy of each algorithm serves
//! all puzzles there.
//!
//! [`Instance::explore`]: crate::Instance::explore

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexSet;
use novelo_search::{
    Algorithm, CannotRun, Cost, Estimate, HeapQueue, Heuristic, Meter, Observer, Outcome, Problem, Promise,
    Real, Reversible, Search, Settings, Stop, Weight,
};

use crate::request::RequestError;

/// A puzzle's rules as a search problem.
pub trait Rules: Problem<State: 'static, Action: Hash + 'static, Undo: 'static> + 'static {
    /// An action in its written form.
    fn written(&self, action: Self::Action) -> String;

    /// Runs a search; those who can run backwards do it by [`Search::run_reversible_under`].
    fn run<H: Heuristic<Self>>(
        search: Search<'_, Self, H>,
        meter: &Meter<'_>,
        algorithm: Algorithm,
    ) -> Result<Outcome<Self::Action>, CannotRun>
    where
        Self: Sized,
    {
        search.run_under(meter, algorithm)
    }

    /// The rules as they are run backwards, for those who can.
    fn backwards(&self) -> Option<&dyn Backwards<Self::State, Self::Action>> {
        None
    }
}

/// [`Reversible`], for those who do not know the type of the rules.
pub trait Backwards<S, A> {
    /// The only goal state.
    fn goal(&self) -> S;
    /// Appends the actions that lead into a state.
    fn actions_into(&self, state: &S, out: &mut Vec<A>);
    /// Takes an action back that has led to a state; its cost.
    fn retract(&self, state: &mut S, action: A) -> Cost;
}

impl<P: Reversible> Backwards<P::State, P::Action> for P {
    fn goal(&self) -> P::State {
        Reversible::goal(self)
    }

    fn actions_into(&self, state: &P::State, out: &mut Vec<P::Action>) {
        Reversible::actions_into(self, state, out);
    }

    fn retract(&self, state: &mut P::State, action: P::Action) -> Cost {
        Reversible::retract(self, state, action)
    }
}

/// Is given the rules and the heuristic of an instance, and the meter of the run, under which tables were made.
pub trait Visitor {
    /// What it makes of them.
    type Output;

    /// Does its work.
    fn visit<P: Rules, H: Heuristic<P>>(
        self,
        rules: P,
        heuristic: H,
        meter: &Meter<'_>,
    ) -> Result<Self::Output, RequestError>;

    /// Is told that making the heuristic's tables was stopped, and a bound that no solution is below.
    fn stopped(
        self,
        stop: Stop,
        lower_bound: Option<Cost>,
        meter: &Meter<'_>,
    ) -> Result<Self::Output, RequestError>;
}

/// An action of any puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step(u32);

/// A state of any puzzle, and the way by which it was reached.
#[derive(Clone)]
pub struct Position(Arc<dyn Reached>);

/// What a position knows.
trait Reached: Send + Sync {
    fn state(&self) -> &dyn Any;
    fn parent(&self) -> Option<&(Position, Step)>;
    fn take_parent(&mut self) -> Option<Position>;
    fn same(&self, other: &Position) -> bool;
    fn feed(&self, hasher: &mut dyn Hasher);
}

struct Node<P: Rules> {
    state: P::State,
    parent: Option<(Position, Step)>,
}

impl<P: Rules> Reached for Node<P> {
    fn state(&self) -> &dyn Any {
        &self.state
    }

    fn parent(&self) -> Option<&(Position, Step)> {
        self.parent.as_ref()
    }

    fn take_parent(&mut self) -> Option<Position> {
        self.parent.take().map(|(position, _)| position)
    }

    fn same(&self, other: &Position) -> bool {
        // Where the engine is to keep states apart by the way they were reached, so must this.
        let reached = |a: &(Position, Step), b: &(Position, Step)| Arc::ptr_eq(&a.0.0, &b.0.0) && a.1 == b.1;
        let apart = P::TREE
            && match (self.parent(), other.0.parent()) {
                (Some(a), Some(b)) => !reached(a, b),
                (a, b) => a.is_some() != b.is_some(),
            };
        !apart && other.0.state().downcast_ref() == Some(&self.state)
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.state.hash(&mut hasher);
    }
}

impl<P: Rules> Drop for Node<P> {
    // A way may be too long for each position to drop the one before it in turn.
    fn drop(&mut self) {
        let mut next = self.take_parent();
        while let Some(mut position) = next {
            next = Arc::get_mut(&mut position.0).and_then(Reached::take_parent);
        }
    }
}

impl Position {
    /// The position before it, and the action that led on from there.
    pub fn parent(&self) -> Option<(&Position, Step)> {
        self.0.parent().map(|(position, step)| (position, *step))
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(other)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.feed(state);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Position")
    }
}

/// A search problem with its heuristic, of any puzzle.
pub struct Formulation<'h>(&'h dyn Form);

impl fmt::Debug for Formulation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Formulation")
    }
}

trait Form: Sync {
    fn start(&self) -> Position;
    fn is_goal(&self, position: &Position) -> bool;
    fn actions(&self, position: &Position, out: &mut Vec<Step>);
    fn apply(&self, position: &Position, step: Step) -> (Position, Cost);
    fn reverses(&self, step: Step, previous: Step) -> bool;
    fn unit_cost(&self) -> bool;
    fn is_tree(&self) -> bool;
    fn written(&self, step: Step) -> String;
    fn promise(&self) -> Promise;
    fn estimate(&self, position: &Position) -> Option<Value>;
    fn position_bytes(&self) -> usize;
    /// The only goal, where the rules can be run backwards; only then can the next two be asked.
    fn goal(&self) -> Option<Position>;
    fn actions_into(&self, position: &Position, out: &mut Vec<Step>);
    fn retract(&self, position: &Position, step: Step) -> (Position, Cost);
}

struct Typed<P: Rules, H> {
    rules: P,
    heuristic: H,
    /// Actions are numbered in the order in which they are met.
    met: Mutex<IndexSet<P::Action>>,
}

impl<P: Rules, H> Typed<P, H> {
    fn action(&self, step: Step) -> P::Action {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)[step.0 as usize]
    }

    fn step(&self, action: P::Action) -> Step {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        Step(met.insert_full(action).0 as u32)
    }
}

impl Position {
    fn state<S: 'static>(&self) -> &S {
        self.0.state().downcast_ref().expect("positions stay with the formulation that made them")
    }
}

impl<P: Rules, H: Heuristic<P>> Form for Typed<P, H> {
    fn start(&self) -> Position {
        Position(Arc::new(Node::<P> { state: self.rules.start(), parent: None }))
    }

    fn is_goal(&self, position: &Position) -> bool {
        self.rules.is_goal(position.state())
    }

    fn actions(&self, position: &Position, out: &mut Vec<Step>) {
        let mut actions = Vec::new();
        self.rules.actions(position.state(), &mut actions);
        out.extend(actions.into_iter().map(|action| self.step(action)));
    }

    fn apply(&self, position: &Position, step: Step) -> (Position, Cost) {
        let mut state = position.state::<P::State>().clone();
        let (cost, _) = self.rules.apply(&mut state, self.action(step));
        (Position(Arc::new(Node::<P> { state, parent: Some((position.clone(), step)) })), cost)
    }

    fn reverses(&self, step: Step, previous: Step) -> bool {
        self.rules.reverses(self.action(step), self.action(previous))
    }

    fn unit_cost(&self) -> bool {
        self.rules.unit_cost()
    }

    fn is_tree(&self) -> bool {
        P::TREE
    }

    fn written(&self, step: Step) -> String {
        self.rules.written(self.action(step))
    }

    fn promise(&self) -> Promise {
        self.heuristic.promise()
    }

    fn estimate(&self, position: &Position) -> Option<Value> {
        let memo = self.heuristic.memo(&self.rules, position.state())?;
        let value = self.heuristic.value(&memo);
        Some(if H::Value::WHOLE {
            Value::Whole(value.ceil())
        } else {
            Value::Real(Real::new(value.to_f64()))
        })
    }

    fn position_bytes(&self) -> usize {
        size_of::<Node<P>>() + 2 * size_of::<usize>()
    }

    fn goal(&self) -> Option<Position> {
        let state = self.rules.backwards()?.goal();
        Some(Position(Arc::new(Node::<P> { state, parent: None })))
    }

    fn actions_into(&self, position: &Position, out: &mut Vec<Step>) {
        let mut actions = Vec::new();
        if let Some(backwards) = self.rules.backwards() {
            backwards.actions_into(position.state(), &mut actions);
        }
        out.extend(actions.into_iter().map(|action| self.step(action)));
    }

    fn retract(&self, position: &Position, step: Step) -> (Position, Cost) {
        let mut state = position.state::<P::State>().clone();
        let cost = self.rules.backwards().map_or(0, |rules| rules.retract(&mut state, self.action(step)));
        (Position(Arc::new(Node::<P> { state, parent: None })), cost)
    }
}

/// What is done with a formulation while it is lent.
pub type Explorer<'e> = &'e mut dyn FnMut(&Formulation<'_>);

/// The visitor that lends an explorer one type for all puzzles.
pub(crate) struct Lend<F>(pub F);

impl<F: FnOnce(&Formulation<'_>)> Visitor for Lend<F> {
    type Output = ControlFlow<Stop>;

    fn visit<P: Rules, H: Heuristic<P>>(
        self,
        rules: P,
        heuristic: H,
        _: &Meter<'_>,
    ) -> Result<Self::Output, RequestError> {
        Formulation::lend(rules, heuristic, self.0);
        Ok(ControlFlow::Continue(()))
    }

    fn stopped(self, stop: Stop, _: Option<Cost>, _: &Meter<'_>) -> Result<Self::Output, RequestError> {
        Ok(ControlFlow::Break(stop))
    }
}

impl Formulation<'_> {
    /// Lends rules and a heuristic without their types.
    pub(crate) fn lend<P: Rules, H: Heuristic<P>, T>(
        rules: P,
        heuristic: H,
        explorer: impl FnOnce(&Formulation<'_>) -> T,
    ) -> T {
        explorer(&Formulation(&Typed { rules, heuristic, met: Mutex::default() }))
    }

    /// The heuristic, for a [`Search`] of the engine.
    fn heuristic(&self) -> Guidance {
        Guidance(self.0.promise())
    }

    /// The estimate of a position; `None` for a dead end.
    pub fn estimate(&self, position: &Position) -> Option<f64> {
        self.0.estimate(position).map(Value::to_f64)
    }

    /// An action in its written form.
    pub fn written(&self, step: Step) -> String {
        self.0.written(step)
    }
}

impl Problem for Formulation<'_> {
    type State = Position;
    type Action = Step;
    type Undo = ();

    fn is_tree(&self) -> bool {
        self.0.is_tree()
    }

    fn start(&self) -> Position {
        self.0.start()
    }

    fn is_goal(&self, position: &Position) -> bool {
        self.0.is_goal(position)
    }

    fn actions(&self, position: &Position, out: &mut Vec<Step>) {
        self.0.actions(position, out);
    }

    fn apply(&self, position: &mut Position, step: Step) -> (Cost, ()) {
        let (next, cost) = self.0.apply(position, step);
        *position = next;
        (cost, ())
    }

    fn undo(&self, position: &mut Position, _: Step, (): ()) {
        let before = position.parent().map(|(before, _)| before.clone());
        *position = before.expect("an action led here");
    }

    fn reverses(&self, step: Step, previous: Step) -> bool {
        self.0.reverses(step, previous)
    }

    fn unit_cost(&self) -> bool {
        self.0.unit_cost()
    }
}

impl Reversible for Formulation<'_> {
    fn goal(&self) -> Position {
        self.0.goal().expect("asked only of rules that run backwards")
    }

    fn actions_into(&self, position: &Position, out: &mut Vec<Step>) {
        self.0.actions_into(position, out);
    }

    fn retract(&self, position: &mut Position, step: Step) -> Cost {
        let (before, cost) = self.0.retract(position, step);
        *position = before;
        cost
    }
}

/// An estimate of any heuristic, all of one kind: whole numbers stay what they are, so that sums and weighted keys are as
/// exact as those of the heuristic itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Whole(u32),
    /// Any other.
    Real(Real),
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a.cmp(b),
            (a, b) => Real::new(a.to_f64()).cmp(&Real::new(b.to_f64())),
        }
    }
}

impl Estimate for Value {
    type Open = HeapQueue<Self, Self>;
    const WHOLE: bool = false;
    const ZERO: Self = Self::Whole(0);
    const MAX: Self = Self::Real(Real::MAX);

    fn key(self, g: Cost, weight: Weight) -> Self {
        match self {
            Self::Whole(h) => Self::Whole(h.key(g, weight)),
            Self::Real(h) => Self::Real(h.key(g, weight)),
        }
    }

    fn plus(self, g: Cost) -> Self {
        match self {
            Self::Whole(h) => Self::Whole(h.plus(g)),
            Self::Real(h) => Self::Real(h.plus(g)),
        }
    }

    fn to_f64(self) -> f64 {
        match self {
            Self::Whole(h) => h.to_f64(),
            Self::Real(h) => h.to_f64(),
        }
    }

    fn ceil(self) -> Cost {
        match self {
            Self::Whole(h) => h,
            Self::Real(h) => h.ceil(),
        }
    }
}

/// The heuristic of a [`Formulation`].
#[derive(Debug, Clone, Copy)]
struct Guidance(Promise);

impl<'h> Heuristic<Formulation<'h>> for Guidance {
    type Memo = Value;
    type Value = Value;

    fn promise(&self) -> Promise {
        self.0
    }

    fn memo(&self, formulation: &Formulation<'h>, position: &Position) -> Option<Value> {
        formulation.0.estimate(position)
    }

    fn value(&self, memo: &Value) -> Value {
        *memo
    }

    fn resume(&self, _: &Formulation<'h>, _: &Position, value: Value) -> Value {
        value
    }
}

/// Bytes that the engine counts for a node at the least: its state, its way back, its place in the index and the frontier.
const COUNTED: usize = 32;

/// Runs an algorithm on a formulation, with an observer.
pub(crate) fn observe<'h, O: Observer<Formulation<'h>>>(
    formulation: &Formulation<'h>,
    algorithm: Algorithm,
    settings: Settings,
    observer: O,
    meter: &Meter<'_>,
) -> Result<Outcome<String>, CannotRun> {
    // Positions hold more than the engine can see of them: it is told of a limit that allows for the rest.
    let held = formulation.0.position_bytes() + COUNTED;
    let part = meter.apart(meter.room().map(|room| room / held * COUNTED));
    let search =
        Search::new(formulation).heuristic(formulation.heuristic()).settings(settings).observer(observer);
    let mut outcome = if formulation.0.goal().is_some() {
        search.run_reversible_under(&part, algorithm)?
    } else {
        search.run_under(&part, algorithm)?
    };
    outcome.stats.peak_bytes = (outcome.stats.peak_bytes / COUNTED).saturating_mul(held) + meter.held();
    outcome.stats.elapsed = meter.stats().elapsed;
    Ok(outcome.map(|step| formulation.written(step)))
}
