//! The lower bounds that a tile search can be guided by, by the names of heuristics.

use novelo_search::parameter::ParameterError;

use super::partition::{Partition, PartitionError};
use super::position::Position;
use crate::request::RequestError;
use crate::sliding::instance::Tiles;
use crate::solver::ChosenHeuristic;

/// What guides a tile search.
pub enum LowerBound {
    /// Manhattan distance.
    Manhattan,
    /// Additive pattern databases.
    PatternDatabases(Partition),
    /// Walking distance.
    WalkingDistance,
}

impl LowerBound {
    /// The one that a heuristic of the registry stands for.
    pub fn of(guide: &ChosenHeuristic, tiles: &Tiles) -> Result<Self, RequestError> {
        match (guide.name, guide.values.text("partition"), guide.values.text("with")) {
            ("manhattan", ..) => Ok(Self::Manhattan),
            ("pdb", Some(text), _) => partition(tiles, text).map(Self::PatternDatabases),
            ("walking-distance", _, None) => Ok(Self::WalkingDistance),
            _ => Err(RequestError::Unsupported(format!(
                "tiles takes manhattan, pdb or walking-distance as its heuristic, not {}",
                guide.spec
            ))),
        }
    }
}

/// The partition of a name or drawing, turned as the search sees the board.
pub fn partition(tiles: &Tiles, text: &str) -> Result<Partition, RequestError> {
    needs_two_lines(tiles, "pdb")?;
    let wrong = |error: PartitionError| ParameterError(format!("pdb: {error}")).into();
    named_partition(&Position::of(tiles), text).map_err(wrong)
}

fn named_partition(position: &Position, text: &str) -> Result<Partition, PartitionError> {
    let symmetry = position.canonical_symmetry();
    let canonical = position.image(symmetry);
    // Names are the same for every goal; a drawing is of the board as the user sees it.
    if Partition::names(position.shape()).contains(&text) {
        return Partition::parse(canonical.shape(), canonical.goal_blank(), text);
    }
    let drawn = Partition::parse(position.shape(), position.goal_blank(), text)?;
    Ok(drawn.image(symmetry))
}

/// Refuses boards of one row or column.
pub fn needs_two_lines(tiles: &Tiles, what: &str) -> Result<(), RequestError> {
    if tiles.size.rows < 2 || tiles.size.cols < 2 {
        let message = format!("{what} needs a board of at least two rows and two columns");
        return Err(RequestError::Unsupported(message));
    }
    Ok(())
}
