//! Experiments: a file that says what to run, and the plan it makes.

mod file;
mod place;
mod sources;
mod sweep;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::atomic::AtomicBool;

use novelo_puzzles::{Choice, Instance, ParseError, Puzzle, checked_heuristic};
use novelo_search::parameter::Spec;

use crate::plan::{self, Plan};
use crate::task::{Limits, Method, Subject, Task, milliseconds};
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
        error: Box<ParseError>,
    },
    /// What an entry asks for is not there, or makes no sense.
    #[error("{}", .0.message)]
    Entry(Wrong),
    /// It would be more runs than can be laid out.
    #[error("this makes {0} runs; {MOST_RUNS} are the most of one experiment")]
    TooMany(u128),
    /// The caller cancelled.
    #[error("interrupted")]
    Interrupted,
}

/// The most runs of one experiment: they are laid out before the first begins.
pub const MOST_RUNS: usize = 1_000_000;
/// The most threads of a run.
const MOST_THREADS: usize = 1024;
/// The longest experiment file, in bytes.
const LONGEST_FILE: u64 = 1 << 20;

/// The text of a file that is not too long. A pipe or a device is no file to read.
fn text_of(path: &Path, longest: u64) -> std::io::Result<String> {
    use std::io::{Error, ErrorKind, Read as _};
    if !std::fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is no file"));
    }
    let mut text = String::new();
    std::fs::File::open(path)?.take(longest + 1).read_to_string(&mut text)?;
    if text.len() as u64 > longest {
        let message = format!("it is longer than {longest} bytes");
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}

/// What is wrong with an entry, and the word in it that is, where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// A sentence.
    pub message: String,
    /// As it is written in the file.
    pub word: Option<String>,
}

impl Wrong {
    fn about(word: &str, message: impl Into<String>) -> Self {
        Self { message: message.into(), word: Some(word.into()) }
    }
}

impl<T: Into<String>> From<T> for Wrong {
    fn from(message: T) -> Self {
        Self { message: message.into(), word: None }
    }
}

/// Reads an experiment: finds and makes its instances, and lays out all runs.
pub fn read(path: &Path, cancel: &AtomicBool) -> Result<Experiment, ExperimentError> {
    let fail = |source| ExperimentError::Read { path: path.into(), source };
    parse(&text_of(path, LONGEST_FILE).map_err(fail)?, path, cancel)
}

