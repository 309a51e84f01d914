//! The depth-first search with additive pattern databases, which may be far larger than the processor's caches.

use novelo_search::deepening::{Beyond, BoundedSearch, Take};
use novelo_search::{Counter, Frontier, Nodes, Stop};

use super::additive::{AdditiveMemo, AdditivePdb, Placement, Query, View};
use super::candidates::{Candidate, Candidates};
use super::generator::{MoveGenerator, Subtree};
use super::plain::PlainSearch;
use super::walker::{Frame, Walker};
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::partition::Partition;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// How many subtrees a thread walks in turn.
pub(super) const AT_ONCE: usize = 16;

/// The most views of all heuristics together.
pub(super) const VIEWS: usize = 2 * Partition::MAX_PATTERNS;

/// An iterative-deepening search from one position under one or two additive heuristics.
///
/// A thread walks many subtrees in turn, a node of each: while memory fetches the table entries that one walker has
/// asked for, the others work. On tables far larger than the caches this is what makes the search fast.
///
/// It carries neither estimates nor slack, only the *gap* of each heuristic: half of what is left between `f` and the
/// bound. A heuristic is consistent and `f` keeps its parity, so a move leaves the gap or takes one off, and a child
/// whose gap would fall below 0 is cut. If the tile comes closer the gap falls exactly when the excess rises, if it
/// goes away exactly when the excess stays: the parity that is read decides. No excess is below 0, so a node whose
/// gaps are at least 0 has a slack of at least 0, and with no moves left it is the goal, as in a plain search.
pub struct InterleavedSearch<'m, 't, const N: usize> {
    /// What the same search is without turns: its generator and heuristics.
    plain: PlainSearch<'m, &'t AdditivePdb<'t>, N>,
    /// The views of all heuristics, one heuristic after another.
    views: [&'t View<'t>; VIEWS],
    /// The view that each label has in each heuristic.
    view_of: [[u8; MAX_MASK_CELLS]; N],
}

/// A node whose subtree is searched on its own.
pub type Node<const N: usize> = Subtree<AdditiveMemo, N>;

impl<'m, 't, const N: usize> InterleavedSearch<'m, 't, N> {
    /// A search from `start`.
    pub fn new(start: &Position, heuristics: [&'t AdditivePdb<'t>; N], machine: &'m MoveMachine) -> Self {
        const { assert!(N == 1 || N == 2) };
        let mut views = [&heuristics[0].views()[0]; VIEWS];
        let mut view_of = [[0; MAX_MASK_CELLS]; N];
        let mut first = 0;
        for (number, heuristic) in heuristics.iter().enumerate() {
            for (to, view) in views[first..].iter_mut().zip(heuristic.views()) {
                *to = view;
            }
            view_of[number] = std::array::from_fn(|label| (first + heuristic.pattern_of(label)) as u8);
            first += heuristic.views().len();
        }
        Self { plain: PlainSearch::new(start, heuristics, machine), views, view_of }
    }

    /// The same search with the blank's moves tried in another order.
    pub fn with_order(self, order: [Move; 4]) -> Self {
        Self { plain: self.plain.with_order(order), ..self }
    }

    /// The same search for solutions of at most so many moves.
    pub fn with_depth_limit(self, depth_limit: Option<u32>) -> Self {
        Self { plain: self.plain.with_depth_limit(depth_limit), ..self }
    }
}

