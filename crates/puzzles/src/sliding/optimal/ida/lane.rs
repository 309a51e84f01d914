//! A lane: a heuristic that is carried along a search as its excess over the Manhattan distance.

use crate::sliding::optimal::position::Position;

/// An admissible heuristic `m + 2·excess`, where `m` is the Manhattan distance, updated move by move.
///
/// Every solution has the parity of the Manhattan distance, so nothing is lost by counting in twos. What a move
/// changes is found in steps, so that a search can ask for the entries of many moves and do other work while a
/// large table's memory answers.
pub trait Lane: Sync {
    /// What is carried along the search.
    type Memo: Clone + Send + Sync;
    /// What one move changes in the memo.
    type Change: Copy + Default;

    /// Whether its tables may be larger than the caches, so that it pays to ask for many entries before one is read.
    const FAR: bool;

    /// The memo of a position.
    fn start(&self, position: &Position) -> Self::Memo;

    /// The memo of a position whose excess is known: the labels cell by cell, and the blank's cell. Allocates nothing.
    fn resume(&self, labels: &[u16], blank: usize, excess: u32) -> Self::Memo;

    /// The excess of a memo.
    fn excess(&self, memo: &Self::Memo) -> u32;

    /// Begins a change: the tile with this label slides into the blank. `slide` is four times the blank's cell plus
    /// the number of the blank's move.
    fn begin(&self, memo: &Self::Memo, label: usize, slide: usize) -> Self::Change;

    /// Goes on with a change as far as it needs no entry of the table itself.
    fn locate(&self, change: &mut Self::Change);

    /// Finishes a change of this memo and returns the excess after it; `closer` says that the tile's Manhattan
    /// distance shrinks.
    fn finish(&self, memo: &Self::Memo, change: &mut Self::Change, closer: bool) -> u32;

    /// Makes a change that is finished, which then becomes the change that takes it back.
    fn apply(&self, memo: &mut Self::Memo, change: &mut Self::Change);
}

/// The lane that adds nothing: plain Manhattan distance.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoLane;

impl Lane for NoLane {
    type Memo = ();
    type Change = ();
    const FAR: bool = false;

    fn start(&self, _: &Position) {}

    fn resume(&self, _: &[u16], _: usize, _: u32) {}

    fn excess(&self, (): &()) -> u32 {
        0
    }

    fn begin(&self, (): &(), _: usize, _: usize) {}

    fn locate(&self, (): &mut ()) {}

    fn finish(&self, (): &(), (): &mut (), _: bool) -> u32 {
        0
    }

    fn apply(&self, (): &mut (), (): &mut ()) {}
}

impl<L: Lane> Lane for &L {
    type Memo = L::Memo;
    type Change = L::Change;
    const FAR: bool = L::FAR;

    fn start(&self, position: &Position) -> L::Memo {
        (*self).start(position)
    }

    fn resume(&self, labels: &[u16], blank: usize, excess: u32) -> L::Memo {
        (*self).resume(labels, blank, excess)
    }

    #[inline(always)]
    fn excess(&self, memo: &L::Memo) -> u32 {
        (*self).excess(memo)
    }

    #[inline(always)]
    fn begin(&self, memo: &L::Memo, label: usize, slide: usize) -> L::Change {
        (*self).begin(memo, label, slide)
    }

    #[inline(always)]
    fn locate(&self, change: &mut L::Change) {
        (*self).locate(change);
    }

    #[inline(always)]
    fn finish(&self, memo: &L::Memo, change: &mut L::Change, closer: bool) -> u32 {
        (*self).finish(memo, change, closer)
    }

    #[inline(always)]
    fn apply(&self, memo: &mut L::Memo, change: &mut L::Change) {
        (*self).apply(memo, change);
    }
}
