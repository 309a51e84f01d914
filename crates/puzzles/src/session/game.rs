//! What a puzzle must know to be played by a person.

use crate::Cost;
use novelo_search::Stop;
use serde::Serialize;

use super::oracle::Oracle;
use super::view::{Marks, View};
use crate::puzzle::Instance;

/// A position under the hands of a player: the rules of playing one puzzle.
///
/// History, undo, hints, clock and score are the [session's](super::Session);
/// a game knows its current position only.
pub trait Game: Send + Sync {
    /// Makes a move written as a person would, or says why it cannot be made.
    /// A refused move changes nothing.
    fn play(&mut self, text: &str) -> Result<Played, IllegalMove>;

    /// Whether the game goes on. Cheap: it looks at the board, it does not search.
    fn status(&self) -> Status;

    /// How much of the goal is reached.
    fn progress(&self) -> Progress;

    /// What the moves made so far cost, in the measure of the puzzle's par.
    fn cost(&self) -> Cost;

    /// What the board looks like.
    fn view(&self) -> View;

    /// What the board looks like when the game is won, where the puzzle leaves a choice and this is not the usual one.
    fn unusual_goal(&self) -> Option<View> {
        None
    }

    /// The current position as an instance of its own, for the exact solver.
    fn position(&self) -> Box<dyn Instance>;

    /// A solver's moves from the current position as moves of a player.
    fn continuation(&self, solution: Vec<String>) -> Vec<String> {
        solution
    }

    /// Whether a move only takes something back: if the position after it
    /// cannot be solved, neither could the one before. All other moves are the
    /// other way round: if the position before cannot be solved, nor can the
    /// one after.
    fn takes_back(&self, _made: &str) -> bool {
        false
    }

    /// What is certainly wrong on the board.
    fn check(&self, oracle: &Oracle<'_>) -> Result<Check, Stop>;
}

/// What a legal move was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Played {
    /// A move, in its one written form.
    Made(String),
    /// The way back: the last move is taken back.
    Back,
}

/// Why a move cannot be made, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{0}")]
pub struct IllegalMove(pub String);

impl IllegalMove {
    /// A refusal as a result.
    pub fn because<T>(reason: impl Into<String>) -> Result<T, Self> {
        Err(Self(reason.into()))
    }
}

/// Whether a game goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Status {
    /// There are moves to make.
    Playing,
    /// The goal is reached.
    Won,
    /// Nothing leads on from here; only taking back helps.
    Lost {
        /// Why, in a sentence.
        reason: String,
    },
}

/// How much of the goal is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// How many tiles are at home, numbers written, cells visited or boxes closed.
    pub done: usize,
    /// How many there are in all.
    pub total: usize,
}

/// What is certainly wrong on a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What is marked.
    pub wrong: Marks,
    /// What was found, in a sentence.
    pub words: String,
}

impl Check {
    /// Nothing to mark, and why.
    pub fn nothing(words: impl Into<String>) -> Self {
        Self { wrong: Marks::default(), words: words.into() }
    }
}
