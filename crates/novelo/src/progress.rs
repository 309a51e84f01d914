//! The progress line of a long run.

use std::io::IsTerminal as _;
use std::time::Duration;

use bytesize::ByteSize;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use novelo_search::{Control, Frontier, Progress};

use crate::interrupt;

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// A hold on a run that Ctrl-C ends and that, in a terminal, shows how it goes.
pub fn control(label: &str) -> Control<'static> {
    let cancel = Some(interrupt::flag());
    if !std::io::stderr().is_terminal() {
        return Control { cancel, progress: None };
    }
    let mut line = Line { bar: None, label: label.to_owned() };
    Control { cancel, progress: Some(Box::new(move |progress| line.show(progress))) }
}

struct Line {
    bar: Option<ProgressBar>,
    label: String,
}

impl Line {
    fn show(&mut self, progress: &Progress) {
        if progress.elapsed < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{spinner} {wide_msg}").expect("a valid template"));
            bar
        });
        let seconds = progress.elapsed.as_secs_f64();
        let reached = match progress.frontier {
            Frontier::Depth(depth) => format!("depth {depth}"),
            Frontier::Cost(cost) => format!("cost {cost}"),
            Frontier::F(f) => format!("f {f}"),
            Frontier::Share(part) => format!("table {:.0} %", part * 100.0),
        };
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
        }
    }
}
