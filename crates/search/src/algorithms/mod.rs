//! The algorithms, one file each, and their registry.
//!
//! Adding one is a file here with an `INFO` and a `search`, and a line in
//! `registry!`. Names and parameters are read as they are written:
//!
//! ```
//! use novelo_search::Algorithm;
//!
//! let algorithm: Algorithm = "wastar:weight=2".parse().unwrap();
//! assert_eq!(algorithm.name(), "wastar");
//! assert!(algorithm.info().needs.heuristic());
//! assert!("wastar:weight=0".parse::<Algorithm>().is_err());
//! // All of them, with their defaults; those without one, such as the limit of dls, have to be told.
//! assert!(Algorithm::all().any(|algorithm| algorithm.name() == "nbs"));
//! ```

use std::fmt;
use std::str::FromStr;

use crate::cost::{Cost as _, Real};
use crate::heuristic::{Estimate, Heuristic, Weight, Zero};
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::{Answer, Outcome, OutcomeOf};
use crate::parallel::{Order, Parallel, Processes, WireProblem};
use crate::parameter::{Parameter, ParameterError, Spec, Values, nearest};
use crate::problem::{Problem, Reversible};
use crate::search::{AmongError, CannotRun, Guided, Search};

mod anneal;
mod arastar;
mod astar;
mod awastar;
mod backtrack;
mod baestar;
mod beam;
mod beginning;
pub(crate) mod best_first;
mod bfs;
mod bidirectional;
mod both_ways;
mod bounded;
mod cabs;
mod dfs;
mod dls;
mod ees;
mod focal;
mod greedy;
mod hillclimb;
mod ibex;
mod idastar;
mod ids;
mod lrtastar;
mod mm;
mod nbs;
mod peastar;
mod rbfs;
mod siblings;
mod smastar;
mod space;
mod ucs;
mod walk;
mod wastar;

/// What an algorithm is, in words.
#[derive(Debug, Clone, Copy)]
pub struct AlgorithmInfo {
    /// The name it is called by.
    pub name: &'static str,
    /// Its full name.
    pub title: &'static str,
    /// How it works and what it is good for.
    pub about: &'static str,
    /// Whether, and when, it finds a solution if there is one.
    pub complete: &'static str,
    /// Whether, and when, the solution is the cheapest.
    pub optimal: &'static str,
    /// Time, in the field's letters: b branching factor, d depth of the
    /// shallowest solution, m greatest depth, l depth limit, C* optimal cost.
    pub time: &'static str,
    /// Memory, in the same letters.
    pub space: &'static str,
    /// What it must be given.
    pub needs: Needs,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Its steps, for who watches it; none for what does not go from state to state.
    pub lesson: Option<&'static Lesson>,
}

/// How an algorithm goes, for who watches it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Lesson {
    /// Which node of the frontier is expanded next.
    pub next: Next,
    /// Its steps, a line each. After a bar stand the events of a search that the line is: `start`, `iteration`, `take` (a
    /// node is expanded), what became of a node just generated (the names of [`Fate`](crate::Fate)), `goal` and `end`.
    pub pseudocode: &'static str,
}

impl Lesson {
    /// The lines of the pseudocode, each with its events.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
        self.pseudocode.lines().map(|line| {
            let (text, events) = line.split_once(" | ").unwrap_or((line, ""));
            (text, events.split_whitespace().collect())
        })
    }
}

/// Which node of the frontier is expanded next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Next {
    /// The one that was found first.
    Oldest,
    /// The first child of the node expanded last; where it has none left, of the one before.
    Newest,
    /// The one with the least g.
    LeastCost,
    /// The one with the least h.
    LeastEstimate,
    /// The one with the least f = g + w·h, among equals that with the least h, then the one found last.
    LeastSum,
}

impl Next {
    /// In one word: what it goes by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Oldest => "oldest",
            Self::Newest => "newest",
            Self::LeastCost => "g",
            Self::LeastEstimate => "h",
            Self::LeastSum => "f",
        }
    }
}

/// What an algorithm must be given beside a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// A heuristic.
    Heuristic,
    /// A limit on depth.
    DepthLimit,
    /// A problem that can be run backwards from a known goal state.
    Reversible,
    /// That, and a heuristic that can estimate the cost from the start as well.
    HeuristicBothWays,
}

impl Needs {
    /// Whether a heuristic is among it.
    pub fn heuristic(self) -> bool {
        matches!(self, Self::Heuristic | Self::HeuristicBothWays)
    }

