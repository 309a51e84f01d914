//! Which numbers can stand in which cells, kept consistent.
//!
//! Every number has the set of cells it can be in, every cell the set of
//! numbers that can be in it; the two hold the same pairs. Sets of cells are
//! bits with one unused column between rows, so that shifting a set by one
//! place or one row moves all its cells at once and none ever comes in on the
//! other side.
//!
//! Three rules take pairs out until nothing changes:
//! - a number stays in a cell only if its predecessor and its successor can be
//!   in two *different* neighbours of it. Along a stretch between two clues
//!   this is exact reachability from both ends at once, parity included, and it
//!   knows that a cell with one open neighbour is a dead end;
//! - a number with one cell left takes it from all others;
//! - a cell with one number left takes it from all other cells.

use std::collections::VecDeque;

use super::super::instance::Board;

/// Words of zeros before and after each set of cells, for shifts by a row.
const PAD: usize = 2;

/// A set of cells or numbers ran empty: there is no solution here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wipeout {
    /// This number can be nowhere.
    Number(usize),
    /// No number can be in this place.
    Cell(usize),
    /// The regions of empty cells do not fit the missing numbers.
    Regions,
}

/// The sets, with a trail to go back by.
#[derive(Debug, Clone)]
pub struct Domains {
    cols: usize,
    /// Places of a row: its cells and one unused.
    pub(super) stride: usize,
    /// The largest number.
    pub(super) last: usize,
    /// Length of a set of cells in words, without padding.
    pub(super) words: usize,
    /// By number from 0 (unused) on: the cells it can be in.
    cells: Vec<u64>,
    cell_count: Vec<u16>,
    /// The words in which a number's cells were at the root.
    span: Vec<(u16, u16)>,
    /// Length of a set of numbers in words.
    number_words: usize,
    /// By place: the numbers that can be in it.
    numbers: Vec<u64>,
    number_count: Vec<u16>,
    /// Pairs taken out, in order.
    trail: Vec<(u16, u16)>,
    /// Numbers to look at again.
    queue: VecDeque<u16>,
    queued: Vec<bool>,
    /// Numbers and cells that have one choice left.
    settled_numbers: Vec<u16>,
    settled_cells: Vec<u16>,
    wipeout: Option<Wipeout>,
}

impl Domains {
    /// Everything that distances between the clues allow.
    pub fn new(board: &Board) -> Self {
        let (rows, cols, last) = (board.size.rows, board.size.cols, board.last());
        let stride = cols + 1;
        let words = (rows * stride).div_ceil(64);
        let number_words = (last + 1).div_ceil(64);
        let mut domains = Self {
            cols,
            stride,
            last,
            words,
            cells: vec![0; (last + 1) * (words + 2 * PAD)],
            cell_count: vec![0; last + 1],
            span: vec![(0, words as u16); last + 1],
            number_words,
            numbers: vec![0; rows * stride * number_words],
            number_count: vec![0; rows * stride],
            trail: Vec::new(),
            queue: (1..=last as u16).collect(),
            queued: vec![true; last + 1],
            settled_numbers: Vec::new(),
            settled_cells: Vec::new(),
            wipeout: None,
        };
        let clues = board.by_value();
        for &(value, cell) in &clues {
            domains.put(value, domains.place(cell));
        }
        let mut next = 0;
        for value in 1..=last {
            if clues.get(next).is_some_and(|clue| clue.0 == value) {
                next += 1;
                continue;
            }
            let before = next.checked_sub(1).map(|i| (value - clues[i].0, clues[i].1));
            let after = clues.get(next).map(|clue| (clue.0 - value, clue.1));
            domains.put_around(board, value, before, after);
        }
        for value in 1..=last {
            domains.after_shrinking_number(value);
            let row = domains.row(value);
            let first = row.iter().position(|&word| word != 0).unwrap_or(0);
            let end = row.iter().rposition(|&word| word != 0).map_or(0, |word| word + 1);
            domains.span[value] = (first as u16, end as u16);
        }
        for cell in 0..board.last() {
            domains.after_shrinking_cell(domains.place(cell));
        }
        domains
    }

