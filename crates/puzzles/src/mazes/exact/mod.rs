//! The exact solver: clause learning over the joins between cells.
//!
//! The clauses say how many joins a cell has and which lengths may not meet at
//! a turn; that the joins make one path, and cut the board nowhere, is watched
//! by a theory that writes clauses only where they matter. Nearly all of what
//! makes a maze hard is in that theory: generated boards of 24x24 took it 28 to
//! 238 conflicts.

mod budget;
mod cdcl;
mod encode;
mod path;
#[cfg(test)]
mod tests;

use budget::Budget;
use cdcl::Solver;
use encode::Board;
use novelo_search::{Counter, Frontier, Held, Stop};
use path::Path;

use super::instance::Maze;
use super::moves::{self, Move};

/// A search for all solutions of a maze, one after the other.
pub struct Exact {
    /// How many moves have been made already.
    walked: usize,
    board: Board,
    solver: Solver<Path>,
    /// The turns of the path found last, all that was walked included.
    turns: usize,
    /// The bound on turns, once there is one.
    budget: Option<Budget>,
}

/// Clauses beyond which turns are not counted.
const MOST_CLAUSES: usize = 2_000_000;

/// Why a search came back without a solution.
enum Pause {
    Limit(Stop),
    Enough,
}

struct Holds<'s>(&'s Solver<Path>);

impl Held for Holds<'_> {
    fn nodes(&self) -> u64 {
        self.0.learned() as u64
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

impl Held for Exact {
    fn nodes(&self) -> u64 {
        Holds(&self.solver).nodes()
    }

    fn bytes(&self) -> usize {
        Holds(&self.solver).bytes()
    }
}

impl Exact {
    /// Prepares a maze whose end is free.
    pub fn new(maze: &Maze) -> Self {
        let (board, graph) = Board::new(maze);
        let mut solver = Solver::new(graph.joins.len(), Path::new(graph));
        board.clauses(maze, &mut solver);
        Self { walked: maze.walked.len(), board, solver, turns: 0, budget: None }
    }

    /// The moves of the next solution, beyond those walked already. `None` if
    /// there is none beside those given before, or if `enough` decisions were
    /// made in all.
    pub fn next(&mut self, counter: &mut Counter<'_>, enough: u64) -> Result<Option<Vec<Move>>, Stop> {
        let found = self.solver.search(|solver| {
            if counter.expanded >= enough {
                return Err(Pause::Enough);
            }
            let depth = Frontier::Depth(solver.conflicts() as u32);
            counter.expand(&Holds(solver), depth).map_err(Pause::Limit)
        });
        match found {
            Ok(true) => {}
            Ok(false) | Err(Pause::Enough) => return Ok(None),
            Err(Pause::Limit(stop)) => return Err(stop),
        }
        let steps = self.board.steps(&self.solver);
        self.turns = steps.windows(2).filter(|pair| pair[0] != pair[1]).count();
        self.solver.exclude();
        Ok(Some(moves::of_steps(steps).split_off(self.walked)))
    }

    /// Asks for paths with fewer turns than the one found last; `false` if the
    /// board is too large to count them.
    pub fn fewer_turns(&mut self) -> bool {
        let corners = self.board.corners();
        let Some(fewer) = self.turns.checked_sub(1) else {
            // There is no other path without a turn.
            return true;
        };
        if Budget::clauses(corners.len(), self.turns) > MOST_CLAUSES {
            return false;
        }
        self.solver.back_to_root();
        let solver = &mut self.solver;
        self.budget.get_or_insert_with(|| Budget::new(&corners, self.turns, solver)).allow(fewer, solver);
        true
    }

    /// Whether all solutions have been given.
    pub fn is_exhausted(&self) -> bool {
        self.solver.is_exhausted()
    }

    /// Conflicts so far: guesses that came to nothing.
    pub fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }
}
