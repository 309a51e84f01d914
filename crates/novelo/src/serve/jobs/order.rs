//! What a client may order, and its translation into a task.

use std::fmt::Display;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use novelo_lab as lab;
use novelo_puzzles::{Choice, Instance, Request, checked_heuristic};
use novelo_search::parameter::ParameterError;
use serde::Deserialize;
use utoipa::ToSchema;

use super::queue::Task;
use super::{audit, compare, race, solve, trace};
use crate::folders;
use crate::serve::api_error::ApiError;
use crate::serve::app::Limits;
use crate::serve::instances;

/// A search whose tree is shown is a small one.
const TRACE_SECONDS: f64 = 10.0;

/// A job to be done.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Order {
    /// One run on one instance.
    Solve {
        instance: String,
        run: RunOrder,
        #[serde(default)]
        limits: LimitsOrder,
    },
    /// The tree of one small search on one instance.
    Trace {
        instance: String,
        run: RunOrder,
        /// The most nodes that are kept.
        #[schema(minimum = 1, maximum = 2000)]
        nodes: Option<usize>,
        #[serde(default)]
        limits: LimitsOrder,
    },
    /// Several runs on one instance, all at once.
    Race {
        instance: String,
        #[schema(min_items = 2, max_items = 6)]
        runs: Vec<RunOrder>,
        #[serde(default)]
        limits: LimitsOrder,
    },
    /// Several runs on several instances, one after another.
    Compare {
        #[schema(min_items = 1, max_items = 20)]
        instances: Vec<String>,
        #[schema(min_items = 1, max_items = 12)]
        runs: Vec<RunOrder>,
        #[schema(minimum = 1, maximum = 5)]
        repeat: Option<usize>,
        #[serde(default)]
        limits: LimitsOrder,
    },
    /// Whether a heuristic is what it promises to be.
    Audit {
        puzzle: String,
        heuristic: String,
        size: Option<String>,
        #[schema(minimum = 1, maximum = 1000)]
        samples: Option<u64>,
    },
}

/// An algorithm and its options.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunOrder {
    /// Its name and parameters, which the registry declares.
    #[schema(example = "wastar:weight=2")]
    algorithm: String,
    /// Its name and parameters, which the registry declares.
    #[schema(example = "manhattan")]
    heuristic: Option<String>,
    order: Option<String>,
    shuffle: Option<u64>,
    depth_limit: Option<u32>,
}

/// What a run may use; never more than the server's own limits.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsOrder {
    #[schema(minimum = 0)]
    seconds: Option<f64>,
    bytes: Option<u64>,
    nodes: Option<u64>,
}

impl Order {
    /// The task that carries it out, or why there can be none.
    pub fn task(self, server: &Limits) -> Result<Task, ApiError> {
        match self {
            Self::Solve { instance, run, limits } => {
                let instance = instances::one(&instance, "instance")?;
                Ok(solve::task(limits.within(server, 1)?.runner(&instance, &run, "run")?))
            }
            Self::Trace { instance, run, nodes, limits } => {
                let instance = instances::one(&instance, "instance")?;
                let most = nodes.unwrap_or(super::TRACE_NODES);
                within(most, 1, super::TRACE_NODES, "nodes")?;
                let seconds = limits.seconds.map_or(TRACE_SECONDS, |seconds| seconds.min(TRACE_SECONDS));
                let small = LimitsOrder { seconds: Some(seconds), ..limits };
                Ok(trace::task(small.within(server, 1)?.runner(&instance, &run, "run")?, most))
            }
            Self::Race { instance, runs, limits } => {
                within(runs.len(), 2, super::RACE_RUNS, "runs")?;
                let instance = instances::one(&instance, "instance")?;
                Ok(race::task(limits.within(server, runs.len())?.runners(&instance, &runs)?))
            }
            Self::Compare { instances, runs, repeat, limits } => {
                within(instances.len(), 1, super::COMPARE_INSTANCES, "instances")?;
                within(runs.len(), 1, super::COMPARE_RUNS, "runs")?;
                let repeat = repeat.unwrap_or(1);
                within(repeat, 1, super::REPEAT, "repeat")?;
                let share = limits.within(server, 1)?;
                let mut tasks = Vec::new();
                for (i, text) in instances.iter().enumerate() {
                    let instance = instances::one(text, &format!("instances[{i}]"))?;
                    for runner in share.runners(&instance, &runs)? {
                        let again =
                            |repeat: usize| lab::Task { repeat: repeat as u32, ..runner.task.clone() };
                        tasks.extend((1..=repeat).map(again));
                    }
                }
                Ok(compare::task(tasks, share.environment, server.time))
            }
            Self::Audit { puzzle, heuristic, size, samples } => {
                audit::task(&puzzle, &heuristic, size.as_deref(), samples, server)
            }
        }
    }
}

