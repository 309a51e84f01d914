//! `novelo compare`

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::time::Duration;

use clap::Args;
use novelo_lab::plan::{self, Plan};
#[cfg(feature = "plots")]
use novelo_lab::plots::{self, Measure};
use novelo_lab::report::Report;
use novelo_lab::summary::{Field, summarise};
use novelo_lab::table::{self, Table};
use novelo_lab::{Ending, Limits, Method, Run, Subject, Task};
use novelo_puzzles::{Choice, Puzzle, RequestError, checked_heuristic};
use novelo_search::CannotRun;
use novelo_search::parameter::{ParameterError, nearest};

use super::{print, write_file};
use crate::cli::{self, Reading};
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{interrupt, runs, source};

/// The width of a table that goes nowhere in particular.
const WIDE: usize = 200;

const EXAMPLES: &str = "\
Examples:
  novelo compare sliding:3x3:8,6,7,2,5,4,3,0,1
  novelo compare set.txt --algorithms bfs,astar --heuristics manhattan,hamming --repeat 5
  novelo compare board.txt --algorithms wastar:weight=2,dls:limit=20
  novelo compare maze.txt --time-limit 2s --markdown
  novelo compare a.txt b.txt --by instance,method --csv
  novelo compare set.txt --columns cost,expanded --latex

The best of each column is marked; of nodes, penetrance and b* only where no
solution was worse than another's (docs/counts.md, novelo list counts). b* is the effective branching factor. In a
narrow terminal numbers are short, and penetrance is left out if need be.";

/// Options of `compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Compare {
    /// Files, FILE#name, ids, or - for standard input
    #[arg(required = true, value_name = "INSTANCE")]
    pub instances: Vec<String>,

    #[command(flatten)]
    pub reading: Reading,

    /// The algorithms, with parameters as NAME:key=value; all that make sense if absent. Give the option again for
    /// each that has commas of its own
    #[arg(long, short, value_name = "A,…")]
    pub algorithms: Vec<String>,

    /// The heuristics for the algorithms that take one; all of the puzzle's that need no parameter if absent.
    /// Give the option again for each that has commas of its own
    #[arg(long, short = 'H', value_name = "H,…")]
    pub heuristics: Vec<String>,

    /// How often each run is done, for the mean and spread of its time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Wall-clock time of each run
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = cli::duration)]
    pub time_limit: Duration,

    /// Memory of each run's process
    #[arg(long, value_name = "BYTES", default_value = "1GiB", value_parser = cli::bytes)]
    pub memory_limit: u64,

    /// Expansions of each run
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,

    /// Actions in a path, for dls without a limit of its own
    #[arg(long, value_name = "N")]
    pub depth_limit: Option<u32>,

    /// The order in which actions are tried, in the puzzle's own words
    #[arg(long, value_name = "ORDER")]
    pub order: Option<String>,

    /// Try the actions of each state in a random order, fixed by this seed
    #[arg(long, value_name = "SEED", conflicts_with = "order")]
    pub shuffle: Option<u64>,

    /// Threads of auto, tiles, idastar, astar, ucs and bfs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,

    /// What makes a row: method, algorithm, heuristic, instance, puzzle, size
    #[arg(long, value_name = "FIELD,…", default_value = "method", value_delimiter = ',')]
    pub by: Vec<String>,

    /// The columns of figures, by their names in CSV, such as cost,expanded; all if absent
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub columns: Vec<String>,

    /// Print CSV
    #[arg(long, conflicts_with_all = ["json", "markdown", "latex"])]
    pub csv: bool,

    /// Print one JSON object a row
    #[arg(long, conflicts_with_all = ["markdown", "latex"])]
    pub json: bool,

    /// Print a Markdown table
    #[arg(long, conflicts_with = "latex")]
    pub markdown: bool,

    /// Print a LaTeX table
    #[arg(long)]
    pub latex: bool,

    /// Draw the mean times into a file
    #[cfg(feature = "plots")]
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write a page with tables and plots into a file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Runs every sensible combination and prints one table.
pub fn run(options: &Compare) -> Result<Code, UserError> {
    let by = fields(&options.by, &BTreeSet::new())?;
    let tasks = plan(options)?;
    tell_without_effect(options, &tasks);
    let mut done = Vec::new();
    runs::run(&tasks, 1, |run| {
        done.push(run);
        Ok(())
    })?;
    let interrupted = interrupt::requested();
    if interrupted {
        crate::tell::line(format_args!(
            "novelo: interrupted; {} of {} runs were done",
            done.len(),
            tasks.len()
        ));
        if done.is_empty() {
            return Ok(Code::Interrupted);
        }
    }
    let (runs, refused): (Vec<_>, Vec<_>) = done.into_iter().partition(|run| run.outcome != Ending::Refused);
    // Of all algorithms there are, those that do not apply are not missed.
    if !options.algorithms.is_empty() {
        tell_refused(&refused);
    }
    let summaries = summarise(&runs, &by);
    let mut table = table::of_summaries(&summaries, &by);
    if !options.columns.is_empty() {
        table = table.with_columns(&options.columns).map_err(UserError::new)?;
    }
    print(&written(&table, options))?;
    #[cfg(feature = "plots")]
    if let Some(path) = &options.svg {
        write_file(path, plots::bars(&summaries, Measure::Seconds).svg().as_bytes())?;
    }
    if let Some(path) = &options.html {
        let mut report = Report::new(&[], &runs, by);
        report.title = "Comparison".into();
        write_file(path, report.html().as_bytes())?;
    }
    Ok(if interrupted { Code::Interrupted } else { Code::Success })
}

