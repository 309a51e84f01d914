//! What a check comes to.

use std::fmt::{self, Debug, Display};

/// What was looked at, and found to be as promised.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Different states.
    pub states: u64,
    /// Actions done in them.
    pub actions: u64,
    /// States from which a path to a goal was found. Where there is none, nothing is known of admissibility.
    pub solved: u64,
}

impl Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, actions, solved } = self;
        write!(
            f,
            "{states} states and {actions} actions are as promised; from {solved} states a goal was reached"
        )
    }
}

/// Which promise is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// [`Problem::undo`](crate::Problem::undo) does not take back [`Problem::apply`](crate::Problem::apply).
    Undo,
    /// [`Problem::successor`](crate::Problem::successor) is not what [`Problem::apply`](crate::Problem::apply) makes of a copy.
    Successor,
    /// Equal states have different hashes.
    Hash,
    /// [`Problem::undo`](crate::Problem::undo) with [`Problem::BACK`](crate::Problem::BACK) does not take back [`Problem::apply`](crate::Problem::apply).
    Back,
    /// A path leads back to a state, in a problem that says it is a [tree](crate::Problem::TREE).
    Tree,
    /// Actions cost differently, though [`Problem::unit_cost`](crate::Problem::unit_cost) says that they do not.
    UnitCost,
    /// A cost is below nothing, or infinite.
    Cost,
    /// [`Problem::actions`](crate::Problem::actions) or [`Problem::actions_after`](crate::Problem::actions_after) changes what was in the buffer before.
    Buffer,
    /// [`Problem::reverses`](crate::Problem::reverses) is true of an action that does not lead back.
    Reverses,
    /// [`Problem::actions_after`](crate::Problem::actions_after) is not what [`Problem::actions`](crate::Problem::actions) and [`Problem::reverses`](crate::Problem::reverses) say.
    ActionsAfter,
    /// [`Heuristic::child`](crate::Heuristic::child) differs from [`Heuristic::memo`](crate::Heuristic::memo).
    Child,
    /// [`Heuristic::peek`](crate::Heuristic::peek) differs from doing the action.
    Peek,
    /// [`Heuristic::resume`](crate::Heuristic::resume) has another value than the one it was given.
    Resume,
    /// An estimate drops by more than an action costs, though the heuristic promises to be consistent.
    Inconsistent,
    /// An estimate is above the cost of a path to a goal, though the heuristic promises to be admissible.
    Inadmissible,
    /// The heuristic says that no goal can be reached from a state from which one can.
    DeadEnd,
    /// [`Reversible::goals`](crate::Reversible::goals) holds a state that is no goal, or not one that is.
    Goals,
    /// [`Reversible::actions_into`](crate::Reversible::actions_into) lacks an action that leads into a state, or has one that does not.
    ActionsInto,
    /// [`Reversible::retract`](crate::Reversible::retract) does not lead back to where the action came from, or at another cost.
    Retract,
}

impl Kind {
    /// What is wrong, in a few words.
    fn wrong(self) -> &'static str {
        match self {
            Self::Undo => "undo does not take back apply",
            Self::Successor => "successor is not what apply does",
            Self::Hash => "equal states have different hashes",
            Self::Back => "undo with BACK does not take back apply",
            Self::Tree => "a state is met again on a path, though the problem says it is a tree",
            Self::UnitCost => "actions cost differently, though unit_cost says that they do not",
            Self::Cost => "a cost is not a number from 0 on",
            Self::Buffer => "the buffer for actions is not only appended to",
            Self::Reverses => "reverses is true of an action that does not only take the previous one back",
            Self::ActionsAfter => "actions_after differs from actions without those that reverse",
            Self::Child => "child differs from memo",
            Self::Peek => "peek differs from doing the action",
            Self::Resume => "resume does not have the value it was given",
            Self::Inconsistent => "the heuristic is not consistent",
            Self::Inadmissible => "the heuristic is not admissible",
            Self::DeadEnd => "the heuristic gives up a state from which a goal can be reached",
            Self::Goals => "goals are not all goal states",
            Self::ActionsInto => "actions_into does not agree with actions",
            Self::Retract => "retract does not take back apply",
        }
    }
}

/// A broken promise: the shortest instance that was met.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation<A> {
    /// Which promise.
    pub kind: Kind,
    /// The actions from the start to the state where it shows.
    pub path: Vec<A>,
    /// The action that shows it there, where it takes one.
    pub action: Option<A>,
    /// What was seen, and what would be right.
    pub detail: String,
}

impl<A: Debug> Display for Violation<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.wrong())?;
        if self.path.is_empty() {
            f.write_str("at the start")?;
        } else {
            write!(f, "after {:?}", self.path)?;
        }
        match &self.action {
            Some(action) => write!(f, ", action {action:?}: {}", self.detail),
            None => write!(f, " {}", self.detail),
        }
    }
}

impl<A: Debug> std::error::Error for Violation<A> {}
