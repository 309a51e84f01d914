//! The steps of a search as lines of JSON.

use std::ops::ControlFlow;

use novelo_puzzles::trace::{Listener, Trace, TraceNode, TraceStep};
use novelo_puzzles::{Instance, Report};
use novelo_search::Algorithm;
use novelo_search::algorithms::Measure;
use serde::Serialize;

use super::Writer;
use crate::commands::print;
use crate::user_error::UserError;

/// A line of the output.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Line<'l> {
    /// What is searched, and how.
    Search {
        puzzle: &'static str,
        instance: String,
        name: Option<&'l str>,
        algorithm: String,
        heuristic: Option<&'l str>,
    },
    /// A new iteration, and its number in a measure: the bound of iterative deepening, the width of a beam, …
    Iteration {
        number: usize,
        measure: &'static str,
        value: f64,
        /// The same, if it is a bound.
        bound: Option<f64>,
    },
    /// An expansion and what came of it.
    Step {
        step: u64,
        node: Numbered<'l>,
        /// The moves that led to the node.
        moves: Vec<String>,
        generated: Vec<Numbered<'l>>,
        /// In the order in which they come next; null for searches in place.
        open: Option<&'l [u32]>,
        closed: Option<Vec<u32>>,
        /// From the root to the node, for searches in place.
        path: Option<Vec<u32>>,
    },
    /// The end, in the fields of `solve --json`.
    Result {
        #[serde(flatten)]
        report: &'l Report,
        /// The nodes of the solution, where all of the tree was kept.
        path: &'l [u32],
        /// What is not told of.
        rest: &'l [String],
    },
}

#[derive(Serialize)]
struct Numbered<'l> {
    number: u32,
    #[serde(flatten)]
    node: &'l TraceNode,
}

/// A search as lines of JSON, as it goes.
pub struct Lines<'i> {
    instance: &'i dyn Instance,
    name: Option<&'i str>,
    algorithm: Option<Algorithm>,
    iteration: usize,
    failed: Option<UserError>,
}

impl<'i> Lines<'i> {
    pub fn new(instance: &'i dyn Instance, name: Option<&'i str>) -> Self {
        Self { instance, name, algorithm: None, iteration: 0, failed: None }
    }

    fn print(&mut self, line: &Line<'_>) -> ControlFlow<()> {
        match written(line) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

fn written(line: &Line<'_>) -> Result<(), UserError> {
    print(&format!("{}\n", serde_json::to_string(line).expect("plain data")))
}

impl Listener for Lines<'_> {
    fn begins(&mut self, algorithm: Algorithm, heuristic: Option<&str>) {
        self.algorithm = Some(algorithm);
        let (puzzle, instance) = (self.instance.puzzle().info().name, self.instance.id());
        let name = self.name;
        // What goes wrong is told at the first step.
        let _ =
            self.print(&Line::Search { puzzle, instance, name, algorithm: algorithm.to_string(), heuristic });
    }

    fn step(&mut self, step: &TraceStep<'_>) -> ControlFlow<()> {
        if let Some((number, value)) = step.iteration.filter(|(number, _)| *number > self.iteration) {
            self.iteration = number;
            let measure = step.trace.measure;
            let bound = Some(value).filter(|_| measure == Measure::Bound);
            self.print(&Line::Iteration { number, measure: measure.name(), value, bound })?;
        }
        let trace = step.trace;
        let numbered = |number: u32| Numbered { number, node: &trace.nodes[number as usize] };
        let successors = step.generated.clone().map(numbered).filter(|node| node.node.parent.is_some());
        self.print(&Line::Step {
            step: step.number,
            node: numbered(step.node),
            moves: trace.moves_to(step.node),
            generated: successors.collect(),
            open: step.open.as_deref(),
            closed: step.open.as_ref().map(|_| step.closed()),
            path: step.open.is_none().then(|| trace.path_to(step.node)),
        })
    }
}

impl Writer for Lines<'_> {
    fn algorithm(&self) -> Option<Algorithm> {
        self.algorithm
    }

    fn failed(&mut self) -> Option<UserError> {
        self.failed.take()
    }

    fn end(&mut self, trace: &Trace, report: &Report, rest: &[String]) -> Result<(), UserError> {
        written(&Line::Result { report, path: &trace.path, rest })
    }
}
