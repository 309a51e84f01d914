//! One of the many walks that a thread makes in turn: depth first, with a stack of its own, a node at a time.

use super::engine::{Subtree, TileSearch};
use super::lane::Lane;
use super::limits::Meter;
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// A child of a node on the current path.
#[derive(Clone, Copy)]
struct Child<C, const N: usize> {
    /// Per lane what the move changes; while the walk is below the child, what takes it back.
    changes: [C; N],
    label: u8,
    source: u8,
    step: u8,
    slack: i16,
    closer: bool,
}

/// A node on the current path with its children.
#[derive(Clone, Copy)]
struct Frame<C, const N: usize> {
    children: [Child<C, N>; 4],
    /// The children that no lane has cut so far.
    left: [u8; 4],
    count: u8,
    /// The place in `left` of the child to go to next, or the one that the walk is below.
    next: u8,
    blank: u8,
    /// The lane that is asked first.
    first: u8,
    slack: i16,
    machine: u32,
}

impl<C: Copy + Default, const N: usize> Default for Frame<C, N> {
    fn default() -> Self {
        let child =
            Child { changes: [C::default(); N], label: 0, source: 0, step: 0, slack: 0, closer: false };
        Self {
            children: [child; 4],
            left: [0; 4],
            count: 0,
            next: 0,
            blank: 0,
            first: 0,
            slack: 0,
            machine: 0,
        }
    }
}

impl<C, const N: usize> Frame<C, N> {
    /// One of the children that are left.
    #[inline(always)]
    fn child(&mut self, place: usize) -> &mut Child<C, N> {
        &mut self.children[usize::from(self.left[place % 4]) % 4]
    }
}

/// A depth-first walk through a subtree. For each node: [`Self::enter`], which asks the first lane; for each lane
/// [`Self::ask`], [`Self::locate`] and [`Self::sift`]; then [`Self::descend`].
pub(super) struct Walker<'n, L: Lane, const N: usize> {
    root: &'n Subtree<L::Memo, N>,
    labels: [u8; MAX_MASK_CELLS],
    memos: [L::Memo; N],
    frames: Vec<Frame<L::Change, N>>,
    /// The frame of the current node.
    top: usize,
    /// Moves left within the bound.
    depth: u32,
}

impl<'n, L: Lane, const N: usize> Walker<'n, L, N> {
    /// A walk that begins at `root`, with room for a path of so many nodes.
    pub fn new(root: &'n Subtree<L::Memo, N>, bound: u32, longest: u32) -> Self {
        let frames = vec![Frame::default(); longest as usize];
        let mut walker =
            Self { root, labels: root.labels, memos: root.memos.clone(), frames, top: 0, depth: 0 };
        walker.set_root(bound);
        walker
    }

    /// Begins another subtree.
    pub fn restart(&mut self, root: &'n Subtree<L::Memo, N>, bound: u32) {
        (self.root, self.labels, self.memos, self.top) = (root, root.labels, root.memos.clone(), 0);
        self.set_root(bound);
    }

    fn set_root(&mut self, bound: u32) {
        self.depth = bound - self.root.moves.len() as u32;
        let slack = (self.depth as i32 - self.root.manhattan as i32) / 2;
        let frame = &mut self.frames[0];
        (frame.blank, frame.machine, frame.slack) = (self.root.blank, self.root.machine, slack as i16);
    }

    /// Generates the children of the current node and asks the first lane about them.
    #[inline(always)]
    pub fn enter(&mut self, search: &TileSearch<'_, L, N>, meter: &mut Meter<'_>) {
        meter.expanded += 1;
        let frame = &mut self.frames[self.top];
        let blank = usize::from(frame.blank) % 32;
        let moves = MoveMachine::allowed(frame.machine) & search.moves[blank];
        let mut sequence = search.sequence[usize::from(moves) % 16];
        meter.generated += u64::from(moves.count_ones());
        let mut count = 0;
        while sequence != 0 {
            let step = usize::from(sequence & 3);
            sequence >>= 4;
            let slide = blank * 4 + step;
            let source = search.source[slide];
            let label = self.labels[usize::from(source) % 32];
            let closer = search.closer[slide] >> (label % 32) & 1 == 1;
            let slack = frame.slack - i16::from(!closer);
            let child = &mut frame.children[count % 4];
            (child.label, child.source, child.step) = (label, source, step as u8);
            (child.slack, child.closer) = (slack, closer);
            frame.left[count % 4] = count as u8;
            count += usize::from(slack >= 0);
        }
        (frame.count, frame.next) = (count as u8, 0);
        // Only a lane whose excess equals the slack can cut a child: such a one goes first.
        let tight =
            |lane: &usize| search.lanes[*lane].excess(&self.memos[*lane]) as i32 == i32::from(frame.slack);
        frame.first = (0..N).find(tight).unwrap_or(0) as u8;
        self.ask(search, 0);
    }

    #[inline(always)]
    fn lane(&self, pass: usize) -> usize {
        (usize::from(self.frames[self.top].first) + pass) % N
    }

