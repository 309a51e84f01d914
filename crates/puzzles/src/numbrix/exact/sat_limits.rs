//! What ends the SAT solver from outside, while it thinks.

use cadical::Callbacks;
use memory_stats::memory_stats;
use novelo_search::{Budget, Meter};

/// The solver asks whether to end many times a millisecond; the memory is
/// looked at once in so many times.
const ASKED: u32 = 64;

/// The limits of a run, for a solver that knows none.
#[derive(Debug, Clone, Copy)]
pub struct SatLimits<'m> {
    budget: Budget<'m>,
    /// The bytes that the process held at the start.
    before: usize,
    asked: u32,
}

/// Bytes of this process that are in memory; 0 where the system does not say.
fn resident() -> usize {
    memory_stats().map_or(0, |stats| stats.physical_mem)
}

impl<'m> SatLimits<'m> {
    /// Those of a meter; what the process takes from now on counts.
    pub fn new(meter: &'m Meter<'_>) -> Self {
        Self { budget: meter.budget(), before: resident(), asked: 0 }
    }

    /// Whether so many more bytes may be taken.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.memory().is_none_or(|most| self.bytes().saturating_add(bytes) <= most)
    }

    /// Bytes that the process has taken since the start. Whatever else it does
    /// meanwhile counts as well, so this errs on the safe side.
    pub fn bytes(&self) -> usize {
        resident().saturating_sub(self.before)
    }

    fn memory(&self) -> Option<usize> {
        self.budget.meter().limits().memory
    }
}

impl Callbacks for SatLimits<'_> {
    fn terminate(&mut self) -> bool {
        self.asked = (self.asked + 1) % ASKED;
        self.budget.over() || self.asked == 0 && self.memory().is_some_and(|most| self.bytes() > most)
    }
}
