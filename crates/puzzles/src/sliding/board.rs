//! How a position is held while searching: packed as tightly as it fits.

use std::fmt::Debug;
use std::hash::Hash;

use novelo_search::parallel::Wire;
use novelo_search::wire_fields;

/// A position: the tile of every cell, 0 for the blank.
pub trait Board: Clone + Eq + Hash + Debug + Send + Sync + Wire + 'static {
    /// Most cells that fit.
    const CELLS: usize;

    /// Packs tiles given row by row.
    fn pack(tiles: &[u8]) -> Self;
    /// The tile of a cell.
    fn tile(&self, cell: usize) -> u8;
    /// The cell of the blank.
    fn blank(&self) -> usize;
    /// Moves the tile of one cell to the blank, which is at `blank`.
    fn slide(&mut self, from: usize, blank: usize);
}

/// Up to 16 cells of four bits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packed64(u64);

wire_fields!([] Packed64 { 0: u64 });

impl Board for Packed64 {
    const CELLS: usize = 16;

    fn pack(tiles: &[u8]) -> Self {
        Self(tiles.iter().enumerate().fold(0, |x, (cell, &tile)| x | u64::from(tile) << (4 * cell)))
    }

    #[inline]
    fn tile(&self, cell: usize) -> u8 {
        (self.0 >> (4 * cell)) as u8 & 15
    }

    /// The lowest zero field: subtracting one from every field borrows into
    /// the high bit of exactly those that were zero, up to the first of them.
    #[inline]
    fn blank(&self) -> usize {
        const ONES: u64 = 0x1111_1111_1111_1111;
        let zeros = self.0.wrapping_sub(ONES) & !self.0 & (ONES << 3);
        zeros.trailing_zeros() as usize / 4
    }

    #[inline]
    fn slide(&mut self, from: usize, blank: usize) {
        let tile = (self.0 >> (4 * from)) & 15;
        self.0 ^= tile << (4 * from) | tile << (4 * blank);
    }
}

/// Up to 25 cells of five bits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packed128(u128);

wire_fields!([] Packed128 { 0: u128 });

impl Board for Packed128 {
    const CELLS: usize = 25;

    fn pack(tiles: &[u8]) -> Self {
        Self(tiles.iter().enumerate().fold(0, |x, (cell, &tile)| x | u128::from(tile) << (5 * cell)))
    }

    #[inline]
    fn tile(&self, cell: usize) -> u8 {
        (self.0 >> (5 * cell)) as u8 & 31
    }

    #[inline]
    fn blank(&self) -> usize {
        const ONES: u128 = {
            let mut ones = 0;
            let mut cell = 0;
            while cell < 25 {
                ones |= 1 << (5 * cell);
                cell += 1;
            }
            ones
        };
        let zeros = self.0.wrapping_sub(ONES) & !self.0 & (ONES << 4);
        zeros.trailing_zeros() as usize / 5
    }

    #[inline]
    fn slide(&mut self, from: usize, blank: usize) {
        let tile = (self.0 >> (5 * from)) & 31;
        self.0 ^= tile << (5 * from) | tile << (5 * blank);
    }
}

/// Up to `N` cells of a byte each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bytes<const N: usize> {
    tiles: [u8; N],
    blank: u8,
}

wire_fields!([const N: usize] Bytes<N> { tiles: [u8; N], blank: u8 });

impl<const N: usize> Board for Bytes<N> {
    const CELLS: usize = N;

    fn pack(tiles: &[u8]) -> Self {
        let mut bytes = [0; N];
        bytes[..tiles.len()].copy_from_slice(tiles);
        let blank = tiles.iter().position(|&tile| tile == 0).expect("a board has a blank");
        Self { tiles: bytes, blank: blank as u8 }
    }

    #[inline]
    fn tile(&self, cell: usize) -> u8 {
        self.tiles[cell]
    }

    #[inline]
    fn blank(&self) -> usize {
        self.blank as usize
    }

    #[inline]
    fn slide(&mut self, from: usize, blank: usize) {
        self.tiles[blank] = self.tiles[from];
        self.tiles[from] = 0;
        self.blank = from as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packing_keeps_everything<B: Board>(tiles: &[u8]) {
        let board = B::pack(tiles);
        assert_eq!(tiles[board.blank()], 0);
        for (cell, &tile) in tiles.iter().enumerate() {
            assert_eq!(board.tile(cell), tile);
            let mut moved = tiles.to_vec();
            moved.swap(cell, board.blank());
            let mut slid = board.clone();
            if tile != 0 {
                slid.slide(cell, board.blank());
            }
            assert_eq!(slid, B::pack(&moved));
        }
    }

    proptest! {
        #[test]
        fn packing(tiles in (2..=16u8).prop_flat_map(|n| Just((0..n).collect::<Vec<_>>()).prop_shuffle())) {
            packing_keeps_everything::<Packed64>(&tiles);
            packing_keeps_everything::<Packed128>(&tiles);
            packing_keeps_everything::<Bytes<36>>(&tiles);
        }

        #[test]
        fn packing_larger(tiles in (17..=25u8).prop_flat_map(|n| Just((0..n).collect::<Vec<_>>()).prop_shuffle())) {
            packing_keeps_everything::<Packed128>(&tiles);
            packing_keeps_everything::<Bytes<256>>(&tiles);
        }
    }
}
