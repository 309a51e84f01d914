//! Additive pattern databases as a lane of the search.

use super::lane::Lane;
use crate::sliding::optimal::partition::Partition;
use crate::sliding::optimal::pdb::{PatternTable, TableKey, placement};
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::rank::{PermutationMaps, combination_rank, factorial, permutations};
use crate::sliding::optimal::shape::{MAX_MASK_CELLS, Shape, Symmetry};
use crate::sliding::rules::Move;
use std::sync::Arc;

/// The most patterns a lane can have.
const MAX_PATTERNS: usize = 16;

/// Where the tiles of one pattern are, as the table's index needs it.
#[derive(Clone, Copy, Default, Debug)]
struct Placement {
    mask: u32,
    row: u32,
    order: u32,
    parity: u32,
}

/// A slide of a tile as one table sees it.
#[derive(Clone, Copy, Default)]
struct Slide {
    /// The cells the tile leaves and enters.
    toggled: u32,
    /// Where this slide's changes begin.
    changes: u32,
    /// The cells it passes, in the order of numbers, begin at this bit.
    shift: u8,
    /// As many ones as cells are passed.
    between: u8,
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
    index: Arc<SlideIndex>,
    block_bits: u32,
    slides: Vec<Slide>,
    /// The place of each cell in the board as the table sees it.
    seen: [u8; MAX_MASK_CELLS],
}

impl<'t> View<'t> {
    fn new(table: &'t PatternTable, index: Arc<SlideIndex>, symmetry: Symmetry) -> Self {
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
        Self { bits: table.bits(), index, block_bits: table.key().block_bits() as u32, slides, seen }
    }

    #[inline(always)]
    fn slide(&self, at: &Placement, slot: usize, slide: usize) -> Placement {
        let (index, slide) = (&*self.index, &self.slides[slide]);
        let before = u32::from(index.places[at.order as usize * 8 + slot]);
        let between = at.mask >> slide.shift & u32::from(slide.between);
        let change = index.changes[(slide.changes + (before << index.width) + between) as usize];
        let row = at.row.wrapping_add(change.row);
        let order = u32::from(index.maps.all()[(change.map + at.order) as usize]);
        let part = index.part[(row * index.cells + u32::from(slide.blank)) as usize];
        let node = index.first_node[row as usize] + u32::from(part);
        let bit = node * self.block_bits + order;
        let parity = u32::from(self.bits[(bit >> 3) as usize]) >> (bit & 7) & 1;
        Placement { mask: at.mask ^ slide.toggled, row, order, parity }
    }
}

fn slide(from: usize, to: usize, changes: usize) -> Slide {
    let (low, high) = (from.min(to), from.max(to));
    Slide {
        toggled: 1 << from | 1 << to,
        shift: low as u8 + 1,
        between: ((1u32 << (high - low - 1)) - 1) as u8,
        blank: from as u8,
        changes: changes as u32,
    }
}

