//! Single-player puzzles as search problems.
//!
//! Each puzzle is a folder: instance text, rules, heuristics, a generator, a
//! view, and a verifier that shares no code with the rules. To the rest of the
//! program all of them are a [`Puzzle`] in the [`registry`](PUZZLES), which
//! turns text into [`Instance`]s, which solve requests and check solutions.
//! Inside, everything is statically typed; the dynamic dispatch happens once,
//! here at the edge.

#![deny(missing_docs)]

#[cfg(feature = "processes")]
mod among;
mod bits;
pub mod boxes;
pub mod formulation;
mod heuristic;
pub mod input;
pub mod mazes;
mod method;
pub mod numbrix;
pub mod pancake;
mod picture;
mod puzzle;
mod rectangle;
mod report;
mod request;
pub mod session;
pub mod sliding;
mod solver;
#[cfg(feature = "template")]
pub mod template;
pub mod text;
pub mod trace;
mod verdict;
pub mod watch;

pub use bits::Bits;
pub use formulation::{Formulation, Step};
pub use heuristic::HeuristicInfo;
pub use method::{AUTO, Choice, Method, MethodInfo};
pub use picture::{Picture, Style};
pub use puzzle::{DIFFICULTIES, GenerateRequest, Instance, Named, Puzzle, PuzzleInfo, Size};
pub use report::{Ending, Report, WorkersReport};
pub use request::{
    Attempt, Enumeration, Improved, Improvements, Request, RequestError, Together, checked_heuristic,
};
pub use text::ParseError;
pub use trace::Trace;
pub use verdict::{Failure, Verdict};

/// What actions and solutions of puzzles cost.
pub type Cost = u32;

/// Every puzzle the program knows.
pub static PUZZLES: &[&dyn Puzzle] = &[
    &sliding::Sliding,
    &numbrix::Numbrix,
    &mazes::Mazes,
    &boxes::Boxes,
    &pancake::Pancake,
    #[cfg(feature = "template")]
    &template::Template,
];

/// The puzzle of a name.
pub fn puzzle(name: &str) -> Option<&'static dyn Puzzle> {
    PUZZLES.iter().copied().find(|puzzle| puzzle.info().name == name)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;
