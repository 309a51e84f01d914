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
/// At most about this many bytes are kept of all games.
const MOST_BYTES: usize = 128 << 20;
/// A game that nobody has touched during this time is forgotten.
const MEMORY: Duration = Duration::from_secs(2 * 3600);
/// When there are too many, one that rested this long makes room.
const REST: Duration = Duration::from_secs(60);

/// All games of a server, by names that nobody can guess.
#[derive(Default)]
pub struct Games(Mutex<HashMap<String, (Arc<Table>, Instant)>>);

/// About the bytes of all games.
fn bytes(games: &HashMap<String, (Arc<Table>, Instant)>) -> usize {
    games.values().map(|(table, _)| table.bytes()).sum()
}

/// Forgets the game that rested longest, if it rested long enough.
fn drop_rested(games: &mut HashMap<String, (Arc<Table>, Instant)>) -> bool {
    let longest = games.iter().max_by_key(|(_, (_, used))| used.elapsed());
    let longest = longest.filter(|(_, (_, used))| used.elapsed() > REST).map(|(name, _)| name.clone());
    longest.is_some_and(|name| games.remove(&name).is_some())
}

impl Games {
    fn games(&self) -> MutexGuard<'_, HashMap<String, (Arc<Table>, Instant)>> {
        // Every change under the lock is whole, so a panic elsewhere leaves no half of one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a game.
    fn open(&self, session: Session) -> Result<Arc<Table>, ApiError> {
        let table = Arc::new(Table::new(token(), session));
        let mut games = self.games();
        let full = |games: &HashMap<_, _>| games.len() >= MOST || bytes(games) + table.bytes() > MOST_BYTES;
        while full(&games) {
            if !drop_rested(&mut games) {
                let message = format!("as many games are being played as are kept, {}", games.len());
                return Err(ApiError::full(message));
            }
        }
        games.insert(table.token.clone(), (table.clone(), Instant::now()));
        Ok(table)
    }

    /// Sees to it that games which grow do not come to hold too much together.
    fn make_room(&self) -> Result<(), ApiError> {
        let mut games = self.games();
        while bytes(&games) > MOST_BYTES {
            if !drop_rested(&mut games) {
                return Err(ApiError::full("the games in play hold all the memory there is for them"));
            }
        }
        Ok(())
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

    /// Forgets all games.
    pub fn forget_all(&self) {
        self.games().clear();
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.games().len()
    }
}
