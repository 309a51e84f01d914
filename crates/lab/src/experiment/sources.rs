//! Where the instances of an experiment come from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use novelo_puzzles::{GenerateRequest, Puzzle, RequestError, input};

use super::file::Source;
use super::{ExperimentError, MOST_RUNS, Wrong, text_of};
use crate::task::Subject;

/// The most files and folders that a pattern may match.
const MOST_MATCHES: usize = 100_000;
/// The longest file of instances, in bytes.
const LONGEST_FILE: u64 = 64 << 20;

/// Refuses more instances than there may be runs.
fn few_enough(instances: usize) -> Result<(), ExperimentError> {
    if instances <= MOST_RUNS { Ok(()) } else { Err(ExperimentError::TooMany(instances as u128)) }
}

/// The instances that an entry asks for.
pub(super) fn subjects(
    source: &Source,
    folder: &Path,
    cancel: &AtomicBool,
) -> Result<Vec<Subject>, ExperimentError> {
    match &source.generate {
        Some(name) => generated(source, puzzle(name)?, cancel),
        None => read(source, folder, cancel),
    }
}

/// The folders where files are looked for, given that of the experiment: itself, where `NOVELO_INSTANCES` points, a
/// shared collection beside the project, the project's own; then, for an experiment that was copied out of the project,
/// `instances` in this folder and in those above the program.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let given = std::env::var_os("NOVELO_INSTANCES").filter(|it| !it.is_empty()).map(PathBuf::from);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let beside = [folder.join("../../shared/instances"), folder.join("../instances"), "instances".into()];
    let program = std::env::current_exe().unwrap_or_default();
    let above = program.ancestors().skip(1).map(|folder| folder.join("instances"));
    let all = std::iter::once(folder.to_owned()).chain(given).chain(beside).chain(above);
    all.filter(|folder| folder.is_dir()).collect()
}

/// An entry that is wrong because of a word in it.
fn wrong(word: &str, message: impl Into<String>) -> ExperimentError {
    ExperimentError::Entry(Wrong::about(word, message))
}

fn puzzle(name: &str) -> Result<&'static dyn Puzzle, ExperimentError> {
    novelo_puzzles::puzzle(name).ok_or_else(|| wrong(name, format!("there is no puzzle '{name}'")))
}

fn read(source: &Source, folder: &Path, cancel: &AtomicBool) -> Result<Vec<Subject>, ExperimentError> {
    if let Some(name) = source.options.keys().next() {
        return Err(wrong(name, format!("{name} means nothing without generate = \"PUZZLE\"")));
    }
    let folders = folders(folder);
    let files = find(&source.files, &folders, cancel)?;
    if files.is_empty() {
        if let Some(otherwise) = &source.otherwise {
            return subjects(otherwise, folder, cancel);
        }
        let looked: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let names = source.files.join(", ");
        let message = format!(
            "none of {names} is in {}; set NOVELO_INSTANCES to the folder that has it, such as novelo's own folder \
             instances",
            looked.join(", ")
        );
        return Err(ExperimentError::Entry(Wrong { word: source.files.first().cloned(), message }));
    }
    let mut subjects = Vec::new();
    let mut missed: BTreeSet<&str> = source.pick.iter().map(String::as_str).collect();
    for path in &files {
        if cancel.load(Ordering::Relaxed) {
            return Err(ExperimentError::Interrupted);
        }
        subjects.extend(of_file(path, source, &mut missed)?);
        few_enough(subjects.len())?;
    }
    if let Some(missed) = missed.first() {
        let names = source.files.join(", ");
        return Err(wrong(missed, format!("{names} has no instance called {missed}")));
    }
    if subjects.is_empty() {
        let names = source.files.join(", ");
        return Err(ExperimentError::Entry(format!("{names} has no instance in it").into()));
    }
    Ok(subjects)
}