/// The fields of `--by`: those of every run, and the parameters that were swept.
pub fn fields(names: &[String], swept: &BTreeSet<&str>) -> Result<Vec<Field>, UserError> {
    let field = |name: &String| match Field::from_str(name).map_err(UserError::new)? {
        Field::Parameter(name) if !swept.contains(name.as_str()) => {
            let usual = ["method", "algorithm", "heuristic", "instance", "puzzle", "size"];
            let known: Vec<_> = usual.into_iter().chain(swept.iter().copied()).collect();
            Err(UserError::new(match nearest(&name, known.iter().copied()) {
                Some(near) => format!("there is no field '{name}'; did you mean '{near}'?"),
                None => format!("there is no field '{name}'; there are {}", known.join(", ")),
            }))
        }
        field => Ok(field),
    };
    names.iter().map(field).collect()
}

fn plan(options: &Compare) -> Result<Vec<Task>, UserError> {
    let subjects = subjects(options)?;
    let puzzles = puzzles_of(&subjects);
    let named = names(&options.algorithms);
    let mut algorithms =
        plan::algorithms(&named, options.depth_limit).map_err(|error| UserError::new(error.to_string()))?;
    let given = names(&options.heuristics);
    let base = Method {
        depth_limit: options.depth_limit,
        order: options.order.clone(),
        shuffle: options.shuffle,
        ..Method::default()
    };
    // Those that need a heuristic get one that is looked at below.
    let check = |algorithm: &Choice| {
        plan::check_method(&Method { algorithm: algorithm.to_string(), ..base.clone() }, &puzzles)
    };
    if named.is_empty() {
        check(&Choice::Auto)?;
        algorithms.retain(|algorithm| check(algorithm).is_ok());
    } else {
        for algorithm in &algorithms {
            match check(algorithm) {
                // What cannot be run backwards is left out of the table, and said so.
                Err(RequestError::CannotRun(CannotRun::NeedsReversible(_))) => {}
                result => result?,
            }
        }
    }
    let limits = Limits {
        time_limit_ms: Some(novelo_lab::milliseconds(options.time_limit)),
        memory_limit: Some(options.memory_limit),
        node_limit: options.node_limit,
    };
    let mut tasks = Vec::new();
    for subject in subjects {
        let puzzle = puzzle_of(&subject);
        let heuristics = if given.is_empty() { plan::usual_heuristics(puzzle) } else { given.clone() };
        for heuristic in &heuristics {
            let spec = heuristic.parse().map_err(|error: ParameterError| RequestError::from(error))?;
            checked_heuristic(&spec, puzzle)?;
        }
        let plan = Plan {
            subjects: vec![subject],
            methods: plan::combinations(&algorithms, &heuristics, !given.is_empty(), &base),
            repeats: options.repeat,
            limits,
            threads: Some(options.threads),
        };
        tasks.extend(plan.tasks());
    }
    Ok(tasks)
}

