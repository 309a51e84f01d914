//! The experiment file, as it is written.

use std::collections::BTreeMap;
use std::time::Duration;

use bytesize::ByteSize;
use serde::{Deserialize, Deserializer, de};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Wanted {
    pub title: String,
    #[serde(default)]
    pub text: String,
    #[serde(default = "once")]
    pub repeats: u32,
    #[serde(default, deserialize_with = "duration")]
    pub time_limit: Option<Duration>,
    #[serde(default, deserialize_with = "size")]
    pub memory_limit: Option<ByteSize>,
    pub node_limit: Option<u64>,
    /// One, so that every timed run has a core to itself.
    #[serde(default = "one")]
    pub threads: usize,
    #[serde(default)]
    pub instances: Vec<Source>,
    #[serde(default)]
    pub methods: Vec<Methods>,
}

/// Where instances come from: files, or a generator.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(super) struct Source {
    /// Files and patterns, in the folders where instances are looked for.
    pub files: Vec<String>,
    /// Taken where none of `files` is there.
    pub otherwise: Option<Box<Source>>,
    /// The names or numbers of those wanted; all if empty.
    pub pick: Vec<String>,
    /// Which puzzle the files hold, where their looks do not tell.
    pub puzzle: Option<String>,
    pub goal: Option<String>,
    /// The puzzle of which to make instances.
    pub generate: Option<String>,
    pub size: Option<String>,
    pub seed: Option<u64>,
    pub count: Option<u64>,
    pub difficulty: Option<String>,
    /// Everything else: the options of the puzzle's generator.
    #[serde(flatten)]
    pub options: BTreeMap<String, toml::Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct Methods {
    pub algorithms: Vec<String>,
    pub heuristics: Vec<String>,
    pub order: Option<String>,
    pub shuffle: Option<u64>,
    pub depth_limit: Option<u32>,
    /// Parameters by name, with their values as `1.0..2.0 step 0.2` or `1, 2, 5`. A value stands where `{name}` is
    /// written, and for a parameter of this name that an algorithm or heuristic has and is not given.
    pub sweep: BTreeMap<String, String>,
}

fn once() -> u32 {
    1
}

fn one() -> usize {
    1
}

fn duration<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(from)?;
    let wrong = |_| de::Error::custom(format!("'{text}' is not a time; write 500ms, 10s or 1m30s"));
    humantime::parse_duration(&text).map(Some).map_err(wrong)
}

fn size<'d, D: Deserializer<'d>>(from: D) -> Result<Option<ByteSize>, D::Error> {
    let text = String::deserialize(from)?;
    let wrong = |_| de::Error::custom(format!("'{text}' is not a size; write 300MiB or 2GiB"));
    text.parse().map(Some).map_err(wrong)
}
