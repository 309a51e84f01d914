//! Additive pattern databases as a lane of the search.

use super::lane::Lane;
use crate::sliding::optimal::partition::Partition;
use crate::sliding::optimal::pdb::{NodeLookup, PatternTable, TableKey, placement};
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::prefetch::prefetch;
use crate::sliding::optimal::rank::{PermutationMaps, combination_rank};
use crate::sliding::optimal::shape::{MAX_MASK_CELLS, Symmetry};
use crate::sliding::rules::Move;
use std::sync::Arc;

const MAX_PATTERNS: usize = Partition::MAX_PATTERNS;

/// Where the tiles of one pattern are, as the table's index needs it.
#[derive(Clone, Copy, Default, Debug)]
struct Placement {
    mask: u32,
    row: u32,
    order: u16,
    parity: u16,
}

/// A slide of a tile as one table sees it.
#[derive(Clone, Copy, Default)]
struct Slide {
    /// The cells the tile leaves and enters.
    toggled: u32,
    /// The cells before the one it leaves.
    below: u32,
    /// Where this slide's changes begin.
    changes: u32,
    /// The cells it passes, in the order of numbers, begin at this bit.
    shift: u8,
    /// As many ones as cells are passed.
    between: u8,
    /// How many cells are passed.
    passed: u8,
    /// Where the blank comes to stand.
    blank: u8,
}

/// What a slide changes in the index, given how many tiles lie before it and which cells between are occupied.
#[derive(Clone, Copy, Default)]
struct IndexChange {
    /// Change of the combination rank, modulo 2³².
    row: u32,
    /// Where the permutation map begins.
    map: u32,
}

/// One pattern: its table, turned so that it fits this pattern's place on the board.
///
/// The way to a bit is a chain of small table reads without branches that depend on data: a search alternates
/// between patterns and moves at random, and mispredicted branches would cost more than the reads.
struct View<'t> {
    bits: &'t [u8],
    maps: &'t [u16],
    nodes: &'t NodeLookup,
    changes: &'t [IndexChange],
    block_bits: u32,
    slides: Vec<Slide>,
    /// The place of each cell in the board as the table sees it.
    seen: [u8; MAX_MASK_CELLS],
}

impl<'t> View<'t> {
    fn new(table: &'t PatternTable, index: &'t SlideIndex, symmetry: Symmetry) -> Self {
        let shape = table.key().shape;
        let mut slides = vec![Slide::default(); shape.cells() * 4];
        for blank in 0..shape.cells() {
            for step in Move::ALL {
                let Some(tile) = shape.neighbour(blank, step) else { continue };
                let (from, to) = (symmetry.cell(shape, tile), symmetry.cell(shape, blank));
                let seen = Move::ALL.into_iter().find(|&m| shape.neighbour(to, m) == Some(from));
                let seen = seen.expect("symmetries keep neighbours");
                slides[blank * 4 + step as usize] = index.slides[to * 4 + seen as usize];
            }
        }
        let mut seen = [0; MAX_MASK_CELLS];
        for (cell, seen) in seen.iter_mut().enumerate().take(shape.cells()) {
            *seen = symmetry.cell(shape, cell) as u8;
        }
        Self {
            bits: table.bits(),
            maps: index.maps.all(),
            nodes: &index.nodes,
            changes: &index.changes,
            block_bits: table.key().block_bits() as u32,
            slides,
            seen,
        }
    }

    /// The placement after a slide, its order and parity still unknown, and the place of its order in the maps.
    #[inline(always)]
    fn slide(&self, at: &Placement, slide: usize) -> (Placement, u32) {
        let slide = &self.slides[slide];
        let before = (at.mask & slide.below).count_ones();
        let between = at.mask >> slide.shift & u32::from(slide.between);
        let change = self.changes[(slide.changes + (before << slide.passed) + between) as usize];
        let row = at.row.wrapping_add(change.row);
        let map = change.map + u32::from(at.order);
        prefetch(self.maps, map as usize);
        prefetch(self.nodes.rows(), row as usize);
        (Placement { mask: at.mask ^ slide.toggled, row, order: 0, parity: 0 }, map)
    }

    /// The order at a place in the maps, and the bit of the placement in the table.
    #[inline(always)]
    fn locate(&self, row: u32, blank: u8, map: u32) -> (u16, u32) {
        let order = self.maps[map as usize];
        let bit = self.nodes.node(row, u32::from(blank)) * self.block_bits + u32::from(order);
        prefetch(self.bits, (bit >> 3) as usize);
        (order, bit)
    }
}

