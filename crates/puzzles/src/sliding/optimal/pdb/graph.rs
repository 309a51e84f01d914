//! The graph a build searches: its nodes are (occupied cells, region of the blank), each standing for all orders of
//! the pattern's tiles on those cells at once.

use super::index::PlacementIndex;
use crate::sliding::optimal::rank::{PermutationMaps, combination_rank};
use crate::sliding::optimal::shape::Shape;
use crate::sliding::rules::Move;
use novelo_search::{Budget, Stop};
use std::sync::Arc;

/// One way into a node: where from, and how the orders of the tiles change on the way.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// The node the tile's move starts from.
    pub source: u32,
    /// The offset of the permutation map, or [`Edge::IDENTITY`].
    pub map: u32,
}

impl Edge {
    /// The order of the tiles stays as it is.
    pub const IDENTITY: u32 = u32::MAX;
}

/// The edges between the nodes of a [`PlacementIndex`]. Moves can be taken back, so edges into a node are also edges
/// out of it.
pub(super) struct RegionGraph {
    pub index: Arc<PlacementIndex>,
    first_edge: Vec<u32>,
    edges: Vec<Edge>,
}

impl RegionGraph {
    /// All edges, unless the budget is used up before.
    pub fn new(
        shape: Shape,
        index: Arc<PlacementIndex>,
        maps: &PermutationMaps,
        budget: Budget<'_>,
    ) -> Result<Self, Stop> {
        let below = |mask: u32, cell: usize| (mask & ((1 << cell) - 1)).count_ones() as usize;
        let (mut first_edge, mut edges) = (vec![0], vec![]);
        for (row, &after) in index.rows().iter().enumerate() {
            if row.is_multiple_of(256)
                && let Some(stop) = budget.stop()
            {
                return Err(stop);
            }
            for node in index.first_node(row)..index.first_node(row + 1) {
                for to in (0..shape.cells()).filter(|&c| after >> c & 1 == 1) {
                    for from in Move::ALL.into_iter().filter_map(|m| shape.neighbour(to, m)) {
                        if index.region(node) >> from & 1 == 0 {
                            continue;
                        }
                        let before = after & !(1 << to) | 1 << from;
                        let (i, j) = (below(before, from), below(after, to));
                        let source = index.node(combination_rank(before) as usize, to) as u32;
                        let map = if i == j { Edge::IDENTITY } else { maps.offset(i, j) as u32 };
                        edges.push(Edge { source, map });
                    }
                }
                first_edge.push(edges.len() as u32);
            }
        }
        Ok(Self { index, first_edge, edges })
    }

    /// The bytes of the edges.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.edges) + size_of_val(&*self.first_edge)
    }

    pub fn edges_into(&self, node: usize) -> &[Edge] {
        &self.edges[self.first_edge[node] as usize..self.first_edge[node + 1] as usize]
    }
}
