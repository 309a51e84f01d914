//! How the placements of a pattern's tiles are numbered: blocks of `k!` orders, one block for each
//! pair of occupied cells and region of the blank.

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

    /// For fast look-ups: for each row its first node, and for each row and cell how many nodes further the one is whose
    /// region holds that cell.
    pub fn node_lookup(&self) -> (Vec<u32>, Vec<u8>) {
        let cells = self.shape.cells();
        let mut part = vec![0u8; self.rows.len() * cells];
        for row in 0..self.rows.len() {
            for (i, node) in (self.first_node(row)..self.first_node(row + 1)).enumerate().skip(1) {
                let region = self.regions[node];
                (0..cells).filter(|&c| region >> c & 1 == 1).for_each(|c| part[row * cells + c] = i as u8);
            }
        }
        (self.first_node[..self.rows.len()].to_vec(), part)
    }
}
