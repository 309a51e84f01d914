//! What may end the work on a board, and what is known of it from outside while it goes on.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use novelo_search::{Control, Frontier, Progress, Settings, Stop};

/// Counts that all threads of a run add to.
#[derive(Debug, Default)]
pub struct Tally {
    pub expanded: AtomicU64,
    pub generated: AtomicU64,
    /// The bound of the iteration in hand.
    pub bound: AtomicU32,
    /// Entries known and entries in all of the table that is being built; 0 of 0 while none is.
    done: AtomicU64,
    total: AtomicU64,
    held: AtomicUsize,
    peak: AtomicUsize,
}

impl Tally {
    /// A table has come so far.
    pub fn built(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// The most bytes held at once.
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    fn progress(&self, elapsed: Duration) -> Progress {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let bound = self.bound.load(Ordering::Relaxed);
        Progress {
            elapsed,
            expanded: self.expanded.load(Ordering::Relaxed),
            generated: self.generated.load(Ordering::Relaxed),
            stored: u64::from(bound),
            bytes: self.held.load(Ordering::Relaxed),
            frontier: if done < total {
                Frontier::Share(done as f64 / total as f64)
            } else {
                Frontier::F(f64::from(bound))
            },
        }
    }
}

/// The limits that hold for every part of the work.
#[derive(Debug, Clone, Copy)]
pub struct Watch<'a> {
    /// Ends the work when raised.
    pub cancel: Option<&'a AtomicBool>,
    /// Ends the work at this moment.
    pub deadline: Option<Instant>,
    /// The most nodes to expand.
    pub nodes: Option<u64>,
    /// The most bytes to hold.
    pub memory: Option<usize>,
    /// Where to count.
    pub tally: &'a Tally,
}

impl<'a> Watch<'a> {
    /// No limits.
    pub fn idle(tally: &'a Tally) -> Self {
        Self { cancel: None, deadline: None, nodes: None, memory: None, tally }
    }

    /// The limits of a run that begins now.
    pub fn of(settings: &Settings, cancel: Option<&'a AtomicBool>, tally: &'a Tally) -> Self {
        let limits = settings.limits;
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Self { cancel, deadline, nodes: limits.nodes, memory: limits.memory, tally }
    }

    /// What ends the work now, if anything does.
    pub fn stop(&self) -> Option<Stop> {
        if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(Stop::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Stop::Time)
        } else if self.nodes_left() == Some(0) {
            Some(Stop::Nodes)
        } else {
            None
        }
    }

    /// How many nodes may still be expanded, by those that were reported to the tally.
    pub fn nodes_left(&self) -> Option<u64> {
        self.nodes.map(|most| most.saturating_sub(self.tally.expanded.load(Ordering::Relaxed)))
    }

    /// Whether anything ends the work now.
    pub fn over(&self) -> bool {
        self.stop().is_some()
    }

    /// Whether so many bytes more would stay within the limit.
    pub fn has_room(&self, bytes: usize) -> bool {
        let held = self.tally.held.load(Ordering::Relaxed);
        self.memory.is_none_or(|most| held.saturating_add(bytes) <= most)
    }

    /// Counts bytes as held until the guard is dropped.
    pub fn reserve(&self, bytes: usize) -> Result<Reserved<'a>, Stop> {
        if !self.has_room(bytes) {
            return Err(Stop::Memory);
        }
        let held = self.tally.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.tally.peak.fetch_max(held, Ordering::Relaxed);
        Ok(Reserved { bytes, tally: self.tally })
    }
}

/// Bytes counted as held.
#[derive(Debug)]
pub struct Reserved<'a> {
    bytes: usize,
    tally: &'a Tally,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.tally.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Does the work and meanwhile tells the caller how it goes.
///
/// Progress is reported by the calling thread, since the caller's function need not be callable from another.
pub fn attended<T: Send>(control: &mut Control<'_>, tally: &Tally, work: impl FnOnce() -> T + Send) -> T {
    const EVERY: Duration = Duration::from_millis(100);
    let Some(report) = &mut control.progress else { return work() };
    let started = Instant::now();
    std::thread::scope(|scope| {
        let (sender, receiver) = std::sync::mpsc::channel();
        let worker = scope.spawn(move || {
            let result = work();
            // The receiver outlives this thread.
            let _ = sender.send(());
            result
        });
        while receiver.recv_timeout(EVERY) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            report(&tally.progress(started.elapsed()));
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
