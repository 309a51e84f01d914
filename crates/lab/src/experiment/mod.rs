//! Experiments: a file that says what to run, and the plan it makes.

mod file;
mod sources;
mod sweep;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::atomic::AtomicBool;

use novelo_puzzles::{Choice, ParseError, Puzzle};
use novelo_search::parameter::Spec;

use crate::plan::{self, Plan};
use crate::task::{Limits, Method, Subject, Task};
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
    let puzzles: Vec<_> = {
        let names: BTreeSet<_> = subjects.iter().map(Subject::puzzle).collect();
        names.into_iter().filter_map(novelo_puzzles::puzzle).collect()
    };
    let mut methods = Vec::new();
    for asked in &wanted.methods {
        methods.extend(combinations(asked, &puzzles).map_err(ExperimentError::Method)?);
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
fn combinations(asked: &file::Methods, puzzles: &[&'static dyn Puzzle]) -> Result<Vec<Method>, String> {
    let all =
        || plan::algorithms(&[], asked.depth_limit).map(|all| all.iter().map(Choice::to_string).collect());
    let algorithms: Vec<String> = if asked.algorithms.is_empty() {
        all().map_err(|error| error.to_string())?
    } else {
        asked.algorithms.clone()
    };
    let mut methods = Vec::new();
    let mut used = BTreeSet::new();
    for values in sweep::grid(&asked.sweep)? {
        for algorithm in &algorithms {
            for heuristic in heuristics_for(algorithm, asked) {
                let mut values = Swept { values: &values, used: BTreeMap::new() };
                let parameters = |name: &str| Choice::parameters_of(name).iter().map(|it| it.name).collect();
                let algorithm = values.apply(algorithm, parameters)?;
                let choice: Choice = algorithm.parse().map_err(|error| format!("{error}"))?;
                let heuristic = match heuristic {
                    Some(text) if plan::needs_heuristic(choice) => {
                        Some(values.apply(text, |name| parameters_of_heuristic(name, puzzles))?)
                    }
                    _ => None,
                };
                let order = asked.order.as_ref().map(|text| values.fill(text)).transpose()?;
                used.extend(values.used.keys().cloned());
                let base = Method {
                    order,
                    shuffle: asked.shuffle,
                    depth_limit: asked.depth_limit,
                    parameters: values.used,
                    ..Method::default()
                };
                let heuristics: Vec<_> = heuristic.into_iter().collect();
                methods.extend(plan::combinations(&[choice], &heuristics, true, &base));
            }
        }
    }
    if let Some(name) = asked.sweep.keys().find(|name| !used.contains(*name)) {
        return Err(format!(
            "sweep.{name} changes nothing: no algorithm or heuristic here has a parameter of this name that is not \
             given, and {{{name}}} is written nowhere"
        ));
    }
    for method in &methods {
        plan::check_method(method, puzzles).map_err(|error| error.to_string())?;
    }
    Ok(methods)
}

/// The heuristics to combine an algorithm with; none where there are none or none is needed.
fn heuristics_for<'a>(algorithm: &str, asked: &'a file::Methods) -> Vec<Option<&'a String>> {
    let name = algorithm.split(':').next().unwrap_or_default();
    let guided = Choice::from_str(name).is_ok_and(plan::needs_heuristic);
    if guided && !asked.heuristics.is_empty() {
        asked.heuristics.iter().map(Some).collect()
    } else {
        vec![None]
    }
}

fn parameters_of_heuristic(name: &str, puzzles: &[&'static dyn Puzzle]) -> Vec<&'static str> {
    let infos = puzzles.iter().flat_map(|puzzle| puzzle.heuristics()).filter(|info| info.name == name);
    infos.flat_map(|info| info.parameters).map(|parameter| parameter.name).collect()
}

/// One value for each swept name, and those of them that a method makes use of.
struct Swept<'v> {
    values: &'v BTreeMap<String, String>,
    used: BTreeMap<String, String>,
}

impl Swept<'_> {
    /// Puts the values in place of `{name}`.
    fn fill(&mut self, text: &str) -> Result<String, String> {
        let named = self.values.iter().filter(|(name, _)| text.contains(&format!("{{{name}}}")));
        self.used.extend(named.map(|(name, value)| (name.clone(), value.clone())));
        sweep::fill(text, self.values)
    }

    /// Does that in a name with parameters, and gives it the values of those that it declares and is not given.
    fn apply(&mut self, text: &str, declared: impl Fn(&str) -> Vec<&'static str>) -> Result<String, String> {
        let mut spec: Spec = self.fill(text)?.parse().map_err(|error| format!("{error}"))?;
        let declared = declared(&spec.name);
        // A bare value is that of the first parameter.
        let bare = spec.given.iter().any(|(key, _)| key.is_empty());
        for (name, value) in self.values {
            let place = declared.iter().position(|known| known == name);
            if place.is_some_and(|place| !(spec.gives(name) || bare && place == 0)) {
                spec.given.push((name.clone(), value.clone()));
                self.used.insert(name.clone(), value.clone());
            }
        }
        Ok(spec.to_string())
    }
}

/// The part `number` of `of` of a plan, from 1: every `of`-th run.
pub fn shard(tasks: Vec<Task>, number: usize, of: usize) -> Vec<Task> {
    tasks.into_iter().skip(number - 1).step_by(of).collect()
}
