//! Limits, cancellation and progress: one meter for all parts and threads of a run.

use std::sync::atomic::{
    AtomicBool, AtomicU64, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Instant;
use crate::estimator::{Estimator, Successor};
use crate::limits::{Frontier, Limits, Progress, Stop};
use crate::problem::Problem;
use crate::stats::{Stats, Workers};

/// A function that is told how a run goes; from whichever thread works on it, one at a time.
pub type Listener<'a> = Box<dyn Fn(&Progress) + Send + Sync + 'a>;

/// The caller's hold on a run: a flag that cancels it, a function that is told how it goes.
#[derive(Default)]
pub struct Control<'a> {
    /// Set to true from anywhere to end the run.
    pub cancel: Option<&'a AtomicBool>,
    /// Called several times a second.
    pub progress: Option<Listener<'a>>,
}

impl<'a> Control<'a> {
    /// A run that is ended by setting a flag.
    pub fn cancelled_by(flag: &'a AtomicBool) -> Self {
        Self { cancel: Some(flag), progress: None }
    }
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

/// Nothing: what a search holds before it begins and after it has ended.
impl Held for () {
    fn nodes(&self) -> u64 {
        0
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// What is held, and so many bytes beside it.
struct Beside<'h> {
    held: &'h dyn Held,
    bytes: usize,
}

impl Held for Beside<'_> {
    fn nodes(&self) -> u64 {
        self.held.nodes()
    }

    fn bytes(&self) -> usize {
        self.held.bytes() + self.bytes
    }

    fn passing_bytes(&self) -> usize {
        self.held.passing_bytes()
    }
}

/// A number of nodes, whose bytes are [reserved](Budget::reserve) if they count.
#[derive(Debug, Clone, Copy)]
pub struct Nodes(pub u64);

impl Held for Nodes {
    fn nodes(&self) -> u64 {
        self.0
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Longest stride between two looks at the clock, in expansions.
const LONGEST_STRIDE: u64 = 1 << 14;
/// The stride shrinks until looks are no further apart than this.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// Successors of one state that are produced between two glances at the limits: a power of two.
const GLANCE_EVERY: usize = 16;
/// Milliseconds between two reports of progress.
const PROGRESS_EVERY: u64 = 100;

/// Counts one run and ends it at its limits; shared by all its threads.
///
/// Whatever works on a run (the search, the building of its tables, a SAT solver) does so under its meter: the clock and
/// the cancel flag are the meter's, memory is [reserved](Budget::reserve) from it, and each thread counts its nodes on a
/// [`Counter`] that hands its counts over every now and then. A [`Budget`] is a part of a run with a nearer end, for
/// methods that try one thing for a while before they try the next.
#[derive(Debug)]
pub struct Meter<'a> {
    limits: Limits,
    control: Control<'a>,
    started: Instant,
    /// None where the time limit lies beyond what the clock can say.
    deadline: Option<Instant>,
    /// What the counters have handed over.
    expanded: AtomicU64,
    generated: AtomicU64,
    stored_peak: AtomicU64,
    /// Expansions that counters may make or have made, under a node limit.
    granted: AtomicU64,
    /// How often a counter that shares has begun to hold some, and ceased to.
    taken: AtomicU64,
    settled: AtomicU64,
    /// Bytes held now by counters and reservations, and the most there were.
    held: AtomicUsize,
    peak_bytes: AtomicUsize,
    /// When progress was last reported, in milliseconds since the start.
    reported: AtomicU64,
    /// What passed between workers.
    workers: Mutex<Option<Workers>>,
}

impl<'a> Meter<'a> {
    /// Starts the clock.
    pub fn new(limits: Limits, control: Control<'a>) -> Self {
        let started = Instant::now();
        Self {
            limits,
            control,
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(0),
            stored_peak: AtomicU64::new(0),
            granted: AtomicU64::new(0),
            taken: AtomicU64::new(0),
            settled: AtomicU64::new(0),
            held: AtomicUsize::new(0),
            peak_bytes: AtomicUsize::new(0),
            reported: AtomicU64::new(0),
            workers: Mutex::new(None),
        }
    }

    /// The limits of this run.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// All that this run may use.
    pub fn budget(&self) -> Budget<'_> {
        Budget { meter: self, deadline: self.deadline, nodes: None }
    }

