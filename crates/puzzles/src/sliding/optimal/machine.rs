//! Operator-sequence pruning by a finite-state machine (L. A. Taylor, R. E. Korf, "Pruning duplicate nodes in
//! depth-first search", AAAI 1993).
//!
//! # Which strings are forbidden
//! A string `w` of blank moves is forbidden when there is another string `v`, its *twin*, such that
//! 1. both carry the same tiles to the same places, wherever they can be made;
//! 2. the cells the blank visits on `v` lie in the bounding box of those it visits on `w`, so on a rectangular board
//!    `v` can be made wherever `w` can;
//! 3. `v` is shorter, or equally long and earlier in the dictionary (in the fixed order of
//!    [`Move::DEFAULT_ORDER`], so that the solution a search meets first is not the one that is left out).
//!
//! # Why no optimal cost is lost
//! Take any solvable position and, of its shortest solutions, the one first in the dictionary, `s`. Suppose `s` held
//! a forbidden string `w`. Put its twin `v` in its place: by 1 and 2 the result is again a solution. It is no shorter
//! than `s`, so `v` is as long as `w` and earlier in the dictionary; but then the new solution is as short as `s` and
//! earlier. That contradicts the choice of `s`. So `s` holds no forbidden string and a search that never completes
//! one still finds it, at the same depth; with an admissible heuristic no bound that is at least the optimal cost
//! cuts it. Exclusions cannot form a cycle, because each points to a string that is strictly smaller in one
//! well-founded order (length, then dictionary); it does not matter whether the twin is itself forbidden.
//!
//! # Starts that are their own mirror image
//! If a symmetry of the board leaves the start as it is, and the goal with it, the image of a solution is a solution.
//! The image of `s` is thus no earlier than `s`, nor is its first move. So of first moves that are images of each other
//! all but the earliest can be left out, and `s` is still found.
//!
//! The argument needs the whole string from the start of the search: the machine starts in its first state at the
//! root and is carried along, also through the first plies of a parallel search.

use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::prefetch::prefetch;
use crate::sliding::optimal::shape::Shape;
use crate::sliding::rules::Move;
use novelo_search::{Budget, Control, Limits, Meter, Stop};
use rustc_hash::FxHashMap;

/// A machine that follows the moves of a search and says which next moves would complete a forbidden string.
///
/// A state is a number whose highest four bits are the allowed moves: reading them takes no memory access.
pub struct MoveMachine {
    next: Vec<[u32; 4]>,
}

/// A string of at most 32 moves, two bits each, the first lowest.
#[derive(Clone, Copy, Default)]
struct Word {
    code: u64,
    length: u8,
}

impl Word {
    fn push(self, step: Move) -> Self {
        Self { code: self.code | (step as u64) << (2 * self.length), length: self.length + 1 }
    }

    fn moves(self) -> impl DoubleEndedIterator<Item = Move> {
        (0..self.length).map(move |i| Move::ALL[(self.code >> (2 * i) & 3) as usize])
    }

    /// The string that takes this one back.
    fn backwards(self) -> impl Iterator<Item = Move> {
        self.moves().rev().map(Move::opposite)
    }
}

/// A string with what decides about its twins.
#[derive(Clone, Copy, Default)]
struct Kept {
    word: Word,
    bounds: Bounds,
    /// The sum of a random number for each displaced tile at its place.
    hash: u64,
    /// The state of the machine so far.
    state: u32,
    /// The previous string with the same hash.
    previous: u32,
}

/// The bounding box of the blank's way, relative to its start.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Bounds {
    top: i8,
    left: i8,
    bottom: i8,
    right: i8,
    row: i8,
    col: i8,
}

impl Bounds {
    fn step(mut self, step: Move) -> Self {
        let (dr, dc) = step.offset();
        (self.row, self.col) = (self.row + dr as i8, self.col + dc as i8);
        (self.top, self.bottom) = (self.top.min(self.row), self.bottom.max(self.row));
        (self.left, self.right) = (self.left.min(self.col), self.right.max(self.col));
        self
    }

