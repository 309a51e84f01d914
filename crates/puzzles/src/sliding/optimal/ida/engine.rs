//! The depth-first search for boards of up to 32 cells under up to two lanes and a move machine.

use super::deepening::BoundedSearch;
use super::lane::Lane;
use super::limits::Meter;
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// An iterative-deepening search from one position.
///
/// It carries no `f`: with `d` moves left within the bound and Manhattan distance `m`, the *slack* is `(d − m) / 2`. A
/// tile that comes closer leaves the slack as it is, one that goes away costs one, and a node lies within the bound
/// exactly when no lane's excess is larger than the slack. A node with no moves left and a slack of at least 0 has
/// `m = 0`: it is the goal.
pub struct TileSearch<'m, A: Lane, B: Lane> {
    first: A,
    second: B,
    machine: &'m MoveMachine,
    start: Position,
    /// For each cell the moves of the blank that stay on the board, as bits.
    moves: [u8; MAX_MASK_CELLS],
    /// For each set of moves its members in the order of the search, four bits each: the move plus 4.
    sequence: [u16; 16],
    /// For each slide the cell the tile comes from.
    source: [u8; MAX_MASK_CELLS * 4],
    /// For each slide the labels that it brings closer to home.
    closer: [u32; MAX_MASK_CELLS * 4],
}

/// A node whose subtree is searched on its own.
#[derive(Clone)]
pub struct Subtree<F, S> {
    labels: [u8; MAX_MASK_CELLS],
    blank: usize,
    machine: u32,
    manhattan: u32,
    first: F,
    second: S,
    moves: Vec<Move>,
}

/// A child within the bound.
struct Child<F, S> {
    label: u8,
    source: u8,
    slack: i32,
    first: F,
    second: S,
}

/// A node on its way through the search; memos change in place.
struct Walker<'s, 'm, 'a, 'b, A: Lane, B: Lane> {
    search: &'s TileSearch<'m, A, B>,
    labels: [u8; MAX_MASK_CELLS],
    first: A::Memo,
    second: B::Memo,
    meter: &'a mut Meter<'b>,
    path: &'a mut Vec<Move>,
}

fn sequences(order: [Move; 4]) -> [u16; 16] {
    std::array::from_fn(|set| {
        let members = order.into_iter().rev().filter(|&m| set >> m as usize & 1 == 1);
        members.fold(0, |sequence, m| sequence << 4 | 4 | m as u16)
    })
}

impl<'m, A: Lane, B: Lane> TileSearch<'m, A, B> {
    /// A search from `start`; the second lane is looked at only where the first does not cut.
    pub fn new(start: &Position, first: A, second: B, machine: &'m MoveMachine) -> Self {
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
        Self { first, second, machine, start: start.clone(), moves, sequence, source, closer }
    }

    /// The same search with the blank's moves tried in another order.
    pub fn with_order(self, order: [Move; 4]) -> Self {
        Self { sequence: sequences(order), ..self }
    }
}

impl<A: Lane, B: Lane> Walker<'_, '_, '_, '_, A, B> {
    /// Tests one move of the blank; the child, if it lies within the bound.
    #[inline(always)]
    fn child(&mut self, blank: usize, step: usize, slack: i32) -> Option<Child<A::Change, B::Change>> {
        let search = self.search;
        self.meter.generated += 1;
        let slide = blank % 32 * 4 + step;
        let source = search.source[slide];
        let label = self.labels[usize::from(source) % 32];
        let closer = search.closer[slide] >> (label % 32) & 1 == 1;
        let slack = slack - i32::from(!closer);
        if slack < 0 {
            return None;
        }
        let first = search.first.change(&self.first, usize::from(label), slide, closer);
        if search.first.excess_after(&self.first, &first) as i32 > slack {
            return None;
        }
        let second = search.second.change(&self.second, usize::from(label), slide, closer);
        if search.second.excess_after(&self.second, &second) as i32 > slack {
            return None;
        }
        Some(Child { label, source, slack, first, second })
    }

