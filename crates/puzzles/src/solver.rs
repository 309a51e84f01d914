//! How a request is carried out on any puzzle.

use std::ops::ControlFlow;

use crate::Cost;
use novelo_search::parameter::{Spec, Values};
use novelo_search::{Algorithm, Answer, Heuristic, Meter, Outcome, Search, Settings, Stats, Stop};

use crate::formulation::{Explorer, Formulation, Lend, Rules, Visitor, observe};
use crate::method::{Choice, Method, MethodInfo};
use crate::puzzle::{Instance, Puzzle};
use crate::request::{Attempt, Improvements, Request, RequestError, checked_heuristic};
use crate::watch::{Told, Watcher};

/// A heuristic that the registry has, with the values of its parameters.
#[derive(Debug, Clone)]
pub struct ChosenHeuristic {
    /// As it was asked for.
    pub spec: Spec,
    /// Its name in the registry.
    pub name: &'static str,
    /// The values of its parameters.
    pub values: Values,
}

/// An instance that the engine and its puzzle's own methods can run on.
pub trait Solver: Instance + Sized {
    /// Hands the rules and a heuristic of the registry to a visitor.
    fn formulate<V: Visitor>(
        &self,
        guide: &ChosenHeuristic,
        request: &Request,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError>;

    /// Runs the best method for the instance, which has no reason to be impossible: the puzzle's first own method, or A*
    /// where it has none.
    fn auto(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        match self.puzzle().methods().first() {
            Some(method) => self.dedicated(method, request, meter),
            None => self.search(Algorithm::AStar, self.guide(request)?, request, meter, watcher),
        }
    }

    /// Runs a method of the puzzle, on an instance that has no reason to be impossible.
    fn dedicated(
        &self,
        method: &'static MethodInfo,
        _request: &Request,
        _meter: &Meter<'_>,
    ) -> Result<Attempt, RequestError> {
        Err(not_of(method, self.puzzle()))
    }

    /// What [`Instance::run`] does.
    fn carry_out(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        // A heuristic that is not needed must exist all the same.
        let guide = self.guide(request)?;
        let method = match request.algorithm {
            Choice::Auto => None,
            Choice::Method(method) => Some(method),
        };
        if let Some(Method::Dedicated(dedicated)) = method
            && !self.puzzle().methods().iter().any(|known| std::ptr::eq(*known, dedicated))
        {
            return Err(not_of(dedicated, self.puzzle()));
        }
        if let Some(reason) = self.impossible() {
            let fallback = self.puzzle().methods().first().map(|&method| Method::Dedicated(method));
            return Ok(Attempt {
                method: method.or(fallback).unwrap_or(Method::Engine(Algorithm::Bfs)),
                heuristic: None,
                outcome: Outcome {
                    answer: Answer::Unsolvable,
                    lower_bound: None,
                    stop: None,
                    stats: Stats::default(),
                },
                reason: Some(reason),
                searched: false,
            });
        }
        if request.processes.is_some() {
            match method {
                None => return Err(in_one_process("auto")),
                Some(Method::Dedicated(dedicated)) if !dedicated.over_processes => {
                    return Err(in_one_process(dedicated.about.name));
                }
                _ => {}
            }
        }
        match method {
            None => self.auto(request, meter, watcher),
            Some(Method::Dedicated(dedicated)) => self.dedicated(dedicated, request, meter),
            Some(Method::Engine(algorithm)) => self.search(algorithm, guide, request, meter, watcher),
        }
    }

    /// The heuristic that a request names, or the puzzle's default.
    fn guide(&self, request: &Request) -> Result<ChosenHeuristic, RequestError> {
        let spec = request.heuristic_for(self.puzzle());
        let (info, values) = checked_heuristic(&spec, self.puzzle())?;
        Ok(ChosenHeuristic { spec, name: info.name, values })
    }

    /// Runs an algorithm of the engine.
    fn search(
        &self,
        algorithm: Algorithm,
        guide: ChosenHeuristic,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        let guided = algorithm.info().needs.heuristic();
        let zero = ChosenHeuristic { spec: Spec::plain("zero"), name: "zero", values: Values::default() };
        let guide = if guided { guide } else { zero };
        // One thread, so that a run counts the same every time, unless more are asked for.
        let settings = Settings { threads: request.threads.unwrap_or(1), ..request.settings };
        let outcome = match watcher {
            #[cfg(feature = "processes")]
            _ if request.processes.is_some() => {
                let run = crate::among::RunAmong::new(algorithm, request)?;
                self.formulate(&guide, request, meter, run)?
            }
            None => {
                let improvements = request.improvements.as_ref();
                self.formulate(&guide, request, meter, RunTyped { algorithm, settings, improvements })?
            }
            Some(watcher) => {
                watcher.begins(algorithm, guided.then(|| guide.spec.to_string()).as_deref());
                let improvements = request.improvements.as_ref();
                let run = RunWatched { algorithm, settings, watcher, improvements };
                self.formulate(&guide, request, meter, run)?
            }
        };
        let heuristic = guided.then(|| guide.spec.to_string());
        Ok(Attempt { method: Method::Engine(algorithm), heuristic, outcome, reason: None, searched: true })
    }

    /// Lends the search problem, as one type for all puzzles.
    fn untyped(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        explorer: Explorer<'_>,
    ) -> Result<ControlFlow<Stop>, RequestError> {
        self.formulate(&self.guide(request)?, request, meter, Lend(explorer))
    }
}

fn in_one_process(method: &str) -> RequestError {
    let others = "astar, ucs, bfs, idastar and, for sliding tiles, tiles run over several";
    RequestError::Unsupported(format!("{method} runs in one process; {others}"))
}

fn not_of(method: &MethodInfo, puzzle: &dyn Puzzle) -> RequestError {
    let (name, puzzle) = (method.about.name, puzzle.info().name);
    let help = format!("novelo list algorithms {puzzle} has those it can be solved by");
    RequestError::Unsupported(format!("{name} is no method of {puzzle}; {help}"))
}

/// The visitor that runs an algorithm.
struct RunTyped<'i> {
    algorithm: Algorithm,
    settings: Settings,
    improvements: Option<&'i Improvements>,
}

