//! How hard a maze is to solve by hand.

use std::str::FromStr;

use novelo_search::{Heuristic, Problem};

use crate::mazes::instance::Maze;
use crate::mazes::rules::Rules;
use crate::mazes::turns::Turns;

/// A level of difficulty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difficulty {
    /// What is forced nearly gives the path away.
    Easy,
    /// A few wrong ways to see through.
    Normal,
    /// Many wrong ways.
    Hard,
    /// A wilderness.
    Expert,
}

impl FromStr for Difficulty {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "easy" => Ok(Self::Easy),
            "normal" => Ok(Self::Normal),
            "hard" => Ok(Self::Hard),
            "expert" => Ok(Self::Expert),
            _ => Err(format!("'{name}' is not a difficulty; there are easy, normal, hard and expert")),
        }
    }
}

/// The walks that must be looked at, per ten free cells, from which each level
/// begins. The solution alone makes about 14 of them.
const LEVELS: [(u64, Difficulty); 4] =
    [(60, Difficulty::Expert), (30, Difficulty::Hard), (16, Difficulty::Normal), (0, Difficulty::Easy)];

/// How hard a maze with one solution is: how many walks from the start someone
/// must look at who draws every forced join and leaves a walk when it is seen
/// to be dead, until there is only the solution; in proportion to the free
/// cells.
pub fn difficulty(maze: &Maze) -> Difficulty {
    let walks = match maze.blocked.len() {
        0..=64 => walks::<1>(maze),
        65..=256 => walks::<4>(maze),
        _ => walks::<64>(maze),
    };
    let ratio = 10 * walks / maze.free() as u64;
    LEVELS.iter().find(|&&(least, _)| ratio >= least).expect("the last level begins at 0").1
}

/// Counts the walks, up to where the highest level is certain.
fn walks<const W: usize>(maze: &Maze) -> u64 {
    let rules = Rules::<W>::new(maze);
    let turns = Turns::<W>::new(maze);
    let most = LEVELS[0].0 * maze.free() as u64 / 10 + 1;
    let mut state = rules.start();
    let mut actions = Vec::new();
    rules.actions(&state, &mut actions);
    let mut untried: Vec<_> = actions.drain(..).map(|action| (0, action)).collect();
    let mut made = Vec::new();
    let mut count = 0;
    while let Some((depth, action)) = untried.pop() {
        for (action, undo) in made.drain(depth..).rev() {
            rules.undo(&mut state, action, undo);
        }
        let (_, undo) = rules.apply(&mut state, action);
        made.push((action, undo));
        if turns.memo(&rules, &state).is_none() {
            continue;
        }
        count += 1;
        if count == most {
            break;
        }
        rules.actions(&state, &mut actions);
        untried.extend(actions.drain(..).map(|action| (made.len(), action)));
    }
    count
}
