//! A search tree for Graphviz.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use novelo_puzzles::trace::{Listener, Trace, TraceStep};
use novelo_puzzles::{Instance, Report};
use novelo_search::Algorithm;

use super::{Writer, figures, short, title};
use crate::commands::{print, solve};
use crate::paint;
use crate::user_error::UserError;

/// Nodes up to which boards are drawn in them.
const BOARDS: usize = 200;

/// A tree, drawn when it is grown.
pub struct Graph<'i> {
    instance: &'i dyn Instance,
    algorithm: Option<Algorithm>,
    title: String,
}

impl<'i> Graph<'i> {
    pub fn new(instance: &'i dyn Instance) -> Self {
        Self { instance, algorithm: None, title: String::new() }
    }

    fn label(&self, trace: &Trace, number: u32, steps: &HashMap<u32, Vec<usize>>) -> String {
        let node = &trace.nodes[number as usize];
        let mut lines = Vec::new();
        if trace.nodes.len() <= BOARDS && !node.backward {
            let picture = paint::position(self.instance, &trace.moves_to(number));
            lines.extend(
                picture
                    .iter()
                    .flat_map(|picture| picture.plain().lines().map(str::to_owned).collect::<Vec<_>>()),
            );
        }
        if let Some(&(value, _)) = trace.iterations.iter().find(|(_, first)| *first == number) {
            lines.push(format!("{} {}", trace.measure.name(), short(value)));
        }
        let known = node.known.map(|known| format!(" {known}")).unwrap_or_default();
        let fate = if matches!(node.fate, "root" | "new") {
            String::new()
        } else {
            format!("  {}{known}", node.fate)
        };
        lines.push(format!("{number}: {}{fate}", figures(trace, number)));
        if let Some(steps) = steps.get(&number) {
            let steps = steps.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            lines.push(format!("step {steps}"));
        }
        lines.iter().flat_map(|line| [escaped(line), "\\l".to_owned()]).collect()
    }

    fn drawn(&self, trace: &Trace, report: &Report, rest: &[String]) -> String {
        let mut steps: HashMap<u32, Vec<usize>> = HashMap::new();
        for (step, &node) in (1..).zip(&trace.expansions) {
            steps.entry(node).or_default().push(step);
        }
        let path: HashSet<u32> = trace.path.iter().copied().collect();
        let mut heading = vec![self.title.clone(), solve::headline(report)];
        heading.extend(rest.iter().cloned());
        let heading = heading.iter().flat_map(|line| [escaped(line), "\\n".to_owned()]).collect::<String>();
        let mut text = format!(
            "digraph search {{\n  \
             graph [label=\"{heading}\", labelloc=t, fontname=\"sans-serif\", ordering=out, ranksep=0.4]\n  \
             node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"#64748b\", \
             fontname=\"monospace\", fontsize=10]\n  \
             edge [color=\"#64748b\", fontname=\"monospace\", fontsize=10, arrowsize=0.6]\n"
        );
        for (number, node) in (0..).zip(&trace.nodes) {
            let look = if path.contains(&number) {
                ", fillcolor=\"#bbf7d0\", color=\"#15803d\", penwidth=2"
            } else if steps.contains_key(&number) {
                ", fillcolor=\"#dbeafe\""
            } else if matches!(node.fate, "new" | "better" | "root") {
                ""
            } else {
                ", style=\"rounded,dashed\", color=\"#94a3b8\", fontcolor=\"#64748b\""
            };
            let _ = writeln!(text, "  n{number} [label=\"{}\"{look}]", self.label(trace, number, &steps));
            if let (Some(parent), Some(action)) = (node.parent, &node.action) {
                let way = if node.backward { ", dir=back" } else { "" };
                let kept = if path.contains(&number) && path.contains(&parent) {
                    ", color=\"#15803d\", penwidth=2"
                } else {
                    ""
                };
                let _ =
                    writeln!(text, "  n{parent} -> n{number} [label=\" {}\"{way}{kept}]", escaped(action));
            }
        }
        text.push_str("}\n");
        text
    }
}

/// A text within quotation marks.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

impl Listener for Graph<'_> {
    fn begins(&mut self, algorithm: Algorithm, heuristic: Option<&str>) {
        self.algorithm = Some(algorithm);
        self.title = title(algorithm, heuristic, self.instance);
    }

    fn step(&mut self, _: &TraceStep<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Writer for Graph<'_> {
    fn algorithm(&self) -> Option<Algorithm> {
        self.algorithm
    }

    fn failed(&mut self) -> Option<UserError> {
        None
    }

    fn end(&mut self, trace: &Trace, report: &Report, rest: &[String]) -> Result<(), UserError> {
        print(&self.drawn(trace, report, rest))
    }
}
