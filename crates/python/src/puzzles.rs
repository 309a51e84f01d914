//! The puzzles: instances, what can be done with them, and what there is.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use novelo_lab::Milestones;
use novelo_lab::plan;
use novelo_lab::plots::board;
use novelo_puzzles::text::either;
use novelo_puzzles::{
    AUTO, Choice, GenerateRequest, Named, PUZZLES, ParseError, Puzzle, Report, RequestError, Size, Verdict,
    input, trace,
};
use novelo_search::parameter::{Parameter, nearest};
use novelo_search::{Algorithm, AlgorithmInfo, CannotRun, stats};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::json::plain;
use crate::options::{Options, wrong};
use crate::watch::{Watch, Watched, beside};

/// The longest file that is read.
const LONGEST: u64 = 64 << 20;

/// One puzzle to solve.
#[pyclass(frozen, module = "novelo._novelo")]
pub struct Instance {
    instance: Arc<dyn novelo_puzzles::Instance>,
    #[pyo3(get)]
    name: Option<String>,
}

/// The puzzle of a name.
pub fn puzzle(name: &str) -> PyResult<&'static dyn Puzzle> {
    novelo_puzzles::puzzle(name).ok_or_else(|| {
        let names: Vec<_> = PUZZLES.iter().map(|puzzle| puzzle.info().name).collect();
        wrong(match nearest(name, names.iter().copied()) {
            Some(near) => format!("there is no puzzle '{name}'; did you mean '{near}'?"),
            None => format!("there is no puzzle '{name}'; there are {}", names.join(", ")),
        })
    })
}

/// An error in a text: the sentence, the place, what would be right.
fn in_text(error: ParseError, origin: &str, text: &str) -> PyErr {
    let ParseError { message, span, help, taken_for } = error;
    let place = span.map(|span| {
        let before = &text[..novelo_puzzles::text::boundary(text, span.start)];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
        format!(", line {line}, column {column}")
    });
    let choice = match &taken_for[..] {
        [] => None,
        [guess] => Some(format!("it was read as {guess}, which it looks like; puzzle=… says otherwise")),
        several => {
            let options: Vec<_> = several.iter().map(|name| format!("puzzle='{name}'")).collect();
            Some(format!("say which: {}", either(&options)))
        }
    };
    let help: String = help.into_iter().chain(choice).map(|help| format!("; {help}")).collect();
    wrong(format!("{origin}{}: {message}{help}", place.unwrap_or_default()))
}

/// What cannot be asked for.
pub fn refused(error: RequestError) -> PyErr {
    wrong(error)
}

/// Reads the instances of a text, or of whatever its name stands for: an id, a file, one instance of a file.
#[pyfunction]
#[pyo3(signature = (source, *, text=false, puzzle=None, goal=None))]
pub fn read(source: &str, text: bool, puzzle: Option<&str>, goal: Option<&str>) -> PyResult<Vec<Instance>> {
    let puzzle = puzzle.map(self::puzzle).transpose()?;
    let parse = |text: &str, origin: &str| {
        input::read(text, puzzle, goal).map_err(|error| in_text(error, origin, text))
    };
    let held = |instances: Vec<Named>| -> Vec<Instance> { instances.into_iter().map(Instance::of).collect() };
    if text || input::as_id(source).is_some() && !Path::new(source).exists() {
        return Ok(held(parse(source, if text { "the text" } else { "the id" })?));
    }
    let (path, which) = match source.rsplit_once('#') {
        Some((path, which)) if !Path::new(source).exists() => (path, Some(which)),
        _ => (source, None),
    };
    let text = file(path)?;
    let mut instances = parse(&text, path)?;
    let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    input::name_after(&stem, &mut instances);
    match which {
        None => Ok(held(instances)),
        Some(which) => {
            let picked = input::pick(instances, which).map_err(|error| in_text(error, path, &text))?;
            Ok(held(vec![picked]))
        }
    }
}

