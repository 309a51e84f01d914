//! What an audit counts, and its verdict.

use std::collections::BTreeMap;

use novelo_puzzles::Cost;
use novelo_puzzles::{Formulation, Instance};
use novelo_search::{Budget, Stop};
use serde::{Serialize, Serializer};

use super::Question;
use super::space::{Space, State};
use crate::plots::{self, Chart};
use crate::task::Subject;

/// Estimates are sums of fractions; differences below this are not theirs.
const ROUNDING: f64 = 1e-9;

/// A reason by its name.
#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn named<S: Serializer>(stop: &Option<Stop>, serializer: S) -> Result<S::Ok, S::Error> {
    stop.map(Stop::name).serialize(serializer)
}

/// What an audit found.
#[derive(Debug, Clone, Serialize)]
pub struct Audit {
    /// The puzzle.
    pub puzzle: &'static str,
    /// The heuristic.
    pub heuristic: String,
    /// Which states were looked at, in words.
    pub scope: String,
    /// Whether these are all there are: then the verdict is a proof for this size.
    pub exhaustive: bool,
    /// How many states were looked at.
    pub states: u64,
    /// How many of them have a known true cost.
    pub compared: u64,
    /// How many actions were looked at.
    pub steps: u64,
    /// What ended it before all was looked at that should be.
    #[serde(serialize_with = "named")]
    pub stop: Option<Stop>,
    /// Whether the heuristic promises to be admissible, and consistent.
    pub promised: (bool, bool),
    /// States whose estimate is above the true cost.
    pub overestimates: u64,
    /// Actions that the estimate drops across by more than they cost.
    pub drops: u64,
    /// True cost less estimate, on average; dead ends that were rightly seen do not count.
    pub mean_error: Option<f64>,
    /// The least true cost less estimate: below zero by the worst overestimate.
    pub least_error: Option<f64>,
    /// The greatest true cost less estimate.
    pub worst_error: Option<f64>,
    /// Pearson's correlation of estimate and true cost.
    pub correlation: Option<f64>,
    /// The smallest overestimate.
    pub smallest: Option<Overestimate>,
    /// The drop nearest the goal, on the smallest board.
    pub drop: Option<Drop>,
    /// How many states have which true cost and estimate, the latter in thousandths.
    #[serde(skip)]
    pub pairs: BTreeMap<(Cost, i64), u64>,
}

/// A state whose estimate is too high.
#[derive(Debug, Clone, Serialize)]
pub struct Overestimate {
    /// An instance that starts there.
    pub instance: String,
    /// The estimate; absent if it called a state with a solution a dead end.
    pub h: Option<f64>,
    /// The true cost.
    pub cost: Cost,
}

/// An action across which the estimate drops by more than it costs.
#[derive(Debug, Clone, Serialize)]
pub struct Drop {
    /// An instance that starts before it.
    pub instance: String,
    /// An instance that starts after it.
    pub after: String,
    /// What it costs.
    pub cost: Cost,
    /// The estimate before it; absent for a dead end.
    pub h: Option<f64>,
    /// The estimate after it.
    pub h_after: f64,
}

impl Audit {
    /// Whether nothing was found against admissibility.
    pub fn admissible(&self) -> bool {
        self.overestimates == 0
    }

    /// Whether nothing was found against consistency.
    pub fn consistent(&self) -> bool {
        self.admissible() && self.drops == 0
    }

    /// The estimate against the true distance.
    pub fn chart(&self) -> Chart {
        plots::h_against_distance(&self.heuristic, &self.pairs)
    }
}

/// Counts over one instance after the other.
#[derive(Default)]
pub(super) struct Tally {
    pub states: u64,
    compared: u64,
    steps: u64,
    overestimates: u64,
    drops: u64,
    pairs: BTreeMap<(Cost, i64), u64>,
    smallest: Option<(Size, Overestimate)>,
    drop: Option<((usize, Cost), Drop)>,
}

/// The order of counterexamples: smallest board, least true cost, least estimate.
type Size = (usize, Cost, i64);

fn thousandths(h: f64) -> i64 {
    (h * 1000.0).round().min(1e15) as i64
}

