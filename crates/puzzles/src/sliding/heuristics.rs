//! Estimates for sliding tiles, each updated from the parent's in a few steps.

use crate::Cost;
use novelo_search::estimator::Estimator;
use novelo_search::parameter::{Kind, Parameter, Values};
use novelo_search::{Either, Heuristic, Meter, Promise};

use super::board::{Board, Bytes, Packed64, Packed128};
use super::instance::Tiles;
use super::optimal;
use super::rules::{Blank, Move, Rules};
use crate::formulation::Visitor;
use crate::heuristic::{HeuristicInfo, ZERO, heuristics};
use crate::request::{Request, RequestError};

const WITH: Parameter = Parameter {
    name: "with",
    kind: Kind::Word(&["linear-conflict"]),
    default: None,
    required: false,
    about: "Another heuristic, for the larger of the two.",
};

const PARTITION: Parameter = Parameter {
    name: "partition",
    kind: Kind::Text("6-6-3"),
    default: None,
    required: true,
    about: "How the tiles are divided: 4-4 (3x3), 5-5-5, 6-6-3 or 7-8 (4x4), 6-6-6-6 (5x5), or drawn row by row, a \
            letter for each tile and . for the blank, such as .aab/aabb/acbb/cccc.",
};

heuristics! {
    visit[V: Visitor](
        name: &str,
        values: &Values,
        tiles: &Tiles,
        order: [Move; 4],
        request: &Request,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        HeuristicInfo {
            name: "manhattan",
            parameters: &[],
            about: "The sum over all tiles of the rows and columns between a tile and its goal.",
            promise: Promise::CONSISTENT,
            why: "A move brings one tile one cell nearer at most.",
        } => without_tables(TileSum::manhattan(tiles), Simple::First, tiles, order, meter, visitor),
        HeuristicInfo {
            name: "linear-conflict",
            parameters: &[],
            about: "Manhattan distance, plus 2 for every tile that must leave its goal line to let others \
                    pass: in each row and column, the tiles that belong there less the longest run of \
                    them in the right order.",
            promise: Promise::CONSISTENT,
            why: "A tile that steps aside and back makes two moves that Manhattan distance does not count \
                  (Hansson, Mayer and Yung, 1992).",
        } => without_tables(LinearConflict::new(tiles), Simple::Second, tiles, order, meter, visitor),
        HeuristicInfo {
            name: "walking-distance",
            parameters: &[WITH],
            about: "The fewest vertical moves plus the fewest horizontal ones, each from a complete table of \
                    a smaller puzzle that knows only how many tiles of each goal line are in each line. \
                    Never less than Manhattan distance.",
            promise: Promise::CONSISTENT,
            why: "Every move of the board is a move of one of the two smaller puzzles (Takahashi, 2001).",
        } => optimal::with_walking_distance(tiles, values.text("with").is_some(), order, meter, visitor),
        HeuristicInfo {
            name: "pdb",
            parameters: &[PARTITION],
            about: "Additive pattern databases: the tiles are divided into patterns, and for each pattern a \
                    table holds the fewest moves of its tiles that bring them home; the sum over all \
                    patterns. The tables are built when first needed and kept in the cache. The algorithm tiles \
                    also looks at the partition reflected in the diagonal, where the goal allows it.",
            promise: Promise::CONSISTENT,
            why: "A table counts the moves of its own tiles only, so no move is counted twice (Korf and \
                  Felner, 2002); it knows where the blank is, so a move changes it by at most one.",
        } => {
            let partition = values.text("partition").unwrap_or_default();
            optimal::with_pattern_databases(tiles, partition, order, request, meter, visitor)
        },
        HeuristicInfo {
            name: "hamming",
            parameters: &[],
            about: "The number of tiles that are not in their place; the blank does not count.",
            promise: Promise::CONSISTENT,
            why: "A move changes the place of one tile.",
        } => without_tables(TileSum::hamming(tiles), Simple::First, tiles, order, meter, visitor),
        ZERO => without_tables(TileSum::zero(tiles), Simple::First, tiles, order, meter, visitor),
    }
}

/// Those that need no tables, as one type.
type Simple = Either<TileSum, LinearConflict>;