    /// Whether a problem that can be run backwards is among it.
    pub fn reversible(self) -> bool {
        matches!(self, Self::Reversible | Self::HeuristicBothWays)
    }
}

impl std::fmt::Display for Needs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Nothing => "nothing",
            Self::Heuristic => "a heuristic",
            Self::DepthLimit => "a depth limit",
            Self::Reversible => "a problem that can be run backwards from a known goal state",
            Self::HeuristicBothWays => {
                "a problem that can be run backwards from a known goal state, and a heuristic both ways"
            }
        })
    }
}

/// How an algorithm is compiled, which is the more often the more it knows of the heuristic's type.
#[derive(Clone, Copy)]
enum Group {
    /// Once for each problem.
    Blind,
    /// For each problem with each heuristic: for those that must be as fast as can be.
    Guided,
    /// Once for each problem and kind of value: they are handed an [`Estimator`](crate::estimator::Estimator).
    GuidedOnce,
    /// Blind, for problems that can be run backwards.
    Reversible,
    /// Guided once, for problems that can be run backwards, with an estimate towards the start.
    BothWays,
}

macro_rules! registry {
    ($(
        $group:ident { $($variant:ident $({ $($field:ident: $type:ty),* })? => $module:ident,)* }
    )*) => {
        /// An algorithm of the engine, with the values of its parameters.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Algorithm {
            $($(
                #[doc = concat!("`", stringify!($module), "`: ", include_str!(concat!(stringify!($module), ".md")))]
                $variant $({ $(#[doc = concat!("The parameter `", stringify!($field), "`.")] $field: $type,)* })?,
            )*)*
        }

        impl Algorithm {
            /// What each is, in words, from the simplest on.
            pub const INFOS: &'static [AlgorithmInfo] = &[$($($module::INFO,)*)*];

            /// What it is, in words.
            pub fn info(self) -> &'static AlgorithmInfo {
                match self {
                    $($(Self::$variant { .. } => &$module::INFO,)*)*
                }
            }

            /// The algorithm of a name, with checked values of its parameters.
            fn with(name: &str, values: &Values) -> Option<Self> {
                $($(if name == $module::INFO.name {
                    return Some(Self::$variant $({ $($field: FromValue::of(values, stringify!($field))?,)* })?);
                })*)*
                let _ = values;
                None
            }

            /// Names and values of its parameters, as they are written.
            fn values(self) -> Vec<(&'static str, String)> {
                match self {
                    $($(Self::$variant $({ $($field),* })? =>
                        [$($((stringify!($field), FromValue::written(&$field)),)*)?]
                            .into_iter().filter_map(given).collect(),)*)*
                }
            }

            /// How it is compiled.
            fn group(self) -> Group {
                match self {
                    $($(Self::$variant { .. } => Group::$group,)*)*
                }
            }
        }

        $(run_group!($group { $($variant $({ $($field),* })? => $module,)* });)*
    };
}

/// The function that runs the algorithms of a group.
macro_rules! run_group {
    (Blind { $($variant:ident $({ $($field:ident),* })? => $module:ident,)* }) => {
        fn run_blind<P: Problem, O: Observer<P>>(
            algorithm: Algorithm,
            search: Search<'_, P, Zero, O>,
            meter: &Meter<'_>,
        ) -> OutcomeOf<P> {
            match algorithm {
                $(Algorithm::$variant $({ $($field),* })? => $module::search(search, meter $($(, $field)*)?),)*
                _ => unreachable!("of another group"),
            }
        }
    };
    (Guided { $($variant:ident $({ $($field:ident),* })? => $module:ident,)* }) => {
        fn run_guided<P: Problem, H: Heuristic<P>, O: Observer<P>>(
            algorithm: Algorithm,
            search: Search<'_, P, H, O>,
            meter: &Meter<'_>,
        ) -> OutcomeOf<P> {
            match algorithm {
                $(Algorithm::$variant $({ $($field),* })? => $module::search(search, meter $($(, $field)*)?),)*
                _ => unreachable!("of another group"),
            }
        }
    };
    (GuidedOnce { $($variant:ident $({ $($field:ident),* })? => $module:ident,)* }) => {
        fn run_guided_once<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
            algorithm: Algorithm,
            search: Guided<'_, P, V, O>,
            meter: &Meter<'_>,
        ) -> OutcomeOf<P> {
            match algorithm {
                $(Algorithm::$variant $({ $($field),* })? => $module::search(search, meter $($(, $field)*)?),)*
                _ => unreachable!("of another group"),
            }
        }
    };
    (Reversible { $($variant:ident $({ $($field:ident),* })? => $module:ident,)* }) => {
        fn run_backwards<P: Reversible, O: Observer<P>>(
            algorithm: Algorithm,
            search: Search<'_, P, Zero, O>,
            meter: &Meter<'_>,
        ) -> OutcomeOf<P> {
            match algorithm {
                $(Algorithm::$variant $({ $($field),* })? => $module::search(search, meter $($(, $field)*)?),)*
                _ => unreachable!("of another group"),
            }
        }
    };
    (BothWays { $($variant:ident $({ $($field:ident),* })? => $module:ident,)* }) => {
        fn run_both_ways<P: Reversible, V: Estimate<P::Cost>, O: Observer<P>>(
            algorithm: Algorithm,
            search: Guided<'_, P, V, O>,
            meter: &Meter<'_>,
        ) -> Result<OutcomeOf<P>, CannotRun> {
            let toward_start = search.heuristic.toward_start(search.problem);
            let toward_start = &*toward_start.ok_or(CannotRun::NeedsTowardStart(algorithm))?;
            if !search.heuristic.promise().consistent || !toward_start.promise().consistent {
                return Err(CannotRun::NeedsConsistent(algorithm));
            }
            // The limit is one on cost where all actions cost the same, and not nothing.
            let problem = search.problem;
            let is_even = || problem.unit_cost() && idastar::unit(problem, &problem.start()) > P::Cost::ZERO;
            if meter.limits().depth.is_some() && !is_even() {
                return Err(CannotRun::TakesNoDepthLimit(algorithm.name()));
            }
            Ok(match algorithm {
                $(Algorithm::$variant $({ $($field),* })? =>
                    $module::search(search, toward_start, meter $($(, $field)*)?),)*
                _ => unreachable!("of another group"),
            })
        }
    };
}

