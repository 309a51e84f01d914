//! The exact solver: propagation with restarts.

mod domains;
mod regions;
mod search;

use novelo_search::{Meter, Stop};

use super::instance::Board;
use domains::Domains;
use search::{Descent, Tree, luby};

/// Failures allowed in the shortest descent.
const UNIT: u64 = 100;

/// A solution's cells, or none if there is none.
pub fn solve(board: &Board, meter: &mut Meter<'_, '_>) -> Result<Option<Vec<u16>>, Stop> {
    let mut tree = Tree::new(Domains::new(board), 1);
    let mut solution = None;
    for i in 1.. {
        let descent = tree.descend(UNIT * luby(i), meter, |domains| {
            solution = Some(domains.solution());
            false
        })?;
        if descent != Descent::GaveUp {
            break;
        }
    }
    Ok(solution)
}
