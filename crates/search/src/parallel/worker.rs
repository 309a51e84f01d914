//! A worker: takes messages in, expands, sends messages out.
//!
//! A worker is a state machine that is told to [`step`](Worker::step): on a thread of its own, as a process among many, or
//! in turn with others in a simulator, over any [`Transport`].

use std::collections::VecDeque;
use std::time::Duration;

use super::message::{At, Counts, Message, Parcel, WorkerStats};
use super::part::{Expanded, Part};
use super::termination::Waves;
use super::transport::{Transport, TransportError};
use crate::heuristic::Estimate;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::problem::Problem;

/// Nodes of a message that is sent at once.
const FULL: usize = 512;
/// Batches after which all is sent that waits to be.
const FLUSH: u32 = 32;

/// What a step came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// There may be more to do.
    Worked,
    /// Nothing can be done before a message comes.
    Waits,
    /// All is done.
    Closed,
}

/// How a search over several workers came out, as the coordinator knows it.
#[derive(Debug)]
pub struct Finished<P: Problem> {
    /// Nothing is left, which is proved; or what ended it.
    pub ended: Result<(), Stop>,
    /// The states of the best path, from the start to a goal, if it is proved that nothing better is left.
    pub path: Option<Vec<P::State>>,
    /// What each worker did.
    pub workers: Vec<WorkerStats>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Expands what it has.
    Searching,
    /// A limit has ended its work: it takes no part in the proof that nothing is left.
    Stopped,
    /// The coordinator has ended the search.
    Ended,
    Closed,
}

/// What worker 0 knows beside the others.
struct Coordinator<P: Problem> {
    waves: Waves,
    /// Who has found the best goal, and its cost.
    best: Option<(P::Cost, usize)>,
    ended: Option<Result<(), Stop>>,
    path: Option<Vec<P::State>>,
    farewells: Vec<Option<WorkerStats>>,
}

/// One of the workers of a search.
pub struct Worker<'s, P: Problem, V: Estimate<P::Cost>> {
    part: Part<'s, P, V>,
    me: usize,
    phase: Phase,
    counts: Counts,
    messages: u64,
    idle: Duration,
    /// Nodes that wait to be sent, by owner.
    outboxes: Vec<Vec<Parcel<P, V>>>,
    /// Batches since all outboxes were emptied.
    since_flush: u32,
    /// Buffers of messages that have come, for messages to go.
    spare: Vec<Vec<Parcel<P, V>>>,
    /// Messages to itself.
    own: VecDeque<Message<P, V>>,
    /// What the start costs, if it is a goal of which others are to be told.
    found: Option<P::Cost>,
    /// A wave that asks for an answer.
    poll: Option<u64>,
    coordinator: Option<Coordinator<P>>,
}

impl<P: Problem, V: Estimate<P::Cost>> std::fmt::Debug for Worker<'_, P, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").field("rank", &self.me).field("phase", &self.phase).finish_non_exhaustive()
    }
}

impl<'s, P: Problem, V: Estimate<P::Cost>> Worker<'s, P, V> {
    /// A worker under a meter, which workers may share. Worker 0 is the coordinator.
    pub fn new(
        search: &super::Parallel<'s, P, V>,
        meter: &'s Meter<'s>,
        rank: usize,
        workers: usize,
    ) -> Self {
        assert!(rank < workers && workers <= super::MOST_WORKERS, "workers are numbered in two bytes");
        let coordinator = (rank == 0).then(|| Coordinator {
            waves: Waves::new(workers),
            best: None,
            ended: None,
            path: None,
            farewells: vec![None; workers],
        });
        let mut worker = Self {
            part: Part::new(search, meter, rank, workers),
            me: rank,
            phase: Phase::Searching,
            counts: Counts::default(),
            messages: 0,
            idle: Duration::ZERO,
            outboxes: (0..workers).map(|_| Vec::new()).collect(),
            since_flush: 0,
            spare: Vec::new(),
            own: VecDeque::new(),
            found: None,
            poll: None,
            coordinator,
        };
        match worker.part.begin() {
            Ok(found) => worker.found = found,
            Err(stop) => worker.stop(stop),
        }
        worker
    }

    /// Believes the first wave of passive workers, as a careless detection of the end would.
    #[cfg(test)]
    pub(super) fn be_careless(&mut self) {
        if let Some(coordinator) = &mut self.coordinator {
            coordinator.waves.careless = true;
        }
    }

    /// Notes time spent waiting.
    pub fn note_idle(&mut self, time: Duration) {
        self.idle += time;
    }

    /// Nodes expanded so far.
    pub fn expanded(&self) -> u64 {
        self.part.expanded()
    }