registry! {
    Blind {
        Bfs => bfs,
        Dfs => dfs,
        Dls { limit: Option<u32> } => dls,
        Ids => ids,
        Ucs => ucs,
    }
    Guided {
        Greedy => greedy,
        AStar => astar,
        WAStar { weight: Weight } => wastar,
        AWAStar { weight: Weight } => awastar,
        IdaStar => idastar,
    }
    GuidedOnce {
        Rbfs => rbfs,
        SmaStar { nodes: u32 } => smastar,
        Ibex => ibex,
        Beam { width: u32 } => beam,
        Cabs => cabs,
        HillClimb { restarts: u32, walk: u32, seed: u64 } => hillclimb,
        Anneal { start: Real, factor: Real, steps: u64, seed: u64 } => anneal,
        LrtaStar { lookahead: u32, steps: u64 } => lrtastar,
        PeaStar => peastar,
        AraStar { weight: Weight } => arastar,
        Focal { bound: Weight } => focal,
        Ees { bound: Weight } => ees,
    }
    Reversible {
        Bidirectional => bidirectional,
    }
    BothWays {
        Mm => mm,
        Nbs => nbs,
        BaeStar => baestar,
    }
}

/// Runs an algorithm that needs nothing special of the problem.
pub(crate) fn run<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    algorithm: Algorithm,
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
) -> Result<OutcomeOf<P>, CannotRun> {
    search.check(algorithm, meter)?;
    if let Some(order) = algorithm.order_of_workers(&search, meter) {
        return Ok(match algorithm.group() {
            Group::Blind => search.heuristic(Zero).lend(|search| run_parallel(order, &search, meter)),
            _ => search.lend(|search| run_parallel(order, &search, meter)),
        });
    }
    match algorithm.group() {
        Group::Blind => Ok(run_blind(algorithm, search.heuristic(Zero), meter)),
        Group::Guided => Ok(run_guided(algorithm, search, meter)),
        Group::GuidedOnce => Ok(search.lend(|search| run_guided_once(algorithm, search, meter))),
        Group::Reversible | Group::BothWays => Err(CannotRun::NeedsReversible(algorithm)),
    }
}

/// Runs a search over several threads.
fn run_parallel<P: Problem, V: Estimate<P::Cost>, O>(
    order: Order,
    search: &Guided<'_, P, V, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    let &Search { problem, heuristic, settings, .. } = search;
    let parallel = Parallel { order, shuffle: settings.shuffle, ..Parallel::new(problem, heuristic) };
    parallel.run(settings.threads, meter).0
}

