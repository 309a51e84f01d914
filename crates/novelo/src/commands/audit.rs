//! `novelo audit`

use std::fmt::Write as _;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use novelo_lab::Environment;
use novelo_lab::audit::{self, Audit, Question};
use novelo_lab::table::units;
use novelo_puzzles::{Puzzle, RequestError, Size};
use novelo_search::parameter::Spec;

use super::print;
#[cfg(feature = "plots")]
use super::write_file;
use crate::cli::{self, bytes, duration};
use crate::exit::Code;
use crate::names::{heuristics, puzzles};
use crate::user_error::UserError;
use crate::{folders, interrupt, memory};

const EXAMPLES: &str = "\
Examples:
  novelo audit sliding --heuristic manhattan      every state of the 8-puzzle
  novelo audit sliding --heuristic pdb:5-5-5 --size 4x4 --samples 20
  novelo audit boxes --heuristic corners          finds a counterexample
  novelo audit numbrix --heuristic openness:alpha=1.4 --plot openness.svg

Exit code 0: nothing was found against what the heuristic promises. 1: it
breaks a promise, or it promises nothing and is not admissible.";

/// Options of `audit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AuditOptions {
    /// Which puzzle
    #[arg(value_parser = puzzles(), hide_possible_values = true)]
    pub puzzle: &'static dyn Puzzle,

    /// The heuristic, with parameters as NAME:key=value,…
    #[arg(long, short = 'H', value_name = "H", value_parser = heuristics(), hide_possible_values = true)]
    pub heuristic: Spec,

    #[arg(long, help = size_help())]
    pub size: Option<Size>,

    /// Instances to generate where there are too many states to look at all
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub samples: u64,

    /// The same seed gives the same instances
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Wall-clock time, such as 30s or 5m; what was looked at until then counts
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,

    /// Memory of the whole process, such as 300MiB or 2GiB; nine tenths of what is free if absent
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<u64>,

    /// Draw the estimate against the true distance into a file, SVG or PNG by its name
    #[cfg(feature = "plots")]
    #[arg(long, value_name = "FILE")]
    pub plot: Option<std::path::PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

fn size_help() -> String {
    format!("How large; if absent, boards up to: {}", cli::of_each(|info| info.audit_size, ", "))
}

/// Audits a heuristic and prints the verdict.
pub fn run(options: &AuditOptions) -> Result<Code, UserError> {
    let question = Question {
        puzzle: options.puzzle,
        heuristic: options.heuristic.clone(),
        size: options.size,
        samples: options.samples,
        seed: options.seed,
        time: options.time_limit,
        environment: Environment {
            memory: Some(memory::for_search(options.memory_limit)?),
            cache: folders::cache(),
            cache_quota: None,
        },
    };
    let bar = bar();
    let audit = audit::audit(&question, interrupt::flag(), |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let audit = match audit {
        Ok(audit) => audit,
        Err(RequestError::Interrupted) => return Ok(Code::Interrupted),
        Err(error @ RequestError::Limit(stop)) => {
            crate::tell::line(format!("novelo: {error}, and nothing was looked at until then"));
            return Ok(Code::of_stop(stop));
        }
        Err(error) => return Err(error.into()),
    };
    #[cfg(feature = "plots")]
    if let Some(path) = &options.plot {
        let png = path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("png"));
        let chart = audit.chart();
        let drawing = if png { chart.png().map_err(UserError::new)? } else { chart.svg().into_bytes() };
        write_file(path, &drawing)?;
    }
    if options.json {
        let mut value = serde_json::to_value(&audit).expect("an audit is plain data");
        value["admissible"] = audit.admissible().into();
        value["consistent"] = audit.consistent().into();
        print(&format!("{value}\n"))?;
    } else {
        print(&text(&audit))?;
    }
    if let Some(stop) = audit.stop {
        crate::tell::line(format!("novelo: ended by {stop}; this is what was looked at until then"));
        return Ok(Code::of_stop(stop));
    }
    Ok(if audit.admissible() && (audit.consistent() || !audit.promised.1) {
        Code::Success
    } else {
        Code::NoSolution
    })
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::no_length();
    bar.set_style(ProgressStyle::with_template("{bar:24} {pos}/{len} instances").expect("a valid template"));
    bar
}

fn text(audit: &Audit) -> String {
    let mut text = format!("{} of {}: {}\n", audit.heuristic, audit.puzzle, verdict(audit));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:>12}  {value}");
    };
    let count = |number: u64| units::count(number as f64);
    line("looked at", format!("{}, {} actions", audit.scope, count(audit.steps)));
    if audit.compared < audit.states {
        line("compared", format!("{} states whose true cost is known", count(audit.compared)));
    }
    line("too high", format!("{} states", count(audit.overestimates)));
    line("drops", format!("{} actions that lower h by more than they cost", count(audit.drops)));
    if let (Some(mean), Some(least), Some(worst)) = (audit.mean_error, audit.least_error, audit.worst_error) {
        line("error", format!("true cost less h: {mean:.2} on average, from {least:.2} to {worst:.2}"));
    }
    if let Some(correlation) = audit.correlation {
        line("correlation", format!("{correlation:.3} with the true cost"));
    }
    if let Some(found) = &audit.smallest {
        let h = found.h.map_or("calls it a dead end".into(), |h| format!("h = {}", number(h)));
        line("smallest", format!("{h}, true cost {}:", found.cost));
        line("", format!("novelo solve {}", found.instance));
    }
    if let Some(found) = &audit.drop {
        let h = found.h.map_or("dead end".into(), |h| format!("h = {}", number(h)));
        let after = number(found.h_after);
        line("drop", format!("{h}, then {after} after an action of cost {}:", found.cost));
        line("", format!("{} to {}", found.instance, found.after));
    }
    text
}

fn number(h: f64) -> String {
    format!("{h:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn verdict(audit: &Audit) -> String {
    let found = match (audit.admissible(), audit.consistent()) {
        (_, true) => "admissible and consistent",
        (true, false) => "admissible, not consistent",
        (false, _) => "not admissible",
    };
    let strength = match (audit.exhaustive, audit.consistent()) {
        (true, _) => ", proved for this size",
        (false, true) => " as far as was looked",
        (false, false) => ", proved by example",
    };
    let promise = match (audit.promised, audit.admissible(), audit.consistent()) {
        ((true, _), false, _) | ((_, true), _, false) => "; it promises more than it keeps",
        ((true, true), ..) => ", as it promises",
        ((true, false), ..) => "; it promises to be admissible",
        ((false, _), false, _) => "; it promises nothing",
        ((false, _), true, _) => "; it promises less",
    };
    format!("{found}{strength}{promise}")
}
