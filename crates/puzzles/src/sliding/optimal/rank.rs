//! Ranks of combinations and permutations, the two halves of a pattern database's index.
//!
//! Combinations are ranked colexicographically (the order of their bit-masks as numbers), permutations
//! lexicographically. A tile that moves past `s` other tiles of its pattern moves its entry of the permutation by `s`
//! places, so the effect of a move on the permutation's rank is one of a few maps (see [`PermutationMaps`]).

/// The number of `k`-subsets of `n` things.
pub fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |value, i| value * (n as u64 - i) / (i + 1))
}

/// `k!`
pub fn factorial(k: usize) -> usize {
    (1..=k).product()
}

/// The masks of `k` of `n` cells, in the order of their rank.
pub fn combinations(n: usize, k: usize) -> impl Iterator<Item = u32> {
    let first = (1u64 << k) - 1;
    std::iter::successors(Some(first), move |&mask| {
        if mask == 0 {
            return None;
        }
        let low = mask & mask.wrapping_neg();
        let ripple = mask + low;
        let next = ripple | (((mask ^ ripple) >> 2) / low);
        (next < 1 << n).then_some(next)
    })
    .map(|mask| u32::try_from(mask).expect("at most 32 cells"))
}

/// `BINOMIALS[n][k]` for cells `n` below 32 and up to 9 tiles.
static BINOMIALS: [[u32; 10]; 32] = {
    let mut table = [[0; 10]; 32];
    let mut n = 0;
    while n < 32 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 10 && k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of masks of equally many cells (at most 9 of 32) that are smaller as numbers.
pub fn combination_rank(mask: u32) -> u32 {
    let (mut rest, mut order, mut rank) = (mask, 1, 0);
    while rest != 0 {
        rank += BINOMIALS[rest.trailing_zeros() as usize][order];
        rest &= rest - 1;
        order += 1;
    }
    rank
}

/// All permutations of `k` things in lexicographic order.
pub fn permutations(k: usize) -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    for _ in 0..k {
        let extend = |p: Vec<u8>| {
            let free = (0..k as u8).filter(|x| !p.contains(x)).collect::<Vec<_>>();
            free.into_iter().map(move |x| [p.as_slice(), &[x]].concat())
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// The lexicographic rank of a permutation.
pub fn permutation_rank(permutation: &[u8]) -> usize {
    let k = permutation.len();
    permutation.iter().enumerate().fold(0, |rank, (i, x)| {
        let smaller = permutation[i + 1..].iter().filter(|y| *y < x).count();
        rank * (k - i) + smaller
    })
}

/// For each pair of places `(i, j)`: where the rank of a permutation goes when its `i`-th entry moves to place `j` and
/// the entries between close up.
pub struct PermutationMaps {
    k: usize,
    maps: Vec<u16>,
}

impl PermutationMaps {
    /// The maps for permutations of `k` things, `k` at most 8.
    pub fn new(k: usize) -> Self {
        assert!(k <= 8, "ranks of more than 8 things do not fit 16 bits");
        let size = factorial(k);
        let all = permutations(k);
        let mut maps = vec![0u16; k * k * size];
        let identity: Vec<u16> = (0..).take(size).collect();
        // Neighbouring places first; a longer way is a chain of those.
        let mut swaps = Vec::with_capacity(k);
        for i in 1..k {
            let swap: Vec<u16> = all
                .iter()
                .map(|p| {
                    let mut p = p.clone();
                    p.swap(i - 1, i);
                    u16::try_from(permutation_rank(&p)).expect("8! fits u16")
                })
                .collect();
            swaps.push(swap);
        }
        for i in 0..k {
            let (mut up, mut down) = (identity.clone(), identity.clone());
            maps[(i * k + i) * size..][..size].copy_from_slice(&identity);
            for j in i + 1..k {
                for x in &mut up {
                    *x = swaps[j - 1][usize::from(*x)];
                }
                maps[(i * k + j) * size..][..size].copy_from_slice(&up);
            }
            for j in (0..i).rev() {
                for x in &mut down {
                    *x = swaps[j][usize::from(*x)];
                }
                maps[(i * k + j) * size..][..size].copy_from_slice(&down);
            }
        }
        Self { k, maps }
    }

    /// The map for an entry that goes from place `from` to place `to`.
    #[cfg(test)]
    pub fn map(&self, from: usize, to: usize) -> &[u16] {
        let size = factorial(self.k);
        &self.maps[self.offset(from, to)..][..size]
    }

    /// The number of the map for `from` and `to` in [`Self::all`].
    pub fn number(&self, from: usize, to: usize) -> usize {
        from * self.k + to
    }

    /// Where the map for `from` and `to` begins in [`Self::all`].
    pub fn offset(&self, from: usize, to: usize) -> usize {
        self.number(from, to) * factorial(self.k)
    }

    /// All maps behind one another.
    #[inline(always)]
    pub fn all(&self) -> &[u16] {
        &self.maps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_in_the_order_of_their_rank() {
        for (n, k) in [(9, 4), (16, 6), (6, 6), (4, 1)] {
            let all: Vec<u32> = combinations(n, k).collect();
            assert_eq!(all.len() as u64, binomial(n, k));
            assert!(all.iter().enumerate().all(|(rank, &mask)| combination_rank(mask) as usize == rank));
        }
    }

    #[test]
    fn permutations_come_in_the_order_of_their_rank() {
        for k in 0..=6 {
            let all = permutations(k);
            assert_eq!(all.len(), factorial(k));
            assert!(all.iter().enumerate().all(|(rank, p)| permutation_rank(p) == rank));
        }
    }

    #[test]
    fn maps_move_one_entry() {
        let maps = PermutationMaps::new(5);
        for (rank, p) in permutations(5).iter().enumerate() {
            for i in 0..5 {
                for j in 0..5 {
                    let mut moved = p.clone();
                    let x = moved.remove(i);
                    moved.insert(j, x);
                    assert_eq!(usize::from(maps.map(i, j)[rank]), permutation_rank(&moved));
                }
            }
        }
    }
}
