//! Disjoint partitions of the tiles, by name, as a drawing, or chosen for a memory budget.

use crate::sliding::optimal::pdb::TableKey;
use crate::sliding::optimal::shape::{MAX_MASK_CELLS, Shape, Symmetry};
use crate::sliding::rules::Move;
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// What can be wrong with a partition.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum PartitionError {
    /// The name is not known for this board.
    #[error(
        "no partition is called {name:?} on a {shape} board; {}draw one, a letter for each cell and . for the blank",
        known(*shape)
    )]
    Unknown {
        /// The name asked for.
        name: String,
        /// The board.
        shape: Shape,
    },
    /// The drawing has the wrong number of cells.
    #[error("a drawn partition of a {shape} board has {} letters or dots, not {found}", shape.cells())]
    Size {
        /// The board.
        shape: Shape,
        /// Cells drawn.
        found: usize,
    },
    /// The blank's cell must be the only dot.
    #[error("a drawn partition has one dot, at the blank's goal (row {row}, column {column})")]
    Blank {
        /// Row of the blank's goal, from 1.
        row: usize,
        /// Column of the blank's goal, from 1.
        column: usize,
    },
    /// A pattern has more tiles than a table can index.
    #[error("pattern {letter:?} has {tiles} tiles; at most {} are possible", TableKey::MAX_TILES)]
    TooMany {
        /// The pattern's letter.
        letter: char,
        /// Its tiles.
        tiles: usize,
    },
    /// There are more patterns than a search follows.
    #[error(
        "a partition into {found} patterns is too fine; at most {} are possible",
        Partition::MAX_PATTERNS
    )]
    TooFine {
        /// Patterns drawn.
        found: usize,
    },
    /// The table of a pattern has more bits than a search can number.
    #[error(
        "the table of pattern {letter:?}, of {tiles} tiles on a {shape} board, would have more than 2^32 bits"
    )]
    TooLarge {
        /// The pattern's letter.
        letter: char,
        /// Its tiles.
        tiles: usize,
        /// The board.
        shape: Shape,
    },
    /// The board has too many cells for pattern databases.
    #[error("a {0} board is too large for pattern databases (at most {MAX_MASK_CELLS} cells)")]
    Board(Shape),
}

/// The names that a board has, as the beginning of a list of what there is.
fn known(shape: Shape) -> String {
    let names = Partition::names(shape);
    if names.is_empty() { String::new() } else { format!("known are {}, or ", names.join(", ")) }
}

/// A division of all tiles into disjoint patterns, each a mask of goal cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    shape: Shape,
    goal_blank: usize,
    patterns: Vec<u32>,
}

/// Named partitions for a blank at the top left. The shapes of 5-5-5, 6-6-3 and 7-8 are those of Korf and Felner
/// (2002), turned to this corner; so is 6-6-6-6, whose three 2×3 blocks share one table.
const NAMED: &[(&str, u8, &str)] = &[
    ("4-4", 3, ".ab/aab/abb"),
    ("5-5-5", 4, ".aab/aabb/acbb/cccc"),
    ("6-6-3", 4, ".aab/aabb/aabb/cccb"),
    ("7-8", 4, ".aaa/aaaa/bbbb/bbbb"),
    ("6-6-6-6", 5, ".abbb/aabbb/aaadd/cccdd/cccdd"),
];

/// The sizes of the patterns, such as `6-6-3`.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<_> = self.patterns.iter().map(|pattern| pattern.count_ones().to_string()).collect();
        f.write_str(&sizes.join("-"))
    }
}

impl Partition {
    /// The most patterns that a search follows.
    pub const MAX_PATTERNS: usize = 16;

    /// The side of the square board that a name is for.
    pub fn side_of(name: &str) -> Option<u8> {
        NAMED.iter().find(|(known, ..)| *known == name).map(|&(_, side, _)| side)
    }

    /// All names, and the side of the square board that each is for.
    pub fn named() -> impl Iterator<Item = (&'static str, u8)> {
        NAMED.iter().map(|&(name, side, _)| (name, side))
    }

