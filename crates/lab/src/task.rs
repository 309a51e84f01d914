//! One run to be done: everything that decides what it computes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use novelo_puzzles::{Choice, Instance, Request, Size, input};
use novelo_search::Settings;
use novelo_search::parameter::{ParameterError, Spec};
use serde::{Deserialize, Serialize};

/// One run to be done. Two tasks that are equal ask for the same run: that is how a results file knows what is done. The
/// tasks of an experiment, up to a million, share instances and methods.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Task {
    /// What is to be solved.
    #[serde(flatten)]
    pub subject: Arc<Subject>,
    /// How.
    #[serde(flatten)]
    pub method: Arc<Method>,
    /// What it may use.
    #[serde(flatten)]
    pub limits: Limits,
    /// Threads of methods that can use several; all cores if absent.
    pub threads: Option<usize>,
    /// The how-manieth time, from 1.
    pub repeat: u32,
}

/// An instance and what it is called.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Subject {
    /// Its name where it comes from, or else its id.
    pub name: String,
    /// Its id.
    pub instance: String,
}

/// An algorithm with all it is told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "WrittenMethod")]
pub struct Method {
    /// The algorithm with its parameters.
    pub algorithm: String,
    /// The heuristic with its parameters; the puzzle's usual one if absent.
    pub heuristic: Option<String>,
    /// The order in which actions are tried.
    pub order: Option<String>,
    /// The seed by which actions are shuffled.
    pub shuffle: Option<u64>,
    /// The limit on the length of a path.
    pub depth_limit: Option<u32>,
    /// The values of swept parameters, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
}

/// A method as results files hold it. In older files the weight of `wastar` has a field of its own.
#[derive(Deserialize)]
struct WrittenMethod {
    algorithm: String,
    heuristic: Option<String>,
    weight: Option<String>,
    order: Option<String>,
    shuffle: Option<u64>,
    depth_limit: Option<u32>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
}

impl From<WrittenMethod> for Method {
    fn from(written: WrittenMethod) -> Self {
        let WrittenMethod { algorithm, heuristic, weight, order, shuffle, depth_limit, parameters } = written;
        let algorithm = weight.map_or(algorithm.clone(), |weight| format!("{algorithm}:weight={weight}"));
        let algorithm = Choice::from_str(&algorithm).map_or(algorithm, |choice| choice.to_string());
        Self { algorithm, heuristic, order, shuffle, depth_limit, parameters }
    }
}

/// What a run may use; nothing said means as much as it takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Limits {
    /// Milliseconds.
    pub time_limit_ms: Option<u64>,
    /// Bytes of the whole process.
    pub memory_limit: Option<u64>,
    /// Expansions.
    pub node_limit: Option<u64>,
}

/// What the program around a run provides.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Bytes that the search's own structures may hold.
    pub memory: Option<usize>,
    /// The folder where tables are kept.
    pub cache: Option<PathBuf>,
    /// The most bytes that this folder may come to.
    pub cache_quota: Option<u64>,
}

impl Subject {
    /// An instance by its name or, without one, its id.
    pub fn new(name: Option<String>, instance: &dyn Instance) -> Self {
        let id = instance.id();
        Self { name: name.unwrap_or_else(|| id.clone()), instance: id }
    }

    /// The puzzle's name.
    pub fn puzzle(&self) -> &str {
        self.instance.split(':').next().unwrap_or_default()
    }

    /// Rows and columns.
    pub fn size(&self) -> Option<Size> {
        self.instance.split(':').nth(1)?.parse().ok()
    }

    /// The instance itself.
    pub fn read(&self) -> Result<Box<dyn Instance>, String> {
        let wrong = || format!("'{}' is not an instance id", self.instance);
        let (puzzle, body) = input::as_id(&self.instance).ok_or_else(wrong)?;
        puzzle.parse_id(body, None).map_err(|error| format!("{}: {}", wrong(), error.message))
    }
}