fn file(path: &str) -> PyResult<String> {
    use std::io::Read as _;
    let fail = |error: std::io::Error| {
        let message = format!("cannot read {path}: {error}");
        if error.kind() == std::io::ErrorKind::NotFound {
            let help = "an instance is a file, a text, or an id such as";
            return PyFileNotFoundError::new_err(format!("{message}; {help} {}", PUZZLES[0].info().example));
        }
        PyOSError::new_err(message)
    };
    let mut bytes = Vec::new();
    std::fs::File::open(path).map_err(fail)?.take(LONGEST + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > LONGEST {
        return Err(wrong(format!("{path} is longer than {LONGEST} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| wrong(format!("{path} is not text: it is not valid UTF-8")))
}

/// Makes instances that have a solution.
#[pyfunction]
#[pyo3(signature = (puzzle, *, size, seed, difficulty, count, options))]
pub fn generate(
    py: Python<'_>,
    puzzle: &str,
    size: Option<&str>,
    seed: u64,
    difficulty: Option<String>,
    count: u64,
    options: BTreeMap<String, String>,
) -> PyResult<Vec<Instance>> {
    let puzzle = self::puzzle(puzzle)?;
    let size = size.map(str::parse::<Size>).transpose().map_err(wrong)?;
    let request = GenerateRequest { size, seed, difficulty, ..GenerateRequest::default() };
    let request = request.with(puzzle, options).map_err(refused)?;
    let watch = Watch::default();
    let Watched { result, raised } = beside(py, &watch, None, || {
        (0..count)
            .map(|number| puzzle.generate(&request, number, &watch.cancel))
            .collect::<Result<Vec<_>, _>>()
    })?;
    match (raised, result) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(refused(error)),
        (None, Ok(instances)) => {
            let held = |instance| Instance::of(Named { name: None, instance });
            Ok(instances.into_iter().map(held).collect())
        }
    }
}

impl Instance {
    fn of(named: Named) -> Self {
        Self { instance: named.instance.into(), name: named.name }
    }

    /// The instance that some moves lead to.
    fn moved(&self, moves: &[String]) -> PyResult<Self> {
        let verdict = self.instance.check(moves);
        if let Some(failure) = verdict.failure {
            return Err(wrong(format!("move {}, {}: {}", failure.at, failure.text, failure.reason)));
        }
        let (puzzle, body) = input::as_id(&verdict.end).expect("a verdict has an id");
        let instance = puzzle.parse_id(body, None).expect("an id can be read").into();
        Ok(Self { instance, name: None })
    }
}

#[pymethods]
impl Instance {
    /// The puzzle's name.
    #[getter]
    fn puzzle(&self) -> &'static str {
        self.instance.puzzle().info().name
    }

    /// Rows and columns, as ids have them.
    #[getter]
    fn size(&self) -> String {
        self.instance.id().split(':').nth(1).unwrap_or_default().to_owned()
    }

    /// The instance on one line.
    #[getter]
    fn id(&self) -> String {
        self.instance.id()
    }

    /// Why there is no solution, where that is seen without a search.
    fn impossible(&self) -> Option<String> {
        self.instance.impossible()
    }

    /// The moves of a text.
    fn parse_moves(&self, text: &str) -> PyResult<Vec<String>> {
        self.instance.parse_moves(text).map_err(|error| in_text(error, "the moves", text))
    }

    /// Replays moves by code that no solver shares.
    fn check<'py>(&self, py: Python<'py>, moves: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let Verdict { legal, cost, failure, solved, missing, end, .. } = self.instance.check(&moves);
        let failure = failure.map(|it| json!({ "at": it.at, "move": it.text, "reason": it.reason }));
        plain(
            py,
            &json!({
                "legal": legal, "cost": cost, "failure": failure, "solved": solved, "missing": missing, "end": end,
            }),
        )
    }

    /// The instance after some moves.
    fn after(&self, moves: Vec<String>) -> PyResult<Self> {
        self.moved(&moves)
    }

    /// The instances on the way of some moves, this one first.
    fn along(&self, moves: Vec<String>) -> PyResult<Vec<Self>> {
        (0..=moves.len()).map(|made| self.moved(&moves[..made])).collect()
    }

    /// The boards after each of some moves as text, the first one first.
    fn pictures(&self, moves: Vec<String>) -> Vec<String> {
        self.instance.pictures(&moves).iter().map(novelo_puzzles::Picture::plain).collect()
    }

    /// The board as SVG.
    fn svg(&self) -> String {
        board::svg(&self.instance.game().view())
    }

    /// The board as PNG.
    fn png(&self) -> PyResult<Vec<u8>> {
        board::png(&self.instance.game().view()).map_err(PyRuntimeError::new_err)
    }

    /// Searches for a solution: the fields of the contract, and the exception that ended the search, if one did.
    #[pyo3(signature = (options, listener=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        options: Options,
        listener: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Option<PyErr>)> {
        let mut request = options.request()?;
        plan::check(&request, self.instance.puzzle()).map_err(refused)?;
        let improvements = Milestones::default();
        request.improvements = Some(improvements.listener());
        let (watch, instance) = (Watch::default(), &*self.instance);
        let Watched { result, raised } =
            beside(py, &watch, listener.as_ref(), || instance.solve(&request, watch.control()))?;
        let attempt = match result {
            Ok(attempt) => attempt,
            Err(error) => return Err(raised.unwrap_or_else(|| refused(error))),
        };
        let better = |it: &novelo_lab::Milestone| json!([it.seconds, it.cost, it.lower_bound]);
        let improvements: Vec<_> = improvements.so_far().iter().map(better).collect();
        let report = self.report(&request, attempt, json!({ "improvements": improvements }))?;
        Ok((plain(py, &report)?, raised))
    }

    /// Searches and keeps the search tree, up to a number of nodes.
    fn trace<'py>(
        &self,
        py: Python<'py>,
        options: Options,
        most: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Option<PyErr>)> {
        let request = options.request()?;
        plan::check(&request, self.instance.puzzle()).map_err(refused)?;
        let (watch, instance) = (Watch::default(), &*self.instance);
        let Watched { result, raised } =
            beside(py, &watch, None, || trace::trace(instance, &request, most, &watch.cancel))?;
        let (attempt, tree) = match result {
            Ok(traced) => traced,
            Err(error) => return Err(raised.unwrap_or_else(|| refused(error))),
        };
        if attempt.searched && tree.nodes.is_empty() {
            return Err(wrong(format!(
                "{} walks through no states and has no search tree: name an algorithm that has, such as {}",
                attempt.method,
                Algorithm::AStar
            )));
        }
        let report = self.report(&request, attempt, json!({ "improvements": [], "trace": tree }))?;
        Ok((plain(py, &report)?, raised))
    }

    /// Counts the solutions up to a number, and keeps the first few.
    #[pyo3(signature = (options, most, keep))]
    fn enumerate<'py>(
        &self,
        py: Python<'py>,
        options: Options,
        most: u64,
        keep: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Option<PyErr>)> {
        let limits = options.limits()?;
        let (watch, instance) = (Watch::default(), &*self.instance);
        let Watched { result, raised } = beside(py, &watch, None, || {
            instance.enumerate(most, keep, &novelo_search::Meter::new(limits, watch.control()))
        })?;
        match result {
            Ok(found) => {
                let stop = found.stop.map(novelo_search::Stop::name);
                let told = json!({
                    "solutions": found.solutions, "count": found.count, "exact": found.exact, "stop": stop,
                });
                Ok((plain(py, &told)?, raised))
            }
            Err(error) => Err(raised.unwrap_or_else(|| refused(error))),
        }
    }
}

