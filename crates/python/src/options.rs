//! What a run is told, as it comes from Python.

use std::time::Duration;

use novelo_lab::Environment;
use novelo_puzzles::Request;
use novelo_search::{Limits, Settings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Options of a run: the keys of a dictionary.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    pub algorithm: String,
    pub heuristic: Option<String>,
    pub order: Option<String>,
    pub shuffle: Option<u64>,
    pub threads: Option<usize>,
    pub time_limit: Option<Time>,
    pub memory_limit: Option<Memory>,
    pub node_limit: Option<u64>,
    pub depth_limit: Option<u32>,
}

/// Seconds, or a text such as 1m30s.
#[derive(Debug, Clone, FromPyObject)]
pub enum Time {
    Seconds(f64),
    Text(String),
}

/// Bytes, or a text such as 2GiB.
#[derive(Debug, Clone, FromPyObject)]
pub enum Memory {
    Bytes(u64),
    Text(String),
}

impl Time {
    pub fn duration(&self) -> PyResult<Duration> {
        match self {
            Self::Seconds(seconds) => Duration::try_from_secs_f64(*seconds).map_err(|_| {
                wrong(format!("{seconds} is not a time; give seconds from 0 on, or a text such as 1m30s"))
            }),
            Self::Text(text) => humantime::parse_duration(text)
                .map_err(|_| wrong(format!("'{text}' is not a time; write 500ms, 10s or 1m30s"))),
        }
    }
}

impl Memory {
    pub fn bytes(&self) -> PyResult<u64> {
        match self {
            Self::Bytes(bytes) => Ok(*bytes),
            Self::Text(text) => text
                .parse::<bytesize::ByteSize>()
                .map(|size| size.0)
                .map_err(|_| wrong(format!("'{text}' is not a size; write 300MiB or 2GiB"))),
        }
    }
}

/// Bad input: the sentence of the command line.
pub fn wrong(sentence: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(sentence.to_string())
}

impl Options {
    pub fn limits(&self) -> PyResult<Limits> {
        Ok(Limits {
            time: self.time_limit.as_ref().map(Time::duration).transpose()?,
            memory: Some(memory(self.memory_limit.as_ref())?),
            nodes: self.node_limit,
            depth: self.depth_limit,
        })
    }

    pub fn settings(&self) -> PyResult<Settings> {
        if !self.threads.is_none_or(|threads| (1..=1024).contains(&threads)) {
            return Err(wrong("threads is a number from 1 to 1024"));
        }
        Ok(Settings { limits: self.limits()?, shuffle: self.shuffle, threads: self.threads.unwrap_or(1) })
    }

    /// The same for an instance of a puzzle.
    pub fn request(&self) -> PyResult<Request> {
        let settings = Settings { threads: 1, ..self.settings()? };
        Ok(Request {
            algorithm: self.algorithm.parse().map_err(wrong)?,
            heuristic: self.heuristic.as_ref().map(|text| text.parse()).transpose().map_err(wrong)?,
            order: self.order.clone(),
            settings,
            threads: self.threads,
            cache: cache(),
            ..Request::default()
        })
    }
}

/// The bytes that a search's own structures may hold: nine tenths of what is free if nothing is said.
pub fn memory(limit: Option<&Memory>) -> PyResult<usize> {
    match limit {
        Some(limit) => Ok(usize::try_from(limit.bytes()?).unwrap_or(usize::MAX)),
        None => Ok((free() / 10 * 9) as usize),
    }
}

/// What the program around a run of the lab provides.
pub fn environment(limit: Option<&Memory>) -> PyResult<Environment> {
    Ok(Environment { memory: Some(memory(limit)?), cache: cache(), cache_quota: None })
}

/// Bytes that could be taken now, by the machine and by its control group.
fn free() -> u64 {
    let system = System::new_with_specifics(
        RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()),
    );
    let machine = system.available_memory();
    match system.cgroup_limits() {
        Some(limits) if limits.total_memory > 0 => machine.min(limits.free_memory),
        _ => machine,
    }
}

/// Where tables are kept for the next time, as the program has it: `NOVELO_CACHE`, or `novelo` in the user's cache folder.
fn cache() -> Option<std::path::PathBuf> {
    let given =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(std::path::PathBuf::from);
    let user = || given("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let home = || given("HOME").or_else(|| given("USERPROFILE")).map(|home| home.join(".cache"));
    given("NOVELO_CACHE").or_else(|| user().or_else(home).map(|folder| folder.join("novelo")))
}