/// Runs an algorithm as one of several processes, of which the first has the outcome.
pub(crate) fn run_among<P: WireProblem, H: Heuristic<P>>(
    algorithm: Algorithm,
    search: Search<'_, P, H>,
    processes: &mut dyn Processes,
    meter: &Meter<'_>,
) -> Result<OutcomeOf<P>, AmongError> {
    search.check(algorithm, meter)?;
    if algorithm == Algorithm::IdaStar {
        return Ok(idastar::search_among(search, processes, meter)?);
    }
    let order = algorithm.order().ok_or(CannotRun::InOneProcess(algorithm))?;
    if meter.limits().depth.is_some() {
        return Err(CannotRun::TakesNoDepthLimit("a best-first search over several processes").into());
    }
    let &Search { problem, ref heuristic, settings, .. } = &search;
    let parallel = Parallel { order, shuffle: settings.shuffle, ..Parallel::new(problem, heuristic) };
    let searched = parallel.run_among(processes, meter)?;
    let unknown = || Outcome {
        answer: Answer::Stopped(Stop::GaveUp),
        lower_bound: None,
        stop: None,
        stats: meter.stats(),
    };
    Ok(searched.map_or_else(unknown, |(outcome, _)| outcome))
}

/// Runs any algorithm, on a problem that can be run backwards.
pub(crate) fn run_reversible<P: Reversible, H: Heuristic<P>, O: Observer<P>>(
    algorithm: Algorithm,
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
) -> Result<OutcomeOf<P>, CannotRun> {
    search.check(algorithm, meter)?;
    match algorithm.group() {
        Group::Reversible => Ok(run_backwards(algorithm, search.heuristic(Zero), meter)),
        Group::BothWays => search.lend(|search| run_both_ways(algorithm, search, meter)),
        Group::Blind | Group::Guided | Group::GuidedOnce => run(algorithm, search, meter),
    }
}

/// A parameter's value, from text and back. A value that need not be given is an `Option`.
trait FromValue: Sized {
    fn of(values: &Values, name: &str) -> Option<Self>;
    fn written(&self) -> Option<String>;
}

impl FromValue for Weight {
    fn of(values: &Values, name: &str) -> Option<Self> {
        values.number(name)
    }

    fn written(&self) -> Option<String> {
        Some(self.to_string())
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {
        $(impl FromValue for $type {
            fn of(values: &Values, name: &str) -> Option<Self> {
                values.number(name)
            }

            fn written(&self) -> Option<String> {
                Some(self.to_string())
            }
        })*
    };
}

whole_numbers!(u32, u64, usize);

impl FromValue for Real {
    fn of(values: &Values, name: &str) -> Option<Self> {
        values.number(name).map(Self::new)
    }

