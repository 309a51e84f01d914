//! Iterative deepening by several processes.
//!
//! Process 0 leads: it goes through the bounds, and searches small iterations alone. To a large one it calls the others.
//! All cut the tree into the same subtrees, in the same order, so that a subtree is a number; the leader hands numbers out,
//! a few at a time, to whoever asks, and searches subtrees itself. Who is fast asks more often: no work is dealt out
//! beforehand that would have to be taken back from the slow. A process asks for as many as it has lately searched between
//! two looks at its messages, so that its threads need not wait for an answer.
//!
//! An iteration is searched through when every number was handed out once and every process has reported that it came to
//! the end of all it took; the leader counts that. A solution, a limit, or a cancellation anywhere is reported at once,
//! and the leader has all others cease: such an iteration proves nothing.
//!
//! In each process one thread exchanges messages and otherwise sleeps; others search. So the answer to a question does not
//! depend on how deep in a subtree anybody is, and only one thread calls the network.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::drive::{Ended, Running, drive};
use super::messages::{Message, Report, preamble, put_path, take_path};
use super::tree::{Subtrees, Tree};
use super::{Beyond, BoundedSearch, Deepening};
use crate::clock::Instant;
use crate::limits::Stop;
use crate::meter::Budget;
use crate::parallel::{Processes, TransportError, Wire};
use crate::stats::Workers;

/// How long the thread that exchanges messages sleeps when there are none.
const PAUSE: Duration = Duration::from_micros(300);

/// The processes of a run, for one search.
pub(super) struct Team<'p> {
    processes: &'p mut dyn Processes,
    preamble: u32,
    buffer: Vec<u8>,
    messages: u64,
    idle: Duration,
    /// What each process has said last of itself.
    members: Vec<Member>,
    /// A solution that another process has found.
    path: Option<Vec<u8>>,
    /// Messages cannot be sent or understood any more.
    failed: Option<TransportError>,
}

/// What the leader knows of a process.
#[derive(Clone, Copy, Default)]
struct Member {
    reported: bool,
    bytes: u64,
    messages: u64,
    idle: Duration,
}

fn unexpected<T>(from: usize) -> Result<T, TransportError> {
    Err(TransportError(format!("process {from} is in another part of the search than this one")))
}

impl<'p> Team<'p> {
    fn new(processes: &'p mut dyn Processes, preamble: u32) -> Self {
        let members = vec![Member::default(); processes.count()];
        let (buffer, idle) = (Vec::new(), Duration::ZERO);
        Self { processes, preamble, buffer, messages: 0, idle, members, path: None, failed: None }
    }

    fn leads(&self) -> bool {
        self.processes.rank() == 0
    }

    fn send<B: Wire>(&mut self, to: usize, message: &Message<B>) -> Result<(), TransportError> {
        self.buffer.clear();
        message.put(self.preamble, &mut self.buffer);
        self.messages += 1;
        self.processes.send(to, &mut self.buffer)
    }

    fn send_to_others<B: Wire>(&mut self, message: &Message<B>) -> Result<(), TransportError> {
        (1..self.members.len()).try_for_each(|to| self.send(to, message))
    }

    fn receive<B: Wire>(&mut self) -> Result<Option<(usize, Message<B>)>, TransportError> {
        let Some(from) = self.processes.receive(&mut self.buffer)? else { return Ok(None) };
        Ok(Some((from, Message::take(self.preamble, &self.buffer)?)))
    }

    /// The next message from the leader.
    fn next<B: Wire>(&mut self) -> Result<Message<B>, TransportError> {
        let since = Instant::now();
        loop {
            if let Some((from, message)) = self.receive()? {
                self.idle += since.elapsed();
                return if from == 0 { Ok(message) } else { unexpected(from) };
            }
            self.processes.wait();
        }
    }

    /// What passed between the processes, and the bytes that the others held.
    fn workers(&self, threads: usize) -> (Workers, usize) {
        let others = &self.members[1..];
        let workers = Workers {
            count: threads * self.members.len(),
            messages: self.messages + others.iter().map(|member| member.messages).sum::<u64>(),
            idle: self.idle + others.iter().map(|member| member.idle).sum::<Duration>(),
            ..Workers::default()
        };
        (workers, others.iter().map(|member| member.bytes as usize).sum())
    }
}

