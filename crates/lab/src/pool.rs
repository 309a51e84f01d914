//! Tasks done by worker processes: a run that hits its limits, panics or dies costs only itself.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use novelo_search::Stop;

use crate::machine::ProcessMemory;
use crate::run::{Cause, Ending, Run};
use crate::task::Task;

/// Fresh memory is not touched faster than this by the threads of one run, in bytes a second: how long the watch may
/// look away.
const FASTEST_GROWTH: u64 = 4 << 30;
const SHORTEST_LOOK: Duration = Duration::from_millis(5);
const LONGEST_LOOK: Duration = Duration::from_millis(200);
/// A worker that has held more than this is replaced, so that no run inherits the memory of another.
const REPLACE_ABOVE: u64 = 32 << 20;
/// What a run may take beyond its time limit to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// What happens in a pool.
#[derive(Debug)]
pub enum Event<'t> {
    /// A task was given to a worker, which has this number.
    Started(usize, &'t Task),
    /// A run is over.
    Finished(usize, Box<Run>),
}

/// Why a pool stopped before its tasks were done.
#[derive(Debug, thiserror::Error)]
pub enum PoolError<E> {
    /// A worker cannot be started.
    #[error("cannot start a worker process: {0}")]
    Worker(std::io::Error),
    /// Whoever was told of the events did not want to go on.
    #[error(transparent)]
    Listener(E),
}

/// Does tasks in `jobs` processes at a time and tells of each as it starts and ends, until all are done or `cancel`
/// is set. Runs that were cancelled are not told of. `command` starts a process that [serves](crate::worker::serve).
pub fn run<'t, E>(
    tasks: &'t [Task],
    jobs: usize,
    command: impl Fn() -> Command + Sync,
    cancel: &AtomicBool,
    mut tell: impl FnMut(Event<'t>) -> Result<(), E>,
) -> Result<(), PoolError<E>> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, events) = mpsc::channel();
    std::thread::scope(|scope| {
        for number in 0..jobs.clamp(1, tasks.len().max(1)) {
            let (sender, next, stop, command) = (sender.clone(), &next, &stop, &command);
            let wanted = move || !stop.load(Ordering::Relaxed) && !cancel.load(Ordering::Relaxed);
            scope.spawn(move || {
                let mut keeper =
                    Keeper { command, worker: None, memory: ProcessMemory::default(), wanted: &wanted };
                while wanted()
                    && let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let told = sender.send(Ok(Event::Started(number, task)));
                    match keeper.supervise(task) {
                        Ok(Some(run)) if told.is_ok() => {
                            let _ = sender.send(Ok(Event::Finished(number, Box::new(run))));
                        }
                        Ok(_) => {}
                        Err(error) => {
                            let _ = sender.send(Err(error));
                            break;
                        }
                    }
                }
            });
        }
        drop(sender);
        let result = events.iter().try_for_each(|event| {
            let event = event.map_err(PoolError::Worker)?;
            tell(event).map_err(PoolError::Listener)
        });
        stop.store(true, Ordering::Relaxed);
        result
    })
}

/// One worker at a time, replaced when it dies.
struct Keeper<'c> {
    command: &'c (dyn Fn() -> Command + Sync),
    worker: Option<Worker>,
    memory: ProcessMemory,
    wanted: &'c dyn Fn() -> bool,
}

struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    fn start(mut command: Command) -> std::io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, answers) = mpsc::channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Ok(Self { child, input, answers })
    }

    fn ask(&mut self, task: &Task) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(task).expect("a task is plain data");
        line.push(b'\n');
        self.input.write_all(&line)?;
        self.input.flush()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Keeper<'_> {
    /// Gives a task to the worker and waits for its run; `None` if it is no longer wanted.
    fn supervise(&mut self, task: &Task) -> std::io::Result<Option<Run>> {
        // A worker may have died since its last run: then another takes the task.
        if self.worker.as_mut().is_none_or(|worker| worker.ask(task).is_err()) {
            self.worker.insert(Worker::start((self.command)())?).ask(task)?;
        }
        let started = Instant::now();
        let mut look = SHORTEST_LOOK;
        loop {
            let worker = self.worker.as_mut().expect("it was asked");
            match worker.answers.recv_timeout(look) {
                Ok(line) => {
                    let run = serde_json::from_str::<Run>(&line).unwrap_or_else(|error| {
                        self.lost(
                            task,
                            Cause::Killed,
                            format!("its process gave an answer that is none: {error}"),
                        )
                    });
                    let much = run.figures.peak_bytes.is_some_and(|bytes| bytes > REPLACE_ABOVE);
                    if much || run.outcome == Ending::Failed {
                        self.worker = None;
                    }
                    return Ok(Some(run));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = worker.child.wait();
                    if status.as_ref().is_ok_and(|&status| asked_to_end(status))
                        && self.no_longer_wanted_soon()
                    {
                        self.worker = None;
                        return Ok(None);
                    }
                    let reason = status.map_or_else(|error| error.to_string(), died);
                    return Ok(Some(self.lost(task, Cause::Killed, reason)));
                }
                Err(RecvTimeoutError::Timeout) if !(self.wanted)() => {
                    self.worker = None;
                    return Ok(None);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some((stop, reason)) = self.overstepped(task, started.elapsed()) {
                return Ok(Some(self.lost(task, stop, reason)));
            }
            look = self.next_look(task);
        }
    }

    /// Whether this process is asked to end, too: a scheduler that ends a job tells all processes of it, in any order.
    fn no_longer_wanted_soon(&self) -> bool {
        let since = Instant::now();
        while (self.wanted)() && since.elapsed() < GRACE {
            std::thread::sleep(SHORTEST_LOOK);
        }
        !(self.wanted)()
    }

    /// Whether a run has to be ended from outside, and why.
    fn overstepped(&mut self, task: &Task, elapsed: Duration) -> Option<(Cause, String)> {
        if let Some(limit) = task.time_limit()
            && elapsed > limit.saturating_add(GRACE.max(limit / 10))
        {
            return Some((
                Cause::Search(Stop::Time),
                format!("did not end by itself at its limit of {limit:?}"),
            ));
        }
        let limit = task.limits.memory_limit?;
        let held = self.memory.bytes(self.worker.as_ref()?.child.id())?;
        let (held_text, limit_text) = (bytesize::ByteSize(held), bytesize::ByteSize(limit));
        (held > limit)
            .then(|| (Cause::Search(Stop::Memory), format!("held {held_text} under a limit of {limit_text}")))
    }

    /// How long the run can be left alone: as long as it takes to fill the memory it has left.
    fn next_look(&mut self, task: &Task) -> Duration {
        let Some(limit) = task.limits.memory_limit else { return LONGEST_LOOK };
        let held = self.worker.as_ref().and_then(|worker| self.memory.bytes(worker.child.id()));
        let left = limit.saturating_sub(held.unwrap_or(limit));
        Duration::from_secs_f64(left as f64 / FASTEST_GROWTH as f64).clamp(SHORTEST_LOOK, LONGEST_LOOK)
    }

    /// Ends the worker, whose run had to be given up.
    fn lost(&mut self, task: &Task, cause: Cause, reason: String) -> Run {
        self.worker = None;
        let outcome = if cause == Cause::Killed { Ending::Failed } else { Ending::Stopped };
        Run::without_figures(task, outcome, Some(cause), reason)
    }
}

/// Whether a process has died of a signal that asks for its end: SIGHUP, SIGINT or SIGTERM.
#[cfg(unix)]
fn asked_to_end(status: ExitStatus) -> bool {
    matches!(std::os::unix::process::ExitStatusExt::signal(&status), Some(1 | 2 | 15))
}

#[cfg(not(unix))]
fn asked_to_end(_: ExitStatus) -> bool {
    false
}

fn died(status: ExitStatus) -> String {
    format!("its process died: {status}")
}
