//! What a run can be asked to do: an algorithm of the engine, or a method made for one puzzle.

use std::fmt;
use std::str::FromStr;

use novelo_search::parameter::{Parameter, ParameterError, Spec, nearest};
use novelo_search::{Algorithm, AlgorithmInfo};

use crate::PUZZLES;

/// A method made for one puzzle.
#[derive(Debug)]
#[non_exhaustive]
pub struct MethodInfo {
    /// What it is, in words.
    pub about: AlgorithmInfo,
    /// Whether it expands states of the puzzle, so that nodes are counted as the engine counts them. Others search among
    /// something else (numbers that may stand in a cell, say), and those counts do not apply.
    pub searches_states: bool,
    /// Whether a heuristic can be named for it.
    pub takes_heuristic: bool,
    /// Whether it tries actions in the order that is asked for.
    pub takes_order: bool,
    /// Whether it can use several threads.
    pub uses_threads: bool,
    /// Whether several processes can run it together.
    pub over_processes: bool,
}

/// What `auto` is, in words.
pub const AUTO: AlgorithmInfo = AlgorithmInfo {
    name: "auto",
    title: "Automatic",
    about: "The best method there is for the puzzle and the instance, exact wherever that is within reach; the result \
            says in `method` which it was.",
    complete: "yes, unless a limit ends it",
    optimal: "where the result says so. It is proved on most instances; sliding boards of more than 25 cells, and large \
              mazes whose cheaper paths would take too long to exclude, get a good solution and a bound",
    time: "depends on the method",
    space: "depends on the method",
    needs: novelo_search::algorithms::Needs::Nothing,
    parameters: &[],
    lesson: None,
};

/// What ran, or is to run.
#[derive(Debug, Clone, Copy)]
pub enum Method {
    /// An algorithm of the engine.
    Engine(Algorithm),
    /// A method made for one puzzle.
    Dedicated(&'static MethodInfo),
}

impl Method {
    /// What it is, in words.
    pub fn info(self) -> &'static AlgorithmInfo {
        match self {
            Self::Engine(algorithm) => algorithm.info(),
            Self::Dedicated(method) => &method.about,
        }
    }

    /// Whether its nodes are states, counted as the engine counts them.
    pub fn searches_states(self) -> bool {
        match self {
            Self::Engine(_) => true,
            Self::Dedicated(method) => method.searches_states,
        }
    }

    /// Whether it can use several threads.
    pub fn uses_threads(self) -> bool {
        match self {
            Self::Engine(algorithm) => algorithm.uses_threads(),
            Self::Dedicated(method) => method.uses_threads,
        }
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Engine(a), Self::Engine(b)) => a == b,
            (Self::Dedicated(a), Self::Dedicated(b)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }
}

impl Eq for Method {}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(algorithm) => algorithm.fmt(f),
            Self::Dedicated(method) => f.write_str(method.about.name),
        }
    }
}

/// What `--algorithm` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The best method for the instance.
    #[default]
    Auto,
    /// This one.
    Method(Method),
}

impl Choice {
    /// What it is, in words.
    pub fn info(self) -> &'static AlgorithmInfo {
        match self {
            Self::Auto => &AUTO,
            Self::Method(method) => method.info(),
        }
    }

    /// Whether a heuristic can be named for it.
    pub fn takes_heuristic(self) -> bool {
        match self {
            Self::Auto => true,
            Self::Method(Method::Engine(algorithm)) => algorithm.info().needs.heuristic(),
            Self::Method(Method::Dedicated(method)) => method.takes_heuristic,
        }
    }

    /// Everything that can be asked for, in words: `auto`, the engine's algorithms, every puzzle's own methods.
    pub fn infos() -> impl Iterator<Item = &'static AlgorithmInfo> {
        let dedicated = PUZZLES.iter().flat_map(|puzzle| puzzle.methods()).map(|method| &method.about);
        std::iter::once(&AUTO).chain(Algorithm::INFOS).chain(dedicated)
    }

    /// The parameters that a name declares; none if there is no such name.
    pub fn parameters_of(name: &str) -> &'static [Parameter] {
        Self::infos().find(|info| info.name == name).map_or(&[], |info| info.parameters)
    }
}

impl From<Algorithm> for Choice {
    fn from(algorithm: Algorithm) -> Self {
        Self::Method(Method::Engine(algorithm))
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str(AUTO.name),
            Self::Method(method) => method.fmt(f),
        }
    }
}

impl FromStr for Choice {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let spec: Spec = text.parse()?;
        if Algorithm::named(&spec.name).is_some() {
            return Algorithm::of(&spec).map(Into::into);
        }
        let dedicated = PUZZLES.iter().flat_map(|puzzle| puzzle.methods());
        let dedicated = dedicated.into_iter().find(|method| method.about.name == spec.name);
        if spec.name == AUTO.name || dedicated.is_some() {
            spec.check(&[])?;
            return Ok(dedicated.map_or(Self::Auto, |method| Self::Method(Method::Dedicated(method))));
        }
        let names: Vec<_> = Self::infos().map(|info| info.name).collect();
        Err(ParameterError(match nearest(&spec.name, names.iter().copied()) {
            Some(near) => format!("there is no algorithm '{}'; did you mean '{near}'?", spec.name),
            None => format!("there is no algorithm '{}'; there are {}", spec.name, names.join(", ")),
        }))
    }
}
