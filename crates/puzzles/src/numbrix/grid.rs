//! Which cells of a grid are neighbours, for sets of them at once.

use crate::bits::Bits;

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
        let mut grid = Self { cols, all: Bits::EMPTY, not_first: Bits::EMPTY, not_last: Bits::EMPTY };
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
            set.forth(self.cols) & self.all,
            set.back(self.cols),
            set.forth(1) & self.not_first,
            set.back(1) & self.not_last,
        ]
    }

    /// The cells with a neighbour in the set.
    #[inline]
    pub fn around(&self, set: Bits<F>) -> Bits<F> {
        let [a, b, c, d] = self.shifted(set);
        a | b | (c | d)
    }

    /// The cells of `within` that can be reached from a set through `within`.
    #[inline]
    pub fn flood(&self, from: Bits<F>, within: Bits<F>) -> Bits<F> {
        let mut reached = from & within;
        loop {
            let more = reached | (self.around(reached) & within);
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
        let (ab, ab_carry) = (a ^ b, a & b);
        let (cd, cd_carry) = (c ^ d, c & d);
        let (ones, carry) = (ab ^ cd, ab & cd);
        let twos = ab_carry ^ cd_carry ^ carry;
        let fours = ab_carry & cd_carry;
        let (ones, twos, fours) = (ones & set, twos & set, fours & set);
        let three = (ones & twos).count();
        let (one, two, four) = (ones.count() - three, twos.count() - three, fours.count());
        [set.count() - one - two - three - four, one, two, three, four]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const F: usize>(rows: usize, cols: usize, members: &[usize]) {
        let grid = Grid::<F>::new(rows, cols);
        let mut set = Bits::<F>::EMPTY;
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
        assert_eq!(around & grid.all, around);
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