    fn within(self, other: Self) -> bool {
        self.top >= other.top
            && self.left >= other.left
            && self.bottom <= other.bottom
            && self.right <= other.right
    }

    fn fits(self, shape: Shape) -> bool {
        i32::from(self.bottom - self.top) < i32::from(shape.rows)
            && i32::from(self.right - self.left) < i32::from(shape.cols)
    }
}

/// An unbounded board, large enough for the words at hand, on which words are played.
struct Plane {
    side: usize,
    tiles: Vec<u32>,
}

impl Plane {
    fn new(longest: usize) -> Self {
        let side = 2 * longest + 3;
        Self { side, tiles: (0..).take(side * side).collect() }
    }

    fn target(&self, cell: usize, step: Move) -> usize {
        match step {
            Move::Up => cell - self.side,
            Move::Left => cell - 1,
            Move::Right => cell + 1,
            Move::Down => cell + self.side,
        }
    }

    fn play(&mut self, mut blank: usize, moves: impl Iterator<Item = Move>) -> usize {
        for step in moves {
            let next = self.target(blank, step);
            self.tiles.swap(blank, next);
            blank = next;
        }
        blank
    }

    /// Whether two words carry all tiles alike: `a` and then `b` backwards must restore every cell they touch.
    fn same_effect(&mut self, a: Word, b: Word) -> bool {
        let centre = self.side * self.side / 2;
        let there = self.play(centre, a.moves());
        let back = self.play(there, b.backwards());
        let mut same = back == centre;
        for word in [a, b] {
            let mut cell = centre;
            for step in word.moves() {
                cell = self.target(cell, step);
                same &= self.tiles[cell] as usize == cell;
            }
        }
        self.play(back, b.moves());
        self.play(there, a.backwards());
        same
    }
}

