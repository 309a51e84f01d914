//! What came of an experiment: tables and plots, each number with the runs it comes from.

mod page;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::plots::{self, Against, Chart, Measure};
use crate::results::Header;
use crate::run::Run;
use crate::summary::{Field, Summary, summarise};
use crate::table::{self, Cell, Column, Table};

/// The most curves of a plot of single boards.
const CURVES: usize = 14;

/// A report on runs.
#[derive(Debug)]
pub struct Report<'r> {
    /// What it is called.
    pub title: String,
    /// What it shows.
    pub text: String,
    /// Under which circumstances the runs were done.
    pub headers: &'r [Header],
    /// The runs, those of a group together.
    pub runs: Vec<Run>,
    /// What they are grouped by.
    pub by: Vec<Field>,
    summaries: Vec<Summary>,
}

impl<'r> Report<'r> {
    /// A report on runs, grouped by some fields.
    pub fn new(headers: &'r [Header], runs: &[Run], by: Vec<Field>) -> Self {
        let title = headers.first().map_or("Results", |header| &header.experiment).to_owned();
        let text = headers.last().map(|header| header.text.clone()).unwrap_or_default();
        let groups = summarise(runs, &by);
        let runs: Vec<Run> = groups.iter().flat_map(|group| &group.runs).map(|&i| runs[i].clone()).collect();
        let summaries = summarise(&runs, &by);
        Self { title, text, headers, runs, by, summaries }
    }

    /// The summary, each row with the numbers of its runs.
    pub fn summary(&self) -> Table {
        traced(table::of_summaries(&self.summaries, &self.by), &self.summaries)
    }

    /// A table for each instance, grouped by the same fields.
    pub fn instances(&self) -> Vec<(String, Table)> {
        let by = [&[Field::Instance], &self.by[..]].concat();
        let all = summarise(&self.runs, &by);
        let mut instances: Vec<(String, Vec<Summary>)> = Vec::new();
        for mut summary in all {
            let name = summary.group.remove(0);
            match instances.iter_mut().find(|(known, _)| *known == name) {
                Some((_, rows)) => rows.push(summary),
                None => instances.push((name, vec![summary])),
            }
        }
        let table = |rows: Vec<Summary>| traced(table::of_summaries(&rows, &self.by), &rows);
        instances.into_iter().map(|(name, rows)| (name, table(rows))).collect()
    }

    /// The plots that these runs have enough in them for, each with a name for its file.
    pub fn charts(&self) -> Vec<(String, Chart)> {
        let runs = &self.runs[..];
        let mut charts = Vec::new();
        let parameters: BTreeSet<_> = runs.iter().flat_map(|run| run.task.method.parameters.keys()).collect();
        for measure in [Measure::Seconds, Measure::Expanded, Measure::Memory] {
            let name = measure.title().replace(' ', "-");
            for parameter in &parameters {
                charts.push((format!("{parameter}-{name}"), plots::sweep(runs, parameter, measure)));
                for (method, chart) in plots::sweep_boards(runs, parameter, measure) {
                    // As many curves as can be told apart.
                    if (2..=CURVES).contains(&chart.series.len()) {
                        let method = method.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
                        charts.push((format!("{parameter}-{name}-{method}-boards"), chart));
                    }
                }
            }
            charts.push((format!("mean-{name}"), plots::bars(&self.summaries, measure)));
        }
        for measure in [Measure::Seconds, Measure::Expanded] {
            let name = measure.title().replace(' ', "-");
            charts.push((format!("size-{name}"), plots::scaling(runs, Against::Cells, measure)));
            charts.push((format!("cost-{name}"), plots::scaling(runs, Against::OptimalCost, measure)));
        }
        if runs.iter().any(|run| run.task.subject != runs[0].task.subject) {
            charts.push(("answered".into(), plots::cactus(runs)));
        }
        charts.push(("anytime".into(), plots::anytime(runs)));
        if let Some((first, second)) = self.rivals() {
            charts.push(("scatter-time".into(), plots::scatter(runs, &first, &second, Measure::Seconds)));
            charts.push(("scatter-nodes".into(), plots::scatter(runs, &first, &second, Measure::Expanded)));
        }
        charts.retain(|(_, chart)| chart.says_something());
        charts
    }

    /// The two methods that answered the most, the fastest first: worth a plot of one against the other.
    fn rivals(&self) -> Option<(String, String)> {
        let mut methods = summarise(&self.runs, &[Field::Method]);
        methods.retain(|summary| summary.seconds.is_some() && summary.solved > 2);
        let rank = |summary: &Summary| (usize::MAX - summary.solved, summary.seconds.unwrap_or(f64::MAX));
        methods.sort_by(|a, b| rank(a).partial_cmp(&rank(b)).expect("times are numbers"));
        let mut labels = methods.into_iter().map(|summary| summary.group[0].clone());
        Some((labels.next()?, labels.next()?))
    }

    /// The summary and a table for each instance as LaTeX, each after a comment that names it.
    pub fn latex(&self) -> String {
        let mut text = format!("% {}\n{}", self.title, self.summary().latex());
        for (name, table) in self.instances() {
            let _ = write!(text, "\n% {name}\n{}", table.latex());
        }
        text
    }

    /// The whole as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n\n{}", self.title, self.text, self.summary().markdown());
        for (name, table) in self.instances() {
            let _ = write!(text, "\n## {name}\n\n{}", table.markdown());
        }
        text
    }
}

/// A table with a last column that names the runs of each row, from 1.
fn traced(mut table: Table, summaries: &[Summary]) -> Table {
    table.columns.push(Column {
        name: "runs".into(),
        heading: "runs".into(),
        short: "runs".into(),
        numeric: false,
        spare: false,
    });
    for (row, summary) in table.rows.iter_mut().zip(summaries) {
        let mut cell = Cell::text(ranges(&summary.runs));
        cell.link = summary.runs.first().map(|first| format!("#run-{}", first + 1));
        row.push(cell);
    }
    table
}

/// Places as numbers from 1, neighbours joined.
fn ranges(places: &[usize]) -> String {
    let stretches = places.chunk_by(|a, b| a + 1 == *b);
    let text = stretches.map(|it| match it {
        [one] => (one + 1).to_string(),
        _ => format!("{}-{}", it[0] + 1, it[it.len() - 1] + 1),
    });
    text.collect::<Vec<_>>().join(" ")
}
