//! A search that goes at the pace of whoever watches it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use novelo_puzzles::watch::{Seen, Watcher};
use novelo_search::{Algorithm, Fate, Progress, Side};

/// How often a search at full speed is looked at, and how often one that waits looks whether it was cancelled.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The slowest pace, in nodes a second, and the fastest that is not full speed.
const PACES: [u32; 2] = [1, 2048];
/// Where an untouched search begins. It doubles its pace every second, so that a short search is seen and a long one is
/// soon at full speed.
const FIRST: u32 = 4;
/// Stored nodes up to which the open list is counted at each look.
const COUNTED: u64 = 20_000;

/// How fast a search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// So many nodes a second.
    Nodes(u32),
    /// As fast as it can.
    Full,
}

impl Pace {
    /// The next faster or slower one.
    pub fn changed(self, faster: bool) -> Self {
        match (self, faster) {
            (Self::Full, true) => Self::Full,
            (Self::Full, false) => Self::Nodes(PACES[1]),
            (Self::Nodes(nodes), true) if nodes >= PACES[1] => Self::Full,
            (Self::Nodes(nodes), true) => Self::Nodes(nodes * 2),
            (Self::Nodes(nodes), false) => Self::Nodes((nodes / 2).max(PACES[0])),
        }
    }
}

impl std::fmt::Display for Pace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nodes(1) => f.write_str("one node a second"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a second"),
            Self::Full => f.write_str("full speed"),
        }
    }
}

/// What is wished of the search.
#[derive(Debug, Clone, Copy)]
struct Wish {
    pace: Pace,
    /// When an untouched pace doubles next.
    doubles: Option<Instant>,
    held: bool,
    /// Expansions that are let through while it is held.
    steps: u32,
}

/// What was last seen of a search.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// The algorithm and its heuristic.
    pub method: Option<(Algorithm, Option<String>)>,
    /// What the iteration is held to, in the measure of its algorithm.
    pub iteration: Option<f64>,
    /// Expansions so far.
    pub expanded: u64,
    /// Nodes generated so far, the root among them.
    pub generated: u64,
    /// The node expanded last, and the moves that led to it.
    pub node: Option<(Seen, Vec<String>)>,
    /// What has been generated since.
    pub successors: Vec<(String, Seen, Fate)>,
    /// The length of the open list, where there is one and it is not too long to be counted.
    pub open: Option<usize>,
    /// How far the meter says it is.
    pub progress: Option<Progress>,
}

struct Stage {
    wish: Wish,
    look: Look,
}

/// What the search and the screen share.
pub struct Paced {
    stage: Mutex<Stage>,
    changed: Condvar,
}

impl Paced {
    /// Held before its first node, at a pace, or at one that grows by itself.
    pub fn new(held: bool, pace: Option<Pace>) -> Self {
        let doubles = pace.is_none().then(|| Instant::now() + Duration::from_secs(1));
        let pace = pace.unwrap_or(Pace::Nodes(FIRST));
        let wish = Wish { pace, doubles, held, steps: 0 };
        Self { stage: Mutex::new(Stage { wish, look: Look::default() }), changed: Condvar::new() }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was last seen.
    pub fn look(&self) -> Look {
        self.stage().look.clone()
    }

    /// Its pace, unless it is held.
    pub fn pace(&self) -> Option<Pace> {
        let wish = self.stage().wish;
        (!wish.held).then_some(wish.pace)
    }

    /// Holds the search, or lets it go on.
    pub fn hold(&self, held: bool) {
        self.wish(|wish| (wish.held, wish.steps) = (held, 0));
    }

    /// Holds it, and lets one expansion through.
    pub fn step(&self) {
        self.wish(|wish| (wish.held, wish.steps) = (true, wish.steps + 1));
    }

    /// Lets it go faster or slower.
    pub fn change_pace(&self, faster: bool) {
        self.wish(|wish| (wish.pace, wish.doubles) = (wish.pace.changed(faster), None));
    }

    /// Lets it go as fast as it can.
    pub fn full_speed(&self) {
        self.wish(|wish| (wish.pace, wish.doubles, wish.held) = (Pace::Full, None, false));
    }

    fn wish(&self, change: impl FnOnce(&mut Wish)) {
        change(&mut self.stage().wish);
        self.changed.notify_all();
    }

    /// Notes what the meter says.
    pub fn progress(&self, progress: &Progress) {
        self.stage().look.progress = Some(*progress);
    }

    /// The watcher that keeps the search at its pace, until it is cancelled.
    pub fn watcher<'p>(&'p self, cancel: &'p AtomicBool) -> Pacer<'p> {
        Pacer {
            paced: self,
            cancel,
            shown: Instant::now(),
            now: Look { generated: 1, ..Look::default() },
            seen: true,
        }
    }
}

/// Keeps a search at its pace.
pub struct Pacer<'p> {
    paced: &'p Paced,
    cancel: &'p AtomicBool,
    /// When the last node was shown.
    shown: Instant,
    /// What is to be shown.
    now: Look,
    /// Whether the node in hand is shown.
    seen: bool,
}