/// Refuses a number that is too small or too large.
fn within(number: usize, least: usize, most: usize, field: &str) -> Result<(), ApiError> {
    if (least..=most).contains(&number) {
        return Ok(());
    }
    Err(ApiError::bad(format!("{field}: {least} to {most} are possible, not {number}")).field(field))
}

/// A run that can be done.
pub struct Runner {
    pub instance: Arc<dyn Instance>,
    pub task: lab::Task,
    pub request: Request,
}

/// What one run may use.
struct Share {
    limits: lab::Limits,
    environment: lab::Environment,
    threads: usize,
}

impl Share {
    fn runners(&self, instance: &Arc<dyn Instance>, runs: &[RunOrder]) -> Result<Vec<Runner>, ApiError> {
        let numbered = runs.iter().enumerate();
        numbered.map(|(i, run)| self.runner(instance, run, &format!("runs[{i}]"))).collect()
    }

    fn runner(&self, instance: &Arc<dyn Instance>, run: &RunOrder, field: &str) -> Result<Runner, ApiError> {
        let at = |name: &str| format!("{field}.{name}");
        let wrong =
            |name: &str, error: &dyn Display| ApiError::impossible(error.to_string()).field(&at(name));
        let algorithm =
            Choice::from_str(&run.algorithm).map_err(|error| wrong("algorithm", &error))?.to_string();
        if let Some(heuristic) = &run.heuristic {
            let spec = heuristic.parse().map_err(|error: ParameterError| wrong("heuristic", &error))?;
            checked_heuristic(&spec, instance.puzzle()).map_err(|error| wrong("heuristic", &error))?;
        }
        let method = lab::Method {
            algorithm,
            heuristic: run.heuristic.clone(),
            order: run.order.clone(),
            shuffle: run.shuffle,
            depth_limit: run.depth_limit,
            ..lab::Method::default()
        };
        let subject = lab::Subject::new(None, &**instance);
        let (subject, method) = (Arc::new(subject), Arc::new(method));
        let task = lab::Task { subject, method, limits: self.limits, threads: Some(self.threads), repeat: 1 };
        let request = task.request(&self.environment).map_err(|error| wrong("algorithm", &error))?;
        lab::plan::check(&request, instance.puzzle()).map_err(|error| wrong("algorithm", &error))?;
        Ok(Runner { instance: instance.clone(), task, request })
    }
}

impl LimitsOrder {
    /// The smaller of what is asked for and what the server allows, for each of `runs` runs at once.
    fn within(&self, server: &Limits, runs: usize) -> Result<Share, ApiError> {
        let time = match self.seconds {
            None => server.time,
            Some(seconds) => Duration::try_from_secs_f64(seconds)
                .map_err(|_| {
                    ApiError::bad("a time is a number of seconds, such as 10").field("limits.seconds")
                })?
                .min(server.time),
        };
        let most = server.memory / runs;
        let memory = self.bytes.map_or(most, |bytes| usize::try_from(bytes).map_or(most, |b| b.min(most)));
        let limits = lab::Limits {
            time_limit_ms: Some(lab::milliseconds(time)),
            memory_limit: Some(memory as u64),
            node_limit: self.nodes,
        };
        let environment = lab::Environment {
            memory: Some(memory),
            cache: folders::cache(),
            cache_quota: Some(server.cache),
        };
        Ok(Share { limits, environment, threads: server.threads })
    }
}