/// Hands over a heuristic that needs no tables, on the smallest boards that hold the tiles. Large boards, of which a search
/// sees little, share what is compiled.
fn without_tables<H, V: Visitor>(
    heuristic: H,
    simple: fn(H) -> Simple,
    tiles: &Tiles,
    order: [Move; 4],
    meter: &Meter<'_>,
    visitor: V,
) -> Result<V::Output, RequestError>
where
    H: Heuristic<Rules<Packed64>> + Heuristic<Rules<Packed128>>,
{
    match tiles.start.len() {
        ..=16 => visitor.visit(Rules::<Packed64>::new(tiles, order), heuristic, meter),
        17..=25 => visitor.visit(Rules::<Packed128>::new(tiles, order), heuristic, meter),
        26..=64 => visitor.visit(Rules::<Bytes<64>>::new(tiles, order), simple(heuristic), meter),
        _ => visitor.visit(Rules::<Bytes<256>>::new(tiles, order), simple(heuristic), meter),
    }
}

/// A sum over tiles of a value that depends on the tile and its cell alone.
#[derive(Debug, Clone)]
pub struct TileSum {
    /// The value of a tile by its cell, the cell where it belongs, and the number of columns.
    measure: Measure,
    cells: usize,
    /// Bits of a cell in the tables' indices.
    shift: u32,
    /// The value of a tile on a cell.
    values: Vec<u8>,
    /// What the value of a tile changes by when it comes to a cell, the blank
    /// having gone from there some way.
    changes: Vec<[i8; 4]>,
}

type Measure = fn(usize, usize, usize) -> u8;

impl TileSum {
    fn new(tiles: &Tiles, measure: Measure) -> Self {
        let value = |cell, goal| measure(cell, goal, tiles.size.cols);
        let cells = tiles.start.len();
        let shift = cells.next_power_of_two().trailing_zeros();
        let mut values = vec![0; cells << shift];
        let mut changes = vec![[0; 4]; cells << shift];
        let (rows, cols) = (tiles.size.rows, tiles.size.cols);
        for (goal, &tile) in tiles.goal.iter().enumerate().filter(|&(_, &tile)| tile != 0) {
            for cell in 0..cells {
                let at = (tile as usize) << shift | cell;
                values[at] = value(cell, goal);
                let (row, col) = (cell / cols, cell % cols);
                let mut from = |way: Move, possible: bool, from: usize| {
                    if possible {
                        changes[at][way as usize] = value(cell, goal) as i8 - value(from, goal) as i8;
                    }
                };
                from(Move::Up, row > 0, cell.wrapping_sub(cols));
                from(Move::Down, row + 1 < rows, cell + cols);
                from(Move::Left, col > 0, cell.wrapping_sub(1));
                from(Move::Right, col + 1 < cols, cell + 1);
            }
        }
        Self { measure, cells, shift, values, changes }
    }

    /// Manhattan distance.
    pub fn manhattan(tiles: &Tiles) -> Self {
        Self::new(tiles, |a, b, cols| ((a / cols).abs_diff(b / cols) + (a % cols).abs_diff(b % cols)) as u8)
    }

    /// Tiles out of place.
    pub fn hamming(tiles: &Tiles) -> Self {
        Self::new(tiles, |cell, goal, _| u8::from(cell != goal))
    }

    /// 0 everywhere.
    fn zero(tiles: &Tiles) -> Self {
        Self::new(tiles, |_, _, _| 0)
    }

    /// A tile has come to a cell from which the blank has gone some way.
    #[inline]
    fn change(&self, tile: u8, cell: usize, way: Move) -> u32 {
        self.changes[(tile as usize) << self.shift | cell][way as usize] as u32
    }
}

impl<B: Board> Heuristic<Rules<B>> for TileSum {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    fn memo(&self, _: &Rules<B>, board: &B) -> Option<u32> {
        let value = |cell| u32::from(self.values[(board.tile(cell) as usize) << self.shift | cell]);
        Some((0..self.cells).map(value).sum())
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    #[inline]
    fn child(&self, _: &Rules<B>, parent: &u32, board: &B, &way: &Move, before: &Blank) -> Option<u32> {
        let cell = before.cell();
        Some(parent.wrapping_add(self.change(board.tile(cell), cell, way)))
    }

