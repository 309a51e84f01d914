//! The time played.

use std::time::{Duration, Instant};

/// A stopwatch that can be stopped and started again.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    before: Duration,
    since: Option<Instant>,
}

impl Clock {
    /// A running clock that shows so much already.
    pub fn running(before: Duration) -> Self {
        Self { before, since: Some(Instant::now()) }
    }

    /// What it shows.
    pub fn played(&self) -> Duration {
        self.before.saturating_add(self.since.map_or(Duration::ZERO, |since| since.elapsed()))
    }

    /// Whether it runs.
    pub fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// Stops it.
    pub fn stop(&mut self) {
        *self = Self { before: self.played(), since: None };
    }

    /// Lets it run on.
    pub fn run(&mut self) {
        *self = Self::running(self.played());
    }
}