/// A number that looks random (the last steps of splitmix64).
pub fn scramble(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl MoveMachine {
    /// The machine that only forbids taking the last move back.
    #[cfg(test)]
    pub fn no_reversal() -> Self {
        let reversal = |m: Move| Word::default().push(m).push(m.opposite());
        Self::from_words(&Move::ALL.map(reversal))
    }

    /// The machine for all duplicate strings of at most `longest` moves that fit on a board of this shape.
    pub fn new(shape: Shape, longest: usize) -> Self {
        let meter = Meter::new(Limits::default(), Control::default());
        Self::within(shape, longest, meter.budget()).expect("nothing ends it")
    }

    /// The same as a part of a run. Where there is no memory for the longest strings it is content with shorter ones: each
    /// forbidden string is so by itself.
    pub fn within(shape: Shape, longest: usize, budget: Budget<'_>) -> Result<Self, Stop> {
        Ok(Self::from_words(&forbidden_words(shape, longest, budget)?))
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.next[..])
    }

    /// The machine of Aho and Corasick for a set of forbidden strings.
    fn from_words(words: &[Word]) -> Self {
        const NONE: u32 = u32::MAX;
        let mut trie = vec![[NONE; 4]];
        let mut dead = vec![false];
        for word in words {
            let mut state = 0;
            for step in word.moves() {
                if trie[state][step as usize] == NONE {
                    trie[state][step as usize] = trie.len() as u32;
                    trie.push([NONE; 4]);
                    dead.push(false);
                }
                state = trie[state][step as usize] as usize;
            }
            dead[state] = true;
        }
        // Breadth first: a state's fallback is shallower, so its row is already complete.
        let mut fallback = vec![0u32; trie.len()];
        let mut queue = std::collections::VecDeque::from([0usize]);
        while let Some(state) = queue.pop_front() {
            for step in Move::ALL.map(|step| step as usize) {
                let back = if state == 0 { 0 } else { trie[fallback[state] as usize][step] };
                let child = trie[state][step];
                if child == NONE {
                    trie[state][step] = back;
                } else {
                    fallback[child as usize] = back;
                    dead[child as usize] |= dead[back as usize];
                    queue.push_back(child as usize);
                }
            }
        }
        Self::compact(&trie, &dead)
    }

    /// Drops dead states, which no search enters, and numbers the others anew, those near the start first.
    fn compact(trie: &[[u32; 4]], dead: &[bool]) -> Self {
        let mut number = vec![u32::MAX; trie.len()];
        let mut order = vec![0usize];
        number[0] = 0;
        let mut i = 0;
        while i < order.len() {
            for &target in &trie[order[i]] {
                if !dead[target as usize] && number[target as usize] == u32::MAX {
                    number[target as usize] = order.len() as u32;
                    order.push(target as usize);
                }
            }
            i += 1;
        }
        let allowed =
            |s: usize| (0..4).filter(|&m| !dead[trie[s][m] as usize]).fold(0, |bits, m| bits | 1u32 << m);
        let state = |s: usize| number[s] | allowed(s) << Self::ALLOWED;
        assert!(order.len() < 1 << Self::ALLOWED && state(0) == Self::START, "every first move is allowed");
        let row =
            |&s: &usize| trie[s].map(|t| if dead[t as usize] { Self::START } else { state(t as usize) });
        Self { next: order.iter().map(row).collect() }
    }

    /// The bits of a state that say which moves are allowed begin here.
    const ALLOWED: u32 = 28;

    /// The state before the first move.
    pub const START: u32 = 15 << Self::ALLOWED;

    /// The state before the first move from a position; of moves that its symmetries make equal, the earliest is allowed.
    pub fn start(position: &Position) -> u32 {
        let place = |step: Move| Move::DEFAULT_ORDER.into_iter().position(|m| m == step);
        let is_later =
            |step: &Move| position.symmetries().any(|s| place(s.image_of_move(*step)) < place(*step));
        let later = Move::ALL.into_iter().filter(is_later);
        later.fold(Self::START, |state, step| state & !(1 << (Self::ALLOWED + step as u32)))
    }

    /// The moves (as bits) that complete no forbidden string.
    #[inline(always)]
    pub fn allowed(state: u32) -> u8 {
        (state >> Self::ALLOWED) as u8
    }

    /// The state after an allowed move.
    #[inline(always)]
    pub fn next(&self, state: u32, step: usize) -> u32 {
        self.next[Self::row(state)][step & 3]
    }

    /// Says that a state after this one will be asked for.
    #[inline(always)]
    pub fn prepare(&self, state: u32) {
        prefetch(&self.next, Self::row(state));
    }

    #[inline(always)]
    fn row(state: u32) -> usize {
        (state & ((1 << Self::ALLOWED) - 1)) as usize
    }
}

