//! Workers as threads of one process.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::message::Message;
use super::transport::{Transport, TransportError};
use super::worker::{Finished, Step, Worker};
use super::{MOST_WORKERS, Parallel};
use crate::clock::Instant;
use crate::heuristic::Estimate;
use crate::meter::Meter;
use crate::problem::Problem;

/// How often a worker without messages lets others run before it sleeps.
const YIELDS: u32 = 64;
/// How long it sleeps at most.
const SLEEP: Duration = Duration::from_millis(1);

/// What the workers of a process share.
struct Shared {
    /// A worker has panicked: the others must not wait for it.
    broken: AtomicBool,
    /// Bytes of messages on their way to each worker.
    under_way: Vec<AtomicUsize>,
}

/// Messages between threads: a channel for each.
struct Threads<'t, M> {
    rank: usize,
    shared: &'t Shared,
    inbox: Receiver<(usize, M)>,
    others: Vec<Sender<(usize, M)>>,
    /// What came while it slept.
    next: Option<(usize, M)>,
    /// How often it found nothing since it last found something.
    empty: u32,
}

impl<P: Problem, V: Estimate<P::Cost>> Transport<Message<P, V>> for Threads<'_, Message<P, V>> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn workers(&self) -> usize {
        self.others.len()
    }

    fn send(&mut self, to: usize, message: Message<P, V>) -> Result<(), TransportError> {
        self.shared.under_way[to].fetch_add(message.size(), Relaxed);
        // One that has gone has been told to: nothing is sent after that but by a worker that has panicked.
        self.others[to].send((self.rank, message)).map_err(|_| lost(to))
    }

    fn receive(&mut self) -> Result<Option<(usize, Message<P, V>)>, TransportError> {
        let next = self.next.take().or_else(|| self.inbox.try_recv().ok());
        match &next {
            Some((_, message)) => {
                self.empty = 0;
                self.shared.under_way[self.rank].fetch_sub(message.size(), Relaxed);
            }
            None if self.shared.broken.load(Relaxed) => return Err(lost(self.rank)),
            None => {}
        }
        Ok(next)
    }

    fn wait(&mut self) {
        self.empty += 1;
        if self.empty < YIELDS {
            std::thread::yield_now();
        } else {
            self.next = self.inbox.recv_timeout(SLEEP).ok();
        }
    }

    fn bytes(&self) -> usize {
        self.shared.under_way[self.rank].load(Relaxed)
    }
}

fn lost(worker: usize) -> TransportError {
    TransportError(format!("worker {worker} is gone"))
}

/// Tells the others if its thread panics.
struct Guard<'t>(&'t Shared);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Relaxed);
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
    let shared = &Shared {
        broken: AtomicBool::new(false),
        under_way: (0..workers).map(|_| AtomicUsize::new(0)).collect(),
    };
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
    let transports = receivers.into_iter().enumerate().map(|(rank, inbox)| Threads {
        rank,
        shared,
        inbox,
        others: senders.clone(),
        next: None,
        empty: 0,
    });
    let mut transports: Vec<_> = transports.collect();
    drop(senders);
    let run = |mut transport: Threads<'_, Message<P, V>>| {
        let _guard = Guard(shared);
        let mut worker = Worker::new(search, meter, transport.rank, workers);
        work(&mut worker, &mut transport).map(|()| worker.finished())
    };
    std::thread::scope(|scope| {
        let first = transports.remove(0);
        let others: Vec<_> = transports.into_iter().map(|transport| scope.spawn(|| run(transport))).collect();
        let finished = run(first);
        for other in others {
            if let Err(panic) = other.join() {
                resume_unwind(panic);
            }
        }
        let finished = finished.expect("no thread has panicked, so no message was lost");
        finished.expect("the first worker is the coordinator")
    })
}
