//! Tiles as the engine's beam search sees them: level by level, positions side by side in memory.

use crate::Cost;
use novelo_search::beam::{Beam, Candidate};

use crate::sliding::optimal::machine::scramble;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::Shape;
use crate::sliding::rules::Move;

/// The positions at one depth, in parallel arrays.
pub struct Level {
    depth: Cost,
    /// The labels of one position after another.
    labels: Vec<u16>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    blank: u16,
    last: Option<Move>,
    manhattan: u32,
    rank: u32,
    hash: u64,
}

/// A start and its goal, for beam searches.
///
/// Positions are ranked by their Manhattan distance plus two for each pair of tiles that lie in their goal line in
/// reversed order, which is no lower bound. What cannot become short enough is dropped by the Manhattan distance alone.
pub struct TileBeam<'p> {
    start: &'p Position,
    shape: Shape,
    cells: usize,
    /// For each label and cell, a random number.
    marks: Vec<u64>,
}

impl<'p> TileBeam<'p> {
    /// Searches from a position to its goal.
    pub fn new(start: &'p Position) -> Self {
        let (shape, cells) = (start.shape(), start.shape().cells());
        let spread = |mark: u64| mark.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let marks = (1..=(cells * cells) as u64).map(|mark| scramble(spread(mark))).collect();
        Self { start, shape, cells, marks }
    }

    fn expand_node(
        &self,
        parent: u32,
        node: &Node,
        labels: &[u16],
        depth: Cost,
        out: &mut Vec<Candidate<Move>>,
    ) {
        let blank = usize::from(node.blank);
        for step in Move::ALL {
            if node.last == Some(step.opposite()) {
                continue;
            }
            let Some(from) = self.shape.neighbour(blank, step) else { continue };
            let home = usize::from(labels[from]);
            let closer = self.shape.distance(blank, home) < self.shape.distance(from, home);
            let moved = |value: u32| if closer { value - 1 } else { value + 1 };
            let vertical = matches!(step, Move::Up | Move::Down);
            let before = self.reversed_at(labels, from, home, vertical, blank);
            let after = self.reversed_at(labels, blank, home, vertical, from);
            let mark = |cell: usize| self.marks[home * self.cells + cell];
            let manhattan = moved(node.manhattan);
            out.push(Candidate {
                parent,
                action: step,
                f: depth + 1 + manhattan,
                rank: moved(node.rank) + 2 * after - 2 * before,
                hash: node.hash.wrapping_sub(mark(from)).wrapping_add(mark(blank)),
                goal: manhattan == 0,
            });
        }
    }

    /// With how many tiles of its row (when it moves vertically, else column) a tile at `cell` is in reversed order;
    /// `skip` is the other cell of the move.
    fn reversed_at(&self, labels: &[u16], cell: usize, home: usize, row: bool, skip: usize) -> u32 {
        let cols = usize::from(self.shape.cols);
        let line = |c: usize| if row { c / cols } else { c % cols };
        let place = |c: usize| if row { c % cols } else { c / cols };
        if line(home) != line(cell) {
            return 0;
        }
        let (first, stride, count) = if row {
            (cell / cols * cols, 1, cols)
        } else {
            (cell % cols, cols, usize::from(self.shape.rows))
        };
        let others = (0..count).map(|i| first + i * stride).filter(|&c| c != cell && c != skip);
        let reversed = |&c: &usize| {
            let other = usize::from(labels[c]);
            line(other) == line(cell) && (place(other) < place(home)) != (place(c) < place(cell))
        };
        others.filter(reversed).count() as u32
    }

    fn all_reversed(&self, labels: &[u16], blank: usize) -> u32 {
        let tiles = || (0..self.cells).filter(|&c| c != blank);
        let count = |row| {
            tiles().map(|c| self.reversed_at(labels, c, usize::from(labels[c]), row, blank)).sum::<u32>()
        };
        u32::midpoint(count(true), count(false))
    }
}

impl Beam for TileBeam<'_> {
    type Action = Move;
    type Level = Level;

    fn start(&self) -> Level {
        let (labels, blank) = (self.start.labels().to_vec(), self.start.blank());
        let manhattan = self.start.manhattan() as u32;
        let rank = manhattan + 2 * self.all_reversed(&labels, blank);
        let node = Node { blank: blank as u16, last: None, manhattan, rank, hash: 0 };
        Level { depth: 0, labels, nodes: vec![node] }
    }

    fn len(&self, level: &Level) -> usize {
        level.nodes.len()
    }

    fn expand(&self, level: &Level, depth: u32, out: &mut Vec<Candidate<Move>>) {
        for ((node, labels), parent) in level.nodes.iter().zip(level.labels.chunks(self.cells)).zip(0..) {
            self.expand_node(parent, node, labels, depth, out);
        }
    }

    fn keep(&self, level: &Level, kept: &[Candidate<Move>]) -> Level {
        let depth = level.depth + 1;
        let mut labels = Vec::with_capacity(kept.len() * self.cells);
        let child = |c: &Candidate<Move>| {
            let parent = c.parent as usize;
            let from = usize::from(level.nodes[parent].blank);
            let to = self.shape.neighbour(from, c.action).expect("candidates stay on the board");
            let base = labels.len();
            labels.extend_from_slice(&level.labels[parent * self.cells..][..self.cells]);
            labels.swap(base + from, base + to);
            let (last, manhattan) = (Some(c.action), c.f - depth);
            Node { blank: to as u16, last, manhattan, rank: c.rank, hash: c.hash }
        };
        let nodes = kept.iter().map(child).collect();
        Level { depth, labels, nodes }
    }

    fn node_bytes(&self) -> usize {
        size_of::<Node>() + self.cells * size_of::<u16>()
    }
}