    #[inline]
    fn peek(&self, rules: &Rules<B>, parent: &u32, before: &B, &way: &Move) -> Option<(Cost, u32)> {
        let cell = before.blank();
        let tile = before.tile(rules.step(cell, way));
        Some((1, parent.wrapping_add(self.change(tile, cell, way))))
    }

    #[inline]
    fn resume(&self, _: &Rules<B>, _: &B, value: u32) -> u32 {
        value
    }

    fn toward_start<'h>(&'h self, rules: &'h Rules<B>) -> Option<Box<dyn Estimator<Rules<B>, u32> + 'h>> {
        Some(Box::new(Self::new(&rules.reversed(), self.measure)))
    }
}

/// Manhattan distance with linear conflicts.
#[derive(Debug, Clone)]
pub struct LinearConflict {
    manhattan: TileSum,
    rows: usize,
    cols: usize,
    /// The row and column where each tile belongs.
    home: Vec<(u8, u8)>,
}

impl LinearConflict {
    /// For the goal of an instance.
    pub fn new(tiles: &Tiles) -> Self {
        let (rows, cols) = (tiles.size.rows, tiles.size.cols);
        let mut home = vec![(u8::MAX, u8::MAX); rows * cols];
        for (cell, &tile) in tiles.goal.iter().enumerate().filter(|&(_, &tile)| tile != 0) {
            home[tile as usize] = ((cell / cols) as u8, (cell % cols) as u8);
        }
        Self { manhattan: TileSum::manhattan(tiles), rows, cols, home }
    }

    /// The moves that a row needs beyond Manhattan distance, when `instead`
    /// stands on one of its cells.
    fn row<B: Board>(&self, board: &B, row: usize, instead: (usize, u8)) -> u32 {
        let cells = (row * self.cols..(row + 1) * self.cols)
            .map(|cell| if cell == instead.0 { instead.1 } else { board.tile(cell) });
        extra(cells.filter_map(|tile| {
            let (home_row, home_col) = self.home[tile as usize];
            (home_row as usize == row).then_some(home_col)
        }))
    }

    /// The same for a column.
    fn col<B: Board>(&self, board: &B, col: usize, instead: (usize, u8)) -> u32 {
        let cells = (0..self.rows)
            .map(|row| row * self.cols + col)
            .map(|cell| if cell == instead.0 { instead.1 } else { board.tile(cell) });
        extra(cells.filter_map(|tile| {
            let (home_row, home_col) = self.home[tile as usize];
            (home_col as usize == col).then_some(home_row)
        }))
    }
}

/// Twice the number of elements outside a longest increasing subsequence: the
/// least that must step aside for the others to stand in order.
pub(super) fn extra(places: impl Iterator<Item = u8>) -> u32 {
    // The smallest last element of an increasing subsequence of each length.
    let mut last = [0u8; 16];
    let (mut count, mut longest) = (0, 0);
    for place in places {
        let at = last[..longest].iter().position(|&end| end > place).unwrap_or(longest);
        last[at] = place;
        longest = longest.max(at + 1);
        count += 1;
    }
    2 * (count - longest as u32)
}

const NOWHERE: (usize, u8) = (usize::MAX, 0);

impl<B: Board> Heuristic<Rules<B>> for LinearConflict {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    fn memo(&self, rules: &Rules<B>, board: &B) -> Option<u32> {
        let rows: u32 = (0..self.rows).map(|row| self.row(board, row, NOWHERE)).sum();
        let cols: u32 = (0..self.cols).map(|col| self.col(board, col, NOWHERE)).sum();
        Some(self.manhattan.memo(rules, board)? + rows + cols)
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    /// A tile that moves within its column leaves the order there as it is and
    /// changes the two rows it goes between; likewise the other way round.
    fn child(&self, rules: &Rules<B>, parent: &u32, board: &B, &way: &Move, before: &Blank) -> Option<u32> {
        let to = before.cell();
        let (from, tile) = (rules.step(to, way), board.tile(to));
        let manhattan = parent.wrapping_add(self.manhattan.change(tile, to, way));
        let (was, is_gone) = ((from, tile), (to, 0));
        let (home_row, home_col) = self.home[tile as usize];
        let (mut after, mut before) = (0, 0);
        if matches!(way, Move::Up | Move::Down) {
            // Only a row in which the tile belongs can change.
            let (old, new) = (from / self.cols, to / self.cols);
            if home_row as usize == old {
                (before, after) = (self.row(board, old, was), self.row(board, old, NOWHERE));
            } else if home_row as usize == new {
                (before, after) = (self.row(board, new, is_gone), self.row(board, new, NOWHERE));
            }
        } else {
            let (old, new) = (from % self.cols, to % self.cols);
            if home_col as usize == old {
                (before, after) = (self.col(board, old, was), self.col(board, old, NOWHERE));
            } else if home_col as usize == new {
                (before, after) = (self.col(board, new, is_gone), self.col(board, new, NOWHERE));
            }
        }
        Some(manhattan + after - before)
    }

