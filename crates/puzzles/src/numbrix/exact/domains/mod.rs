//! Which numbers can stand in which cells, kept consistent.
//!
//! Every number has the set of cells it can be in, every cell the set of
//! numbers that can be in it; the two hold the same pairs. Sets of cells are
//! bits with one unused column between rows, so that shifting a set by one
//! place or one row moves all its cells at once and none ever comes in on the
//! other side.

mod propagate;
mod steps;

use std::collections::VecDeque;

use crate::numbrix::instance::Board;

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
    /// By word, then by way (left, right, up, down): the places whose step that
    /// way is taken, and those where it is closed.
    taken: Vec<[u64; 4]>,
    closed: Vec<[u64; 4]>,
    /// Places whose numbers have changed, with padding, and whether there are any.
    changed: Vec<u64>,
    any_changed: bool,
    /// A buffer for the places around those.
    around: Vec<u64>,
    /// Pairs taken out, and steps taken or closed, in order.
    trail: Vec<(u16, u16)>,
    /// Numbers to look at again. First come, first served: failures are then
    /// found near the decision that led to them, and say more.
    queue: VecDeque<u16>,
    /// By number: the words to look at, as bits, of which the last stands for
    /// all from there on. Never empty for 0 and for the one after the last,
    /// which are not looked at.
    queued: Vec<u64>,
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
            taken: vec![[0; 4]; words],
            closed: vec![[0; 4]; words],
            changed: vec![0; words + 2 * PAD],
            // A single cell has no steps.
            any_changed: last > 1,
            around: vec![0; words],
            trail: Vec::new(),
            queue: (1..=last as u16).collect(),
            queued: vec![u64::MAX; last + 2],
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
            domains.after_shrinking_number(value, 0);
            let row = domains.row(value);
            let first = row.iter().position(|&word| word != 0).unwrap_or(0);
            let end = row.iter().rposition(|&word| word != 0).map_or(0, |word| word + 1);
            domains.span[value] = (first as u16, end as u16);
        }
        domains.changed[PAD..PAD + words].fill(u64::MAX);
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
    #[cfg(feature = "sat")]
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
            if !self.undo_step(value, place) {
                self.put(value as usize, place as usize);
            }
        }
    }

    /// Takes one pair out.
    #[inline]
    pub fn remove(&mut self, value: usize, place: usize) {
        self.remove_all(value, place / 64, 1 << (place % 64));
    }

    /// Takes a number out of some of its places, bits of a word.
    #[inline]
    fn remove_all(&mut self, value: usize, word: usize, places: u64) {
        let i = self.word(value, word);
        self.cells[i] &= !places;
        self.cell_count[value] -= places.count_ones() as u16;
        self.changed[PAD + word] |= places;
        self.any_changed = true;
        self.after_shrinking_number(value, word);
        let (at, bit) = (value / 64, 1 << (value % 64));
        let mut rest = places;
        while rest != 0 {
            let place = word * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            self.numbers[place * self.number_words + at] &= !bit;
            self.number_count[place] -= 1;
            self.trail.push((value as u16, place as u16));
            self.after_shrinking_cell(place);
        }
    }

    #[inline]
    fn after_shrinking_number(&mut self, value: usize, word: usize) {
        match self.cell_count[value] {
            0 => self.wipeout = Some(Wipeout::Number(value)),
            1 => self.settled_numbers.push(value as u16),
            _ => {}
        }
        let here = word_bit(word);
        let mut around = here << 1 | here | here >> 1;
        if self.stride >= 64 {
            around |= around << 1 | around >> 1;
        }
        self.look_again(value - 1, around);
        self.look_again(value + 1, around);
    }

    /// Notes that a number is to be looked at in some words.
    #[inline]
    fn look_again(&mut self, value: usize, words: u64) {
        if self.queued[value] == 0 {
            self.queue.push_back(value as u16);
        }
        self.queued[value] |= words;
    }

    #[inline]
    fn after_shrinking_cell(&mut self, place: usize) {
        match self.number_count[place] {
            0 => self.wipeout = Some(Wipeout::Cell(place)),
            1 => self.settled_cells.push(place as u16),
            _ => {}
        }
    }
}

/// The bit of a word in a set of words.
#[inline]
fn word_bit(word: usize) -> u64 {
    1 << word.min(63)
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
