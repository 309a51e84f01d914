//! Games that are played on the page.
//!
//! The page keeps each game's text too, so one that is forgotten here, or a server that was started anew, costs
//! nobody a game.

pub mod routes;
mod table;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use novelo_puzzles::session::Session;

pub use table::Table;

use super::api_error::ApiError;
use super::token;

/// At most this many games are kept.
const MOST: usize = 1000;
/// A game that nobody has touched during this time is forgotten.
const MEMORY: Duration = Duration::from_secs(2 * 3600);
/// When there are too many, one that rested this long makes room.
const REST: Duration = Duration::from_secs(60);

/// All games of a server, by names that nobody can guess.
#[derive(Default)]
pub struct Games(Mutex<HashMap<String, (Arc<Table>, Instant)>>);

impl Games {
    fn games(&self) -> MutexGuard<'_, HashMap<String, (Arc<Table>, Instant)>> {
        // Every change under the lock is whole, so a panic elsewhere leaves no half of one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a game.
    fn open(&self, session: Session) -> Result<Arc<Table>, ApiError> {
        let mut games = self.games();
        if games.len() >= MOST {
            let longest = games.iter().max_by_key(|(_, (_, used))| used.elapsed());
            match longest.filter(|(_, (_, used))| used.elapsed() > REST).map(|(name, _)| name.clone()) {
                Some(name) => games.remove(&name),
                None => return Err(ApiError::full(format!("{MOST} games are being played already"))),
            };
        }
        let table = Arc::new(Table::new(token(), session));
        games.insert(table.token.clone(), (table.clone(), Instant::now()));
        Ok(table)
    }

    /// The game of a name.
    fn find(&self, token: &str) -> Result<Arc<Table>, ApiError> {
        match self.games().get_mut(token) {
            Some((table, used)) => {
                *used = Instant::now();
                Ok(table.clone())
            }
            None => Err(ApiError::missing("this game is not known here any more")
                .help("open it again from its saved text")),
        }
    }

    fn close(&self, token: &str) -> Result<(), ApiError> {
        self.find(token)?;
        self.games().remove(token);
        Ok(())
    }

    /// Forgets games that nobody has touched in a long time.
    pub fn reap(&self) {
        self.games().retain(|_, (_, used)| used.elapsed() < MEMORY);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.games().len()
    }
}
