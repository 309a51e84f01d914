//! Builds a pattern table by breadth-first search, level by level, over (placement, region of the blank).
//!
//! All orders of the tiles on the same cells with the blank in the same region form one bit-set of `k!` bits. A tile's
//! move leads from one such set to another by one map for the whole set: the identity for sideways moves, else one of
//! the few maps of [`PermutationMaps`]. Each level *pulls*: a node gathers from its neighbours' frontiers into a small
//! buffer, so that threads write to disjoint memory and everything random happens within the first-level cache.
//!
//! Distances themselves are never stored. With `d` and `m` of equal parity, the parity of `(d − m) / 2` is that of
//! `⌊d/2⌋ − ⌊m/2⌋`: the table starts as the second bit of the Manhattan distances, and each level whose number has
//! its second bit set flips the bits of the placements it reaches.

use super::graph::{Edge, RegionGraph};
use super::index::PlacementIndex;
use super::manhattan::ManhattanBits;
use super::memory::HugeBytes;
use super::table::{PatternTable, TableKey};
use crate::sliding::optimal::rank::{PermutationMaps, factorial};
use novelo_search::{Budget, Frontier, Stop};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Builds the table of `key` on the threads of the current rayon pool, until the budget is used up.
pub fn build(key: TableKey, index: Arc<PlacementIndex>, budget: Budget<'_>) -> Result<PatternTable, Stop> {
    // While the search runs: the table, and three sets of the same size.
    let _sets = budget.reserve(key.bytes(&index) * 4)?;
    let maps = PermutationMaps::new(key.tiles());
    let graph = RegionGraph::new(key.shape, index, &maps, budget)?;
    let _graph = budget.reserve(graph.bytes())?;
    let words = search(key, &graph, &maps, budget)?;
    let mut bits = HugeBytes::zeroed(words.len() * 8).map_err(|_| Stop::Memory)?;
    bits.par_chunks_mut(1 << 16).zip(words.par_chunks(1 << 13)).for_each(|(bits, words)| {
        bits.chunks_exact_mut(8)
            .zip(words)
            .for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    });
    Ok(PatternTable::new(key, graph.index, bits))
}

/// The part of the search's memory that belongs to a run of consecutive nodes.
struct Chunk<'a> {
    first: usize,
    closed: &'a mut [u64],
    full: &'a mut [bool],
    next: &'a mut [u64],
    next_active: &'a mut [bool],
    table: &'a mut [u64],
}

/// The table's bits, node by node.
fn search(
    key: TableKey,
    graph: &RegionGraph,
    maps: &PermutationMaps,
    budget: Budget<'_>,
) -> Result<Vec<u64>, Stop> {
    let orders = factorial(key.tiles());
    let words = orders.div_ceil(64);
    let nodes = graph.index.nodes();
    let mut table = ManhattanBits::new(key).table(&graph.index, budget)?;
    let (mut closed, mut frontier, mut next) =
        (vec![0u64; nodes * words], vec![0u64; nodes * words], vec![0u64; nodes * words]);
    let (mut full, mut active, mut next_active) =
        (vec![false; nodes], vec![false; nodes], vec![false; nodes]);

    // The goal: slots in ascending order of their cells are the permutation of rank 0.
    let row = graph.index.rows().binary_search(&key.pattern).expect("the goal is a placement");
    let goal = graph.index.node(row, key.region.trailing_zeros() as usize);
    closed[goal * words] = 1;
    frontier[goal * words] = 1;
    active[goal] = true;
    full[goal] = orders == 1;

    let done = AtomicU64::new(1);
    let total = (nodes * orders) as u64;
    let run = nodes.div_ceil(64).max(16);
    for level in 1.. {
        let any =
            (closed.par_chunks_mut(run * words), full.par_chunks_mut(run), next.par_chunks_mut(run * words))
                .into_par_iter()
                .zip((next_active.par_chunks_mut(run), table.par_chunks_mut(run * words)))
                .enumerate()
                .map(|(i, ((closed, full, next), (next_active, table)))| {
                    // A level of a large table takes seconds; a run of it does not.
                    if budget.over() {
                        return false;
                    }
                    let mut chunk = Chunk { first: i * run, closed, full, next, next_active, table };
                    let fresh = expand(graph, maps, orders, level, &frontier, &active, &mut chunk);
                    let done = done.fetch_add(fresh, Ordering::Relaxed) + fresh;
                    budget.meter().report(Frontier::Share(done as f64 / total as f64));
                    fresh > 0
                })
                .reduce(|| false, |a, b| a | b);
        if let Some(stop) = budget.stop() {
            return Err(stop);
        }
        if !any {
            break;
        }
        std::mem::swap(&mut frontier, &mut next);
        std::mem::swap(&mut active, &mut next_active);
    }
    Ok(table)
}

/// One level for one run of nodes; the number of entries reached for the first time.
fn expand(
    graph: &RegionGraph,
    maps: &PermutationMaps,
    orders: usize,
    level: u32,
    frontier: &[u64],
    active: &[bool],
    chunk: &mut Chunk<'_>,
) -> u64 {
    let words = orders.div_ceil(64);
    let flips = if level & 2 == 0 { 0 } else { u64::MAX };
    let spare = words * 64 - orders;
    let mut gathered = vec![0u64; words];
    let mut fresh = 0;
    for local in 0..chunk.full.len() {
        chunk.next_active[local] = false;
        if chunk.full[local]
            || !gather(graph, maps, orders, frontier, active, chunk.first + local, &mut gathered)
        {
            continue;
        }
        let here = local * words..(local + 1) * words;
        let sets = chunk.closed[here.clone()]
            .iter_mut()
            .zip(&mut chunk.next[here.clone()])
            .zip(&mut chunk.table[here]);
        let (mut new_bits, mut open) = (0, 0);
        for (gathered, ((closed, next), table)) in gathered.iter_mut().zip(sets) {
            let new = *gathered & !*closed;
            *gathered = 0;
            *next = new;
            *closed |= new;
            *table ^= new & flips;
            new_bits += new.count_ones();
            open += closed.count_zeros();
        }
        chunk.next_active[local] = new_bits > 0;
        chunk.full[local] = open as usize == spare;
        fresh += u64::from(new_bits);
    }
    fresh
}

