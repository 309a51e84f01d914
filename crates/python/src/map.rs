//! Grids and graphs that are given as a whole, and searched without Python.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use novelo_search::estimator::Estimator;
use novelo_search::{
    Algorithm, CannotRun, Control, Heuristic, Problem, Promise, Real, Reversible, Search, Settings, Stop,
};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::amount::{Amount, Number};
use crate::options::{Options, wrong};
use crate::report::{NO_PROMISE, Summary, cannot_run};
use crate::watch::{Turns, Watch, beside, lock, tell};

/// Costs of a map, all whole or all real.
enum Costs {
    Whole(Vec<u32>),
    Real(Vec<Real>),
}

/// A cost that is known to be small enough, as a kind of number.
trait Fixed: Number {
    fn fixed(number: f64) -> Self;
}

impl Fixed for u32 {
    fn fixed(number: f64) -> Self {
        number as Self
    }
}

impl Fixed for Real {
    fn fixed(number: f64) -> Self {
        Self::new(number)
    }
}

fn fixed<C: Fixed>(numbers: impl IntoIterator<Item = f64>) -> Vec<C> {
    numbers.into_iter().map(C::fixed).collect()
}

/// Real numbers from their bytes.
fn reals(bytes: &[u8]) -> impl Iterator<Item = f64> + Clone + '_ {
    bytes.as_chunks::<8>().0.iter().map(|&chunk| f64::from_ne_bytes(chunk))
}

/// Whether all costs are whole numbers, of which a path of all of them is a sum that fits.
fn are_whole(numbers: impl Iterator<Item = f64> + Clone, factor: f64) -> bool {
    let sum: f64 = numbers.clone().sum();
    factor.fract() == 0.0
        && sum * factor.max(1.0) < f64::from(u32::MAX)
        && numbers.clone().all(|it| it.fract() == 0.0)
}

/// Where a step leads on a grid, and which cells it passes between, as (row, column).
const DIRECTIONS: [(isize, isize); 8] =
    [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// A grid of cells, each with what it costs to enter it.
#[pyclass(frozen, module = "novelo._novelo")]
pub struct Grid {
    rows: usize,
    cols: usize,
    /// Cost of the cells, with a wall around them: infinite, or the largest number.
    straight: Costs,
    /// The same for who comes from a corner, if it differs.
    diagonal: Option<Costs>,
    /// What a step around a corner costs, as a multiple; none where there are no such steps.
    factor: Option<f64>,
    /// Whether walls may be passed at their corners.
    corners: bool,
    least: f64,
    even: bool,
}

/// A directed graph.
#[pyclass(frozen, module = "novelo._novelo")]
pub struct Graph {
    /// Where the edges of each node begin, and after the last where they end.
    first: Vec<u32>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    costs: Costs,
    even: bool,
    /// The edges into each node, and where those of each begin.
    into: OnceLock<(Vec<u32>, Vec<u32>)>,
}

/// One search on a grid or a graph.
struct Map<'a, C> {
    shape: Shape<'a, C>,
    start: u32,
    goal: u32,
}

enum Shape<'a, C> {
    Grid { grid: &'a Grid, steps: Vec<isize>, straight: &'a [C], diagonal: &'a [C], wall: C },
    Graph { graph: &'a Graph, costs: &'a [C] },
}

impl<C: Fixed> Map<'_, C> {
    /// Tells of the steps that lead out of a cell, or into it from the cells behind.
    fn steps(&self, cell: u32, back: bool, out: &mut Vec<u32>) {
        let Shape::Grid { grid, steps, straight, wall, .. } = &self.shape else { return };
        let is_free = |by: isize| straight[cell.wrapping_add_signed(by as i32) as usize] != *wall;
        for (number, &step) in (0..).zip(steps) {
            let step = if back { -step } else { step };
            if !is_free(step) {
                continue;
            }
            if number >= 4 && !grid.corners {
                // Between the same two cells, whichever way the step is made.
                let (row, col) = DIRECTIONS[number as usize];
                let (row, col) = if back { (-row, -col) } else { (row, col) };
                if !is_free(row * steps[1]) || !is_free(col) {
                    continue;
                }
            }
            out.push(number);
        }
    }

    fn cost(&self, to: u32, action: u32) -> C {
        match &self.shape {
            Shape::Grid { straight, diagonal, .. } => {
                let costs = if action < 4 { straight } else { diagonal };
                costs[to as usize]
            }
            Shape::Graph { costs, .. } => costs[action as usize],
        }
    }
}

