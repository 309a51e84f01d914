//! Generates the moves of the blank, but for those that the pruning machine forbids.

use novelo_search::{Counter, Frontier, Stop};

use super::heuristic::TileHeuristic;
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// A board of up to 32 cells with the start of a search, its machine, the order of its moves and the longest solution
/// that is looked for.
pub(super) struct MoveGenerator<'m> {
    pub machine: &'m MoveMachine,
    /// The most moves of a solution.
    depth_limit: u32,
    start: Position,
    /// For each cell the moves of the blank that stay on the board, as bits.
    moves: [u8; MAX_MASK_CELLS],
    /// For each set of moves its members in the order of the search, four bits each: the move plus 4.
    sequence: [u16; 16],
    /// For each slide the cell the tile comes from. A slide is four times the blank's cell plus the number of its move.
    source: [u8; MAX_MASK_CELLS * 4],
    /// For each slide the labels that it brings closer to home.
    closer: [u32; MAX_MASK_CELLS * 4],
}

/// A tile that slides into the blank.
#[derive(Clone, Copy)]
pub(super) struct Slide {
    pub number: usize,
    /// The cell it comes from.
    pub source: u8,
    pub label: u8,
    pub closer: bool,
}

impl Slide {
    /// The slack after it.
    #[inline(always)]
    pub fn slack(&self, before: i32) -> i32 {
        before - i32::from(!self.closer)
    }

    /// What it changes in a heuristic's memo, and the excess after it.
    #[inline(always)]
    pub fn change<H: TileHeuristic>(&self, heuristic: &H, memo: &H::Memo) -> (H::Change, u32) {
        heuristic.change(memo, usize::from(self.label), self.number, self.closer)
    }
}

/// A node whose subtree is searched on its own.
#[derive(Clone)]
pub struct Subtree<M, const N: usize> {
    pub(super) labels: [u8; MAX_MASK_CELLS],
    pub(super) blank: u8,
    pub(super) machine: u32,
    pub(super) manhattan: u32,
    pub(super) memos: [M; N],
    pub(super) moves: Vec<Move>,
}

impl<M, const N: usize> Subtree<M, N> {
    /// The moves `d` left within a bound, and the *slack* `(d − m) / 2`, where `m` is the Manhattan distance.
    pub(super) fn depth_and_slack(&self, bound: u32) -> (u32, i32) {
        let depth = bound - self.moves.len() as u32;
        (depth, (depth as i32 - self.manhattan as i32) / 2)
    }
}

fn sequences(order: [Move; 4]) -> [u16; 16] {
    std::array::from_fn(|set| {
        let members = order.into_iter().rev().filter(|&m| set >> m as usize & 1 == 1);
        members.fold(0, |sequence, m| sequence << 4 | 4 | m as u16)
    })
}

impl<'m> MoveGenerator<'m> {
    pub fn new(start: &Position, machine: &'m MoveMachine) -> Self {
        let shape = start.shape();
        assert!(shape.cells() <= MAX_MASK_CELLS, "at most {MAX_MASK_CELLS} cells");
        let (mut moves, mut source, mut closer) =
            ([0; MAX_MASK_CELLS], [0; MAX_MASK_CELLS * 4], [0; MAX_MASK_CELLS * 4]);
        for (blank, moves) in moves.iter_mut().enumerate().take(shape.cells()) {
            for step in Move::ALL {
                let Some(from) = shape.neighbour(blank, step) else { continue };
                let slide = blank * 4 + step as usize;
                *moves |= 1 << step as u8;
                source[slide] = from as u8;
                for home in 0..shape.cells() {
                    closer[slide] |=
                        u32::from(shape.distance(blank, home) < shape.distance(from, home)) << home;
                }
            }
        }
        let sequence = sequences(Move::DEFAULT_ORDER);
        Self { machine, depth_limit: u32::MAX, start: start.clone(), moves, sequence, source, closer }
    }