    /// Searches below a node with `depth` moves left; true when the search is over.
    fn visit(&mut self, blank: usize, machine: u32, depth: u32, slack: i32) -> bool {
        if self.meter.due() && self.meter.poll() {
            return true;
        }
        self.meter.expanded += 1;
        let moves = self.search.machine.allowed(machine) & self.search.moves[blank % 32];
        let mut sequence = self.search.sequence[usize::from(moves) % 16];
        while sequence != 0 {
            let step = usize::from(sequence & 3);
            sequence >>= 4;
            let Some(child) = self.child(blank, step, slack) else { continue };
            if depth == 1 {
                self.path.push(Move::ALL[step]);
                return true;
            }
            let source = usize::from(child.source) % 32;
            let first = self.search.first.apply(&mut self.first, &child.first);
            let second = self.search.second.apply(&mut self.second, &child.second);
            self.labels[blank % 32] = child.label;
            if self.visit(source, self.search.machine.next(machine, step), depth - 1, child.slack) {
                if !self.path.is_empty() {
                    self.path.push(Move::ALL[step]);
                }
                return true;
            }
            self.labels[source] = child.label;
            self.search.first.apply(&mut self.first, &first);
            self.search.second.apply(&mut self.second, &second);
        }
        false
    }
}

impl<A: Lane, B: Lane> BoundedSearch for TileSearch<'_, A, B> {
    type Node = Subtree<A::Memo, B::Memo>;

    fn root(&self) -> Subtree<A::Memo, B::Memo> {
        let mut labels = [0; MAX_MASK_CELLS];
        for (to, &from) in labels.iter_mut().zip(self.start.labels()) {
            *to = from as u8;
        }
        Subtree {
            labels,
            blank: self.start.blank(),
            machine: MoveMachine::START,
            manhattan: self.start.manhattan() as u32,
            first: self.first.start(&self.start),
            second: self.second.start(&self.start),
            moves: vec![],
        }
    }

    fn first_bound(&self) -> u32 {
        let root = self.root();
        root.manhattan + 2 * self.first.excess(&root.first).max(self.second.excess(&root.second))
    }

    fn search(
        &self,
        node: &Subtree<A::Memo, B::Memo>,
        bound: u32,
        meter: &mut Meter<'_>,
        path: &mut Vec<Move>,
    ) -> bool {
        let depth = bound - node.moves.len() as u32;
        let slack = (depth as i32 - node.manhattan as i32) / 2;
        let (first, second) = (node.first.clone(), node.second.clone());
        let mut walker = Walker { search: self, labels: node.labels, first, second, meter, path };
        walker.visit(node.blank, node.machine, depth, slack)
    }

    fn split(
        &self,
        node: &Subtree<A::Memo, B::Memo>,
        bound: u32,
        meter: &mut Meter<'_>,
    ) -> Vec<Subtree<A::Memo, B::Memo>> {
        let depth = bound - node.moves.len() as u32;
        let slack = (depth as i32 - node.manhattan as i32) / 2;
        let (first, second) = (node.first.clone(), node.second.clone());
        let mut walker =
            Walker { search: self, labels: node.labels, first, second, meter, path: &mut vec![] };
        walker.meter.expanded += 1;
        let moves = self.machine.allowed(node.machine) & self.moves[node.blank];
        let mut sequence = self.sequence[usize::from(moves)];
        let mut children = Vec::new();
        while sequence != 0 {
            let step = usize::from(sequence & 3);
            sequence >>= 4;
            let Some(child) = walker.child(node.blank, step, slack) else { continue };
            let mut next = node.clone();
            next.labels[node.blank] = child.label;
            next.blank = usize::from(child.source);
            next.machine = self.machine.next(node.machine, step);
            next.manhattan = depth - 1 - 2 * child.slack as u32;
            self.first.apply(&mut next.first, &child.first);
            self.second.apply(&mut next.second, &child.second);
            next.moves.push(Move::ALL[step]);
            children.push(next);
        }
        children
    }

    fn moves(&self, node: &Subtree<A::Memo, B::Memo>) -> Vec<Move> {
        node.moves.clone()
    }
}