impl<C: Fixed> Problem for Map<'_, C> {
    type State = u32;
    /// The direction of a step on a grid, the number of an edge of a graph.
    type Action = u32;
    type Undo = ();
    type Cost = C;

    const BACK: Option<()> = Some(());

    fn start(&self) -> u32 {
        self.start
    }

    fn is_goal(&self, &place: &u32) -> bool {
        place == self.goal
    }

    fn actions(&self, &place: &u32, out: &mut Vec<u32>) {
        match &self.shape {
            Shape::Grid { .. } => self.steps(place, false, out),
            Shape::Graph { graph, .. } => {
                out.extend(graph.first[place as usize]..graph.first[place as usize + 1]);
            }
        }
    }

    fn apply(&self, place: &mut u32, action: u32) -> (C, ()) {
        *place = match &self.shape {
            Shape::Grid { steps, .. } => place.wrapping_add_signed(steps[action as usize] as i32),
            Shape::Graph { graph, .. } => graph.targets[action as usize],
        };
        (self.cost(*place, action), ())
    }

    fn undo(&self, place: &mut u32, action: u32, (): ()) {
        *place = match &self.shape {
            Shape::Grid { steps, .. } => place.wrapping_add_signed(-steps[action as usize] as i32),
            Shape::Graph { graph, .. } => graph.sources[action as usize],
        };
    }

    fn reverses(&self, &action: &u32, &previous: &u32) -> bool {
        match &self.shape {
            Shape::Grid { steps, .. } => steps[action as usize] == -steps[previous as usize],
            Shape::Graph { graph, .. } => graph.targets[action as usize] == graph.sources[previous as usize],
        }
    }

    fn unit_cost(&self) -> bool {
        match &self.shape {
            Shape::Grid { grid, .. } => grid.even,
            Shape::Graph { graph, .. } => graph.even,
        }
    }
}

impl<C: Fixed> Reversible for Map<'_, C> {
    fn goals(&self) -> Vec<u32> {
        vec![self.goal]
    }

    fn actions_into(&self, &place: &u32, out: &mut Vec<u32>) {
        match &self.shape {
            Shape::Grid { .. } => self.steps(place, true, out),
            Shape::Graph { graph, .. } => {
                let (first, edges) = graph.entering();
                let [begin, end] = [place, place + 1].map(|place| first[place as usize] as usize);
                out.extend_from_slice(&edges[begin..end]);
            }
        }
    }

    fn retract(&self, place: &mut u32, action: u32) -> C {
        let cost = self.cost(*place, action);
        self.undo(place, action, ());
        cost
    }
}

/// An estimate of the cost that is left.
enum Sight<'a> {
    /// None.
    Nothing,
    /// On a grid without walls whose cells all cost what the cheapest does.
    Distance { to: u32 },
    /// The user's.
    Asked(&'a Asked),
}

impl<'m, C: Fixed> Heuristic<Map<'m, C>> for Sight<'_> {
    type Memo = C;
    type Value = C;

    fn promise(&self) -> Promise {
        match self {
            Self::Asked(asked) => asked.promise,
            _ => Promise::CONSISTENT,
        }
    }

    fn memo(&self, map: &Map<'m, C>, &place: &u32) -> Option<C> {
        match (self, &map.shape) {
            (Self::Asked(asked), _) => asked.estimate(place).map(C::fixed),
            (Self::Distance { to }, Shape::Grid { grid, .. }) => Some(C::fixed(grid.distance(place, *to))),
            _ => Some(C::ZERO),
        }
    }

    fn value(&self, memo: &C) -> C {
        *memo
    }

    fn resume(&self, _: &Map<'m, C>, _: &u32, value: C) -> C {
        value
    }

    fn toward_start<'h>(&'h self, map: &'h Map<'m, C>) -> Option<Box<dyn Estimator<Map<'m, C>, C> + 'h>> {
        match self {
            Self::Nothing => Some(Box::new(Self::Nothing)),
            Self::Distance { .. } => Some(Box::new(Self::Distance { to: map.start })),
            Self::Asked(_) => None,
        }
    }
}

