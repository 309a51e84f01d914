//! `novelo experiment`

use std::collections::HashSet;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};
use novelo_lab::experiment::{self, ExperimentError};
use novelo_lab::results::{self, Header, Results};
use novelo_lab::{Task, machine};

use super::print;
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{interrupt, runs};

const EXAMPLES: &str = "\
Examples:
  novelo experiment run experiments/eight-puzzle.toml
  novelo report eight-puzzle.ndjson --html eight-puzzle.html
  novelo experiment run big.toml --shard 3/10
  novelo experiment merge big.ndjson big.*-of-10.ndjson

Every run that is over is in the results file at once. Started again, an experiment goes on where it stopped.";

/// Options of `experiment`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Experiment {
    #[command(subcommand)]
    pub command: ExperimentCommand,
}

/// What to do with experiments.
#[derive(Debug, Subcommand)]
pub enum ExperimentCommand {
    /// Do the runs of an experiment that are not yet done
    Run(ExperimentRun),
    /// Join results files of the same experiment into one
    Merge {
        /// The file to write
        into: PathBuf,
        /// The files to join
        #[arg(required = true)]
        parts: Vec<PathBuf>,
    },
}

/// Options of `experiment run`.
#[derive(Debug, Args)]
pub struct ExperimentRun {
    /// The experiment, a TOML file
    pub file: PathBuf,

    /// The results file; the experiment's name with .ndjson, in this folder, if absent
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Runs at the same time; each should have a core to itself
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,

    /// Go on where an earlier start stopped (this is what happens anyway)
    #[arg(long, conflicts_with = "fresh")]
    pub resume: bool,

    /// Do all runs, and put them in place of those in the results file
    #[arg(long)]
    pub fresh: bool,

    /// Do only the k-th of n equal parts
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,

    /// Print the runs that would be done, one a line, and do none
    #[arg(long)]
    pub dry_run: bool,
}

/// A part of a plan, `k/n`.
#[derive(Debug, Clone, Copy)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(format!("'{text}' is no part; write k/n with k from 1 to n, such as 3/10")),
        }
    }
}

/// Runs or merges.
pub fn run(options: &Experiment) -> Result<Code, UserError> {
    match &options.command {
        ExperimentCommand::Run(options) => start(options),
        ExperimentCommand::Merge { into, parts } => {
            let runs = results::merge(into, parts).map_err(|error| UserError::new(error.to_string()))?;
            print(&format!("{}: {runs} runs of {} files\n", into.display(), parts.len()))?;
            Ok(Code::Success)
        }
    }
}

fn start(options: &ExperimentRun) -> Result<Code, UserError> {
    let experiment = match experiment::read(&options.file, interrupt::flag()) {
        Ok(experiment) => experiment,
        Err(ExperimentError::Interrupted) => return Ok(Code::Interrupted),
        Err(error) => return Err(user_error(error)),
    };
    let tasks = match options.shard {
        Some(Shard { number, of }) => experiment::shard(experiment.tasks, number, of),
        None => experiment.tasks,
    };
    if options.dry_run {
        return list(&tasks);
    }
    let jobs = usize::from(options.jobs);
    if jobs > machine::cores() {
        crate::tell::line(format_args!(
            "novelo: {jobs} runs at a time on {} cores: they will wait for each other, and times mean little",
            machine::cores()
        ));
    }
    let path = output(options);
    if options.fresh && path.exists() {
        std::fs::remove_file(&path)
            .map_err(|error| UserError::new(format!("cannot remove {}: {error}", path.display())))?;
    }
    let header = Header {
        experiment: experiment.title,
        text: experiment.text,
        version: env!("CARGO_PKG_VERSION").into(),
        commit: machine::COMMIT.map(str::to_owned),
        machine: machine::describe(),
        jobs,
        shard: options.shard.map(|Shard { number, of }| format!("{number}/{of}")),
    };
    let wrong = |error: results::ResultsError| UserError::new(error.to_string());
    let (mut file, contents) = Results::open(&path, &header).map_err(wrong)?;
    let done: HashSet<Task> = contents.runs.into_iter().map(|run| run.task).collect();
    let left: Vec<Task> = tasks.iter().filter(|task| !done.contains(*task)).cloned().collect();
    let before = tasks.len() - left.len();
    runs::run(&left, jobs, |run| file.append(&run).map_err(wrong))?;
    file.flush().map_err(wrong)?;
    if interrupt::requested() {
        crate::tell::line("novelo: interrupted; the same command goes on where it stopped");
        return Ok(Code::Interrupted);
    }
    let earlier = if before > 0 { format!(", {before} of them earlier") } else { String::new() };
    print(&format!("{}: {} runs{earlier}\n", path.display(), tasks.len()))?;
    Ok(Code::Success)
}

fn list(tasks: &[Task]) -> Result<Code, UserError> {
    let line = |task: &Task| format!("{}  {}  #{}\n", task.subject.name, task.method.label(), task.repeat);
    print(&tasks.iter().map(line).collect::<String>())?;
    Ok(Code::Success)
}

fn output(options: &ExperimentRun) -> PathBuf {
    options.output.clone().unwrap_or_else(|| {
        let name = options.file.file_stem().unwrap_or_default().to_string_lossy();
        match options.shard {
            Some(Shard { number, of }) => format!("{name}.{number}-of-{of}.ndjson").into(),
            None => format!("{name}.ndjson").into(),
        }
    })
}

fn user_error(error: ExperimentError) -> UserError {
    match error {
        ExperimentError::File { path, text, error } => {
            UserError::in_text(*error, &path.display().to_string(), &text)
        }
        error => UserError::new(error.to_string()),
    }
}