impl<const N: usize> InterleavedSearch<'_, '_, N> {
    pub(super) fn generator(&self) -> &MoveGenerator<'_> {
        &self.plain.generator
    }

    /// The placements of a node's memos, view by view.
    pub(super) fn placements(&self, node: &Node<N>) -> [Placement; VIEWS] {
        let heuristics = self.plain.heuristics.iter().zip(&node.memos);
        let mut all = heuristics
            .flat_map(|(heuristic, memo)| memo.placements.into_iter().take(heuristic.views().len()));
        std::array::from_fn(|view| all.next().unwrap_or_default().seen_in(view))
    }

    /// Begins to ask a heuristic about a candidate.
    #[inline(always)]
    pub(super) fn ask(
        &self,
        candidate: &mut Candidate,
        pass: usize,
        placements: &[Placement; VIEWS],
    ) -> Query {
        let view = self.view_of[candidate.heuristic::<N>(pass)][candidate.label()];
        let at = placements[usize::from(view) % VIEWS];
        candidate.note_parity(at.parity());
        self.view(usize::from(view)).begin(at, candidate.slide())
    }

    #[inline(always)]
    pub(super) fn view(&self, number: usize) -> &View<'_> {
        self.views[number % VIEWS]
    }

    /// Searches the subtrees that `take` hands out.
    #[inline(always)]
    fn walk(
        &self,
        take: Take<'_, '_, Node<N>>,
        bound: u32,
        counter: &mut Counter<'_>,
    ) -> Result<Option<Vec<Move>>, Stop> {
        let mut walkers = Vec::with_capacity(AT_ONCE);
        let mut candidates = Candidates::new();
        while walkers.len() < AT_ONCE
            && let Some(branch) = take()
        {
            let mut walker = Walker::new(self, branch, bound);
            look(&walker, bound, counter)?;
            walker.enter(self, counter, walkers.len(), &mut candidates);
            walkers.push(walker);
        }
        while !walkers.is_empty() {
            candidates.sift(self, &mut walkers);
            let mut i = 0;
            while i < walkers.len() {
                let walker = &mut walkers[i];
                if walker.is_solved() {
                    counter.generated -= walker.unmade(self);
                    counter.stored_peak = u64::from(bound) + 1;
                    return Ok(Some(walker.path()));
                }
                if !walker.descend(self) {
                    note_stored(walker, bound, counter);
                    let Some(branch) = take() else {
                        walkers.swap_remove(i);
                        continue;
                    };
                    walker.restart(self, branch, bound);
                }
                if let Err(stop) = look(walker, bound, counter) {
                    walkers.iter().for_each(|walker| note_stored(walker, bound, counter));
                    return Err(stop);
                }
                walker.enter(self, counter, i, &mut candidates);
                i += 1;
            }
        }
        Ok(None)
    }

    /// The same, compiled for processors that count bits, shift by a variable and copy 32 bytes in one instruction, as
    /// nearly all do.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
    fn walk_on_recent_processors(
        &self,
        take: Take<'_, '_, Node<N>>,
        bound: u32,
        counter: &mut Counter<'_>,
    ) -> Result<Option<Vec<Move>>, Stop> {
        self.walk(take, bound, counter)
    }
}

/// Looks at the limits before a walker's next expansion, if it is time to.
#[inline(always)]
fn look<const N: usize>(walker: &Walker<'_, N>, bound: u32, counter: &mut Counter<'_>) -> Result<(), Stop> {
    if counter.is_due() {
        counter.look(&Nodes(walker.longest(bound)), Frontier::Bound(bound.into()))
    } else {
        Ok(())
    }
}

/// Notes how long a walker's path became.
fn note_stored<const N: usize>(walker: &Walker<'_, N>, bound: u32, counter: &mut Counter<'_>) {
    counter.stored_peak = counter.stored_peak.max(walker.longest(bound));
}

impl<const N: usize> BoundedSearch for InterleavedSearch<'_, '_, N> {
    type Action = Move;
    type Step = Move;
    type Node = Node<N>;
    type Bound = u32;
    type Worker = ();
    const DIVIDES: bool = true;

    fn worker(&self) {}

    fn root(&self) -> Node<N> {
        self.plain.root()
    }

    fn steps<'n>(&self, node: &'n Node<N>) -> &'n [Move] {
        self.plain.steps(node)
    }

    fn estimate(&self, node: &Node<N>) -> u32 {
        self.plain.estimate(node)
    }

    fn permits(&self, bound: u32) -> bool {
        self.plain.permits(bound)
    }

    fn next_bound(&self, bound: u32, beyond: Beyond<u32>) -> Option<u32> {
        self.plain.next_bound(bound, beyond)
    }

    fn bytes(&self, bound: u32) -> usize {
        bound as usize * AT_ONCE * size_of::<Frame<N>>()
    }

    fn divides_at(&self, bound: u32, plies: usize) -> bool {
        self.plain.divides_at(bound, plies)
    }

    #[allow(unsafe_code, reason = "calls what only some processors can do, having asked them")]
    fn search<'n>(
        &self,
        (): &mut (),
        take: Take<'_, 'n, Node<N>>,
        bound: u32,
        _: &mut Beyond<u32>,
        counter: &mut Counter<'_>,
    ) -> Result<Option<Vec<Move>>, Stop>
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
            return unsafe { self.walk_on_recent_processors(take, bound, counter) };
        }
        self.walk(take, bound, counter)
    }

    fn split(
        &self,
        node: &Node<N>,
        bound: u32,
        beyond: &mut Beyond<u32>,
        counter: &mut Counter<'_>,
    ) -> Result<Vec<Node<N>>, Stop> {
        self.plain.split(node, bound, beyond, counter)
    }
}
