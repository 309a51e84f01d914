//! Additive pattern databases as a heuristic of the search.

use super::heuristic::TileHeuristic;
use crate::sliding::optimal::partition::Partition;
use crate::sliding::optimal::pdb::{NodeLookup, PatternTable, TableKey, placement};
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::prefetch::prefetch;
use crate::sliding::optimal::rank::{PermutationMaps, combination_rank};
use crate::sliding::optimal::shape::{MAX_MASK_CELLS, Symmetry};
use crate::sliding::rules::Move;
use std::sync::Arc;

const MAX_PATTERNS: usize = Partition::MAX_PATTERNS;

/// Where the tiles of one pattern are, as the table's index needs it, and the parity of their excess. Packed: a search
/// copies little else.
#[derive(Clone, Copy, Default)]
#[repr(C, packed(4))]
pub(super) struct Placement {
    /// The occupied cells, and above them the rank of that combination.
    cells: u64,
    /// The rank of the tiles' order, then the parity (from bit 16) and the view (from bit 24).
    tail: u32,
}

impl Placement {
    fn new(mask: u32, row: u32, order: usize, parity: bool) -> Self {
        Self { cells: u64::from(row) << 32 | u64::from(mask), tail: u32::from(parity) << 16 | order as u32 }
    }

    #[inline(always)]
    pub fn parity(self) -> u8 {
        (self.tail >> 16) as u8 & 1
    }

    /// Which of the views of a search it is seen in.
    #[inline(always)]
    pub fn view(self) -> usize {
        (self.tail >> 24) as usize
    }

    pub fn seen_in(self, view: usize) -> Self {
        Self { tail: self.tail & 0x00ff_ffff | (view as u32) << 24, ..self }
    }
}

/// A placement that is being looked up in three steps, so that a search can ask for the entries of many moves and do
/// other work while a large table's memory answers.
#[derive(Clone, Copy, Default)]
pub(super) struct Query {
    cells: u64,
    /// Where the next thing to learn is found: first the order, in the maps; then the parity, a bit of the table.
    place: u32,
    /// As that of the placement, but until the order is known the cell of the blank (from bit 16), as the table sees it.
    tail: u32,
}

impl Query {
    /// Which of the views of a search it is asked of.
    #[inline(always)]
    pub fn view(self) -> usize {
        (self.tail >> 24) as usize
    }
}

/// A slide of a tile as one table sees it.
#[derive(Clone, Copy, Default)]
struct TableSlide {
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

/// What a slide changes in the index, given how many tiles lie before it and which cells between are occupied: the change
/// of the combination rank, and below it six bits for the number of the permutation map.
#[derive(Clone, Copy, Default)]
struct IndexChange(i32);

impl IndexChange {
    const MAP: u32 = 6;

    fn new(row: i32, map: usize) -> Self {
        let change = Self(row << Self::MAP | map as i32);
        assert!(change.row() == row as u64 && change.map() == map as u32, "at most 2^25 rows and 64 maps");
        change
    }

    /// Modulo 2⁶⁴.
    #[inline(always)]
    fn row(self) -> u64 {
        (i64::from(self.0) >> Self::MAP) as u64
    }

    #[inline(always)]
    fn map(self) -> u32 {
        self.0 as u32 % (1 << Self::MAP)
    }
}

/// One pattern: its table, turned so that it fits this pattern's place on the board.
///
/// The way to a bit is a chain of small table reads without branches that depend on data: a search alternates
/// between patterns and moves at random, and mispredicted branches would cost more than the reads.
pub(super) struct View<'t> {
    bits: &'t [u8],
    maps: &'t [u16],
    nodes: &'t NodeLookup,
    changes: &'t [IndexChange],
    orders: u32,
    block_bits: u32,
    slides: [TableSlide; 4 * MAX_MASK_CELLS],
    /// The place of each cell in the board as the table sees it.
    seen: [u8; MAX_MASK_CELLS],
}

impl<'t> View<'t> {
    fn new(table: &'t PatternTable, index: &'t SlideIndex, symmetry: Symmetry) -> Self {
        let shape = table.key().shape;
        let mut slides = [TableSlide::default(); 4 * MAX_MASK_CELLS];
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
            orders: table.key().orders() as u32,
            block_bits: table.key().block_bits() as u32,
            slides,
            seen,
        }
    }

    /// Begins to look up the placement after a slide.
    #[inline(always)]
    pub fn begin(&self, at: Placement, slide: usize) -> Query {
        let slide = &self.slides[slide % self.slides.len()];
        let mask = at.cells as u32;
        let before = (mask & slide.below).count_ones();
        let between = mask >> slide.shift & u32::from(slide.between);
        let change = self.changes[(slide.changes + (before << slide.passed) + between) as usize];
        let cells = (at.cells ^ u64::from(slide.toggled)).wrapping_add(change.row() << 32);
        let place = change.map() * self.orders + (at.tail & 0xffff);
        prefetch(self.maps, place as usize);
        self.nodes.prepare((cells >> 32) as u32);
        Query { cells, place, tail: at.tail & 0xff00_0000 | u32::from(slide.blank) << 16 }
    }

    /// Finds the order, and from it the bit in the table.
    #[inline(always)]
    pub fn locate(&self, query: &mut Query) {
        let order = u32::from(self.maps[query.place as usize]);
        let node = self.nodes.node((query.cells >> 32) as u32, query.tail >> 16 & 0xff);
        query.place = node * self.block_bits + order;
        query.tail = query.tail & 0xff00_0000 | order;
        prefetch(self.bits, (query.place >> 3) as usize);
    }

    /// Reads the bit.
    #[inline(always)]
    pub fn finish(&self, query: Query) -> Placement {
        let parity = self.bits[(query.place >> 3) as usize] >> (query.place & 7) & 1;
        Placement { cells: query.cells, tail: query.tail | u32::from(parity) << 16 }
    }
}

