//! One search: a problem, a heuristic, settings, and who is watching.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::algorithms::{self, Algorithm};
use crate::clock;
use crate::estimator::{BothWays, Estimator};
use crate::heuristic::{FromFn, Guess, Heuristic, Promise, Zero, from_fn};
use crate::incumbent::{Improvement, Incumbent};
use crate::limits::{Limits, Progress};
use crate::meter::{Control, Meter};
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::parallel::{Processes, TransportError, WireProblem};
use crate::problem::{Problem, Reversible};

/// What a run is told beside its problem and heuristic.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// What it may use.
    pub limits: Limits,
    /// Try the actions of each state in a random order, fixed by this seed.
    pub shuffle: Option<u64>,
    /// Threads, for algorithms that can use several ([`Algorithm::uses_threads`]). With one, a run counts the same every
    /// time.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { limits: Limits::default(), shuffle: None, threads: 1 }
    }
}

/// Why an algorithm cannot be run as asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CannotRun {
    /// Depth-limited search without a limit.
    #[error("{name} needs a depth limit: write {name}:limit=20, or give the run one", name = .0.name())]
    NeedsDepthLimit(Algorithm),
    /// Bidirectional search on a problem that cannot be run backwards.
    #[error("{name} needs a problem that can be run backwards from a known goal state", name = .0.name())]
    NeedsReversible(Algorithm),
    /// A heuristic without one towards the start, for an algorithm that searches from both ends.
    #[error(
        "{name} searches from both ends and needs a heuristic that can estimate the cost from the start as well; this one \
         cannot", name = .0.name()
    )]
    NeedsTowardStart(Algorithm),
    /// A heuristic that is not consistent from both ends, for an algorithm whose proofs rest on that.
    #[error("{name} needs a heuristic that promises to be consistent, from both ends", name = .0.name())]
    NeedsConsistent(Algorithm),
    /// An algorithm that needs a heuristic, without one.
    #[error("{name} needs a heuristic: give the search an estimate, or say Zero and mean it", name = .0.name())]
    NeedsHeuristic(Algorithm),
    /// All optimal solutions by a heuristic that may be above the true cost.
    #[error("optimal solutions need an admissible heuristic, or none")]
    NeedsAdmissible,
    /// A search of everything, within a depth limit.
    #[error("{0} takes no depth limit: a state may be reached at several depths")]
    TakesNoDepthLimit(&'static str),
    /// An algorithm that cannot be stepped.
    #[error("{name} cannot be stepped: ucs, greedy, astar and wastar can", name = .0.name())]
    NotBestFirst(Algorithm),
    /// An algorithm that is not made for several processes.
    #[error("{name} runs in one process; astar, ucs, bfs and idastar run over several", name = .0.name())]
    InOneProcess(Algorithm),
    /// Limits or a control for a run under a meter, which has its own.
    #[error("limits, cancellation and progress are those of the meter: give them to Meter::new")]
    LimitsBesideMeter,
    /// Uniform cost search, stepped, with a heuristic.
    #[error("{name} takes no heuristic: leave it out", name = .0.name())]
    TakesNoHeuristic(Algorithm),
    /// A time limit where there is no clock.
    #[error("a time limit needs a clock: novelo_search::clock::set brings one to WebAssembly")]
    NeedsClock,
    /// A memory limit, and states that do not tell how much they hold.
    #[error(
        "within a memory limit, states that own memory must tell how much: let Problem::heap_bytes say so"
    )]
    NeedsHeapBytes,
}

/// Why a search over several processes has no outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AmongError {
    /// It cannot be run as asked.
    #[error(transparent)]
    CannotRun(#[from] CannotRun),
    /// The processes do not understand each other any more. Those that are left must be ended.
    #[error(transparent)]
    Transport(#[from] TransportError),
}

/// A search to be run: built step by step, then started with
/// [`run`](Search::run).
///
/// The crate's front page shows one in use.
#[derive(Debug)]
pub struct Search<'a, P: Problem, H = Zero, O = ()> {
    pub(crate) problem: &'a P,
    /// The estimate; algorithms that need none ignore it.
    pub(crate) heuristic: H,
    /// Whether there is one.
    pub(crate) guided: bool,
    pub(crate) settings: Settings,
    pub(crate) control: Control<'a>,
    pub(crate) observer: O,
    /// Has the function that is told of improvements.
    pub(crate) incumbent: Incumbent<'a, P::Action, P::Cost>,
}