/// The forbidden strings of at most `longest` moves, none of which holds another.
///
/// Strings are made level by level in the order of the dictionary and without forbidden strings in them, so the first
/// string with a given effect is the twin of all later ones whose box holds its own. A string whose only twins were
/// themselves left out is still found: a left-out twin can be replaced by a kept one in the same box.
fn forbidden_words(shape: Shape, longest: usize, budget: Budget<'_>) -> Result<Vec<Word>, Stop> {
    const NONE: u32 = u32::MAX;
    // With its place in the table of hashes; both may be half empty.
    const KEPT_BYTES: usize = 2 * (size_of::<Kept>() + 16);
    let mut memory = Vec::new();
    let mut plane = Plane::new(longest);
    let centre = plane.side * plane.side / 2;
    let mut forbidden: Vec<Word> = Vec::new();
    let mut machine = MoveMachine::from_words(&[]);
    let mut kept = vec![Kept { state: MoveMachine::START, previous: NONE, ..Kept::default() }];
    let mut latest = FxHashMap::from_iter([(0u64, 0u32)]);
    let mut level = 0..1;
    for _ in 0..longest {
        let known = forbidden.len();
        let first = kept.len();
        // Each string has three successors or fewer. The first few levels are small.
        match budget.reserve(3 * level.len() * KEPT_BYTES) {
            Ok(reserved) => memory.push(reserved),
            Err(_) => break,
        }
        for parent in level {
            if parent % 64 == 0
                && let Some(stop) = budget.ended()
            {
                return Err(stop);
            }
            let parent = kept[parent];
            let blank = plane.play(centre, parent.word.moves());
            let steps = Move::DEFAULT_ORDER.map(|step| {
                let next = plane.target(blank, step);
                let tile = plane.tiles[next] as usize;
                // A tile at home adds nothing, so a string that changes nothing has the hash 0.
                let place = |cell| if tile == cell { 0 } else { scramble((tile << 32 | cell) as u64) };
                (step, parent.hash.wrapping_sub(place(next)).wrapping_add(place(blank)))
            });
            plane.play(blank, parent.word.backwards());
            for (step, hash) in steps {
                let bounds = parent.bounds.step(step);
                if MoveMachine::allowed(parent.state) >> step as u8 & 1 == 0 || !bounds.fits(shape) {
                    continue;
                }
                let word = parent.word.push(step);
                let previous = latest.get(&hash).copied().unwrap_or(NONE);
                let mut candidate = previous;
                while candidate != NONE {
                    let other = kept[candidate as usize];
                    if other.bounds.within(bounds) && plane.same_effect(other.word, word) {
                        break;
                    }
                    candidate = other.previous;
                }
                if candidate == NONE {
                    latest.insert(hash, kept.len() as u32);
                    let state = machine.next(parent.state, step as usize);
                    kept.push(Kept { word, bounds, hash, state, previous });
                } else {
                    forbidden.push(word);
                }
            }
        }
        level = first..kept.len();
        if forbidden.len() > known {
            machine = MoveMachine::from_words(&forbidden);
            for kept in &mut kept[level.clone()] {
                kept.state = kept
                    .word
                    .moves()
                    .fold(MoveMachine::START, |state, step| machine.next(state, step as usize));
            }
        }
    }
    Ok(forbidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding::optimal::tests::unlimited;

    #[test]
    fn limits_hold_while_it_is_made() {
        let shape = Shape::new(5, 5);
        let limits = Limits { memory: Some(1 << 16), ..Limits::default() };
        let meter = Meter::new(limits, Control::default());
        let small = MoveMachine::within(shape, 12, meter.budget()).unwrap();
        assert!(small.bytes() < MoveMachine::new(shape, 8).bytes());
        let cancel = std::sync::atomic::AtomicBool::new(true);
        let meter = Meter::new(Limits::default(), Control::cancelled_by(&cancel));
        assert_eq!(MoveMachine::within(shape, 12, meter.budget()).err(), Some(Stop::Interrupted));
    }

    #[test]
    fn the_shortest_forbidden_strings_are_reversals_and_half_turns_of_a_block() {
        let words = forbidden_words(Shape::new(4, 4), 6, unlimited().budget()).unwrap();
        let words: Vec<Vec<Move>> = words.iter().map(|w| w.moves().collect()).collect();
        let count = |n| words.iter().filter(|w| w.len() == n).count();
        assert_eq!((count(2), count(6)), (4, 4));
        // Twelve moves around a 2×2 block change nothing: six one way equal six the other way.
        assert!(words.iter().filter(|w| w.len() == 6).all(|w| w[0] == w[2] && w[1] == w[3] || w[0] == w[4]));
    }

    #[test]
    fn longer_strings_forbid_more() {
        let shape = Shape::new(4, 4);
        let count = |machine: &MoveMachine| {
            let mut level = vec![(MoveMachine::START, 1u64)];
            for _ in 0..16 {
                let mut next: FxHashMap<u32, u64> = FxHashMap::default();
                for (state, n) in level {
                    for m in (0..4).filter(|m| MoveMachine::allowed(state) >> m & 1 == 1) {
                        *next.entry(machine.next(state, m)).or_default() += n;
                    }
                }
                level = next.into_iter().collect();
            }
            level.iter().map(|(_, n)| n).sum::<u64>()
        };
        let counts = [2, 6, 10, 12].map(|l| count(&MoveMachine::new(shape, l)));
        assert!(counts.windows(2).all(|w| w[0] > w[1]), "{counts:?}");
        assert_eq!(count(&MoveMachine::no_reversal()), 4 * 3u64.pow(15));
    }
}
