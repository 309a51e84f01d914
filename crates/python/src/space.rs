//! The state space of a problem whose rules are written in Python.
//!
//! The engine searches among numbers; a state has the number under which it was met first. Python's own hash and equality
//! decide which states are the same, once for every state that is produced. What the user's functions say about a state is
//! asked once and kept: algorithms that come to a state again, such as IDA*, do not ask again, and what was said cannot
//! change under a search. So whole numbers can be searched as such until a real one is met, and what was met till then is
//! gone through again without Python.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use hashbrown::HashTable;
use novelo_search::{Limits, Stop};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::amount::{Amount, shown};
use crate::bytes::bytes;
use crate::options::wrong;
use crate::watch::{Turns, lock};

/// The functions of a problem, as the front has found them: the keys of a dictionary.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Rules {
    start: Py<PyAny>,
    /// Yields pairs of action and state, or triples with the cost.
    successors: Option<Py<PyAny>>,
    /// In place of successors: yields actions, which `result` does.
    actions: Option<Py<PyAny>>,
    result: Option<Py<PyAny>>,
    /// What an action costs: of state, action and state. Always 1 without it.
    cost: Option<Py<PyAny>>,
    /// Whether `cost` begins with the cost of the path so far.
    cost_of_path: bool,
    is_goal: Py<PyAny>,
    heuristic: Option<Py<PyAny>>,
    /// What `heuristic` is given a state in, if it is not the state itself.
    node: Option<Py<PyAny>>,
    /// All goal states, the states that lead to a state, and an estimate of the cost from the start: for searches backwards.
    goals: Option<Py<PyAny>>,
    predecessors: Option<Py<PyAny>>,
    heuristic_from_start: Option<Py<PyAny>>,
    /// Whether every action is promised to cost the same.
    unit_cost: Option<bool>,
}

/// A state that was met.
struct Known {
    object: Py<PyAny>,
    hash: isize,
    /// The edges that lead from it, if it was asked for them.
    edges: Option<Range<u32>>,
    goal: Option<bool>,
    /// The estimates towards a goal and from the start, `None` within for a dead end.
    estimates: [Option<Option<Amount>>; 2],
}

/// An action done in a state.
struct Link {
    action: Py<PyAny>,
    to: u32,
    cost: Amount,
}

/// What ended a search before its end.
pub enum Failure {
    /// An exception, of the user's functions or about what they gave.
    Raised(PyErr),
    /// A limit that is not the meter's to see.
    Limit(Stop),
    /// A real number where whole ones were expected.
    NeedsReal,
}

#[derive(Default)]
struct Met {
    known: Vec<Known>,
    index: HashTable<u32>,
    links: Vec<Link>,
    /// The edges into a state, by where they are among the edges.
    into: HashMap<u32, Vec<(u32, u32)>>,
    goals: Vec<u32>,
    bytes: usize,
    real: bool,
    /// The cost of every action, where all must cost the same.
    unit: Option<Amount>,
    failure: Option<Failure>,
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

/// Towards what an estimate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toward {
    Goal,
    Start,
}

/// An edge of a state, as searches know it.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub link: u32,
    pub from: u32,
    pub to: u32,
    pub cost: Amount,
}

/// The states of a problem that were met, and what is known of them.
pub struct Space {
    rules: Rules,
    /// Raised when a search must end: what for is in [`Met::failure`].
    pub ended: AtomicBool,
    /// When the time of the search is over, and how many bytes all this may take: one state may have very many successors.
    deadline: Option<Instant>,
    most: usize,
    turns: Turns,
    met: Mutex<Met>,
}

/// Edges that are added between two looks at the limits.
const GLANCE_EVERY: usize = 256;
/// The number of the start.
pub const START: u32 = 0;

impl Space {
    /// A space of which only the start and its successors are known.
    pub fn new(py: Python<'_>, rules: Rules, limits: Limits) -> PyResult<Self> {
        let space = Self {
            rules,
            ended: AtomicBool::new(false),
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            most: limits.memory.unwrap_or(usize::MAX),
            turns: Turns::default(),
            met: Mutex::default(),
        };
        let mut met = Met::default();
        space.number(&mut met, space.rules.start.bind(py))?;
        match space.expand(py, &mut met, START) {
            Ok(_) => {}
            Err(Failure::Raised(error)) => return Err(error),
            Err(failure) => {
                // The search begins, and ends at once.
                met.failure = Some(failure);
                space.ended.store(true, Ordering::Relaxed);
            }
        }
        if let (Some(goals), Some(_)) = (&space.rules.goals, &space.rules.predecessors) {
            for goal in goals.bind(py).call0()?.try_iter()? {
                let goal = goal?;
                let number = space.number(&mut met, &goal)?;
                if !space.is_goal_of(py, &mut met, number)? {
                    return Err(wrong(format!("goals() has {}, which is_goal says is none", shown(&goal))));
                }
                if !met.goals.contains(&number) {
                    met.goals.push(number);
                }
            }
        }
        *lock(&space.met) = met;
        Ok(space)
    }

