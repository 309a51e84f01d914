//! Which lists are not empty.

/// A set of small numbers whose next member is found by looking at one bit for each 4096.
#[derive(Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    /// Which words are not 0.
    summary: Vec<u64>,
}

impl Bits {
    pub fn new(count: usize) -> Self {
        Self { words: vec![0; count.div_ceil(64)], summary: vec![0; count.div_ceil(64 * 64)] }
    }

    #[inline]
    pub fn set(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
        self.summary[i / 4096] |= 1 << (i / 64 % 64);
    }

    #[inline]
    pub fn clear(&mut self, i: usize) {
        let word = &mut self.words[i / 64];
        *word &= !(1 << (i % 64));
        if *word == 0 {
            self.summary[i / 4096] &= !(1 << (i / 64 % 64));
        }
    }

    /// The first member from `i` on.
    #[inline]
    pub fn first_from(&self, i: usize) -> Option<usize> {
        let word = self.words.get(i / 64)? & (u64::MAX << (i % 64));
        if word != 0 {
            return Some(i / 64 * 64 + word.trailing_zeros() as usize);
        }
        let next = i / 64 + 1;
        let mut at = next / 64;
        let mut summary = self.summary.get(at)? & (u64::MAX << (next % 64));
        while summary == 0 {
            at += 1;
            summary = *self.summary.get(at)?;
        }
        let word = at * 64 + summary.trailing_zeros() as usize;
        Some(word * 64 + self.words[word].trailing_zeros() as usize)
    }

    pub fn bytes(&self) -> usize {
        (self.words.len() + self.summary.len()) * size_of::<u64>()
    }
}
