//! Heuristics that a tile search carries along as their excess over the Manhattan distance.

use crate::sliding::optimal::position::Position;

/// An admissible heuristic `m + 2·excess`, where `m` is the Manhattan distance, updated move by move.
///
/// Every solution has the parity of the Manhattan distance, so nothing is lost by counting in twos.
pub trait TileHeuristic: Sync {
    /// What is carried along the search.
    type Memo: Clone + Send + Sync;
    /// What one move changes in the memo.
    type Change: Copy + Default;

    /// The memo of a position.
    fn start(&self, position: &Position) -> Self::Memo;

    /// The memo of a position whose excess is known: the labels cell by cell, and the blank's cell. Allocates nothing.
    fn resume(&self, labels: &[u16], blank: usize, excess: u32) -> Self::Memo;

    /// The excess of a memo.
    fn excess(&self, memo: &Self::Memo) -> u32;

    /// What a move changes in this memo, and the excess after it: the tile with this label slides into the blank. `slide`
    /// is four times the blank's cell plus the number of the blank's move; `closer` says that the tile's Manhattan
    /// distance shrinks.
    fn change(&self, memo: &Self::Memo, label: usize, slide: usize, closer: bool) -> (Self::Change, u32);

    /// Makes a change, which then becomes the change that takes it back.
    fn apply(&self, memo: &mut Self::Memo, change: &mut Self::Change);
}

/// The heuristic that adds nothing: plain Manhattan distance.
#[derive(Clone, Copy, Default, Debug)]
pub struct Manhattan;

impl TileHeuristic for Manhattan {
    type Memo = ();
    type Change = ();

    fn start(&self, _: &Position) {}

    fn resume(&self, _: &[u16], _: usize, _: u32) {}

    fn excess(&self, (): &()) -> u32 {
        0
    }

    fn change(&self, (): &(), _: usize, _: usize, _: bool) -> ((), u32) {
        ((), 0)
    }

    fn apply(&self, (): &mut (), (): &mut ()) {}
}

impl<H: TileHeuristic> TileHeuristic for &H {
    type Memo = H::Memo;
    type Change = H::Change;

    fn start(&self, position: &Position) -> H::Memo {
        (*self).start(position)
    }

    fn resume(&self, labels: &[u16], blank: usize, excess: u32) -> H::Memo {
        (*self).resume(labels, blank, excess)
    }

    #[inline(always)]
    fn excess(&self, memo: &H::Memo) -> u32 {
        (*self).excess(memo)
    }

    #[inline(always)]
    fn change(&self, memo: &H::Memo, label: usize, slide: usize, closer: bool) -> (H::Change, u32) {
        (*self).change(memo, label, slide, closer)
    }

    #[inline(always)]
    fn apply(&self, memo: &mut H::Memo, change: &mut H::Change) {
        (*self).apply(memo, change);
    }
}