    pub fn has_heuristic(&self) -> bool {
        self.rules.heuristic.is_some()
    }

    pub fn estimates_from_start(&self) -> bool {
        self.rules.heuristic_from_start.is_some()
    }

    /// The goals, if all are known and searches can go backwards.
    pub fn goals(&self) -> Vec<u32> {
        lock(&self.met).goals.clone()
    }

    /// Whether every action costs the same, by promise or because costs are not given.
    pub fn unit_cost(&self) -> bool {
        lock(&self.met).unit.is_some()
    }

    /// Whether a number was real.
    pub fn is_real(&self) -> bool {
        lock(&self.met).real
    }

    /// Bytes that all this takes, about.
    pub fn bytes(&self) -> usize {
        lock(&self.met).bytes
    }

    pub fn take_failure(&self) -> Option<Failure> {
        self.ended.store(false, Ordering::Relaxed);
        lock(&self.met).failure.take()
    }

    pub fn object<'py>(&self, py: Python<'py>, state: u32) -> Bound<'py, PyAny> {
        lock(&self.met).known[state as usize].object.bind(py).clone()
    }

    pub fn action<'py>(&self, py: Python<'py>, link: u32) -> Bound<'py, PyAny> {
        lock(&self.met).links[link as usize].action.bind(py).clone()
    }

    /// Ends the search for a reason; the first one counts.
    pub fn fail(&self, failure: Failure) {
        lock(&self.met).failure.get_or_insert(failure);
        self.ended.store(true, Ordering::Relaxed);
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// What a function of this space gives, unless it ends the search.
    fn attempt<T>(&self, ask: impl FnOnce(Python<'_>, &mut Met) -> Result<T, Failure>) -> Option<T> {
        if self.has_ended() {
            return None;
        }
        let asked = Python::attach(|py| ask(py, &mut lock(&self.met)));
        asked.map_err(|failure| self.fail(failure)).ok()
    }

    /// Tells of the edges that lead from a state.
    pub fn successors(&self, state: u32, mut tell: impl FnMut(Found)) {
        let told = |met: &Met, edges: Range<u32>, tell: &mut dyn FnMut(Found)| {
            for link in edges {
                let &Link { to, cost, .. } = &met.links[link as usize];
                tell(Found { link, from: state, to, cost });
            }
        };
        // What is known is told even when the search has ended: its paths lead through known states.
        let met = lock(&self.met);
        let known = met.known[state as usize].edges.clone();
        if let Some(edges) = known {
            told(&met, edges, &mut tell);
            drop(met);
            return self.turns.answered().unwrap_or_else(|error| self.fail(Failure::Raised(error)));
        }
        drop(met);
        self.attempt(|py, met| {
            let edges = self.expand(py, met, state)?;
            told(met, edges, &mut tell);
            Ok(())
        });
    }

    /// Tells of the edges that lead into a state.
    pub fn predecessors(&self, state: u32, mut tell: impl FnMut(Found)) {
        self.attempt(|py, met| {
            if !met.into.contains_key(&state) {
                let edges = self.expand_back(py, met, state)?;
                met.into.insert(state, edges);
            }
            for &(from, link) in &met.into[&state] {
                let cost = met.links[link as usize].cost;
                tell(Found { link, from, to: state, cost });
            }
            Ok(())
        });
    }

    pub fn is_goal(&self, state: u32) -> bool {
        let known = lock(&self.met).known[state as usize].goal;
        known.or_else(|| self.attempt(|py, met| Ok(self.is_goal_of(py, met, state)?))).unwrap_or(false)
    }

    /// The estimate of a state; `None` for a dead end, and when the search has ended.
    pub fn estimate(&self, state: u32, toward: Toward) -> Option<Amount> {
        let known = lock(&self.met).known[state as usize].estimates[toward as usize];
        known.or_else(|| self.attempt(|py, met| Ok(self.estimate_of(py, met, state, toward)?))).flatten()
    }

    /// Whether states are still what they were when they were met; one that is not was changed by the user's functions.
    pub fn are_unchanged(&self, py: Python<'_>, states: &[u32]) -> PyResult<()> {
        for &state in states {
            let (object, hash) = {
                let known = &lock(&self.met).known[state as usize];
                (known.object.bind(py).clone(), known.hash)
            };
            if object.hash()? != hash {
                return Err(PyRuntimeError::new_err(format!(
                    "the state that is now {} was another when the search met it: the problem's functions must make new \
                     states, not change those they are given",
                    shown(&object)
                )));
            }
        }
        Ok(())
    }

    /// The number of a state, a new one if it was not met before.
    fn number(&self, met: &mut Met, state: &Bound<'_, PyAny>) -> PyResult<u32> {
        let py = state.py();
        let hash = state.hash().map_err(|error| {
            if !error.is_instance_of::<PyTypeError>(py) {
                return error;
            }
            let text = shown(state);
            let clear = PyTypeError::new_err(format!(
                "the state {text} has no hash, and without one nobody can tell whether it was met before ({}): use tuples, \
                 frozensets, strings, numbers or frozen dataclasses",
                error.value(py)
            ));
            clear.set_cause(py, Some(error));
            clear
        })?;
        let mut raised = None;
        let Met { known, index, bytes: held, .. } = met;
        let found = index.find(mixed(hash), |&number| {
            let other = &known[number as usize];
            if other.hash != hash || raised.is_some() {
                return false;
            }
            let object = other.object.bind(py);
            object.is(state)
                || object.eq(state).unwrap_or_else(|error| {
                    raised = Some(error);
                    false
                })
        });
        let found = found.copied();
        if let Some(error) = raised {
            return Err(error);
        }
        if let Some(number) = found {
            return Ok(number);
        }
        let number = u32::try_from(known.len()).map_err(|_| wrong("more than 2**32 states"))?;
        *held += size_of::<Known>() + 8 + bytes(state);
        let object = state.clone().unbind();
        known.push(Known { object, hash, edges: None, goal: None, estimates: [None; 2] });
        index.insert_unique(mixed(hash), number, |&number| mixed(known[number as usize].hash));
        Ok(number)
    }

    /// The edges that lead from a state, by their places.
    fn expand(&self, py: Python<'_>, met: &mut Met, state: u32) -> Result<Range<u32>, Failure> {
        let known = &met.known[state as usize];
        if let Some(edges) = &known.edges {
            return Ok(edges.clone());
        }
        py.check_signals()?;
        let object = known.object.bind(py).clone();
        let first = met.links.len() as u32;
        match (&self.rules.successors, &self.rules.actions, &self.rules.result) {
            (Some(successors), ..) => {
                for item in successors.bind(py).call1((&object,))?.try_iter()? {
                    self.glance(py, met)?;
                    let (action, next, cost) = parts(&object, &item?)?;
                    self.add(met, &object, action, &next, cost.as_ref())?;
                }
            }
            (None, Some(actions), Some(result)) => {
                let result = result.bind(py);
                for action in actions.bind(py).call1((&object,))?.try_iter()? {
                    self.glance(py, met)?;
                    let action = action?;
                    let next = result.call1((&object, &action))?;
                    let cost = match &self.rules.cost {
                        None => None,
                        Some(cost) if self.rules.cost_of_path => {
                            Some(cost.bind(py).call1((0, &object, &action, &next))?)
                        }
                        Some(cost) => Some(cost.bind(py).call1((&object, &action, &next))?),
                    };
                    self.add(met, &object, action, &next, cost.as_ref())?;
                }
            }
            _ => return Err(wrong("a problem has successors, or actions and result").into()),
        }
        let edges = first..u32::try_from(met.links.len()).map_err(|_| wrong("more than 2**32 edges"))?;
        met.known[state as usize].edges = Some(edges.clone());
        met.bytes += size_of::<Link>() * edges.len();
        Ok(edges)
    }

    /// Looks at the limits now and then, in the middle of an expansion.
    fn glance(&self, py: Python<'_>, met: &Met) -> Result<(), Failure> {
        if met.links.len() % GLANCE_EVERY == GLANCE_EVERY - 1 {
            py.check_signals()?;
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Failure::Limit(Stop::Time));
            }
            if met.bytes > self.most {
                return Err(Failure::Limit(Stop::Memory));
            }
        }
        Ok(())
    }

    /// Adds an edge.
    fn add(
        &self,
        met: &mut Met,
        state: &Bound<'_, PyAny>,
        action: Bound<'_, PyAny>,
        next: &Bound<'_, PyAny>,
        cost: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let edge = || format!("the cost of {} in the state {}", shown(&action), shown(state));
        let amount = match cost {
            None => Amount::Whole(1),
            Some(cost) => Amount::of(cost).map_err(|why| wrong(format!("{} {why}", edge())))?,
        };
        if amount == Amount::Real(f64::INFINITY) {
            return Err(wrong(format!("{} is infinite: leave out what cannot be done", edge())));
        }
        met.real |= matches!(amount, Amount::Real(_));
        // Without costs every action costs 1, and then none may come with one.
        let promised = self.rules.unit_cost.unwrap_or(cost.is_none());
        if met.links.is_empty() && promised {
            met.unit = Some(amount);
        }
        if let Some(unit) = met.unit
            && unit != amount
        {
            let (unit, amount) = (written(unit), written(amount));
            let why = match self.rules.unit_cost {
                Some(_) => "unit_cost promises that all actions cost the same",
                None => "give all actions a cost, or none",
            };
            return Err(wrong(format!("{} is {amount}, that of another {unit}: {why}", edge())));
        }
        let to = self.number(met, next)?;
        met.links.push(Link { action: action.unbind(), to, cost: amount });
        Ok(())
    }

    /// The edges into a state: those by which the successors of the states that lead there lead there.
    fn expand_back(&self, py: Python<'_>, met: &mut Met, state: u32) -> Result<Vec<(u32, u32)>, Failure> {
        let Some(predecessors) = &self.rules.predecessors else { return Ok(Vec::new()) };
        py.check_signals()?;
        let object = met.known[state as usize].object.bind(py).clone();
        let mut edges = Vec::new();
        for before in predecessors.bind(py).call1((&object,))?.try_iter()? {
            let before = before?;
            let from = self.number(met, &before)?;
            let links = self.expand(py, met, from)?;
            let known = edges.len();
            edges.extend(links.filter(|&link| met.links[link as usize].to == state).map(|link| (from, link)));
            if edges.len() == known {
                let (before, after) = (shown(&before), shown(&object));
                let why =
                    format!("predecessors({after}) has {before}, but {after} is not among its successors");
                return Err(wrong(why).into());
            }
        }
        edges.dedup();
        Ok(edges)
    }

    fn is_goal_of(&self, py: Python<'_>, met: &mut Met, state: u32) -> PyResult<bool> {
        let known = &mut met.known[state as usize];
        let is_goal = self.rules.is_goal.bind(py).call1((known.object.bind(py),))?.is_truthy()?;
        known.goal = Some(is_goal);
        Ok(is_goal)
    }

    fn estimate_of(
        &self,
        py: Python<'_>,
        met: &mut Met,
        state: u32,
        toward: Toward,
    ) -> PyResult<Option<Amount>> {
        let (function, node) = match toward {
            Toward::Goal => (&self.rules.heuristic, self.rules.node.as_ref()),
            Toward::Start => (&self.rules.heuristic_from_start, None),
        };
        let object = met.known[state as usize].object.bind(py).clone();
        let estimate = match function {
            None => Some(Amount::Whole(0)),
            Some(function) => {
                let estimate = match node {
                    Some(node) => function.bind(py).call1((node.bind(py).call1((&object,))?,))?,
                    None => function.bind(py).call1((&object,))?,
                };
                match Amount::of(&estimate) {
                    _ if estimate.is_none() => None,
                    Ok(Amount::Real(f64::INFINITY)) => None,
                    Ok(amount) => Some(amount),
                    Err(why) => {
                        return Err(wrong(format!("the estimate of the state {} {why}", shown(&object))));
                    }
                }
            }
        };
        met.known[state as usize].estimates[toward as usize] = Some(estimate);
        Ok(estimate)
    }
}