impl Instance {
    /// The result of a run, verified, with more fields.
    fn report(
        &self,
        request: &novelo_puzzles::Request,
        attempt: novelo_puzzles::Attempt,
        more: Value,
    ) -> PyResult<Value> {
        let mut report = Report::new(&*self.instance, request, attempt).map_err(|verdict| {
            PyRuntimeError::new_err(format!(
                "internal error: the verifier refused the solution found for {}: {verdict:?}; please report this",
                self.instance.id()
            ))
        })?;
        report.name.clone_from(&self.name);
        let mut report = serde_json::to_value(&report).expect("a report is plain data");
        if let (Value::Object(fields), Value::Object(more)) = (&mut report, more) {
            fields.extend(more);
        }
        Ok(report)
    }
}

fn parameters(declared: &[Parameter]) -> Value {
    let parameter = |it: &Parameter| {
        json!({
            "name": it.name, "kind": it.kind.name(), "values": it.kind.to_string(), "default": it.default,
            "required": it.required, "about": it.about,
        })
    };
    declared.iter().map(parameter).collect()
}

fn described(info: &AlgorithmInfo) -> Value {
    json!({
        "name": info.name, "title": info.title, "about": info.about, "complete": info.complete, "optimal": info.optimal,
        "time": info.time, "space": info.space, "needs": info.needs.to_string(),
        "takes_heuristic": info.needs.heuristic(), "parameters": parameters(info.parameters),
    })
}

