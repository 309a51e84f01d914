//! Workers as processes, which exchange bytes.

use super::message::{Message, Parcel};
use super::transport::{Transport, TransportError};
use super::wire::{Mark, Wire, WireProblem, decode, encode};
use crate::heuristic::Estimate;

/// Carries bytes between processes, as a [`Transport`] carries messages. What one sends to another arrives in that order.
pub trait Processes: Send {
    /// The number of this process.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// A search begins: what is still under way from the one before is not for it.
    fn begin(&mut self) -> Result<(), TransportError>;

    /// A search has ended, here and everywhere.
    fn end(&mut self) -> Result<(), TransportError>;

    /// Sends bytes to another process, and does not wait until they are there. The buffer that it leaves is empty.
    fn send(&mut self, to: usize, bytes: &mut Vec<u8>) -> Result<(), TransportError>;

    /// Puts the next bytes that have arrived in place of the buffer's own, if any have; who has sent them.
    fn receive(&mut self, bytes: &mut Vec<u8>) -> Result<Option<usize>, TransportError>;

    /// Waits until something may have arrived, some milliseconds at most.
    fn wait(&mut self);

    /// Bytes of messages that it holds.
    fn held(&self) -> usize;
}

/// What a process says when it has nothing more to search.
const OVER: &[u8] = b"nothing more to search";

/// Waits until no process has anything more to search. It is an error if one of them has, for it would wait for ever for those
/// that do not: they were not given the same to search, or one was interrupted before the others.
pub fn conclude(processes: &mut dyn Processes) -> Result<(), TransportError> {
    processes.begin()?;
    let (me, count) = (processes.rank(), processes.count());
    let mut bytes = Vec::new();
    for to in (0..count).filter(|&to| to != me) {
        bytes.clear();
        bytes.extend_from_slice(OVER);
        processes.send(to, &mut bytes)?;
    }
    let mut missing = count - 1;
    while missing > 0 {
        match processes.receive(&mut bytes)? {
            Some(_) if bytes == OVER => missing -= 1,
            Some(from) => {
                return Err(TransportError(format!(
                    "process {from} goes on to search when this one has nothing more to search: all must be given the same boards"
                )));
            }
            None => processes.wait(),
        }
    }
    processes.end()
}

/// Messages over processes, as bytes.
pub(super) struct Encoded<'b, P: WireProblem, V> {
    processes: &'b mut dyn Processes,
    mark: Mark,
    out: Vec<u8>,
    arrived: Vec<u8>,
    /// Buffers of nodes that were sent, for those that come.
    spare: Vec<Vec<Parcel<P, V>>>,
}

impl<'b, P: WireProblem, V> Encoded<'b, P, V> {
    pub fn new(processes: &'b mut dyn Processes, mark: Mark) -> Self {
        Self { processes, mark, out: Vec::new(), arrived: Vec::new(), spare: Vec::new() }
    }
}

impl<P: WireProblem, V: Estimate<P::Cost> + Wire> Transport<Message<P, V>> for Encoded<'_, P, V> {
    fn rank(&self) -> usize {
        self.processes.rank()
    }

    fn workers(&self) -> usize {
        self.processes.count()
    }

    fn send(&mut self, to: usize, message: Message<P, V>) -> Result<(), TransportError> {
        self.out.clear();
        encode(self.mark, &message, &mut self.out);
        if let Message::Nodes(mut parcels) = message {
            parcels.clear();
            if self.spare.len() < 2 * self.processes.count() {
                self.spare.push(parcels);
            }
        }
        self.processes.send(to, &mut self.out)
    }

    fn receive(&mut self) -> Result<Option<(usize, Message<P, V>)>, TransportError> {
        let Some(from) = self.processes.receive(&mut self.arrived)? else { return Ok(None) };
        let buffer = self.spare.pop().unwrap_or_default();
        decode(self.mark, &self.arrived, buffer).map(|message| Some((from, message)))
    }

    fn wait(&mut self) {
        self.processes.wait();
    }

    fn bytes(&self) -> usize {
        self.processes.held()
    }
}