    fn written(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl FromValue for Option<u32> {
    fn of(values: &Values, name: &str) -> Option<Self> {
        Some(values.number(name))
    }

    fn written(&self) -> Option<String> {
        self.map(|value| value.to_string())
    }
}

fn given((name, value): (&'static str, Option<String>)) -> Option<(&'static str, String)> {
    value.map(|value| (name, value))
}

impl Algorithm {
    /// Each with the usual values of its parameters, from the simplest on.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::INFOS.iter().filter_map(|info| Self::of(&Spec::plain(info.name)).ok())
    }

    /// What the algorithm of a name is, in words.
    pub fn named(name: &str) -> Option<&'static AlgorithmInfo> {
        Self::INFOS.iter().find(|info| info.name == name)
    }

    /// The algorithm that a name with parameters asks for.
    pub fn of(spec: &Spec) -> Result<Self, ParameterError> {
        let info = Self::named(&spec.name).ok_or_else(|| {
            let names = || Self::INFOS.iter().map(|info| info.name);
            ParameterError(match nearest(&spec.name, names()) {
                Some(near) => format!("there is no algorithm '{}'; did you mean '{near}'?", spec.name),
                None => format!(
                    "there is no algorithm '{}'; there are {}",
                    spec.name,
                    names().collect::<Vec<_>>().join(", ")
                ),
            })
        })?;
        let values = spec.check(info.parameters)?;
        Ok(Self::with(info.name, &values).expect("checked values make an algorithm"))
    }

    /// The name it is called by.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The order of expansion that several workers can keep for it.
    pub fn order(self) -> Option<Order> {
        match self {
            Self::AStar | Self::Ucs => Some(Order::Sum),
            Self::Bfs => Some(Order::Depth),
            _ => None,
        }
    }

    /// Whether it can be run by several processes together ([`Search::run_among`]).
    pub fn runs_among(self) -> bool {
        self == Self::IdaStar || self.order().is_some()
    }

    /// Whether it can use several threads, if it is given them.
    pub fn uses_threads(self) -> bool {
        self == Self::IdaStar || self.order().is_some()
    }

    /// The same if the search asks for several workers and can have them. Who watches sees one node after the other; under
    /// a depth limit, nodes are more than states, and their parents must be at hand; and levels are counted in whole costs.
    fn order_of_workers<P: Problem, H: Heuristic<P>, O: Observer<P>>(
        self,
        search: &Search<'_, P, H, O>,
        meter: &Meter<'_>,
    ) -> Option<Order> {
        let threads = search.settings.threads > 1 && !cfg!(target_family = "wasm");
        let countable = <P::Cost as Estimate<P::Cost>>::WHOLE;
        let possible = threads && !O::ACTIVE && meter.limits().depth.is_none();
        self.order().filter(|&order| possible && (order == Order::Sum || countable))
    }

    /// What the number is that observers are told of when an iteration begins.
    pub fn measure(self) -> Measure {
        match self {
            Self::Ids | Self::IdaStar | Self::Ibex => Measure::Bound,
            Self::Beam { .. } | Self::Cabs => Measure::Width,
            Self::HillClimb { .. } | Self::Anneal { .. } => Measure::Restart,
            _ => Measure::DepthLimit,
        }
    }

    /// What it orders nodes by, or holds against its bound, of a node's g and h; `None` for those that go by neither.
    pub fn f(self, g: f64, h: Option<f64>) -> Option<f64> {
        match self {
            Self::Ucs => Some(g),
            Self::Greedy | Self::HillClimb { .. } | Self::Anneal { .. } => h,
            Self::AStar
            | Self::IdaStar
            | Self::Rbfs
            | Self::SmaStar { .. }
            | Self::Ibex
            | Self::Beam { .. }
            | Self::Cabs => h.map(|h| g + h),
            Self::WAStar { weight } => h.map(|h| g + weight.to_f64() * h),
            _ => None,
        }
    }
}

/// What an iteration is counted in, or held to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Measure {
    /// A bound on f, or on depth: what exceeds it is cut.
    Bound,
    /// The states that a beam keeps at each depth.
    Width,
    /// How often a walk has begun again.
    Restart,
    /// The depth limit: a search that has come to it begins anew, with nodes that are states at depths.
    #[default]
    DepthLimit,
}

impl Measure {
    /// It in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bound => "bound",
            Self::Width => "width",
            Self::Restart => "restart",
            Self::DepthLimit => "depth limit",
        }
    }
}

impl FromStr for Algorithm {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        Self::of(&text.parse()?)
    }
}

impl fmt::Display for Algorithm {
    /// Its name and parameters, as [`from_str`](Self::from_str) reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (i, (name, value)) in self.values().iter().enumerate() {
            write!(f, "{}{name}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_parameters_are_read_as_they_are_written() {
        for info in Algorithm::INFOS {
            let algorithm: Algorithm = info.name.parse().unwrap();
            assert_eq!(algorithm.name(), info.name);
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        assert_eq!("wastar:weight=2".parse(), Ok(Algorithm::WAStar { weight: Weight::new(2.0).unwrap() }));
        assert_eq!("wastar".parse::<Algorithm>().unwrap().to_string(), "wastar:weight=1.5");
        assert_eq!("dls:limit=20".parse(), Ok(Algorithm::Dls { limit: Some(20) }));
        assert_eq!("dls".parse(), Ok(Algorithm::Dls { limit: None }));
    }

    #[test]
    fn what_is_wrong_is_refused_with_what_would_be_right() {
        let wrong = |text: &str| text.parse::<Algorithm>().unwrap_err().to_string();
        assert_eq!(wrong("a*"), "there is no algorithm 'a*'; did you mean 'astar'?");
        assert_eq!(wrong("wastar:weight=0"), "wastar: weight is a number from 1 to 1000, not '0'");
        assert_eq!(wrong("astar:weight=2"), "astar has no parameters, but 'weight' was given");
        assert!(wrong("quux").starts_with("there is no algorithm 'quux'; there are bfs, dfs"));
    }
}
