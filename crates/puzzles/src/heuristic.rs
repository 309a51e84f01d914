//! Heuristics as a puzzle declares them.

use novelo_search::Promise;
use novelo_search::parameter::Parameter;

/// What a heuristic is, in words.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct HeuristicInfo {
    /// The name it is called by.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// What it computes.
    pub about: &'static str,
    /// What it promises.
    pub promise: Promise,
    /// Why it keeps that promise, or why it makes none.
    pub why: &'static str,
}

impl HeuristicInfo {
    /// Whether it means nothing without its parameters.
    pub fn needs_parameters(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.required)
    }

    /// How its parameters are written, with their defaults or an example; empty if it has none.
    pub fn usage(&self) -> String {
        self.parameters.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }
}

/// The heuristic that every puzzle has.
pub(crate) const ZERO: HeuristicInfo = HeuristicInfo {
    name: "zero",
    parameters: &[],
    about: "Nothing: 0 everywhere. A* with it is uniform-cost search.",
    promise: Promise::CONSISTENT,
    why: "No cost is below 0.",
};

/// The one table of a puzzle's heuristics: of each its words, and the expression that constructs it and hands it to a
/// visitor. Makes `INFOS`, the words in the order of the table (the first is the puzzle's default), and the function
/// `visit`, whose first argument is the name of a heuristic.
macro_rules! heuristics {
    (
        visit[$($generics:tt)*]($name:ident: &str, $($argument:ident: $type:ty),* $(,)?) -> $output:ty {
            $($info:expr => $construct:expr,)*
        }
    ) => {
        /// What each is, in words; the first is the default.
        pub const INFOS: &[$crate::heuristic::HeuristicInfo] = &[$($info),*];

        /// Constructs the heuristic of a name.
        pub fn visit<$($generics)*>($name: &str, $($argument: $type),*) -> $output {
            $({
                const INFO: $crate::heuristic::HeuristicInfo = $info;
                if $name == INFO.name {
                    return $construct;
                }
            })*
            unreachable!("the name was found in the table")
        }
    };
}
pub(crate) use heuristics;