fn id(instance: &dyn Instance, formulation: &Formulation<'_>, state: &State) -> String {
    let before = |state: &State| state.parent().map(|(before, step)| (before.clone(), step));
    let steps = std::iter::successors(before(state), |(state, _)| before(state));
    let mut moves: Vec<_> = steps.map(|(_, step)| formulation.written(step)).collect();
    moves.reverse();
    instance.check(&moves).end
}

impl Tally {
    /// Looks at the states and actions of a space; what ends that in the middle leaves out all of them.
    pub fn add(
        &mut self,
        instance: &dyn Instance,
        formulation: &Formulation<'_>,
        space: &Space<'_>,
        budget: Budget<'_>,
    ) -> Result<(), Stop> {
        let estimate = |state: &State| match budget.ended() {
            Some(stop) => Err(stop),
            None => Ok(formulation.estimate(state)),
        };
        let estimates = space.states.iter().map(estimate).collect::<Result<Vec<_>, Stop>>()?;
        let cells = Subject::new(None, instance).size().map_or(0, novelo_puzzles::Size::cells);
        self.states += (space.states.len() - space.known) as u64;
        self.steps += space.steps.len() as u64;
        for (i, (&h, &distance)) in estimates.iter().zip(&space.distances).enumerate().skip(space.known) {
            let Some(cost) = distance else { continue };
            self.compared += 1;
            if let Some(h) = h {
                *self.pairs.entry((cost, thousandths(h))).or_default() += 1;
            }
            if h.is_some_and(|h| h <= f64::from(cost) + ROUNDING) {
                continue;
            }
            self.overestimates += 1;
            let size = (cells, cost, h.map_or(i64::MAX, thousandths));
            if self.smallest.as_ref().is_none_or(|(least, _)| size < *least) {
                let instance = id(instance, formulation, &space.states[i]);
                self.smallest = Some((size, Overestimate { instance, h, cost }));
            }
        }
        for &(from, to, cost) in &space.steps {
            let (h, after) = (estimates[from as usize], estimates[to as usize]);
            let Some(h_after) = after else { continue };
            if h.is_some_and(|h| h <= f64::from(cost) + h_after + ROUNDING) {
                continue;
            }
            self.drops += 1;
            let place = (cells, space.distances[from as usize].unwrap_or(Cost::MAX));
            if self.drop.as_ref().is_none_or(|(least, _)| place < *least) {
                let name = |state: u32| id(instance, formulation, &space.states[state as usize]);
                self.drop = Some((place, Drop { instance: name(from), after: name(to), cost, h, h_after }));
            }
        }
        Ok(())
    }

    pub fn finish(self, question: &Question, scope: String, exhaustive: bool, stop: Option<Stop>) -> Audit {
        let promise = question.puzzle.heuristics().iter().find(|info| info.name == question.heuristic.name);
        let promised =
            promise.map_or((false, false), |info| (info.promise.admissible, info.promise.consistent));
        let pairs = || {
            self.pairs.iter().map(|(&(cost, h), &states)| (f64::from(cost), h as f64 / 1000.0, states as f64))
        };
        let count: f64 = pairs().map(|(.., states)| states).sum();
        let mean = |sum: f64| (count > 0.0).then(|| sum / count);
        let (x, y) = (mean(pairs().map(|it| it.0 * it.2).sum()), mean(pairs().map(|it| it.1 * it.2).sum()));
        let correlation = x.zip(y).and_then(|(x, y)| {
            let moment =
                |f: fn(f64, f64) -> f64| -> f64 { pairs().map(|it| f(it.0 - x, it.1 - y) * it.2).sum() };
            let spread = moment(|x, _| x * x) * moment(|_, y| y * y);
            (spread > 0.0).then(|| moment(|x, y| x * y) / spread.sqrt())
        });
        Audit {
            puzzle: question.puzzle.info().name,
            heuristic: question.heuristic.to_string(),
            scope,
            exhaustive,
            states: self.states,
            compared: self.compared,
            steps: self.steps,
            stop,
            promised,
            overestimates: self.overestimates,
            drops: self.drops,
            mean_error: x.zip(y).map(|(x, y)| x - y),
            least_error: pairs().map(|(cost, h, _)| cost - h).reduce(f64::min),
            worst_error: pairs().map(|(cost, h, _)| cost - h).reduce(f64::max),
            correlation,
            smallest: self.smallest.map(|(_, found)| found),
            drop: self.drop.map(|(_, found)| found),
            pairs: self.pairs,
        }
    }
}