/// As [`deepen`](super::deepen), as one of several processes, each of which calls this with the same search. The first has
/// the result, with the counts of all; what the others return says nothing.
pub fn deepen_among<S: BoundedSearch>(
    search: &S,
    worker: &mut S::Worker,
    threads: usize,
    processes: &mut dyn Processes,
    budget: Budget<'_>,
) -> Result<Deepening<S::Action, S::Bound>, TransportError>
where
    S::Action: Wire,
{
    let subtrees = Subtrees::new(search);
    let threads = threads.max(1);
    processes.begin()?;
    let mut team = Team::new(processes, preamble::<S::Action, S::Bound>());
    let driven = if team.leads() {
        let driven = drive(&subtrees, &mut subtrees.first(worker), threads, Some(&mut team), budget);
        team.failed.take().map_or(Ok(()), Err)?;
        team.send_to_others::<S::Bound>(&Message::Over)?;
        if let Some(path) = team.path.take() {
            let path = take_path(&path);
            let wrong = || TransportError("a solution has come whose actions are none".into());
            subtrees.note(Some(path.ok_or_else(wrong)?));
        }
        let (workers, bytes) = team.workers(threads);
        budget.meter().note_workers(workers, bytes);
        driven
    } else {
        let path = || subtrees.with_path(|path| path.map_or_else(Vec::new, put_path));
        team.follow(&subtrees, &path, threads, budget)?;
        (Err(Stop::GaveUp), subtrees.estimate(), Vec::new())
    };
    team.processes.end()?;
    Ok(subtrees.deepening(driven))
}

impl<B: Wire + Copy + Ord + Send + Sync> Running<'_, B> {
    /// Has threads search subtrees; what this thread does in the meantime is called again and again until they are done.
    fn meanwhile(
        &self,
        threads: usize,
        take: &(dyn Fn() -> Option<usize> + Sync),
        meanwhile: &mut dyn FnMut(),
    ) -> Ended<B> {
        let Self { tree, bound, over, .. } = *self;
        std::thread::scope(|scope| {
            let work = || {
                let ended = self.work(self.counter(), |beyond, counter| {
                    tree.search_beside(&mut || take(), bound, beyond, counter)
                });
                if ended.stop.is_some() {
                    over.store(true, Relaxed);
                }
                ended
            };
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            while threads.iter().any(|thread| !thread.is_finished()) {
                meanwhile();
            }
            let mut all = Ended::default();
            for thread in threads {
                all.add(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            all
        })
    }

    /// Searches the iteration together with the others of a team, which this process leads.
    pub fn shared(&self, team: &mut Team<'_>, threads: usize) -> Ended<B> {
        let nearest = self.tree.nearest();
        let mut counter = self.counter();
        let mut cut = Beyond::default();
        let subtrees = self.tree.divide(self.bound, &mut cut, &mut counter);
        let mut all = self.ended(subtrees.map(|_| false), &counter, cut);
        drop(counter);
        let Ok(subtrees) = subtrees else { return all };
        let taken_here = AtomicU64::new(0);
        let mut lead = Lead {
            iteration: self,
            subtrees,
            handed: &AtomicUsize::new(0),
            all: Ended::default(),
            taken: 0,
            ceased: false,
        };
        let handed = lead.handed;
        let take = || {
            let next = Some(handed.fetch_add(1, Relaxed)).filter(|&next| next < subtrees);
            let next = next.filter(|_| !self.over.load(Relaxed));
            taken_here.fetch_add(u64::from(next.is_some()), Relaxed);
            next
        };
        let fingerprint = self.tree.fingerprint();
        team.members.iter_mut().for_each(|member| member.reported = false);
        lead.heed(team, |team| {
            team.send_to_others(&Message::Begin { bound: self.bound, fingerprint, nearest })
        });
        all.add(self.meanwhile(threads, &take, &mut || {
            lead.mind(team);
            std::thread::sleep(PAUSE);
        }));
        let since = Instant::now();
        while team.failed.is_none() && !team.members[1..].iter().all(|member| member.reported) {
            lead.mind(team);
            team.processes.wait();
        }
        team.idle += since.elapsed();
        let Ended { expanded, generated, .. } = lead.all;
        self.budget.meter().add_elsewhere(expanded, generated);
        all.add(lead.all);
        let searched = lead.taken + taken_here.load(Relaxed);
        if !all.found && all.stop.is_none() && team.failed.is_none() && searched != subtrees as u64 {
            team.failed = Some(TransportError(format!(
                "of {subtrees} subtrees {searched} were searched: nothing is proved"
            )));
        }
        if team.failed.is_some() {
            all.stop = Some(Stop::GaveUp);
        }
        all
    }
}

/// The leader's part of an iteration.
struct Lead<'i, B> {
    iteration: &'i Running<'i, B>,
    subtrees: usize,
    /// Subtrees that were handed out, here too, or more.
    handed: &'i AtomicUsize,
    /// What the others have reported, and how many subtrees they took.
    all: Ended<B>,
    taken: u64,
    /// The others have been told to cease.
    ceased: bool,
}

