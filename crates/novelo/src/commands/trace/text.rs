//! The steps of a search as text.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use anstyle::{AnsiColor, Color, Style};
use indicatif::HumanCount;
use novelo_puzzles::trace::{Listener, Trace, TraceStep};
use novelo_puzzles::{Instance, Report};
use novelo_search::Algorithm;
use novelo_search::algorithms::Measure;

use super::{Writer, figures, short, title};
use crate::commands::{print, solve};
use crate::paint;
use crate::user_error::UserError;

/// Nodes of a list that are shown.
const SHOWN: usize = 10;

/// A search as text, step by step as it goes.
pub struct Text<'i> {
    instance: &'i dyn Instance,
    /// Whether boards are drawn.
    show: bool,
    algorithm: Option<Algorithm>,
    /// The last iteration that was told of.
    iteration: usize,
    failed: Option<UserError>,
}

impl<'i> Text<'i> {
    pub fn new(instance: &'i dyn Instance, show: bool) -> Self {
        Self { instance, show, algorithm: None, iteration: 0, failed: None }
    }

    fn print(&mut self, text: &str) -> ControlFlow<()> {
        match print(text) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn written(&mut self, step: &TraceStep<'_>) -> String {
        let mut text = String::new();
        let bold = Style::new().bold();
        let trace = step.trace;
        if let Some((number, value)) = step.iteration.filter(|(number, _)| *number > self.iteration) {
            self.iteration = number;
            let measure = trace.measure.name();
            let _ = writeln!(text, "{bold}iteration {number}: {measure} {}{bold:#}\n", short(value));
        }
        let node = &trace.nodes[step.node as usize];
        let from = match (&node.action, node.parent) {
            (Some(action), Some(parent)) if node.backward => format!("{action} leads from it to {parent}"),
            (Some(action), Some(parent)) => format!("{action} from {parent}"),
            _ if node.backward => "the goal".into(),
            _ => "the start".into(),
        };
        let figures = figures(trace, step.node);
        let _ =
            writeln!(text, "{bold}step {}: expand {}{bold:#} ({from})  {figures}", step.number, step.node);
        if self.show && !node.backward {
            let picture = paint::position(self.instance, &trace.moves_to(step.node));
            picture.iter().for_each(|picture| text.push_str(&paint::indented(picture, 4)));
        }
        text.push_str(&successors(step));
        match &step.open {
            Some(open) => {
                let _ = writeln!(text, "  open    {}", list(trace, open, true));
                let _ = writeln!(text, "  closed  {}", list(trace, &step.closed(), false));
            }
            None => {
                let _ = writeln!(text, "  path    {}", list(trace, &trace.path_to(step.node), false));
            }
        }
        text.push('\n');
        text
    }
}

/// The nodes generated in a step, a line each.
fn successors(step: &TraceStep<'_>) -> String {
    let trace = step.trace;
    let mut text = String::new();
    let mut above = step.node;
    let generated = || step.generated.clone().filter(|&number| trace.nodes[number as usize].parent.is_some());
    let action = |number: u32| trace.nodes[number as usize].action.clone().unwrap_or_default();
    let wide = generated().map(|number| action(number).chars().count()).max().unwrap_or(0);
    let told: Vec<_> = generated().map(|number| (number, figures(trace, number))).collect();
    let widest = told.iter().map(|(_, figures)| figures.len()).max().unwrap_or(0);
    for (number, figures) in told {
        let node = &trace.nodes[number as usize];
        if let Some(parent) = node.parent.filter(|&parent| parent != above) {
            let _ = writeln!(text, "  back at {parent}");
            above = parent;
        }
        let known = node.known.map(|known| format!(" {known}")).unwrap_or_default();
        let (colour, fate) = match node.fate {
            "better" => (AnsiColor::Yellow, format!("better than{known}")),
            "repeated" => (AnsiColor::BrightBlack, format!("repeated{known}")),
            "cut" => {
                let bound = step.iteration.filter(|_| trace.measure == Measure::Bound);
                let bound = bound.map(|(_, bound)| format!(": over {}", short(bound)));
                (AnsiColor::BrightBlack, format!("cut{}", bound.unwrap_or_default()))
            }
            "new" => (AnsiColor::Green, "new".into()),
            other => (AnsiColor::Red, other.into()),
        };
        let look = Style::new().fg_color(Some(Color::Ansi(colour)));
        let action = action(number);
        let arrow = if node.backward { "<-" } else { "->" };
        let _ =
            writeln!(text, "    {action:wide$} {arrow} {number:<4} {figures:widest$}  {look}{fate}{look:#}");
    }
    text
}

/// The first nodes of a list, and how many more there are; those from the goal apart.
fn list(trace: &Trace, nodes: &[u32], keys: bool) -> String {
    let side = |backward: bool| {
        let nodes = nodes.iter().filter(move |&&node| trace.nodes[node as usize].backward == backward);
        nodes.copied().collect::<Vec<_>>()
    };
    let shown = |nodes: Vec<u32>| {
        let one = |&node: &u32| {
            let &novelo_puzzles::trace::TraceNode { f, h, .. } = &trace.nodes[node as usize];
            match f.filter(|_| keys) {
                None => node.to_string(),
                Some(f) => {
                    let h = h.map(short).filter(|h| *h != short(f)).map(|h| format!(" h{h}"));
                    format!("{node} f{}{}", short(f), h.unwrap_or_default())
                }
            }
        };
        let mut text = nodes.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ");
        if nodes.len() > SHOWN {
            let _ = write!(text, ", … {} more", HumanCount((nodes.len() - SHOWN) as u64));
        }
        if text.is_empty() { "none".to_owned() } else { text }
    };
    if trace.nodes.iter().any(|node| node.backward) {
        format!("from the start {}; from the goal {}", shown(side(false)), shown(side(true)))
    } else {
        shown(nodes.to_vec())
    }
}

impl Listener for Text<'_> {
    fn begins(&mut self, algorithm: Algorithm, heuristic: Option<&str>) {
        self.algorithm = Some(algorithm);
        let title = title(algorithm, heuristic, self.instance);
        // What goes wrong is told at the first step.
        let _ = self.print(&format!("{title}\n\n"));
    }

