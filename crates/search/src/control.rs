//! Limits, cancellation and progress: one meter that every algorithm ticks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::limits::{Frontier, Limits, Progress, Stop};
use crate::stats::Stats;

/// A function that is told how a run goes.
pub type Listener<'a> = Box<dyn FnMut(&Progress) + 'a>;

/// The caller's hold on a run: a flag that cancels it, a function that is told
/// how it goes.
#[derive(Default)]
pub struct Control<'a> {
    /// Set to true from anywhere to end the run.
    pub cancel: Option<&'a AtomicBool>,
    /// Called several times a second.
    pub progress: Option<Listener<'a>>,
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

/// What an algorithm holds, for the memory limit and the statistics.
pub trait Held {
    /// Nodes held now.
    fn nodes(&self) -> u64;
    /// Bytes held now.
    fn bytes(&self) -> usize;
    /// Bytes held beside these for a moment since this was last asked.
    fn passing_bytes(&self) -> usize {
        0
    }
}

/// Longest stride between two looks at the clock, in expansions.
const LONGEST_STRIDE: u64 = 4096;
/// The stride shrinks until looks are no further apart than this.
const LOOK_EVERY: Duration = Duration::from_millis(2);
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// Counts a run and ends it at its limits.
///
/// The clock, the cancel flag and the memory are looked at once in a stride of
/// expansions, not at each; the stride adapts to the speed of the problem, so
/// that limits hold to a few milliseconds whether an expansion takes ten
/// nanoseconds or ten milliseconds.
#[derive(Debug)]
pub struct Meter<'c, 'a> {
    limits: Limits,
    control: &'c mut Control<'a>,
    started: Instant,
    /// The counts so far; algorithms add to `generated` themselves.
    pub stats: Stats,
    next_look: u64,
    stride: u64,
    last_look: Instant,
    last_bytes: usize,
    last_progress: Instant,
}

impl<'c, 'a> Meter<'c, 'a> {
    /// Starts the clock.
    pub fn new(limits: Limits, control: &'c mut Control<'a>) -> Self {
        let now = Instant::now();
        Self {
            limits,
            control,
            started: now,
            stats: Stats { generated: 1, ..Stats::default() },
            next_look: 1,
            stride: 1,
            last_look: now,
            last_bytes: 0,
            last_progress: now,
        }
    }

    /// The limits of this run.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Counts one expansion that is about to happen, or says why it must not.
    #[inline]
    pub fn expand(&mut self, held: &impl Held, frontier: Frontier) -> Result<(), Stop> {
        self.stats.expanded += 1;
        if self.stats.expanded < self.next_look { Ok(()) } else { self.look(held, frontier) }
    }

    /// As [`expand`](Meter::expand), for steps so long that the limits are worth
    /// a look at each.
    pub fn expand_long(&mut self, held: &impl Held, frontier: Frontier) -> Result<(), Stop> {
        self.stats.expanded += 1;
        self.look(held, frontier)
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self, held: &impl Held, frontier: Frontier) -> Result<(), Stop> {
        if self.limits.nodes.is_some_and(|most| self.stats.expanded > most) {
            self.stats.expanded -= 1;
            return Err(Stop::Nodes);
        }
        let now = Instant::now();
        let elapsed = now - self.started;
        let bytes = held.bytes();
        self.record(held.nodes(), bytes + held.passing_bytes());
        if self.control.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stop::Interrupted);
        }
        if self.limits.time.is_some_and(|most| elapsed >= most) {
            return Err(Stop::Time);
        }
        if now - self.last_progress >= PROGRESS_EVERY {
            self.last_progress = now;
            if let Some(report) = &mut self.control.progress {
                report(&Progress {
                    elapsed,
                    expanded: self.stats.expanded,
                    generated: self.stats.generated,
                    stored: held.nodes(),
                    bytes,
                    frontier,
                });
            }
        }
        let slow = now - self.last_look > LOOK_EVERY;
        let mut stride = if slow { self.stride / 2 } else { self.stride * 2 };
        if let Some(most) = self.limits.memory {
            if bytes > most {
                return Err(Stop::Memory);
            }
            // A stride must not overshoot what is left, even if memory is needed twice as fast as in the last one.
            let growth = bytes.saturating_sub(self.last_bytes).max(1) as u64;
            stride = stride.min(self.stride.saturating_mul((most - bytes) as u64) / (2 * growth));
        }
        self.stride = stride.clamp(1, LONGEST_STRIDE);
        self.last_look = now;
        self.last_bytes = bytes;
        self.next_look = self.stats.expanded + self.stride;
        if let Some(most) = self.limits.nodes {
            self.next_look = self.next_look.min(most + 1);
        }
        Ok(())
    }

    /// Notes what is held now, for the peaks.
    #[inline]
    pub fn record(&mut self, nodes: u64, bytes: usize) {
        self.stats.stored_peak = self.stats.stored_peak.max(nodes);
        self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
    }

    /// Stops the clock and hands over the counts.
    pub fn finish(mut self, held: &impl Held) -> Stats {
        self.record(held.nodes(), held.bytes() + held.passing_bytes());
        self.stats.elapsed = self.started.elapsed();
        self.stats
    }
}