fn slide(from: usize, to: usize, changes: usize) -> Slide {
    let (low, high) = (from.min(to), from.max(to));
    Slide {
        toggled: 1 << from | 1 << to,
        below: (1 << from) - 1,
        shift: low as u8 + 1,
        between: ((1u32 << (high - low - 1)) - 1) as u8,
        passed: (high - low - 1) as u8,
        blank: from as u8,
        changes: changes as u32,
    }
}

/// Tabulates the changes of rank for one slide: the combination rank is a sum of binomials over the occupied cells,
/// of which only the moved tile and those it passes change.
fn index_changes(
    k: usize,
    (from, to): (usize, usize),
    maps: &PermutationMaps,
    changes: &mut Vec<IndexChange>,
) {
    let (low, high) = (from.min(to), from.max(to));
    let passed = high - low - 1;
    for before in 0..=k {
        for between in 0..1u32 << passed {
            let crossed = between.count_ones() as usize;
            let lower = if from < to { Some(before) } else { before.checked_sub(crossed) };
            let change = match lower {
                // `lower` tiles lie before both cells; put them on the lowest cells, their ranks cancel out.
                Some(lower) if lower <= low && lower + crossed < k => {
                    let fixed = ((1u32 << lower) - 1) | between << (low + 1);
                    let row =
                        combination_rank(fixed | 1 << to).wrapping_sub(combination_rank(fixed | 1 << from));
                    let after = if from < to { before + crossed } else { lower };
                    // All identity maps are alike; using one keeps the others out of the cache.
                    let map = if crossed == 0 { maps.offset(0, 0) } else { maps.offset(before, after) };
                    IndexChange { row, map: map as u32 }
                }
                _ => IndexChange::default(),
            };
            changes.push(change);
        }
    }
}

/// What slides do to the index of any pattern of `k` tiles; shared by all such patterns to stay in the cache.
struct SlideIndex {
    maps: PermutationMaps,
    nodes: NodeLookup,
    slides: Vec<Slide>,
    changes: Vec<IndexChange>,
}

impl SlideIndex {
    fn new(table: &PatternTable) -> Self {
        let (shape, k) = (table.key().shape, table.key().tiles());
        let maps = PermutationMaps::new(k);
        let mut slides = vec![Slide::default(); shape.cells() * 4];
        let mut changes = Vec::new();
        for to in 0..shape.cells() {
            for step in Move::ALL {
                let Some(from) = shape.neighbour(to, step) else { continue };
                slides[to * 4 + step as usize] = slide(from, to, changes.len());
                index_changes(k, (from, to), &maps, &mut changes);
            }
        }
        let nodes = table.index().node_lookup();
        Self { maps, nodes, slides, changes }
    }
}

/// Tables of one board, with what lanes over them share.
pub struct TableSet {
    tables: Vec<Arc<PatternTable>>,
    /// By number of tiles.
    indices: [Option<SlideIndex>; TableKey::MAX_TILES + 1],
}

impl TableSet {
    /// A set of tables.
    pub fn new(tables: Vec<Arc<PatternTable>>) -> Self {
        let indices = std::array::from_fn(|tiles| {
            tables.iter().find(|table| table.key().tiles() == tiles).map(|table| SlideIndex::new(table))
        });
        Self { tables, indices }
    }
}

/// The sum of the excesses of a partition's patterns, carried along a search.
pub struct AdditiveLane<'t> {
    views: Vec<View<'t>>,
    tables: Vec<&'t PatternTable>,
    /// For each label the pattern it belongs to.
    member: [u8; 32],
    homes: Vec<Vec<usize>>,
}

/// The placements of all patterns and the sum of their excesses.
#[derive(Clone)]
pub struct AdditiveMemo {
    placements: [Placement; MAX_PATTERNS],
    excess: u32,
}

/// The new placement of one pattern and the new sum.
#[derive(Clone, Copy, Default)]
pub struct AdditiveChange {
    placement: Placement,
    /// Where the next thing to learn is found: first the order, in the maps; then the parity, a bit of the table.
    at: u32,
    excess: u32,
    pattern: u8,
    /// Where the blank comes to stand, as the table sees it.
    blank: u8,
}

impl<'t> AdditiveLane<'t> {
    /// The lane of a partition over its tables, which are found by their canonical key.
    pub fn new(partition: &Partition, set: &'t TableSet) -> Self {
        let mut lane = Self { views: vec![], tables: vec![], member: [0; 32], homes: vec![] };
        for (number, &pattern) in partition.patterns().iter().enumerate() {
            let shape = partition.shape();
            let (key, symmetry) = TableKey::new(shape, pattern, partition.goal_blank()).canonical();
            let table = set.tables.iter().find(|t| t.key() == key).expect("the partition's tables are given");
            let index = set.indices[key.tiles()].as_ref().expect("each table has its index");
            lane.tables.push(table);
            lane.views.push(View::new(table, index, symmetry));
            // Labels in the order of the table's slots, that is of their homes as the table sees them.
            let mut homes: Vec<usize> = (0..shape.cells()).filter(|&c| pattern >> c & 1 == 1).collect();
            homes.sort_by_key(|&home| symmetry.cell(shape, home));
            for &home in &homes {
                lane.member[home] = number as u8;
            }
            lane.homes.push(homes);
        }
        lane
    }