impl Visitor for RunTyped<'_> {
    type Output = Outcome<String>;

    fn visit<P: Rules, H: Heuristic<P>>(
        self,
        rules: P,
        heuristic: H,
        meter: &Meter<'_>,
    ) -> Result<Outcome<String>, RequestError> {
        let Settings { shuffle, threads, .. } = self.settings;
        let mut search = Search::new(&rules).heuristic(heuristic).shuffle(shuffle).threads(threads);
        if let Some(listener) = self.improvements {
            search = search.improvements(|better| listener.tell(better, |&action| rules.written(action)));
        }
        Ok(P::run(search, meter, self.algorithm)?.map(|action| rules.written(action)))
    }

    fn stopped(
        self,
        stop: Stop,
        lower_bound: Option<Cost>,
        meter: &Meter<'_>,
    ) -> Result<Outcome<String>, RequestError> {
        Ok(stopped(stop, lower_bound, meter))
    }
}

fn stopped(stop: Stop, lower_bound: Option<Cost>, meter: &Meter<'_>) -> Outcome<String> {
    Outcome { answer: Answer::Stopped(stop), lower_bound, stop: None, stats: meter.stats() }
}

/// The visitor that runs an algorithm while somebody watches.
struct RunWatched<'w> {
    algorithm: Algorithm,
    settings: Settings,
    watcher: &'w mut dyn Watcher,
    improvements: Option<&'w Improvements>,
}

impl Visitor for RunWatched<'_> {
    type Output = Outcome<String>;

    fn visit<P: Rules, H: Heuristic<P>>(
        self,
        rules: P,
        heuristic: H,
        meter: &Meter<'_>,
    ) -> Result<Outcome<String>, RequestError> {
        let Self { algorithm, settings, watcher, improvements } = self;
        Formulation::lend(rules, heuristic, |formulation| {
            let observer = Told { formulation, algorithm, watcher };
            Ok(observe(formulation, algorithm, settings, observer, improvements, meter)?)
        })
    }

    fn stopped(
        self,
        stop: Stop,
        lower_bound: Option<Cost>,
        meter: &Meter<'_>,
    ) -> Result<Outcome<String>, RequestError> {
        Ok(stopped(stop, lower_bound, meter))
    }
}
