//! The algorithms, one file each, and their registry.
//!
//! Adding one is a file here with an `INFO` and a `search`, and a line in
//! [`registry!`].

use crate::heuristic::{Heuristic, Zero};
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::problem::{Problem, Reversible};
use crate::search::{CannotRun, Search};

mod astar;
mod backtrack;
mod best_first;
mod bfs;
mod bidirectional;
mod dfs;
mod dls;
mod greedy;
mod idastar;
mod ids;
mod ucs;
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
}

impl std::fmt::Display for Needs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Nothing => "nothing",
            Self::Heuristic => "a heuristic",
            Self::DepthLimit => "a depth limit",
            Self::Reversible => "a problem that can be run backwards from a known goal state",
        })
    }
}

macro_rules! registry {
    (
        blind { $($blind:ident => $blind_module:ident,)* }
        guided { $($guided:ident => $guided_module:ident,)* }
        reversible { $($back:ident => $back_module:ident,)* }
    ) => {
        /// An algorithm of the engine.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Algorithm {
            $(#[doc = concat!("`", stringify!($blind_module), "`")] $blind,)*
            $(#[doc = concat!("`", stringify!($guided_module), "`")] $guided,)*
            $(#[doc = concat!("`", stringify!($back_module), "`")] $back,)*
        }

        impl Algorithm {
            /// All of them, from the simplest on.
            pub const ALL: &'static [Self] = &[$(Self::$blind,)* $(Self::$guided,)* $(Self::$back,)*];

            /// What it is, in words.
            pub fn info(self) -> &'static AlgorithmInfo {
                match self {
                    $(Self::$blind => &$blind_module::INFO,)*
                    $(Self::$guided => &$guided_module::INFO,)*
                    $(Self::$back => &$back_module::INFO,)*
                }
            }
        }

        /// Runs an algorithm that needs nothing special of the problem.
        pub(crate) fn run<P: Problem, H: Heuristic<P>, O: Observer<P>>(
            algorithm: Algorithm,
            search: Search<'_, P, H, O>,
        ) -> Result<Outcome<P::Action>, CannotRun> {
            if algorithm.info().needs == Needs::DepthLimit && search.settings.limits.depth.is_none() {
                return Err(CannotRun::NeedsDepthLimit(algorithm));
            }
            match algorithm {
                // Without the heuristic: one compiled copy serves them all.
                $(Algorithm::$blind => Ok($blind_module::search(search.heuristic(Zero))),)*
                $(Algorithm::$guided => Ok($guided_module::search(search)),)*
                $(Algorithm::$back => Err(CannotRun::NeedsReversible(algorithm)),)*
            }
        }

        /// Runs any algorithm, on a problem that can be run backwards.
        pub(crate) fn run_reversible<P: Reversible, H: Heuristic<P>, O: Observer<P>>(
            algorithm: Algorithm,
            search: Search<'_, P, H, O>,
        ) -> Result<Outcome<P::Action>, CannotRun> {
            match algorithm {
                $(Algorithm::$back => Ok($back_module::search(search.heuristic(Zero))),)*
                _ => run(algorithm, search),
            }
        }
    };
}

registry! {
    blind {
        Bfs => bfs,
        Dfs => dfs,
        Dls => dls,
        Ids => ids,
        Ucs => ucs,
    }
    guided {
        Greedy => greedy,
        AStar => astar,
        WAStar => wastar,
        IdaStar => idastar,
    }
    reversible {
        Bidirectional => bidirectional,
    }
}

impl Algorithm {
    /// The algorithm of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.info().name == name)
    }

    /// The name it is called by.
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

impl std::fmt::Display for Algorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
