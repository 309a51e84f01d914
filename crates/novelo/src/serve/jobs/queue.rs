//! The jobs of a server: a queue of bounded length, the threads that do them, and an end to those that no client has asked
//! for in a while.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::value::RawValue;

use super::job::{Job, State};
use super::run::RunView;
use crate::serve::api_error::ApiError;
use crate::serve::token;

/// At most this many jobs wait; more are refused.
pub const QUEUE: usize = 64;
/// A job that nobody has watched or asked for during this time is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// A finished job is kept for this long after somebody last asked for it.
const MEMORY: Duration = Duration::from_secs(600);
/// At most this many finished jobs are kept.
const KEPT: usize = 128;
/// Bytes of the stack of a thread that searches: some recursions are as deep as a path is long.
pub const STACK: usize = 16 << 20;

/// What a thread does for a job; returns the result as JSON.
pub type Work = Box<dyn FnOnce(&Job) -> Result<Box<RawValue>, ApiError> + Send>;

/// A job that can be handed in.
pub struct Task {
    /// What kind of job it is.
    pub kind: &'static str,
    /// The runs it consists of.
    pub runs: Vec<RunView>,
    /// What is to be done.
    pub work: Work,
}

/// All jobs of a server.
pub struct JobQueue {
    contents: Mutex<Contents>,
    bell: Condvar,
    /// The longest that a job may take.
    time: Duration,
}

#[derive(Default)]
struct Contents {
    jobs: HashMap<String, Arc<Job>>,
    queue: VecDeque<(Arc<Job>, Work)>,
    closing: bool,
}

impl Contents {
    fn number_queue(&self) {
        self.queue.iter().zip(1..).for_each(|((job, _), position)| job.queued(position));
    }

    fn drop_from_queue(&mut self, job: &Arc<Job>) {
        self.queue.retain(|(queued, _)| !Arc::ptr_eq(queued, job));
    }
}

impl JobQueue {
    /// A queue with a number of threads that do its jobs, and a time that each job may take at most.
    pub fn open(threads: usize, time: Duration) -> Arc<Self> {
        let queue = Arc::new(Self { contents: Mutex::default(), bell: Condvar::new(), time });
        for number in 1..=threads {
            let queue = queue.clone();
            let thread = std::thread::Builder::new().name(format!("job-{number}")).stack_size(STACK);
            thread.spawn(move || queue.labour()).expect("the system has a thread to spare");
        }
        queue
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        // Every change under the lock is whole, so a panic elsewhere leaves no half of one.
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does one job after another, until the queue is closed.
    fn labour(&self) {
        loop {
            let mut contents = self.contents();
            let (job, work) = loop {
                match contents.queue.pop_front() {
                    _ if contents.closing => return,
                    Some(next) => break next,
                    None => contents = self.bell.wait(contents).unwrap_or_else(PoisonError::into_inner),
                }
            };
            job.started();
            contents.number_queue();
            drop(contents);
            let result = catch_unwind(AssertUnwindSafe(|| work(&job)));
            job.ended(result.unwrap_or_else(|_| {
                Err(ApiError::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "internal error: this fault is the program's",
                )
                .help("please report it with the instance and the options used"))
            }));
        }
    }

    /// Takes a job on, if there is room for it.
    pub fn submit(&self, task: Task) -> Result<Arc<Job>, ApiError> {
        let mut contents = self.contents();
        if contents.closing {
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down"));
        }
        if contents.queue.len() >= QUEUE {
            return Err(ApiError::full(format!(
                "{QUEUE} jobs are waiting already; this one is not taken on"
            )));
        }
        let job = Arc::new(Job::new(token(), task.kind, task.runs));
        contents.jobs.insert(job.id.clone(), job.clone());
        contents.queue.push_back((job.clone(), task.work));
        job.queued(contents.queue.len());
        drop(contents);
        self.bell.notify_one();
        Ok(job)
    }

    /// The job of a name.
    pub fn find(&self, id: &str) -> Result<Arc<Job>, ApiError> {
        self.contents().jobs.get(id).cloned().ok_or_else(|| {
            ApiError::missing("there is no such job").help("results are kept for ten minutes; start it again")
        })
    }

    /// Gives a job up; one that still waits has then ended.
    pub fn cancel(&self, job: &Arc<Job>) {
        job.cancel();
        let mut contents = self.contents();
        if job.state() == State::Queued {
            contents.drop_from_queue(job);
            job.ended(Err(ApiError::bad("cancelled")));
            contents.number_queue();
        }
    }

    /// Gives up what nobody waits for, and forgets what nobody has asked for in a long time.
    pub fn reap(&self) {
        let jobs: Vec<_> = self.contents().jobs.values().cloned().collect();
        let (ended, going): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|job| job.state().is_final());
        going.iter().for_each(|job| job.end_after(self.time));
        going.iter().filter(|job| job.alone() > PATIENCE).for_each(|job| self.cancel(job));
        let mut ended: Vec<_> = ended.into_iter().map(|job| (job.alone(), job)).collect();
        ended.sort_by_key(|(alone, _)| *alone);
        let mut contents = self.contents();
        for (place, (alone, job)) in ended.iter().enumerate() {
            if place >= KEPT || *alone > MEMORY {
                contents.jobs.remove(&job.id);
            }
        }
    }

    /// Gives everything up, and forgets it.
    pub fn forget_all(&self) {
        let jobs: Vec<_> = self.contents().jobs.drain().map(|(_, job)| job).collect();
        jobs.iter().for_each(|job| self.cancel(job));
    }

    /// Gives everything up and takes nothing on.
    pub fn close(&self) {
        let jobs: Vec<_> = {
            let mut contents = self.contents();
            contents.closing = true;
            contents.jobs.values().cloned().collect()
        };
        jobs.iter().for_each(|job| self.cancel(job));
        self.bell.notify_all();
    }

    /// How many jobs wait, and how many are being done.
    pub fn load(&self) -> (usize, usize) {
        let contents = self.contents();
        let running = contents.jobs.values().filter(|job| job.state() == State::Running).count();
        (contents.queue.len(), running)
    }
}
