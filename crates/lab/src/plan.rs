//! From instances and methods to the list of runs.

use std::str::FromStr as _;

use novelo_puzzles::{Choice, HeuristicSpec, Puzzle};
use novelo_search::Algorithm;
use novelo_search::algorithms::Needs;

use crate::task::{Limits, Method, Subject, Task};

/// Every method on every instance, so many times.
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
        let mut tasks = Vec::new();
        for subject in &self.subjects {
            for method in &self.methods {
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
pub fn algorithms(names: &[String], depth_limit: Option<u32>) -> Result<Vec<Choice>, String> {
    if !names.is_empty() {
        return names.iter().map(|name| Choice::from_str(name)).collect();
    }
    let sensible =
        |algorithm: &&Algorithm| algorithm.info().needs != Needs::DepthLimit || depth_limit.is_some();
    let all = Algorithm::ALL.iter().filter(sensible).map(|&algorithm| Choice::Named(algorithm));
    Ok(std::iter::once(Choice::Auto).chain(all).collect())
}

/// The heuristics of a puzzle that say something and need no parameter.
pub fn usual_heuristics(puzzle: &dyn Puzzle) -> Vec<String> {
    let usual = puzzle.heuristics().iter().filter(|info| info.name != "zero" && !info.needs_parameters);
    usual.map(|info| info.name.to_owned()).collect()
}

/// Every algorithm that needs a heuristic with each of them, and the others once.
pub fn combinations(algorithms: &[Choice], heuristics: &[String], base: &Method) -> Vec<Method> {
    let mut methods = Vec::new();
    for algorithm in algorithms {
        let needs = match algorithm {
            Choice::Auto => Needs::Nothing,
            Choice::Named(algorithm) => algorithm.info().needs,
        };
        let method = Method {
            algorithm: algorithm.to_string(),
            weight: base.weight.clone().filter(|_| *algorithm == Choice::Named(Algorithm::WAStar)),
            depth_limit: base.depth_limit.filter(|_| needs == Needs::DepthLimit),
            ..base.clone()
        };
        if needs == Needs::Heuristic && !heuristics.is_empty() {
            let guided = |heuristic: &String| Method { heuristic: Some(heuristic.clone()), ..method.clone() };
            methods.extend(heuristics.iter().map(guided));
        } else {
            methods.push(method);
        }
    }
    methods
}

/// Whether a heuristic, with its parameters, is one of a puzzle's.
pub fn check_heuristic(text: &str, puzzle: &dyn Puzzle) -> Result<(), String> {
    let spec = HeuristicSpec::from_str(text)?;
    spec.info(puzzle).map(drop).map_err(|error| error.to_string())
}
