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

use crate::Cost;
use indexmap::IndexSet;
use novelo_search::estimator::Estimator;
use novelo_search::parallel::Wire;
use novelo_search::{
    Algorithm, CannotRun, Estimate, HeapQueue, Heuristic, Meter, Observer, Outcome, Problem, Promise, Real,
    Reversible, Search, Settings, Stop, Weight,
};

use crate::request::{Improvements, RequestError};

/// A puzzle's rules as a search problem.
pub trait Rules:
    Problem<State: Wire + 'static, Action: Wire + Copy + Eq + Hash + 'static, Undo: 'static, Cost = Cost>
    + 'static
{
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
    /// All goal states.
    fn goals(&self) -> Vec<S>;
    /// Appends the actions that lead into a state.
    fn actions_into(&self, state: &S, out: &mut Vec<A>);
    /// Takes an action back that has led to a state; its cost.
    fn retract(&self, state: &mut S, action: A) -> Cost;
}

impl<P: Reversible<Cost = Cost>> Backwards<P::State, P::Action> for P {
    fn goals(&self) -> Vec<P::State> {
        Reversible::goals(self)
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
    /// The cost of an action and the estimate of what it would lead to, where the heuristic can tell.
    fn peek(&self, position: &Position, step: Step) -> Option<(Cost, Value)>;
    fn shift(&self) -> f64;
    fn position_bytes(&self) -> usize;
    /// The goals, where the rules can be run backwards; only then can the next two be asked.
    fn goals(&self) -> Vec<Position>;
    fn actions_into(&self, position: &Position, out: &mut Vec<Step>);
    fn retract(&self, position: &Position, step: Step) -> (Position, Cost);
    /// The estimate of the cost from the start, where the heuristic has one.
    fn toward_start(&self) -> Option<TowardStart<'_>>;
}

type PositionEstimate<'h> = Box<dyn Fn(&Position) -> Option<Value> + Sync + 'h>;

/// The estimate of a [`Formulation`] from the other end.
struct TowardStart<'h> {
    promise: Promise,
    estimate: PositionEstimate<'h>,
}