    /// A meter for a part of this run that counts on its own, with another limit on memory; its time and its control are
    /// those of this run.
    pub fn apart(&self, memory: Option<usize>) -> Meter<'_> {
        let time = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let listener = self.control.progress.as_ref();
        let progress =
            listener.map(|listener| Box::new(|progress: &Progress| listener(progress)) as Listener<'_>);
        let control = Control { cancel: self.control.cancel, progress };
        Meter::new(Limits { time, memory, ..self.limits }, control)
    }

    /// Bytes that are counted as held now.
    pub fn held(&self) -> usize {
        self.held.load(Relaxed)
    }

    /// A counter for a thread of this run.
    pub fn counter(&self) -> Counter<'_> {
        self.budget().counter()
    }

    /// Bytes that may still be taken; `None` for as many as there are.
    pub fn room(&self) -> Option<usize> {
        self.limits.memory.map(|most| most.saturating_sub(self.held.load(Relaxed)))
    }

    /// Expansions that the counters have handed over.
    pub fn expanded(&self) -> u64 {
        self.expanded.load(Relaxed)
    }

    /// Counts the root of a search: generated by no other node, and held.
    pub fn note_root(&self) {
        self.generated.fetch_add(1, Relaxed);
        self.note_stored(1);
    }

    /// Notes how many nodes were held at once, by all threads together.
    pub fn note_stored(&self, nodes: u64) {
        self.stored_peak.fetch_max(nodes, Relaxed);
    }

    /// Adds nodes that other processes have counted for this run.
    pub(crate) fn add_elsewhere(&self, expanded: u64, generated: u64) {
        self.expanded.fetch_add(expanded, Relaxed);
        self.generated.fetch_add(generated, Relaxed);
    }

    /// Notes what passed between the workers of this run, and the most bytes that were held by those elsewhere.
    pub(crate) fn note_workers(&self, workers: Workers, bytes_elsewhere: usize) {
        self.peak_bytes.fetch_add(bytes_elsewhere, Relaxed);
        *self.workers.lock().unwrap_or_else(PoisonError::into_inner) = Some(workers);
    }

    /// The counts so far.
    pub fn stats(&self) -> Stats {
        Stats {
            expanded: self.expanded.load(Relaxed),
            generated: self.generated.load(Relaxed),
            stored_peak: self.stored_peak.load(Relaxed),
            peak_bytes: self.peak_bytes.load(Relaxed),
            elapsed: self.started.elapsed(),
            workers: *self.workers.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Tells the listener how far the run has come, if it is time to.
    pub fn report(&self, frontier: Frontier) {
        self.report_at(Instant::now(), 0, frontier);
    }

    fn report_at(&self, now: Instant, stored: u64, frontier: Frontier) {
        let Some(listener) = &self.control.progress else { return };
        let elapsed = now.saturating_duration_since(self.started);
        let (last, at) = (self.reported.load(Relaxed), elapsed.as_millis() as u64);
        let due = at >= last.saturating_add(PROGRESS_EVERY);
        // The thread that moves the time on is the one that reports.
        if due && self.reported.compare_exchange(last, at, Relaxed, Relaxed).is_ok() {
            listener(&Progress {
                elapsed,
                expanded: self.expanded.load(Relaxed),
                generated: self.generated.load(Relaxed),
                stored,
                bytes: self.held.load(Relaxed),
                frontier,
            });
        }
    }

    fn cancelled(&self) -> bool {
        self.control.cancel.is_some_and(|flag| flag.load(Relaxed))
    }

    /// Takes up to so many expansions of those that the node limit leaves.
    fn grant(&self, wanted: u64) -> u64 {
        let Some(most) = self.limits.nodes else { return wanted };
        let take = |granted: u64| Some(granted + wanted.min(most.saturating_sub(granted)));
        let before = self.granted.fetch_update(SeqCst, SeqCst, take).unwrap_or(most);
        wanted.min(most.saturating_sub(before))
    }

    fn hold(&self, bytes: usize) {
        let held = self.held.fetch_add(bytes, Relaxed) + bytes;
        self.peak_bytes.fetch_max(held, Relaxed);
    }
}

/// A part of a run: the same meter, perhaps with a nearer end.
#[derive(Debug, Clone, Copy)]
pub struct Budget<'m> {
    meter: &'m Meter<'m>,
    deadline: Option<Instant>,
    /// Expansions for this part alone.
    nodes: Option<u64>,
}

impl<'m> Budget<'m> {
    /// The meter of the run.
    pub fn meter(&self) -> &'m Meter<'m> {
        self.meter
    }

