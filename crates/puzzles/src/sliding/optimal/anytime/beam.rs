//! Beam search: depth by depth, only the most promising positions are kept.

use crate::sliding::optimal::machine::scramble;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::Shape;
use crate::sliding::optimal::watch::Watch;
use crate::sliding::rules::Move;
use std::collections::HashSet;
use std::sync::atomic::Ordering;

/// The positions of one depth, in parallel arrays.
#[derive(Default)]
struct Layer {
    labels: Vec<u16>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    blank: u16,
    last: u8,
    manhattan: u32,
    guide: u32,
    hash: u64,
}

/// A move of a node of the current layer that may be taken into the next.
#[derive(Clone, Copy)]
struct Candidate {
    parent: u32,
    step: u8,
    manhattan: u32,
    guide: u32,
    hash: u64,
}

/// Looks for a solution of fewer than `shorter_than` moves with at most `width` positions at each depth.
///
/// Positions are judged by their Manhattan distance plus two for each pair of tiles that lie in their goal line in
/// reversed order: a guide, not a bound. What cannot become shorter than `shorter_than` is dropped by the Manhattan
/// distance alone.
pub fn beam_search(
    start: &Position,
    width: usize,
    shorter_than: usize,
    watch: Watch<'_>,
) -> Option<Vec<Move>> {
    /// Ways back are kept for every depth; this is the most entries, about 1 GB.
    const MOST_STEPS: usize = 1 << 28;
    let shape = start.shape();
    let cells = shape.cells();
    // No depth adds more than three for each position.
    let most_seen = (64 * width).clamp(1 << 20, 1 << 24).min(3 * width * shorter_than);
    // Two layers, candidates, ways back, positions seen (a set grows before it is cleared).
    let bytes = width * (2 * (2 * cells + 32) + 3 * 40 + 4 * shorter_than) + most_seen * 36;
    let _held = watch.reserve(bytes).ok()?;
    let board = Board::new(start);
    let first = Node {
        blank: start.blank() as u16,
        last: 4,
        manhattan: start.manhattan() as u32,
        guide: board.guide(start),
        hash: 0,
    };
    let mut layer = Layer { labels: start.labels().to_vec(), nodes: vec![first] };
    let mut steps: Vec<Vec<u32>> = Vec::new();
    let mut seen: HashSet<u64, Identity> = HashSet::default();
    let mut candidates: Vec<Candidate> = Vec::new();
    for depth in 1..shorter_than {
        if watch.over() || (depth * width) > MOST_STEPS {
            return None;
        }
        if seen.len() > most_seen {
            seen.clear();
        }
        candidates.clear();
        for (parent, node) in layer.nodes.iter().enumerate() {
            let labels = &layer.labels[parent * cells..][..cells];
            board.expand(parent as u32, node, labels, &mut candidates);
        }
        watch.tally.expanded.fetch_add(layer.nodes.len() as u64, Ordering::Relaxed);
        watch.tally.generated.fetch_add(candidates.len() as u64, Ordering::Relaxed);
        let room = shorter_than - 1 - depth;
        candidates.retain(|c| c.manhattan as usize <= room && seen.insert(c.hash));
        if let Some(goal) = candidates.iter().find(|c| c.manhattan == 0) {
            return Some(way_back(&steps, *goal));
        }
        if candidates.len() > width {
            let value = |c: &Candidate| (c.guide, c.hash);
            candidates.select_nth_unstable_by_key(width, value);
            candidates.truncate(width);
        }
        if candidates.is_empty() {
            return None;
        }
        let mut next = Layer::default();
        next.labels.reserve(candidates.len() * cells);
        for c in &candidates {
            let parent = &layer.nodes[c.parent as usize];
            let base = next.labels.len();
            next.labels.extend_from_slice(&layer.labels[c.parent as usize * cells..][..cells]);
            let (from, to) = (usize::from(parent.blank), board.target(usize::from(parent.blank), c.step));
            next.labels.swap(base + from, base + to);
            let Candidate { manhattan, guide, hash, .. } = *c;
            next.nodes.push(Node { blank: to as u16, last: c.step, manhattan, guide, hash });
        }
        steps.push(candidates.iter().map(|c| c.parent << 2 | u32::from(c.step)).collect());
        layer = next;
    }
    None
}

fn way_back(steps: &[Vec<u32>], goal: Candidate) -> Vec<Move> {
    let mut path = vec![Move::ALL[usize::from(goal.step)]];
    let mut at = goal.parent;
    for layer in steps.iter().rev() {
        let step = layer[at as usize];
        path.push(Move::ALL[(step & 3) as usize]);
        at = step >> 2;
    }
    path.reverse();
    path
}

struct Board {
    shape: Shape,
    cells: usize,
    /// For each label and cell, a random number.
    marks: Vec<u64>,
}

impl Board {
    fn new(start: &Position) -> Self {
        let (shape, cells) = (start.shape(), start.shape().cells());
        let spread = |mark: u64| mark.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let marks = (1..=(cells * cells) as u64).map(|mark| scramble(spread(mark))).collect();
        Self { shape, cells, marks }
    }

    fn guide(&self, position: &Position) -> u32 {
        position.manhattan() as u32 + 2 * self.all_reversed(position.labels(), position.blank())
    }

    fn target(&self, blank: usize, step: u8) -> usize {
        let step = Move::ALL[usize::from(step)];
        self.shape.neighbour(blank, step).expect("candidates stay on the board")
    }

    fn expand(&self, parent: u32, node: &Node, labels: &[u16], candidates: &mut Vec<Candidate>) {
        let blank = usize::from(node.blank);
        for step in Move::ALL {
            if node.last < 4 && step.opposite() as u8 == node.last {
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
            let hash = node.hash.wrapping_sub(mark(from)).wrapping_add(mark(blank));
            let guide = moved(node.guide) + 2 * after - 2 * before;
            candidates.push(Candidate {
                parent,
                step: step as u8,
                manhattan: moved(node.manhattan),
                guide,
                hash,
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

/// The hashes are already well mixed.
#[derive(Default, Clone)]
struct Identity;

struct Same(u64);

impl std::hash::BuildHasher for Identity {
    type Hasher = Same;

    fn build_hasher(&self) -> Same {
        Same(0)
    }
}

impl std::hash::Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |h, &b| h.rotate_left(8) ^ u64::from(b));
    }

    fn write_u64(&mut self, x: u64) {
        self.0 = x;
    }
}
