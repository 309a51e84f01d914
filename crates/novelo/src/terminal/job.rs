//! Work in the background, so that the screen never waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Work that goes on elsewhere; dropping it ends it.
pub struct Job<T> {
    result: Receiver<T>,
    cancel: Arc<AtomicBool>,
}

/// How far a job is.
pub enum State<T> {
    /// Still at it.
    Working,
    /// Here is what came of it.
    Done(T),
    /// It came to nothing: its thread is gone.
    Failed,
}

impl<T: Send + 'static> Job<T> {
    /// Starts work that looks at a flag now and then and ends when it is set.
    pub fn start(work: impl FnOnce(&AtomicBool) -> T + Send + 'static) -> Self {
        let (sender, result) = channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let flag = cancel.clone();
        std::thread::spawn(move || {
            // Nobody listens any more where the job was dropped.
            let _ = sender.send(work(&flag));
        });
        Self { result, cancel }
    }

    /// How far it is.
    pub fn state(&self) -> State<T> {
        match self.result.try_recv() {
            Ok(result) => State::Done(result),
            Err(TryRecvError::Empty) => State::Working,
            Err(TryRecvError::Disconnected) => State::Failed,
        }
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}
