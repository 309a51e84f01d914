//! Problems whose rules are written in Python, under every algorithm of the engine.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Instant;

use novelo_search::estimator::Estimator;
use novelo_search::{
    Algorithm, Answer, Budget, Control, Heuristic, Limits, Meter, Observer, OutcomeOf, Problem, Progress,
    Promise, Real, Reserved, Reversible, Search, Settings, Stop,
};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::amount::Number;
use crate::options::{Options, wrong};
use crate::report::{NO_PROMISE, Summary, cannot_run};
use crate::space::{Failure, Found, Rules, START, Space, Toward};
use crate::tree::Tree;
use crate::watch::{lock, tell};

/// A space with costs of one type, under the meter of a run.
pub struct Typed<'s, 'm, C> {
    pub space: &'s Space,
    budget: Budget<'m>,
    /// What the space takes, as far as the meter knows.
    reserved: Mutex<(usize, Vec<Reserved<'m>>)>,
    kind: PhantomData<C>,
}

/// An action done in a state.
#[derive(Debug, Clone, Copy)]
pub struct Edge<C> {
    pub link: u32,
    pub from: u32,
    pub to: u32,
    pub cost: C,
}

/// How much a space grows between two notes of it to the meter.
const NOTE_EVERY: usize = 1 << 14;

impl<'s, 'm, C: Number> Typed<'s, 'm, C> {
    fn new(space: &'s Space, budget: Budget<'m>) -> Self {
        let typed = Self { space, budget, reserved: Mutex::default(), kind: PhantomData };
        typed.note_bytes(1);
        typed
    }

    fn note_bytes(&self, step: usize) {
        let bytes = self.space.bytes();
        let (noted, reserved) = &mut *lock(&self.reserved);
        if bytes >= *noted + step {
            match self.budget.reserve(bytes - *noted) {
                Ok(part) => reserved.push(part),
                Err(stop) => self.space.fail(Failure::Limit(stop)),
            }
            *noted = bytes;
        }
    }

    fn collect(&self, out: &mut Vec<Edge<C>>, ask: impl FnOnce(&mut dyn FnMut(Found))) {
        let mut fits = true;
        ask(&mut |Found { link, from, to, cost }| match C::of(cost) {
            Some(cost) => out.push(Edge { link, from, to, cost }),
            None => fits = false,
        });
        if !fits {
            self.space.fail(Failure::NeedsReal);
        }
        self.note_bytes(NOTE_EVERY);
    }
}

impl<C: Number> Problem for Typed<'_, '_, C> {
    type State = u32;
    type Action = Edge<C>;
    type Undo = ();
    type Cost = C;

    fn start(&self) -> u32 {
        START
    }

    fn is_goal(&self, &state: &u32) -> bool {
        self.space.is_goal(state)
    }

    fn actions(&self, &state: &u32, out: &mut Vec<Edge<C>>) {
        self.collect(out, |tell| self.space.successors(state, tell));
    }

    fn apply(&self, state: &mut u32, edge: Edge<C>) -> (C, ()) {
        *state = edge.to;
        (edge.cost, ())
    }

    fn undo(&self, state: &mut u32, edge: Edge<C>, (): ()) {
        *state = edge.from;
    }

    fn reverses(&self, edge: &Edge<C>, previous: &Edge<C>) -> bool {
        edge.to == previous.from
    }

    fn unit_cost(&self) -> bool {
        self.space.unit_cost()
    }

    /// What states hold is the space's.
    fn heap_bytes(&self, _: &u32) -> Option<usize> {
        Some(0)
    }
}

impl<C: Number> Reversible for Typed<'_, '_, C> {
    fn goals(&self) -> Vec<u32> {
        self.space.goals()
    }

    fn actions_into(&self, &state: &u32, out: &mut Vec<Edge<C>>) {
        self.collect(out, |tell| self.space.predecessors(state, tell));
    }

    fn retract(&self, state: &mut u32, edge: Edge<C>) -> C {
        *state = edge.from;
        edge.cost
    }
}

/// The user's heuristic.
#[derive(Debug, Clone, Copy)]
struct Guess {
    toward: Toward,
    promise: Promise,
}

impl<'s, 'm, C: Number> Heuristic<Typed<'s, 'm, C>> for Guess {
    type Memo = C;
    type Value = C;

    fn promise(&self) -> Promise {
        self.promise
    }

    fn memo(&self, problem: &Typed<'s, 'm, C>, &state: &u32) -> Option<C> {
        let amount = problem.space.estimate(state, self.toward)?;
        let value = C::of(amount);
        if value.is_none() {
            problem.space.fail(Failure::NeedsReal);
        }
        value
    }