/// A heuristic in Python, asked once for each place.
struct Asked {
    function: Py<PyAny>,
    promise: Promise,
    known: Mutex<HashMap<u32, Option<f64>>>,
    turns: Turns,
    ended: AtomicBool,
    raised: Mutex<Option<PyErr>>,
}

impl Asked {
    fn estimate(&self, place: u32) -> Option<f64> {
        let known = lock(&self.known).get(&place).copied();
        if let Some(estimate) = known {
            self.turns.answered().unwrap_or_else(|error| self.fail(error));
            return estimate;
        }
        if self.ended.load(Ordering::Relaxed) {
            return None;
        }
        let asked = Python::attach(|py| {
            py.check_signals()?;
            let number = self.function.bind(py).call1((place,))?;
            if number.is_none() {
                return Ok(None);
            }
            let amount =
                Amount::of(&number).map_err(|why| wrong(format!("the estimate of a place {why}")))?;
            amount
                .real()
                .map(Some)
                .ok_or_else(|| wrong("an estimate is too large: 2**53 is the largest here"))
        });
        match asked {
            Ok(estimate) => {
                let estimate = estimate.filter(|estimate| estimate.is_finite());
                lock(&self.known).insert(place, estimate);
                estimate
            }
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Ends the search; the first reason counts.
    fn fail(&self, error: PyErr) {
        lock(&self.raised).get_or_insert(error);
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// What came of a search, and the places on the way.
type Ended = Result<(Summary, Vec<u32>), CannotRun>;

fn search<C: Fixed>(
    map: &Map<'_, C>,
    sight: &Sight<'_>,
    algorithm: Algorithm,
    settings: Settings,
    control: Control<'_>,
) -> Ended {
    let mut improvements = Vec::new();
    let outcome = Search::new(map)
        .heuristic(sight)
        .limits(settings.limits)
        .shuffle(settings.shuffle)
        .threads(settings.threads)
        .control(control)
        .improvements(|better| {
            let bound = better.lower_bound.map(C::amount);
            improvements.push((better.elapsed.as_secs_f64(), better.cost.amount(), bound));
            ControlFlow::Continue(())
        })
        .run_reversible(algorithm)?;
    let places = outcome.solution().map(|solution| solution.states(map)).unwrap_or_default();
    Ok((Summary::of(&outcome, improvements), places))
}

/// What is asked of a map: the keys of a dictionary.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Query {
    start: u32,
    goal: u32,
    /// From the number of a place to an estimate.
    heuristic: Option<Py<PyAny>>,
    admissible: bool,
    consistent: bool,
}

/// A search on either kind of costs.
trait Searched {
    fn run(
        &self,
        real: bool,
        query: &Query,
        sight: &Sight<'_>,
        how: (Algorithm, Settings),
        control: Control<'_>,
    ) -> Ended;
    fn is_whole(&self) -> bool;
    fn has_distance(&self) -> bool;
}

fn solve<'py>(
    py: Python<'py>,
    searched: &(impl Searched + Sync),
    query: &Query,
    options: &Options,
    listener: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Option<Py<PyAny>>)> {
    let started = Instant::now();
    let algorithm: Algorithm = options.algorithm.parse().map_err(wrong)?;
    let settings = options.settings()?;
    let guided = algorithm.info().needs.heuristic();
    if guided && query.heuristic.is_none() && !searched.has_distance() {
        let name = algorithm.name();
        return Err(wrong(format!(
            "{name} needs a heuristic: give the call heuristic=…, a function of two nodes"
        )));
    }
    let how = (algorithm, settings);
    let whole = searched.is_whole();
    let (ended, raised, promise) = match &query.heuristic {
        Some(function) if guided => {
            if settings.threads > 1 {
                return Err(wrong("a heuristic in Python is asked by one thread: leave threads out"));
            }
            let promise =
                Promise { admissible: query.admissible || query.consistent, consistent: query.consistent };
            let asked = &Asked {
                function: function.clone_ref(py),
                promise,
                known: Mutex::default(),
                turns: Turns::default(),
                ended: AtomicBool::new(false),
                raised: Mutex::default(),
            };
            let sight = Sight::Asked(asked);
            let mut control = Control::cancelled_by(&asked.ended);
            if let Some(listener) = listener {
                let listener = listener.clone().unbind();
                control.progress = Some(Box::new(move |progress| {
                    let told = Python::attach(|py| tell(listener.bind(py), progress));
                    told.unwrap_or_else(|error| asked.fail(error));
                }));
            }
            let ended = searched.run(true, query, &sight, how, control);
            (ended, lock(&asked.raised).take(), promise)
        }
        _ => {
            let sight = match searched.has_distance() {
                true => Sight::Distance { to: query.goal },
                false => Sight::Nothing,
            };
            let watch = Watch::default();
            let watched =
                beside(py, &watch, listener, || searched.run(!whole, query, &sight, how, watch.control()))?;
            (watched.result, watched.raised, Promise::CONSISTENT)
        }
    };
    let (mut summary, places) = ended.map_err(cannot_run)?;
    let mut interruption = None;
    match raised {
        Some(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
            summary.cut(Stop::Interrupted);
            interruption = Some(error.into_value(py).into_any());
        }
        Some(error) => return Err(error),
        None => {}
    }
    if guided && summary.is_solved() && !summary.optimal && !promise.admissible {
        summary.reason = Some(NO_PROMISE.into());
    }
    summary.seconds = started.elapsed();
    let report = summary.report(py, algorithm, guided, whole)?;
    report.set_item("states", places)?;
    Ok((report, interruption))
}

impl Grid {
    /// Cells in a row, with the wall on both sides.
    fn width(&self) -> usize {
        self.cols + 2
    }

    /// The least cost from one cell to another, were there no walls.
    fn distance(&self, from: u32, to: u32) -> f64 {
        let place = |cell: u32| (cell / self.width() as u32, cell % self.width() as u32);
        let ((row, col), (goal_row, goal_col)) = (place(from), place(to));
        let (down, across) = (f64::from(row.abs_diff(goal_row)), f64::from(col.abs_diff(goal_col)));
        let (more, less) = (down.max(across), down.min(across));
        let steps = match self.factor {
            // Two straight steps are as good as one around the corner.
            None => down + across,
            Some(factor) if factor >= 2.0 => down + across,
            Some(factor) if factor >= 1.0 => more - less + factor * less,
            Some(factor) => factor * more,
        };
        self.least * steps
    }

    fn map<'a, C>(
        &'a self,
        query: &Query,
        straight: &'a [C],
        diagonal: Option<&'a [C]>,
        wall: C,
    ) -> Map<'a, C> {
        let width = self.width() as isize;
        let around = if self.factor.is_some() { 8 } else { 4 };
        let steps = DIRECTIONS[..around].iter().map(|&(row, col)| row * width + col).collect();
        let diagonal = diagonal.unwrap_or(straight);
        let shape = Shape::Grid { grid: self, steps, straight, diagonal, wall };
        Map { shape, start: query.start, goal: query.goal }
    }
}

