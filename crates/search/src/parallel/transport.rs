//! How messages travel.

/// Carries messages between workers, which are numbered from 0.
///
/// Each message arrives once and whole. Nothing else is asked: they may overtake each other and take any time.
pub trait Transport<M> {
    /// The number of this worker.
    fn rank(&self) -> usize;

    /// How many workers there are.
    fn workers(&self) -> usize;

    /// Sends a message to another worker, and does not wait until it is there.
    fn send(&mut self, to: usize, message: M) -> Result<(), TransportError>;

    /// The next message that has arrived, if one has, and who has sent it.
    fn receive(&mut self) -> Result<Option<(usize, M)>, TransportError>;

    /// Waits until a message may have arrived, some milliseconds at most.
    fn wait(&mut self) {}

    /// Bytes of messages that it holds for this worker, or from it.
    fn bytes(&self) -> usize {
        0
    }
}

/// Messages can no longer be sent or understood, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TransportError(pub String);