    /// When this part must end.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The same part, to end at a moment if that is nearer.
    #[must_use]
    pub fn until(self, moment: Instant) -> Self {
        Self { deadline: Some(self.deadline.map_or(moment, |deadline| deadline.min(moment))), ..self }
    }

    /// The same part, with so many expansions for each of its counters.
    #[must_use]
    pub fn with_nodes(self, nodes: Option<u64>) -> Self {
        Self { nodes, ..self }
    }

    /// The expansions that this part may make, by its own limit.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// What ends this part now whatever it has counted: the caller or the clock.
    pub fn ended(&self) -> Option<Stop> {
        if self.meter.cancelled() {
            Some(Stop::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Stop::Time)
        } else {
            None
        }
    }

    /// What ends this part now, if anything does.
    pub fn stop(&self) -> Option<Stop> {
        let ended = self.ended();
        if ended.is_some() {
            ended
        } else if self.meter.limits.nodes.is_some_and(|most| self.meter.expanded() >= most) {
            Some(Stop::Nodes)
        } else {
            None
        }
    }

    /// Whether anything ends this part now.
    pub fn over(&self) -> bool {
        self.stop().is_some()
    }

    /// Whether so many bytes more would stay within the limit.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.meter.room().is_none_or(|room| bytes <= room)
    }

    /// Counts bytes as held until the reservation is dropped.
    pub fn reserve(&self, bytes: usize) -> Result<Reserved<'m>, Stop> {
        if !self.has_room(bytes) {
            return Err(Stop::Memory);
        }
        self.meter.hold(bytes);
        Ok(Reserved { bytes, meter: self.meter })
    }

    /// A counter for a thread of this part.
    pub fn counter(self) -> Counter<'m> {
        Counter {
            budget: self,
            until: None,
            shares: false,
            holds: false,
            expanded: 0,
            generated: 0,
            stored_peak: 0,
            stop: None,
            handed: (0, 0),
            granted: 0,
            next_look: 0,
            stride_end: 0,
            stride: 1,
            last_look: Instant::now(),
            held: 0,
            held_at_look: 0,
        }
    }
}

/// Bytes counted as held.
#[derive(Debug)]
pub struct Reserved<'m> {
    bytes: usize,
    meter: &'m Meter<'m>,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.meter.held.fetch_sub(self.bytes, Relaxed);
    }
}

/// Counts the nodes of one thread, and looks at the limits every now and then.
///
/// The clock, the cancel flag and the memory are looked at once in a stride of expansions, not at each; the stride adapts to
/// the speed of the problem, so that limits hold to a few milliseconds whether an expansion takes ten nanoseconds or ten
/// milliseconds. A limit on nodes is kept exactly. Where a state has many successors, or slow estimates, limits must hold in
/// the middle of an expansion, too: [`produce`](Counter::produce) is told of each successor.
#[derive(Debug)]
pub struct Counter<'m> {
    budget: Budget<'m>,
    /// Ends the work of this counter when raised: another thread has found what was looked for.
    until: Option<&'m AtomicBool>,
    /// Under a node limit, holds expansions only between [`take`](Counter::take) and [`give_back`](Counter::give_back).
    shares: bool,
    /// It is between these.
    holds: bool,
    /// States whose successors were produced.
    pub expanded: u64,
    /// States that were produced.
    pub generated: u64,
    /// Most nodes held at once.
    pub stored_peak: u64,
    stop: Option<Stop>,
    /// Counts that the meter has got.
    handed: (u64, u64),
    /// Expansions that the meter has granted, under a node limit.
    granted: u64,
    next_look: u64,
    /// When the clock and the memory are to be looked at next.
    stride_end: u64,
    stride: u64,
    last_look: Instant,
    /// Bytes that the meter counts as held by this counter, and those at the last look.
    held: usize,
    held_at_look: usize,
}

impl<'m> Counter<'m> {
    /// The same counter, whose work ends when a flag is raised, too.
    #[must_use]
    pub fn until(self, flag: &'m AtomicBool) -> Self {
        Self { until: Some(flag), ..self }
    }

