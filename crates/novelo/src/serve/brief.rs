//! Short work beside the jobs: making a board, a hint, a check.
//!
//! It runs on threads of its own, as many at once as there are cores, under a time limit; a client who goes away
//! ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::Semaphore;

use super::api_error::ApiError;

/// At most this many requests wait.
const QUEUE: usize = 256;
/// The longest that short work may take.
pub const LONGEST: Duration = Duration::from_secs(10);

/// The threads for short work.
pub struct Brief {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// Sets a flag when it goes out of scope: what it stands for is no longer wanted.
struct Recall(Arc<AtomicBool>);

impl Drop for Recall {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Counts who waits.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Brief {
    /// Threads for this many pieces of work at once.
    pub fn new(places: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(places)), waiting: AtomicUsize::new(0) }
    }

    /// Does a piece of work, which must look at the flag now and then and end when it is set.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let waiting = Waiting(&self.waiting);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= QUEUE {
            return Err(ApiError::full("the server is busy"));
        }
        let place = self.places.clone().acquire_owned().await.expect("never closed");
        drop(waiting);
        let cancel = Arc::new(AtomicBool::new(false));
        let recall = Recall(cancel.clone());
        let mut task = tokio::task::spawn_blocking(move || {
            // The place is free when the work has ended, not when its client has gone.
            let _place = place;
            work(&cancel)
        });
        let result = tokio::select! {
            result = &mut task => result,
            () = tokio::time::sleep(LONGEST) => {
                drop(recall);
                task.await
            }
        };
        result.map_err(|_| {
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error: this fault is the program's")
                .help("please report it with what you did")
        })
    }
}
