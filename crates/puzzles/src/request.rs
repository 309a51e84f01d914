//! What is asked of a puzzle, and what comes of it.

use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use novelo_search::parallel::Processes;
use novelo_search::parameter::{ParameterError, Spec, Values, nearest};
use novelo_search::{Budget, CannotRun, Improvement, Outcome, Reserved, Settings, Stats, Stop, allocated};
use serde::{Deserialize, Serialize};

use crate::Cost;

use crate::heuristic::HeuristicInfo;
use crate::method::{Choice, Method};
use crate::puzzle::Puzzle;

/// What is asked of an instance.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The algorithm.
    pub algorithm: Choice,
    /// The heuristic; the puzzle's default if absent.
    pub heuristic: Option<Spec>,
    /// The order in which actions are tried, in the puzzle's own words.
    pub order: Option<String>,
    /// Limits and shuffling.
    pub settings: Settings,
    /// The number of threads for methods that can use several. If absent, the building of tables and the methods that
    /// `auto` chooses take all cores; a named method, and every algorithm of the engine, takes one, so that it counts the
    /// same in every run. The engine's algorithms that can use several are
    /// those of [`uses_threads`](novelo_search::Algorithm::uses_threads).
    pub threads: Option<usize>,
    /// The folder where tables are kept for the next time; if absent, they are not.
    pub cache: Option<PathBuf>,
    /// The most bytes that this folder may come to; what would be more is not kept.
    pub cache_quota: Option<u64>,
    /// The processes that search together with this one, if there are any; of them all, the first has the result. Taken
    /// notice of only with the feature `processes`.
    pub processes: Option<Together>,
    /// Is told in a sentence what takes long before it starts, and what went wrong without doing harm.
    pub notice: Option<fn(&str)>,
    /// Is told of each better solution as it comes, by methods that go on after their first.
    pub improvements: Option<Improvements>,
}

/// A solution that is better than any before it in the same run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Improved {
    /// Its cost.
    pub cost: Cost,
    /// What no solution costs less than, as far as is proved by now.
    pub lower_bound: Option<Cost>,
    /// When it was found, in seconds since the start of the run.
    pub seconds: f64,
    /// The moves, in their written form.
    pub moves: Vec<String>,
}

/// A function that is told of improvements; a break ends the run with this one.
#[derive(Clone)]
pub struct Improvements(Arc<dyn Fn(Improved) -> ControlFlow<()> + Send + Sync>);

impl Improvements {
    /// Told to a function.
    pub fn new(listener: impl Fn(Improved) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    /// Tells of one.
    pub(crate) fn tell<A>(
        &self,
        improvement: &Improvement<'_, A>,
        written: impl FnMut(&A) -> String,
    ) -> ControlFlow<()> {
        let &Improvement { path, cost, lower_bound, elapsed, .. } = improvement;
        let moves = path.iter().map(written).collect();
        (self.0)(Improved { cost, lower_bound, seconds: elapsed.as_secs_f64(), moves })
    }
}

impl fmt::Debug for Improvements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Improvements")
    }
}

/// The processes of a run, which its searches use one after the other.
#[derive(Clone)]
pub struct Together(pub Arc<Mutex<dyn Processes>>);

impl fmt::Debug for Together {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Together")
    }
}

impl Request {
    /// The heuristic asked for, or the puzzle's default.
    pub fn heuristic_for(&self, puzzle: &dyn Puzzle) -> Spec {
        self.heuristic.clone().unwrap_or_else(|| Spec::plain(puzzle.heuristics()[0].name))
    }
}

/// A puzzle's heuristic of a name, and the values of its parameters.
pub fn checked_heuristic(
    spec: &Spec,
    puzzle: &dyn Puzzle,
) -> Result<(&'static HeuristicInfo, Values), RequestError> {
    let names = || puzzle.heuristics().iter().map(|info| info.name);
    let info = puzzle.heuristics().iter().find(|info| info.name == spec.name).ok_or_else(|| {
        let (name, puzzle) = (&spec.name, puzzle.info().name);
        RequestError::Parameter(ParameterError(match nearest(name, names()) {
            Some(near) => format!("{puzzle} has no heuristic '{name}'; did you mean '{near}'?"),
            None => format!(
                "{puzzle} has no heuristic '{name}'; it has {}",
                names().collect::<Vec<_>>().join(", ")
            ),
        }))
    })?;
    Ok((info, spec.check(info.parameters)?))
}

/// Why a request cannot be carried out as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// A name or a parameter is wrong.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The engine cannot run the algorithm on this.
    #[error(transparent)]
    CannotRun(#[from] CannotRun),
    /// The caller cancelled.
    #[error("interrupted")]
    Interrupted,
    /// A limit ended it before it was done.
    #[error("ended by the {} limit", .0.name())]
    Limit(Stop),
    /// Anything else that was asked for and does not exist here.
    #[error("{0}")]
    Unsupported(String),
}

/// What came of a request.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// What really ran.
    pub method: Method,
    /// The heuristic that guided it, if any did.
    pub heuristic: Option<String>,
    /// How it ended; moves in their written form.
    pub outcome: Outcome<String>,
    /// A sentence on why it ended so, where there is one.
    pub reason: Option<String>,
    /// Whether anything was searched at all: some instances are seen to have no solution without.
    pub searched: bool,
}

/// Solutions that are kept, as a part of a run: what they hold is the run's.
pub(crate) struct KeptSolutions<'m> {
    budget: Budget<'m>,
    memory: Vec<Reserved<'m>>,
    pub solutions: Vec<Vec<String>>,
}

impl<'m> KeptSolutions<'m> {
    pub fn new(budget: Budget<'m>) -> Self {
        Self { budget, memory: Vec::new(), solutions: Vec::new() }
    }

    /// Keeps one more, if there is memory for it and for the text that is made of it.
    pub fn keep(&mut self, moves: Vec<String>) -> Result<(), Stop> {
        let bytes = |text: &String| size_of::<String>() + 3 * allocated(text.capacity());
        self.memory.push(self.budget.reserve(size_of::<Self>() + moves.iter().map(bytes).sum::<usize>())?);
        self.solutions.push(moves);
        Ok(())
    }
}

/// All solutions of an instance, or as many as were asked for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Enumeration {
    /// The first solutions, as moves in their written form.
    pub solutions: Vec<Vec<String>>,
    /// How many there are; at least so many if `stop` says why counting ended.
    pub count: u64,
    /// Whether `count` is exact.
    pub exact: bool,
    /// What ended the counting before it was done, if not the number asked for.
    pub stop: Option<Stop>,
    /// The counts of the search.
    pub stats: Stats,
}