    fn step(&mut self, step: &TraceStep<'_>) -> ControlFlow<()> {
        let text = self.written(step);
        self.print(&text)
    }
}

impl Writer for Text<'_> {
    fn algorithm(&self) -> Option<Algorithm> {
        self.algorithm
    }

    fn failed(&mut self) -> Option<UserError> {
        self.failed.take()
    }

    fn end(&mut self, trace: &Trace, report: &Report, rest: &[String]) -> Result<(), UserError> {
        let mut text = rest.iter().flat_map(|sentence| [sentence, "\n"]).collect::<String>();
        let _ = writeln!(text, "{}", solve::headline(report));
        if let Some(reason) = &report.reason {
            let _ = writeln!(text, "  because {reason}");
        }
        if let Some(moves) = report.moves.as_ref().filter(|moves| !moves.is_empty()) {
            let _ = writeln!(text, "  moves   {}", moves.join(if moves[0].len() == 1 { " " } else { ", " }));
        }
        if !trace.path.is_empty() {
            let _ = writeln!(text, "  nodes   {}", list_all(&trace.path));
        }
        if let (Some(expanded), Some(generated), Some(stored)) =
            (report.expanded, report.generated, report.stored_peak)
        {
            let [expanded, generated, stored] = [expanded, generated, stored].map(HumanCount);
            let _ = writeln!(text, "  counts  {expanded} expanded, {generated} generated, {stored} stored");
        }
        print(&text)
    }
}

fn list_all(nodes: &[u32]) -> String {
    nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
