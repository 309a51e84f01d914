//! The children of the nodes that walks in turn are at, while the heuristics are asked about them.

use super::additive::{Placement, Query};
use super::generator::Slide;
use super::interleaved::{AT_ONCE, InterleavedSearch, Node, VIEWS};
use super::walker::Walker;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;

/// The gaps of one or two heuristics, see [`InterleavedSearch`].
#[derive(Clone, Copy, Default)]
pub(super) struct Gaps(u32);

impl Gaps {
    /// The bits of a gap.
    const BITS: u32 = 16;

    /// Those of a node within a bound.
    pub fn of<const N: usize>(node: &Node<N>, bound: u32) -> Self {
        let (_, slack) = node.depth_and_slack(bound);
        let gaps = node.memos.iter().rev().map(|memo| slack - i32::from(memo.excess));
        let gaps = gaps.map(|gap| u16::try_from(gap).expect("a node lies within the bound"));
        Self(gaps.fold(0, |gaps, gap| gaps << Self::BITS | u32::from(gap)))
    }

    /// Whether of two heuristics the second alone can cut a child; of a single heuristic this says nothing.
    #[inline(always)]
    fn only_second_cuts(self) -> bool {
        self.0 != 0 && self.0 >> Self::BITS == 0
    }
}

/// A child of a walker's current node about which the heuristics are being asked.
///
/// It is one number, for it is copied often: its lowest byte is the walker, then come the label of the tile and
/// whether the second heuristic is asked first, the slide and whether the tile comes closer, the parity with which
/// the gap of the heuristic that is asked falls, and the gaps.
#[derive(Clone, Copy, Default)]
pub(super) struct Candidate(u64);

impl Candidate {
    const LABEL: u32 = 8;
    const SECOND_FIRST: u32 = 15;
    const SLIDE: u32 = 16;
    const CLOSER: u32 = 23;
    const FALLS: u32 = 24;
    const GAPS: u32 = 32;

    /// What is the same for all children of a node. A heuristic that can cut is asked first.
    #[inline(always)]
    pub fn of(walker: usize, gaps: Gaps) -> Self {
        let second_first = u64::from(gaps.only_second_cuts());
        Self(u64::from(gaps.0) << Self::GAPS | second_first << Self::SECOND_FIRST | walker as u64)
    }

    /// The child that a slide makes.
    #[inline(always)]
    pub fn child(self, slide: Slide) -> Self {
        let (label, number, closer) = (u64::from(slide.label), slide.number as u64, u64::from(slide.closer));
        Self(self.0 | label << Self::LABEL | number << Self::SLIDE | closer << Self::CLOSER)
    }

    #[inline(always)]
    fn walker(self) -> usize {
        usize::from(self.0 as u8)
    }

    #[inline(always)]
    pub fn label(self) -> usize {
        (self.0 >> Self::LABEL) as usize % MAX_MASK_CELLS
    }

    #[inline(always)]
    pub fn slide(self) -> usize {
        (self.0 >> Self::SLIDE) as usize % (4 * MAX_MASK_CELLS)
    }

    #[inline(always)]
    pub fn gaps(self) -> Gaps {
        Gaps((self.0 >> Self::GAPS) as u32)
    }

    /// The heuristic that is asked in a pass.
    #[inline(always)]
    pub fn heuristic<const N: usize>(self, pass: usize) -> usize {
        ((self.0 >> Self::SECOND_FIRST) as usize % 2 + pass) % N
    }

    /// Notes the parity before the move, from which follows the one with which the gap falls.
    #[inline(always)]
    pub fn note_parity(&mut self, before: u8) {
        let falls = u64::from(before) ^ self.0 >> Self::CLOSER & 1;
        self.0 = self.0 & !(1 << Self::FALLS) | falls << Self::FALLS;
    }