/// Tabulates the changes of rank for one slide: the combination rank is a sum of binomials over the occupied cells,
/// of which only the moved tile and those it passes change.
fn index_changes(
    shape: Shape,
    k: usize,
    (from, to): (usize, usize),
    maps: &PermutationMaps,
    changes: &mut Vec<IndexChange>,
) {
    let (low, high) = (from.min(to), from.max(to));
    let passed = high - low - 1;
    for before in 0..=k {
        for between in 0..1u32 << (shape.cols - 1) {
            let crossed = between.count_ones() as usize;
            let lower = if from < to { Some(before) } else { before.checked_sub(crossed) };
            let change = match lower {
                // `lower` tiles lie before both cells; put them on the lowest cells, their ranks cancel out.
                Some(lower) if between >> passed == 0 && lower <= low && lower + crossed < k => {
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
    /// The place of each slot in each permutation, eight bytes a permutation.
    places: Vec<u8>,
    first_node: Vec<u32>,
    part: Vec<u8>,
    width: u32,
    cells: u32,
    slides: Vec<Slide>,
    changes: Vec<IndexChange>,
}

impl SlideIndex {
    fn new(table: &PatternTable) -> Self {
        let (shape, k) = (table.key().shape, table.key().tiles());
        let mut places = vec![0; factorial(k) * 8];
        for (places, permutation) in places.chunks_mut(8).zip(permutations(k)) {
            for (place, &slot) in (0..).zip(&permutation) {
                places[usize::from(slot)] = place;
            }
        }
        let maps = PermutationMaps::new(k);
        let mut slides = vec![Slide::default(); shape.cells() * 4];
        let mut changes = Vec::new();
        for to in 0..shape.cells() {
            for step in Move::ALL {
                let Some(from) = shape.neighbour(to, step) else { continue };
                slides[to * 4 + step as usize] = slide(from, to, changes.len());
                index_changes(shape, k, (from, to), &maps, &mut changes);
            }
        }
        let (first_node, part) = table.index().node_lookup();
        let (width, cells) = (u32::from(shape.cols) - 1, shape.cells() as u32);
        Self { maps, places, first_node, part, width, cells, slides, changes }
    }
}

/// The slide indices of a set of tables, by number of tiles.
pub struct SlideIndices(Vec<Option<Arc<SlideIndex>>>);

impl SlideIndices {
    /// The indices for tables of one board.
    pub fn new(tables: &[Arc<PatternTable>]) -> Self {
        let mut indices = vec![None; TableKey::MAX_TILES + 1];
        for table in tables {
            indices[table.key().tiles()].get_or_insert_with(|| Arc::new(SlideIndex::new(table)));
        }
        Self(indices)
    }
}

/// The sum of the excesses of a partition's patterns, carried along a search.
pub struct AdditiveLane<'t> {
    views: Vec<View<'t>>,
    tables: Vec<&'t PatternTable>,
    /// For each label the pattern it belongs to and its slot there.
    member: [(u8, u8); 32],
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
    excess: u32,
    pattern: u8,
}

impl<'t> AdditiveLane<'t> {
    /// The lanes of several partitions of one board over their tables; tables are found by their canonical key.
    pub fn for_partitions(
        partitions: &[Partition],
        tables: &'t [Arc<PatternTable>],
        indices: &SlideIndices,
    ) -> Vec<Self> {
        partitions.iter().map(|partition| Self::new(partition, tables, indices)).collect()
    }

    fn new(partition: &Partition, tables: &'t [Arc<PatternTable>], indices: &SlideIndices) -> Self {
        assert!(partition.patterns().len() <= MAX_PATTERNS);
        let mut lane = Self { views: vec![], tables: vec![], member: [(0, 0); 32], homes: vec![] };
        for (number, &pattern) in partition.patterns().iter().enumerate() {
            let shape = partition.shape();
            let (key, symmetry) = TableKey::new(shape, pattern, partition.goal_blank()).canonical();
            let table = tables.iter().find(|t| t.key() == key).expect("the partition's tables are given");
            let index = indices.0[key.tiles()].clone().expect("each table has its index");
            lane.tables.push(table);
            lane.views.push(View::new(table, index, symmetry));
            // Labels in the order of the table's slots, that is of their homes as the table sees them.
            let mut homes: Vec<usize> = (0..shape.cells()).filter(|&c| pattern >> c & 1 == 1).collect();
            homes.sort_by_key(|&home| symmetry.cell(shape, home));
            for (slot, &home) in (0..).zip(&homes) {
                lane.member[home] = (number as u8, slot);
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
            *at = Placement { mask, row, order: order as u32, parity: u32::from(parity) };
        }
        memo
    }

    #[inline(always)]
    fn excess(&self, memo: &AdditiveMemo) -> u32 {
        memo.excess
    }

    #[inline(always)]
    fn change(&self, memo: &AdditiveMemo, label: usize, slide: usize, closer: bool) -> AdditiveChange {
        let (pattern, slot) = self.member[label % 32];
        let at = &memo.placements[usize::from(pattern) % MAX_PATTERNS];
        let placement = self.views[usize::from(pattern)].slide(at, usize::from(slot), slide);
        // The excess can only rise when a tile comes closer and only fall when it goes away.
        let changed = placement.parity ^ at.parity;
        let excess = if closer { memo.excess + changed } else { memo.excess - changed };
        AdditiveChange { placement, excess, pattern }
    }

    #[inline(always)]
    fn excess_after(&self, _: &AdditiveMemo, change: &AdditiveChange) -> u32 {
        change.excess
    }

    #[inline(always)]
    fn apply(&self, memo: &mut AdditiveMemo, change: &AdditiveChange) -> AdditiveChange {
        let place = &mut memo.placements[usize::from(change.pattern) % MAX_PATTERNS];
        let old = AdditiveChange { placement: *place, pattern: change.pattern, excess: memo.excess };
        memo.excess = change.excess;
        *place = change.placement;
        old
    }
}