    fn value(&self, memo: &C) -> C {
        *memo
    }

    fn resume(&self, _: &Typed<'s, 'm, C>, _: &u32, value: C) -> C {
        value
    }

    fn toward_start<'h>(
        &'h self,
        problem: &'h Typed<'s, 'm, C>,
    ) -> Option<Box<dyn Estimator<Typed<'s, 'm, C>, C> + 'h>> {
        let known = self.toward == Toward::Goal && problem.space.estimates_from_start();
        known.then(|| Box::new(Self { toward: Toward::Start, ..*self }) as Box<dyn Estimator<_, _>>)
    }
}

/// A run of an algorithm on a space.
struct Run<'r> {
    algorithm: Algorithm,
    settings: Settings,
    promise: Promise,
    listener: Option<&'r Py<PyAny>>,
    started: Instant,
}

/// What came of a run, without the type of its costs.
struct Ended {
    summary: Summary,
    path: Vec<(u32, u32)>,
}

impl Run<'_> {
    /// Searches with costs of one type.
    fn search<C: Number, O>(&self, space: &Space, observer: O) -> PyResult<Ended>
    where
        O: for<'s, 'm> Observer<Typed<'s, 'm, C>>,
    {
        // What was searched in whole numbers until a real one was met counts as time.
        let time = self.settings.limits.time.map(|time| time.saturating_sub(self.started.elapsed()));
        let limits = Limits { time, ..self.settings.limits };
        let listen = |progress: &Progress| {
            let listener = self.listener.expect("there is one");
            let told = Python::attach(|py| tell(listener.bind(py), progress));
            told.unwrap_or_else(|error| space.fail(Failure::Raised(error)));
        };
        let mut control = Control::cancelled_by(&space.ended);
        if self.listener.is_some() {
            control.progress = Some(Box::new(listen));
        }
        let meter = Meter::new(limits, control);
        let problem = Typed::<C>::new(space, meter.budget());
        let mut improvements = Vec::new();
        let outcome: OutcomeOf<Typed<'_, '_, C>> = {
            let search = Search::new(&problem)
                .heuristic(Guess { toward: Toward::Goal, promise: self.promise })
                .shuffle(self.settings.shuffle)
                .observer(observer)
                .improvements(|better| {
                    let bound = better.lower_bound.map(C::amount);
                    improvements.push((better.elapsed.as_secs_f64(), better.cost.amount(), bound));
                    ControlFlow::Continue(())
                });
            let ran = if space.goals().is_empty() {
                search.run_under(&meter, self.algorithm)
            } else {
                search.run_reversible_under(&meter, self.algorithm)
            };
            ran.map_err(cannot_run)?
        };
        let path = match &outcome.answer {
            Answer::Solved(solution) => solution.path.iter().map(|edge| (edge.link, edge.to)).collect(),
            _ => Vec::new(),
        };
        Ok(Ended { summary: Summary::of(&outcome, improvements), path })
    }

    /// Searches in whole numbers until a real one is met.
    fn whole_or_real(&self, space: &Space) -> PyResult<(Ended, Option<Failure>)> {
        if !space.is_real() {
            let ended = self.search::<u64, ()>(space, ())?;
            match space.take_failure() {
                Some(Failure::NeedsReal) => {}
                failure => return Ok((ended, failure)),
            }
        }
        let ended = self.search::<Real, ()>(space, ())?;
        Ok((ended, space.take_failure()))
    }
}

