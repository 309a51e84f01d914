//! Many virtual workers in one thread, over a network with given delays: for tests, and for questions about machines that
//! are not at hand.
//!
//! The search is the real one, node by node; what is simulated is time. A worker's step takes as long as the
//! [`Network`] says of its expansions and messages, a message arrives when it has been sent, plus the latency, plus its
//! bytes at the bandwidth. Workers do not share a machine, and messages do not share wires. The same numbers give the same
//! run.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

use super::message::{Message, WorkerStats};
use super::transport::{Transport, TransportError};
use super::worker::{Step, Worker};
use super::{Parallel, outcome};
use crate::heuristic::Estimate;
use crate::meter::Meter;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::random::Random;

/// What things take, in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub struct Network {
    /// An expansion.
    pub expansion: u64,
    /// A node that another worker has sent, to take it in.
    pub node: u64,
    /// A message, for the processor of its sender.
    pub message: u64,
    /// From being sent to arriving.
    pub latency: u64,
    /// A thousand bytes on the way.
    pub kilobyte: u64,
    /// With a seed, a message takes up to this many times as long, by chance, so that messages overtake each other.
    pub jitter: Option<(u64, u64)>,
}

impl Network {
    /// Machines of a cluster: half a microsecond an expansion, 2 µs of latency, 10 GB/s, half a microsecond of work for a
    /// message and 50 ns for a node in it.
    pub const CLUSTER: Self =
        Self { expansion: 500, node: 50, message: 500, latency: 2_000, kilobyte: 100, jitter: None };
    /// Machines with plain Ethernet between them: 30 µs of latency, 1 GB/s.
    pub const ETHERNET: Self = Self { latency: 30_000, kilobyte: 1_000, message: 5_000, ..Self::CLUSTER };
}

/// What came of a simulated search.
#[derive(Debug)]
pub struct Simulated<P: Problem> {
    /// The outcome; its time is the simulator's own.
    pub outcome: OutcomeOf<P>,
    /// What each worker did; their idle time is virtual.
    pub workers: Vec<WorkerStats>,
    /// The virtual time that it took.
    pub makespan: Duration,
}

/// The messages of one worker in one step.
struct Mailbox<'b, M> {
    rank: usize,
    workers: usize,
    inbox: &'b mut VecDeque<(usize, M)>,
    sent: &'b mut Vec<(usize, M)>,
}

impl<M> Transport<M> for Mailbox<'_, M> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn workers(&self) -> usize {
        self.workers
    }

    fn send(&mut self, to: usize, message: M) -> Result<(), TransportError> {
        self.sent.push((to, message));
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(usize, M)>, TransportError> {
        Ok(self.inbox.pop_front())
    }
}

/// Simulates a search over so many workers; `None` if it came to hang, all workers waiting for messages that nobody sends.
pub fn simulate<P: Problem, V: Estimate<P::Cost>>(
    search: &Parallel<'_, P, V>,
    workers: usize,
    network: &Network,
    meter: &Meter<'_>,
) -> Option<Simulated<P>> {
    run(search, workers, network, meter, |_| {})
}

/// One worker among the simulated.
struct Virtual<'s, P: Problem, V: Estimate<P::Cost>> {
    worker: Worker<'s, P, V>,
    inbox: VecDeque<(usize, Message<P, V>)>,
    /// When it was last done with a step, if it waits since then.
    waits: Option<u64>,
    closed: bool,
}

/// A message on its way.
struct Letter<P: Problem, V> {
    from: usize,
    to: usize,
    message: Message<P, V>,
}

pub(super) fn run<'s, P: Problem, V: Estimate<P::Cost>>(
    search: &Parallel<'s, P, V>,
    workers: usize,
    network: &Network,
    meter: &'s Meter<'s>,
    prepare: impl Fn(&mut Worker<'s, P, V>),
) -> Option<Simulated<P>> {
    let make = |rank| {
        let mut worker = Worker::new(search, meter, rank, workers);
        prepare(&mut worker);
        Virtual { worker, inbox: VecDeque::new(), waits: None, closed: false }
    };
    let mut all: Vec<_> = (0..workers).map(make).collect();
    let mut random = network.jitter.map(|(seed, most)| (Random::new(seed), most as usize));
    // Moments at which a worker goes on, or a message arrives; equal ones in the order in which they were foreseen.
    let mut agenda: BinaryHeap<Reverse<(u64, u64, usize)>> = BinaryHeap::new();
    let mut letters: Vec<Option<Letter<P, V>>> = Vec::new();
    let mut free: Vec<usize> = Vec::new();
    let mut foreseen = 0;
    let mut at = |agenda: &mut BinaryHeap<_>, time, what| {
        foreseen += 1;
        agenda.push(Reverse((time, foreseen, what)));
    };
    (0..workers).for_each(|rank| at(&mut agenda, 0, rank));
    let mut sent = Vec::new();
    let mut last = 0;
    while let Some(Reverse((now, _, what))) = agenda.pop() {
        last = now;
        let rank = if let Some(place) = what.checked_sub(workers) {
            let Letter { from, to, message } = letters[place].take().expect("it arrives once");
            free.push(place);
            let receiver = &mut all[to];
            receiver.inbox.push_back((from, message));
            let Some(since) = receiver.waits.take() else { continue };
            if since > now {
                // It has come while the last step was still being done.
                at(&mut agenda, since, to);
                continue;
            }
            receiver.worker.note_idle(Duration::from_nanos(now - since));
            to
        } else {
            what
        };
        let one = &mut all[rank];
        if one.closed {
            continue;
        }
        let taken: u64 = one.inbox.iter().map(|(_, message)| message.nodes()).sum();
        let before = one.worker.expanded();
        let mut mailbox = Mailbox { rank, workers, inbox: &mut one.inbox, sent: &mut sent };
        let step = one.worker.step(&mut mailbox).expect("a mailbox takes everything");
        let expanded = one.worker.expanded() - before;
        let busy = expanded * network.expansion + taken * network.node + sent.len() as u64 * network.message;
        let done = now + busy.max(1);
        match step {
            Step::Worked => at(&mut agenda, done, rank),
            Step::Waits => one.waits = Some(done),
            Step::Closed => one.closed = true,
        }
        for (to, message) in sent.drain(..) {
            let mut way = network.latency + message.size() as u64 * network.kilobyte / 1000;
            if let Some((random, most)) = &mut random {
                way = way * (1 + random.below(1000 * *most) as u64) / 1000;
            }
            let letter = Some(Letter { from: rank, to, message });
            let place = free.pop().unwrap_or_else(|| {
                letters.push(None);
                letters.len() - 1
            });
            letters[place] = letter;
            at(&mut agenda, done + way, workers + place);
        }
    }
    if !all.iter().all(|one| one.closed) {
        return None;
    }
    let finished = all.swap_remove(0).worker.finished()?;
    drop(all);
    meter.note_stored(WorkerStats::total(&finished.workers).stored);
    let (outcome, workers) = outcome::outcome(search, finished, meter.stats());
    Some(Simulated { outcome, workers, makespan: Duration::from_nanos(last) })
}
