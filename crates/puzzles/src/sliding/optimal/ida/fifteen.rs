//! The 15-puzzle with plain Manhattan distance, as fast as it goes, with Korf's counts.
//!
//! One function for each place of the blank and each last move, made by the compiler from types: which children there
//! are, where their tiles lie and which labels come closer to home are constants. The board is one 64-bit word.

use super::deepening::{BoundedSearch, STACK_FRAME, Take};
use super::limits::Meter;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::Shape;
use crate::sliding::rules::Move;

/// A place of the blank, known to the compiler.
trait Cell {
    const INDEX: usize;
    type Up: Cell;
    type Left: Cell;
    type Right: Cell;
    type Down: Cell;
}

struct At<const INDEX: usize>;

macro_rules! cells {
    ($($index:literal: $up:literal $left:literal $right:literal $down:literal;)*) => {$(
        impl Cell for At<$index> {
            const INDEX: usize = $index;
            type Up = At<$up>;
            type Left = At<$left>;
            type Right = At<$right>;
            type Down = At<$down>;
        }
    )*};
}

// Where a move would leave the board, the cell stands for itself and the move is never made.
cells! {
    0: 0 0 1 4; 1: 1 0 2 5; 2: 2 1 3 6; 3: 3 2 3 7;
    4: 0 4 5 8; 5: 1 4 6 9; 6: 2 5 7 10; 7: 3 6 7 11;
    8: 4 8 9 12; 9: 5 8 10 13; 10: 6 9 11 14; 11: 7 10 11 15;
    12: 8 12 13 12; 13: 9 12 14 13; 14: 10 13 15 14; 15: 11 14 15 15;
}

/// The labels that come closer to home when their tile slides from `from` to `to`.
const fn closer(from: usize, to: usize) -> u32 {
    let (mut mask, mut home) = (0, 0);
    while home < 16 {
        let before = (from / 4).abs_diff(home / 4) + (from % 4).abs_diff(home % 4);
        let after = (to / 4).abs_diff(home / 4) + (to % 4).abs_diff(home % 4);
        if after < before {
            mask |= 1 << home;
        }
        home += 1;
    }
    mask
}

const NO_MOVE: usize = 4;

struct Node<C, const LAST: usize>(std::marker::PhantomData<C>);

impl<C: Cell, const LAST: usize> Node<C, LAST> {
    const UP: bool = C::Up::INDEX != C::INDEX && LAST != Move::Down as usize;
    const LEFT: bool = C::Left::INDEX != C::INDEX && LAST != Move::Right as usize;
    const RIGHT: bool = C::Right::INDEX != C::INDEX && LAST != Move::Left as usize;
    const DOWN: bool = C::Down::INDEX != C::INDEX && LAST != Move::Up as usize;
    const CHILDREN: u64 = Self::UP as u64 + Self::LEFT as u64 + Self::RIGHT as u64 + Self::DOWN as u64;
    /// Limits are looked at in the corners only: every large subtree passes through them often enough.
    const CORNER: bool = matches!(C::INDEX, 0 | 3 | 12 | 15);

    fn visit(walk: &mut Walk<'_, '_>, board: u64, depth: u32, slack: i32) -> bool {
        if Self::CORNER && walk.meter.due() && walk.meter.poll() {
            return true;
        }
        walk.meter.expanded += 1;
        walk.meter.generated += Self::CHILDREN;
        // A search that ends at a child has not generated the siblings after it.
        let mut unmade = Self::CHILDREN;
        macro_rules! child {
            ($made:ident, $next:ty, $step:expr) => {
                if Self::$made {
                    unmade -= 1;
                    if Self::child::<$next, { $step as usize }>(walk, board, depth, slack) {
                        if walk.solved {
                            walk.meter.generated -= unmade;
                            walk.path.push($step);
                        }
                        return true;
                    }
                }
            };
        }
        child!(UP, C::Up, Move::Up);
        child!(LEFT, C::Left, Move::Left);
        child!(RIGHT, C::Right, Move::Right);
        child!(DOWN, C::Down, Move::Down);
        false
    }