/// Solves a problem: what came of it as a dictionary, and the interruption that ended it, if one did. `trace` is how many
/// nodes of the search tree to keep, if any.
#[pyfunction]
#[pyo3(signature = (rules, options, *, admissible, consistent, listener=None, trace=None))]
pub fn solve_problem<'py>(
    py: Python<'py>,
    rules: Rules,
    options: Options,
    admissible: bool,
    consistent: bool,
    listener: Option<Py<PyAny>>,
    trace: Option<usize>,
) -> PyResult<(Bound<'py, PyDict>, Option<Py<PyAny>>)> {
    let started = Instant::now();
    let algorithm: Algorithm = options.algorithm.parse().map_err(wrong)?;
    let settings = options.settings()?;
    if settings.threads > 1 {
        return Err(wrong("a problem in Python is searched by one thread: its functions run one at a time"));
    }
    let space = Space::new(py, rules, settings.limits)?;
    let guided = algorithm.info().needs.heuristic();
    if guided && !space.has_heuristic() {
        let name = algorithm.name();
        return Err(wrong(format!(
            "{name} needs a heuristic: give the problem a method heuristic(state), or the call heuristic=…"
        )));
    }
    let promise = Promise { admissible: admissible || consistent, consistent };
    let run = Run { algorithm, settings, promise, listener: listener.as_ref(), started };
    let mut tree = trace.map(Tree::new);
    let (mut ended, failure) = match &mut tree {
        // The tree is kept in real numbers, whatever the costs are.
        Some(tree) => (run.search::<Real, _>(&space, &mut *tree)?, space.take_failure()),
        None => run.whole_or_real(&space)?,
    };
    let mut interruption = None;
    match failure {
        Some(Failure::Raised(error)) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
            ended.summary.cut(Stop::Interrupted);
            interruption = Some(error.into_value(py).into_any());
        }
        Some(Failure::Raised(error)) => return Err(error),
        Some(Failure::Limit(stop)) => {
            ended.summary.cut(stop);
        }
        Some(Failure::NeedsReal) => {
            return Err(wrong(
                "whole numbers beside real ones are exact up to 2**53, and one here is larger",
            ));
        }
        None => {}
    }
    let Ended { mut summary, path } = ended;
    if guided && summary.is_solved() && !summary.optimal && !promise.admissible {
        summary.reason = Some(NO_PROMISE.into());
    }
    let mut visited: Vec<u32> = vec![START];
    visited.extend(path.iter().map(|&(_, to)| to));
    if summary.is_solved() {
        replay(py, &space, &visited)?;
    }
    summary.seconds = started.elapsed();
    let report = summary.report(py, algorithm, guided, !space.is_real())?;
    if summary.is_solved() {
        let moves = PyList::new(py, path.iter().map(|&(link, _)| space.action(py, link)))?;
        let states = PyList::new(py, visited.iter().map(|&state| space.object(py, state)))?;
        report.set_item("depth", path.len())?;
        report.set_item("final", states.get_item(path.len())?)?;
        report.set_item("moves", moves)?;
        report.set_item("states", states)?;
    }
    if let Some(tree) = tree {
        let solution: Vec<u32> = path.iter().map(|&(link, _)| link).collect();
        report.set_item("trace", tree.told(py, &space, &solution, algorithm)?)?;
    }
    Ok((report, interruption))
}

/// A solution leads to a goal, through states that are still what they were.
fn replay(py: Python<'_>, space: &Space, states: &[u32]) -> PyResult<()> {
    space.are_unchanged(py, states)?;
    if !states.last().is_some_and(|&last| space.is_goal(last)) {
        return Err(PyRuntimeError::new_err(
            "internal error: the solution found ends at no goal; please report this",
        ));
    }
    Ok(())
}

/// Looks for a broken promise of a problem and its heuristic, near the start and on random walks: what was looked at, and what
/// is wrong where something is.
#[pyfunction]
#[pyo3(signature = (rules, *, samples, admissible, consistent))]
pub fn check_problem<'py>(
    py: Python<'py>,
    rules: Rules,
    samples: usize,
    admissible: bool,
    consistent: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let space = Space::new(py, rules, Limits::default())?;
    let promise = Promise { admissible: admissible || consistent, consistent };
    let meter = Meter::new(Limits::default(), Control::cancelled_by(&space.ended));
    let problem = Typed::<Real>::new(&space, meter.budget());
    let checked = novelo_search::check(&problem, &Guess { toward: Toward::Goal, promise }, samples);
    match space.take_failure() {
        Some(Failure::Raised(error)) => return Err(error),
        Some(_) => {
            return Err(wrong(
                "whole numbers beside real ones are exact up to 2**53, and one here is larger",
            ));
        }
        None => {}
    }
    let told = PyDict::new(py);
    match checked {
        Ok(checked) => {
            told.set_item("states", checked.states)?;
            told.set_item("actions", checked.actions)?;
            told.set_item("compared", checked.solved)?;
        }
        Err(violation) => {
            let action = |edge: &Edge<Real>| space.action(py, edge.link);
            let state = violation.path.last().map_or(START, |edge| edge.to);
            told.set_item("kind", format!("{:?}", violation.kind).to_lowercase())?;
            told.set_item("detail", &violation.detail)?;
            told.set_item("moves", PyList::new(py, violation.path.iter().map(action))?)?;
            told.set_item("state", space.object(py, state))?;
            told.set_item("action", violation.action.as_ref().map(action))?;
        }
    }
    Ok(told)
}
