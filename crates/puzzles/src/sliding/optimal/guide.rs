//! What guides an optimal search, by the name of a heuristic.

use super::partition::{Partition, PartitionError};
use super::position::Position;
use crate::request::{HeuristicSpec, RequestError};
use crate::sliding::instance::Tiles;

/// What guides an optimal search.
pub enum Guide {
    /// Whatever is best for the board.
    Auto,
    /// Plain Manhattan distance, nothing pruned but the way back: the counts of Korf (1985).
    Manhattan,
    /// Additive pattern databases.
    Pdb(Partition),
    /// Walking distance.
    Walking,
    /// The larger of walking distance and linear conflicts; known to the general engine only.
    WalkingAndConflicts,
}

impl Guide {
    /// The guide that a heuristic's name asks for; `None` for those of the engine.
    pub fn named(spec: &HeuristicSpec, tiles: &Tiles) -> Result<Option<Self>, RequestError> {
        let wrong = |message: String| RequestError::Parameter { heuristic: spec.name.clone(), message };
        if !matches!(spec.name.as_str(), "pdb" | "walking-distance") {
            return Ok(None);
        }
        if tiles.size.rows < 2 || tiles.size.cols < 2 {
            return Err(wrong("it needs a board of at least two rows and two columns".into()));
        }
        if spec.name == "walking-distance" {
            return match spec.parameters.as_slice() {
                [] => Ok(Some(Self::Walking)),
                [(key, text)] if key.is_empty() && text == "linear-conflict" => {
                    Ok(Some(Self::WalkingAndConflicts))
                }
                _ => Err(wrong("its only parameter is linear-conflict, for the larger of the two".into())),
            };
        }
        let position = Position::of(tiles);
        let partition = match spec.parameters.as_slice() {
            [(key, text)] if key.is_empty() => named_partition(&position, text),
            _ => Err(PartitionError::Unknown { name: String::new(), shape: position.shape() }),
        };
        partition.map(|partition| Some(Self::Pdb(partition))).map_err(|error| wrong(error.to_string()))
    }
}

/// The partition of a name or drawing, turned as the search sees the board.
pub(super) fn named_partition(position: &Position, text: &str) -> Result<Partition, PartitionError> {
    let symmetry = position.canonical_symmetry();
    let canonical = position.image(symmetry);
    // Names are the same for every goal; a drawing is of the board as the user sees it.
    if Partition::names(position.shape()).contains(&text) {
        return Partition::parse(canonical.shape(), canonical.goal_blank(), text);
    }
    let drawn = Partition::parse(position.shape(), position.goal_blank(), text)?;
    Ok(drawn.image(symmetry))
}
