//! `novelo list`

use std::fmt::Write as _;

use anstyle::Style;
use novelo_puzzles::{AUTO, HeuristicInfo, PUZZLES, Puzzle};
use novelo_search::parameter::{Kind, Parameter};
use novelo_search::stats::{COUNTS, CountInfo};
use novelo_search::{Algorithm, AlgorithmInfo};
use serde::Serialize;
use serde_json::{Value, json};

use super::print;
use crate::cli::{List, What};
use crate::entries::{self, CountEntry, HeuristicEntry};
use crate::exit::Code;
use crate::user_error::UserError;

/// Explains what the registries hold.
pub fn run(options: &List) -> Result<Code, UserError> {
    let all = options.what.is_none();
    let wanted = |what| all || options.what == Some(what);
    if options.puzzle.is_some() && !matches!(options.what, Some(What::Algorithms | What::Heuristics)) {
        return Err(UserError::new("a puzzle can be named only after algorithms or heuristics")
            .help("write novelo list algorithms PUZZLE"));
    }
    let puzzles: Vec<_> = match options.puzzle {
        Some(puzzle) => vec![puzzle],
        None => PUZZLES.to_vec(),
    };
    let mut text = Text::default();
    let mut values = Vec::new();
    if wanted(What::Puzzles) {
        text.section("Puzzles");
        for puzzle in &puzzles {
            text.puzzle(*puzzle);
            values.push(puzzle_json(*puzzle));
        }
    }
    if wanted(What::Algorithms) {
        text.section("Algorithms");
        for info in std::iter::once(&AUTO).chain(Algorithm::INFOS) {
            text.algorithm(info);
        }
        for puzzle in puzzles.iter().filter(|puzzle| !puzzle.methods().is_empty()) {
            text.section(&format!("Methods of {} alone", puzzle.info().name));
            for method in puzzle.methods() {
                text.algorithm(&method.about);
            }
        }
        values.extend(entries::algorithms(options.puzzle).iter().map(|entry| tagged("algorithm", entry)));
    }
    if wanted(What::Heuristics) {
        for puzzle in &puzzles {
            text.section(&format!("Heuristics of {}", puzzle.info().name));
            for info in puzzle.heuristics() {
                text.heuristic(info);
                let mut value = tagged("heuristic", &HeuristicEntry::from(info));
                value["puzzle"] = puzzle.info().name.into();
                values.push(value);
            }
        }
    }
    if wanted(What::Counts) {
        text.section("Counts");
        for count in COUNTS {
            text.count(count);
            values.push(tagged("count", &CountEntry::from(count)));
        }
    }
    print(&if options.json { format!("{}\n", Value::Array(values)) } else { text.0 })?;
    Ok(Code::Success)
}

fn puzzle_json(puzzle: &dyn Puzzle) -> Value {
    let info = puzzle.info();
    json!({
        "kind": "puzzle", "name": info.name, "title": info.title, "about": info.about,
        "formats": info.formats, "moves": info.moves, "example": info.example,
    })
}

/// An entry as JSON that says of what kind it is.
fn tagged(kind: &str, entry: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(entry).expect("an entry is plain data");
    value["kind"] = kind.into();
    value
}

/// Text in sections, entries and indented lines, as wide as the terminal.
#[derive(Default)]
struct Text(String);

impl Text {
    fn section(&mut self, title: &str) {
        let look = Style::new().bold().underline();
        let gap = if self.0.is_empty() { "" } else { "\n" };
        let _ = writeln!(self.0, "{gap}{look}{title}{look:#}");
    }

    fn entry(&mut self, name: &str, title: &str) {
        let look = Style::new().bold();
        let gap = if title.is_empty() { "" } else { "  " };
        let _ = writeln!(self.0, "\n{look}{name}{look:#}{gap}{title}");
    }

    fn paragraph(&mut self, text: &str) {
        let width = textwrap::termwidth().clamp(40, 100);
        let options = textwrap::Options::new(width).initial_indent("    ").subsequent_indent("    ");
        let _ = writeln!(self.0, "{}", textwrap::fill(text, options));
    }

    fn field(&mut self, name: &str, text: &str) {
        let width = textwrap::termwidth().clamp(40, 100);
        let indent = " ".repeat(16);
        let options = textwrap::Options::new(width).subsequent_indent(&indent);
        let _ = writeln!(self.0, "{}", textwrap::fill(&format!("    {name:<10}  {text}"), options));
    }

    fn puzzle(&mut self, puzzle: &dyn Puzzle) {
        let info = puzzle.info();
        self.entry(info.name, info.title);
        self.paragraph(info.about);
        self.field("reads", info.formats);
        self.field("moves", info.moves);
        if !info.orders.is_empty() {
            self.field("--order", info.orders);
        }
        if !info.goals.is_empty() {
            self.field("--goal", info.goals);
        }
        for parameter in info.generator {
            let Parameter { name, kind, about, .. } = parameter;
            self.field(
                "generate",
                &match kind {
                    Kind::Flag => format!("--{name}: {about}"),
                    _ => format!("--{name}: {about} It is {kind}."),
                },
            );
        }
        self.field("example", info.example);
    }

    fn algorithm(&mut self, info: &AlgorithmInfo) {
        self.entry(info.name, info.title);
        self.paragraph(info.about);
        self.field("complete", info.complete);
        self.field("optimal", info.optimal);
        self.field("time", info.time);
        self.field("space", info.space);
        self.field("needs", &info.needs.to_string());
        self.parameters(info.parameters);
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            let Parameter { name, kind, default, required, about } = parameter;
            let usual = match (default, required) {
                (Some(default), _) => format!(", usually {default}"),
                (None, true) => ", must be given".into(),
                (None, false) => String::new(),
            };
            self.field("parameter", &format!("{name}: {kind}{usual}. {about}"));
        }
    }

    fn count(&mut self, count: &CountInfo) {
        self.entry(count.name, "");
        self.paragraph(count.definition);
        self.field("null if", count.absent);
    }

    fn heuristic(&mut self, info: &HeuristicInfo) {
        let promise = match (info.promise.admissible, info.promise.consistent) {
            (_, true) => "admissible and consistent",
            (true, false) => "admissible, not consistent",
            (false, false) => "not admissible",
        };
        self.entry(info.name, promise);
        self.paragraph(info.about);
        self.field("why", info.why);
        self.parameters(info.parameters);
    }
}