impl Searched for Grid {
    fn run(
        &self,
        real: bool,
        query: &Query,
        sight: &Sight<'_>,
        (algorithm, settings): (Algorithm, Settings),
        control: Control<'_>,
    ) -> Ended {
        let infinite = Real::new(f64::INFINITY);
        match (&self.straight, &self.diagonal) {
            (Costs::Whole(costs), _) if real => {
                let real = |costs: &[u32]| -> Vec<Real> {
                    let number =
                        |&cost: &u32| if cost == u32::MAX { infinite } else { Real::new(cost.into()) };
                    costs.iter().map(number).collect()
                };
                let straight = real(costs);
                let diagonal = match &self.diagonal {
                    Some(Costs::Whole(costs)) => Some(real(costs)),
                    _ => None,
                };
                let map = self.map(query, &straight, diagonal.as_deref(), infinite);
                search(&map, sight, algorithm, settings, control)
            }
            (Costs::Whole(straight), diagonal) => {
                let diagonal = match diagonal {
                    Some(Costs::Whole(costs)) => Some(&costs[..]),
                    _ => None,
                };
                search(&self.map(query, straight, diagonal, u32::MAX), sight, algorithm, settings, control)
            }
            (Costs::Real(straight), diagonal) => {
                let diagonal = match diagonal {
                    Some(Costs::Real(costs)) => Some(&costs[..]),
                    _ => None,
                };
                search(&self.map(query, straight, diagonal, infinite), sight, algorithm, settings, control)
            }
        }
    }

