//! The lab: comparisons, experiments, their tables and plots, and audits.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::Command;
use std::str::FromStr as _;
use std::sync::Mutex;

use novelo_lab::audit::{Question, audit as look};
use novelo_lab::experiment::{self, ExperimentError};
use novelo_lab::plan::{self, Plan};
use novelo_lab::pool::{self, Event, PoolError};
use novelo_lab::report::Report;
use novelo_lab::results::{Header, Results, ResultsError};
use novelo_lab::summary::Field;
use novelo_lab::{Ending, Environment, Limits, Method, Run, Subject, Task, machine, milliseconds, worker};
use novelo_puzzles::{Choice, Puzzle, RequestError, checked_heuristic};
use novelo_search::{CannotRun, Control};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use serde_json::json;

use crate::json::plain;
use crate::options::{Memory, Time, environment, wrong};
use crate::puzzles::{puzzle, refused};
use crate::watch::{Watch, Watched, beside, beside_with, lock};

/// What a process may hold beside what its search counts: the interpreter, and what the allocator does not give back.
const UNCOUNTED: usize = 64 << 20;

/// What is compared: the keys of a dictionary.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Comparison {
    /// Names, if there are any, and ids.
    instances: Vec<(Option<String>, String)>,
    algorithms: Vec<String>,
    heuristics: Vec<String>,
    repeats: u32,
    time_limit: Time,
    memory_limit: Memory,
    node_limit: Option<u64>,
    depth_limit: Option<u32>,
    threads: usize,
}

fn written(tasks: &[Task]) -> String {
    serde_json::to_string(tasks).expect("tasks are plain data")
}

fn puzzle_of(subject: &Subject) -> PyResult<&'static dyn Puzzle> {
    puzzle(subject.puzzle())
}

/// The runs of a comparison: every sensible method on every instance. As text, for [`run_tasks`].
#[pyfunction]
pub fn tasks(comparison: Comparison) -> PyResult<String> {
    let Comparison { instances, algorithms, heuristics: given, .. } = &comparison;
    let named = |(name, id): &(Option<String>, String)| Subject {
        name: name.clone().unwrap_or_else(|| id.clone()),
        instance: id.clone(),
    };
    let mut subjects: Vec<_> = instances.iter().map(named).collect();
    plan::tell_apart(&mut subjects);
    let base = Method { depth_limit: comparison.depth_limit, ..Method::default() };
    let mut choices = plan::algorithms(algorithms, comparison.depth_limit).map_err(wrong)?;
    let puzzles = subjects.iter().map(puzzle_of).collect::<PyResult<Vec<_>>>()?;
    let possible = |choice: &Choice| {
        plan::check_method(&Method { algorithm: choice.to_string(), ..base.clone() }, &puzzles)
    };
    if algorithms.is_empty() {
        choices.retain(|choice| possible(choice).is_ok());
    } else {
        for choice in &choices {
            match possible(choice) {
                // What cannot be run backwards is left out.
                Err(RequestError::CannotRun(CannotRun::NeedsReversible(_))) => {}
                result => result.map_err(refused)?,
            }
        }
    }
    let limits = Limits {
        time_limit_ms: Some(milliseconds(comparison.time_limit.duration()?)),
        memory_limit: Some(comparison.memory_limit.bytes()?),
        node_limit: comparison.node_limit,
    };
    let mut tasks = Vec::new();
    for (subject, puzzle) in subjects.into_iter().zip(puzzles) {
        let heuristics = if given.is_empty() { plan::usual_heuristics(puzzle) } else { given.clone() };
        for heuristic in &heuristics {
            checked_heuristic(&heuristic.parse().map_err(wrong)?, puzzle).map_err(refused)?;
        }
        let plan = Plan {
            subjects: vec![subject],
            methods: plan::combinations(&choices, &heuristics, !given.is_empty(), &base),
            repeats: comparison.repeats,
            limits,
            threads: Some(comparison.threads),
        };
        tasks.extend(plan.tasks());
    }
    Ok(written(&tasks))
}