/// The algorithms of the engine, or all that can be asked of a puzzle, in words.
#[pyfunction]
#[pyo3(signature = (puzzle=None))]
pub fn algorithms<'py>(py: Python<'py>, puzzle: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let mut infos: Vec<Value> = Algorithm::INFOS.iter().map(described).collect();
    if let Some(name) = puzzle {
        let puzzle = self::puzzle(name)?;
        infos.retain(|info| is_possible(info, puzzle));
        infos.insert(0, described(&AUTO));
        infos.extend(puzzle.methods().iter().map(|method| {
            let mut info = described(&method.about);
            info["takes_heuristic"] = method.takes_heuristic.into();
            info
        }));
    }
    plain(py, &infos)
}

/// Whether a puzzle can be asked for an algorithm; one that needs a depth limit can be given it.
fn is_possible(info: &Value, puzzle: &dyn Puzzle) -> bool {
    let choice = info["name"].as_str().and_then(|name| name.parse::<Choice>().ok());
    choice.is_some_and(|algorithm| {
        let request = novelo_puzzles::Request { algorithm, ..Default::default() };
        match plan::check(&request, puzzle) {
            Ok(()) | Err(RequestError::CannotRun(CannotRun::NeedsDepthLimit(_))) => true,
            Err(_) => false,
        }
    })
}

/// The heuristics of a puzzle, in words; the first is the default.
#[pyfunction]
pub fn heuristics<'py>(py: Python<'py>, puzzle: &str) -> PyResult<Bound<'py, PyAny>> {
    let described = |info: &novelo_puzzles::HeuristicInfo| {
        json!({
            "name": info.name, "about": info.about, "admissible": info.promise.admissible,
            "consistent": info.promise.consistent, "why": info.why, "parameters": parameters(info.parameters),
        })
    };
    let infos: Vec<_> = self::puzzle(puzzle)?.heuristics().iter().map(described).collect();
    plain(py, &infos)
}

/// The puzzles, in words.
#[pyfunction]
pub fn puzzles<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    let described = |puzzle: &&'static dyn Puzzle| {
        let info = puzzle.info();
        json!({
            "name": info.name, "title": info.title, "about": info.about, "formats": info.formats, "moves": info.moves,
            "example": info.example, "lesson": info.lesson, "sizes": info.sizes, "generator": parameters(info.generator),
        })
    };
    let infos: Vec<_> = PUZZLES.iter().map(described).collect();
    plain(py, &infos)
}

/// What a result counts, in words.
#[pyfunction]
pub fn counts<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    let counts = PyDict::new(py);
    for count in stats::COUNTS {
        counts.set_item(count.name, count.definition)?;
    }
    Ok(counts)
}
