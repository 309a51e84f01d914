//! The last game of each puzzle.

use std::fs;
use std::io;

use novelo_puzzles::PUZZLES;
use novelo_puzzles::session::{Session, Status};

use super::{Keep, replace, set_aside};

fn name(puzzle: &str) -> String {
    format!("games/{puzzle}.game")
}

impl Keep {
    /// Keeps a game as it is now.
    pub fn save(&self, session: &Session) -> io::Result<()> {
        let puzzle = session.instance().puzzle().info().name;
        self.path(&name(puzzle)).map_or(Ok(()), |path| replace(&path, &session.save()))
    }

    /// The game of a puzzle that was left before it was won. A damaged one is
    /// set aside, which the error says.
    pub fn unfinished(&self, puzzle: &str) -> Result<Option<Session>, String> {
        let Some(path) = self.path(&name(puzzle)) else { return Ok(None) };
        let Ok(text) = fs::read(&path) else { return Ok(None) };
        match Session::load(&String::from_utf8_lossy(&text)) {
            Ok(session) => Ok(Some(session).filter(|session| session.status() != Status::Won)),
            Err(error) => {
                Err(set_aside(&path, &format!("the saved game of {puzzle} is"), &error.to_string()))
            }
        }
    }

    /// The puzzles that have an unfinished game, and what was wrong with others.
    pub fn all_unfinished(&self) -> (Vec<&'static str>, Vec<String>) {
        let (mut names, mut troubles) = (Vec::new(), Vec::new());
        for puzzle in PUZZLES.iter().map(|puzzle| puzzle.info().name) {
            match self.unfinished(puzzle) {
                Ok(Some(_)) => names.push(puzzle),
                Ok(None) => {}
                Err(error) => troubles.push(error),
            }
        }
        (names, troubles)
    }
}
