//! These rules, and those of the steps, take pairs out until nothing changes:
//! - a number stays in a cell only if its predecessor and its successor can be
//!   in two *different* neighbours of it. Along a stretch between two clues
//!   this is exact reachability from both ends at once, parity included, and it
//!   knows that a cell with one open neighbour is a dead end;
//! - a number with one cell left takes it from all others;
//! - a cell with one number left takes it from all other cells.

use super::{Domains, PAD, Wipeout, word_bit};

impl Domains {
    /// Puts a number into a place for good.
    pub fn assign(&mut self, value: usize, place: usize) {
        let (from, to) = self.span[value];
        for word in from as usize..to as usize {
            let mut others = self.cells[self.word(value, word)];
            if word == place / 64 {
                others &= !(1 << (place % 64));
            }
            if others != 0 {
                self.remove_all(value, word, others);
            }
        }
        self.settled_numbers.push(value as u16);
    }

    /// Applies the rules until nothing changes.
    pub fn propagate(&mut self) -> Result<(), Wipeout> {
        while self.wipeout.is_none() {
            if let Some(value) = self.settled_numbers.pop() {
                self.claim_cell(value as usize);
            } else if let Some(place) = self.settled_cells.pop() {
                let place = place as usize;
                let value = self.values_at(place).next().expect("one is left");
                if self.cell_count[value] > 1 {
                    self.assign(value, place);
                }
            } else if let Some(value) = self.queue.pop_front() {
                let words = std::mem::take(&mut self.queued[value as usize]);
                self.support(value as usize, words);
            } else if self.any_changed {
                self.look_at_steps();
            } else {
                return Ok(());
            }
        }
        self.settled_numbers.clear();
        self.settled_cells.clear();
        for value in self.queue.drain(..) {
            self.queued[value as usize] = 0;
        }
        self.changed.fill(0);
        self.any_changed = false;
        Err(self.wipeout.take().expect("the loop has ended"))
    }

    /// A number has one cell: no other can be there.
    fn claim_cell(&mut self, value: usize) {
        let Some(place) = self.places_of(value).next() else { return };
        if self.number_count[place] == 1 {
            return;
        }
        let first = place * self.number_words;
        for word in 0..self.number_words {
            let mut others = self.numbers[first + word];
            if word == value / 64 {
                others &= !(1 << (value % 64));
            }
            while others != 0 {
                self.remove(word * 64 + others.trailing_zeros() as usize, place);
                others &= others - 1;
            }
        }
    }

    /// Takes a number out of the cells where it has no room for its two
    /// neighbours, in words that are given as bits.
    #[inline]
    fn support(&mut self, value: usize, words: u64) {
        if self.last == 1 {
            return;
        }
        let (from, to) = self.span[value];
        let (before, after) = (self.word(value - 1, 0), value + 1);
        let after = if after <= self.last { self.word(after, 0) } else { before };
        let before = if value > 1 { before } else { after };
        let ends = before == after;
        let row = self.word(value, 0);
        for word in from as usize..to as usize {
            let here = self.cells[row + word];
            if here == 0 || words & word_bit(word) == 0 {
                continue;
            }
            let b = self.supporters(after, word);
            let once = b[0] | b[1] | b[2] | b[3];
            let unsupported = if ends {
                here & !once
            } else {
                let a = self.supporters(before, word);
                let twice = (b[0] & b[1]) | (b[2] & b[3]) | ((b[0] | b[1]) & (b[2] | b[3]));
                let elsewhere = |i: usize| a[i] & (twice | (once & !b[i]));
                here & !(elsewhere(0) | elsewhere(1) | elsewhere(2) | elsewhere(3))
            };
            if unsupported != 0 {
                self.remove_all(value, word, unsupported);
            }
        }
    }

    /// For each of the four ways, the places of one word whose neighbour there
    /// is in a set of cells and can be stepped to.
    #[inline]
    fn supporters(&self, first: usize, word: usize) -> [u64; 4] {
        let all = Self::shifted(&self.cells, self.stride, first + word);
        let closed = &self.closed[word];
        [all[0] & !closed[0], all[1] & !closed[1], all[2] & !closed[2], all[3] & !closed[3]]
    }

    /// For each of the four ways, the places of one word whose neighbour there
    /// is in a set; `i` is the word's index in the padded sets.
    #[inline]
    pub(super) fn shifted(sets: &[u64], stride: usize, i: usize) -> [u64; 4] {
        // Rows are never longer than two words.
        let (q, r) = (stride / 64 % 2, stride % 64);
        let x: &[u64; 2 * PAD + 1] = sets[i - PAD..=i + PAD].try_into().expect("so many words");
        // A shift by 63 - r after one by 1 also works where r is 0.
        [
            x[PAD] << 1 | x[PAD - 1] >> 63,
            x[PAD] >> 1 | x[PAD + 1] << 63,
            x[PAD - q] << r | x[PAD - q - 1] >> 1 >> (63 - r),
            x[PAD + q] >> r | x[PAD + q + 1] << 1 << (63 - r),
        ]
    }
}