/// Reads an experiment, a file or its text: title, what it shows, and its runs as text for [`run_tasks`].
#[pyfunction]
#[pyo3(signature = (path, text=None))]
pub fn read_experiment(
    py: Python<'_>,
    path: PathBuf,
    text: Option<String>,
) -> PyResult<(String, String, String)> {
    let watch = Watch::default();
    let Watched { result, raised } = beside(py, &watch, None, || match &text {
        Some(text) => experiment::parse(text, &path, &watch.cancel),
        None => experiment::read(&path, &watch.cancel),
    })?;
    match (raised, result) {
        (Some(error), _) => Err(error),
        (None, Ok(experiment)) => Ok((experiment.title, experiment.text, written(&experiment.tasks))),
        (None, Err(ExperimentError::File { text, error, .. })) => {
            let line = error.span.map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            let place = line.map(|line| format!(", line {line}")).unwrap_or_default();
            Err(wrong(format!("the experiment{place}: {}", error.message)))
        }
        (None, Err(error @ ExperimentError::Read { .. })) => Err(PyOSError::new_err(error.to_string())),
        (None, Err(error)) => Err(wrong(error)),
    }
}

/// Where the runs of an experiment are kept as they end: the file, the experiment's title, and what it shows.
type Kept = (PathBuf, String, String);

/// Does runs in processes of their own, which a command starts, and tells of each that ends. The runs come as text of JSON.
#[pyfunction]
#[pyo3(signature = (tasks, *, jobs, command, kept=None, listener=None))]
pub fn run_tasks(
    py: Python<'_>,
    tasks: &str,
    jobs: usize,
    command: Vec<String>,
    kept: Option<Kept>,
    listener: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, Option<PyErr>)> {
    let tasks: Vec<Task> = serde_json::from_str(tasks).map_err(wrong)?;
    let (program, arguments) = command.split_first().ok_or_else(|| wrong("a command starts a worker"))?;
    let failed = |error: ResultsError| PyOSError::new_err(error.to_string());
    let (mut file, mut runs) = match kept {
        None => (None, Vec::new()),
        Some((path, title, text)) => {
            let (file, contents) = Results::open(&path, &header(title, text, jobs)).map_err(failed)?;
            (Some(file), contents.runs)
        }
    };
    let wanted: HashSet<&Task> = tasks.iter().collect();
    runs.retain(|run| wanted.contains(&run.task));
    let done: HashSet<Task> = runs.iter().map(|run| run.task.clone()).collect();
    let left: Vec<Task> = tasks.iter().filter(|task| !done.contains(task)).cloned().collect();
    let start = || {
        let mut command = Command::new(program);
        command.args(arguments).arg(jobs.to_string());
        // Ctrl-C is for this process, which then ends its workers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    };
    let watch = Watch::default();
    let ended = Mutex::new(0);
    let tell = || match &listener {
        Some(listener) => {
            let ended = *lock(&ended);
            listener.call1((ended, left.len())).map(drop)
        }
        None => Ok(()),
    };
    tell()?;
    let Watched { result, raised } = beside_with(py, &watch, &tell, || {
        pool::run(&left, jobs, start, &watch.cancel, |event| -> Result<(), ResultsError> {
            if let Event::Finished(_, run) = event {
                *lock(&ended) += 1;
                if let Some(file) = &mut file {
                    file.append(&run)?;
                }
                runs.push(*run);
            }
            Ok(())
        })
    })?;
    result.map_err(|error: PoolError<ResultsError>| PyOSError::new_err(error.to_string()))?;
    if let Some(file) = &mut file {
        file.flush().map_err(failed)?;
    }
    tell()?;
    let order = |run: &Run| tasks.iter().position(|task| *task == run.task);
    runs.sort_by_cached_key(order);
    Ok((serde_json::to_string(&runs).expect("runs are plain data"), raised))
}

fn header(experiment: String, text: String, jobs: usize) -> Header {
    Header {
        experiment,
        text,
        version: env!("CARGO_PKG_VERSION").into(),
        commit: machine::COMMIT.map(str::to_owned),
        machine: machine::describe(),
        jobs,
        shard: None,
    }
}

/// Does the tasks that come on standard input, one after the other: what the processes of [`run_tasks`] do.
#[pyfunction]
pub fn serve_worker(py: Python<'_>, share: usize) {
    py.detach(|| {
        worker::serve(|task| {
            let limit = task.limits.memory_limit.map(Memory::Bytes);
            let share = if limit.is_some() { 1 } else { share.max(1) };
            match environment(limit.as_ref()) {
                Ok(Environment { memory: Some(bytes), cache, cache_quota }) => {
                    // The search should stop by itself, with its counts, before the process is ended from outside.
                    let memory = Some((bytes - bytes / 32 - UNCOUNTED.min(bytes / 4)) / share);
                    Run::here(task, &Environment { memory, cache, cache_quota }, Control::default())
                }
                Ok(environment) => Run::here(task, &environment, Control::default()),
                Err(error) => Run::without_figures(task, Ending::Refused, None, error.to_string()),
            }
        });
    });
}

fn report<'r>(runs: &str, by: &[String]) -> PyResult<Report<'r>> {
    let runs: Vec<Run> = serde_json::from_str(runs).map_err(wrong)?;
    let by = by.iter().map(|name| Field::from_str(name)).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    Ok(Report::new(&[], &runs, by))
}

/// Runs put together into a table, in all its forms.
#[pyfunction]
#[pyo3(signature = (runs, by, *, width=200))]
pub fn summary<'py>(
    py: Python<'py>,
    runs: &str,
    by: Vec<String>,
    width: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let report = report(runs, &by)?;
    let fields = report.by.clone();
    let table =
        novelo_lab::table::of_summaries(&novelo_lab::summary::summarise(&report.runs, &fields), &fields);
    plain(
        py,
        &json!({
            "rows": table.json(), "text": table.text(width, false), "markdown": table.markdown(),
            "html": table.html().into_string(), "latex": table.latex(), "csv": table.csv(),
        }),
    )
}

