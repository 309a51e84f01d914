//! What is asked of a puzzle, and what comes of it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use novelo_search::{Algorithm, CannotRun, Outcome, Settings, Stats, Stop};

use crate::puzzle::{HeuristicInfo, Puzzle};

/// Which algorithm to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The best exact method for the instance.
    #[default]
    Auto,
    /// One of the engine's.
    Named(Algorithm),
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Named(algorithm) => algorithm.fmt(f),
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "auto" {
            return Ok(Self::Auto);
        }
        Algorithm::named(name).map(Self::Named).ok_or_else(|| {
            let names: Vec<_> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
            format!("there is no algorithm '{name}'; there are auto, {}", names.join(", "))
        })
    }
}

/// A heuristic and its parameters, written `name`, `name:value` or
/// `name:key=value,key=value`. A value may contain commas if no part of it
/// looks like `key=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeuristicSpec {
    /// The heuristic's name.
    pub name: String,
    /// Keys and values in the order given; the key of a bare value is empty.
    pub parameters: Vec<(String, String)>,
}

impl FromStr for HeuristicSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let mut parameters: Vec<(String, String)> = Vec::new();
        for part in rest.iter().flat_map(|rest| rest.split(',')) {
            match (part.split_once('='), parameters.last_mut()) {
                (Some((key, value)), _) => parameters.push((key.trim().into(), value.trim().into())),
                (None, Some((_, value))) => {
                    value.push(',');
                    value.push_str(part.trim());
                }
                (None, None) => parameters.push((String::new(), part.trim().into())),
            }
        }
        if name.is_empty() || rest == Some("") {
            return Err(format!("'{text}' is not a heuristic; write NAME or NAME:key=value,…"));
        }
        Ok(Self { name: name.into(), parameters })
    }
}

impl fmt::Display for HeuristicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.parameters.iter().enumerate() {
            f.write_str(if i == 0 { ":" } else { "," })?;
            if !key.is_empty() {
                write!(f, "{key}=")?;
            }
            f.write_str(value)?;
        }
        Ok(())
    }
}

impl HeuristicSpec {
    /// The spec without parameters.
    pub fn plain(name: &str) -> Self {
        Self { name: name.into(), parameters: Vec::new() }
    }

    /// What the registry says about it, if the puzzle has it.
    pub fn info(&self, puzzle: &dyn Puzzle) -> Result<&'static HeuristicInfo, RequestError> {
        puzzle.heuristics().iter().find(|info| info.name == self.name).ok_or_else(|| {
            RequestError::NoSuchHeuristic {
                name: self.name.clone(),
                puzzle: puzzle.info().name,
                known: puzzle.heuristics().iter().map(|info| info.name).collect::<Vec<_>>().join(", "),
            }
        })
    }

    /// Refuses parameters, for heuristics that have none.
    pub fn no_parameters(&self) -> Result<(), RequestError> {
        match self.parameters.first() {
            None => Ok(()),
            Some((key, value)) => Err(RequestError::Parameter {
                heuristic: self.name.clone(),
                message: format!(
                    "it has no parameters, but '{}' was given",
                    if key.is_empty() { value } else { key }
                ),
            }),
        }
    }
}

/// What is asked of an instance.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The algorithm.
    pub algorithm: Choice,
    /// The heuristic; the puzzle's default if absent.
    pub heuristic: Option<HeuristicSpec>,
    /// The order in which actions are tried, in the puzzle's own words.
    pub order: Option<String>,
    /// Limits, weight, shuffling.
    pub settings: Settings,
    /// The number of threads for methods that can use several: `auto` and the building of tables, which take all
    /// cores if absent. The textbook algorithms run on one, so that they count the same in every run.
    pub threads: Option<usize>,
    /// The folder where tables are kept for the next time; if absent, they are not.
    pub cache: Option<PathBuf>,
    /// Is told in a sentence what takes long before it starts, and what went wrong without doing harm.
    pub notice: Option<fn(&str)>,
}

impl Request {
    /// The heuristic asked for, or the puzzle's default.
    pub fn heuristic_for(&self, puzzle: &dyn Puzzle) -> HeuristicSpec {
        self.heuristic.clone().unwrap_or_else(|| HeuristicSpec::plain(puzzle.heuristics()[0].name))
    }
}

/// Why a request cannot be carried out as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The puzzle has no such heuristic.
    #[error("{puzzle} has no heuristic '{name}'; it has {known}")]
    NoSuchHeuristic {
        /// The name asked for.
        name: String,
        /// The puzzle.
        puzzle: &'static str,
        /// The names it has.
        known: String,
    },
    /// A heuristic's parameter is wrong.
    #[error("heuristic {heuristic}: {message}")]
    Parameter {
        /// The heuristic.
        heuristic: String,
        /// What is wrong.
        message: String,
    },
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
    /// What really ran, where the request left it open (`auto`).
    pub method: Option<String>,
    /// The heuristic that guided it, if one did.
    pub heuristic: Option<String>,
    /// How it ended; moves in their written form.
    pub outcome: Outcome<String>,
    /// A sentence on why it ended so, where there is one.
    pub reason: Option<String>,
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
