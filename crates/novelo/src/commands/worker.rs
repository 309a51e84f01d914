//! `novelo worker`: one process of a pool, for `compare` and `experiment`

use clap::Args;
use novelo_lab::{Ending, Environment, Run, worker};
use novelo_search::Control;

use crate::exit::Code;
use crate::{folders, memory};

/// What a process may hold beside what its search counts: the program, and what the allocator does not give back. That
/// was 44 MiB at most, whatever the limit.
const UNCOUNTED: usize = 48 << 20;

/// Options of `worker`.
#[derive(Debug, Args)]
pub struct Worker {
    /// How many workers share the machine's memory
    #[arg(long, default_value_t = 1)]
    pub share: usize,
}

/// Does the tasks that come on standard input.
pub fn run(options: &Worker) -> Code {
    worker::serve(|task| {
        #[cfg(debug_assertions)]
        misbehave(task);
        match memory::for_search(task.limits.memory_limit) {
            Ok(bytes) => {
                let share = if task.limits.memory_limit.is_some() { 1 } else { options.share.max(1) };
                // The search should stop by itself, with its counts, before the process is ended from outside.
                let memory = Some((bytes - bytes / 32 - UNCOUNTED.min(bytes / 4)) / share);
                let environment = Environment { memory, cache: folders::cache(), cache_quota: None };
                Run::here(task, &environment, Control::default())
            }
            Err(user_error) => Run::without_figures(task, Ending::Refused, None, user_error.to_string()),
        }
    });
    Code::Success
}

/// In test builds, and only if asked: instances of certain names make their run go wrong, so that tests can see what
/// becomes of it.
#[cfg(debug_assertions)]
fn misbehave(task: &novelo_lab::Task) {
    if std::env::var_os("NOVELO_MISBEHAVE").is_none() {
        return;
    }
    match task.subject.name.as_str() {
        "panics" => panic!("as the test wants it"),
        "aborts" => std::process::abort(),
        "hangs" => loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        },
        "devours" => {
            // Ten gigabytes, touched page by page.
            let hoard: Vec<Vec<u8>> = (0..10_240).map(|_| vec![1; 1 << 20]).collect();
            assert!(hoard.iter().all(|part| part[0] == 1));
        }
        _ => {}
    }
}
