//! Where the instances of an experiment come from.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use novelo_puzzles::{GenerateRequest, Puzzle, RequestError, input};

use super::ExperimentError;
use super::file::Source;
use crate::task::Subject;

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
/// shared collection beside the project, the project's own.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let given = std::env::var_os("NOVELO_INSTANCES").map(PathBuf::from);
    let beside = [folder.join("../../shared/instances"), folder.join("../instances")];
    std::iter::once(folder.to_owned()).chain(given).chain(beside).collect()
}

fn puzzle(name: &str) -> Result<&'static dyn Puzzle, ExperimentError> {
    novelo_puzzles::puzzle(name)
        .ok_or_else(|| ExperimentError::Instances(format!("there is no puzzle '{name}'")))
}

fn read(source: &Source, folder: &Path, cancel: &AtomicBool) -> Result<Vec<Subject>, ExperimentError> {
    if let Some(name) = source.options.keys().next() {
        let message = format!("{name} means nothing without generate = \"PUZZLE\"");
        return Err(ExperimentError::Instances(message));
    }
    let folders = folders(folder);
    let files = find(&source.files, &folders)?;
    if files.is_empty() {
        if let Some(otherwise) = &source.otherwise {
            return subjects(otherwise, folder, cancel);
        }
        let looked: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let names = source.files.join(", ");
        return Err(ExperimentError::Instances(format!("none of {names} in {}", looked.join(", "))));
    }
    let mut subjects = Vec::new();
    for path in &files {
        subjects.extend(of_file(path, source)?);
    }
    if subjects.is_empty() {
        let (names, picked) = (source.files.join(", "), source.pick.join(", "));
        return Err(ExperimentError::Instances(format!("{names} has no instance called {picked}")));
    }
    Ok(subjects)
}

/// The files of some names and patterns; each from the first folder that has any.
fn find(names: &[String], folders: &[PathBuf]) -> Result<Vec<PathBuf>, ExperimentError> {
    let mut found = Vec::new();
    for name in names {
        for folder in folders {
            let pattern = folder.join(name);
            let wrong = |error| ExperimentError::Instances(format!("'{name}' is no pattern: {error}"));
            let matches = glob::glob(&pattern.to_string_lossy()).map_err(wrong)?;
            let mut matches: Vec<_> = matches.filter_map(Result::ok).filter(|path| path.is_file()).collect();
            matches.sort();
            if !matches.is_empty() {
                found.extend(matches);
                break;
            }
        }
    }
    Ok(found)
}

fn of_file(path: &Path, source: &Source) -> Result<Vec<Subject>, ExperimentError> {
    let fail = |source| ExperimentError::Read { path: path.into(), source };
    let text = std::fs::read_to_string(path).map_err(fail)?;
    let known = source.puzzle.as_deref().map(puzzle).transpose()?;
    let instances = input::read(&text, known, source.goal.as_deref())
        .map_err(|error| ExperimentError::File { path: path.into(), text: text.clone(), error })?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let alone = instances.len() == 1;
    let wanted = |number: usize, name: Option<&str>| {
        let number = (number + 1).to_string();
        source.pick.is_empty() || source.pick.iter().any(|it| Some(it.as_str()) == name || *it == number)
    };
    let named = instances.into_iter().enumerate();
    let named = named.filter(|(i, named)| wanted(*i, named.name.as_deref()));
    Ok(named
        .map(|(i, named)| {
            let name =
                named.name.unwrap_or_else(|| if alone { stem.clone() } else { format!("{stem}#{}", i + 1) });
            Subject::new(Some(name), &*named.instance)
        })
        .collect())
}

/// The value of an option as it would be written on a command line.
fn written(name: &str, value: &toml::Value) -> Result<String, ExperimentError> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        toml::Value::Boolean(flag) => Ok(flag.to_string()),
        _ => Err(ExperimentError::Instances(format!("{name} is no number, text, true or false"))),
    }
}

fn generated(
    source: &Source,
    puzzle: &'static dyn Puzzle,
    cancel: &AtomicBool,
) -> Result<Vec<Subject>, ExperimentError> {
    let size = source.size.as_deref().map(str::parse).transpose().map_err(ExperimentError::Instances)?;
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
    let request = request.map_err(|error| ExperimentError::Instances(error.to_string()))?;
    let label = size.map_or(puzzle.info().name.to_owned(), |size| size.to_string());
    let label = request.options.text("moves").map_or(label.clone(), |moves| format!("{label} at {moves}"));
    (0..source.count.unwrap_or(1))
        .map(|number| match puzzle.generate(&request, number, cancel) {
            Ok(instance) => Ok(Subject::new(Some(format!("{label} #{}", number + 1)), &*instance)),
            Err(RequestError::Interrupted) => Err(ExperimentError::Interrupted),
            Err(error) => Err(ExperimentError::Instances(error.to_string())),
        })
        .collect()
}
