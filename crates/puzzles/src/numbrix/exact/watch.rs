//! What ends the SAT solver from outside, while it thinks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cadical::Callbacks;
use memory_stats::memory_stats;
use novelo_search::{Control, Limits};

/// The solver asks whether to end many times a millisecond; the memory is
/// looked at once in so many times.
const ASKED: u32 = 64;

/// The limits of a run, for a solver that knows none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Watch<'w> {
    deadline: Option<Instant>,
    cancel: Option<&'w AtomicBool>,
    /// The bytes that may be held.
    memory: Option<usize>,
    /// The bytes that the process held at the start.
    before: usize,
    asked: u32,
}

/// Bytes of this process that are in memory; 0 where the system does not say.
fn resident() -> usize {
    memory_stats().map_or(0, |stats| stats.physical_mem)
}

impl<'w> Watch<'w> {
    /// Watches the caller's flag and limits, which begin now.
    pub fn new(limits: Limits, control: &Control<'w>) -> Self {
        Self {
            deadline: limits.time.map(|time| Instant::now() + time),
            cancel: control.cancel,
            memory: limits.memory,
            before: resident(),
            asked: 0,
        }
    }

    /// Whether so many more bytes may be taken.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.memory.is_none_or(|most| self.bytes().saturating_add(bytes) <= most)
    }

    /// Bytes that the process has taken since the start. Whatever else it does
    /// meanwhile counts as well, so this errs on the safe side.
    pub fn bytes(&self) -> usize {
        resident().saturating_sub(self.before)
    }
}

impl Callbacks for Watch<'_> {
    fn terminate(&mut self) -> bool {
        self.asked = (self.asked + 1) % ASKED;
        self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.asked == 0 && self.memory.is_some_and(|most| self.bytes() > most)
    }
}
