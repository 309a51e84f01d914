//! The progress line of a long run.

use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytesize::ByteSize;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use novelo_search::{Control, Frontier, Progress};

use crate::interrupt;

/// The progress line that is on the screen, if any is.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Prints something above the progress line, if there is one.
pub fn above<T>(print: impl FnOnce() -> T) -> T {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match shown {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// A hold on a run that Ctrl-C ends and that, in a terminal, shows how it goes.
pub fn control(label: &str) -> Control<'static> {
    let cancel = Some(interrupt::flag());
    if !std::io::stderr().is_terminal() {
        return Control { cancel, progress: None };
    }
    let line = Mutex::new(Line { bar: None, label: label.to_owned() });
    let show = move |progress: &Progress| line.lock().unwrap_or_else(PoisonError::into_inner).show(progress);
    Control { cancel, progress: Some(Box::new(show)) }
}

/// A line that shows how many instances are made, and since when; nothing
/// outside a terminal. It is gone when it is dropped.
pub struct Making(ProgressBar);

/// Starts the line for a number of instances.
pub fn making(what: &str, count: u64) -> Making {
    if !std::io::stderr().is_terminal() {
        return Making(ProgressBar::hidden());
    }
    let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr());
    let template = "{spinner} {msg}: {pos} of {len} made in {elapsed}";
    bar.set_style(ProgressStyle::with_template(template).expect("a valid template"));
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    Making(bar)
}

impl Making {
    /// Prints a finished instance above the line.
    pub fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        let printed = self.0.suspend(print);
        self.0.inc(1);
        printed
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

struct Line {
    bar: Option<ProgressBar>,
    label: String,
}

/// A search, whose end nobody knows.
const SEARCH: &str = "{spinner} {wide_msg}";
/// A table that is being built.
const TABLE: &str = "{spinner} {msg} [{wide_bar}] {percent:>3} %";

impl Line {
    fn show(&mut self, progress: &Progress) {
        const WHOLE: u64 = 1000;
        if progress.elapsed < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(WHOLE), ProgressDrawTarget::stderr());
            *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
            bar
        });
        let style = |template| ProgressStyle::with_template(template).expect("a valid template");
        let seconds = progress.elapsed.as_secs_f64();
        let reached = match progress.frontier {
            Frontier::Depth(depth) => format!("depth {depth}"),
            Frontier::Bound(bound) => format!("bound {bound}"),
            Frontier::Cost(cost) => format!("cost {cost}"),
            Frontier::F(f) => format!("f {f}"),
            Frontier::Share(part) => {
                bar.set_style(style(TABLE).progress_chars("=> "));
                bar.set_position((part * WHOLE as f64) as u64);
                bar.set_message(format!("{} {seconds:.1} s  pattern database", self.label));
                bar.tick();
                return;
            }
        };
        bar.set_style(style(SEARCH));
        bar.set_message(format!(
            "{} {seconds:.1} s  {} expanded  {}/s  {}  {reached}",
            self.label,
            HumanCount(progress.expanded),
            HumanCount((progress.expanded as f64 / seconds) as u64),
            ByteSize(progress.bytes as u64),
        ));
        bar.tick();
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}