    /// Asks a lane about the children that are left.
    #[inline(always)]
    pub fn ask(&mut self, search: &TileSearch<'_, L, N>, pass: usize) {
        let number = self.lane(pass);
        let (lane, memo) = (&search.lanes[number], &self.memos[number]);
        let frame = &mut self.frames[self.top];
        let blank = usize::from(frame.blank);
        for i in 0..usize::from(frame.count) {
            let child = frame.child(i);
            let slide = blank * 4 + usize::from(child.step);
            child.changes[number] = lane.begin(memo, usize::from(child.label), slide);
        }
    }

    /// Goes on with what the lane was asked.
    #[inline(always)]
    pub fn locate(&mut self, search: &TileSearch<'_, L, N>, pass: usize) {
        let number = self.lane(pass);
        let frame = &mut self.frames[self.top];
        for i in 0..usize::from(frame.count) {
            search.lanes[number].locate(&mut frame.child(i).changes[number]);
        }
    }

    /// Drops the children that the lane asked last cuts.
    #[inline(always)]
    pub fn sift(&mut self, search: &TileSearch<'_, L, N>, pass: usize) {
        let number = self.lane(pass);
        let (lane, memo) = (&search.lanes[number], &self.memos[number]);
        let frame = &mut self.frames[self.top];
        let mut kept = 0;
        // Noted whether kept or not: a branch here would be mispredicted more often than not.
        for i in 0..usize::from(frame.count) {
            let child = frame.child(i);
            let excess = lane.finish(memo, &mut child.changes[number], child.closer);
            let keep = excess as i32 <= i32::from(child.slack);
            frame.left[kept % 4] = frame.left[i % 4];
            kept += usize::from(keep);
        }
        frame.count = kept as u8;
    }

    /// Whether a child of the current node is the goal.
    pub fn is_solved(&self) -> bool {
        self.depth == 1 && self.frames[self.top].count > 0
    }

    /// The moves from the root of the subtree to the goal.
    fn steps(&self) -> impl Iterator<Item = usize> {
        let child =
            |frame: &Frame<L::Change, N>| frame.children[usize::from(frame.left[usize::from(frame.next)])];
        self.frames[..=self.top].iter().map(move |frame| usize::from(child(frame).step))
    }

    /// The moves from the root of the search to the goal.
    pub fn path(&self) -> Vec<Move> {
        self.root.moves.iter().copied().chain(self.steps().map(|step| Move::ALL[step])).collect()
    }

    /// How many children a search that makes them one by one would not have made when it met this goal: those after
    /// the path's own in the order of the search.
    pub fn unmade(&self, search: &TileSearch<'_, L, N>) -> u64 {
        let after = |(frame, step): (&Frame<L::Change, N>, usize)| {
            let moves = MoveMachine::allowed(frame.machine) & search.moves[usize::from(frame.blank)];
            let sequence = search.sequence[usize::from(moves)];
            let members = (0..4).map(|i| sequence >> (4 * i) & 15).filter(|&member| member != 0);
            members.skip_while(|&member| usize::from(member & 3) != step).count() as u64 - 1
        };
        self.frames.iter().zip(self.steps()).map(after).sum()
    }

    /// Goes to the next node in depth-first order; false when there is none.
    #[inline(always)]
    pub fn descend(&mut self, search: &TileSearch<'_, L, N>) -> bool {
        loop {
            let frame = &mut self.frames[self.top];
            if frame.next < frame.count {
                let child = frame.child(usize::from(frame.next));
                for i in 0..N {
                    child.changes[i] = search.lanes[i].apply(&mut self.memos[i], &child.changes[i]);
                }
                let (label, blank, slack, step) = (child.label, child.source, child.slack, child.step);
                self.labels[usize::from(frame.blank) % 32] = label;
                let machine = search.machine.next(frame.machine, usize::from(step));
                self.top += 1;
                self.depth -= 1;
                let frame = &mut self.frames[self.top];
                (frame.blank, frame.slack, frame.machine) = (blank, slack, machine);
                return true;
            }
            if self.top == 0 {
                return false;
            }
            self.top -= 1;
            self.depth += 1;
            let frame = &mut self.frames[self.top];
            let child = frame.child(usize::from(frame.next));
            for i in 0..N {
                search.lanes[i].apply(&mut self.memos[i], &child.changes[i]);
            }
            self.labels[usize::from(child.source) % 32] = child.label;
            frame.next += 1;
        }
    }

    /// The children of the root that no lane has cut, as roots of their own.
    pub fn children(&self, search: &TileSearch<'_, L, N>) -> Vec<Subtree<L::Memo, N>> {
        let frame = &self.frames[0];
        let left = frame.left.iter().take(usize::from(frame.count));
        left.map(|&child| &frame.children[usize::from(child)])
            .map(|child| {
                let mut node = self.root.clone();
                node.labels[usize::from(node.blank)] = child.label;
                node.blank = child.source;
                node.machine = search.machine.next(node.machine, usize::from(child.step));
                node.manhattan = self.depth - 1 - 2 * child.slack as u32;
                for ((lane, memo), change) in search.lanes.iter().zip(&mut node.memos).zip(&child.changes) {
                    lane.apply(memo, change);
                }
                node.moves.push(Move::ALL[usize::from(child.step)]);
                node
            })
            .collect()
    }
}