impl<B: Wire + Copy + Ord + Send + Sync> Lead<'_, B> {
    /// Notes it if messages can no longer be sent.
    fn heed(&self, team: &mut Team<'_>, act: impl FnOnce(&mut Team<'_>) -> Result<(), TransportError>) {
        if team.failed.is_none()
            && let Err(error) = act(team)
        {
            team.failed = Some(error);
            self.iteration.over.store(true, Relaxed);
        }
    }

    /// Deals with the messages that have come, and with what ends the iteration.
    fn mind(&mut self, team: &mut Team<'_>) {
        let over = self.iteration.over;
        if let Some(stop) = self.iteration.budget.ended().filter(|_| !over.load(Relaxed)) {
            self.all.stop = Some(stop);
            over.store(true, Relaxed);
        }
        let mut dealt = Ok(());
        if team.failed.is_none() {
            dealt = self.deal(team);
        }
        self.heed(team, |_| dealt);
        if over.load(Relaxed) && !self.ceased {
            self.ceased = true;
            self.heed(team, |team| team.send_to_others::<B>(&Message::Cease));
        }
    }

    fn deal(&mut self, team: &mut Team<'_>) -> Result<(), TransportError> {
        while let Some((from, message)) = team.receive::<B>()? {
            match message {
                Message::Ask(wanted) => {
                    let (first, count) = self.hand_out(wanted as usize, team.members.len());
                    team.send::<B>(from, &Message::Take { first: first as u32, count: count as u32 })?;
                }
                Message::Report(report) if !team.members[from].reported => self.note(team, from, report)?,
                _ => unexpected(from)?,
            }
        }
        Ok(())
    }

    /// Hands out so many subtrees, or less: towards the end no process is to have many that others could search.
    fn hand_out(&self, wanted: usize, processes: usize) -> (usize, usize) {
        let left = self.subtrees.saturating_sub(self.handed.load(Relaxed));
        if left == 0 || self.iteration.over.load(Relaxed) {
            return (0, 0);
        }
        let count = wanted.clamp(1, (left / (2 * processes)).max(1));
        let first = self.handed.fetch_add(count, Relaxed).min(self.subtrees);
        (first, count.min(self.subtrees - first))
    }

    fn note(&mut self, team: &mut Team<'_>, from: usize, report: Report<B>) -> Result<(), TransportError> {
        let Report { ended, taken, bytes, messages, idle, nearest, path } = report;
        team.members[from] = Member { reported: true, bytes, messages, idle };
        self.all.add(ended);
        self.taken += taken;
        if ended.found {
            team.path.get_or_insert(path);
        }
        if ended.found || ended.stop.is_some() {
            self.iteration.over.store(true, Relaxed);
        } else if !self.iteration.tree.come_within(&nearest) {
            unexpected(from)?;
        }
        Ok(())
    }
}

/// Subtrees that wait for the threads of a process.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    numbers: VecDeque<usize>,
    /// There will be no more.
    closed: bool,
    taken: u64,
    /// Time that threads have waited.
    idle: Duration,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next subtree, for which it waits if there may be one, unless the iteration is over.
    fn take(&self, over: &AtomicBool) -> Option<usize> {
        let mut waiting = self.lock();
        loop {
            if over.load(Relaxed) {
                return None;
            }
            if let Some(number) = waiting.numbers.pop_front() {
                waiting.taken += 1;
                return Some(number);
            }
            if waiting.closed {
                return None;
            }
            let since = Instant::now();
            let waited = self.changed.wait_timeout(waiting, Duration::from_millis(5));
            waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
            waiting.idle += since.elapsed();
        }
    }

    fn fill(&self, first: u32, count: u32) {
        let mut waiting = self.lock();
        waiting.numbers.extend((first as usize)..(first as usize + count as usize));
        waiting.closed |= count == 0;
        drop(waiting);
        self.changed.notify_all();
    }
}

/// How a process that does not lead sees to it that its threads have work.
struct Supply<'q> {
    queue: &'q Queue,
    threads: usize,
    /// An answer is under way.
    asked: bool,
    /// Subtrees that were taken up to the last look, and lately from one look to the next.
    taken: u64,
    pace: u64,
}