    #[inline(always)]
    fn child<N: Cell, const STEP: usize>(
        walk: &mut Walk<'_, '_>,
        board: u64,
        depth: u32,
        slack: i32,
    ) -> bool {
        let label = board >> (4 * N::INDEX) & 15;
        let mask = const { closer(N::INDEX, C::INDEX) };
        let slack = slack - 1 + (mask >> label & 1) as i32;
        if slack < 0 {
            return false;
        }
        if depth == 1 {
            walk.solved = true;
            return true;
        }
        let board = board ^ label << (4 * N::INDEX) ^ label << (4 * C::INDEX);
        Node::<N, STEP>::visit(walk, board, depth - 1, slack)
    }
}

struct Walk<'a, 'b> {
    meter: &'a mut Meter<'b>,
    path: &'a mut Vec<Move>,
    solved: bool,
}

/// Plain iterative-deepening A* with Manhattan distance on the 15-puzzle: moves in the order up, left, right, down,
/// the last move never taken back, no other pruning. Its counts are those of Korf (1985).
pub struct FifteenManhattan {
    start: Position,
}

/// A node of the 15-puzzle whose subtree is searched on its own.
#[derive(Clone)]
pub struct FifteenNode {
    position: Position,
    moves: Vec<Move>,
}

impl FifteenManhattan {
    /// A search from `start`, or `None` when the board is not 4×4.
    pub fn new(start: &Position) -> Option<Self> {
        (start.shape() == Shape::new(4, 4)).then(|| Self { start: start.clone() })
    }
}

impl FifteenNode {
    /// Searches the subtree of the node; true when the search is over.
    fn visit(&self, bound: u32, walk: &mut Walk<'_, '_>) -> bool {
        let depth = bound - self.moves.len() as u32;
        let slack = (depth as i32 - self.position.manhattan() as i32) / 2;
        let blank = self.position.blank();
        // The blank's place holds 0, so that a slide is two exclusive ors.
        let labels = self.position.labels().iter().enumerate();
        let board =
            labels.filter(|&(cell, _)| cell != blank).fold(0, |b, (cell, &l)| b | u64::from(l) << (4 * cell));
        let last = self.moves.last().map_or(NO_MOVE, |&m| m as usize);
        macro_rules! dispatch {
            ($($cell:literal)*) => {
                match (blank, last) {
                    $(
                        ($cell, 0) => Node::<At<$cell>, 0>::visit(walk, board, depth, slack),
                        ($cell, 1) => Node::<At<$cell>, 1>::visit(walk, board, depth, slack),
                        ($cell, 2) => Node::<At<$cell>, 2>::visit(walk, board, depth, slack),
                        ($cell, 3) => Node::<At<$cell>, 3>::visit(walk, board, depth, slack),
                        ($cell, _) => Node::<At<$cell>, NO_MOVE>::visit(walk, board, depth, slack),
                    )*
                    _ => unreachable!("a 4×4 board has 16 cells"),
                }
            };
        }
        dispatch!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    }
}

impl BoundedSearch for FifteenManhattan {
    type Node = FifteenNode;
    /// Korf counted a plain depth-first search.
    const DIVIDES: bool = false;
    const FRAME: usize = STACK_FRAME;

    fn root(&self) -> FifteenNode {
        FifteenNode { position: self.start.clone(), moves: vec![] }
    }

    fn moves<'n>(&self, node: &'n FifteenNode) -> &'n [Move] {
        &node.moves
    }

    fn estimate(&self, node: &FifteenNode) -> u32 {
        node.position.manhattan() as u32
    }

    fn search<'n>(
        &self,
        take: Take<'_, 'n, FifteenNode>,
        bound: u32,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Move>>
    where
        Self::Node: 'n,
    {
        let mut path = Vec::new();
        while let Some(branch) = take() {
            let node = &branch.root;
            let mut walk = Walk { meter, path: &mut path, solved: false };
            if node.visit(bound, &mut walk) {
                let solved = walk.solved;
                path.extend(node.moves.iter().rev());
                path.reverse();
                return solved.then_some(path);
            }
        }
        None
    }

    fn split(&self, node: &FifteenNode, bound: u32, meter: &mut Meter<'_>) -> Vec<FifteenNode> {
        meter.expanded += 1;
        let mut children = Vec::new();
        for step in Move::DEFAULT_ORDER {
            let mut child = node.clone();
            if node.moves.last() == Some(&step.opposite()) || !child.position.apply(step) {
                continue;
            }
            meter.generated += 1;
            child.moves.push(step);
            if child.position.manhattan() + child.moves.len() <= bound as usize {
                children.push(child);
            }
        }
        children
    }
}