impl Method {
    /// An algorithm that is told nothing more.
    pub fn plain(algorithm: &str) -> Self {
        Self { algorithm: algorithm.into(), ..Self::default() }
    }

    /// An algorithm with a heuristic.
    pub fn guided(algorithm: &str, heuristic: &str) -> Self {
        Self { heuristic: Some(heuristic.into()), ..Self::plain(algorithm) }
    }

    /// What it is called in tables and plots.
    pub fn label(&self) -> String {
        let mut label = self.algorithm_label();
        let mut add = |text: &str| {
            label.push(' ');
            label.push_str(text);
        };
        if let Some(heuristic) = &self.heuristic {
            add(heuristic);
        }
        if let Some(depth) = self.depth_limit {
            add(&format!("depth={depth}"));
        }
        if let Some(order) = &self.order {
            add(order);
        }
        if let Some(seed) = self.shuffle {
            add(&format!("shuffle={seed}"));
        }
        label
    }
}

impl Method {
    /// The algorithm without parameters that have their usual values, unless they are swept.
    fn algorithm_label(&self) -> String {
        let Ok(mut spec) = self.algorithm.parse::<Spec>() else { return self.algorithm.clone() };
        let declared = Choice::parameters_of(&spec.name);
        let usual = |name: &str, value: &str| {
            declared.iter().any(|parameter| parameter.name == name && parameter.default == Some(value))
        };
        spec.given.retain(|(name, value)| self.parameters.contains_key(name) || !usual(name, value));
        spec.to_string()
    }
}

impl Task {
    /// The limit on time.
    pub fn time_limit(&self) -> Option<Duration> {
        self.limits.time_limit_ms.map(Duration::from_millis)
    }

    /// The command that does the run alone.
    pub fn command(&self) -> String {
        let Method { algorithm, heuristic, order, shuffle, depth_limit, .. } = &*self.method;
        let Limits { time_limit_ms, memory_limit, node_limit } = self.limits;
        let mut text = format!("novelo solve {} --algorithm {algorithm}", self.subject.instance);
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = write!(text, " --{name} {value}");
            }
        };
        add("heuristic", heuristic.clone());
        add("order", order.clone());
        add("shuffle", shuffle.map(|seed| seed.to_string()));
        add("depth-limit", depth_limit.map(|depth| depth.to_string()));
        add("time-limit", time_limit_ms.map(|ms| in_units(ms, &[(60_000, "m"), (1000, "s")], "ms")));
        let binary = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        add("memory-limit", memory_limit.map(|bytes| in_units(bytes, &binary, "B")));
        add("node-limit", node_limit.map(|nodes| nodes.to_string()));
        add("threads", self.threads.map(|threads| threads.to_string()));
        text
    }

    /// What is asked of the instance, or what is wrong with it.
    pub fn request(&self, environment: &Environment) -> Result<Request, ParameterError> {
        let Method { algorithm, heuristic, order, shuffle, depth_limit, .. } = &*self.method;
        Ok(Request {
            algorithm: Choice::from_str(algorithm)?,
            heuristic: heuristic.as_deref().map(Spec::from_str).transpose()?,
            order: order.clone(),
            settings: Settings {
                limits: novelo_search::Limits {
                    time: self.time_limit(),
                    memory: environment.memory,
                    nodes: self.limits.node_limit,
                    depth: *depth_limit,
                },
                shuffle: *shuffle,
                ..Settings::default()
            },
            threads: self.threads,
            cache: environment.cache.clone(),
            cache_quota: environment.cache_quota,
            ..Request::default()
        })
    }
}

/// A time in milliseconds, or the most that can be said.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A number in the largest unit of which it is a multiple.
fn in_units(number: u64, units: &[(u64, &str)], smallest: &str) -> String {
    let unit = units.iter().find(|(size, _)| number > 0 && number.is_multiple_of(*size));
    unit.map_or(format!("{number}{smallest}"), |(size, unit)| format!("{}{unit}", number / size))
}