    fn is_whole(&self) -> bool {
        matches!(self.straight, Costs::Whole(_))
    }

    fn has_distance(&self) -> bool {
        true
    }
}

#[pymethods]
impl Grid {
    /// From the costs of the cells, row by row, as bytes of real numbers; infinite ones are walls.
    #[new]
    fn new(costs: &[u8], rows: usize, cols: usize, diagonal: Option<f64>, corners: bool) -> PyResult<Self> {
        let count = reals(costs).count();
        if count != rows * cols || (rows + 2).saturating_mul(cols + 2) > i32::MAX as usize {
            return Err(wrong(format!(
                "{rows} x {cols} cells are not {count} costs, or more than there may be"
            )));
        }
        let factor = diagonal.unwrap_or(1.0);
        if !(factor >= 0.0 && factor.is_finite()) {
            return Err(wrong(format!(
                "diagonal is {factor}: what a diagonal step costs is a number from 0 on"
            )));
        }
        for (at, cost) in reals(costs).enumerate() {
            if cost.is_nan() || cost < 0.0 {
                return Err(wrong(format!(
                    "the cost of the cell ({}, {}) is {cost}: it must not be below 0; walls are infinite",
                    at / cols,
                    at % cols
                )));
            }
        }
        let free = reals(costs).filter(|cost| cost.is_finite());
        let whole = are_whole(free.clone(), factor);
        let least = free.clone().fold(f64::INFINITY, f64::min);
        let greatest = free.fold(0.0, f64::max);
        let even = least == greatest && factor == 1.0;
        let mut walled = vec![f64::INFINITY; (rows + 2) * (cols + 2)];
        for (at, cost) in reals(costs).enumerate() {
            walled[(at / cols + 1) * (cols + 2) + at % cols + 1] = cost;
        }
        let kind = |factor: f64| {
            let scaled = walled.iter().map(|&cost| if cost.is_finite() { cost * factor } else { cost });
            if whole { Costs::Whole(fixed(scaled)) } else { Costs::Real(fixed(scaled)) }
        };
        let scaled = diagonal.filter(|&factor| factor != 1.0).map(kind);
        let least = if least.is_finite() { least } else { 0.0 };
        Ok(Self { rows, cols, straight: kind(1.0), diagonal: scaled, factor: diagonal, corners, least, even })
    }

    #[getter]
    fn rows(&self) -> usize {
        self.rows
    }

    #[getter]
    fn cols(&self) -> usize {
        self.cols
    }

    /// The number of a cell; none outside the grid and in a wall.
    fn place(&self, row: i64, col: i64) -> Option<u32> {
        let row = usize::try_from(row).ok().filter(|&row| row < self.rows)?;
        let col = usize::try_from(col).ok().filter(|&col| col < self.cols)?;
        let at = (row + 1) * self.width() + col + 1;
        let free = match &self.straight {
            Costs::Whole(costs) => costs[at] != u32::MAX,
            Costs::Real(costs) => costs[at].get().is_finite(),
        };
        free.then_some(at as u32)
    }

    /// Row and column of a cell by its number.
    fn cell(&self, place: u32) -> (usize, usize) {
        (place as usize / self.width() - 1, place as usize % self.width() - 1)
    }

    /// Searches: what came of it as a dictionary, and the interruption that ended it, if one did.
    #[pyo3(signature = (query, options, listener=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        query: Query,
        options: Options,
        listener: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<Py<PyAny>>)> {
        let (report, interruption) = solve(py, self, &query, &options, listener.as_ref())?;
        if let Some(places) = report.get_item("states")? {
            let places: Vec<u32> = places.extract()?;
            report.set_item("states", places.iter().map(|&place| self.cell(place)).collect::<Vec<_>>())?;
        }
        Ok((report, interruption))
    }
}

