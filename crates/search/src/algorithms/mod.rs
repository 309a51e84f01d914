//! The algorithms, one file each, and their registry.
//!
//! Adding one is a file here with an `INFO` and a `search`, and a line in
//! `registry!`.

use std::fmt;
use std::str::FromStr;

use crate::heuristic::{Heuristic, Weight, Zero};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::parameter::{Parameter, ParameterError, Spec, Values, nearest};
use crate::problem::{Problem, Reversible};
use crate::search::{CannotRun, Search};

mod astar;
mod backtrack;
pub(crate) mod best_first;
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
    /// Its parameters.
    pub parameters: &'static [Parameter],
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
        blind { $($blind:ident $({ $($blind_field:ident: $blind_type:ty),* })? => $blind_module:ident,)* }
        guided { $($guided:ident $({ $($guided_field:ident: $guided_type:ty),* })? => $guided_module:ident,)* }
        reversible { $($back:ident => $back_module:ident,)* }
    ) => {
        /// An algorithm of the engine, with the values of its parameters.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Algorithm {
            $(
                #[doc = concat!("`", stringify!($blind_module), "`: ", include_str!(concat!(stringify!($blind_module), ".md")))]
                $blind $({ $(#[doc = concat!("The parameter `", stringify!($blind_field), "`.")] $blind_field: $blind_type,)* })?,
            )*
            $(
                #[doc = concat!("`", stringify!($guided_module), "`: ", include_str!(concat!(stringify!($guided_module), ".md")))]
                $guided $({ $(#[doc = concat!("The parameter `", stringify!($guided_field), "`.")] $guided_field: $guided_type,)* })?,
            )*
            $(
                #[doc = concat!("`", stringify!($back_module), "`: ", include_str!(concat!(stringify!($back_module), ".md")))]
                $back,
            )*
        }

        impl Algorithm {
            /// What each is, in words, from the simplest on.
            pub const INFOS: &'static [AlgorithmInfo] =
                &[$($blind_module::INFO,)* $($guided_module::INFO,)* $($back_module::INFO,)*];

            /// What it is, in words.
            pub fn info(self) -> &'static AlgorithmInfo {
                match self {
                    $(Self::$blind { .. } => &$blind_module::INFO,)*
                    $(Self::$guided { .. } => &$guided_module::INFO,)*
                    $(Self::$back => &$back_module::INFO,)*
                }
            }

            /// The algorithm of a name, with checked values of its parameters.
            fn with(name: &str, values: &Values) -> Option<Self> {
                $(if name == $blind_module::INFO.name {
                    return Some(Self::$blind $({ $($blind_field: FromValue::of(values, stringify!($blind_field))?,)* })?);
                })*
                $(if name == $guided_module::INFO.name {
                    return Some(Self::$guided $({ $($guided_field: FromValue::of(values, stringify!($guided_field))?,)* })?);
                })*
                $(if name == $back_module::INFO.name {
                    return Some(Self::$back);
                })*
                let _ = values;
                None
            }

            /// Names and values of its parameters, as they are written.
            fn values(self) -> Vec<(&'static str, String)> {
                match self {
                    $(Self::$blind $({ $($blind_field),* })? =>
                        [$($((stringify!($blind_field), FromValue::written(&$blind_field)),)*)?]
                            .into_iter().filter_map(given).collect(),)*
                    $(Self::$guided $({ $($guided_field),* })? =>
                        [$($((stringify!($guided_field), FromValue::written(&$guided_field)),)*)?]
                            .into_iter().filter_map(given).collect(),)*
                    $(Self::$back => Vec::new(),)*
                }
            }
        }

        /// Runs an algorithm that needs nothing special of the problem.
        pub(crate) fn run<P: Problem, H: Heuristic<P>, O: Observer<P>>(
            algorithm: Algorithm,
            search: Search<'_, P, H, O>,
            meter: &Meter<'_>,
        ) -> Result<OutcomeOf<P>, CannotRun> {
            search.check(algorithm, meter)?;
            match algorithm {
                // Without the heuristic: one compiled copy serves them all.
                $(Algorithm::$blind $({ $($blind_field),* })? =>
                    Ok($blind_module::search(search.heuristic(Zero), meter $($(, $blind_field)*)?)),)*
                $(Algorithm::$guided $({ $($guided_field),* })? =>
                    Ok($guided_module::search(search, meter $($(, $guided_field)*)?)),)*
                $(Algorithm::$back => Err(CannotRun::NeedsReversible(algorithm)),)*
            }
        }

        /// Runs any algorithm, on a problem that can be run backwards.
        pub(crate) fn run_reversible<P: Reversible, H: Heuristic<P>, O: Observer<P>>(
            algorithm: Algorithm,
            search: Search<'_, P, H, O>,
            meter: &Meter<'_>,
        ) -> Result<OutcomeOf<P>, CannotRun> {
            search.check(algorithm, meter)?;
            match algorithm {
                $(Algorithm::$back => Ok($back_module::search(search.heuristic(Zero), meter)),)*
                _ => run(algorithm, search, meter),
            }
        }
    };
}

registry! {
    blind {
        Bfs => bfs,
        Dfs => dfs,
        Dls { limit: Option<u32> } => dls,
        Ids => ids,
        Ucs => ucs,
    }
    guided {
        Greedy => greedy,
        AStar => astar,
        WAStar { weight: Weight } => wastar,
        IdaStar => idastar,
    }
    reversible {
        Bidirectional => bidirectional,
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
