//! How the placements of a pattern's tiles are numbered: blocks of `k!` orders, one block for each
//! pair of occupied cells and region of the blank.

use crate::sliding::optimal::prefetch::prefetch;
use crate::sliding::optimal::rank::combinations;
use crate::sliding::optimal::shape::Shape;

/// The numbering of (occupied cells, region of the blank) for `k` tiles on a board.
pub struct PlacementIndex {
    shape: Shape,
    rows: Vec<u32>,
    first_node: Vec<u32>,
    regions: Vec<u32>,
}

impl PlacementIndex {
    /// Numbers the placements of `k` tiles.
    pub fn new(shape: Shape, k: usize) -> Self {
        let rows: Vec<u32> = combinations(shape.cells(), k).collect();
        let mut first_node = Vec::with_capacity(rows.len() + 1);
        let mut regions = Vec::with_capacity(rows.len() * 3 / 2);
        for &row in &rows {
            first_node.push(regions.len() as u32);
            regions.extend(shape.regions(shape.full_mask() & !row));
        }
        first_node.push(regions.len() as u32);
        Self { shape, rows, first_node, regions }
    }

    /// The bytes it holds, and those of the look-ups that a search makes of it.
    pub fn bytes(&self) -> usize {
        self.rows.len() * (2 * size_of::<u32>() + size_of::<u128>()) + size_of_val(&self.regions[..])
    }

    /// The occupied cells, by combination rank.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The number of pairs of occupied cells and region.
    pub fn nodes(&self) -> usize {
        self.regions.len()
    }

    /// The nodes of a row (or, for the number of rows, the end of all nodes).
    pub fn first_node(&self, row: usize) -> usize {
        self.first_node[row] as usize
    }

    /// The region of a node.
    pub fn region(&self, node: usize) -> u32 {
        self.regions[node]
    }

    /// The node of a row whose region holds the cell `blank`.
    pub fn node(&self, row: usize, blank: usize) -> usize {
        let mut nodes = self.first_node(row)..self.first_node(row + 1);
        nodes.find(|&n| self.regions[n] >> blank & 1 == 1).expect("the blank is on a free cell")
    }

    /// The occupied cells of each node.
    pub fn row_of_nodes(&self) -> Vec<u32> {
        let nodes = |row: usize| self.first_node(row + 1) - self.first_node(row);
        (0..self.rows.len()).flat_map(|row| std::iter::repeat_n(self.rows[row], nodes(row))).collect()
    }

    /// The table for fast look-ups of nodes.
    pub fn node_lookup(&self) -> NodeLookup {
        let rows = (0..self.rows.len()).map(|row| {
            let nodes = self.first_node(row)..self.first_node(row + 1);
            nodes.enumerate().fold(
                (self.first_node(row) as u128) << NodeLookup::FIRST,
                |entry, (part, node)| {
                    assert!(part < 1 << NodeLookup::PART, "at most 8 tiles make at most 8 regions");
                    let cells = (0..self.shape.cells() as u32).filter(|c| self.regions[node] >> c & 1 == 1);
                    cells.fold(entry, |entry, cell| entry | (part as u128) << (NodeLookup::PART * cell))
                },
            )
        });
        NodeLookup(rows.collect())
    }
}

/// For each row one number of 128 bits, so that a look-up touches one line of the cache: three bits for each cell, the
/// place of its region among the regions of the row, and above them the row's first node.
pub struct NodeLookup(Vec<u128>);

impl NodeLookup {
    const PART: u32 = 3;
    const FIRST: u32 = 32 * Self::PART;

    /// Says that a row will be asked for.
    #[inline(always)]
    pub fn prepare(&self, row: u32) {
        prefetch(&self.0, row as usize);
    }

    /// The node of a row whose region holds the cell `blank`.
    #[inline(always)]
    pub fn node(&self, row: u32, blank: u32) -> u32 {
        let entry = self.0[row as usize];
        (entry >> Self::FIRST) as u32 + ((entry >> (Self::PART * blank)) as u32 & ((1 << Self::PART) - 1))
    }
}