    /// The same with the blank's moves tried in another order.
    pub fn with_order(self, order: [Move; 4]) -> Self {
        Self { sequence: sequences(order), ..self }
    }

    /// The same with a limit on the moves of a solution.
    pub fn with_depth_limit(self, depth_limit: Option<u32>) -> Self {
        Self { depth_limit: depth_limit.unwrap_or(u32::MAX), ..self }
    }
}

impl MoveGenerator<'_> {
    /// Whether solutions of so many moves are looked for.
    pub fn permits(&self, moves: u32) -> bool {
        moves <= self.depth_limit
    }

    /// How many moves the blank has that the machine allows, and their numbers in the order of the search, four bits
    /// each: the number plus 4.
    #[inline(always)]
    pub fn steps(&self, blank: u8, machine: u32) -> (u32, u16) {
        let moves = MoveMachine::allowed(machine) & self.moves[usize::from(blank) % MAX_MASK_CELLS];
        (moves.count_ones(), self.sequence[usize::from(moves) % 16])
    }

    /// The cell that the tile of a slide comes from.
    #[inline(always)]
    pub fn source(&self, slide: u8) -> u8 {
        self.source[usize::from(slide) % self.source.len()]
    }

    /// The slide that a step of the blank makes.
    #[inline(always)]
    pub fn slide(&self, labels: &[u8; MAX_MASK_CELLS], blank: u8, step: u16) -> Slide {
        let number = usize::from(blank) % MAX_MASK_CELLS * 4 + usize::from(step & 3);
        let source = self.source[number];
        let label = labels[usize::from(source) % MAX_MASK_CELLS];
        let closer = self.closer[number] >> (label % MAX_MASK_CELLS as u8) & 1 == 1;
        Slide { number, source, label, closer }
    }

    /// The root of the tree.
    pub fn root<H: TileHeuristic, const N: usize>(&self, heuristics: &[H; N]) -> Subtree<H::Memo, N> {
        let mut labels = [0; MAX_MASK_CELLS];
        for (to, &from) in labels.iter_mut().zip(self.start.labels()) {
            *to = from as u8;
        }
        Subtree {
            labels,
            blank: self.start.blank() as u8,
            machine: MoveMachine::start(&self.start),
            manhattan: self.start.manhattan() as u32,
            memos: std::array::from_fn(|i| heuristics[i].start(&self.start)),
            moves: vec![],
        }
    }

    /// Expands a node: its children that no heuristic cuts, as roots of their own.
    pub fn split<H: TileHeuristic, const N: usize>(
        &self,
        heuristics: &[H; N],
        node: &Subtree<H::Memo, N>,
        bound: u32,
        counter: &mut Counter<'_>,
    ) -> Result<Vec<Subtree<H::Memo, N>>, Stop> {
        counter.expand(&(), Frontier::Bound(bound.into()))?;
        let (_, slack) = node.depth_and_slack(bound);
        let (count, mut steps) = self.steps(node.blank, node.machine);
        counter.generated += u64::from(count);
        let mut children = Vec::new();
        while steps != 0 {
            let step = steps & 3;
            steps >>= 4;
            let slide = self.slide(&node.labels, node.blank, step);
            let mut child = node.clone();
            let excesses = heuristics.iter().zip(&mut child.memos).map(|(heuristic, memo)| {
                let (mut change, excess) = slide.change(heuristic, memo);
                heuristic.apply(memo, &mut change);
                excess as i32
            });
            if excesses.fold(0, i32::max) > slide.slack(slack) {
                continue;
            }
            child.labels[usize::from(node.blank)] = slide.label;
            child.blank = slide.source;
            child.machine = self.machine.next(node.machine, usize::from(step));
            child.manhattan = if slide.closer { node.manhattan - 1 } else { node.manhattan + 1 };
            child.moves.push(Move::ALL[usize::from(step)]);
            children.push(child);
        }
        Ok(children)
    }
}
