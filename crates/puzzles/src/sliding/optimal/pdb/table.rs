//! A pattern table: what it stands for and how its entries are read.

use super::index::PlacementIndex;
use super::memory::HugeBytes;
use std::fmt;
use std::sync::Arc;

use crate::sliding::optimal::rank::{binomial, combination_rank, factorial, permutation_rank};
use crate::sliding::optimal::shape::{MAX_MASK_CELLS, Shape, Symmetry};
use crate::sliding::rules::Move;

/// What determines a pattern table: the board, the goal cells of the pattern's tiles and the region of the other
/// cells in which the blank ends.
///
/// The blank's exact goal is not part of it: its moves among other tiles are free, so any goal cell of the same
/// region gives the same table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TableKey {
    /// The board.
    pub shape: Shape,
    /// The goal cells of the pattern's tiles, as a mask.
    pub pattern: u32,
    /// The region of the blank in the goal, as a mask.
    pub region: u32,
}

/// The board with a letter for each tile of the pattern, `_` where the blank may end and `.` elsewhere.
impl fmt::Display for TableKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.shape)?;
        for cell in 0..self.shape.cells() {
            if cell > 0 && cell % usize::from(self.shape.cols) == 0 {
                f.write_str("/")?;
            }
            let is_in = |mask: u32| mask >> cell & 1 == 1;
            f.write_str(if is_in(self.pattern) {
                "x"
            } else if is_in(self.region) {
                "_"
            } else {
                "."
            })?;
        }
        Ok(())
    }
}

impl TableKey {
    /// The most tiles a pattern can have.
    pub const MAX_TILES: usize = 8;

    /// The key for a pattern (a mask of goal cells) and the blank's goal cell.
    pub fn new(shape: Shape, pattern: u32, goal_blank: usize) -> Self {
        assert!(shape.cells() <= MAX_MASK_CELLS && pattern & !shape.full_mask() == 0);
        assert!((1..=Self::MAX_TILES).contains(&(pattern.count_ones() as usize)));
        assert!(pattern >> goal_blank & 1 == 0, "the blank is part of no pattern");
        Self { shape, pattern, region: shape.flood(1 << goal_blank, shape.full_mask() & !pattern) }
    }

    /// Whether the parts fit together, for keys that come from outside.
    pub fn is_valid(&self) -> bool {
        let (rows, cols) = (usize::from(self.shape.rows), usize::from(self.shape.cols));
        if rows < 2 || cols < 2 || rows * cols > MAX_MASK_CELLS || self.region == 0 {
            return false;
        }
        let free = self.shape.full_mask() & !self.pattern;
        (1..=Self::MAX_TILES).contains(&self.tiles())
            && self.pattern & !self.shape.full_mask() == 0
            && self.region == self.shape.flood(self.region & self.region.wrapping_neg(), free)
    }

    /// The least of the keys that symmetries of the board make of this one, and the symmetry that leads to it: tables
    /// that differ only by a rotation or reflection are built once.
    pub fn canonical(self) -> (Self, Symmetry) {
        Symmetry::all()
            .filter(|s| s.image(self.shape) == self.shape)
            .map(|s| {
                let (pattern, region) = (s.mask(self.shape, self.pattern), s.mask(self.shape, self.region));
                (Self { pattern, region, ..self }, s)
            })
            .min_by_key(|(key, _)| *key)
            .expect("the identity keeps the shape")
    }

    /// The number of tiles of the pattern.
    pub fn tiles(&self) -> usize {
        self.pattern.count_ones() as usize
    }

    /// The goal cells of the pattern's tiles in ascending order; the place in this list is the tile's slot.
    pub fn goal_cells(&self) -> Vec<usize> {
        (0..self.shape.cells()).filter(|&c| self.pattern >> c & 1 == 1).collect()
    }

    /// The number of sets of cells that the pattern's tiles can lie on.
    fn placements(&self) -> u64 {
        binomial(self.shape.cells(), self.tiles())
    }

    /// The number of orders in which the tiles can lie on the same cells.
    pub fn orders(&self) -> usize {
        factorial(self.tiles())
    }

    /// The bits of a block: one for each order of the tiles on the same cells, rounded up to whole words.
    pub fn block_bits(&self) -> usize {
        self.orders().next_multiple_of(64)
    }

    /// The bits of a table with so many blocks.
    fn bits_of(&self, blocks: u64) -> u64 {
        blocks * self.block_bits() as u64
    }

    /// About how many bytes the table has, from above: on no board has the rest of the cells more than 3.2 regions on
    /// average.
    pub fn about_bytes(&self) -> u64 {
        self.bits_of(self.placements()) * 2 / 5
    }

    /// The numbering of the placements.
    pub fn index(&self) -> Arc<PlacementIndex> {
        Arc::new(PlacementIndex::new(self.shape, self.tiles()))
    }