    /// The same counter, as one of several on different threads that are to come to a node limit exactly, whichever of them
    /// is the first to find nothing left. What it may expand it [takes](Counter::take) for a few expansions at a time, and
    /// [gives back](Counter::give_back) what it did not use; to take each alone would have all threads write to the same
    /// place of memory all the time.
    #[must_use]
    pub fn sharing(self) -> Self {
        Self { shares: true, ..self }
    }

    /// Takes up to so many of the expansions that a node limit leaves. They are held until the next
    /// [`give_back`](Counter::give_back), which must come soon and depend on nobody else: at the limit, others wait for it.
    pub fn take(&mut self, count: u64) {
        let meter = self.budget.meter;
        if self.shares && meter.limits.nodes.is_some() {
            if !self.holds {
                self.holds = true;
                meter.taken.fetch_add(1, SeqCst);
            }
            self.granted += meter.grant(count.saturating_sub(self.granted - self.expanded));
            self.next_look = self.stride_end.min(self.granted);
        }
    }

    /// Gives back what was taken and not used.
    pub fn give_back(&mut self) {
        if self.holds {
            let meter = self.budget.meter;
            meter.granted.fetch_sub(self.granted.saturating_sub(self.expanded), SeqCst);
            self.granted = self.expanded;
            self.next_look = self.expanded;
            self.holds = false;
            meter.settled.fetch_add(1, SeqCst);
        }
    }

    /// Takes an expansion that is about to be made, when what was taken has been used up, unless none is left: then nobody
    /// holds one that could still be given back. That is so where none was left between a moment up to which so much was
    /// settled and a later one up to which no more was taken: in between, nothing was taken or given back.
    fn take_last(&mut self) -> Result<(), Stop> {
        let meter = self.budget.meter;
        self.give_back();
        loop {
            let settled = meter.settled.load(SeqCst);
            let granted = meter.grant(1);
            self.granted += granted;
            if granted > 0 {
                return Ok(());
            }
            if meter.taken.load(SeqCst) == settled {
                return Err(Stop::Nodes);
            }
            if let Some(stop) = self.budget.ended() {
                return Err(stop);
            }
            std::thread::yield_now();
        }
    }

    /// The limits of the run.
    pub fn limits(&self) -> Limits {
        self.budget.meter.limits
    }

    /// Bytes that may still be taken; `None` for as many as there are.
    pub(crate) fn room(&self) -> Option<usize> {
        self.budget.meter.room()
    }

    /// Counts one expansion that is about to happen, or says why it must not.
    #[inline]
    pub fn expand(&mut self, held: &impl Held, frontier: Frontier) -> Result<(), Stop> {
        if self.is_due() {
            self.look(held, frontier)?;
        }
        self.expanded += 1;
        Ok(())
    }

    /// As [`expand`](Counter::expand), for steps so long that the limits are worth a look at each.
    pub fn expand_long(&mut self, held: &impl Held, frontier: Frontier) -> Result<(), Stop> {
        self.look(held, frontier)?;
        self.expanded += 1;
        Ok(())
    }

    /// Counts some expansions that are about to happen all at once, or says why they must not: where a limit leaves fewer,
    /// none of them must.
    pub fn expand_many(&mut self, count: u64, held: &dyn Held, frontier: Frontier) -> Result<(), Stop> {
        self.look_for(count, held, frontier)?;
        self.expanded += count;
        Ok(())
    }

    /// Whether [`look`](Counter::look) must be called before the next expansion. Loops that count by themselves ask this.
    #[inline(always)]
    pub fn is_due(&self) -> bool {
        self.expanded >= self.next_look
    }

    /// Expansions that may still be made before [`look`](Counter::look) must be called.
    pub fn until_look(&self) -> u64 {
        self.next_look.saturating_sub(self.expanded)
    }

    /// What ended the work of this counter, if a limit did.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// Looks at all limits; an error says which of them forbids another expansion.
    #[cold]
    #[inline(never)]
    pub fn look(&mut self, held: &dyn Held, frontier: Frontier) -> Result<(), Stop> {
        self.look_for(1, held, frontier)
    }

    /// Looks at all limits; an error says which of them forbids so many more expansions.
    fn look_for(&mut self, wanted: u64, held: &dyn Held, frontier: Frontier) -> Result<(), Stop> {
        let result = self.looked(wanted, held, frontier);
        if self.until.is_some_and(|flag| flag.load(Relaxed)) {
            return Err(Stop::Interrupted);
        }
        self.stop = result.err();
        result
    }

