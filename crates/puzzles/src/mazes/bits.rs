//! Sets of cells, one bit a cell, row by row.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of up to 64·W cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// No cell.
    pub const EMPTY: Self = Self([0; W]);

    /// One cell.
    #[inline]
    pub fn of(cell: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(cell);
        bits
    }

    /// Whether a cell is in the set.
    #[inline]
    pub fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Takes a cell out.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// How many cells it has.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether it has none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Every cell moved `by` places back, by 1 to 64: what stood after a cell
    /// comes to stand on it.
    #[inline]
    #[must_use]
    pub fn back(self, by: usize) -> Self {
        if by == 64 {
            return Self(std::array::from_fn(|i| if i + 1 < W { self.0[i + 1] } else { 0 }));
        }
        Self(std::array::from_fn(|i| {
            let carried = if i + 1 < W { self.0[i + 1] << (64 - by) } else { 0 };
            self.0[i] >> by | carried
        }))
    }

    /// Every cell moved `by` places on, by 1 to 64.
    #[inline]
    #[must_use]
    pub fn forth(self, by: usize) -> Self {
        if by == 64 {
            return Self(std::array::from_fn(|i| if i > 0 { self.0[i - 1] } else { 0 }));
        }
        Self(std::array::from_fn(|i| {
            let carried = if i > 0 { self.0[i - 1] >> (64 - by) } else { 0 };
            self.0[i] << by | carried
        }))
    }
}

impl<const W: usize> FromIterator<usize> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut bits = Self::EMPTY;
        cells.into_iter().for_each(|cell| bits.insert(cell));
        bits
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shifting_moves_every_cell(cells in prop::collection::btree_set(0..256usize, 0..40), by in 1..=64usize) {
            let bits: Bits<4> = cells.iter().copied().collect();
            prop_assert_eq!(bits.count() as usize, cells.len());
            prop_assert_eq!(bits.forth(by), cells.iter().map(|c| c + by).filter(|&c| c < 256).collect());
            prop_assert_eq!(bits.back(by), cells.iter().filter(|&&c| c >= by).map(|c| c - by).collect());
        }
    }
}
