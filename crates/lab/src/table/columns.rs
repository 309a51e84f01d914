//! The columns of a comparison: what a run found and what it took.

use serde_json::{Value, json};

use super::units::{bytes, count, seconds, short_bytes, short_count, three_figures};
use super::{Cell, Column, Table};
use crate::summary::{Field, Summary};

/// A number as it is written.
type Written = fn(f64) -> String;

/// How the values of a column are written, and which is best.
struct Figure {
    name: &'static str,
    heading: &'static str,
    short: &'static str,
    of: fn(&Summary) -> Option<f64>,
    long: Written,
    brief: Written,
    best: Best,
    merit: Merit,
}

#[derive(Clone, Copy, PartialEq)]
enum Best {
    Least,
    Most,
    None,
}

/// What a row must have done, beside answering as many instances as any, for a value of it to be the best.
#[derive(Clone, Copy, PartialEq)]
enum Merit {
    /// Nothing more: a cheap solution, and a quick one, has its merit whatever else it is.
    Answers,
    /// Have said for as many runs as any how much memory they held.
    Memory,
    /// Have counts for as many runs as any, and no solution that costs more than another's: fewer nodes to a worse
    /// solution are no merit.
    Nodes,
}

impl Figure {
    fn cell(&self, summary: &Summary, rivals: &[&Summary]) -> Cell {
        let Some(value) = (self.of)(summary) else { return Cell::absent() };
        // Where there is little room, the spread is a part of the time, in percent.
        let short = match (self.name, summary.seconds) {
            ("deviation", Some(mean)) => format!("{:.0}", 100.0 * value / mean),
            _ => (self.brief)(value),
        };
        let best = self.deserves(summary, rivals) && self.best_of(rivals) == Some(value);
        Cell { value: json!(value), text: (self.long)(value), short, best, link: None }
    }

    /// Whether a row may have the best value among its rivals, of which it is one.
    fn deserves(&self, summary: &Summary, rivals: &[&Summary]) -> bool {
        let most = |number: fn(&Summary) -> usize| rivals.iter().map(|rival| number(rival)).max();
        let answered = summary.solved > 0 && most(|it| it.solved) == Some(summary.solved);
        answered
            && match self.merit {
                Merit::Answers => true,
                Merit::Memory => most(|it| it.weighed) == Some(summary.weighed),
                Merit::Nodes => !summary.outdone && most(|it| it.counted) == Some(summary.counted),
            }
    }

    /// The best value among rivals, unless all that count are the same.
    fn best_of(&self, rivals: &[&Summary]) -> Option<f64> {
        let counted = rivals.iter().filter(|summary| self.deserves(summary, rivals));
        let values: Vec<f64> = counted.filter_map(|summary| (self.of)(summary)).collect();
        let least = values.iter().copied().reduce(f64::min)?;
        let greatest = values.iter().copied().reduce(f64::max)?;
        match self.best {
            _ if least >= greatest => None,
            Best::Least => Some(least),
            Best::Most => Some(greatest),
            Best::None => None,
        }
    }
}

