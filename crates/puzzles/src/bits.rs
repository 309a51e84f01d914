//! Sets of cells, arcs or boxes, one bit each, as fixed numbers of machine
//! words: small enough to be part of a state.

use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// A set of numbers below 64 · W.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct Bits<const W: usize>([u64; W]);

novelo_search::wire_fields!([const W: usize] Bits<W> { 0: [u64; W] });

impl<const W: usize> Hash for Bits<W> {
    /// Without the length, which is the same for all.
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

    /// One number.
    #[inline]
    pub fn of(number: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(number);
        bits
    }

    #[inline]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 != 0
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

    /// How many numbers it has.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether it has none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether the two have a number in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The numbers in this set and not in the other.
    #[inline]
    pub fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// The set with only its smallest number; empty if it is empty.
    #[inline]
    pub fn first(&self) -> Self {
        let mut one = Self::EMPTY;
        if let Some((i, &word)) = self.0.iter().enumerate().find(|&(_, &word)| word != 0) {
            one.0[i] = word & word.wrapping_neg();
        }
        one
    }

    /// Every number less `by`; those below it are gone.
    #[inline]
    pub fn back(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |i: usize| if i < W { self.0[i] } else { 0 };
        // Shifting in two steps keeps a shift by 64 from happening.
        Self(std::array::from_fn(|i| word(i + words) >> bits | word(i + words + 1) << 1 << (63 - bits)))
    }

    /// Every number plus `by`; those that become too large are gone.
    #[inline]
    pub fn forth(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |i: Option<usize>| i.map_or(0, |i| self.0[i]);
        Self(std::array::from_fn(|i| {
            word(i.checked_sub(words)) << bits | word(i.checked_sub(words + 1)) >> 1 >> (63 - bits)
        }))
    }

    /// The numbers up to and including the largest of the set.
    #[inline]
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
            let all = set(&(0..192).collect());
            prop_assert_eq!(a.iter().collect::<BTreeSet<_>>(), numbers.clone());
            prop_assert_eq!(a.count() as usize, numbers.len());
            prop_assert_eq!(a.is_empty(), numbers.is_empty());
            prop_assert_eq!(a.meets(&b), !numbers.is_disjoint(&others));
            prop_assert_eq!(a.first(), numbers.first().map_or(Bits::EMPTY, |&first| Bits::of(first)));
            prop_assert_eq!(a & b, set(&(&numbers & &others)));
            prop_assert_eq!(a | b, set(&(&numbers | &others)));
            prop_assert_eq!(a ^ b, set(&(&numbers ^ &others)));
            prop_assert_eq!(!a, all ^ a);
            prop_assert_eq!(a.without(b), set(&(&numbers - &others)));
            prop_assert_eq!(a.back(by), numbers.iter().filter(|&&n| n >= by).map(|n| n - by).collect());
            prop_assert_eq!(a.forth(by), numbers.iter().map(|n| n + by).filter(|&n| n < 192).collect());
            let top = numbers.last().map_or(0, |top| top + 1);
            prop_assert_eq!(a.filled(), (0..top).collect());
        }
    }
}
