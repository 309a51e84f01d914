//! The columns of a comparison: what a run found and what it took.

use serde_json::{Value, json};

use super::units::{bytes, count, seconds, short_bytes, short_count, three_figures};
use super::{Cell, Column, Table};
use crate::summary::{Field, Summary};

/// How the values of a column are written, and which is best.
struct Figure {
    name: &'static str,
    heading: &'static str,
    short: &'static str,
    of: fn(&Summary) -> Option<f64>,
    long: fn(f64) -> String,
    brief: fn(f64) -> String,
    best: Best,
}

#[derive(Clone, Copy, PartialEq)]
enum Best {
    Least,
    Most,
    None,
}

impl Figure {
    fn cell(&self, summary: &Summary, best: Option<f64>, most: usize) -> Cell {
        let Some(value) = (self.of)(summary) else { return Cell::empty() };
        // Where there is little room, the spread is a part of the time.
        let short = match (self.name, summary.seconds) {
            ("deviation", Some(mean)) => format!("{:.0}%", 100.0 * value / mean),
            _ => (self.brief)(value),
        };
        let best = summary.solved == most && best == Some(value);
        Cell { value: json!(value), text: (self.long)(value), short, best, link: None }
    }
}

const fn figure(
    names: (&'static str, &'static str, &'static str),
    of: fn(&Summary) -> Option<f64>,
    long: fn(f64) -> String,
    brief: fn(f64) -> String,
    best: Best,
) -> Figure {
    Figure { name: names.0, heading: names.1, short: names.2, of, long, brief, best }
}

const COST: Figure = figure(("cost", "cost", "cost"), |it| it.cost, count, short_count, Best::Least);

const FIGURES: &[Figure] = &[
    figure(("expanded", "expanded", "exp."), |it| it.expanded, count, short_count, Best::Least),
    figure(("generated", "generated", "gen."), |it| it.generated, count, short_count, Best::Least),
    figure(("stored_peak", "stored", "kept"), |it| it.stored_peak, count, short_count, Best::Least),
    figure(("peak_bytes", "memory", "mem."), |it| it.peak_bytes, bytes, short_bytes, Best::Least),
    figure(
        ("seconds", "time", "time"),
        |it| it.seconds,
        seconds,
        |s| seconds(s).replace(' ', ""),
        Best::Least,
    ),
    figure(("deviation", "±", "±"), |it| it.deviation, seconds, |s| seconds(s).replace(' ', ""), Best::None),
    figure(("penetrance", "penetrance", "pen."), |it| it.penetrance, three_figures, fraction, Best::Most),
    figure(("branching_factor", "b*", "b*"), |it| it.branching_factor, four_places, two_places, Best::Least),
];

fn fraction(value: f64) -> String {
    match value {
        _ if value < 0.001 => format!("{value:.0e}"),
        _ if value < 0.9995 => format!("{value:.3}").replacen("0.", ".", 1),
        _ => two_places(value),
    }
}

fn four_places(value: f64) -> String {
    format!("{value:.4}")
}

fn two_places(value: f64) -> String {
    if value < 99.5 { format!("{value:.2}") } else { short_count(value) }
}

/// The table of summaries that were grouped by some fields; a group that failed stands with the reason.
///
/// The best of each column is marked among the rows that answered the most instances: a method that gives up on the
/// hard ones has low means, and no merit by that.
pub fn of_summaries(summaries: &[Summary], by: &[Field]) -> Table {
    let several = summaries.iter().any(|summary| summary.instances > 1);
    let repeated = summaries.iter().any(|summary| summary.deviation.is_some());
    let figures: Vec<_> = FIGURES.iter().filter(|it| repeated || it.name != "deviation").collect();
    let most = summaries.iter().map(|summary| summary.solved).max().unwrap_or(0);
    let mut columns: Vec<_> = by.iter().map(|field| text_column(field.name())).collect();
    columns.push(number_column("solved", "found", "got"));
    columns.push(number_column(COST.name, COST.heading, COST.short));
    columns.push(number_column("proved", "optimal", "opt"));
    columns.extend(figures.iter().map(|it| number_column(it.name, it.heading, it.short)));
    let best: Vec<_> = figures.iter().map(|it| best_of(summaries, it, most)).collect();
    let cheapest = best_of(summaries, &COST, most);
    let rows = summaries.iter().map(|summary| {
        let mut row: Vec<_> = summary.group.iter().map(Cell::text).collect();
        let [found, proved] = answer(summary, several);
        row.extend([found, COST.cell(summary, cheapest, most), proved]);
        row.extend(figures.iter().zip(&best).map(|(it, best)| it.cell(summary, *best, most)));
        row
    });
    let rows = rows.collect();
    Table { columns, rows }
}

/// Found, optimal.
fn answer(summary: &Summary, several: bool) -> [Cell; 2] {
    let share =
        |part: usize| Cell { value: part.into(), ..Cell::text(format!("{part}/{}", summary.instances)) };
    let yes = |yes: bool| Cell { value: u8::from(yes).into(), ..Cell::text(if yes { "yes" } else { "no" }) };
    let found = match &summary.stop {
        _ if several => share(summary.solved),
        Some(stop) if summary.solved == 0 => {
            Cell { value: 0.into(), short: stop.replace("memory", "mem."), ..Cell::text(stop) }
        }
        _ => yes(summary.solved > 0),
    };
    let proved = match summary.solved {
        0 => Cell { value: Value::from(0), ..Cell::empty() },
        _ if several => share(summary.proved),
        _ => yes(summary.proved > 0),
    };
    [found, proved]
}

/// The best value of a column, unless all that count are the same.
fn best_of(summaries: &[Summary], figure: &Figure, most: usize) -> Option<f64> {
    let counted = summaries.iter().filter(|summary| most > 0 && summary.solved == most);
    let values: Vec<f64> = counted.filter_map(figure.of).collect();
    let least = values.iter().copied().reduce(f64::min)?;
    let greatest = values.iter().copied().reduce(f64::max)?;
    match figure.best {
        _ if least >= greatest => None,
        Best::Least => Some(least),
        Best::Most => Some(greatest),
        Best::None => None,
    }
}

fn text_column(name: &str) -> Column {
    Column { name: name.into(), heading: name.into(), short: name.into(), numeric: false, spare: false }
}

fn number_column(name: &str, heading: &str, short: &str) -> Column {
    // Penetrance says little that the branching factor does not.
    let spare = name == "penetrance";
    Column { name: name.into(), heading: heading.into(), short: short.into(), numeric: true, spare }
}