fn slide(from: usize, to: usize, changes: usize) -> TableSlide {
    let (low, high) = (from.min(to), from.max(to));
    TableSlide {
        toggled: 1 << from | 1 << to,
        below: (1 << from) - 1,
        shift: low as u8 + 1,
        between: u8::try_from((1u32 << (high - low - 1)) - 1).expect("a standing board has few columns"),
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
                    let rank = |cell: usize| combination_rank(fixed | 1 << cell) as i32;
                    let after = if from < to { before + crossed } else { lower };
                    // All identity maps are alike; using one keeps the others out of the cache.
                    let map = if crossed == 0 { 0 } else { maps.number(before, after) };
                    IndexChange::new(rank(to) - rank(from), map)
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
    slides: Vec<TableSlide>,
    changes: Vec<IndexChange>,
}

impl SlideIndex {
    fn new(table: &PatternTable) -> Self {
        let (shape, k) = (table.key().shape, table.key().tiles());
        let maps = PermutationMaps::new(k);
        let mut slides = vec![TableSlide::default(); shape.cells() * 4];
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

/// Tables of one board, with what heuristics over them share.
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
pub struct AdditivePdb<'t> {
    views: Vec<View<'t>>,
    tables: Vec<&'t PatternTable>,
    /// For each label the pattern it belongs to.
    member: [u8; MAX_MASK_CELLS],
    homes: Vec<Vec<usize>>,
}

/// The sum of the excesses of all patterns, and their placements.
#[derive(Clone)]
pub struct AdditiveMemo {
    pub(super) excess: u16,
    pub(super) placements: [Placement; MAX_PATTERNS],
}

/// The new placement of one pattern and the new sum.
#[derive(Clone, Copy, Default)]
pub struct AdditiveChange {
    placement: Placement,
    excess: u16,
    pattern: u8,
}

impl<'t> AdditivePdb<'t> {
    /// The heuristic of a partition over its tables, which are found by their canonical key.
    pub fn new(partition: &Partition, set: &'t TableSet) -> Self {
        let mut heuristic =
            Self { views: vec![], tables: vec![], member: [0; MAX_MASK_CELLS], homes: vec![] };
        for (number, &pattern) in partition.patterns().iter().enumerate() {
            let shape = partition.shape();
            let (key, symmetry) = TableKey::new(shape, pattern, partition.goal_blank()).canonical();
            let table = set.tables.iter().find(|t| t.key() == key).expect("the partition's tables are given");
            let index = set.indices[key.tiles()].as_ref().expect("each table has its index");
            heuristic.tables.push(table);
            heuristic.views.push(View::new(table, index, symmetry));
            // Labels in the order of the table's slots, that is of their homes as the table sees them.
            let mut homes: Vec<usize> = (0..shape.cells()).filter(|&c| pattern >> c & 1 == 1).collect();
            homes.sort_by_key(|&home| symmetry.cell(shape, home));
            for &home in &homes {
                heuristic.member[home] = number as u8;
            }
            heuristic.homes.push(homes);
        }
        heuristic
    }

    /// Its views, pattern by pattern.
    pub(super) fn views(&self) -> &[View<'t>] {
        &self.views
    }

    /// The pattern that a label belongs to.
    pub(super) fn pattern_of(&self, label: usize) -> usize {
        usize::from(self.member[label])
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

impl TileHeuristic for AdditivePdb<'_> {
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
        let mut memo =
            AdditiveMemo { excess: excess as u16, placements: [Placement::default(); MAX_PATTERNS] };
        for (number, at) in memo.placements.iter_mut().enumerate().take(self.views.len()) {
            let (cells, count) = self.cells(number, &place);
            let cells = &cells[..count];
            let (row, order) = placement(cells);
            let mask = cells.iter().fold(0, |m, &c| m | 1 << c);
            let parity = self.tables[number].parity(cells, usize::from(self.views[number].seen[blank]));
            *at = Placement::new(mask, row, order, parity);
        }
        memo
    }

    #[inline(always)]
    fn excess(&self, memo: &AdditiveMemo) -> u32 {
        u32::from(memo.excess)
    }

    #[inline(always)]
    fn change(&self, memo: &AdditiveMemo, label: usize, slide: usize, closer: bool) -> (AdditiveChange, u32) {
        let pattern = usize::from(self.member[label % MAX_MASK_CELLS]);
        let (view, before) = (&self.views[pattern], &memo.placements[pattern % MAX_PATTERNS]);
        let mut query = view.begin(*before, slide);
        view.locate(&mut query);
        let placement = view.finish(query);
        // The excess can only rise when a tile comes closer and only fall when it goes away.
        let changed = placement.parity() ^ before.parity();
        let excess = if closer { memo.excess + u16::from(changed) } else { memo.excess - u16::from(changed) };
        (AdditiveChange { placement, excess, pattern: pattern as u8 }, u32::from(excess))
    }

    #[inline(always)]
    fn apply(&self, memo: &mut AdditiveMemo, change: &mut AdditiveChange) {
        let place = &mut memo.placements[usize::from(change.pattern) % MAX_PATTERNS];
        std::mem::swap(place, &mut change.placement);
        std::mem::swap(&mut memo.excess, &mut change.excess);
    }
}