impl<'h> Heuristic<Formulation<'h>> for TowardStart<'_> {
    type Memo = Value;
    type Value = Value;

    fn promise(&self) -> Promise {
        self.promise
    }

    fn memo(&self, _: &Formulation<'h>, position: &Position) -> Option<Value> {
        (self.estimate)(position)
    }

    fn value(&self, memo: &Value) -> Value {
        *memo
    }
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
        self.rules.reverses(&self.action(step), &self.action(previous))
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

    fn shift(&self) -> f64 {
        self.heuristic.shift(&self.rules)
    }

    fn promise(&self) -> Promise {
        self.heuristic.promise()
    }

    fn estimate(&self, position: &Position) -> Option<Value> {
        let memo = self.heuristic.memo(&self.rules, position.state())?;
        Some(Value::of(self.heuristic.value(&memo)))
    }

    fn peek(&self, position: &Position, step: Step) -> Option<(Cost, Value)> {
        let state = position.state();
        let memo = self.heuristic.memo(&self.rules, state)?;
        let (cost, memo) = self.heuristic.peek(&self.rules, &memo, state, &self.action(step))?;
        Some((cost, Value::of(self.heuristic.value(&memo))))
    }

    fn position_bytes(&self) -> usize {
        novelo_search::allocated(size_of::<Node<P>>() + 2 * size_of::<usize>())
    }

    fn goals(&self) -> Vec<Position> {
        let goals = self.rules.backwards().map(Backwards::goals).unwrap_or_default();
        goals.into_iter().map(|state| Position(Arc::new(Node::<P> { state, parent: None }))).collect()
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

    fn toward_start(&self) -> Option<TowardStart<'_>> {
        let estimator = self.heuristic.toward_start(&self.rules)?;
        Some(TowardStart {
            promise: estimator.promise(),
            estimate: Box::new(move |position| {
                estimator.estimate(&self.rules, position.state()).map(Value::of)
            }),
        })
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
    pub fn heuristic<'a>(&self) -> impl Heuristic<Formulation<'a>, Value = Value> {
        Guidance(self.0.promise())
    }

    /// The estimate of a position; `None` for a dead end.
    pub fn estimate(&self, position: &Position) -> Option<f64> {
        self.0.estimate(position).map(|value| value.to_f64() - self.shift())
    }

    /// What the searches add to every estimate: [`Heuristic::shift`].
    pub(crate) fn shift(&self) -> f64 {
        self.0.shift()
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
    type Cost = Cost;

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

    fn reverses(&self, step: &Step, previous: &Step) -> bool {
        self.0.reverses(*step, *previous)
    }

    fn unit_cost(&self) -> bool {
        self.0.unit_cost()
    }

    fn heap_bytes(&self, _: &Position) -> Option<usize> {
        Some(self.0.position_bytes())
    }
}

impl Reversible for Formulation<'_> {
    fn goals(&self) -> Vec<Position> {
        self.0.goals()
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

impl Value {
    fn of<E: Estimate<Cost>>(value: E) -> Self {
        match value.ceil().filter(|_| E::WHOLE) {
            Some(whole) => Self::Whole(whole),
            None => Self::Real(Real::new(value.to_f64())),
        }
    }
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

impl Wire for Value {
    const BYTES: usize = 9;

    fn put(&self, out: &mut Vec<u8>) {
        let (is_whole, bits) = match self {
            Self::Whole(value) => (true, u64::from(*value)),
            Self::Real(value) => (false, value.get().to_bits()),
        };
        is_whole.put(out);
        bits.put(out);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (is_whole, bits) = (bool::take(bytes)?, u64::take(bytes)?);
        Some(if is_whole {
            Self::Whole(bits.try_into().ok()?)
        } else {
            Self::Real(Real::new(f64::from_bits(bits)))
        })
    }
}

/// Keys are real numbers, which hold the whole ones exactly: weighted sums of two `u32` need less than 53 bits.
impl Estimate<Cost> for Value {
    type Key = Real;
    type Open = HeapQueue<Real, Self>;
    const WHOLE: bool = false;

    fn plus(self, g: Cost) -> Option<Self> {
        match self {
            Self::Whole(h) => h.plus(g).map(Self::Whole),
            Self::Real(h) => h.plus(g).map(Self::Real),
        }
    }

    fn to_f64(self) -> f64 {
        match self {
            Self::Whole(h) => h.into(),
            Self::Real(h) => h.get(),
        }
    }

    fn ceil(self) -> Option<Cost> {
        match self {
            Self::Whole(h) => Some(h),
            Self::Real(h) => h.ceil(),
        }
    }

    fn ceil_key(key: Real) -> Option<Cost> {
        key.ceil()
    }

    fn exceeds(self, bound: Self) -> bool {
        match (self, bound) {
            (Self::Whole(h), Self::Whole(bound)) => h > bound,
            (h, bound) => Estimate::<Cost>::exceeds(Real::new(h.to_f64()), Real::new(bound.to_f64())),
        }
    }

    fn cost_key(g: Cost) -> Real {
        Real::new(g.into())
    }

    fn key(self) -> Real {
        Real::new(self.to_f64())
    }

    fn weighted_key(self, g: Cost, weight: Weight) -> Option<Real> {
        match self {
            Self::Whole(h) => h.weighted_key(g, weight).map(|key| Real::new(key as f64)),
            Self::Real(h) => h.weighted_key(g, weight),
        }
    }

    /// Keys of whole estimates are multiplied by the denominator of the weight, those of real ones are not: divided by the
    /// numerator, neither is too large.
    fn unweighted_key(key: Real, weight: Weight) -> Option<Cost> {
        novelo_search::Cost::at_least(key.get() / f64::from(weight.fraction().0))
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

    fn peek(
        &self,
        formulation: &Formulation<'h>,
        _: &Value,
        before: &Position,
        step: &Step,
    ) -> Option<(Cost, Value)> {
        formulation.0.peek(before, *step)
    }

    fn resume(&self, _: &Formulation<'h>, _: &Position, value: Value) -> Value {
        value
    }

    fn toward_start<'f>(
        &'f self,
        formulation: &'f Formulation<'h>,
    ) -> Option<Box<dyn Estimator<Formulation<'h>, Value> + 'f>> {
        formulation.0.toward_start().map(|heuristic| Box::new(heuristic) as Box<dyn Estimator<_, _>>)
    }
}

/// Runs an algorithm on a formulation, with an observer.
pub(crate) fn observe<'h, O: Observer<Formulation<'h>>>(
    formulation: &Formulation<'h>,
    algorithm: Algorithm,
    settings: Settings,
    observer: O,
    improvements: Option<&Improvements>,
    meter: &Meter<'_>,
) -> Result<Outcome<String>, CannotRun> {
    let part = meter.apart(meter.room());
    let mut search = Search::new(formulation)
        .heuristic(formulation.heuristic())
        .shuffle(settings.shuffle)
        .threads(settings.threads)
        .observer(observer);
    if let Some(listener) = improvements {
        search = search.improvements(|better| listener.tell(better, |&step| formulation.written(step)));
    }
    let mut outcome = if formulation.0.goals().is_empty() {
        search.run_under(&part, algorithm)?
    } else {
        search.run_reversible_under(&part, algorithm)?
    };
    outcome.stats.peak_bytes += meter.held();
    outcome.stats.elapsed = meter.stats().elapsed;
    Ok(outcome.map(|step| formulation.written(step)))
}