    fn looked(&mut self, wanted: u64, held: &dyn Held, frontier: Frontier) -> Result<(), Stop> {
        let now = Instant::now();
        let before = self.held_at_look;
        self.hand_over();
        self.hold(held);
        self.held_at_look = self.held;
        let Budget { meter, deadline, nodes } = self.budget;
        if meter.cancelled() {
            return Err(Stop::Interrupted);
        }
        if deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Stop::Time);
        }
        meter.report_at(now, held.nodes(), frontier);
        let slow = now - self.last_look > LOOK_EVERY;
        let mut stride = if slow { self.stride / 2 } else { self.stride * 2 };
        if let Some(most) = meter.limits.memory {
            let all = meter.held.load(Relaxed);
            if all > most {
                return Err(Stop::Memory);
            }
            // A stride must not overshoot what is left, even if memory is needed twice as fast as in the last one.
            let growth = self.held.saturating_sub(before).max(1) as u64;
            stride = stride.min(self.stride.saturating_mul((most - all) as u64) / (2 * growth));
        }
        self.stride = stride.clamp(1, LONGEST_STRIDE);
        self.last_look = now;
        let mut allowed = self.stride.max(wanted);
        self.stride_end = self.expanded.saturating_add(allowed);
        if meter.limits.nodes.is_some() {
            let left = self.granted - self.expanded;
            if left < wanted {
                if self.shares {
                    debug_assert_eq!(wanted, 1, "an expansion at a time");
                    self.take_last()?;
                } else {
                    self.granted += meter.grant(allowed - left);
                }
            }
            allowed = allowed.min(self.granted - self.expanded);
        }
        if let Some(most) = nodes {
            allowed = allowed.min(most.saturating_sub(self.expanded));
        }
        if allowed < wanted {
            return Err(Stop::Nodes);
        }
        self.next_look = self.expanded.saturating_add(allowed);
        Ok(())
    }

    /// To be called before a successor is produced, with its place among those of its parent. An error says which limit
    /// forbids to go on; states with few successors never have one.
    #[inline(always)]
    pub fn produce(&mut self, place: usize, held: &impl Held) -> Result<(), Stop> {
        if place % GLANCE_EVERY == GLANCE_EVERY - 1 { self.glance(held) } else { Ok(()) }
    }

    /// Appends the successors of a state by each of some actions in turn, and looks at the limits now and then. What is held
    /// beside them is told.
    pub(crate) fn successors<P: Problem, V: Copy>(
        &mut self,
        (estimator, problem): (&dyn Estimator<P, V>, &P),
        (before, h): (&P::State, V),
        actions: &[P::Action],
        out: &mut Vec<Successor<P, V>>,
        held: &dyn Held,
    ) -> Result<(), Stop> {
        for (place, few) in actions.chunks(GLANCE_EVERY).enumerate() {
            if place > 0 {
                // By little: twice as much at once would break a memory limit before it was looked at.
                if out.capacity() < out.len() + few.len() {
                    out.reserve_exact(out.len() / 8 + few.len());
                }
                self.glance(&Beside { held, bytes: out.capacity() * size_of::<Successor<P, V>>() })?;
            }
            estimator.successors(problem, before, h, few, out);
        }
        Ok(())
    }

    /// Looks at the limits that may be met in the middle of an expansion.
    #[cold]
    #[inline(never)]
    fn glance(&mut self, held: &dyn Held) -> Result<(), Stop> {
        self.hold(held);
        let meter = self.budget.meter;
        if self.until.is_some_and(|flag| flag.load(Relaxed)) {
            return Err(Stop::Interrupted);
        }
        let full = meter.limits.memory.is_some_and(|most| meter.held() > most);
        self.stop = self.budget.ended().or(full.then_some(Stop::Memory));
        self.stop.map_or(Ok(()), Err)
    }

    /// Notes what is held now.
    pub fn hold(&mut self, held: &dyn Held) {
        self.stored_peak = self.stored_peak.max(held.nodes());
        let (meter, bytes) = (self.budget.meter, held.bytes());
        meter.held.fetch_sub(self.held, Relaxed);
        let passing = held.passing_bytes();
        meter.hold(bytes + passing);
        meter.held.fetch_sub(passing, Relaxed);
        self.held = bytes;
    }

    /// Adds to the meter what was counted since the last time.
    fn hand_over(&mut self) {
        let meter = self.budget.meter;
        meter.expanded.fetch_add(self.expanded - self.handed.0, Relaxed);
        // A search takes back the successors that it counted and did not come to produce: the difference may be below zero.
        meter.generated.fetch_add(self.generated.wrapping_sub(self.handed.1), Relaxed);
        meter.stored_peak.fetch_max(self.stored_peak, Relaxed);
        self.handed = (self.expanded, self.generated);
    }

    /// Hands over the counts, and what was held at the end.
    pub fn finish(mut self, held: &dyn Held) {
        self.hold(held);
    }
}