impl Pacer<'_> {
    /// The last expansion is to be seen like the others, and the counts are those of the whole search.
    pub fn end(&mut self) {
        // There is nothing left for a break to end.
        let _ = self.wait();
        let mut stage = self.paced.stage();
        let look = &mut stage.look;
        (look.expanded, look.generated, look.iteration) =
            (self.now.expanded, self.now.generated, self.now.iteration);
    }

    /// Shows what there is, and waits until the next expansion may come; a break means that it never may.
    fn wait(&mut self) -> ControlFlow<()> {
        let mut stage = self.paced.stage();
        let full = |wish: &Wish| wish.pace == Pace::Full && !wish.held;
        if self.seen || !full(&stage.wish) {
            self.now.progress = stage.look.progress;
            stage.look.clone_from(&self.now);
        }
        loop {
            let wish = &mut stage.wish;
            let now = Instant::now();
            if wish.doubles.is_some_and(|at| at <= now) && !wish.held {
                wish.pace = wish.pace.changed(true);
                let more = wish.pace != Pace::Full;
                wish.doubles = more.then(|| now + Duration::from_secs(1));
            }
            if self.cancel.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            let wait = match wish.pace {
                _ if wish.held && wish.steps > 0 => {
                    wish.steps -= 1;
                    break;
                }
                _ if wish.held => LOOK_EVERY,
                Pace::Full => break,
                Pace::Nodes(nodes) => {
                    match (self.shown + Duration::from_secs(1) / nodes).checked_duration_since(now) {
                        None | Some(Duration::ZERO) => break,
                        Some(left) => left.min(LOOK_EVERY),
                    }
                }
            };
            let waited = self.paced.changed.wait_timeout(stage, wait);
            stage = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let now = Instant::now();
        self.seen = !full(&stage.wish) || now - self.shown >= LOOK_EVERY;
        if self.seen {
            self.shown = now;
        }
        ControlFlow::Continue(())
    }
}

impl Watcher for Pacer<'_> {
    fn begins(&mut self, algorithm: Algorithm, heuristic: Option<&str>) {
        self.now.method = Some((algorithm, heuristic.map(str::to_owned)));
        self.paced.stage().look.method.clone_from(&self.now.method);
    }

    fn iteration(&mut self, number: f64) {
        self.now.iteration = Some(number);
    }

    fn expanded(&mut self, node: Seen, path: &dyn Fn() -> Vec<String>) -> ControlFlow<()> {
        self.wait()?;
        self.now.expanded += 1;
        if self.seen {
            self.now.node = Some((node, path()));
            self.now.successors.clear();
            self.now.open = None;
        }
        ControlFlow::Continue(())
    }

    fn generated(&mut self, _: Seen, action: &dyn Fn() -> String, child: Seen, fate: Fate) {
        self.now.generated += 1;
        if self.seen {
            self.now.successors.push((action(), child, fate));
        }
    }

    fn frontier(&mut self, open: &mut dyn FnMut() -> Vec<(Side, u32)>) {
        if self.seen && self.now.generated <= COUNTED {
            self.now.open = Some(open().len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use novelo_puzzles::{Request, input};
    use novelo_search::{Control, Limits, Meter};

    #[test]
    fn at_the_end_the_counts_are_those_of_the_whole_search() {
        let board = input::read("sliding:3x3:8,6,7,2,5,4,3,0,1", None, None).unwrap().remove(0).instance;
        let request = Request { algorithm: Algorithm::IdaStar.into(), ..Request::default() };
        let meter = Meter::new(Limits::default(), Control::default());
        let paced = Paced::new(false, Some(Pace::Full));
        let cancel = AtomicBool::new(false);
        let mut pacer = paced.watcher(&cancel);
        let stats = board.run(&request, &meter, Some(&mut pacer)).unwrap().outcome.stats;
        pacer.end();
        let look = paced.look();
        assert_eq!(
            (look.expanded, look.generated, look.iteration),
            (stats.expanded, stats.generated, Some(31.0))
        );
    }
}
