//! A state-space search engine.
//!
//! Describe a problem in about forty lines, and every textbook algorithm runs on
//! it, with limits, cancellation, statistics and, where the method proves it,
//! the word that the answer is optimal. This is the whole of
//! `examples/jugs.rs`:
//!
//! ```
#![doc = include_str!("../examples/jugs.rs")]
//! ```
//!
//! Shorter still is a problem [by functions](successors). [`check`](mod@check) finds out whether a problem and a heuristic keep their
//! promises. Beside one solution there are [all distances](Search::reach), [all optimal solutions](Search::optima) and a
//! search [stepped from outside](Search::stepper); an [observer](mod@observer) sees every node; [`parts`] are what an algorithm
//! of one's own is made of.
//!
//! # One way through
//!
//! [`Problem`] → [`Search`] → [`Algorithm`] → [`Outcome`]. The engine knows no
//! puzzle and does no input or output. States are changed in place and packed
//! by the problem; algorithms with a closed list keep each state once, in a few
//! bytes beside its own size. Nothing is allocated per node; the textbook's algorithms are compiled for each heuristic, the
//! others ask one of any type once an expansion ([`estimator`]).

#![deny(missing_docs)]

pub mod algorithms;
pub mod beam;
pub mod check;
pub mod clock;
mod cost;
pub mod deepening;
mod either;
pub mod estimator;
pub mod heuristic;
pub mod incumbent;
mod limits;
mod maximum;
mod meter;
pub mod observer;
mod open;
mod optima;
mod order;
mod outcome;
pub mod parallel;
pub mod parameter;
pub mod parts;
mod problem;
mod random;
mod reach;
mod search;
pub mod stats;
mod stepper;
mod store;
pub mod successors;

pub use algorithms::{Algorithm, AlgorithmInfo};
pub use check::{check, check_reversible};
pub use cost::{Cost, Real};
pub use either::Either;
pub use heuristic::{Estimate, Heuristic, Promise, Weight, Zero};
pub use incumbent::{Improvement, Incumbent};
pub use limits::{Frontier, Limits, Progress, Stop};
pub use maximum::Maximum;
pub use meter::{Budget, Control, Counter, Held, Listener, Meter, Nodes, Reserved};
pub use observer::{Fate, Node, NodeOf, Observer, Side};
pub use open::{HeapQueue, OpenList};
pub use optima::{Optima, Solutions};
pub use outcome::{Answer, Outcome, OutcomeOf, Solution};
pub use problem::{Problem, Reversible, allocated};
pub use reach::Reach;
pub use search::{AmongError, CannotRun, Search, Settings};
pub use stats::{Stats, Workers};
pub use stepper::Stepper;
pub use successors::{Backwards, Edge, FromSuccessors, Step, from_successors};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;
