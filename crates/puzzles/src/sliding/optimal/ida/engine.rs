//! The depth-first search for boards of up to 32 cells under a few lanes and a move machine.

use super::deepening::{BoundedSearch, STACK_FRAME, Take};
use super::lane::Lane;
use super::limits::Meter;
use super::plain;
use super::walker::{Candidates, Frame, Walker};
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// An iterative-deepening search from one position; a child must pass every lane.
///
/// It carries no `f`: with `d` moves left within the bound and Manhattan distance `m`, the *slack* is `(d − m) / 2`. A
/// tile that comes closer leaves the slack as it is, one that goes away costs one, and a node lies within the bound
/// exactly when no lane's excess is larger than the slack. A node with no moves left and a slack of at least 0 has
/// `m = 0`: it is the goal.
///
/// With lanes that read far memory a thread walks many subtrees in turn, a node of each: while memory fetches the table
/// entries that one walker has asked for, the others work. On tables far larger than the caches this is what makes the
/// search fast. With others it walks one subtree after another ([`plain`]).
pub struct TileSearch<'m, L: Lane, const N: usize> {
    pub(super) lanes: [L; N],
    pub(super) machine: &'m MoveMachine,
    start: Position,
    /// For each cell the moves of the blank that stay on the board, as bits.
    pub(super) moves: [u8; MAX_MASK_CELLS],
    /// For each set of moves its members in the order of the search, four bits each: the move plus 4.
    pub(super) sequence: [u16; 16],
    /// For each slide the cell the tile comes from.
    pub(super) source: [u8; MAX_MASK_CELLS * 4],
    /// For each slide the labels that it brings closer to home.
    pub(super) closer: [u32; MAX_MASK_CELLS * 4],
}

/// How many subtrees a thread walks in turn where lanes read far memory.
const AT_ONCE: usize = 16;

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

fn sequences(order: [Move; 4]) -> [u16; 16] {
    std::array::from_fn(|set| {
        let members = order.into_iter().rev().filter(|&m| set >> m as usize & 1 == 1);
        members.fold(0, |sequence, m| sequence << 4 | 4 | m as u16)
    })
}

impl<'m, L: Lane, const N: usize> TileSearch<'m, L, N> {
    /// A search from `start`; a later lane is looked at only where those before it do not cut.
    pub fn new(start: &Position, lanes: [L; N], machine: &'m MoveMachine) -> Self {
        let shape = start.shape();
        assert!(shape.cells() <= MAX_MASK_CELLS, "at most {MAX_MASK_CELLS} cells");
        let (mut moves, mut source, mut closer) = ([0; 32], [0; 128], [0; 128]);
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
        Self { lanes, machine, start: start.clone(), moves, sequence, source, closer }
    }

    /// The same search with the blank's moves tried in another order.
    pub fn with_order(self, order: [Move; 4]) -> Self {
        Self { sequence: sequences(order), ..self }
    }
}

impl<L: Lane, const N: usize> TileSearch<'_, L, N> {
    /// [`BoundedSearch::search`], many subtrees in turn.
    #[inline(always)]
    fn walk_in_turn<'n>(
        &self,
        take: Take<'_, 'n, Subtree<L::Memo, N>>,
        bound: u32,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Move>>
    where
        L::Memo: 'n,
    {
        let mut walkers = Vec::with_capacity(AT_ONCE);
        let mut candidates = Candidates::new(AT_ONCE);
        while walkers.len() < AT_ONCE
            && let Some(node) = take()
        {
            if meter.due() && meter.poll() {
                return None;
            }
            let mut walker = Walker::new(node, bound, bound);
            walker.enter(self, meter, walkers.len(), &mut candidates);
            walkers.push(walker);
        }
        while !walkers.is_empty() {
            candidates.sift(self, &mut walkers);
            let mut i = 0;
            while i < walkers.len() {
                let walker = &mut walkers[i];
                if walker.is_solved() {
                    meter.generated -= walker.unmade(self);
                    return Some(walker.path());
                }
                if !walker.descend(self) {
                    let Some(node) = take() else {
                        walkers.swap_remove(i);
                        continue;
                    };
                    walker.restart(node, bound);
                }
                if meter.due() && meter.poll() {
                    return None;
                }
                walker.enter(self, meter, i, &mut candidates);
                i += 1;
            }
        }
        None
    }

    /// The same, compiled for processors that count bits, shift by a variable and copy 32 bytes in one instruction, as
    /// nearly all do: 8 % faster with large tables.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
    fn walk_in_turn_on_recent_processors<'n>(
        &self,
        take: Take<'_, 'n, Subtree<L::Memo, N>>,
        bound: u32,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Move>>
    where
        L::Memo: 'n,
    {
        self.walk_in_turn(take, bound, meter)
    }
}

impl<L: Lane, const N: usize> BoundedSearch for TileSearch<'_, L, N> {
    type Node = Subtree<L::Memo, N>;
    const DIVIDES: bool = true;
    const FRAME: usize = if L::FAR { AT_ONCE * size_of::<Frame<L::Change, N>>() } else { STACK_FRAME };

    fn root(&self) -> Self::Node {
        let mut labels = [0; MAX_MASK_CELLS];
        for (to, &from) in labels.iter_mut().zip(self.start.labels()) {
            *to = from as u8;
        }
        Subtree {
            labels,
            blank: self.start.blank() as u8,
            machine: MoveMachine::start(&self.start),
            manhattan: self.start.manhattan() as u32,
            memos: std::array::from_fn(|i| self.lanes[i].start(&self.start)),
            moves: vec![],
        }
    }

    fn estimate(&self, node: &Self::Node) -> u32 {
        let excesses = self.lanes.iter().zip(&node.memos).map(|(lane, memo)| lane.excess(memo));
        node.manhattan + 2 * excesses.max().unwrap_or(0)
    }

    fn search<'n>(
        &self,
        take: Take<'_, 'n, Self::Node>,
        bound: u32,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Move>>
    where
        Self::Node: 'n,
    {
        if !L::FAR {
            return plain::walk(self, take, bound, meter);
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx2")
        {
            // SAFETY: the processor has what the function asks for.
            return unsafe { self.walk_in_turn_on_recent_processors(take, bound, meter) };
        }
        self.walk_in_turn(take, bound, meter)
    }

    fn split(&self, node: &Self::Node, bound: u32, meter: &mut Meter<'_>) -> Vec<Self::Node> {
        let mut walker = Walker::new(node, bound, 1);
        let mut candidates = Candidates::new(1);
        walker.enter(self, meter, 0, &mut candidates);
        candidates.sift(self, std::slice::from_mut(&mut walker));
        walker.children(self)
    }
}
