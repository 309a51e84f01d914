//! The worker's side of a pool: a process that does one task after the other and answers each on a line.

use std::io::{BufRead as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

use crate::run::{Cause, Ending, Run};
use crate::task::Task;

/// Reads tasks from standard input and writes runs to standard output, until the input ends.
///
/// When whoever gave the tasks dies, the input ends, and so does this process at once, in the middle of a run or not.
pub fn serve(mut run: impl FnMut(&Task) -> Run) {
    let (sender, tasks) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let task = line.ok().and_then(|line| serde_json::from_str::<Task>(&line).ok());
            if task.is_none_or(|task| sender.send(task).is_err()) {
                break;
            }
        }
        std::process::exit(0);
    });
    // What a run has to say about its fault goes into its record.
    std::panic::set_hook(Box::new(|_| {}));
    for task in tasks {
        let done = catch_unwind(AssertUnwindSafe(|| run(&task)));
        let done = done.unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Run::without_figures(&task, Ending::Failed, Some(Cause::Panic), format!("panicked: {text}"))
        });
        let mut line = serde_json::to_vec(&done).expect("a run is plain data");
        line.push(b'\n');
        let mut out = std::io::stdout().lock();
        if out.write_all(&line).and_then(|()| out.flush()).is_err() {
            break;
        }
    }
}
