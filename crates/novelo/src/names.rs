//! Names on the command line: read by the library, and known to shells that complete them.

use std::ffi::OsStr;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use novelo_puzzles::{Choice, PUZZLES, Puzzle};
use novelo_search::parameter::Spec;

/// Reads a value by a function, and names those that a shell may offer; others may be right too.
#[derive(Clone)]
pub struct Named<F> {
    read: F,
    names: Vec<&'static str>,
}

impl<F: TypedValueParser> TypedValueParser for Named<F> {
    type Value = F::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<F::Value, Error> {
        self.read.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

/// Each name once.
fn once(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut all = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// An algorithm with its parameters.
pub fn algorithms() -> impl TypedValueParser<Value = Choice> {
    Named { read: |text: &str| Choice::from_str(text), names: once(Choice::infos().map(|info| info.name)) }
}

/// A heuristic with its parameters; whether the puzzle has it is seen when the puzzle is known.
pub fn heuristics() -> impl TypedValueParser<Value = Spec> {
    let infos = PUZZLES.iter().flat_map(|puzzle| puzzle.heuristics());
    Named { read: |text: &str| Spec::from_str(text), names: once(infos.map(|info| info.name)) }
}

/// A puzzle.
pub fn puzzles() -> impl TypedValueParser<Value = &'static dyn Puzzle> {
    Named {
        read: |text: &str| crate::cli::puzzle(text),
        names: PUZZLES.iter().map(|puzzle| puzzle.info().name).collect(),
    }
}