    #[inline]
    fn resume(&self, _: &Rules<B>, _: &B, value: u32) -> u32 {
        value
    }

    fn toward_start<'h>(&'h self, rules: &'h Rules<B>) -> Option<Box<dyn Estimator<Rules<B>, u32> + 'h>> {
        Some(Box::new(Self::new(&rules.reversed())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Size;
    use novelo_search::Problem;
    use proptest::prelude::*;

    fn tiles() -> impl Strategy<Value = Tiles> {
        (1..=5usize, 2..=5usize).prop_flat_map(|(rows, cols)| {
            let board = Just((0..(rows * cols) as u8).collect::<Vec<_>>()).prop_shuffle();
            (board.clone(), board).prop_map(move |(start, goal)| Tiles {
                size: Size { rows, cols },
                start,
                goal,
            })
        })
    }

    /// Walks at random; at every step the value carried along equals the value
    /// computed anew, it changes by at most the cost of a move, and taking the
    /// move back restores the board.
    fn walk<B: Board, H: Heuristic<Rules<B>, Value = u32>>(heuristic: &H, tiles: &Tiles, choices: &[u8]) {
        let rules = Rules::<B>::new(tiles, Move::DEFAULT_ORDER);
        let mut board = rules.start();
        let mut memo = heuristic.memo(&rules, &board).unwrap();
        let mut actions = Vec::new();
        for &choice in choices {
            actions.clear();
            rules.actions(&board, &mut actions);
            let action = actions[choice as usize % actions.len()];
            let before = board.clone();
            let (_, undo) = rules.apply(&mut board, action);
            for undo in [Some(undo), Rules::<B>::BACK].into_iter().flatten() {
                let mut back = board.clone();
                rules.undo(&mut back, action, undo);
                assert_eq!(back, before);
            }
            let carried = heuristic.child(&rules, &memo, &board, &action, &undo).unwrap();
            if let Some((cost, peeked)) = heuristic.peek(&rules, &memo, &before, &action) {
                assert_eq!((cost, heuristic.value(&peeked)), (1, heuristic.value(&carried)));
            }
            let anew = heuristic.memo(&rules, &board).unwrap();
            assert_eq!(heuristic.value(&carried), heuristic.value(&anew));
            assert!(heuristic.value(&memo).abs_diff(heuristic.value(&anew)) <= 1);
            let resumed = heuristic.resume(&rules, &board, heuristic.value(&anew));
            assert_eq!(heuristic.value(&resumed), heuristic.value(&anew));
            memo = carried;
        }
    }

    proptest! {
        #[test]
        fn incremental_equals_recomputed(tiles in tiles(), choices in prop::collection::vec(any::<u8>(), 0..80)) {
            walk::<Packed128, _>(&TileSum::manhattan(&tiles), &tiles, &choices);
            walk::<Packed128, _>(&TileSum::hamming(&tiles), &tiles, &choices);
            walk::<Packed128, _>(&LinearConflict::new(&tiles), &tiles, &choices);
            walk::<Bytes<256>, _>(&LinearConflict::new(&tiles), &tiles, &choices);
        }
    }

    #[test]
    fn conflicts_of_one_line() {
        assert_eq!(extra([0, 1, 2].into_iter()), 0);
        assert_eq!(extra([1, 0].into_iter()), 2);
        assert_eq!(extra([2, 1, 0].into_iter()), 4);
        assert_eq!(extra([1, 2, 0].into_iter()), 2);
        assert_eq!(extra([].into_iter()), 0);
    }
}
