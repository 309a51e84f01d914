//! Sets of arcs, and of boxes, as fixed numbers of machine words.

use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, BitXor};

/// A set of numbers below 64 · W.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Hash for Bits<W> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for &word in &self.0 {
            hasher.write_u64(word);
        }
    }
}

impl<const W: usize> Bits<W> {
    /// The empty set.
    pub const EMPTY: Self = Self([0; W]);

    #[inline]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// How many numbers are in the set.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The numbers in this set and not in the other.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// Every number less `by`; those below it are gone.
    #[inline]
    #[must_use]
    pub fn down(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |i: usize| if i < W { self.0[i] } else { 0 };
        Self(std::array::from_fn(|i| {
            // Shifting in two steps keeps a shift by 64 from happening.
            word(i + words) >> bits | word(i + words + 1) << 1 << (63 - bits)
        }))
    }

    /// The numbers up to and including the largest of the set.
    #[inline]
    #[must_use]
    pub fn filled(self) -> Self {
        let mut above = false;
        let mut out = [0; W];
        for i in (0..W).rev() {
            let zeros = self.0[i].leading_zeros();
            out[i] = if above { u64::MAX } else { u64::MAX.checked_shr(zeros).unwrap_or(0) };
            above |= self.0[i] != 0;
        }
        Self(out)
    }

    /// The numbers of the set in rising order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..W).flat_map(move |i| {
            let mut rest = self.0[i];
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    64 * i + bit
                })
            })
        })
    }
}

impl<const W: usize> FromIterator<usize> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut bits = Self::EMPTY;
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const W: usize> BitXor for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn they_are_sets(
            numbers in prop::collection::btree_set(0usize..192, 0..100),
            others in prop::collection::btree_set(0usize..192, 0..100),
            by in 0usize..192,
        ) {
            let set = |numbers: &BTreeSet<usize>| numbers.iter().copied().collect::<Bits<3>>();
            let (a, b) = (set(&numbers), set(&others));
            prop_assert_eq!(a.iter().collect::<BTreeSet<_>>(), numbers.clone());
            prop_assert_eq!(a.count() as usize, numbers.len());
            prop_assert_eq!(a & b, set(&(&numbers & &others)));
            prop_assert_eq!(a | b, set(&(&numbers | &others)));
            prop_assert_eq!(a ^ b, set(&(&numbers ^ &others)));
            prop_assert_eq!(a.without(b), set(&(&numbers - &others)));
            prop_assert_eq!(a.down(by), set(&numbers.iter().filter(|&&n| n >= by).map(|n| n - by).collect()));
            let top = numbers.last().map_or(0, |top| top + 1);
            prop_assert_eq!(a.filled(), set(&(0..top).collect()));
        }
    }
}
