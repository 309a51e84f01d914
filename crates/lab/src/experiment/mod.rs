//! Experiments: a file that says what to run, and the plan it makes.

mod file;
mod sources;
mod sweep;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use novelo_puzzles::ParseError;

use crate::plan::{self, Plan};
use crate::task::{Limits, Method, Task};
use file::Wanted;

/// An experiment that was read and made sense of.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Its title.
    pub title: String,
    /// What it shows.
    pub text: String,
    /// The runs.
    pub tasks: Vec<Task>,
}

/// Why an experiment cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not an experiment.
    #[error("{} is not an experiment: {}", path.display(), error.message)]
    File {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// What is wrong, and where in the text.
        error: ParseError,
    },
    /// None of the instances asked for is there.
    #[error("no instances: {0}")]
    Instances(String),
    /// A method makes no sense.
    #[error("[[methods]]: {0}")]
    Method(String),
    /// The caller cancelled.
    #[error("interrupted")]
    Interrupted,
}

/// Reads an experiment: finds and makes its instances, and lays out all runs.
pub fn read(path: &Path, cancel: &AtomicBool) -> Result<Experiment, ExperimentError> {
    let fail = |source| ExperimentError::Read { path: path.into(), source };
    let text = std::fs::read_to_string(path).map_err(fail)?;
    let wanted: Wanted = toml::from_str(&text).map_err(|error| {
        let error = ParseError { message: error.message().into(), span: error.span(), help: None };
        ExperimentError::File { path: path.into(), text, error }
    })?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut subjects = Vec::new();
    for source in &wanted.instances {
        subjects.extend(sources::subjects(source, folder, cancel)?);
    }
    if subjects.is_empty() {
        return Err(ExperimentError::Instances("the file has no [[instances]]".into()));
    }
    let mut methods = Vec::new();
    for asked in &wanted.methods {
        methods.extend(combinations(asked).map_err(ExperimentError::Method)?);
    }
    if methods.is_empty() {
        return Err(ExperimentError::Method("the file has none".into()));
    }
    let limits = Limits {
        time_limit_ms: wanted.time_limit.map(|time| time.as_millis() as u64),
        memory_limit: wanted.memory_limit.map(|size| size.0),
        node_limit: wanted.node_limit,
    };
    let plan = Plan { subjects, methods, repeats: wanted.repeats, limits, threads: Some(wanted.threads) };
    // The same run asked for twice is done once.
    let mut tasks = plan.tasks();
    let mut seen = HashSet::new();
    tasks.retain(|task| seen.insert(task.clone()));
    Ok(Experiment { title: wanted.title, text: wanted.text.trim().into(), tasks })
}

/// All combinations that one entry asks for: algorithms, heuristics, and the values of swept parameters.
fn combinations(asked: &file::Methods) -> Result<Vec<Method>, String> {
    let algorithms = plan::algorithms(&asked.algorithms, asked.depth_limit)?;
    let mut methods = Vec::new();
    for values in sweep::grid(&asked.sweep)? {
        let filled = |text: &String| sweep::fill(text, &values);
        let heuristics = asked.heuristics.iter().map(filled).collect::<Result<Vec<_>, _>>()?;
        let base = Method {
            weight: asked.weight.as_ref().map(filled).transpose()?,
            order: asked.order.as_ref().map(filled).transpose()?,
            shuffle: asked.shuffle,
            depth_limit: asked.depth_limit,
            parameters: values.clone(),
            ..Method::default()
        };
        methods.extend(plan::combinations(&algorithms, &heuristics, &base));
    }
    Ok(methods)
}

/// The part `number` of `of` of a plan, from 1: every `of`-th run.
pub fn shard(tasks: Vec<Task>, number: usize, of: usize) -> Vec<Task> {
    tasks.into_iter().skip(number - 1).step_by(of).collect()
}