    /// How the search came out, if this is the coordinator and all is done.
    pub fn finished(self) -> Option<Finished<P>> {
        let Coordinator { ended, path, farewells, .. } = self.coordinator?;
        let path = path.map(|mut states| {
            states.reverse();
            states
        });
        Some(Finished { ended: ended?, path, workers: farewells.into_iter().flatten().collect() })
    }

    /// Deals with the messages that have come, and expands some nodes.
    pub fn step(&mut self, transport: &mut dyn Transport<Message<P, V>>) -> Result<Step, TransportError> {
        let mut worked = false;
        loop {
            let (from, message) = match self.own.pop_front() {
                Some(message) => (self.me, message),
                None => match transport.receive()? {
                    Some(received) => received,
                    None => break,
                },
            };
            worked = true;
            self.deal_with(from, message, transport)?;
        }
        if self.phase == Phase::Searching {
            self.search(transport)?;
            worked |= self.part.has_work;
            self.answer(transport)?;
        }
        if self.phase == Phase::Closed {
            return Ok(Step::Closed);
        }
        Ok(if worked || !self.own.is_empty() { Step::Worked } else { Step::Waits })
    }

    /// Nothing comes: looks whether the clock or the caller ends the run.
    pub fn look_at_limits(&mut self) {
        if self.phase == Phase::Searching
            && let Some(stop) = self.part.ended()
        {
            self.stop(stop);
        }
    }

    /// A limit has ended the work of this worker.
    fn stop(&mut self, stop: Stop) {
        self.phase = Phase::Stopped;
        self.own.push_back(Message::Stopped(stop));
    }

    /// Expands some nodes, and sends what is to be sent.
    fn search(&mut self, transport: &mut dyn Transport<Message<P, V>>) -> Result<(), TransportError> {
        if let Some(cost) = self.found.take() {
            self.announce(cost, transport)?;
        }
        if self.part.has_work {
            if self.since_flush == 0 {
                self.part.make_room(transport.bytes() + self.buffered());
            }
            let Self { part, outboxes, .. } = self;
            let mut full = false;
            let expanded = part.expand(|owner, parcel| {
                outboxes[owner].push(parcel);
                full |= outboxes[owner].len() >= FULL;
            });
            match expanded {
                Ok(Expanded::Goal(cost)) => self.announce(cost, transport)?,
                Ok(Expanded::Some | Expanded::Nothing) => {}
                Err(stop) => self.stop(stop),
            }
            self.since_flush += 1;
            if full {
                self.flush(FULL, transport)?;
            }
        }
        if !self.part.has_work || self.since_flush >= FLUSH {
            self.flush(1, transport)?;
            self.since_flush = 0;
        }
        Ok(())
    }

    /// Bytes of nodes that wait to be sent, and of empty buffers.
    fn buffered(&self) -> usize {
        let buffers = self.outboxes.iter().chain(&self.spare);
        buffers.map(Vec::capacity).sum::<usize>() * size_of::<Parcel<P, V>>()
    }

    /// Sends the nodes of the owners for whom there are so many.
    fn flush(
        &mut self,
        least: usize,
        transport: &mut dyn Transport<Message<P, V>>,
    ) -> Result<(), TransportError> {
        for owner in 0..self.outboxes.len() {
            if self.outboxes[owner].len() >= least {
                let empty = self.spare.pop().unwrap_or_default();
                let parcels = std::mem::replace(&mut self.outboxes[owner], empty);
                self.post(owner, Message::Nodes(parcels), transport)?;
            }
        }
        Ok(())
    }

    /// Sends a message, perhaps to itself.
    fn post(
        &mut self,
        to: usize,
        message: Message<P, V>,
        transport: &mut dyn Transport<Message<P, V>>,
    ) -> Result<(), TransportError> {
        if to == self.me {
            self.own.push_back(message);
            return Ok(());
        }
        self.counts.sent += u64::from(message.is_work());
        self.messages += 1;
        transport.send(to, message)
    }

    /// Sends a message to all, itself included.
    fn broadcast(
        &mut self,
        message: impl Fn() -> Message<P, V>,
        transport: &mut dyn Transport<Message<P, V>>,
    ) -> Result<(), TransportError> {
        (0..self.outboxes.len()).try_for_each(|to| self.post(to, message(), transport))
    }

    /// Tells all of a goal that this worker has found.
    fn announce(
        &mut self,
        cost: P::Cost,
        transport: &mut dyn Transport<Message<P, V>>,
    ) -> Result<(), TransportError> {
        self.broadcast(|| Message::Incumbent(cost), transport)
    }

