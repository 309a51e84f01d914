//! One of the many walks that a thread makes in turn: depth first, with a stack of its own, a node at a time.

use novelo_search::Counter;
use novelo_search::deepening::Branch;

use super::additive::Placement;
use super::candidates::{Candidate, Candidates, Gaps};
use super::interleaved::{InterleavedSearch, Node, VIEWS};
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// A child of a node on the current path.
#[derive(Clone, Copy)]
struct Child<const N: usize> {
    /// What the move changes, a heuristic after another as they were asked; while the walk is below the child, what
    /// takes it back.
    changes: [Placement; N],
    gaps: Gaps,
    label: u8,
    /// The number of the slide, four times the blank's cell plus the number of its move.
    slide: u8,
}

impl<const N: usize> Child<N> {
    /// The number of the blank's move.
    #[inline(always)]
    fn step(&self) -> usize {
        usize::from(self.slide) % 4
    }
}

/// A node on the current path with its children that no heuristic has cut.
#[derive(Clone, Copy)]
pub(super) struct Frame<const N: usize> {
    children: [Child<N>; 4],
    machine: u32,
    gaps: Gaps,
    blank: u8,
    count: u8,
    /// The child to go to next, or the one that the walk is below.
    next: u8,
}

impl<const N: usize> Default for Frame<N> {
    fn default() -> Self {
        let child = Child { changes: [Placement::default(); N], gaps: Gaps::default(), label: 0, slide: 0 };
        Self { children: [child; 4], machine: 0, gaps: Gaps::default(), blank: 0, count: 0, next: 0 }
    }
}

/// A depth-first walk through a subtree. For each node: [`Self::enter`], [`Self::add_child`] for each that the last
/// heuristic is asked about, [`Self::descend`].
pub(super) struct Walker<'n, const N: usize> {
    branch: &'n Branch<Node<N>>,
    pub placements: [Placement; VIEWS],
    labels: [u8; MAX_MASK_CELLS],
    frames: Vec<Frame<N>>,
    /// The frame of the current node.
    top: usize,
    /// Moves left within the bound.
    depth: u32,
    /// The fewest that were left at a node of the subtree.
    nearest: u32,
}

impl<'n, const N: usize> Walker<'n, N> {
    /// A walk through a subtree.
    pub fn new(search: &InterleavedSearch<'_, '_, N>, branch: &'n Branch<Node<N>>, bound: u32) -> Self {
        let mut walker = Self {
            branch,
            placements: [Placement::default(); VIEWS],
            labels: [0; MAX_MASK_CELLS],
            frames: vec![Frame::default(); bound as usize],
            top: 0,
            depth: 0,
            nearest: 0,
        };
        walker.restart(search, branch, bound);
        walker
    }

    /// Begins another subtree.
    pub fn restart(
        &mut self,
        search: &InterleavedSearch<'_, '_, N>,
        branch: &'n Branch<Node<N>>,
        bound: u32,
    ) {
        let root = &branch.root;
        (self.branch, self.labels, self.top) = (branch, root.labels, 0);
        self.placements = search.placements(root);
        self.depth = root.depth_and_slack(bound).0;
        self.nearest = self.depth;
        let frame = &mut self.frames[0];
        (frame.blank, frame.machine, frame.gaps) = (root.blank, root.machine, Gaps::of(root, bound));
    }

    /// Generates the children of the current node as candidates; `number` is the walker's own.
    #[inline(always)]
    pub fn enter(
        &mut self,
        search: &InterleavedSearch<'_, '_, N>,
        counter: &mut Counter<'_>,
        number: usize,
        candidates: &mut Candidates<N>,
    ) {
        counter.expanded += 1;
        let generator = search.generator();
        let frame = &mut self.frames[self.top];
        (frame.count, frame.next) = (0, 0);
        generator.machine.prepare(frame.machine);
        let (count, mut steps) = generator.steps(frame.blank, frame.machine);
        counter.generated += u64::from(count);
        let any = Candidate::of(number, frame.gaps);
        while steps != 0 {
            let slide = generator.slide(&self.labels, frame.blank, steps & 3);
            steps >>= 4;
            candidates.add(search, any.child(slide), &self.placements);
        }
    }

    /// Adds a child to the current node, or if it is not to be kept only writes where the next one goes.
    #[inline(always)]
    pub fn add_child(&mut self, candidate: Candidate, changes: [Placement; N], keep: bool) {
        let frame = &mut self.frames[self.top];
        let (label, slide) = (candidate.label() as u8, candidate.slide() as u8);
        frame.children[usize::from(frame.count) % 4] =
            Child { changes, gaps: candidate.gaps(), label, slide };
        frame.count += u8::from(keep);
    }

    /// The nodes of the longest path to a node of the subtree so far.
    pub fn longest(&self, bound: u32) -> u64 {
        u64::from(bound - self.nearest) + 1
    }

    /// Whether a child of the current node is the goal.
    pub fn is_solved(&self) -> bool {
        self.depth == 1 && self.frames[self.top].count > 0
    }

    /// The moves from the root of the subtree to the goal.
    fn steps(&self) -> impl Iterator<Item = usize> {
        self.frames[..=self.top].iter().map(|frame| frame.children[usize::from(frame.next)].step())
    }

    /// The moves from the root of the search to the goal.
    pub fn path(&self) -> Vec<Move> {
        self.branch.root.moves.iter().copied().chain(self.steps().map(|step| Move::ALL[step])).collect()
    }

    /// How many children a search that makes them one by one would not have made when it met this goal: those after
    /// the path's own in the order of the search.
    pub fn unmade(&self, search: &InterleavedSearch<'_, '_, N>) -> u64 {
        let after = |(frame, step): (&Frame<N>, usize)| {
            let (count, steps) = search.generator().steps(frame.blank, frame.machine);
            let members = (0..count).map(|i| usize::from(steps >> (4 * i) & 3));
            members.skip_while(|&member| member != step).count() as u64 - 1
        };
        self.frames.iter().zip(self.steps()).map(after).sum()
    }

    /// Goes to the next node in depth-first order; false when there is none.
    #[inline(always)]
    pub fn descend(&mut self, search: &InterleavedSearch<'_, '_, N>) -> bool {
        let generator = search.generator();
        loop {
            let frame = &mut self.frames[self.top];
            if frame.next < frame.count {
                let child = &mut frame.children[usize::from(frame.next) % 4];
                let (gaps, blank) = (child.gaps, generator.source(child.slide));
                self.labels[usize::from(frame.blank) % MAX_MASK_CELLS] = child.label;
                let machine = generator.machine.next(frame.machine, child.step());
                exchange(&mut self.placements, &mut child.changes);
                self.top += 1;
                self.depth -= 1;
                self.nearest = self.nearest.min(self.depth);
                let frame = &mut self.frames[self.top];
                (frame.blank, frame.gaps, frame.machine) = (blank, gaps, machine);
                return true;
            }
            if self.top == 0 {
                self.branch.came_within(self.nearest);
                return false;
            }
            self.top -= 1;
            self.depth += 1;
            let frame = &mut self.frames[self.top];
            let child = &mut frame.children[usize::from(frame.next) % 4];
            exchange(&mut self.placements, &mut child.changes);
            self.labels[usize::from(generator.source(child.slide)) % MAX_MASK_CELLS] = child.label;
            frame.next += 1;
        }
    }
}

/// Makes changes, which become those that take them back.
#[inline(always)]
fn exchange<const N: usize>(placements: &mut [Placement; VIEWS], changes: &mut [Placement; N]) {
    for change in changes {
        std::mem::swap(&mut placements[change.view() % VIEWS], change);
    }
}