    /// Puts a number into every empty cell near enough to the clues before and
    /// after it, which are given by the steps to them and their cells.
    fn put_around(
        &mut self,
        board: &Board,
        value: usize,
        before: Option<(usize, usize)>,
        after: Option<(usize, usize)>,
    ) {
        let (rows, cols) = (board.size.rows as isize, board.size.cols as isize);
        let clues = || before.iter().chain(&after);
        let centre = |cell: usize| (cell as isize / cols, cell as isize % cols);
        let (mut top, mut bottom) = (0, rows - 1);
        for &(steps, cell) in clues() {
            top = top.max(centre(cell).0 - steps as isize);
            bottom = bottom.min(centre(cell).0 + steps as isize);
        }
        for row in top..=bottom {
            let (mut left, mut right, mut odd) = (0, cols - 1, None);
            for &(steps, cell) in clues() {
                let (r, c) = centre(cell);
                let reach = steps as isize - (row - r).abs();
                left = left.max(c - reach);
                right = right.min(c + reach);
                odd = Some((c + reach) & 1);
            }
            if let Some(odd) = odd {
                left += (left ^ odd) & 1;
            }
            for col in (left..=right).step_by(if odd.is_some() { 2 } else { 1 }) {
                if board.cells[(row * cols + col) as usize] == 0 {
                    self.put(value, row as usize * self.stride + col as usize);
                }
            }
        }
    }

    fn put(&mut self, value: usize, place: usize) {
        let i = self.word(value, place / 64);
        self.cells[i] |= 1 << (place % 64);
        self.cell_count[value] += 1;
        self.numbers[place * self.number_words + value / 64] |= 1 << (value % 64);
        self.number_count[place] += 1;
    }

    /// The place of a cell of the board.
    pub fn place(&self, cell: usize) -> usize {
        cell / self.cols * self.stride + cell % self.cols
    }

    /// The cell of the board at a place.
    pub fn cell(&self, place: usize) -> usize {
        place / self.stride * self.cols + place % self.stride
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (self.cells.len() + self.numbers.len()) * 8 + self.trail.capacity() * 4 + self.places() * 2
    }

    /// How many places there are, used or not.
    pub fn places(&self) -> usize {
        self.number_count.len()
    }

    /// Whether a place is a cell of the board.
    pub fn is_cell(&self, place: usize) -> bool {
        place % self.stride < self.cols
    }

    #[inline]
    fn word(&self, value: usize, word: usize) -> usize {
        value * (self.words + 2 * PAD) + PAD + word
    }

    /// The places that a number can be in, as bits.
    #[inline]
    pub fn row(&self, value: usize) -> &[u64] {
        let first = self.word(value, 0);
        &self.cells[first..first + self.words]
    }

    /// How many cells a number can be in.
    #[inline]
    pub fn cells_of(&self, value: usize) -> usize {
        self.cell_count[value] as usize
    }

    /// How many numbers can be in a place.
    #[inline]
    pub fn numbers_at(&self, place: usize) -> usize {
        self.number_count[place] as usize
    }

    /// How many pairs of a number and a cell are left.
    pub fn pairs(&self) -> usize {
        self.cell_count.iter().map(|&count| count as usize).sum()
    }