/// The same for the text of a file; files of instances are looked for beside `path`.
pub fn parse(text: &str, path: &Path, cancel: &AtomicBool) -> Result<Experiment, ExperimentError> {
    let in_file = |message: &str, span| {
        let error = Box::new(ParseError { span, ..ParseError::whole(message) });
        ExperimentError::File { path: path.into(), text: text.into(), error }
    };
    let wanted: Wanted = toml::from_str(text).map_err(|error| in_file(error.message(), error.span()))?;
    // Whatever is wrong is said before the first run, with its line.
    let located = |error, section, number| match error {
        ExperimentError::Entry(Wrong { message, word }) => {
            in_file(&message, place::of(text, section, number, word.as_deref()))
        }
        error => error,
    };
    if !(1..=MOST_THREADS).contains(&wanted.threads) {
        let message = format!("threads: 1 to {MOST_THREADS} are possible, not {}", wanted.threads);
        return Err(in_file(&message, place::of_key(text, "threads")));
    }
    if wanted.repeats == 0 {
        return Err(in_file("repeats must be 1 at least", place::of_key(text, "repeats")));
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut subjects = Vec::new();
    for (number, source) in wanted.instances.iter().enumerate() {
        let found = sources::subjects(source, folder, cancel);
        subjects.extend(found.map_err(|error| located(error, "instances", number))?);
    }
    if subjects.is_empty() {
        return Err(in_file("the file has no [[instances]]", None));
    }
    let mut seen = HashSet::new();
    subjects.retain(|subject: &Subject| seen.insert(subject.clone()));
    plan::tell_apart(&mut subjects);
    let puzzles: Vec<_> = {
        let names: BTreeSet<_> = subjects.iter().map(Subject::puzzle).collect();
        names.into_iter().filter_map(novelo_puzzles::puzzle).collect()
    };
    let board = |subject: &Subject| Some((subject.instance.clone(), subject.read().ok()?));
    let boards: BTreeMap<_, _> = subjects.iter().filter_map(board).collect();
    let mut methods = Vec::new();
    for (number, asked) in wanted.methods.iter().enumerate() {
        let combined = combinations(asked, &puzzles).and_then(|methods| {
            check_on_boards(&methods, &boards)?;
            Ok(methods)
        });
        let combined = combined.map_err(ExperimentError::Entry);
        methods.extend(combined.map_err(|error| located(error, "methods", number))?);
    }
    if methods.is_empty() {
        return Err(in_file("the file has no [[methods]]", None));
    }
    let limits = Limits {
        time_limit_ms: wanted.time_limit.map(milliseconds),
        memory_limit: wanted.memory_limit.map(|size| size.0),
        node_limit: wanted.node_limit,
    };
    let runs = subjects.len() as u128 * methods.len() as u128 * u128::from(wanted.repeats);
    if runs > MOST_RUNS as u128 {
        return Err(ExperimentError::TooMany(runs));
    }
    let plan = Plan { subjects, methods, repeats: wanted.repeats, limits, threads: Some(wanted.threads) };
    // The same run asked for twice is done once; a method is not asked of a puzzle that does not have it, nor of a board
    // that does not take its heuristic, where another of the experiment does.
    let mut tasks = plan.tasks();
    let mut seen = HashSet::new();
    let mut applies = HashMap::new();
    tasks.retain(|task| {
        let pair = (task.subject.puzzle().to_owned(), task.method.clone());
        let makes_sense = *applies.entry(pair).or_insert_with_key(|(puzzle, method)| {
            let puzzle: Vec<_> = novelo_puzzles::puzzle(puzzle).into_iter().collect();
            plan::check_method(method, &puzzle).is_ok()
        });
        let takes_heuristic = task.method.heuristic.as_ref().is_none_or(|heuristic| {
            let board = boards.get(&task.subject.instance).zip(heuristic.parse::<Spec>().ok());
            board.is_some_and(|(board, spec)| board.check_heuristic(&spec).is_ok())
        });
        makes_sense && takes_heuristic && seen.insert(task.clone())
    });
    Ok(Experiment { title: wanted.title, text: wanted.text.trim().into(), tasks })
}

/// All combinations that one entry asks for: algorithms, heuristics, and the values of swept parameters.
fn combinations(asked: &file::Methods, puzzles: &[&'static dyn Puzzle]) -> Result<Vec<Method>, Wrong> {
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
                let applied = values.apply(algorithm, parameters)?;
                let choice = applied.parse::<Choice>();
                let choice = choice.map_err(|error| Wrong::about(algorithm, error.to_string()))?;
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
        let message = format!(
            "sweep.{name} changes nothing: no algorithm or heuristic here has a parameter of this name that is not \
             given, and {{{name}}} is written nowhere"
        );
        return Err(Wrong::about(&format!("sweep.{name}"), message));
    }
    if asked.algorithms.is_empty() {
        // Of all that there are, those that do not apply are not missed, whatever else is right.
        let applies = |method: &Method| plan::check_method(method, puzzles).is_ok();
        if methods.iter().any(applies) {
            methods.retain(applies);
        }
    }
    if !asked.heuristics.is_empty() && methods.iter().all(|method| method.heuristic.is_none()) {
        return Err(Wrong::about("heuristics", "heuristics change nothing: no algorithm here takes one"));
    }
    for method in &methods {
        plan::check_method(method, puzzles)
            .map_err(|error| Wrong { word: culprit(method, asked, puzzles), message: error.to_string() })?;
    }
    Ok(methods)
}

/// Refuses a heuristic that no board takes, such as one with tables for a size that none of them has.
fn check_on_boards(methods: &[Method], boards: &BTreeMap<String, Box<dyn Instance>>) -> Result<(), Wrong> {
    for heuristic in methods.iter().filter_map(|method| method.heuristic.as_ref()) {
        let spec: Spec = heuristic.parse().map_err(|error| format!("{error}"))?;
        let knowing = boards.values().filter(|board| checked_heuristic(&spec, board.puzzle()).is_ok());
        let mut checked = knowing.map(|board| board.check_heuristic(&spec));
        if let Some(Err(error)) = checked.next_back()
            && !checked.any(|result| result.is_ok())
        {
            return Err(Wrong::about(&spec.name, error.to_string()));
        }
    }
    Ok(())
}

/// The word of an entry that a method which makes no sense owes it to: leaving it out, the rest does.
fn culprit(method: &Method, asked: &file::Methods, puzzles: &[&'static dyn Puzzle]) -> Option<String> {
    let sound = |method: Method| plan::check_method(&method, puzzles).is_ok();
    let name = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    let wrong_order = method.order.is_some() && sound(Method { order: None, ..method.clone() });
    let wrong_heuristic =
        method.heuristic.as_ref().filter(|_| sound(Method { heuristic: None, ..method.clone() }));
    match wrong_heuristic {
        _ if wrong_order => asked.order.clone(),
        Some(heuristic) => Some(name(heuristic)),
        None => Some(name(&method.algorithm)),
    }
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
