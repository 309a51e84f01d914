//! What workers tell each other.

use std::time::Duration;

use crate::limits::Stop;
use crate::problem::Problem;
use crate::store::Handle;

/// A node on its way to the worker that owns its state.
#[derive(Debug)]
pub struct Parcel<P: Problem, V> {
    /// The state.
    pub state: P::State,
    /// The action that led to it.
    pub action: P::Action,
    /// Its parent, in the store of the worker that sends it.
    pub parent: Handle,
    /// The cost of the path to it.
    pub g: P::Cost,
    /// The estimate of what is left.
    pub h: V,
}

/// Messages so far of the two kinds that can give their receiver work: [`Message::Nodes`] and [`Message::Incumbent`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sent.
    pub sent: u64,
    /// Received and dealt with.
    pub received: u64,
}

/// What one worker has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WorkerStats {
    /// States whose successors it produced.
    pub expanded: u64,
    /// Successors it produced.
    pub generated: u64,
    /// Nodes it holds at the end.
    pub stored: u64,
    /// Bytes they take, with the open list and the buffers.
    pub bytes: u64,
    /// Successors that were its own.
    pub kept: u64,
    /// Successors that it sent to other workers.
    pub sent: u64,
    /// Messages it sent, of all kinds.
    pub messages: u64,
    /// Time that it spent waiting for messages.
    pub idle: Duration,
}

impl WorkerStats {
    /// The sum of several; their time of waiting is added up, too.
    pub fn total<'s>(workers: impl IntoIterator<Item = &'s Self>) -> Self {
        workers.into_iter().fold(Self::default(), |sum, one| Self {
            expanded: sum.expanded + one.expanded,
            generated: sum.generated + one.generated,
            stored: sum.stored + one.stored,
            bytes: sum.bytes + one.bytes,
            kept: sum.kept + one.kept,
            sent: sum.sent + one.sent,
            messages: sum.messages + one.messages,
            idle: sum.idle + one.idle,
        })
    }
}

/// Where a path is followed further back.
#[derive(Debug)]
pub enum At<P: Problem> {
    /// At the goal that the receiver has found.
    Goal,
    /// At this state, which is the receiver's.
    State(P::State),
    /// At this node of the receiver.
    Node(Handle),
}

/// A message. Worker 0 is the coordinator.
#[derive(Debug)]
pub enum Message<P: Problem, V> {
    /// Nodes for their owner.
    Nodes(Vec<Parcel<P, V>>),
    /// The sender has found a path to a goal at this cost.
    Incumbent(P::Cost),
    /// From the coordinator: answer as soon as you have nothing to do. With the number of the wave.
    Poll(u64),
    /// To the coordinator: I had nothing to do when I wrote this, and these are my counts.
    Passive(u64, Counts),
    /// To the coordinator: a limit has ended my work.
    Stopped(Stop),
    /// From the coordinator: nothing more is expanded.
    End,
    /// Follow the path back from here. The states are those after it, from the goal on.
    Trace(At<P>, Vec<P::State>),
    /// To the coordinator: the states of the path, from the goal to the start.
    Path(Vec<P::State>),
    /// To the coordinator: what I have done.
    Farewell(WorkerStats),
    /// From the coordinator: good bye.
    Close,
}

impl<P: Problem, V> Message<P, V> {
    /// Whether it may give its receiver work.
    pub fn is_work(&self) -> bool {
        matches!(self, Self::Nodes(_) | Self::Incumbent(_))
    }

    /// Nodes in it.
    pub fn nodes(&self) -> u64 {
        if let Self::Nodes(parcels) = self { parcels.len() as u64 } else { 0 }
    }

    /// Bytes of it, more or less, for models of a network.
    pub fn size(&self) -> usize {
        match self {
            Self::Nodes(parcels) => 16 + parcels.len() * size_of::<Parcel<P, V>>(),
            Self::Trace(_, states) | Self::Path(states) => 16 + states.len() * size_of::<P::State>(),
            _ => 32,
        }
    }
}
