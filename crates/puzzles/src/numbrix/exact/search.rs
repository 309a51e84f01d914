//! Depth-first search over the domains: the tightest number or cell first,
//! weighted by its failures, of which the latest count most, with restarts.

use novelo_search::{Counter, Frontier, Held, Stop};

use super::domains::{Domains, Wipeout};
use super::regions::Regions;

/// How one descent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Descent {
    /// The caller wanted no more solutions.
    Enough,
    /// Everything was tried.
    Exhausted,
    /// As many failures as were allowed.
    GaveUp,
}

/// A decision and the trail before it.
#[derive(Debug, Clone, Copy)]
struct Decision {
    mark: usize,
    value: usize,
    place: usize,
}

/// Search with all that it learns from one descent to the next.
#[derive(Debug, Clone)]
pub struct Tree {
    domains: Domains,
    regions: Regions,
    stack: Vec<Decision>,
    /// One over the weight of a number, or a cell, which grows each time it
    /// runs out of choices.
    number_weight: Vec<f32>,
    cell_weight: Vec<f32>,
    /// By how much the next one grows.
    bump: f32,
    /// By number: the place it had when the last descent was given up, or 0xFFFF.
    last_place: Vec<u16>,
    /// Numbers and places that are not settled at the root.
    values: Vec<u16>,
    places: Vec<u16>,
    /// How many nodes pass between two looks at the regions, and how many are left until the next.
    pause: u32,
    rest: u32,
    random: u64,
    impossible: bool,
}

/// The most nodes between two looks at the regions.
const LONGEST_PAUSE: u32 = 15;
/// How much more a failure counts than the one before it.
const GROWTH: f32 = 1.003;
/// Where weights are scaled down.
const LARGEST: f32 = 1e15;

impl Held for Tree {
    fn nodes(&self) -> u64 {
        self.stack.len() as u64
    }

    fn bytes(&self) -> usize {
        self.domains.bytes() + self.stack.capacity() * size_of::<Decision>()
    }
}

impl Tree {
    /// Starts from propagated or fresh domains.
    pub fn new(domains: Domains, seed: u64) -> Self {
        let places = (0..domains.places() as u16).filter(|&place| domains.is_cell(place as usize)).collect();
        let mut tree = Self {
            number_weight: vec![1.0; domains.last + 1],
            cell_weight: vec![1.0; domains.places()],
            bump: 1.0,
            last_place: vec![u16::MAX; domains.last + 1],
            values: (1..=domains.last as u16).collect(),
            places,
            domains,
            regions: Regions::default(),
            stack: Vec::new(),
            pause: 0,
            rest: 0,
            random: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            impossible: false,
        };
        tree.impossible = tree.settle().is_err();
        tree
    }

    /// The domains as they are now.
    pub fn domains(&self) -> &Domains {
        &self.domains
    }

    /// Whether it is known that there is no solution, or no further one.
    #[cfg(all(test, feature = "sat"))]
    pub fn is_impossible(&self) -> bool {
        self.impossible
    }

    /// Whether every number has its cell.
    pub fn is_settled(&self) -> bool {
        !self.impossible && (1..=self.domains.last).all(|value| self.domains.cells_of(value) == 1)
    }

    /// Propagates, and looks at the regions: less and less often where that has shown nothing.
    fn settle(&mut self) -> Result<(), Wipeout> {
        loop {
            self.domains.propagate()?;
            if self.rest > 0 {
                self.rest -= 1;
                return Ok(());
            }
            let narrowed = self.regions.check(&mut self.domains);
            if narrowed == Ok(false) {
                self.pause = (2 * self.pause + 1).min(LONGEST_PAUSE);
                self.rest = self.pause;
                return Ok(());
            }
            self.pause = 0;
            narrowed?;
        }
    }

    /// Searches on until a number of failures. `found` is told each solution
    /// and says whether to go on.
    pub fn descend(
        &mut self,
        failures: u64,
        counter: &mut Counter<'_>,
        mut found: impl FnMut(&Domains) -> bool,
    ) -> Result<Descent, Stop> {
        if self.impossible {
            return Ok(Descent::Exhausted);
        }
        let mut left = failures;
        loop {
            let Some((value, place)) = self.choose() else {
                let more = found(&self.domains);
                let open = self.refute();
                match (more, open) {
                    (_, false) => return Ok(Descent::Exhausted),
                    (false, true) => return Ok(Descent::Enough),
                    (true, true) => continue,
                }
            };
            counter.expand(&*self, Frontier::Depth(self.stack.len() as u32))?;
            counter.generated += 1;
            self.stack.push(Decision { mark: self.domains.mark(), value, place });
            self.domains.assign(value, place);
            if let Err(wipeout) = self.settle() {
                self.bump(wipeout);
                if !self.refute() {
                    return Ok(Descent::Exhausted);
                }
                if left == 0 {
                    return Ok(Descent::GaveUp);
                }
                left -= 1;
            }
        }
    }

