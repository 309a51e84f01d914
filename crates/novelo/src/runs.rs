//! Runs in worker processes, with a bar that shows how far they are and what is running.

use std::process::Command;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use novelo_lab::pool::{self, Event, PoolError};
use novelo_lab::{Run, Task};

use crate::interrupt;
use crate::user_error::UserError;

/// The hidden command that makes this program a worker.
pub const WORKER: &str = "worker";

/// Does tasks, `jobs` of them at a time, and hands over each run as it ends. Ctrl-C ends it.
pub fn run(
    tasks: &[Task],
    jobs: usize,
    mut keep: impl FnMut(Run) -> Result<(), UserError>,
) -> Result<(), UserError> {
    let program = std::env::current_exe()
        .map_err(|error| UserError::new(format!("cannot find this program to start workers: {error}")))?;
    let worker = || {
        let mut command = Command::new(&program);
        command.args([WORKER, "--share", &jobs.to_string()]);
        // Ctrl-C is for this process, which then ends its workers.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    };
    let mut bar = Bar::new(tasks.len(), jobs);
    pool::run(tasks, jobs, worker, interrupt::flag(), |event| {
        match event {
            Event::Started(worker, task) => bar.started(worker, task),
            Event::Finished(worker, run) => {
                keep(*run)?;
                bar.finished(worker);
            }
        }
        Ok(())
    })
    .map_err(|error| match error {
        PoolError::Listener(user_error) => user_error,
        error @ PoolError::Worker(_) => UserError::new(error.to_string()),
    })
}

struct Bar {
    bar: ProgressBar,
    running: Vec<String>,
}

impl Bar {
    fn new(total: usize, jobs: usize) -> Self {
        let bar = ProgressBar::new(total as u64);
        let style = "{bar:24} {pos}/{len}  {elapsed} of about {duration}  {wide_msg}";
        bar.set_style(ProgressStyle::with_template(style).expect("a valid template"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, running: vec![String::new(); jobs] }
    }

    fn started(&mut self, worker: usize, task: &Task) {
        self.running[worker] = format!("{}: {}", task.subject.name, task.method.label());
        self.show();
    }

    fn finished(&mut self, worker: usize) {
        self.running[worker].clear();
        self.bar.inc(1);
        self.show();
    }

    fn show(&self) {
        let running: Vec<_> =
            self.running.iter().filter(|text| !text.is_empty()).map(String::as_str).collect();
        self.bar.set_message(running.join("; "));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
