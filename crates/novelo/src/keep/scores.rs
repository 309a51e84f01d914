//! The best scores of each puzzle, size and difficulty.

use std::collections::BTreeMap;
use std::fs;

use novelo_puzzles::session::Snapshot;
use serde::{Deserialize, Serialize};

use super::{Keep, replace, set_aside};

const NAME: &str = "scores.json";
/// Scores kept of each kind.
const MOST: usize = 10;

/// One game that was won.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Seconds and hints together; less is better.
    pub score: u64,
    /// The time played.
    pub seconds: u64,
    /// The hints taken.
    pub hints: u32,
    /// What the moves cost.
    pub cost: u32,
    /// The instance's id.
    pub instance: String,
    /// Who won it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Score {
    /// Of a game that was won without giving up.
    pub fn of(won: &Snapshot) -> Option<Self> {
        let Snapshot { seconds, hints, cost, .. } = *won;
        won.score.map(|score| Self {
            score,
            seconds,
            hints,
            cost,
            instance: won.instance.clone(),
            name: None,
        })
    }
}

/// By puzzle, size and, where it is known, difficulty, such as `sliding 4x4 hard`: the best first.
pub type Table = BTreeMap<String, Vec<Score>>;

impl Keep {
    /// All scores; a damaged file is set aside, which the message says.
    pub fn scores(&self) -> (Table, Option<String>) {
        let path = self.path(NAME);
        let Some((path, text)) = path.and_then(|path| fs::read(&path).ok().map(|text| (path, text))) else {
            return (Table::new(), None);
        };
        match serde_json::from_slice(&text) {
            Ok(table) => (table, None),
            Err(error) => (Table::new(), Some(set_aside(&path, "the file of scores is", &error.to_string()))),
        }
    }

    /// The best scores of a kind, and what was wrong with the file.
    pub fn best(&self, kind: &str) -> (Vec<Score>, Option<String>) {
        let (mut table, trouble) = self.scores();
        (table.remove(kind).unwrap_or_default(), trouble)
    }

    /// Keeps a score if it is among the best; its place among them, from 1.
    pub fn record(&self, kind: &str, score: Score) -> Result<Option<usize>, String> {
        let (mut table, trouble) = self.scores();
        let best = table.entry(kind.into()).or_default();
        let place = best.partition_point(|other| other.score <= score.score);
        best.insert(place, score);
        best.truncate(MOST);
        let text = serde_json::to_string_pretty(&table).expect("plain data");
        if let Some(path) = self.path(NAME) {
            replace(&path, &text).map_err(|error| format!("the score cannot be kept: {error}"))?;
        }
        match trouble {
            Some(trouble) => Err(trouble),
            None => Ok((place < MOST).then_some(place + 1)),
        }
    }
}