    /// The names known for a board, in the order of their table sizes.
    pub fn names(shape: Shape) -> Vec<&'static str> {
        NAMED
            .iter()
            .filter(|(_, side, _)| shape == Shape::new(*side, *side))
            .map(|(name, ..)| *name)
            .collect()
    }

    /// A partition by its name or its drawing (rows of letters, with or without `/` between them).
    ///
    /// Named partitions are drawn for a blank in the top left corner; for another goal of the blank the letters on a
    /// way from that corner to it move up by one cell, which keeps the sizes of the patterns.
    pub fn parse(shape: Shape, goal_blank: usize, text: &str) -> Result<Self, PartitionError> {
        if shape.cells() > MAX_MASK_CELLS {
            return Err(PartitionError::Board(shape));
        }
        let square = |side: u8| shape == Shape::new(side, side);
        if let Some((_, _, drawing)) = NAMED.iter().find(|(name, side, _)| *name == text && square(*side)) {
            let mut letters: Vec<char> = drawing.chars().filter(|&c| c != '/').collect();
            let mut cell = 0;
            while let Some(next) = toward(shape, cell, goal_blank) {
                letters.swap(cell, next);
                cell = next;
            }
            return Self::drawn(shape, goal_blank, &letters);
        }
        let letters: Vec<char> = text.chars().filter(|&c| c != '/').collect();
        if letters.iter().all(|&c| c == '.' || c.is_alphabetic()) && letters.contains(&'.') {
            return Self::drawn(shape, goal_blank, &letters);
        }
        Err(PartitionError::Unknown { name: text.into(), shape })
    }

    fn drawn(shape: Shape, goal_blank: usize, letters: &[char]) -> Result<Self, PartitionError> {
        if letters.len() != shape.cells() {
            return Err(PartitionError::Size { shape, found: letters.len() });
        }
        if letters.iter().enumerate().any(|(cell, &c)| (c == '.') != (cell == goal_blank)) {
            let cols = usize::from(shape.cols);
            return Err(PartitionError::Blank { row: goal_blank / cols + 1, column: goal_blank % cols + 1 });
        }
        let names: BTreeSet<char> = letters.iter().copied().filter(|&c| c != '.').collect();
        if names.len() > Self::MAX_PATTERNS {
            return Err(PartitionError::TooFine { found: names.len() });
        }
        let mut patterns = Vec::new();
        for letter in names {
            let pattern = (0..shape.cells()).filter(|&c| letters[c] == letter).fold(0u32, |m, c| m | 1 << c);
            let tiles = pattern.count_ones() as usize;
            if tiles > TableKey::MAX_TILES {
                return Err(PartitionError::TooMany { letter, tiles });
            }
            if !TableKey::new(shape, pattern, goal_blank).is_addressable() {
                return Err(PartitionError::TooLarge { letter, tiles, shape });
            }
            patterns.push(pattern);
        }
        Ok(Self { shape, goal_blank, patterns })
    }

    /// The best partition whose tables fit in `budget` bytes: a named one where there is one, else blocks of two rows
    /// by as many columns as fit; `None` when not even patterns of two tiles fit.
    pub fn automatic(shape: Shape, goal_blank: usize, budget: u64) -> Option<Self> {
        if shape.cells() > MAX_MASK_CELLS {
            return None;
        }
        let named = Self::names(shape).into_iter().rev();
        let named = named.filter_map(|name| Self::parse(shape, goal_blank, name).ok());
        let blocks = (2..=TableKey::MAX_TILES).rev().map(|k| Self::blocks(shape, goal_blank, k));
        named.chain(blocks).find(|partition| partition.about_bytes() <= budget)
    }

    /// Walks the board in bands of two rows, column by column, and cuts the way into equal pieces of at most `k`.
    fn blocks(shape: Shape, goal_blank: usize, k: usize) -> Self {
        let (rows, cols) = (usize::from(shape.rows), usize::from(shape.cols));
        let mut way = Vec::with_capacity(shape.cells());
        for (band, top) in (0..rows).step_by(2).enumerate() {
            for i in 0..cols {
                let col = if band % 2 == 0 { i } else { cols - 1 - i };
                way.extend((top..(top + 2).min(rows)).map(|row| row * cols + col));
            }
        }
        way.retain(|&cell| cell != goal_blank);
        let pieces = way.len().div_ceil(k);
        let patterns = (0..pieces)
            .map(|i| {
                let cells = &way[i * way.len() / pieces..(i + 1) * way.len() / pieces];
                cells.iter().fold(0u32, |m, &c| m | 1 << c)
            })
            .collect();
        Self { shape, goal_blank, patterns }
    }

    /// The board.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The blank's goal cell.
    pub const fn goal_blank(&self) -> usize {
        self.goal_blank
    }

    /// The patterns as masks of goal cells.
    pub fn patterns(&self) -> &[u32] {
        &self.patterns
    }

    /// The partition reflected in the main diagonal, where the geometry allows: a square board with the blank's goal
    /// on the diagonal. Both are then partitions for the same goal, and share their tables.
    pub fn reflected(&self) -> Option<Self> {
        let reflection = Symmetry::TRANSPOSE;
        let fits = self.shape.rows == self.shape.cols
            && reflection.cell(self.shape, self.goal_blank) == self.goal_blank;
        fits.then(|| self.image(reflection))
    }

    /// The partition seen through a symmetry of the board.
    pub fn image(&self, symmetry: Symmetry) -> Self {
        Self {
            shape: symmetry.image(self.shape),
            goal_blank: symmetry.cell(self.shape, self.goal_blank),
            patterns: self.patterns.iter().map(|&p| symmetry.mask(self.shape, p)).collect(),
        }
    }

    /// The keys of the tables this partition needs, without repetition.
    pub fn tables(&self) -> Vec<TableKey> {
        let keys = self.patterns.iter().map(|&p| TableKey::new(self.shape, p, self.goal_blank).canonical().0);
        keys.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// About how many bytes those tables need, from above.
    pub fn about_bytes(&self) -> u64 {
        self.tables().iter().map(TableKey::about_bytes).sum()
    }

    /// About how many bytes are needed while those tables are built, from above: those of all, and of the sets and
    /// edges that the largest is built with.
    pub fn about_bytes_to_build(&self) -> u64 {
        let largest = self.tables().iter().map(TableKey::about_bytes).max().unwrap_or(0);
        self.about_bytes() + 4 * largest
    }
}