/// Collects what the frontier reaches in `node`; says whether any neighbour was active at all.
fn gather(
    graph: &RegionGraph,
    maps: &PermutationMaps,
    orders: usize,
    frontier: &[u64],
    active: &[bool],
    node: usize,
    gathered: &mut [u64],
) -> bool {
    let words = gathered.len();
    let mut any = false;
    for edge in graph.edges_into(node) {
        let source = edge.source as usize;
        if !active[source] {
            continue;
        }
        any = true;
        let bits = &frontier[source * words..][..words];
        if edge.map == Edge::IDENTITY {
            gathered.iter_mut().zip(bits).for_each(|(to, from)| *to |= from);
            continue;
        }
        let map = &maps.all()[edge.map as usize..][..orders];
        for (&bits, map) in bits.iter().zip(map.chunks(64)) {
            let mut rest = bits;
            while rest != 0 {
                let target = usize::from(map[rest.trailing_zeros() as usize]);
                gathered[target / 64] |= 1 << (target % 64);
                rest &= rest - 1;
            }
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding::optimal::position::Position;
    use crate::sliding::optimal::shape::Shape;
    use crate::sliding::optimal::tests::unlimited;
    use crate::sliding::rules::Move;
    use novelo_search::{Control, Limits, Meter};
    use std::collections::{HashMap, VecDeque};
    use std::sync::atomic::AtomicBool;

    /// Distances by plain 0-1 search over (cells of the pattern's tiles, blank), sharing no code with the build.
    fn reference(shape: Shape, homes: &[usize], blank: usize) -> HashMap<(Vec<usize>, usize), usize> {
        let mut best = HashMap::from([((homes.to_vec(), blank), 0usize)]);
        let mut queue = VecDeque::from([(homes.to_vec(), blank)]);
        while let Some(state) = queue.pop_front() {
            let cost = best[&state];
            let (cells, blank) = state;
            for next in Move::ALL.into_iter().filter_map(|m| shape.neighbour(blank, m)) {
                let mut moved = cells.clone();
                let step = moved.iter().position(|&c| c == next).map_or(0, |slot| {
                    moved[slot] = blank;
                    1
                });
                let key = (moved, next);
                if best.get(&key).is_none_or(|&old| cost + step < old) {
                    best.insert(key.clone(), cost + step);
                    if step == 0 { queue.push_front(key) } else { queue.push_back(key) }
                }
            }
        }
        best
    }

    #[test]
    fn tables_equal_a_plain_search_on_small_boards() {
        let cases = [
            (Shape::new(3, 3), 0b000_011_110, 0),
            (Shape::new(3, 3), 0b110_001_001, 4),
            (Shape::new(3, 3), 0b101_000_010, 4),
            (Shape::new(3, 3), 0b000_000_010, 0),
            (Shape::new(3, 3), 0b101_010_010, 0),
            (Shape::new(2, 4), 0b0110_0110, 0),
            (Shape::new(4, 3), 0b110_011_000_000, 3),
            (Shape::new(5, 2), 0b00_11_01_00_00, 9),
        ];
        for (shape, pattern, blank) in cases {
            let key = TableKey::new(shape, pattern, blank);
            let table = build(key, key.index(), unlimited().budget()).unwrap();
            for ((cells, blank), distance) in reference(shape, &key.goal_cells(), blank) {
                assert_eq!(table.distance(&cells, blank), Some(distance), "{key:?} {cells:?}");
            }
        }
    }

    #[test]
    fn a_cancelled_build_says_so() {
        let key = TableKey::new(Shape::new(4, 4), 0b1110, 0);
        let cancel = AtomicBool::new(true);
        let cancelled = Meter::new(Limits::default(), Control::cancelled_by(&cancel));
        assert!(matches!(build(key, key.index(), cancelled.budget()), Err(Stop::Interrupted)));
        let small = Meter::new(Limits { memory: Some(1000), ..Limits::default() }, Control::default());
        assert!(matches!(build(key, key.index(), small.budget()), Err(Stop::Memory)));
    }

    #[test]
    fn six_tiles_of_the_fifteen_puzzle_are_consistent_on_a_random_walk() {
        let shape = Shape::new(4, 4);
        let key = TableKey::new(shape, 0b0000_0011_0011_0110, 0);
        let table = build(key, key.index(), unlimited().budget()).unwrap();
        let homes = key.goal_cells();
        let distance = |p: &Position| {
            let find = |&home: &usize| p.labels().iter().position(|&l| usize::from(l) == home).unwrap();
            table.distance(&homes.iter().map(find).collect::<Vec<_>>(), p.blank()).unwrap()
        };
        let mut position = Position::goal(shape, 0);
        let (mut seed, mut before) = (7u64, 0usize);
        for _ in 0..10_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if position.apply(Move::ALL[(seed >> 62) as usize]) {
                let after = distance(&position);
                assert!(before.abs_diff(after) <= 1);
                before = after;
            }
        }
    }
}