/// Python's hashes of small numbers are these numbers.
fn mixed(hash: isize) -> u64 {
    let hash = hash as u64;
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(26)
}

fn written(amount: Amount) -> String {
    match amount {
        Amount::Whole(whole) => whole.to_string(),
        Amount::Real(real) => real.to_string(),
    }
}

/// An action, the state it leads to, and its cost, if it is given.
type Parts<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

fn parts<'py>(state: &Bound<'py, PyAny>, item: &Bound<'py, PyAny>) -> PyResult<Parts<'py>> {
    if let Ok(tuple) = item.cast::<PyTuple>() {
        match tuple.len() {
            2 => return Ok((tuple.get_item(0)?, tuple.get_item(1)?, None)),
            3 => return Ok((tuple.get_item(0)?, tuple.get_item(1)?, Some(tuple.get_item(2)?))),
            _ => {}
        }
    } else if let Ok(list) = item.cast::<PyList>() {
        match list.len() {
            2 => return Ok((list.get_item(0)?, list.get_item(1)?, None)),
            3 => return Ok((list.get_item(0)?, list.get_item(1)?, Some(list.get_item(2)?))),
            _ => {}
        }
    }
    Err(wrong(format!(
        "successors({}) gives {}: pairs (action, state) or triples (action, state, cost) are wanted",
        shown(state),
        shown(item)
    )))
}