impl Supply<'_> {
    /// Deals with what has come, and asks for more in time. Whether threads are waiting.
    fn mind<B: Wire>(&mut self, team: &mut Team<'_>, over: &AtomicBool) -> Result<bool, TransportError> {
        while let Some((from, message)) = team.receive::<B>()? {
            match message {
                Message::Take { first, count } if from == 0 && self.asked => {
                    self.asked = false;
                    self.queue.fill(first, count);
                }
                Message::Cease if from == 0 => over.store(true, Relaxed),
                _ => unexpected(from)?,
            }
        }
        let (ready, closed, taken) = {
            let waiting = self.queue.lock();
            (waiting.numbers.len() as u64, waiting.closed, waiting.taken)
        };
        self.pace = (taken - self.taken).max(self.pace / 2);
        self.taken = taken;
        let ahead = 2 * self.pace + self.threads as u64;
        if !self.asked && !closed && ready < ahead && !over.load(Relaxed) {
            self.asked = true;
            team.send::<B>(0, &Message::Ask((ahead - ready) as u32))?;
        }
        Ok(ready == 0 && !closed)
    }
}

impl Team<'_> {
    /// Takes part in the iterations that the leader calls to, until there is no other. `path` is the solution that was
    /// found here.
    fn follow<B: Wire + Copy + Ord + Send + Sync>(
        &mut self,
        tree: &dyn Tree<B>,
        path: &dyn Fn() -> Vec<u8>,
        threads: usize,
        budget: Budget<'_>,
    ) -> Result<(), TransportError> {
        loop {
            match self.next::<B>()? {
                Message::Begin { bound, fingerprint, nearest } => {
                    if !tree.come_within(&nearest) {
                        return unexpected(0);
                    }
                    let mut report = self.iteration(tree, bound, fingerprint, threads, budget)?;
                    report.bytes = budget.meter().stats().peak_bytes as u64;
                    if report.ended.found {
                        report.path = path();
                    }
                    report.messages += 1;
                    self.send(0, &Message::Report(report))?;
                }
                // It was sent before the leader had the report.
                Message::Cease => {}
                Message::Over => return Ok(()),
                _ => return unexpected(0),
            }
        }
    }

    fn report<B>(&self, ended: Ended<B>) -> Report<B> {
        let Self { messages, idle, .. } = *self;
        Report { ended, taken: 0, bytes: 0, messages, idle, nearest: Vec::new(), path: Vec::new() }
    }

    fn iteration<B: Wire + Copy + Ord + Send + Sync>(
        &mut self,
        tree: &dyn Tree<B>,
        bound: B,
        fingerprint: u64,
        threads: usize,
        budget: Budget<'_>,
    ) -> Result<Report<B>, TransportError> {
        let stopped = |team: &Self, stop| Ok(team.report(Ended { stop: Some(stop), ..Ended::default() }));
        let _stacks = match budget.reserve(threads * tree.bytes(bound)) {
            Ok(reserved) => reserved,
            Err(stop) => return stopped(self, stop),
        };
        // The leader has counted this.
        if let Err(stop) = tree.divide(bound, &mut Beyond::default(), &mut budget.counter()) {
            return stopped(self, stop);
        }
        if tree.fingerprint() != fingerprint {
            return Err(TransportError(
                "the tree is another here: all processes must run the same program on the same board, with the same \
                 options"
                    .into(),
            ));
        }
        let over = &AtomicBool::new(false);
        let queue = Queue::default();
        let mut supply = Supply { queue: &queue, threads, asked: false, taken: 0, pace: 0 };
        let mut minded = Ok(());
        let running = Running { tree, bound, budget, over };
        let ended = running.meanwhile(threads, &|| queue.take(over), &mut || {
            if minded.is_ok() {
                match supply.mind::<B>(self, over) {
                    Ok(true) => self.processes.wait(),
                    Ok(false) => std::thread::sleep(PAUSE),
                    Err(error) => {
                        over.store(true, Relaxed);
                        minded = Err(error);
                    }
                }
            }
        });
        minded?;
        // What was asked for must not be taken for a part of the next iteration.
        over.store(true, Relaxed);
        while supply.asked {
            supply.mind::<B>(self, over)?;
            self.processes.wait();
        }
        let Waiting { taken, idle, .. } = *queue.lock();
        self.idle += idle;
        Ok(Report { taken, nearest: tree.nearest(), ..self.report(ended) })
    }
}
