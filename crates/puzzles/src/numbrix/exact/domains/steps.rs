//! The steps of the path between neighbouring cells.
//!
//! Every cell but the two ends of the path has two steps. Where no more than
//! two are left, both are taken: the cells beyond then hold numbers beside
//! those of the cell. A cell with two steps taken has no room for others, and
//! no number finds its neighbours by way of them.

use super::{Domains, PAD, Wipeout, word_bit};

/// Marks of the trail for steps, beyond all numbers: the way is added.
const TAKEN: u16 = 0xFFF0;
const CLOSED: u16 = 0xFFF8;

impl Domains {
    /// Whether an entry of the trail is about a step, which is then undone.
    #[inline]
    pub(super) fn undo_step(&mut self, mark: u16, place: u16) -> bool {
        if mark < TAKEN {
            return false;
        }
        if mark >= CLOSED {
            self.flip(place as usize, (mark - CLOSED) as usize, |domains| &mut domains.closed);
        } else {
            self.flip(place as usize, (mark - TAKEN) as usize, |domains| &mut domains.taken);
        }
        true
    }

    /// Changes the state of a step at both of its cells.
    fn flip(&mut self, place: usize, way: usize, of: fn(&mut Self) -> &mut Vec<[u64; 4]>) {
        let next = self.beyond(place, way);
        of(self)[place / 64][way] ^= 1 << (place % 64);
        of(self)[next / 64][way ^ 1] ^= 1 << (next % 64);
    }

    /// The place beyond a step: left, right, up or down.
    #[inline]
    fn beyond(&self, place: usize, way: usize) -> usize {
        match way {
            0 => place.wrapping_sub(1),
            1 => place + 1,
            2 => place.wrapping_sub(self.stride),
            _ => place + self.stride,
        }
    }

    /// Looks at the steps of the cells that have changed, and of those beside
    /// them.
    pub(super) fn look_at_steps(&mut self) {
        self.any_changed = false;
        let mut around = std::mem::take(&mut self.around);
        for (word, near) in around.iter_mut().enumerate() {
            let i = PAD + word;
            let ways = Self::shifted(&self.changed, self.stride, i);
            *near = ways.into_iter().fold(self.changed[i], |all, way| all | way);
        }
        self.changed.fill(0);
        'all: for (word, &near) in around.iter().enumerate() {
            let mut near = near;
            while near != 0 {
                let place = word * 64 + near.trailing_zeros() as usize;
                near &= near - 1;
                if place < self.places() && self.is_cell(place) {
                    self.look_at_steps_of(place);
                    if self.wipeout.is_some() {
                        break 'all;
                    }
                }
            }
        }
        self.around = around;
    }

    /// Takes the steps of a cell if there is no choice between them.
    fn look_at_steps_of(&mut self, place: usize) {
        let numbers = &self.numbers[place * self.number_words..];
        let can_end = (numbers[0] >> 1 | numbers[self.last / 64] >> (self.last % 64)) & 1 != 0;
        let need = if can_end { 1 } else { 2 };
        let (mut ways, mut count) = ([0; 2], 0);
        for way in 0..4 {
            if self.can_step(place, way) {
                if count == need {
                    return;
                }
                ways[count] = way;
                count += 1;
            }
        }
        if count < need {
            self.wipeout = Some(Wipeout::Cell(place));
            return;
        }
        for &way in &ways[..need] {
            self.take(place, way);
        }
    }

    /// Whether a step is open and two numbers in a row can be at its ends.
    #[inline]
    fn can_step(&self, place: usize, way: usize) -> bool {
        let next = self.beyond(place, way);
        if has(&self.closed, place, way) || next >= self.places() || !self.is_cell(next) {
            return false;
        }
        let there = &self.numbers[next * self.number_words..];
        (0..self.number_words).any(|word| self.near(place, word) & there[word] != 0)
    }

    /// The numbers beside those of a place, as a word of bits.
    #[inline]
    fn near(&self, place: usize, word: usize) -> u64 {
        let words = &self.numbers[place * self.number_words..(place + 1) * self.number_words];
        let mut near = words[word] << 1 | words[word] >> 1;
        if word > 0 {
            near |= words[word - 1] >> 63;
        }
        if let Some(&after) = words.get(word + 1) {
            near |= after << 63;
        }
        near
    }

    /// Takes a step. The cell beyond it may then have no room for others.
    fn take(&mut self, place: usize, way: usize) {
        let next = self.beyond(place, way);
        for word in 0..self.number_words {
            let mut apart = self.numbers[next * self.number_words + word] & !self.near(place, word);
            while apart != 0 {
                self.remove(word * 64 + apart.trailing_zeros() as usize, next);
                apart &= apart - 1;
            }
        }
        if has(&self.taken, place, way) {
            return;
        }
        self.flip(place, way, |domains| &mut domains.taken);
        self.trail.push((TAKEN + way as u16, place as u16));
        if (0..4).filter(|&way| has(&self.taken, next, way)).count() == 2 {
            for way in 0..4 {
                if !has(&self.taken, next, way) && self.can_step(next, way) {
                    self.close(next, way);
                }
            }
        }
    }

    /// Closes a step: the numbers at its ends must find other ways.
    fn close(&mut self, place: usize, way: usize) {
        self.flip(place, way, |domains| &mut domains.closed);
        self.trail.push((CLOSED + way as u16, place as u16));
        let next = self.beyond(place, way);
        for (place, next) in [(place, next), (next, place)] {
            self.changed[PAD + place / 64] |= 1 << (place % 64);
            for word in 0..self.number_words {
                let mut numbers = self.numbers[place * self.number_words + word] & self.near(next, word);
                while numbers != 0 {
                    self.look_again(word * 64 + numbers.trailing_zeros() as usize, word_bit(place / 64));
                    numbers &= numbers - 1;
                }
            }
        }
        self.any_changed = true;
    }
}

/// Whether a step is in a set of them.
#[inline]
fn has(steps: &[[u64; 4]], place: usize, way: usize) -> bool {
    steps[place / 64][way] >> (place % 64) & 1 != 0
}
