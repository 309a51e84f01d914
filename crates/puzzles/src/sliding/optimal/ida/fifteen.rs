//! IDA* with Manhattan distance on the 15-puzzle, as fast as it goes: every count is that of the engine, and of Korf.
//!
//! One function for each place of the blank and each last move, made by the compiler from types: which children there
//! are, where their tiles lie and which labels come closer to home are constants. The board is one 64-bit word.

use novelo_search::deepening::{Beyond, BoundedSearch, Take};
use novelo_search::{Counter, Frontier, Nodes, Stop};

use super::STACK_FRAME;
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
    /// What an expansion adds to [`Walk::counts`].
    const COUNTS: u64 = ONE_EXPANDED + Self::CHILDREN;

    /// Searches below a node; true when the search is over.
    fn visit(walk: &mut Walk<'_, '_>, board: u64, depth: u32, slack: i32) -> bool {
        if walk.counts >= walk.due && walk.look(depth) {
            return true;
        }
        walk.counts += Self::COUNTS;
        // A search that ends at a child has not generated the siblings after it.
        let mut unmade = Self::CHILDREN;
        macro_rules! child {
            ($made:ident, $next:ty, $step:expr) => {
                if Self::$made {
                    unmade -= 1;
                    if Self::child::<$next, { $step as usize }>(walk, board, depth, slack) {
                        walk.unmade += unmade;
                        walk.path.push($step);
                        return true;
                    }
                }
            };
        }
        child!(UP, C::Up, Move::Up);
        child!(LEFT, C::Left, Move::Left);
        child!(RIGHT, C::Right, Move::Right);
        child!(DOWN, C::Down, Move::Down);
        // Asked before the children, this would cost the loop 6 % of its speed.
        if depth < walk.nearest {
            walk.came_within(depth);
        }
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
            // Within the bound and with no moves left: the goal.
            walk.nearest = 0;
            return true;
        }
        let board = board ^ label << (4 * N::INDEX) ^ label << (4 * C::INDEX);
        Node::<N, STEP>::visit(walk, board, depth - 1, slack)
    }
}

/// A walk through the subtree of a node, and its counts.
struct Walk<'a, 'b> {
    counter: &'a mut Counter<'b>,
    bound: u32,
    /// Nodes expanded, from bit 32 on, and generated, below it, that the counter does not know of yet. One number, so that
    /// an expansion is one addition.
    counts: u64,
    /// The limits are looked at when the counts are as large as this.
    due: u64,
    /// The fewest moves that were left to the bound at a node.
    nearest: u32,
    /// Children that were counted and not made when the search ended.
    unmade: u64,
    /// The moves to where the search ended, the last first.
    path: Vec<Move>,
    /// What ended it, if a limit did.
    stop: Option<Stop>,
}

/// One expansion in [`Walk::counts`].
const ONE_EXPANDED: u64 = 1 << 32;

impl Walk<'_, '_> {
    /// Looks at the limits before a node is expanded with `depth` moves left to the bound; whether one ends the search.
    #[cold]
    #[inline(never)]
    fn look(&mut self, depth: u32) -> bool {
        self.hand_over();
        self.nearest = self.nearest.min(depth);
        let path = Nodes(u64::from(self.bound - depth) + 1);
        self.stop = self.counter.look(&path, Frontier::Bound(self.bound.into())).err();
        self.due = self.counter.until_look() * ONE_EXPANDED;
        self.stop.is_some()
    }

    /// Notes a node with fewer moves left to the bound than all before.
    #[cold]
    #[inline(never)]
    fn came_within(&mut self, depth: u32) {
        self.nearest = depth;
    }

    /// Tells the counter what was counted.
    fn hand_over(&mut self) {
        self.counter.expanded += self.counts / ONE_EXPANDED;
        self.counter.generated += self.counts % ONE_EXPANDED;
        self.counts = 0;
    }
}

/// Plain iterative-deepening A* with Manhattan distance on the 15-puzzle: moves in the order up, left, right, down,
/// the last move never taken back, no other pruning.
pub struct FifteenManhattan {
    start: Position,
    depth_limit: u32,
}

