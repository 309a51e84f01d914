//! What is asked of a puzzle, and what comes of it.

use std::path::PathBuf;

use novelo_search::parameter::{ParameterError, Spec, Values, nearest};
use novelo_search::{CannotRun, Outcome, Settings, Stats, Stop};

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
    /// same in every run. Of the engine's algorithms, `idastar` can use several.
    pub threads: Option<usize>,
    /// The folder where tables are kept for the next time; if absent, they are not.
    pub cache: Option<PathBuf>,
    /// Is told in a sentence what takes long before it starts, and what went wrong without doing harm.
    pub notice: Option<fn(&str)>,
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

/// All solutions of an instance, or as many as were asked for.
#[derive(Debug, Clone)]
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