    /// The cells of one pattern's tiles, slot by slot, as its table sees them, and how many there are.
    fn cells(&self, number: usize, place: &[u8; 32]) -> ([usize; TableKey::MAX_TILES], usize) {
        let (mut cells, homes) = ([0; TableKey::MAX_TILES], &self.homes[number]);
        for (cell, &home) in cells.iter_mut().zip(homes) {
            *cell = usize::from(self.views[number].seen[usize::from(place[home])]);
        }
        (cells, homes.len())
    }

    /// The excess of one pattern, by a walk to the goal.
    fn excess_of(&self, number: usize, place: &[u8; 32], blank: usize) -> u32 {
        let table = self.tables[number];
        let (cells, count) = self.cells(number, place);
        let blank = usize::from(self.views[number].seen[blank]);
        let distances = cells[..count].iter().zip(table.key().goal_cells());
        let manhattan: usize = distances.map(|(&c, home)| table.key().shape.distance(c, home)).sum();
        let distance = table.distance(&cells[..count], blank).expect("only solvable positions are searched");
        ((distance - manhattan) / 2) as u32
    }
}

/// Where each label is.
fn places(labels: &[u16]) -> [u8; 32] {
    let mut place = [0; 32];
    for (cell, &label) in (0..).zip(labels) {
        place[usize::from(label)] = cell;
    }
    place
}

impl Lane for AdditiveLane<'_> {
    type Memo = AdditiveMemo;
    type Change = AdditiveChange;
    const FAR: bool = true;

    fn start(&self, position: &Position) -> AdditiveMemo {
        let place = places(position.labels());
        let excess =
            (0..self.views.len()).map(|number| self.excess_of(number, &place, position.blank())).sum();
        self.resume(position.labels(), position.blank(), excess)
    }

    fn resume(&self, labels: &[u16], blank: usize, excess: u32) -> AdditiveMemo {
        let place = places(labels);
        let mut memo = AdditiveMemo { placements: [Placement::default(); MAX_PATTERNS], excess };
        for (number, at) in memo.placements.iter_mut().enumerate().take(self.views.len()) {
            let (cells, count) = self.cells(number, &place);
            let cells = &cells[..count];
            let (row, order) = placement(cells);
            let mask = cells.iter().fold(0, |m, &c| m | 1 << c);
            let parity = self.tables[number].parity(cells, usize::from(self.views[number].seen[blank]));
            *at = Placement { mask, row, order: order as u16, parity: u16::from(parity) };
        }
        memo
    }

    #[inline(always)]
    fn excess(&self, memo: &AdditiveMemo) -> u32 {
        memo.excess
    }

    #[inline(always)]
    fn begin(&self, memo: &AdditiveMemo, label: usize, slide: usize) -> AdditiveChange {
        let pattern = self.member[label % 32];
        let at = &memo.placements[usize::from(pattern) % MAX_PATTERNS];
        let view = &self.views[usize::from(pattern)];
        let (placement, map) = view.slide(at, slide);
        AdditiveChange { placement, at: map, excess: 0, pattern, blank: view.slides[slide].blank }
    }

    #[inline(always)]
    fn locate(&self, change: &mut AdditiveChange) {
        let view = &self.views[usize::from(change.pattern)];
        (change.placement.order, change.at) = view.locate(change.placement.row, change.blank, change.at);
    }

    #[inline(always)]
    fn finish(&self, memo: &AdditiveMemo, change: &mut AdditiveChange, closer: bool) -> u32 {
        let byte = self.views[usize::from(change.pattern)].bits[(change.at >> 3) as usize];
        change.placement.parity = u16::from(byte >> (change.at & 7) & 1);
        let before = memo.placements[usize::from(change.pattern) % MAX_PATTERNS].parity;
        // The excess can only rise when a tile comes closer and only fall when it goes away.
        let changed = u32::from(change.placement.parity ^ before);
        let excess = if closer { memo.excess + changed } else { memo.excess - changed };
        change.excess = excess;
        excess
    }

    #[inline(always)]
    fn apply(&self, memo: &mut AdditiveMemo, change: &mut AdditiveChange) {
        let place = &mut memo.placements[usize::from(change.pattern) % MAX_PATTERNS];
        std::mem::swap(place, &mut change.placement);
        std::mem::swap(&mut memo.excess, &mut change.excess);
    }
}
