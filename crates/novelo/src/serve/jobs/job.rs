//! A job: what it is doing, who watches it, what came of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use novelo_lab::Milestones;
use novelo_puzzles::Report;
use novelo_search::{Control, Progress};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::files::File;
use super::run::{RunView, rank};
use crate::serve::api_error::{ApiError, ErrorDetails};

/// Work that keeps its time itself may need this much longer to wind up.
const GRACE: Duration = Duration::from_secs(1);

/// One job, shared by the thread that does it and the clients that watch it.
pub struct Job {
    /// Its name, which nobody can guess.
    pub id: String,
    kind: &'static str,
    cancel: AtomicBool,
    now: Mutex<Now>,
    changes: watch::Sender<u64>,
}

/// What is known of a job now.
struct Now {
    state: State,
    position: Option<usize>,
    runs: Vec<RunView>,
    steps: Option<Steps>,
    error: Option<ErrorDetails>,
    result: Option<Box<RawValue>>,
    files: Vec<File>,
    watchers: usize,
    seen: Instant,
    started: Option<Instant>,
    /// Why it was ended, if not by a client.
    failure: Option<ApiError>,
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It waits for its turn.
    Queued,
    /// It is being done.
    Running,
    /// It is done.
    Done,
    /// It cannot be done; `error` says why.
    Failed,
    /// It was given up, by a client or because all clients went away.
    Cancelled,
}

impl State {
    /// Whether nothing will change any more.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

/// How many of its runs a job has done.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
struct Steps {
    done: usize,
    total: usize,
}

/// A job as a client sees it.
#[derive(Serialize, ToSchema)]
pub struct JobView<'a> {
    id: &'a str,
    kind: &'a str,
    state: State,
    /// The place in the queue, from 1.
    position: Option<usize>,
    runs: &'a [RunView],
    steps: Option<Steps>,
    error: Option<&'a ErrorDetails>,
    #[schema(value_type = Option<Object>)]
    result: Option<&'a RawValue>,
}

impl Job {
    /// A job that waits for its turn.
    pub fn new(id: String, kind: &'static str, runs: Vec<RunView>) -> Self {
        let now = Now {
            state: State::Queued,
            position: None,
            runs,
            steps: None,
            error: None,
            result: None,
            files: Vec::new(),
            watchers: 0,
            seen: Instant::now(),
            started: None,
            failure: None,
        };
        Self {
            id,
            kind,
            cancel: AtomicBool::new(false),
            now: Mutex::new(now),
            changes: watch::Sender::new(0),
        }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        // Every change under the lock is whole, so a panic elsewhere leaves no half of one.
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Now) -> T) -> T {
        let result = change(&mut self.now());
        self.changes.send_modify(|version| *version += 1);
        result
    }

    /// Tells of every change by its number.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The flag that ends it.
    pub fn cancelled(&self) -> &AtomicBool {
        &self.cancel
    }

    /// Whether it is to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Ends it as soon as it looks up.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// How far it is.
    pub fn state(&self) -> State {
        self.now().state
    }

    /// What a client sees of it, as JSON, and whether that is the last word.
    pub fn json(&self) -> (String, bool) {
        let mut now = self.now();
        now.seen = Instant::now();
        let view = JobView {
            id: &self.id,
            kind: self.kind,
            state: now.state,
            position: now.position,
            runs: &now.runs,
            steps: now.steps,
            error: now.error.as_ref(),
            result: now.result.as_deref(),
        };
        let text = serde_json::to_string(&view).expect("a job is plain data");
        (text, now.state.is_final())
    }

    /// Notes where it stands in the queue.
    pub fn queued(&self, position: usize) {
        self.change(|now| now.position = Some(position));
    }

    /// Notes that it is being done.
    pub fn started(&self) {
        self.change(|now| {
            now.state = State::Running;
            now.position = None;
            now.started = Some(Instant::now());
        });
    }

    /// Notes that nothing more will come.
    pub fn ended(&self, result: Result<Box<RawValue>, ApiError>) {
        let cancelled = self.is_cancelled();
        self.change(|now| {
            now.position = None;
            now.seen = Instant::now();
            now.state = match result {
                _ if now.state.is_final() => return,
                Ok(value) => {
                    now.result = Some(value);
                    if cancelled && now.failure.is_none() { State::Cancelled } else { State::Done }
                }
                Err(_) if cancelled && now.failure.is_none() => State::Cancelled,
                Err(api_error) => {
                    now.error = Some(now.failure.take().unwrap_or(api_error).details());
                    State::Failed
                }
            };
        });
    }

    /// Ends it if it has been done for longer than it may. Most work keeps its time itself and ends with what it has;
    /// this is for the rest.
    pub fn end_after(&self, time: Duration) {
        if self.now().started.is_some_and(|started| started.elapsed().saturating_sub(GRACE) > time) {
            let seconds = time.as_secs_f64();
            self.fail(ApiError::impossible(format!(
                "it took longer than the {seconds} s that a job may take"
            )));
        }
    }

    /// Ends it for a reason; the first counts.
    pub fn fail(&self, reason: ApiError) {
        let mut now = self.now();
        if !now.state.is_final() {
            now.failure.get_or_insert(reason);
            self.cancel();
        }
    }

    /// A hold on one of its runs for the engine.
    pub fn control(&self, run: usize) -> Control<'_> {
        self.control_with(run, Milestones::default())
    }

    /// The same, for a run that notes its improvements.
    pub fn control_with(&self, run: usize, improvements: Milestones) -> Control<'_> {
        self.change(|now| now.runs[run].start());
        let progress = move |progress: &Progress| {
            self.change(|now| {
                now.runs[run].advance(progress);
                now.runs[run].improve(&improvements.so_far());
            });
        };
        Control { cancel: Some(&self.cancel), progress: Some(Box::new(progress)) }
    }

    /// Notes how one of its runs ended, and the improvements it noted.
    pub fn finish_run(&self, run: usize, report: Report, improvements: &Milestones) {
        self.change(|now| {
            now.runs[run].improve(&improvements.so_far());
            now.runs[run].finish(report);
            rank(&mut now.runs);
        });
    }

    /// Notes a better measure of the time that one of its runs took.
    pub fn retime(&self, run: usize, seconds: f64) {
        self.change(|now| {
            now.runs[run].retime(seconds);
            rank(&mut now.runs);
        });
    }

    /// Notes that it goes from one of its runs to the next, which alone is shown.
    pub fn step(&self, done: usize, total: usize, next: Option<RunView>) {
        self.change(|now| {
            now.steps = Some(Steps { done, total });
            now.runs = next.into_iter().collect();
        });
    }

    /// Keeps the files that belong to its result.
    pub fn keep(&self, files: Vec<File>) {
        self.now().files = files;
    }

    /// One of the files of its result.
    pub fn file(&self, name: &str) -> Option<File> {
        self.now().files.iter().find(|file| file.name == name).cloned()
    }

    /// Notes that a client watches it, until what is returned goes out of scope.
    pub fn watched(self: std::sync::Arc<Self>) -> Watcher {
        self.now().watchers += 1;
        Watcher(self)
    }

    /// How long nobody has watched it or asked for it.
    pub fn alone(&self) -> Duration {
        let now = self.now();
        if now.watchers > 0 { Duration::ZERO } else { now.seen.elapsed() }
    }
}

/// A client that watches a job.
pub struct Watcher(pub std::sync::Arc<Job>);

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut now = self.0.now();
        now.watchers -= 1;
        now.seen = Instant::now();
    }
}