    /// Forgets the current branch, which is then searched again. What was
    /// refuted at the root stays refuted, and weights stay. Numbers return to
    /// the places they had where that is possible: parts of the board that have
    /// little to do with the difficulty are then not solved anew.
    pub fn restart(&mut self) {
        for &value in &self.values {
            let value = value as usize;
            if self.domains.cells_of(value) == 1 {
                let place = self.domains.places_of(value).next().expect("there is one");
                self.last_place[value] = place as u16;
            }
        }
        if let Some(first) = self.stack.first() {
            self.domains.back(first.mark);
            self.stack.clear();
        }
        let Self { domains, values, places, .. } = self;
        values.retain(|&value| domains.cells_of(value as usize) > 1);
        places.retain(|&place| domains.numbers_at(place as usize) > 1);
    }

    /// Goes back to the last decision whose opposite is still possible.
    fn refute(&mut self) -> bool {
        while let Some(Decision { mark, value, place }) = self.stack.pop() {
            self.domains.back(mark);
            self.domains.remove(value, place);
            match self.settle() {
                Ok(()) => return true,
                Err(wipeout) => self.bump(wipeout),
            }
        }
        self.impossible = true;
        false
    }

    fn bump(&mut self, wipeout: Wipeout) {
        let weight = match wipeout {
            Wipeout::Number(value) => &mut self.number_weight[value],
            Wipeout::Cell(place) => &mut self.cell_weight[place],
            Wipeout::Regions => return,
        };
        *weight = 1.0 / (1.0 / *weight + self.bump);
        self.bump *= GROWTH;
        if self.bump > LARGEST {
            self.bump /= LARGEST;
            for weight in self.number_weight.iter_mut().chain(&mut self.cell_weight) {
                *weight = (*weight * LARGEST).min(1.0);
            }
        }
    }

    fn random(&mut self) -> u64 {
        // Xorshift (Marsaglia, 2003).
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    /// The number and place to try next; none when everything is settled.
    fn choose(&mut self) -> Option<(usize, usize)> {
        let (mut number, mut number_score) = (0, f32::INFINITY);
        for &value in &self.values {
            let size = self.domains.cells_of(value as usize);
            let score = size as f32 * self.number_weight[value as usize];
            if size > 1 && score < number_score {
                (number, number_score) = (value as usize, score);
            }
        }
        if number == 0 {
            return None;
        }
        let (mut cell, mut cell_score) = (0, f32::INFINITY);
        for &place in &self.places {
            let size = self.domains.numbers_at(place as usize);
            let score = size as f32 * self.cell_weight[place as usize];
            if size > 1 && score < cell_score {
                (cell, cell_score) = (place as usize, score);
            }
        }
        let salt = self.random();
        let noise = |i: usize| (salt.wrapping_mul(2 * i as u64 + 1) >> 48) as usize;
        let (domains, last_place) = (&self.domains, &self.last_place);
        let returns = |value: usize, place: usize| last_place[value] as usize == place;
        // A number returns to its last place; otherwise, the tightest comes first.
        if number_score <= cell_score {
            let key = |place: usize| (domains.numbers_at(place) << 16) + noise(place);
            let order = |&place: &usize| if returns(number, place) { 0 } else { key(place) };
            domains.places_of(number).min_by_key(order).map(|place| (number, place))
        } else {
            let key = |value: usize| (domains.cells_of(value) << 16) + noise(value);
            let order = |&value: &usize| if returns(value, cell) { 0 } else { key(value) };
            domains.values_at(cell).min_by_key(order).map(|value| (value, cell))
        }
    }
}

/// The Luby sequence from 1: 1, 1, 2, 1, 1, 2, 4, … (Luby, Sinclair and
/// Zuckerman, 1993).
pub fn luby(i: u64) -> u64 {
    let bits = 64 - i.leading_zeros();
    if i + 1 == 1 << bits { 1 << (bits - 1) } else { luby(i + 1 - (1 << (bits - 1))) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_luby_sequence() {
        let first: Vec<_> = (1..=15).map(super::luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
