//! From instances and methods to the list of runs.

use std::collections::HashMap;
use std::str::FromStr as _;
use std::sync::Arc;

use novelo_puzzles::{Choice, Method as Runnable, Puzzle, Request, RequestError, checked_heuristic};
use novelo_search::algorithms::Needs;
use novelo_search::parameter::{ParameterError, Spec};
use novelo_search::{Algorithm, CannotRun};

use crate::task::{Limits, Method, Subject, Task};

/// Every method on every instance, `repeats` times.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The instances.
    pub subjects: Vec<Subject>,
    /// The methods.
    pub methods: Vec<Method>,
    /// How often each is run.
    pub repeats: u32,
    /// What each run may use.
    pub limits: Limits,
    /// Threads of methods that can use several.
    pub threads: Option<usize>,
}

impl Plan {
    /// The runs: instance by instance, and on each method by method.
    pub fn tasks(&self) -> Vec<Task> {
        let methods: Vec<_> = self.methods.iter().cloned().map(Arc::new).collect();
        let mut tasks = Vec::with_capacity(self.subjects.len() * methods.len() * self.repeats as usize);
        for subject in &self.subjects {
            let subject = Arc::new(subject.clone());
            for method in &methods {
                tasks.extend((1..=self.repeats).map(|repeat| Task {
                    subject: subject.clone(),
                    method: method.clone(),
                    limits: self.limits,
                    threads: self.threads,
                    repeat,
                }));
            }
        }
        tasks
    }
}

/// The algorithms of some names; all that could be sensible if there are none.
pub fn algorithms(names: &[String], depth_limit: Option<u32>) -> Result<Vec<Choice>, ParameterError> {
    if !names.is_empty() {
        return names.iter().map(|name| Choice::from_str(name)).collect();
    }
    let sensible =
        |algorithm: &Algorithm| algorithm.info().needs != Needs::DepthLimit || depth_limit.is_some();
    let all = Algorithm::all().filter(sensible).map(Choice::from);
    Ok(std::iter::once(Choice::Auto).chain(all).collect())
}

/// The heuristics of a puzzle that say something and need no parameter.
pub fn usual_heuristics(puzzle: &dyn Puzzle) -> Vec<String> {
    let usual = puzzle.heuristics().iter().filter(|info| info.name != "zero" && !info.needs_parameters());
    usual.map(|info| info.name.to_owned()).collect()
}

/// Whether an algorithm means nothing without a heuristic.
pub fn needs_heuristic(algorithm: Choice) -> bool {
    algorithm.info().needs.heuristic()
}

/// Every algorithm that needs a heuristic with each of them, and the others once. `named` says that the heuristics were
/// asked for by name, rather than all that there are.
pub fn combinations(algorithms: &[Choice], heuristics: &[String], named: bool, base: &Method) -> Vec<Method> {
    let mut methods = Vec::new();
    for &algorithm in algorithms {
        let needs = algorithm.info().needs;
        let method = Method {
            algorithm: algorithm.to_string(),
            depth_limit: base.depth_limit.filter(|_| needs == Needs::DepthLimit),
            ..base.clone()
        };
        // A puzzle's own method takes the heuristics that were named for it.
        let own = matches!(algorithm, Choice::Method(Runnable::Dedicated(_))) && algorithm.takes_heuristic();
        if (needs_heuristic(algorithm) || own && named) && !heuristics.is_empty() {
            let guided = |heuristic: &String| Method { heuristic: Some(heuristic.clone()), ..method.clone() };
            methods.extend(heuristics.iter().map(guided));
        } else {
            methods.push(method);
        }
    }
    methods
}

/// Whether a puzzle can be asked for this: what can be seen to be wrong without an instance is an error.
pub fn check(request: &Request, puzzle: &dyn Puzzle) -> Result<(), RequestError> {
    checked_heuristic(&request.heuristic_for(puzzle), puzzle)?;
    try_out(request, puzzle)?;
    match request.algorithm {
        Choice::Auto => Ok(()),
        Choice::Method(Runnable::Dedicated(method)) => {
            if puzzle.methods().iter().any(|known| std::ptr::eq(*known, method)) {
                return Ok(());
            }
            let (name, puzzle) = (method.about.name, puzzle.info().name);
            let help = format!("novelo list algorithms {puzzle} has those it can be solved by");
            Err(RequestError::Unsupported(format!("{name} is no method of {puzzle}; {help}")))
        }
        Choice::Method(Runnable::Engine(algorithm)) => match algorithm {
            Algorithm::Dls { limit: None } if request.settings.limits.depth.is_none() => {
                Err(CannotRun::NeedsDepthLimit(algorithm).into())
            }
            _ => Ok(()),
        },
    }
}

/// What the rules of a puzzle do not allow, an order that is none or a search backwards, they do not allow on its smallest
/// example: a single expansion of that shows it.
fn try_out(request: &Request, puzzle: &dyn Puzzle) -> Result<(), RequestError> {
    let algorithm = match request.algorithm {
        engine @ Choice::Method(Runnable::Engine(_)) => engine,
        _ => Algorithm::Bfs.into(),
    };
    let (_, id) = puzzle.info().lesson.split_once(':').expect("an id begins with its puzzle");
    let instance = puzzle.parse_id(id, None).expect("a declared id can be read");
    let limits = novelo_search::Limits {
        nodes: Some(1),
        depth: request.settings.limits.depth,
        ..novelo_search::Limits::default()
    };
    let settings = novelo_search::Settings { limits, ..novelo_search::Settings::default() };
    let trial = Request { algorithm, order: request.order.clone(), settings, ..Request::default() };
    instance.solve(&trial, novelo_search::Control::default()).map(drop)
}

/// Numbers the names that several instances have, so that each stays told apart: `board`, `board (2)`.
pub fn tell_apart(subjects: &mut [Subject]) {
    let mut times = HashMap::<String, usize>::new();
    for subject in subjects {
        let before = times.entry(subject.name.clone()).or_default();
        *before += 1;
        if *before > 1 {
            subject.name = format!("{} ({before})", subject.name);
        }
    }
}

/// Whether a method makes sense for one at least of some puzzles; if not, why it does not for the last of them.
pub fn check_method(method: &Method, puzzles: &[&'static dyn Puzzle]) -> Result<(), RequestError> {
    let request = Request {
        algorithm: method.algorithm.parse()?,
        heuristic: method.heuristic.as_deref().map(Spec::from_str).transpose()?,
        order: method.order.clone(),
        settings: novelo_search::Settings {
            limits: novelo_search::Limits { depth: method.depth_limit, ..novelo_search::Limits::default() },
            ..novelo_search::Settings::default()
        },
        ..Request::default()
    };
    let mut checked = puzzles.iter().map(|puzzle| check(&request, *puzzle));
    let last = checked.next_back().unwrap_or(Ok(()));
    if last.is_err() && checked.any(|result| result.is_ok()) { Ok(()) } else { last }
}