/// The next cell on a way from `cell` to `target`: along the row first, then along the column.
fn toward(shape: Shape, cell: usize, target: usize) -> Option<usize> {
    let closer = |next: &usize| shape.distance(*next, target) < shape.distance(cell, target);
    [Move::Left, Move::Right, Move::Up, Move::Down]
        .into_iter()
        .filter_map(|m| shape.neighbour(cell, m))
        .find(closer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_partition_covers_every_tile_once() {
        for shape in
            [Shape::new(3, 3), Shape::new(4, 4), Shape::new(5, 5), Shape::new(4, 3), Shape::new(7, 2)]
        {
            for blank in 0..shape.cells() {
                let named =
                    Partition::names(shape).into_iter().map(|n| Partition::parse(shape, blank, n).unwrap());
                let budgets = [1 << 12, 1 << 20, 1 << 26, 1 << 30];
                let automatic = budgets.into_iter().filter_map(|b| Partition::automatic(shape, blank, b));
                for partition in named.chain(automatic) {
                    let total: u32 = partition.patterns().iter().map(|p| p.count_ones()).sum();
                    let union = partition.patterns().iter().fold(0, |m, p| m | p);
                    assert_eq!(total as usize, shape.cells() - 1);
                    assert_eq!(union, shape.full_mask() & !(1 << blank));
                }
            }
        }
    }

    #[test]
    fn blocks_of_the_24_puzzle_share_a_table() {
        let p = Partition::parse(Shape::new(5, 5), 0, "6-6-6-6").unwrap();
        assert_eq!((p.patterns().len(), p.tables().len()), (4, 2));
    }

    #[test]
    fn drawings_are_checked() {
        let shape = Shape::new(3, 3);
        assert!(Partition::parse(shape, 0, ".ab/aab/abb").is_ok());
        assert!(matches!(
            Partition::parse(shape, 1, ".ab/aab/abb"),
            Err(PartitionError::Blank { row: 1, column: 2 })
        ));
        assert!(matches!(Partition::parse(shape, 0, ".ab"), Err(PartitionError::Size { found: 3, .. })));
        assert!(matches!(Partition::parse(shape, 0, "6-6-3"), Err(PartitionError::Unknown { .. })));
        let fine = Partition::parse(Shape::new(4, 5), 0, ".bcde/fghij/klmno/pqrst");
        assert_eq!(fine, Err(PartitionError::TooFine { found: 19 }));
    }

    #[test]
    fn no_table_has_more_bits_than_a_search_can_number() {
        let eight = |shape: Shape, drawing: &str| Partition::parse(shape, 0, drawing);
        for (shape, drawing) in [
            (Shape::new(3, 6), ".aaabb/aaabbb/aabbcc"),
            (Shape::new(2, 9), ".aaaabbbb/aaaabbbcc"),
            (Shape::new(4, 5), ".aaaa/aaaab/bbbbb/ccccc"),
            (Shape::new(4, 8), ".aaaaaaa/abbbbbbb/bccccccc/cddddddd"),
        ] {
            assert!(matches!(
                eight(shape, drawing),
                Err(PartitionError::TooLarge { letter: 'a', tiles: 8, .. })
            ));
        }
        // 4.08 of 4.29 billion bits.
        assert!(Partition::parse(Shape::new(5, 5), 0, ".aabb/aaabb/aabbb/ccccc/ccddd").is_ok());
    }
}