impl Graph {
    /// The edges into each node: where those of a node begin, and the edges.
    fn entering(&self) -> &(Vec<u32>, Vec<u32>) {
        self.into.get_or_init(|| {
            let (first, order) = sorted(self.first.len() - 1, &self.targets);
            (first, order.into_iter().map(|edge| edge as u32).collect())
        })
    }
}

/// Edges in the order of one of their ends: where those of each node begin, and their numbers.
fn sorted(nodes: usize, ends: &[u32]) -> (Vec<u32>, Vec<usize>) {
    let mut first = vec![0u32; nodes + 1];
    for &end in ends {
        first[end as usize + 1] += 1;
    }
    for node in 0..nodes {
        first[node + 1] += first[node];
    }
    let mut next = first.clone();
    let mut order = vec![0; ends.len()];
    for (edge, &end) in ends.iter().enumerate() {
        order[next[end as usize] as usize] = edge;
        next[end as usize] += 1;
    }
    (first, order)
}

impl Searched for Graph {
    fn run(
        &self,
        real: bool,
        query: &Query,
        sight: &Sight<'_>,
        (algorithm, settings): (Algorithm, Settings),
        control: Control<'_>,
    ) -> Ended {
        let (start, goal) = (query.start, query.goal);
        match &self.costs {
            Costs::Whole(costs) if real => {
                let costs: Vec<Real> = costs.iter().map(|&cost| Real::new(cost.into())).collect();
                let map = Map { shape: Shape::Graph { graph: self, costs: &costs }, start, goal };
                search(&map, sight, algorithm, settings, control)
            }
            Costs::Whole(costs) => {
                let map = Map { shape: Shape::Graph { graph: self, costs }, start, goal };
                search(&map, sight, algorithm, settings, control)
            }
            Costs::Real(costs) => {
                let map = Map { shape: Shape::Graph { graph: self, costs }, start, goal };
                search(&map, sight, algorithm, settings, control)
            }
        }
    }

    fn is_whole(&self) -> bool {
        matches!(self.costs, Costs::Whole(_))
    }

    fn has_distance(&self) -> bool {
        false
    }
}

#[pymethods]
impl Graph {
    /// From the ends and the costs of its edges, as bytes of unsigned whole numbers of 32 bits and of real numbers.
    #[new]
    fn new(nodes: u32, sources: &[u8], targets: &[u8], costs: &[u8]) -> PyResult<Self> {
        let numbers = |bytes: &[u8]| -> Vec<u32> {
            bytes.as_chunks::<4>().0.iter().map(|&chunk| u32::from_ne_bytes(chunk)).collect()
        };
        let (from, to) = (numbers(sources), numbers(targets));
        let count = reals(costs).count();
        if from.len() != count || to.len() != count || from.iter().chain(&to).any(|&node| node >= nodes) {
            return Err(wrong("every edge has two nodes of the graph and a cost"));
        }
        if reals(costs).any(|cost| !(cost >= 0.0 && cost.is_finite())) {
            return Err(wrong("the costs of edges are finite numbers from 0 on"));
        }
        let (first, order) = sorted(nodes as usize, &from);
        let given: Vec<f64> = reals(costs).collect();
        let ordered = || order.iter().map(|&edge| given[edge]);
        let whole = are_whole(ordered(), 1.0);
        let even = given.iter().all(|&cost| cost == given[0]);
        let costs = if whole { Costs::Whole(fixed(ordered())) } else { Costs::Real(fixed(ordered())) };
        let pick = |ends: &[u32]| order.iter().map(|&edge| ends[edge]).collect();
        Ok(Self { first, sources: pick(&from), targets: pick(&to), costs, even, into: OnceLock::new() })
    }

    /// How many edges there are.
    fn edges(&self) -> usize {
        self.targets.len()
    }

    /// Searches: what came of it as a dictionary, and the interruption that ended it, if one did.
    #[pyo3(signature = (query, options, listener=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        query: Query,
        options: Options,
        listener: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<Py<PyAny>>)> {
        solve(py, self, &query, &options, listener.as_ref())
    }
}