    /// Answers the wave that asks, if there is nothing to do, and begins the next, if this is the coordinator.
    fn answer(&mut self, transport: &mut dyn Transport<Message<P, V>>) -> Result<(), TransportError> {
        let passive = self.phase == Phase::Searching && !self.part.has_work && self.own.is_empty();
        if !passive {
            return Ok(());
        }
        debug_assert!(self.outboxes.iter().all(Vec::is_empty));
        if let Some(wave) = self.poll.take() {
            self.post(0, Message::Passive(wave, self.counts), transport)?;
        } else if let Some(coordinator) = &mut self.coordinator
            && !coordinator.waves.is_under_way()
        {
            let wave = coordinator.waves.start();
            self.broadcast(|| Message::Poll(wave), transport)?;
        }
        Ok(())
    }

    fn deal_with(
        &mut self,
        from: usize,
        message: Message<P, V>,
        transport: &mut dyn Transport<Message<P, V>>,
    ) -> Result<(), TransportError> {
        self.counts.received += u64::from(message.is_work() && from != self.me);
        match message {
            Message::Nodes(mut parcels) => {
                if self.phase == Phase::Searching
                    && let Err(stop) = self.part.accept(&parcels, from)
                {
                    self.stop(stop);
                }
                parcels.clear();
                if self.spare.len() < 2 * self.outboxes.len() {
                    self.spare.push(parcels);
                }
            }
            Message::Incumbent(cost) => {
                self.part.note_best(cost);
                // One that comes after a limit has ended the search is too late.
                if let Some(coordinator) = &mut self.coordinator
                    && coordinator.ended.is_none()
                    && coordinator.best.is_none_or(|(best, _)| cost < best)
                {
                    coordinator.best = Some((cost, from));
                }
            }
            Message::Poll(wave) => self.poll = Some(wave),
            Message::Passive(wave, counts) => {
                let over = self.coordinator.as_mut().is_some_and(|it| it.waves.note(wave, counts));
                if over {
                    self.end(Ok(()), transport)?;
                }
            }
            Message::Stopped(stop) if self.me == 0 => self.end(Err(stop), transport)?,
            Message::Stopped(stop) => self.post(0, Message::Stopped(stop), transport)?,
            Message::End => {
                self.phase = Phase::Ended;
                let idle = self.idle;
                let farewell = WorkerStats { messages: self.messages, idle, ..self.part.finish() };
                self.post(0, Message::Farewell(farewell), transport)?;
            }
            Message::Trace(at, states) => self.trace(at, states, transport)?,
            Message::Path(states) => {
                if let Some(coordinator) = &mut self.coordinator {
                    coordinator.path = Some(states);
                }
                self.close_if_done(transport)?;
            }
            Message::Farewell(stats) => {
                if let Some(coordinator) = &mut self.coordinator {
                    coordinator.farewells[from] = Some(stats);
                }
                self.close_if_done(transport)?;
            }
            Message::Close => self.phase = Phase::Closed,
        }
        Ok(())
    }

    /// Ends the search, as the coordinator, unless it has ended.
    fn end(
        &mut self,
        ended: Result<(), Stop>,
        transport: &mut dyn Transport<Message<P, V>>,
    ) -> Result<(), TransportError> {
        let Some(coordinator) = &mut self.coordinator else { return Ok(()) };
        if coordinator.ended.is_some() {
            return Ok(());
        }
        coordinator.ended = Some(ended);
        // Where nothing is proved, there is no answer: the path is not asked for.
        let best = coordinator.best.filter(|_| ended.is_ok());
        coordinator.best = best;
        self.broadcast(|| Message::End, transport)?;
        match best {
            Some((_, finder)) => self.post(finder, Message::Trace(At::Goal, Vec::new()), transport),
            None => Ok(()),
        }
    }

    /// Follows a path back, and hands it on to whoever has the rest.
    fn trace(
        &mut self,
        at: At<P>,
        mut states: Vec<P::State>,
        transport: &mut dyn Transport<Message<P, V>>,
    ) -> Result<(), TransportError> {
        match self.part.trace(at, &mut states) {
            Some((owner, at)) => self.post(owner, Message::Trace(at, states), transport),
            None => self.post(0, Message::Path(states), transport),
        }
    }

    /// Says good bye, as the coordinator, when all have, and the path is here, if there is one.
    fn close_if_done(&mut self, transport: &mut dyn Transport<Message<P, V>>) -> Result<(), TransportError> {
        let Some(coordinator) = &self.coordinator else { return Ok(()) };
        let has_path = coordinator.best.is_none() || coordinator.path.is_some();
        if has_path && coordinator.farewells.iter().all(Option::is_some) {
            self.broadcast(|| Message::Close, transport)?;
        }
        Ok(())
    }
}
