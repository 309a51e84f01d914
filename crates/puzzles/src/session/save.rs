//! Games as text files.
//!
//! ```text
//! novelo game 1
//! instance sliding:3x3:1,2,3,4,5,6,0,7,8
//! seconds 12
//! hints 1
//! gave up no
//! moves 2, made 1
//! R
//! R
//! ```

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Clock, Session, Status};

const FIRST: &str = "novelo game 1";

/// What is wrong with a saved game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SaveError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl SaveError {
    fn at<T>(line: usize, message: impl Into<String>) -> Result<T, Self> {
        Err(Self { line, message: message.into() })
    }
}

impl Session {
    /// The game as a text, with its whole history.
    pub fn save(&self) -> String {
        let mut text = format!("{FIRST}\ninstance {}\n", self.instance.id());
        let _ = writeln!(text, "seconds {}", self.clock.played().as_secs());
        let _ = writeln!(text, "hints {}", self.hints);
        let _ = writeln!(text, "gave up {}", if self.gave_up { "yes" } else { "no" });
        let _ = writeln!(text, "moves {}, made {}", self.moves.len(), self.made);
        self.moves.iter().for_each(|made| {
            let _ = writeln!(text, "{made}");
        });
        text
    }

    /// The game of a text. Its clock runs on from where it stood.
    pub fn load(text: &str) -> Result<Self, SaveError> {
        Self::load_at_most(text, usize::MAX, &AtomicBool::new(false))
    }

    /// The same for a text from elsewhere: it is refused at sight if it has too many moves, and the flag ends the replay.
    pub fn load_at_most(text: &str, most: usize, cancel: &AtomicBool) -> Result<Self, SaveError> {
        let mut lines = Lines { lines: text.lines().collect(), at: 0 };
        if lines.next("the first line")? != FIRST {
            return SaveError::at(1, format!("this is no saved game, which begins with '{FIRST}'"));
        }
        let id = lines.field("instance")?;
        let mut session = Self::from_id(id)
            .or_else(|error| SaveError::at(lines.at, format!("the instance cannot be read: {error}")))?;
        let seconds = lines.number("seconds")?;
        let hints = lines.number("hints")?;
        session.gave_up = match lines.field("gave up")? {
            "yes" => true,
            "no" => false,
            other => return SaveError::at(lines.at, format!("'{other}' is neither yes nor no")),
        };
        let (moves, made) = lines.moves()?;
        if moves > most {
            return SaveError::at(lines.at, format!("a game has at most {most} moves, not {moves}"));
        }
        for number in 1..=moves {
            let made = lines.next(&format!("move {number} of {moves}"))?;
            session.play(made).or_else(|refusal| {
                SaveError::at(lines.at, format!("'{made}' cannot be played: {refusal}"))
            })?;
            if session.moves.len() != number {
                return SaveError::at(lines.at, "the moves walk back and forth, which is never saved");
            }
            if cancel.load(Ordering::Relaxed) {
                return SaveError::at(lines.at, "the time to replay the game was used up before this move");
            }
        }
        if let Some(extra) = lines.lines.get(lines.at) {
            return SaveError::at(lines.at + 1, format!("'{extra}' stands after the last of {moves} moves"));
        }
        session.go_to(made);
        session.hints = u32::try_from(hints).unwrap_or(u32::MAX);
        session.clock = Clock::running(Duration::from_secs(seconds));
        if session.status() == Status::Won {
            session.clock.stop();
        }
        Ok(session)
    }
}

struct Lines<'t> {
    lines: Vec<&'t str>,
    /// How many have been read.
    at: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self, what: &str) -> Result<&'t str, SaveError> {
        self.at += 1;
        match self.lines.get(self.at - 1) {
            Some(line) => Ok(line.trim_end()),
            None => SaveError::at(self.at, format!("the file ends before {what}")),
        }
    }

    fn field(&mut self, name: &str) -> Result<&'t str, SaveError> {
        let line = self.next(&format!("its line '{name} …'"))?;
        match line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')) {
            Some(value) => Ok(value),
            None => SaveError::at(self.at, format!("'{name} …' should stand here, not '{line}'")),
        }
    }

    fn number(&mut self, name: &str) -> Result<u64, SaveError> {
        let value = self.field(name)?;
        value.parse().or_else(|_| SaveError::at(self.at, format!("'{value}' is not a number of {name}")))
    }

    fn moves(&mut self) -> Result<(usize, usize), SaveError> {
        let value = self.field("moves")?;
        let numbers = value.split_once(", made ").map(|(all, made)| (all.parse().ok(), made.parse().ok()));
        match numbers {
            Some((Some(all), Some(made))) if made <= all => Ok((all, made)),
            _ => SaveError::at(self.at, format!("'{value}' is not of the form '5, made 3'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A save of a walk to and fro on a board of tiles, the moves as they are.
    fn save(moves: &[&str]) -> String {
        let (count, moves) = (moves.len(), moves.join("\n"));
        let id = "sliding:3x3:1,2,3,4,0,5,6,7,8";
        format!(
            "{FIRST}\ninstance {id}\nseconds 1\nhints 0\ngave up no\nmoves {count}, made {count}\n{moves}\n"
        )
    }

    #[test]
    fn a_game_with_too_many_moves_is_refused_before_it_is_played() {
        let circles = ["U", "L", "D", "R"].repeat(5);
        let never = AtomicBool::new(false);
        assert!(Session::load_at_most(&save(&circles), 20, &never).is_ok());
        let error = Session::load_at_most(&save(&circles), 19, &never).unwrap_err();
        assert_eq!(error.to_string(), "line 6: a game has at most 19 moves, not 20");
    }

    #[test]
    fn a_replay_ends_when_it_is_no_longer_wanted() {
        let error = Session::load_at_most(&save(&["U", "L"]), 20, &AtomicBool::new(true)).unwrap_err();
        assert_eq!(error.line, 7);
    }

    #[test]
    fn a_step_back_is_refused_where_it_stands() {
        let maze = crate::puzzle("mazes").unwrap().info().example;
        let text = format!("{FIRST}\ninstance {maze}\nseconds 1\nhints 0\ngave up no\n");
        let ways = [["U", "D"], ["R", "L"], ["D", "U"], ["L", "R"]];
        let way = ways.iter().find(|way| Session::from_id(maze).unwrap().play(way[0]).is_ok()).unwrap();
        let walk = format!("{text}moves 4, made 4\n{}\n{}\n{}\n{}\n", way[0], way[1], way[0], way[1]);
        let error = Session::load(&walk).unwrap_err();
        assert_eq!(error.to_string(), "line 8: the moves walk back and forth, which is never saved");
    }
}