impl Drop for Counter<'_> {
    fn drop(&mut self) {
        self.give_back();
        self.hand_over();
        let meter = self.budget.meter;
        meter.held.fetch_sub(self.held, Relaxed);
        if meter.limits.nodes.is_some() {
            meter.granted.fetch_sub(self.granted.saturating_sub(self.expanded), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_limits_are_limits() {
        let limits = Limits {
            nodes: Some(u64::MAX),
            memory: Some(usize::MAX),
            depth: Some(u32::MAX),
            time: Some(Duration::MAX),
        };
        let meter = Meter::new(limits, Control::default());
        for _ in 0..3 {
            let mut counter = meter.counter();
            for _ in 0..100 {
                assert_eq!(counter.expand(&(), Frontier::Depth(0)), Ok(()));
            }
        }
        assert_eq!((meter.expanded(), meter.budget().stop()), (300, None));
        let shorter = meter.apart(None);
        assert_eq!(shorter.budget().stop(), None);
    }

    #[test]
    fn a_limit_on_nodes_is_kept_exactly_by_whole_levels_too() {
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        let meter = Meter::new(limits, Control::default());
        let mut counter = meter.counter();
        let mut expand = |count| counter.expand_many(count, &(), Frontier::Depth(0));
        assert_eq!(expand(6), Ok(()));
        assert_eq!(expand(6), Err(Stop::Nodes));
        assert_eq!(expand(3), Ok(()));
        drop(counter);
        // What one counter has not used is left for the next.
        let mut counter = meter.counter();
        assert_eq!(counter.expand(&(), Frontier::Depth(0)), Ok(()));
        assert_eq!(counter.expand(&(), Frontier::Depth(0)), Err(Stop::Nodes));
        drop(counter);
        assert_eq!(meter.expanded(), 10);
    }

    #[test]
    fn what_one_counter_gives_back_another_has() {
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        let meter = Meter::new(limits, Control::default());
        let (mut one, mut other) = (meter.counter().sharing(), meter.counter().sharing());
        let expand = |counter: &mut Counter<'_>| counter.expand(&(), Frontier::Depth(0));
        one.take(32);
        assert_eq!((expand(&mut one), expand(&mut one)), (Ok(()), Ok(())));
        one.give_back();
        other.take(7);
        for _ in 0..8 {
            assert_eq!(expand(&mut other), Ok(()));
        }
        assert_eq!((expand(&mut other), expand(&mut one)), (Err(Stop::Nodes), Err(Stop::Nodes)));
        assert_eq!(one.expanded + other.expanded, 10);
    }

    #[test]
    fn counters_that_share_wait_for_what_others_may_give_back() {
        const MOST: u64 = 1000;
        for run in 0..200 {
            let limits = Limits { nodes: Some(MOST), ..Limits::default() };
            let meter = &Meter::new(limits, Control::default());
            let work = |rank: u64| {
                let mut counter = meter.counter().sharing();
                for turn in 0.. {
                    counter.take(32);
                    // Some of it is used, and at times more.
                    for _ in 0..(7 * turn + rank + run) % 40 {
                        if let Err(stop) = counter.expand(&(), Frontier::Depth(0)) {
                            assert_eq!(stop, Stop::Nodes);
                            return counter.expanded;
                        }
                    }
                    counter.give_back();
                }
                unreachable!("there is a limit")
            };
            let made: u64 = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|rank| scope.spawn(move || work(rank))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no thread panics")).sum()
            });
            assert_eq!(made, MOST);
        }
    }
}
