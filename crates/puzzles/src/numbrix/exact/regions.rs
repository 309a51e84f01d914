//! Connected regions of empty cells against the stretches of missing numbers.
//!
//! A stretch of missing numbers is a path of empty cells and so lies in one
//! region. Each region must therefore be filled exactly, colour by colour of
//! the chequerboard, by stretches that can be in it.

use super::domains::{Domains, Wipeout};

/// More regions than this are not looked at.
const MOST: usize = 64;

/// Buffers that are kept from one test to the next.
#[derive(Debug, Clone, Default)]
pub struct Regions {
    /// By place: the number of its region from 1, or 0.
    label: Vec<u8>,
    stack: Vec<u16>,
    /// Cells of each colour.
    room: Vec<[u32; 2]>,
    /// Numbers of each colour that must be, and that can be, in a region.
    must: Vec<[u32; 2]>,
    can: Vec<[u32; 2]>,
    gaps: Vec<Gap>,
}

/// A stretch of missing numbers.
#[derive(Debug, Clone, Copy)]
struct Gap {
    first: usize,
    last: usize,
    numbers: [u32; 2],
    /// The regions it can be in, and those that some of its numbers can be in,
    /// as bits.
    regions: u64,
    spread: u64,
}

impl Regions {
    /// Takes out what no region has room for; says whether anything was.
    pub fn check(&mut self, domains: &mut Domains) -> Result<bool, Wipeout> {
        if !self.find(domains) || self.room.len() < 2 {
            return Ok(false);
        }
        self.find_gaps(domains);
        self.must.clear();
        self.must.resize(self.room.len(), [0; 2]);
        self.can.clear();
        self.can.resize(self.room.len(), [0; 2]);
        for gap in &self.gaps {
            if gap.regions == 0 {
                return Err(Wipeout::Number(gap.first));
            }
            let only = gap.regions.is_power_of_two();
            let mut regions = gap.regions;
            while regions != 0 {
                let region = regions.trailing_zeros() as usize;
                regions &= regions - 1;
                for colour in 0..2 {
                    self.can[region][colour] += gap.numbers[colour];
                    if only {
                        self.must[region][colour] += gap.numbers[colour];
                    }
                }
            }
        }
        for ((room, must), can) in self.room.iter().zip(&self.must).zip(&self.can) {
            if (0..2).any(|colour| must[colour] > room[colour] || can[colour] < room[colour]) {
                return Err(Wipeout::Regions);
            }
        }
        Ok(self.narrow(domains))
    }

    /// Takes gaps out of regions that they do not fit in or cannot be in.
    fn narrow(&mut self, domains: &mut Domains) -> bool {
        let before = domains.mark();
        for gap in &self.gaps {
            let mut keep = gap.regions;
            if !gap.regions.is_power_of_two() {
                for (region, room) in self.room.iter().enumerate().filter(|(r, _)| gap.regions >> r & 1 == 1)
                {
                    let (must, can) = (self.must[region], self.can[region]);
                    if (0..2).any(|c| must[c] + gap.numbers[c] > room[c]) {
                        keep &= !(1 << region);
                    } else if (0..2).any(|c| can[c] - gap.numbers[c] < room[c]) {
                        keep = 1 << region;
                        break;
                    }
                }
            }
            if gap.spread & !keep == 0 {
                continue;
            }
            for value in gap.first..=gap.last {
                for word in 0..domains.words {
                    let mut places = domains.row(value)[word];
                    while places != 0 {
                        let place = word * 64 + places.trailing_zeros() as usize;
                        places &= places - 1;
                        if keep >> (self.label[place] - 1) & 1 == 0 {
                            domains.remove(value, place);
                        }
                    }
                }
            }
        }
        domains.mark() > before
    }

    /// Labels the regions; false if there are too many.
    fn find(&mut self, domains: &Domains) -> bool {
        let places = domains.places();
        let open = |place: usize| domains.numbers_at(place) > 1;
        self.label.clear();
        self.label.resize(places, 0);
        self.room.clear();
        for start in 0..places {
            if !open(start) || self.label[start] != 0 {
                continue;
            }
            if self.room.len() == MOST {
                return false;
            }
            let label = self.room.len() as u8 + 1;
            let mut room = [0; 2];
            self.label[start] = label;
            self.stack.push(start as u16);
            while let Some(place) = self.stack.pop() {
                let place = place as usize;
                room[(place / domains.stride + place % domains.stride) % 2] += 1;
                let s = domains.stride;
                for next in [place.wrapping_sub(s), place.wrapping_sub(1), place + 1, place + s] {
                    if next < places && open(next) && self.label[next] == 0 {
                        self.label[next] = label;
                        self.stack.push(next as u16);
                    }
                }
            }
            self.room.push(room);
        }
        true
    }

    fn find_gaps(&mut self, domains: &Domains) {
        self.gaps.clear();
        let mut value = 1;
        while value <= domains.last {
            if domains.cells_of(value) <= 1 {
                value += 1;
                continue;
            }
            let first = value;
            let (mut regions, mut spread) = (u64::MAX, 0);
            while value <= domains.last && domains.cells_of(value) > 1 {
                let here = domains.places_of(value).fold(0, |set, place| set | 1 << (self.label[place] - 1));
                regions &= here;
                spread |= here;
                value += 1;
            }
            let last = value - 1;
            let length = last - first + 1;
            let place = domains.places_of(first).next().expect("more than one");
            let colour = (place / domains.stride + place % domains.stride) % 2;
            let mut numbers = [length as u32 / 2; 2];
            numbers[colour] += length as u32 % 2;
            self.gaps.push(Gap { first, last, numbers, regions, spread });
        }
    }
}
