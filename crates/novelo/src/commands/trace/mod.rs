//! `novelo trace`: a search step by step, as text, as lines of JSON, or as a graph.

mod dot;
mod json;
mod text;

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::Args;
use indicatif::HumanCount;
use novelo_lab::plan;
use novelo_puzzles::trace::{Listener, Trace, steps};
use novelo_puzzles::{Choice, Instance, Method as Runnable, Named, Report};
use novelo_search::Algorithm;

use super::solve;
use crate::cli::{Method, Reading};
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{progress, source};

const EXAMPLES: &str = "\
Examples:
  novelo trace sliding:3x3:1,2,3,0,4,6,7,5,8 -a astar -H manhattan
  novelo trace sliding:3x3:1,2,3,0,4,6,7,5,8 -a idastar -H manhattan --show
  novelo trace board.txt -a bfs --steps 20              the first 20 expansions
  novelo trace board.txt -a greedy --steps 101-120      a later part of a long search
  novelo trace board.txt -a dfs --steps all --json | jq -c 'select(.kind == \"step\") | .open'
  novelo trace sliding:2x2:3,1,2,0 -a bidirectional --dot | dot -Tsvg > tree.svg

A step is one expansion. It names the node by its number, with g (the cost of the
path to it), h (the estimate) and f (what the algorithm goes by); then each
successor with its fate:
  new       put on the open list, or followed
  better    known, but this path to it is cheaper
  repeated  known, at this cost or a lower one, or on the path already
  dead      the heuristic proves that no goal can be reached from it
  cut       its f exceeds the bound of the iteration, a beam or a limit on nodes
            has no room for it, or no path through it is cheaper than the best known
  limit     at the depth limit: it is tested, and not expanded
then the open list, in the order in which nodes come next (smaller f, smaller h,
last in first out), and the closed list. Depth-first searches in place hold
neither, but one path. `novelo list counts` explains what the counts at the end
count; the steps and successors add up to them.";

/// Options of `trace`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TraceOptions {
    /// A file, FILE#name or id
    pub instance: String,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub method: Method,

    /// Which expansions to tell of: the first N, those from A to B, or all; the first 40 if absent
    #[arg(long, value_name = "N|A-B|all", default_value = "40", hide_default_value = true)]
    pub steps: Window,

    /// Draw the board of every node that is expanded
    #[arg(long)]
    pub show: bool,

    /// Print one JSON object a line: the search, its iterations and steps, and the result as solve --json has it
    #[arg(long, conflicts_with_all = ["dot", "show"])]
    pub json: bool,

    /// Print the search tree for Graphviz, with boards in its nodes if it is small
    #[arg(long, conflicts_with = "show")]
    pub dot: bool,
}

/// Steps from one number to another, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window(RangeInclusive<u64>);

impl FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<u64>().ok().filter(|&number| number > 0);
        let window = match text.split_once('-') {
            _ if text == "all" => Some(1..=u64::MAX),
            None => number(text).map(|last| 1..=last),
            Some((first, last)) => number(first).zip(number(last)).map(|(first, last)| first..=last),
        };
        window
            .filter(|window| !window.is_empty())
            .map(Self)
            .ok_or_else(|| format!("'{text}' is no part of a search; write 20, 101-120 or all"))
    }
}

/// Nodes kept of a tree at most.
const MOST: usize = 1_000_000;

/// How the steps of a search are written.
trait Writer: Listener {
    /// The algorithm of the engine that was told of, if one ran.
    fn algorithm(&self) -> Option<Algorithm>;

    /// What went wrong with the output.
    fn failed(&mut self) -> Option<UserError>;

    /// The end: what there is to say beside the steps.
    fn end(&mut self, trace: &Trace, report: &Report, rest: &[String]) -> Result<(), UserError>;
}

