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
}

impl<C: Copy + Default, const N: usize> Default for Child<C, N> {
    fn default() -> Self {
        Self { changes: [C::default(); N], label: 0, source: 0, step: 0, slack: 0 }
    }
}

/// A child of a walker's current node about which the lanes are being asked.
#[derive(Clone, Copy)]
pub(super) struct Candidate<C, const N: usize> {
    child: Child<C, N>,
    walker: u8,
    /// The blank's move, as lanes count them.
    slide: u8,
    /// The lane that is asked first.
    first: u8,
    closer: bool,
}

/// A node on the current path with its children that no lane has cut.
#[derive(Clone, Copy)]
pub(super) struct Frame<C, const N: usize> {
    children: [Child<C, N>; 4],
    count: u8,
    /// The child to go to next, or the one that the walk is below.
    next: u8,
    blank: u8,
    slack: i16,
    machine: u32,
}

impl<C: Copy + Default, const N: usize> Default for Frame<C, N> {
    fn default() -> Self {
        Self { children: [Child::default(); 4], count: 0, next: 0, blank: 0, slack: 0, machine: 0 }
    }
}

/// The candidates of all walkers in one list. How many a single node has can hardly be predicted by a processor, so
/// nothing is done node by node that can be done for all of them in one loop.
pub(super) struct Candidates<C, const N: usize> {
    /// As many as there can be, and one more to write to.
    list: Vec<Candidate<C, N>>,
    len: usize,
}

impl<C: Copy + Default, const N: usize> Candidates<C, N> {
    /// Room for those of so many walkers.
    pub fn new(walkers: usize) -> Self {
        let none = Candidate { child: Child::default(), walker: 0, slide: 0, first: 0, closer: false };
        Self { list: vec![none; 4 * walkers + 1], len: 0 }
    }

    /// Asks every lane about the candidates, each time those that are left, and gives those that none has cut to
    /// their nodes.
    #[inline(always)]
    pub fn sift<L: Lane<Change = C>>(
        &mut self,
        search: &TileSearch<'_, L, N>,
        walkers: &mut [Walker<'_, L, N>],
    ) {
        for pass in 0..N {
            let lane = |candidate: &Candidate<C, N>| (usize::from(candidate.first) + pass) % N;
            for candidate in &mut self.list[..self.len] {
                let number = lane(candidate);
                let memo = &walkers[usize::from(candidate.walker)].memos[number];
                let (label, slide) = (usize::from(candidate.child.label), usize::from(candidate.slide));
                candidate.child.changes[number] = search.lanes[number].begin(memo, label, slide);
            }
            for candidate in &mut self.list[..self.len] {
                let number = lane(candidate);
                search.lanes[number].locate(&mut candidate.child.changes[number]);
            }
            let mut kept = 0;
            for i in 0..self.len {
                let candidate = &mut self.list[i];
                let number = lane(candidate);
                let walker = &mut walkers[usize::from(candidate.walker)];
                let (memo, change) = (&walker.memos[number], &mut candidate.child.changes[number]);
                let excess = search.lanes[number].finish(memo, change, candidate.closer);
                let keep = excess as i32 <= i32::from(candidate.child.slack);
                // Noted whether kept or not: a branch here would be mispredicted more often than not.
                if pass + 1 < N {
                    self.list[kept] = self.list[i];
                    kept += usize::from(keep);
                } else {
                    let frame = &mut walker.frames[walker.top];
                    frame.children[usize::from(frame.count) % 4] = candidate.child;
                    frame.count += u8::from(keep);
                }
            }
            self.len = kept;
        }
    }
}

/// A depth-first walk through a subtree. For each node: [`Self::enter`], [`Candidates::sift`], [`Self::descend`].
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

    /// Generates the children of the current node as candidates; `number` is the walker's own.
    #[inline(always)]
    pub fn enter(
        &mut self,
        search: &TileSearch<'_, L, N>,
        meter: &mut Meter<'_>,
        number: usize,
        candidates: &mut Candidates<L::Change, N>,
    ) {
        meter.expanded += 1;
        let frame = &mut self.frames[self.top];
        (frame.count, frame.next) = (0, 0);
        let blank = usize::from(frame.blank) % 32;
        search.machine.prepare(frame.machine);
        let moves = MoveMachine::allowed(frame.machine) & search.moves[blank];
        let mut sequence = search.sequence[usize::from(moves) % 16];
        meter.generated += u64::from(moves.count_ones());
        // Only a lane whose excess equals the slack can cut a child: such a one goes first.
        let is_tight =
            |lane: usize| search.lanes[lane].excess(&self.memos[lane]) as i32 == i32::from(frame.slack);
        let first = (0..N).rev().fold(0, |first, lane| if is_tight(lane) { lane } else { first });
        while sequence != 0 {
            let step = usize::from(sequence & 3);
            sequence >>= 4;
            let slide = blank * 4 + step;
            let source = search.source[slide];
            let label = self.labels[usize::from(source) % 32];
            let closer = search.closer[slide] >> (label % 32) & 1 == 1;
            let slack = frame.slack - i16::from(!closer);
            let candidate = &mut candidates.list[candidates.len];
            let child = &mut candidate.child;
            (child.label, child.source, child.step, child.slack) = (label, source, step as u8, slack);
            (candidate.walker, candidate.slide) = (number as u8, slide as u8);
            (candidate.first, candidate.closer) = (first as u8, closer);
            candidates.len += usize::from(slack >= 0);
        }
    }

    /// Whether a child of the current node is the goal.
    pub fn is_solved(&self) -> bool {
        self.depth == 1 && self.frames[self.top].count > 0
    }

    /// The moves from the root of the subtree to the goal.
    fn steps(&self) -> impl Iterator<Item = usize> {
        let step = |frame: &Frame<L::Change, N>| frame.children[usize::from(frame.next)].step;
        self.frames[..=self.top].iter().map(move |frame| usize::from(step(frame)))
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
                let child = &mut frame.children[usize::from(frame.next) % 4];
                for i in 0..N {
                    search.lanes[i].apply(&mut self.memos[i], &mut child.changes[i]);
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
            let child = &mut frame.children[usize::from(frame.next) % 4];
            for i in 0..N {
                search.lanes[i].apply(&mut self.memos[i], &mut child.changes[i]);
            }
            self.labels[usize::from(child.source) % 32] = child.label;
            frame.next += 1;
        }
    }

    /// The children of the root that no lane has cut, as roots of their own.
    pub fn children(&self, search: &TileSearch<'_, L, N>) -> Vec<Subtree<L::Memo, N>> {
        let frame = &self.frames[0];
        frame.children[..usize::from(frame.count)]
            .iter()
            .map(|child| {
                let mut node = self.root.clone();
                node.labels[usize::from(node.blank)] = child.label;
                node.blank = child.source;
                node.machine = search.machine.next(node.machine, usize::from(child.step));
                node.manhattan = self.depth - 1 - 2 * child.slack as u32;
                for ((lane, memo), mut change) in search.lanes.iter().zip(&mut node.memos).zip(child.changes)
                {
                    lane.apply(memo, &mut change);
                }
                node.moves.push(Move::ALL[usize::from(child.step)]);
                node
            })
            .collect()
    }
}