const fn figure(
    names: (&'static str, &'static str, &'static str),
    of: fn(&Summary) -> Option<f64>,
    (long, brief): (Written, Written),
    best: Best,
    merit: Merit,
) -> Figure {
    Figure { name: names.0, heading: names.1, short: names.2, of, long, brief, best, merit }
}

const COUNT: (Written, Written) = (count, short_count);
const TIME: (Written, Written) = (seconds, |s| seconds(s).replace(' ', ""));

const COST: Figure = figure(("cost", "cost", "cost"), |it| it.cost, COUNT, Best::Least, Merit::Answers);

const FIGURES: &[Figure] = &[
    figure(("expanded", "expanded", "exp."), |it| it.expanded, COUNT, Best::Least, Merit::Nodes),
    figure(("generated", "generated", "gen."), |it| it.generated, COUNT, Best::Least, Merit::Nodes),
    figure(("stored_peak", "stored", "kept"), |it| it.stored_peak, COUNT, Best::Least, Merit::Nodes),
    figure(
        ("peak_bytes", "memory", "mem."),
        |it| it.peak_bytes,
        (bytes, short_bytes),
        Best::Least,
        Merit::Memory,
    ),
    figure(("seconds", "time", "time"), |it| it.seconds, TIME, Best::Least, Merit::Answers),
    figure(("deviation", "±", "±%"), |it| it.deviation, TIME, Best::None, Merit::Answers),
    figure(
        ("penetrance", "penetrance", "pen."),
        |it| it.penetrance,
        (three_figures, fraction),
        Best::Most,
        Merit::Nodes,
    ),
    figure(
        ("branching_factor", "b*", "b*"),
        |it| it.branching_factor,
        (four_places, two_places),
        Best::Least,
        Merit::Nodes,
    ),
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
/// The best of each column is marked among rows on the same instances, and only among those that answered the most of
/// them: a method that gives up on the hard ones has low means, and no merit by that. Node counts, penetrance and b* are
/// compared only where no solution was worse than another's.
pub fn of_summaries(summaries: &[Summary], by: &[Field]) -> Table {
    let several = summaries.iter().any(|summary| summary.instances > 1);
    let repeated = summaries.iter().any(|summary| summary.deviation.is_some());
    let figures: Vec<_> = FIGURES.iter().filter(|it| repeated || it.name != "deviation").collect();
    let mut columns: Vec<_> = by.iter().map(|field| text_column(field.name())).collect();
    columns.push(number_column("solved", "found", "got"));
    columns.push(number_column(COST.name, COST.heading, COST.short));
    columns.push(number_column("proved", "optimal", "opt"));
    columns.extend(figures.iter().map(|it| number_column(it.name, it.heading, it.short)));
    let rows = summaries.iter().map(|summary| {
        let rivals: Vec<_> = summaries.iter().filter(|rival| rival.boards == summary.boards).collect();
        let mut row: Vec<_> =
            summary.group.iter().map(|text| Cell { short: elided(text), ..Cell::text(text) }).collect();
        let [found, proved] = answer(summary, several);
        row.extend([found, COST.cell(summary, &rivals), proved]);
        row.extend(figures.iter().map(|it| it.cell(summary, &rivals)));
        row
    });
    let rows = rows.collect();
    Table { columns, rows }
}

/// A name without its middle, where it is long and has no space at which it could be broken: the id of a board.
fn elided(name: &str) -> String {
    const LONGEST: usize = 28;
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LONGEST || name.contains(' ') {
        return name.to_owned();
    }
    let (head, tail) = (LONGEST - 8, 7);
    letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect()
}

/// Found, optimal.
fn answer(summary: &Summary, several: bool) -> [Cell; 2] {
    let share =
        |part: usize| Cell { value: part.into(), ..Cell::text(format!("{part}/{}", summary.instances)) };
    let yes = |yes: bool| Cell { value: u8::from(yes).into(), ..Cell::text(if yes { "yes" } else { "no" }) };
    let found = match &summary.stop {
        _ if several => share(summary.solved),
        Some(stop) if summary.solved == 0 => {
            let short = stop.replace("memory", "mem.").replace("gave-up", "quit");
            Cell { value: 0.into(), short, ..Cell::text(stop) }
        }
        _ => yes(summary.solved > 0),
    };
    let proved = match summary.solved {
        0 => Cell { value: Value::from(0), ..Cell::absent() },
        _ if several => share(summary.proved),
        _ => yes(summary.proved > 0),
    };
    [found, proved]
}

fn text_column(name: &str) -> Column {
    Column { name: name.into(), heading: name.into(), short: name.into(), numeric: false, spare: false }
}

fn number_column(name: &str, heading: &str, short: &str) -> Column {
    // Penetrance says little that the branching factor does not.
    let spare = name == "penetrance";
    Column { name: name.into(), heading: heading.into(), short: short.into(), numeric: true, spare }
}