    /// Takes a heuristic's answer; whether the child is still within the bound.
    #[inline(always)]
    fn answer<const N: usize>(&mut self, pass: usize, parity: u8) -> bool {
        let gap = Self::GAPS + Gaps::BITS * self.heuristic::<N>(pass) as u32;
        let falls = u64::from(parity) ^ !(self.0 >> Self::FALLS) & 1;
        let keep = self.0 >> gap & u64::from(u16::MAX) >= falls;
        self.0 = self.0.wrapping_sub(falls << gap);
        keep
    }
}

/// As many as the children of the current nodes of all walkers can be; a power of two, by which a place in a list is seen
/// to be within it.
const ROOM: usize = 4 * AT_ONCE;

/// The candidates of all walkers in one list. How many a single node has can hardly be predicted by a processor, so
/// nothing is done node by node that can be done for all of them in one loop.
pub(super) struct Candidates<const N: usize> {
    list: [Candidate; ROOM],
    /// For each candidate what is being asked about it,
    queries: [Query; ROOM],
    /// and what has been found, in the order in which the heuristics were asked.
    found: [[Placement; N]; ROOM],
    len: usize,
}

impl<const N: usize> Candidates<N> {
    pub fn new() -> Self {
        const { assert!(ROOM.is_power_of_two()) };
        Self {
            list: [Candidate::default(); ROOM],
            queries: [Query::default(); ROOM],
            found: [[Placement::default(); N]; ROOM],
            len: 0,
        }
    }

    /// Adds a candidate and asks its first heuristic.
    #[inline(always)]
    pub fn add(
        &mut self,
        search: &InterleavedSearch<'_, '_, N>,
        mut candidate: Candidate,
        placements: &[Placement; VIEWS],
    ) {
        self.queries[self.len % ROOM] = search.ask(&mut candidate, 0, placements);
        self.list[self.len % ROOM] = candidate;
        self.len += 1;
    }

    /// Asks every heuristic about the candidates, each time those that are left, and gives those that none has cut to
    /// their nodes.
    #[inline(always)]
    pub fn sift(&mut self, search: &InterleavedSearch<'_, '_, N>, walkers: &mut [Walker<'_, N>]) {
        for pass in 0..N {
            if pass > 0 {
                for (candidate, query) in self.list[..self.len].iter_mut().zip(&mut self.queries) {
                    let placements = &walkers[candidate.walker()].placements;
                    *query = search.ask(candidate, pass, placements);
                }
            }
            for query in &mut self.queries[..self.len] {
                search.view(query.view()).locate(query);
            }
            if pass + 1 < N {
                self.narrow(search, pass);
            } else {
                self.hand_over(search, walkers);
            }
        }
    }

    /// Keeps the candidates that are not cut in a pass.
    ///
    /// All are written, whether kept or not: a branch here would be mispredicted more often than not.
    #[inline(always)]
    fn narrow(&mut self, search: &InterleavedSearch<'_, '_, N>, pass: usize) {
        let mut kept = 0;
        for i in 0..self.len {
            let (mut candidate, query) = (self.list[i % ROOM], self.queries[i % ROOM]);
            let placement = search.view(query.view()).finish(query);
            let keep = candidate.answer::<N>(pass, placement.parity());
            self.list[kept % ROOM] = candidate;
            self.found[kept % ROOM][pass] = placement;
            kept += usize::from(keep);
        }
        self.len = kept;
    }

    /// Gives the candidates that are not cut in the last pass to their nodes.
    #[inline(always)]
    fn hand_over(&mut self, search: &InterleavedSearch<'_, '_, N>, walkers: &mut [Walker<'_, N>]) {
        for i in 0..self.len {
            let (mut candidate, query) = (self.list[i % ROOM], self.queries[i % ROOM]);
            let placement = search.view(query.view()).finish(query);
            let keep = candidate.answer::<N>(N - 1, placement.parity());
            let mut changes = self.found[i % ROOM];
            changes[N - 1] = placement;
            walkers[candidate.walker()].add_child(candidate, changes, keep);
        }
        self.len = 0;
    }
}