/// A node of the 15-puzzle whose subtree is searched on its own.
#[derive(Clone)]
pub struct FifteenNode {
    position: Position,
    moves: Vec<Move>,
}

impl FifteenManhattan {
    /// A search from `start`, or `None` when the board is not 4×4.
    pub fn new(start: &Position, depth_limit: Option<u32>) -> Option<Self> {
        let depth_limit = depth_limit.unwrap_or(u32::MAX);
        (start.shape() == Shape::new(4, 4)).then(|| Self { start: start.clone(), depth_limit })
    }
}

impl FifteenNode {
    fn depth(&self) -> u32 {
        self.moves.len() as u32
    }

    /// f = g + h.
    fn f(&self) -> u32 {
        self.depth() + self.position.manhattan() as u32
    }

    /// Searches the subtree of the node; true when the search is over.
    fn visit(&self, walk: &mut Walk<'_, '_>) -> bool {
        let depth = walk.bound - self.depth();
        // Every move away from home adds two to f.
        let slack = (walk.bound - self.f()) as i32 / 2;
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
    type Action = Move;
    type Step = Move;
    type Node = FifteenNode;
    type Bound = u32;
    type Worker = ();
    /// Korf counted a plain depth-first search.
    const DIVIDES: bool = false;

    fn worker(&self) {}

    fn root(&self) -> FifteenNode {
        FifteenNode { position: self.start.clone(), moves: vec![] }
    }

    fn steps<'n>(&self, node: &'n FifteenNode) -> &'n [Move] {
        &node.moves
    }

    fn estimate(&self, node: &FifteenNode) -> u32 {
        node.f()
    }

    fn permits(&self, bound: u32) -> bool {
        bound <= self.depth_limit
    }

    fn bytes(&self, bound: u32) -> usize {
        bound as usize * STACK_FRAME
    }

    fn search<'n>(
        &self,
        (): &mut (),
        take: Take<'_, 'n, FifteenNode>,
        bound: u32,
        beyond: &mut Beyond<u32>,
        counter: &mut Counter<'_>,
    ) -> Result<Option<Vec<Move>>, Stop>
    where
        Self::Node: 'n,
    {
        while let Some(branch) = take() {
            let node = &branch.root;
            if node.position.is_goal() {
                return Ok(Some(node.moves.clone()));
            }
            let before = (counter.expanded, counter.generated);
            let due = counter.until_look() * ONE_EXPANDED;
            let (nearest, path, stop) = (bound - node.depth(), vec![], None);
            let mut walk = Walk { counter, bound, counts: 0, due, nearest, unmade: 0, path, stop };
            let ended = node.visit(&mut walk);
            walk.hand_over();
            let Walk { nearest, unmade, mut path, stop, .. } = walk;
            counter.generated -= unmade;
            counter.stored_peak = counter.stored_peak.max(u64::from(bound - nearest) + 1);
            if let Some(stop) = stop {
                return Err(stop);
            }
            if ended {
                path.extend(node.moves.iter().rev());
                path.reverse();
                return Ok(Some(path));
            }
            // Of the children made, those that were not expanded were beyond the bound.
            let made = counter.generated - before.1;
            if made > counter.expanded - before.0 - 1 {
                beyond.offer(bound + 2);
            }
        }
        Ok(None)
    }

    fn split(
        &self,
        node: &FifteenNode,
        bound: u32,
        beyond: &mut Beyond<u32>,
        counter: &mut Counter<'_>,
    ) -> Result<Vec<FifteenNode>, Stop> {
        if node.position.is_goal() {
            return Ok(vec![node.clone()]);
        }
        counter.expand(&(), Frontier::Bound(bound.into()))?;
        let mut children = Vec::new();
        for step in Move::DEFAULT_ORDER {
            let mut child = node.clone();
            if node.moves.last() == Some(&step.opposite()) || !child.position.apply(step) {
                continue;
            }
            counter.generated += 1;
            child.moves.push(step);
            if child.f() > bound {
                beyond.offer(child.f());
            } else {
                children.push(child);
            }
        }
        Ok(children)
    }
}
