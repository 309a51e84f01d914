//! The depth-first search with additive pattern databases, which may be far larger than the processor's caches.

use super::additive::{AdditiveLane, AdditiveMemo, Placement, Query, View};
use super::candidates::{Candidate, Candidates};
use super::deepening::{BoundedSearch, Take};
use super::ground::{Ground, Subtree};
use super::limits::Meter;
use super::plain::PlainSearch;
use super::walker::{Frame, Walker};
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::partition::Partition;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// How many subtrees a thread walks in turn.
pub(super) const AT_ONCE: usize = 16;

/// The most views of all lanes together.
pub(super) const VIEWS: usize = 2 * Partition::MAX_PATTERNS;

/// An iterative-deepening search from one position under one or two additive lanes.
///
/// A thread walks many subtrees in turn, a node of each: while memory fetches the table entries that one walker has
/// asked for, the others work. On tables far larger than the caches this is what makes the search fast.
///
/// It carries neither estimates nor slack, only the *gap* of each lane: half of what is left between `f` and the bound. A
/// lane is consistent and `f` keeps its parity, so a move leaves the gap or takes one off, and a child whose gap would
/// fall below 0 is cut. If the tile comes closer the gap falls exactly when the excess rises, if it goes away exactly when
/// the excess stays: the parity that is read decides. No excess is below 0, so a node whose gaps are at least 0 has a slack
/// of at least 0, and with no moves left it is the goal, as in a plain search.
pub struct TurnSearch<'m, 't, const N: usize> {
    /// What the same search is without turns: its ground and lanes.
    plain: PlainSearch<'m, &'t AdditiveLane<'t>, N>,
    /// The views of all lanes, one lane after another.
    views: [&'t View<'t>; VIEWS],
    /// The view that each label has in each lane.
    view_of: [[u8; MAX_MASK_CELLS]; N],
}

/// A node whose subtree is searched on its own.
pub type Node<const N: usize> = Subtree<AdditiveMemo, N>;

impl<'m, 't, const N: usize> TurnSearch<'m, 't, N> {
    /// A search from `start`.
    pub fn new(start: &Position, lanes: [&'t AdditiveLane<'t>; N], machine: &'m MoveMachine) -> Self {
        const { assert!(N == 1 || N == 2) };
        let mut views = [&lanes[0].views()[0]; VIEWS];
        let mut view_of = [[0; MAX_MASK_CELLS]; N];
        let mut first = 0;
        for (number, lane) in lanes.iter().enumerate() {
            for (to, view) in views[first..].iter_mut().zip(lane.views()) {
                *to = view;
            }
            view_of[number] = std::array::from_fn(|label| (first + lane.pattern_of(label)) as u8);
            first += lane.views().len();
        }
        Self { plain: PlainSearch::new(start, lanes, machine), views, view_of }
    }

    /// The same search with the blank's moves tried in another order.
    pub fn with_order(self, order: [Move; 4]) -> Self {
        Self { plain: self.plain.with_order(order), ..self }
    }
}

impl<const N: usize> TurnSearch<'_, '_, N> {
    pub(super) fn ground(&self) -> &Ground<'_> {
        &self.plain.ground
    }

    /// The placements of a node's memos, view by view.
    pub(super) fn placements(&self, node: &Node<N>) -> [Placement; VIEWS] {
        let lanes = self.plain.lanes.iter().zip(&node.memos);
        let mut all = lanes.flat_map(|(lane, memo)| memo.placements.into_iter().take(lane.views().len()));
        std::array::from_fn(|view| all.next().unwrap_or_default().seen_in(view))
    }

    /// Begins to ask a lane about a candidate.
    #[inline(always)]
    pub(super) fn ask(
        &self,
        candidate: &mut Candidate,
        pass: usize,
        placements: &[Placement; VIEWS],
    ) -> Query {
        let view = self.view_of[candidate.lane::<N>(pass)][candidate.label()];
        let at = placements[usize::from(view) % VIEWS];
        candidate.note_parity(at.parity());
        self.view(usize::from(view)).begin(at, candidate.slide())
    }

    #[inline(always)]
    pub(super) fn view(&self, number: usize) -> &View<'_> {
        self.views[number % VIEWS]
    }

    /// [`BoundedSearch::search`].
    #[inline(always)]
    fn walk(&self, take: Take<'_, '_, Node<N>>, bound: u32, meter: &mut Meter<'_>) -> Option<Vec<Move>> {
        let mut walkers = Vec::with_capacity(AT_ONCE);
        let mut candidates = Candidates::new();
        while walkers.len() < AT_ONCE
            && let Some(branch) = take()
        {
            if meter.due() && meter.poll() {
                return None;
            }
            let mut walker = Walker::new(self, branch, bound);
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
                    let Some(branch) = take() else {
                        walkers.swap_remove(i);
                        continue;
                    };
                    walker.restart(self, branch, bound);
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
    /// nearly all do.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
    fn walk_on_recent_processors(
        &self,
        take: Take<'_, '_, Node<N>>,
        bound: u32,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Move>> {
        self.walk(take, bound, meter)
    }
}

impl<const N: usize> BoundedSearch for TurnSearch<'_, '_, N> {
    type Node = Node<N>;
    const DIVIDES: bool = true;
    const FRAME: usize = AT_ONCE * size_of::<Frame<N>>();

    fn root(&self) -> Node<N> {
        self.plain.root()
    }

    fn moves<'n>(&self, node: &'n Node<N>) -> &'n [Move] {
        self.plain.moves(node)
    }

    fn estimate(&self, node: &Node<N>) -> u32 {
        self.plain.estimate(node)
    }

    fn search<'n>(&self, take: Take<'_, 'n, Node<N>>, bound: u32, meter: &mut Meter<'_>) -> Option<Vec<Move>>
    where
        Node<N>: 'n,
    {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx2")
        {
            // SAFETY: the processor has what the function asks for.
            return unsafe { self.walk_on_recent_processors(take, bound, meter) };
        }
        self.walk(take, bound, meter)
    }

    fn split(&self, node: &Node<N>, bound: u32, meter: &mut Meter<'_>) -> Vec<Node<N>> {
        self.plain.split(node, bound, meter)
    }
}
