//! Workers as threads of one process.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::message::Message;
use super::transport::{Transport, TransportError};
use super::worker::{Finished, Step, Worker};
use super::{MOST_WORKERS, Parallel};
use crate::clock::Instant;
use crate::heuristic::Estimate;
use crate::meter::Meter;
use crate::problem::Problem;

/// How often a worker without messages looks for one before it sleeps: some tens of microseconds, as long as it takes to wake
/// up. It does not yield meanwhile, for on a busy machine each yield is a whole slice of time for somebody else.
const LOOKS: u32 = 64;
/// What lies between two looks, in pauses of the processor.
const PAUSES: u32 = 32;
/// How long it sleeps at most.
const SLEEP: Duration = Duration::from_millis(1);

/// What the workers of a process share.
struct Shared<M> {
    /// A worker has panicked: the others must not wait for it.
    broken: AtomicBool,
    /// One for each worker.
    mailboxes: Vec<Mailbox<M>>,
}

/// Messages on their way to a worker, each with the rank of its sender. A lock a message, of which there is one for many
/// nodes; the channels of the standard library would be compiled for every problem, and are larger than the search itself.
struct Mailbox<M> {
    messages: Mutex<VecDeque<(usize, M)>>,
    arrived: Condvar,
    bytes: AtomicUsize,
}

impl<M> Mailbox<M> {
    fn new() -> Self {
        Self { messages: Mutex::new(VecDeque::new()), arrived: Condvar::new(), bytes: AtomicUsize::new(0) }
    }

    /// Nothing that could panic is done while it is locked.
    fn lock(&self) -> MutexGuard<'_, VecDeque<(usize, M)>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A worker's way to the mailboxes.
struct Threads<'t, M> {
    rank: usize,
    shared: &'t Shared<M>,
    /// How often it found nothing since it last found something.
    empty: u32,
}

impl<M> Threads<'_, M> {
    fn mailbox(&self) -> &Mailbox<M> {
        &self.shared.mailboxes[self.rank]
    }
}

impl<P: Problem, V: Estimate<P::Cost>> Transport<Message<P, V>> for Threads<'_, Message<P, V>> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn workers(&self) -> usize {
        self.shared.mailboxes.len()
    }

    fn send(&mut self, to: usize, message: Message<P, V>) -> Result<(), TransportError> {
        let mailbox = &self.shared.mailboxes[to];
        mailbox.bytes.fetch_add(message.size(), Relaxed);
        mailbox.lock().push_back((self.rank, message));
        mailbox.arrived.notify_one();
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(usize, Message<P, V>)>, TransportError> {
        let next = self.mailbox().lock().pop_front();
        match &next {
            Some((_, message)) => {
                self.empty = 0;
                self.mailbox().bytes.fetch_sub(message.size(), Relaxed);
            }
            None if self.shared.broken.load(Relaxed) => return Err(lost(self.rank)),
            None => {}
        }
        Ok(next)
    }

    fn wait(&mut self) {
        self.empty += 1;
        if self.empty < LOOKS {
            (0..PAUSES).for_each(|_| std::hint::spin_loop());
            return;
        }
        let mailbox = self.mailbox();
        let messages = mailbox.lock();
        if messages.is_empty() {
            drop(mailbox.arrived.wait_timeout(messages, SLEEP));
        }
    }

    fn bytes(&self) -> usize {
        self.mailbox().bytes.load(Relaxed)
    }
}

fn lost(worker: usize) -> TransportError {
    TransportError(format!("worker {worker} is gone"))
}

/// Tells the others if its thread panics.
struct Guard<'t>(&'t AtomicBool);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

/// Runs a worker until all is done.
pub fn work<P: Problem, V: Estimate<P::Cost>>(
    worker: &mut Worker<'_, P, V>,
    transport: &mut dyn Transport<Message<P, V>>,
) -> Result<(), TransportError> {
    loop {
        match worker.step(transport)? {
            Step::Worked => {}
            Step::Waits => {
                let before = Instant::now();
                transport.wait();
                worker.note_idle(before.elapsed());
                worker.look_at_limits();
            }
            Step::Closed => return Ok(()),
        }
    }
}

/// Runs a search over so many threads, this one among them.
pub(super) fn run<P: Problem, V: Estimate<P::Cost>>(
    search: &Parallel<'_, P, V>,
    workers: usize,
    meter: &Meter<'_>,
) -> Finished<P> {
    let workers = workers.clamp(1, MOST_WORKERS);
    let shared =
        &Shared { broken: AtomicBool::new(false), mailboxes: (0..workers).map(|_| Mailbox::new()).collect() };
    let run = |rank| {
        let _guard = Guard(&shared.broken);
        let mut worker = Worker::new(search, meter, rank, workers);
        work(&mut worker, &mut Threads { rank, shared, empty: 0 }).map(|()| worker.finished())
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|rank| scope.spawn(move || run(rank))).collect();
        let finished = run(0);
        for other in others {
            if let Err(panic) = other.join() {
                resume_unwind(panic);
            }
        }
        let finished = finished.expect("no thread has panicked, so no message was lost");
        finished.expect("the first worker is the coordinator")
    })
}