/// The instances, each with a name of its own: equal boards of two files are two.
fn subjects(options: &Compare) -> Result<Vec<Subject>, UserError> {
    let mut subjects = Vec::new();
    for argument in &options.instances {
        let reading = &options.reading;
        let read = source::read(argument, reading.puzzle, reading.goal.as_deref())?;
        subjects.extend(read.into_iter().map(|named| Subject::new(named.name, &*named.instance)));
    }
    plan::tell_apart(&mut subjects);
    Ok(subjects)
}

fn puzzle_of(subject: &Subject) -> &'static dyn Puzzle {
    novelo_puzzles::puzzle(subject.puzzle()).expect("an id begins with its puzzle")
}

/// The puzzles of some instances, each once.
fn puzzles_of(subjects: &[Subject]) -> Vec<&'static dyn Puzzle> {
    let mut puzzles: Vec<&'static dyn Puzzle> = Vec::new();
    for puzzle in subjects.iter().map(puzzle_of) {
        if !puzzles.iter().any(|known| known.info().name == puzzle.info().name) {
            puzzles.push(puzzle);
        }
    }
    puzzles
}

/// A comma separates names, unless what follows it can only be a parameter of the one before.
fn names(given: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for part in given.iter().flat_map(|text| text.split(',')) {
        let parameter = !part.starts_with(|first: char| first.is_ascii_alphabetic()) || part.contains('=');
        match all.last_mut() {
            Some(last) if parameter && last.contains(':') && !part.contains(':') => {
                last.push(',');
                last.push_str(part);
            }
            _ => all.push(part.trim().to_owned()),
        }
    }
    all
}

fn written(table: &Table, options: &Compare) -> String {
    if options.csv {
        return table.csv();
    }
    if options.json {
        let rows: Vec<_> = table.json().iter().map(ToString::to_string).collect();
        return rows.join("\n") + "\n";
    }
    if options.markdown {
        return table.markdown();
    }
    if options.latex {
        return table.latex();
    }
    let terminal = std::io::stdout().is_terminal();
    table.text(if terminal { textwrap::termwidth() } else { WIDE }, terminal)
}

/// Says which options have no effect on any of the runs.
fn tell_without_effect(options: &Compare, tasks: &[Task]) {
    let note = |option: &str, reason: &str| {
        crate::tell::line(format_args!("novelo: note: {option} has no effect: no algorithm here {reason}"));
    };
    let methods = || tasks.iter().map(|task| &task.method);
    if !options.heuristics.is_empty() && methods().all(|method| method.heuristic.is_none()) {
        note("--heuristics", "uses a heuristic");
    }
    if options.depth_limit.is_some() && methods().all(|method| method.depth_limit.is_none()) {
        note("--depth-limit", "takes its limit from it");
    }
    let uses_threads = |choice: Choice| match choice {
        Choice::Auto => true,
        Choice::Method(method) => method.uses_threads(),
    };
    let mut algorithms = methods().filter_map(|method| method.algorithm.parse::<Choice>().ok());
    if options.threads > 1 && !algorithms.any(uses_threads) {
        note("--threads", "runs on more than one");
    }
}

/// A method that does not apply to a puzzle is left out, and said so once.
fn tell_refused(refused: &[Run]) {
    let mut told = BTreeSet::new();
    for run in refused {
        let reason = run.reason.as_deref().unwrap_or("it was refused");
        let line = format!("novelo: {} is left out: {reason}", run.task.method.label());
        if told.insert(line.clone()) {
            let options = textwrap::Options::new(textwrap::termwidth()).subsequent_indent("  ");
            crate::tell::line(textwrap::fill(&line, options));
        }
    }
}
