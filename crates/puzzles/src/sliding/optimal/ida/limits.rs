//! What may end a search early, checked at little cost.

use std::sync::atomic::{AtomicBool, Ordering};

use novelo_search::Stop;

use crate::sliding::optimal::watch::Watch;

/// Limits of a search beside those of its watch, and its number of threads.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Ends the search before it expands more nodes than this, whatever the watch allows.
    pub nodes: Option<u64>,
    /// Ends the search when no solution is at most so long.
    pub depth: Option<u32>,
    /// The number of threads; with 1 the counts are the same in every run.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { nodes: None, depth: None, threads: 1 }
    }
}

/// What the threads of one iteration share.
pub(super) struct Shared<'a> {
    pub watch: Watch<'a>,
    /// Nodes that may still be expanded.
    pub nodes: Option<u64>,
    /// Raised when a solution is found: the other threads stop.
    pub found: AtomicBool,
}

/// Counts the nodes of one thread and looks at the limits every now and then.
pub struct Meter<'a> {
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes generated.
    pub generated: u64,
    poll_at: u64,
    reported: (u64, u64),
    stop: Option<Stop>,
    shared: &'a Shared<'a>,
}

impl<'a> Meter<'a> {
    /// Expansions between two looks; some milliseconds.
    const INTERVAL: u64 = 1 << 16;

    pub(super) fn new(shared: &'a Shared<'a>) -> Self {
        let mut meter = Self { expanded: 0, generated: 0, poll_at: 0, reported: (0, 0), stop: None, shared };
        meter.arm();
        meter
    }

    fn arm(&mut self) {
        let next = self.expanded + Self::INTERVAL;
        self.poll_at = self.shared.nodes.map_or(next, |most| most.min(next));
    }

    /// Whether it is time to call [`Self::poll`], before the next expansion.
    #[inline]
    pub fn due(&self) -> bool {
        self.expanded >= self.poll_at
    }

    /// Reports the counts and says whether the search should stop.
    #[cold]
    #[inline(never)]
    pub fn poll(&mut self) -> bool {
        self.report();
        self.arm();
        self.stop = if self.shared.nodes.is_some_and(|most| self.expanded >= most) {
            Some(Stop::Nodes)
        } else {
            self.shared.watch.stop()
        };
        self.stop.is_some() || self.shared.found.load(Ordering::Relaxed)
    }

    /// What ended the search of this thread, if a limit did.
    pub(super) fn stop(&self) -> Option<Stop> {
        self.stop
    }

    pub(super) fn report(&mut self) {
        let tally = self.shared.watch.tally;
        tally.expanded.fetch_add(self.expanded - self.reported.0, Ordering::Relaxed);
        // A solved search takes back the children it has not looked at: the difference may be below zero.
        tally.generated.fetch_add(self.generated.wrapping_sub(self.reported.1), Ordering::Relaxed);
        self.reported = (self.expanded, self.generated);
    }
}
