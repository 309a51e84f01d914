//! The lab: algorithms against instances, with results that can be trusted.
//!
//! One way through: a [`plan`] is a list of [`Task`]s; each is [`run`] to a
//! [`Run`], here or in a worker process of a [`pool`]; the runs go to a
//! [results file](results); what comes out is a [`table`], a [plot](plots) or
//! a [report] made of both.

#![deny(missing_docs)]

pub mod audit;
pub mod experiment;
pub mod machine;
pub mod plan;
pub mod plots;
pub mod pool;
pub mod report;
pub mod results;
pub mod run;
pub mod statistics;
pub mod summary;
pub mod table;
mod task;
pub mod worker;

pub use run::{Cause, Ending, Milestone, Milestones, Run};
pub use task::{Environment, Limits, Method, Subject, Task, milliseconds};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;