/// The files of some names and patterns; each from the first folder that has any.
fn find(names: &[String], folders: &[PathBuf], cancel: &AtomicBool) -> Result<Vec<PathBuf>, ExperimentError> {
    let mut found = Vec::new();
    for name in names {
        for folder in folders {
            let pattern = folder.join(name);
            let no_pattern = |error| wrong(name, format!("'{name}' is no pattern: {error}"));
            let mut matches = Vec::new();
            for (seen, path) in glob::glob(&pattern.to_string_lossy()).map_err(no_pattern)?.enumerate() {
                if cancel.load(Ordering::Relaxed) {
                    return Err(ExperimentError::Interrupted);
                }
                if seen == MOST_MATCHES {
                    let many = format!("'{name}' matches more than {MOST_MATCHES} files and folders");
                    return Err(wrong(name, many));
                }
                matches.extend(path.ok().filter(|path| path.is_file()));
            }
            matches.sort();
            if !matches.is_empty() {
                found.extend(matches);
                break;
            }
        }
    }
    Ok(found)
}

/// The instances of a file that are wanted; those that were found are taken out of `missed`.
fn of_file(
    path: &Path,
    source: &Source,
    missed: &mut BTreeSet<&str>,
) -> Result<Vec<Subject>, ExperimentError> {
    let fail = |source| ExperimentError::Read { path: path.into(), source };
    let text = text_of(path, LONGEST_FILE).map_err(fail)?;
    let known = source.puzzle.as_deref().map(puzzle).transpose()?;
    let mut instances = input::read(&text, known, source.goal.as_deref()).map_err(|error| {
        ExperimentError::File { path: path.into(), text: text.clone(), error: Box::new(error) }
    })?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    input::name_after(&stem, &mut instances);
    let mut wanted = |number: usize, name: Option<&str>| {
        let number = (number + 1).to_string();
        let picked = source.pick.iter().filter(|it| Some(it.as_str()) == name || **it == number);
        let found = picked.map(|it| missed.remove(it.as_str())).count();
        source.pick.is_empty() || found > 0
    };
    let named = instances.into_iter().enumerate();
    let named = named.filter(|(i, named)| wanted(*i, named.name.as_deref()));
    Ok(named.map(|(_, named)| Subject::new(named.name, &*named.instance)).collect())
}

/// The value of an option as it would be written on a command line.
fn written(name: &str, value: &toml::Value) -> Result<String, ExperimentError> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        toml::Value::Boolean(flag) => Ok(flag.to_string()),
        _ => Err(wrong(name, format!("{name} is no number, text, true or false"))),
    }
}

fn generated(
    source: &Source,
    puzzle: &'static dyn Puzzle,
    cancel: &AtomicBool,
) -> Result<Vec<Subject>, ExperimentError> {
    let size = source.size.as_deref().map(str::parse).transpose();
    let size = size.map_err(|message: String| wrong("size", message))?;
    let request = GenerateRequest {
        size,
        seed: source.seed.unwrap_or(1),
        difficulty: source.difficulty.clone(),
        ..GenerateRequest::default()
    };
    let mut options = Vec::new();
    for (name, value) in &source.options {
        options.push((name.as_str(), written(name, value)?));
    }
    options.extend(source.goal.clone().map(|goal| ("goal", goal)));
    let request = request.with(puzzle, options);
    let refused = |error: RequestError| ExperimentError::Entry(error.to_string().into());
    let request = request.map_err(refused)?;
    let label = size.map_or(puzzle.info().name.to_owned(), |size| size.to_string());
    let label = request.options.text("moves").map_or(label.clone(), |moves| format!("{label} at {moves}"));
    let count = source.count.unwrap_or(1);
    few_enough(usize::try_from(count).unwrap_or(usize::MAX))?;
    (0..count)
        .map(|number| match puzzle.generate(&request, number, cancel) {
            _ if cancel.load(Ordering::Relaxed) => Err(ExperimentError::Interrupted),
            Ok(instance) => Ok(Subject::new(Some(format!("{label} #{}", number + 1)), &*instance)),
            Err(RequestError::Interrupted) => Err(ExperimentError::Interrupted),
            Err(error) => Err(refused(error)),
        })
        .collect()
}
