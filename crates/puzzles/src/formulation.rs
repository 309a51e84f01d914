//! A puzzle as a search problem under a heuristic, whichever puzzle it is.
//!
//! Each puzzle has one function that picks the representation of its states and the heuristic, and hands both to a
//! [`Visitor`]. Solving is a visitor that runs the engine on them, statically typed. [`Formulation`] is what another
//! visitor makes of them: one problem type for all puzzles, several times slower, for those who want to look at states
//! rather than race through them: pictures of a search, the audit of a heuristic ([`Instance::explore`]).
//!
//! [`Instance::explore`]: crate::Instance::explore

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexSet;
use novelo_search::{
    Algorithm, CannotRun, Cost, Estimate, Heuristic, Meter, Observer, Outcome, Problem, Search, Stop,
};

use crate::request::RequestError;

/// A puzzle's rules as a search problem.
pub trait Rules: Problem<State: 'static, Action: Hash + 'static, Undo: 'static> + 'static {
    /// An action in its written form.
    fn written(&self, action: Self::Action) -> String;

    /// Runs a search; those who can run backwards say so here.
    fn run<H: Heuristic<Self>, O: Observer<Self>>(
        search: Search<'_, Self, H, O>,
        meter: &Meter<'_>,
        algorithm: Algorithm,
    ) -> Result<Outcome<Self::Action>, CannotRun>
    where
        Self: Sized,
    {
        search.run_under(meter, algorithm)
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
    fn estimate(&self, position: &Position) -> Option<f64>;
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

    fn estimate(&self, position: &Position) -> Option<f64> {
        let memo = self.heuristic.memo(&self.rules, position.state())?;
        Some(self.heuristic.value(&memo).to_f64())
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
        self.0(&Formulation(&Typed { rules, heuristic, met: Mutex::default() }));
        Ok(ControlFlow::Continue(()))
    }

    fn stopped(self, stop: Stop, _: Option<Cost>, _: &Meter<'_>) -> Result<Self::Output, RequestError> {
        Ok(ControlFlow::Break(stop))
    }
}

impl Formulation<'_> {
    /// The estimate of a position; `None` for a dead end.
    pub fn estimate(&self, position: &Position) -> Option<f64> {
        self.0.estimate(position)
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
