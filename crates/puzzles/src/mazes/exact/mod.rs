//! The exact solver: clause learning over the joins between cells.
//!
//! The clauses say how many joins a cell has and which lengths may not meet at
//! a turn; that the joins make one path, and cut the board nowhere, is watched
//! by a theory that writes clauses only where they matter.

mod cdcl;
mod clauses;
mod encode;
mod heap;
mod path;

use cdcl::Solver;
use encode::Board;
use novelo_search::{Frontier, Held, Meter, Stop};
use path::Path;

use super::instance::Maze;
use super::moves::Way;

/// A search for all solutions of a maze, one after the other.
pub struct Exact {
    board: Board,
    solver: Solver<Path>,
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

impl Exact {
    /// Prepares a maze whose end is free.
    pub fn new(maze: &Maze) -> Self {
        let (board, graph) = Board::new(maze);
        let variables = graph.joins.len();
        let wish = std::env::var("WISH").is_ok();
        let mut solver = Solver::new(vec![wish; variables], vec![0.0; variables], Path::new(graph));
        board.clauses(maze, &mut solver);
        Self { board, solver }
    }

    /// The steps of the next solution from the start on; `None` if there is
    /// none beside those given before.
    pub fn next(&mut self, meter: &mut Meter<'_, '_>) -> Result<Option<Vec<Way>>, Stop> {
        let before = self.solver.conflicts();
        let found = self.solver.search(|solver| {
            let depth = Frontier::Depth(solver.conflicts() as u32);
            meter.expand(&Holds(solver), depth)
        })?;
        meter.stats.generated += self.solver.conflicts() - before;
        if !found {
            return Ok(None);
        }
        let steps = self.board.steps(&self.solver);
        self.solver.exclude();
        Ok(Some(steps))
    }

    /// Conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.solver.bytes()
    }
}
