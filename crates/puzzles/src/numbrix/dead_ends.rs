//! Tests that show that a state has no solution below it.
//!
//! All of them look at the empty cells only, and each is sound: it never
//! rejects a state that can still be solved. In a solution every stretch of
//! missing numbers is a path of empty cells, so it lies in one connected
//! region of them and touches the given or written numbers at its ends.

use super::rules::{Gap, Rules, State};
use crate::bits::Bits;

/// Which of the tests are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeadEnds {
    /// By number, from 1; place 0 is unused.
    on: [bool; 5],
}

impl DeadEnds {
    /// Every test.
    pub const ALL: Self = Self { on: [true; 5] };
    /// No test.
    pub const NONE: Self = Self { on: [false; 5] };

    /// Reads `none`, `all`, or a list of numbers such as `1,2`.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "all" => return Ok(Self::ALL),
            "none" => return Ok(Self::NONE),
            _ => {}
        }
        let mut tests = Self::NONE;
        for item in text.split(',') {
            match item.trim().parse::<usize>() {
                Ok(number @ 1..=4) => tests.on[number] = true,
                _ => {
                    return Err(format!(
                        "'{item}' is no dead-end test; prune takes none, all, or some of 1,2,3,4"
                    ));
                }
            }
        }
        Ok(tests)
    }

    /// Whether one of the tests shows that a state cannot be solved.
    #[inline]
    pub fn reject<const F: usize>(self, rules: &Rules<F>, state: &State<F>) -> bool {
        let Some(at) = state.at() else { return false };
        if state.free().is_empty() {
            return false;
        }
        let here = Here { rules, state, at };
        (self.on[2] && here.too_far())
            || (self.on[1] && here.cut_off())
            || (self.on[3] && here.too_little_room())
            || (self.on[4] && here.useless_region())
    }
}

/// A state with empty cells, and where it is extended.
struct Here<'a, const F: usize> {
    rules: &'a Rules<F>,
    state: &'a State<F>,
    at: usize,
}

impl<const F: usize> Here<'_, F> {
    /// The stretches of missing numbers above the lowest given: the one that is
    /// being filled, from where the run ends now, and the untouched ones.
    fn gaps(&self) -> impl Iterator<Item = Gap> + '_ {
        let top = if self.rules.upwards(self.state) { self.state.next() - 1 } else { usize::MAX };
        let gaps = self.rules.gaps();
        let first = gaps.partition_point(|gap| gap.to.map_or(usize::MAX - 1, |to| to.0) <= top);
        gaps[first..].iter().enumerate().map(move |(i, &gap)| match i {
            0 => Gap { from: (top, self.at), ..gap },
            _ => gap,
        })
    }

    /// The cell below which numbers are missing, and how many.
    fn beginning(&self) -> Option<(usize, usize)> {
        match self.rules.lowest() {
            Some((lowest, cell)) if self.rules.upwards(self.state) => Some((cell, lowest - 1)),
            Some(_) => Some((self.at, self.state.next())),
            None => None,
        }
        .filter(|&(_, missing)| missing > 0)
    }

    fn flood(&self, cell: usize) -> Bits<F> {
        self.rules.grid().flood(self.rules.near(cell), self.state.free())
    }

    /// (1) No path of empty cells joins the run's end to the next run.
    fn cut_off(&self) -> bool {
        match self.gaps().next() {
            Some(Gap { to: Some((_, cell)), .. }) => !self.flood(self.at).meets(&self.rules.near(cell)),
            _ => false,
        }
    }

    /// (2) The next run is further away than the numbers between allow.
    fn too_far(&self) -> bool {
        match self.gaps().next() {
            Some(Gap { from, to: Some(to) }) => self.rules.board().distance(from.1, to.1) > to.0 - from.0,
            _ => false,
        }
    }

    /// (3) Too few empty cells can be reached for the numbers below the
    /// smallest or above the largest.
    fn too_little_room(&self) -> bool {
        let too_little = |cell, missing| (self.flood(cell).count() as usize) < missing;
        let last = self.rules.board().last();
        let below = self.beginning().is_some_and(|(cell, missing)| too_little(cell, missing));
        below
            || self
                .gaps()
                .last()
                .filter(|gap| gap.to.is_none())
                .is_some_and(|gap| too_little(gap.from.1, gap.missing(last)))
    }

    /// (4) Some region of empty cells cannot be filled: it touches both ends of
    /// no stretch of missing numbers (one end, for the first and last stretch).
    fn useless_region(&self) -> bool {
        let grid = self.rules.grid();
        let mut left = self.state.free();
        while !left.is_empty() {
            let region = grid.flood(left.first(), left);
            let touches = |cell: usize| region.meets(&self.rules.near(cell));
            let useful = self.beginning().is_some_and(|(cell, _)| touches(cell))
                || self.gaps().any(|gap| touches(gap.from.1) && gap.to.is_none_or(|to| touches(to.1)));
            if !useful {
                return true;
            }
            left = left.without(region);
        }
        false
    }
}
