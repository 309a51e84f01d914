//! Hints, checks and solutions, from the exact solvers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::Cost;
use novelo_search::Stop;
use serde::Serialize;

use super::game::{Check, Game, Status};
use super::oracle::Oracle;
use super::replay;
use crate::puzzle::Instance;
use crate::request::Request;

/// Looks at a game from aside: a copy of its history that can be sent to
/// another thread, so that no player waits.
pub struct Adviser {
    pub(super) instance: Arc<dyn Instance>,
    pub(super) moves: Vec<String>,
    pub(super) game: Box<dyn Game>,
    pub(super) plan: Option<Plan>,
}

/// A way to the goal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// How many moves to take back first.
    pub take_back: usize,
    /// The moves to make then.
    pub moves: Vec<String>,
    /// What the whole game costs if it is followed.
    pub total: Cost,
    /// Whether no cheaper continuation exists.
    pub proved: bool,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "hint", rename_all = "kebab-case")]
pub enum Hint {
    /// A move that leads to the goal.
    Play {
        /// The move, as [`Session::play`](super::Session::play) takes it.
        play: String,
        /// How many moves of the plan are left, this one included.
        left: usize,
        /// Whether it is proved to belong to a best continuation.
        proved: bool,
        /// The plan it is the beginning of.
        #[serde(skip)]
        plan: Plan,
    },
    /// From here no way leads to the goal.
    TakeBack {
        /// How many moves must be taken back until one does.
        moves: usize,
    },
    /// No way leads to the goal even from the start.
    Hopeless,
    /// The game is won already.
    Won,
    /// Nothing was found out in the time given.
    Unknown {
        /// What ended the search.
        stop: &'static str,
    },
}

/// The least that a game can cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Par {
    /// The cost of the best solution known.
    pub cost: Cost,
    /// Whether there is no better one.
    pub proved: bool,
}

/// Where a game left the best line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Review {
    /// The moves that did.
    pub slips: Vec<Slip>,
    /// Whether every move was looked at in the time given.
    pub whole: bool,
}

/// A move that left the best line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Slip {
    /// How many moves were made before it.
    pub after: usize,
    /// The move.
    pub play: String,
    /// A move of a best continuation from there.
    pub best: Option<String>,
    /// What it cost beyond the best; none if no way led on from it.
    pub lost: Option<Cost>,
}

impl Adviser {
    /// The next move of a best continuation, or how to come back to where
    /// there is one.
    pub fn hint(&self, request: &Request, cancel: &AtomicBool) -> Hint {
        if self.game.status() == Status::Won {
            return Hint::Won;
        }
        match self.plan(request, cancel) {
            Err(stop) => Hint::Unknown { stop: stop.name() },
            Ok(None) => Hint::Hopeless,
            Ok(Some(Plan { take_back: moves @ 1.., .. })) => Hint::TakeBack { moves },
            Ok(Some(plan)) => Hint::Play {
                play: plan.moves.first().cloned().unwrap_or_default(),
                left: plan.moves.len(),
                proved: plan.proved,
                plan,
            },
        }
    }

    /// The way from here to the goal; none if there is none even from the start.
    ///
    /// A plan that the player is following already is kept unless a cheaper one
    /// is found: two good plans, followed a step each in turn, may lead nowhere.
    pub fn plan(&self, request: &Request, cancel: &AtomicBool) -> Result<Option<Plan>, Stop> {
        let oracle = Oracle::new(request, cancel);
        if let Some(plan) = self.plan.as_ref().filter(|plan| plan.proved) {
            return Ok(Some(plan.clone()));
        }
        match self.plan_from(self.moves.len(), &oracle) {
            Ok(Some(new)) => {
                let kept = self.plan.as_ref().filter(|plan| plan.total <= new.total && !new.proved);
                Ok(Some(kept.cloned().unwrap_or(new)))
            }
            Err(stop) => self.plan.clone().map(Some).ok_or(stop),
            Ok(None) => match self.last_alive(&oracle)? {
                None => Ok(None),
                Some(alive) => self.plan_from(alive, &oracle),
            },
        }
    }

    /// A plan that goes back to where so many moves were made.
    fn plan_from(&self, made: usize, oracle: &Oracle<'_>) -> Result<Option<Plan>, Stop> {
        let game = self.after(made);
        let solution = oracle.ask(&*game.position())?;
        Ok(solution.map(|solution| Plan {
            take_back: self.moves.len() - made,
            moves: game.continuation(solution.path),
            total: game.cost() + solution.cost,
            proved: solution.optimal,
        }))
    }

    /// The most moves after which the game could still be won, when it no
    /// longer can.
    ///
    /// While a player only adds to the board, what is dead stays dead, so the
    /// last position alive is found by halving. A move that takes something
    /// back was made on a dead board if it left one, so nothing before it needs
    /// to be looked at until the next move that added something.
    fn last_alive(&self, oracle: &Oracle<'_>) -> Result<Option<usize>, Stop> {
        let alive = |made: usize| oracle.can_be_solved(&*self.after(made).position());
        let takes_back = |made: usize| self.game.takes_back(&self.moves[made]);
        let mut dead = self.moves.len();
        while dead > 0 {
            if takes_back(dead - 1) {
                dead -= 1;
                continue;
            }
            let first = (0..dead).rev().find(|&made| takes_back(made)).map_or(0, |made| made + 1);
            if !alive(first)? {
                dead = first;
                continue;
            }
            let mut living = first;
            while living + 1 < dead {
                let middle = usize::midpoint(living, dead);
                if alive(middle)? { living = middle } else { dead = middle }
            }
            return Ok(Some(living));
        }
        Ok(None)
    }

    /// The game after so many of its moves.
    fn after(&self, made: usize) -> Box<dyn Game> {
        replay(&*self.instance, &self.moves[..made])
    }

    /// Whether the game can still be won as it stands.
    pub fn can_be_won(&self, request: &Request, cancel: &AtomicBool) -> Result<bool, Stop> {
        Oracle::new(request, cancel).can_be_solved(&*self.game.position())
    }

    /// What is certainly wrong on the board.
    pub fn check(&self, request: &Request, cancel: &AtomicBool) -> Result<Check, Stop> {
        self.game.check(&Oracle::new(request, cancel))
    }

    /// Which moves made the game cost more than it had to, as far as that can be told in the time given.
    pub fn review(&self, request: &Request, cancel: &AtomicBool) -> Review {
        let oracle = Oracle::new(request, cancel);
        let mut slips = Vec::new();
        let mut before = self.plan_from(0, &oracle);
        for (made, play) in self.moves.iter().enumerate() {
            let after = self.plan_from(made + 1, &oracle);
            let (Ok(was), Ok(is)) = (&before, &after) else { return Review { slips, whole: false } };
            if let Some(was) = was {
                let lost = is.as_ref().map(|is| is.total.saturating_sub(was.total));
                if lost != Some(0) {
                    slips.push(Slip {
                        after: made,
                        play: play.clone(),
                        best: was.moves.first().cloned(),
                        lost,
                    });
                }
            }
            before = after;
        }
        Review { slips, whole: true }
    }

    /// The least that the game can cost from its start; none if it cannot be won.
    pub fn par(&self, request: &Request, cancel: &AtomicBool) -> Result<Option<Par>, Stop> {
        let solution = Oracle::new(request, cancel).ask(&*self.instance)?;
        Ok(solution.map(|solution| Par { cost: solution.cost, proved: solution.optimal }))
    }
}