/// Tells of a search step by step.
pub fn run(options: &TraceOptions) -> Result<Code, UserError> {
    let reading = &options.reading;
    let Named { name, instance } =
        source::read_one(&options.instance, reading.puzzle, reading.goal.as_deref())?;
    let instance = &*instance;
    let request = solve::request(&options.method, Algorithm::AStar.into())?;
    plan::check(&request, instance.puzzle())?;
    if let Choice::Method(method @ Runnable::Dedicated(_)) = request.algorithm {
        return Err(stepless(&format!("{method} is a method of its own")));
    }
    solve::tell_without_effect(&options.method, request.algorithm);
    solve::tell_without_effect_on_watched(&options.method);
    let mut writer: Box<dyn Writer + '_> = if options.json {
        Box::new(json::Lines::new(instance, name.as_deref()))
    } else if options.dot {
        Box::new(dot::Graph::new(instance))
    } else {
        Box::new(text::Text::new(instance, options.show))
    };
    let window = options.steps.0.clone();
    let listener: &mut dyn Listener = &mut *writer;
    let (attempt, trace) = steps(instance, &request, MOST, window.clone(), progress::control(""), listener)?;
    if let Some(error) = writer.failed() {
        return Err(error);
    }
    if attempt.searched && writer.algorithm().is_none() {
        return Err(stepless(&format!("auto takes {} here", attempt.method)));
    }
    let expanded = attempt.outcome.stats.expanded;
    let rest = rest(&window, expanded, &trace);
    let mut report =
        Report::new(instance, &request, attempt).map_err(|verdict| solve::refused(instance, &verdict))?;
    report.name.clone_from(&name);
    writer.end(&trace, &report, &rest)?;
    Ok(Code::of(&report))
}

fn stepless(what: &str) -> UserError {
    UserError::new(format!("{what}, which has no steps of a search through states to tell of"))
        .help("name an algorithm that has, such as --algorithm astar; `novelo list algorithms` explains them")
}

/// What is not told of, in sentences.
fn rest(window: &RangeInclusive<u64>, expanded: u64, trace: &Trace) -> Vec<String> {
    let mut sentences = Vec::new();
    let (first, last) = (*window.start(), *window.end());
    if trace.nodes.len() >= MOST {
        sentences
            .push(format!("A tree is kept up to {} nodes, and this one has more.", HumanCount(MOST as u64)));
    } else if expanded < first {
        sentences.push(format!("The search has only {} steps.", HumanCount(expanded)));
    } else if expanded > last {
        let next = last.saturating_add(last - first + 1).min(expanded);
        sentences.push(format!(
            "{} more steps follow: --steps {}-{next} tells of the next, --steps all of every one.",
            HumanCount(expanded - last),
            last + 1,
        ));
    }
    sentences
}

/// A number with at most four decimals.
fn short(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A search in words: `astar with manhattan on sliding:2x2:3,1,2,0`.
fn title(algorithm: Algorithm, heuristic: Option<&str>, instance: &dyn Instance) -> String {
    let guided = heuristic.map(|name| format!(" with {name}")).unwrap_or_default();
    format!("{algorithm}{guided} on {}", instance.id())
}

/// What is known of a node: `g 2  h 3  f 5`.
fn figures(trace: &Trace, node: u32) -> String {
    let node = &trace.nodes[node as usize];
    let figure = |name: &str, value: Option<f64>| value.map(|value| format!("  {name} {}", short(value)));
    let rest = [figure("h", node.h), figure("f", node.f)].into_iter().flatten();
    format!("g {}{}", node.g, rest.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_as_they_are_written() {
        let window = |text: &str| text.parse::<Window>().map(|window| window.0);
        assert_eq!(window("20"), Ok(1..=20));
        assert_eq!(window("101-120"), Ok(101..=120));
        assert_eq!(window("all"), Ok(1..=u64::MAX));
        for wrong in ["0", "-3", "5-", "9-8", "some"] {
            assert_eq!(
                window(wrong),
                Err(format!("'{wrong}' is no part of a search; write 20, 101-120 or all"))
            );
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([4.0, 0.5, 1.0 / 3.0, 120.0].map(short), ["4", "0.5", "0.3333", "120"]);
    }
}