    /// The bytes of the table.
    pub fn bytes(&self, index: &PlacementIndex) -> usize {
        index.nodes() * self.block_bits() / 8
    }

    /// Whether a search, which numbers bits by 32 bits, can find every bit of the table.
    pub fn is_addressable(&self) -> bool {
        const MOST: u64 = 1 << 32;
        // Exact only where it must be: every placement has a region, and none more than eight.
        self.bits_of(self.placements()) <= MOST
            && (self.bits_of(8 * self.placements()) <= MOST
                || self.bits_of(self.index().nodes() as u64) <= MOST)
    }
}

/// A complete pattern table, one bit for each placement of the tiles and region of the blank.
///
/// Let `d` be the least number of moves of the pattern's tiles that brings them home (the blank's moves among other
/// tiles are free) and `m` their Manhattan distance. Both change by one with every move of a tile, so they have the
/// same parity and the *excess* `e = (d − m) / 2` is a whole number. A move that brings a tile closer (`m` falls)
/// leaves `e` or raises it by one; a move away leaves `e` or lowers it by one. So the parity of `e` is enough to
/// follow `e` along a path (after T. M. Breyer and R. E. Korf, "1.6-bit pattern databases", AAAI 2010; the Manhattan
/// distance, which is cheap to follow, saves the rest of their bits), and the table holds nothing else. The distance
/// of a placement out of the blue takes a walk to the goal, see [`Self::distance`].
///
/// All this holds because the table knows the region of the blank ("zero-aware"): `d` is then a distance in a graph
/// with edges both ways, and the heuristic is consistent. The usual table of the least `d` over all regions is not
/// consistent: the region with the least `d` need not be the one the blank is in, so `d` may jump.
pub struct PatternTable {
    key: TableKey,
    index: Arc<PlacementIndex>,
    bits: HugeBytes,
}

impl PatternTable {
    /// A table of these bits.
    pub fn new(key: TableKey, index: Arc<PlacementIndex>, bits: HugeBytes) -> Self {
        let table = Self { key, index, bits };
        assert!(table.bits().len() >= key.bytes(&table.index));
        table
    }

    /// What the table is for.
    pub const fn key(&self) -> TableKey {
        self.key
    }

    /// The numbering of the placements.
    pub fn index(&self) -> &PlacementIndex {
        &self.index
    }

    /// The bits, lowest first in each byte.
    pub fn bits(&self) -> &[u8] {
        &self.bits
    }

    /// The parity of the excess of a placement: `cells[slot]` is the cell of the tile of that slot.
    pub fn parity(&self, cells: &[usize], blank: usize) -> bool {
        let (row, order) = placement(cells);
        let bit = self.index.node(row as usize, blank) * self.key.block_bits() + order;
        self.bits()[bit / 8] >> (bit % 8) & 1 == 1
    }

    /// The least number of moves of the pattern's tiles that brings them home, by a walk along falling distances;
    /// `None` when the goal cannot be reached (which takes a pattern of all tiles but one or of all).
    pub fn distance(&self, cells: &[usize], blank: usize) -> Option<usize> {
        let shape = self.key.shape;
        let homes = self.key.goal_cells();
        let (mut cells, mut blank) = (cells.to_vec(), blank);
        let mut parity = self.parity(&cells, blank);
        // No distance is near this; only the meaningless bits of unreachable placements could lead in circles.
        let longest = 100 * shape.cells() * shape.cells();
        for moves in 0..longest {
            let occupied = cells.iter().fold(0, |m, &c| m | 1u32 << c);
            let region = shape.flood(1 << blank, shape.full_mask() & !occupied);
            if cells == homes && region == self.key.region {
                return Some(moves);
            }
            let slides = (0..cells.len()).flat_map(|slot| Move::ALL.map(|step| (slot, step)));
            let downhill = slides.filter_map(|(slot, step)| {
                let from = cells[slot];
                let to = shape.neighbour(from, step).filter(|&to| region >> to & 1 == 1)?;
                let mut next = cells.clone();
                next[slot] = to;
                let after = self.parity(&next, from);
                let closer = shape.distance(to, homes[slot]) < shape.distance(from, homes[slot]);
                // The distance falls when the excess stays and the tile comes closer, or the excess falls.
                (closer == (after == parity)).then_some((next, from, after))
            });
            (cells, blank, parity) = { downhill }.next()?;
        }
        None
    }
}

/// The rank of the occupied cells and the rank of the order in which the slots lie on them.
pub fn placement(cells: &[usize]) -> (u32, usize) {
    let mask = cells.iter().fold(0u32, |m, &c| m | 1 << c);
    let mut order: [u8; TableKey::MAX_TILES] = std::array::from_fn(|slot| slot as u8);
    let order = &mut order[..cells.len()];
    order.sort_unstable_by_key(|&slot| cells[usize::from(slot)]);
    (combination_rank(mask), permutation_rank(order))
}