/// A search with a heuristic of any type.
pub(crate) type Guided<'a, P, V, O> = Search<'a, P, &'a dyn Estimator<P, V>, O>;

impl<'a, P: Problem> Search<'a, P> {
    /// A search without heuristic or limits.
    pub fn new(problem: &'a P) -> Self {
        Self {
            problem,
            heuristic: Zero,
            guided: false,
            settings: Settings::default(),
            control: Control::default(),
            observer: (),
            incumbent: Incumbent::default(),
        }
    }
}

impl<'a, P: Problem, H: Heuristic<P>, O: Observer<P>> Search<'a, P, H, O> {
    /// Guided by a heuristic.
    pub fn heuristic<H2: Heuristic<P>>(self, heuristic: H2) -> Search<'a, P, H2, O> {
        let Self { problem, settings, control, observer, incumbent, .. } = self;
        Search { problem, heuristic, guided: true, settings, control, observer, incumbent }
    }

    /// Guided by a function that estimates the cost that is left: a number of the problem's kind of cost, an `f64`, or an
    /// `Option` of one that is `None` where no goal can be reached.
    pub fn estimate<G, F>(self, promise: Promise, function: F) -> Search<'a, P, FromFn<F>, O>
    where
        G: Guess<Value: crate::heuristic::Estimate<P::Cost>>,
        F: Fn(&P, &P::State) -> G + Sync,
    {
        self.heuristic(from_fn(promise, function))
    }

    /// Guided, from the other end, by a heuristic that estimates the cost from the start to a state, for the algorithms that
    /// search from both ends (`nbs`, `baestar`, `mm`).
    pub fn toward_start<B>(self, heuristic: B) -> Search<'a, P, BothWays<H, B>, O>
    where
        B: Heuristic<P, Value = H::Value>,
    {
        let Self { problem, heuristic: toward_goal, guided, settings, control, observer, incumbent } = self;
        let heuristic = BothWays { toward_goal, toward_start: heuristic };
        Search { problem, heuristic, guided, settings, control, observer, incumbent }
    }

    /// Lends the search with its heuristic's type forgotten.
    pub(crate) fn lend<T>(self, run: impl FnOnce(Guided<'_, P, H::Value, O>) -> T) -> T {
        let Self { problem, heuristic, guided, settings, control, observer, incumbent } = self;
        run(Search { problem, heuristic: &heuristic, guided, settings, control, observer, incumbent })
    }

    /// Watched by an observer.
    pub fn observer<O2: Observer<P>>(self, observer: O2) -> Search<'a, P, H, O2> {
        let Self { problem, heuristic, guided, settings, control, incumbent, .. } = self;
        Search { problem, heuristic, guided, settings, control, observer, incumbent }
    }

    /// Within limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// The actions of each state tried in a random order, fixed by this seed.
    #[must_use]
    pub fn shuffle(mut self, seed: Option<u64>) -> Self {
        self.settings.shuffle = seed;
        self
    }

    /// On so many threads, for algorithms that can use several ([`Algorithm::uses_threads`]): IDA*, and, as a
    /// [parallel](crate::parallel) search, A*, uniform cost and breadth-first search without a limit on depth. With one, a run
    /// counts the same every time.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = threads;
        self
    }

    /// With a hold on it for the caller.
    #[must_use]
    pub fn control(mut self, control: Control<'a>) -> Self {
        self.control = control;
        self
    }

    /// Ended from elsewhere by setting a flag.
    #[must_use]
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.control.cancel = Some(flag);
        self
    }

    /// With a function that is told several times a second how it goes.
    #[must_use]
    pub fn progress(mut self, report: impl Fn(&Progress) + Send + Sync + 'a) -> Self {
        self.control.progress = Some(Box::new(report));
        self
    }

    /// With a function that is told of each better solution as it comes, by algorithms that go on after their first
    /// (`awastar`); others have nothing to tell before their outcome. A break ends the run, and keeps the best.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use novelo_search::{Algorithm, Promise, Search, from_successors};
    ///
    /// // To 21 by steps of 1, 5 and 7; the longer a step, the dearer.
    /// let steps = |&n: &u32| [1, 5, 7].map(|by| (by, n + by, by * by / 4 + 2));
    /// let problem = from_successors(0, move |n| steps(n).into_iter().filter(|&(_, n, _)| n <= 21), |&n| n == 21);
    /// let mut costs = Vec::new();
    /// let outcome = Search::new(&problem)
    ///     .estimate(Promise::ADMISSIBLE, |_, &n| 21 - n)
    ///     .improvements(|improvement| {
    ///         assert!(improvement.lower_bound.unwrap() <= improvement.cost);
    ///         costs.push(improvement.cost);
    ///         ControlFlow::Continue(())
    ///     })
    ///     .run("awastar:weight=5".parse()?)?;
    /// assert!(costs.is_sorted_by(|a, b| a > b));
    /// let solution = outcome.solution().unwrap();
    /// assert!(solution.optimal && costs.last() == Some(&solution.cost));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn improvements(
        mut self,
        listener: impl FnMut(&Improvement<'_, P::Action, P::Cost>) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        self.incumbent = Incumbent::telling(Box::new(listener));
        self
    }

    /// Whether an algorithm has what it needs to run under a meter.
    pub(crate) fn check(&self, algorithm: Algorithm, meter: &Meter<'_>) -> Result<(), CannotRun> {
        if algorithm == (Algorithm::Dls { limit: None }) && meter.limits().depth.is_none() {
            return Err(CannotRun::NeedsDepthLimit(algorithm));
        }
        if algorithm.info().needs.heuristic() && !self.guided {
            return Err(CannotRun::NeedsHeuristic(algorithm));
        }
        self.check_limits(meter.limits())
    }

    /// Whether it has no limits and no control, which a meter would undo.
    pub(crate) fn check_alone(&self) -> Result<(), CannotRun> {
        let Control { cancel, progress } = &self.control;
        let alone = self.settings.limits == Limits::default() && cancel.is_none() && progress.is_none();
        if alone { Ok(()) } else { Err(CannotRun::LimitsBesideMeter) }
    }

    /// Whether all of a problem can be searched within the limits.
    pub(crate) fn check_whole(&self, what: &'static str) -> Result<(), CannotRun> {
        if self.settings.limits.depth.is_some() {
            return Err(CannotRun::TakesNoDepthLimit(what));
        }
        self.check_limits(self.settings.limits)
    }

    fn check_limits(&self, limits: Limits) -> Result<(), CannotRun> {
        if limits.time.is_some() && !clock::goes() {
            return Err(CannotRun::NeedsClock);
        }
        if limits.memory.is_some() && self.problem.heap_bytes(&self.problem.start()).is_none() {
            return Err(CannotRun::NeedsHeapBytes);
        }
        Ok(())
    }

    /// Runs an algorithm to its end or its limits.
    pub fn run(mut self, algorithm: Algorithm) -> Result<OutcomeOf<P>, CannotRun> {
        let meter = Meter::new(self.settings.limits, std::mem::take(&mut self.control));
        algorithms::run(algorithm, self, &meter)
    }

    /// Runs an algorithm as a part of a run that has begun: its limits and control are those of the meter, and its
    /// statistics hold all that was done under it.
    pub fn run_under(self, meter: &Meter<'_>, algorithm: Algorithm) -> Result<OutcomeOf<P>, CannotRun> {
        self.check_alone()?;
        algorithms::run(algorithm, self, meter)
    }

    /// Like [`run`](Search::run), for problems that can be run backwards:
    /// every algorithm is available.
    pub fn run_reversible(mut self, algorithm: Algorithm) -> Result<OutcomeOf<P>, CannotRun>
    where
        P: Reversible,
    {
        let meter = Meter::new(self.settings.limits, std::mem::take(&mut self.control));
        algorithms::run_reversible(algorithm, self, &meter)
    }

    /// Like [`run_under`](Search::run_under), for problems that can be run backwards.
    pub fn run_reversible_under(
        self,
        meter: &Meter<'_>,
        algorithm: Algorithm,
    ) -> Result<OutcomeOf<P>, CannotRun>
    where
        P: Reversible,
    {
        self.check_alone()?;
        algorithms::run_reversible(algorithm, self, meter)
    }
}

impl<P: WireProblem, H: Heuristic<P>> Search<'_, P, H> {
    /// Like [`run_under`](Search::run_under), as one of several processes, each of which runs the same search under a meter
    /// of its own. The first has the outcome, with the counts of all; what the others return says nothing.
    pub fn run_among(
        self,
        meter: &Meter<'_>,
        algorithm: Algorithm,
        processes: &mut dyn Processes,
    ) -> Result<OutcomeOf<P>, AmongError> {
        self.check_alone()?;
        algorithms::run_among(algorithm, self, processes, meter)
    }
}