/// The plots that runs have enough in them for: name, title, SVG.
#[pyfunction]
pub fn charts(runs: &str, by: Vec<String>) -> PyResult<Vec<(String, String, String)>> {
    let charts = report(runs, &by)?.charts();
    Ok(charts.into_iter().map(|(name, chart)| (name, chart.title.clone(), chart.svg())).collect())
}

/// Audits a heuristic of a puzzle: what was found, as a dictionary, and the plot of estimates against true costs as SVG.
#[pyfunction]
#[pyo3(signature = (puzzle, heuristic, *, size, samples, seed, time_limit, memory_limit))]
#[allow(clippy::too_many_arguments)]
pub fn audit<'py>(
    py: Python<'py>,
    puzzle: &str,
    heuristic: &str,
    size: Option<&str>,
    samples: u64,
    seed: u64,
    time_limit: Option<Time>,
    memory_limit: Option<Memory>,
) -> PyResult<Bound<'py, PyAny>> {
    let question = Question {
        puzzle: self::puzzle(puzzle)?,
        heuristic: heuristic.parse().map_err(wrong)?,
        size: size.map(str::parse).transpose().map_err(wrong)?,
        samples,
        seed,
        time: time_limit.as_ref().map(Time::duration).transpose()?,
        environment: environment(memory_limit.as_ref())?,
    };
    let watch = Watch::default();
    let Watched { result, raised } = beside(py, &watch, None, || look(&question, &watch.cancel, |_, _| ()))?;
    if let Some(error) = raised {
        return Err(error);
    }
    let audit = result.map_err(refused)?;
    let mut told = serde_json::to_value(&audit).expect("an audit is plain data");
    told["admissible"] = audit.admissible().into();
    told["consistent"] = audit.consistent().into();
    told["svg"] = audit.chart().svg().into();
    plain(py, &told)
}
