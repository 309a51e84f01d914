//! Sets of cells as bits, for boards of up to 64 · F cells.

/// A set of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct Bits<const F: usize>(pub [u64; F]);

impl<const F: usize> Bits<F> {
    /// No cell.
    pub const NONE: Self = Self([0; F]);

    #[inline]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word = f(*word, other);
        }
        Self(words)
    }

    /// The cells of both.
    #[inline]
    pub fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// The cells of either.
    #[inline]
    pub fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// The cells of exactly one.
    #[inline]
    pub fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    /// The cells that the other has not.
    #[inline]
    pub fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// Whether a cell is in the set.
    #[inline]
    pub fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Puts a cell in.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Takes a cell out.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// Whether there is no cell.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether the two have a cell in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// How many cells.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The set with only its first cell; empty if it is empty.
    #[inline]
    pub fn first(&self) -> Self {
        let mut one = Self::NONE;
        if let Some((i, &word)) = self.0.iter().enumerate().find(|&(_, &word)| word != 0) {
            one.0[i] = word & word.wrapping_neg();
        }
        one
    }

    /// Every cell moved up by a number of places.
    #[inline]
    fn raised(&self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut out = Self::NONE;
        for i in words..F {
            out.0[i] = self.0[i - words] << bits;
            if bits != 0 && i > words {
                out.0[i] |= self.0[i - words - 1] >> (64 - bits);
            }
        }
        out
    }

    /// Every cell moved down by a number of places.
    #[inline]
    fn lowered(&self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut out = Self::NONE;
        for i in 0..F - words.min(F) {
            out.0[i] = self.0[i + words] >> bits;
            if bits != 0 && i + words + 1 < F {
                out.0[i] |= self.0[i + words + 1] << (64 - bits);
            }
        }
        out
    }
}

/// The grid that sets of cells live on.
#[derive(Debug, Clone)]
pub struct Grid<const F: usize> {
    cols: usize,
    all: Bits<F>,
    not_first: Bits<F>,
    not_last: Bits<F>,
}

impl<const F: usize> Grid<F> {
    /// A grid of rows and columns.
    pub fn new(rows: usize, cols: usize) -> Self {
        let mut grid = Self { cols, all: Bits::NONE, not_first: Bits::NONE, not_last: Bits::NONE };
        for cell in 0..rows * cols {
            grid.all.insert(cell);
            if cell % cols != 0 {
                grid.not_first.insert(cell);
            }
            if cell % cols + 1 != cols {
                grid.not_last.insert(cell);
            }
        }
        grid
    }

    /// For each of the four ways, the cells that have a member of the set
    /// there.
    #[inline]
    fn shifted(&self, set: Bits<F>) -> [Bits<F>; 4] {
        [
            set.raised(self.cols).and(self.all),
            set.lowered(self.cols),
            set.raised(1).and(self.not_first),
            set.lowered(1).and(self.not_last),
        ]
    }

    /// The cells with a neighbour in the set.
    #[inline]
    pub fn around(&self, set: Bits<F>) -> Bits<F> {
        let [a, b, c, d] = self.shifted(set);
        a.or(b).or(c.or(d))
    }

    /// The cells of `within` that can be reached from a set through `within`.
    #[inline]
    pub fn flood(&self, from: Bits<F>, within: Bits<F>) -> Bits<F> {
        let mut reached = from.and(within);
        loop {
            let more = reached.or(self.around(reached).and(within));
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// How many cells of the set have 0, 1, 2, 3 and 4 neighbours in it.
    #[inline]
    pub fn degrees(&self, set: Bits<F>) -> [u32; 5] {
        // A column of full adders: `ones`, `twos` and `fours` are the digits
        // of each cell's count.
        let [a, b, c, d] = self.shifted(set);
        let (ab, ab_carry) = (a.xor(b), a.and(b));
        let (cd, cd_carry) = (c.xor(d), c.and(d));
        let (ones, carry) = (ab.xor(cd), ab.and(cd));
        let twos = ab_carry.xor(cd_carry).xor(carry);
        let fours = ab_carry.and(cd_carry);
        let (ones, twos, fours) = (ones.and(set), twos.and(set), fours.and(set));
        let three = ones.and(twos).len();
        let (one, two, four) = (ones.len() - three, twos.len() - three, fours.len());
        [set.len() - one - two - three - four, one, two, three, four]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const F: usize>(rows: usize, cols: usize, members: &[usize]) {
        let grid = Grid::<F>::new(rows, cols);
        let mut set = Bits::<F>::NONE;
        for cell in members {
            set.insert(cell % (rows * cols));
        }
        let neighbours = |cell: usize| {
            let (r, c) = (cell / cols, cell % cols);
            let near = move |&other: &usize| (other / cols).abs_diff(r) + (other % cols).abs_diff(c) == 1;
            (0..rows * cols).filter(near).filter(|&other| set.has(other)).count()
        };
        let around = grid.around(set);
        let mut degrees = [0; 5];
        for cell in 0..rows * cols {
            assert_eq!(around.has(cell), neighbours(cell) > 0);
            if set.has(cell) {
                degrees[neighbours(cell)] += 1;
            }
        }
        assert_eq!(around.and(grid.all), around);
        assert_eq!(grid.degrees(set), degrees);
    }

    proptest! {
        #[test]
        fn around_and_degrees(rows in 1..=8usize, cols in 1..=8usize, members in prop::collection::vec(0..64usize, 0..64)) {
            check::<1>(rows, cols, &members);
            check::<4>(rows, cols, &members);
        }

        #[test]
        fn wide_boards(rows in 1..=4usize, cols in 60..=64usize, members in prop::collection::vec(0..256usize, 0..200)) {
            check::<4>(rows, cols, &members);
        }
    }
}