    /// The places that a number can be in.
    pub fn places_of(&self, value: usize) -> impl Iterator<Item = usize> + '_ {
        let (from, to) = self.span[value];
        let row = &self.row(value)[from as usize..to as usize];
        ones(row).map(move |place| place + from as usize * 64)
    }

    /// The numbers that can be in a place.
    pub fn values_at(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        ones(&self.numbers[place * self.number_words..(place + 1) * self.number_words])
    }

    /// The numbers of all cells, once each has one.
    pub fn solution(&self) -> Vec<u16> {
        let mut cells = vec![0; self.last];
        for value in 1..=self.last {
            let place = self.places_of(value).next().expect("a number that is nowhere is a wipeout");
            cells[self.cell(place)] = value as u16;
        }
        cells
    }

    /// Takes a number out of a cell of the board.
    pub fn forbid(&mut self, value: usize, cell: usize) {
        let place = self.place(cell);
        if self.cells[self.word(value, place / 64)] >> (place % 64) & 1 != 0 {
            self.remove(value, place);
        }
    }

    /// How long the trail is, to come back to.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Puts everything back that was taken out since a mark.
    pub fn back(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let (value, place) = self.trail.pop().expect("longer than the mark");
            self.put(value as usize, place as usize);
        }
    }

    /// Takes one pair out.
    #[inline]
    pub fn remove(&mut self, value: usize, place: usize) {
        let i = self.word(value, place / 64);
        self.cells[i] &= !(1 << (place % 64));
        self.cell_count[value] -= 1;
        self.numbers[place * self.number_words + value / 64] &= !(1 << (value % 64));
        self.number_count[place] -= 1;
        self.trail.push((value as u16, place as u16));
        self.after_shrinking_number(value);
        self.after_shrinking_cell(place);
    }

    #[inline]
    fn after_shrinking_number(&mut self, value: usize) {
        match self.cell_count[value] {
            0 => self.wipeout = Some(Wipeout::Number(value)),
            1 => self.settled_numbers.push(value as u16),
            _ => {}
        }
        for beside in [value - 1, value + 1] {
            if beside != 0 && beside <= self.last && !self.queued[beside] {
                self.queued[beside] = true;
                self.queue.push_back(beside as u16);
            }
        }
    }

    #[inline]
    fn after_shrinking_cell(&mut self, place: usize) {
        match self.number_count[place] {
            0 => self.wipeout = Some(Wipeout::Cell(place)),
            1 => self.settled_cells.push(place as u16),
            _ => {}
        }
    }

    /// Puts a number into a place for good.
    pub fn assign(&mut self, value: usize, place: usize) {
        let (from, to) = self.span[value];
        for word in from as usize..to as usize {
            let mut others = self.cells[self.word(value, word)];
            if word == place / 64 {
                others &= !(1 << (place % 64));
            }
            while others != 0 {
                self.remove(value, word * 64 + others.trailing_zeros() as usize);
                others &= others - 1;
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
                self.queued[value as usize] = false;
                self.support(value as usize);
            } else {
                return Ok(());
            }
        }
        self.settled_numbers.clear();
        self.settled_cells.clear();
        for value in self.queue.drain(..) {
            self.queued[value as usize] = false;
        }
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
    /// neighbours.
    #[inline]
    fn support(&mut self, value: usize) {
        if self.last == 1 {
            return;
        }
        let (from, to) = self.span[value];
        let (before, after) = (self.word(value - 1, 0), value + 1);
        let after = if after <= self.last { self.word(after, 0) } else { before };
        let before = if value > 1 { before } else { after };
        let ends = before == after;
        for word in from as usize..to as usize {
            let here = self.cells[self.word(value, word)];
            if here == 0 {
                continue;
            }
            let b = self.shifted(after + word);
            let once = b[0] | b[1] | b[2] | b[3];
            let mut unsupported = if ends {
                here & !once
            } else {
                let a = self.shifted(before + word);
                let twice = (b[0] & b[1]) | (b[2] & b[3]) | ((b[0] | b[1]) & (b[2] | b[3]));
                let elsewhere = |i: usize| a[i] & (twice | (once & !b[i]));
                here & !(elsewhere(0) | elsewhere(1) | elsewhere(2) | elsewhere(3))
            };
            while unsupported != 0 {
                self.remove(value, word * 64 + unsupported.trailing_zeros() as usize);
                unsupported &= unsupported - 1;
            }
        }
    }

    /// For each of the four ways, the places of one word whose neighbour there
    /// is in a set; `i` is the word's index in the padded sets.
    #[inline]
    fn shifted(&self, i: usize) -> [u64; 4] {
        let (q, r) = (self.stride / 64, self.stride % 64);
        let x = &self.cells[i - PAD..=i + PAD];
        // A shift by 63 - r after one by 1 also works where r is 0.
        [
            x[PAD] << 1 | x[PAD - 1] >> 63,
            x[PAD] >> 1 | x[PAD + 1] << 63,
            x[PAD - q] << r | x[PAD - q - 1] >> 1 >> (63 - r),
            x[PAD + q] >> r | x[PAD + q + 1] << 1 << (63 - r),
        ]
    }
}

/// The places of the bits that are set.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(i * 64 + bit)
        })
    })
}
