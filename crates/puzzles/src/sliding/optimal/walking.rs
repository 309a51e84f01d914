//! Walking distance (K. Takahashi, 2001): the least number of vertical moves plus the least number of horizontal moves,
//! each found in a small puzzle that only knows how many tiles of each goal row lie in each row.

use crate::sliding::optimal::ida::Lane;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::Shape;
use crate::sliding::optimal::watch::Watch;
use crate::sliding::rules::Move;
use indexmap::IndexSet;
use novelo_search::Stop;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// Boards with more lines have far too many states.
const MAX_LINES: usize = 16;

/// The complete table of the row puzzle: lines of tiles, of which only the goal line counts.
struct LineTable {
    lines: usize,
    /// Distances from the goal.
    distance: Vec<u8>,
    /// `next[(state * 2 + towards the end) * lines + goal line of the tile]`.
    next: Vec<u32>,
    /// States by their number: their counts, `counts[line * lines + goal line]`, and the blank's line behind them.
    states: IndexSet<Box<[u8]>, FxBuildHasher>,
}

impl LineTable {
    /// The most states a table may have; the 15-puzzle's has 24964.
    const MAX_STATES: usize = 1 << 20;

    /// The table for `lines` lines of `length` cells with the blank's home in line `home`, unless it has too many states
    /// or the watch says stop.
    fn new(lines: usize, length: usize, home: usize, watch: Watch<'_>) -> Result<Self, Stop> {
        let mut goal = vec![0u8; lines * lines + 1];
        for line in 0..lines {
            goal[line * lines + line] = (length - usize::from(line == home)) as u8;
        }
        goal[lines * lines] = home as u8;
        let states = std::iter::once(goal.into()).collect();
        let mut table = Self { lines, distance: vec![0], next: vec![], states };
        let mut current = 0;
        while current < table.states.len() {
            if table.states.len() > Self::MAX_STATES {
                return Err(Stop::GaveUp);
            }
            if current.is_multiple_of(1024) {
                watch.stop().map_or(Ok(()), Err)?;
                watch.reserve(table.bytes())?;
            }
            let state = table.states[current].clone();
            let blank = usize::from(state[lines * lines]);
            for forward in [false, true] {
                let from = if forward { blank + 1 } else { blank.wrapping_sub(1) };
                for tile in 0..lines {
                    if from >= lines || state[from * lines + tile] == 0 {
                        table.next.push(u32::MAX);
                        continue;
                    }
                    let mut after = state.clone();
                    after[from * lines + tile] -= 1;
                    after[blank * lines + tile] += 1;
                    after[lines * lines] = from as u8;
                    let (number, new) = table.states.insert_full(after);
                    if new {
                        table.distance.push(table.distance[current] + 1);
                    }
                    table.next.push(number as u32);
                }
            }
            current += 1;
        }
        Ok(table)
    }

    /// About how many bytes the table takes.
    fn bytes(&self) -> usize {
        let state = self.lines * self.lines + 1;
        self.states.len() * (1 + 8 * self.lines + 48 + state)
    }

    /// The state of a board whose tile or blank in each cell is given as (line, goal line).
    fn state(&self, tiles: impl Iterator<Item = (usize, usize)>, blank_line: usize) -> u32 {
        let mut state = [0u8; MAX_LINES * MAX_LINES + 1];
        tiles.for_each(|(line, goal)| state[line * self.lines + goal] += 1);
        state[self.lines * self.lines] = blank_line as u8;
        let state = &state[..=self.lines * self.lines];
        self.states.get_index_of(state).expect("every board has its state") as u32
    }
}

/// Walking distance as a lane of the search; never less than the Manhattan distance.
pub struct WalkingLane {
    shape: Shape,
    rows: Arc<LineTable>,
    columns: Arc<LineTable>,
}

/// The states of the two line puzzles and the excess over the Manhattan distance.
#[derive(Clone, Copy, Default, Debug)]
pub struct WalkingMemo {
    rows: u32,
    columns: u32,
    excess: u32,
}

impl WalkingLane {
    /// The tables for a board and the blank's goal, unless one would be too large or the watch says stop.
    pub fn new(shape: Shape, goal_blank: usize, watch: Watch<'_>) -> Result<Self, Stop> {
        let (rows, cols) = (usize::from(shape.rows), usize::from(shape.cols));
        let (home_row, home_col) = (goal_blank / cols, goal_blank % cols);
        let vertical = Arc::new(LineTable::new(rows, cols, home_row, watch)?);
        let horizontal = if rows == cols && home_row == home_col {
            vertical.clone()
        } else {
            Arc::new(LineTable::new(cols, rows, home_col, watch)?)
        };
        Ok(Self { shape, rows: vertical, columns: horizontal })
    }

    /// About how many bytes the tables take.
    pub fn bytes(&self) -> usize {
        let same = Arc::ptr_eq(&self.rows, &self.columns);
        self.rows.bytes() + if same { 0 } else { self.columns.bytes() }
    }
}

impl Lane for WalkingLane {
    type Memo = WalkingMemo;
    type Change = WalkingMemo;

    fn start(&self, position: &Position) -> WalkingMemo {
        let memo = self.resume(position.labels(), position.blank(), 0);
        let (rows, columns) = (memo.rows as usize, memo.columns as usize);
        let walking = u32::from(self.rows.distance[rows]) + u32::from(self.columns.distance[columns]);
        WalkingMemo { excess: (walking - position.manhattan() as u32) / 2, ..memo }
    }

    fn resume(&self, labels: &[u16], blank: usize, excess: u32) -> WalkingMemo {
        let cols = usize::from(self.shape.cols);
        let tiles = || {
            let all = labels.iter().map(|&l| usize::from(l)).enumerate();
            all.filter(|&(cell, _)| cell != blank)
        };
        let rows = self.rows.state(tiles().map(|(cell, home)| (cell / cols, home / cols)), blank / cols);
        let columns =
            self.columns.state(tiles().map(|(cell, home)| (cell % cols, home % cols)), blank % cols);
        WalkingMemo { rows, columns, excess }
    }

    #[inline]
    fn excess(&self, memo: &WalkingMemo) -> u32 {
        memo.excess
    }

    #[inline]
    fn begin(&self, memo: &WalkingMemo, label: usize, slide: usize) -> WalkingMemo {
        let cols = usize::from(self.shape.cols);
        let step = slide % 4;
        let vertical = step == Move::Up as usize || step == Move::Down as usize;
        let forward = step == Move::Right as usize || step == Move::Down as usize;
        let (table, state, goal) = if vertical {
            (&*self.rows, memo.rows, label / cols)
        } else {
            (&*self.columns, memo.columns, label % cols)
        };
        let next = table.next[(state as usize * 2 + usize::from(forward)) * table.lines + goal];
        if vertical { WalkingMemo { rows: next, ..*memo } } else { WalkingMemo { columns: next, ..*memo } }
    }

    fn locate(&self, _: &mut WalkingMemo) {}

    #[inline]
    fn finish(&self, memo: &WalkingMemo, change: &mut WalkingMemo, closer: bool) -> u32 {
        let (table, before, after) = if change.rows == memo.rows {
            (&*self.columns, memo.columns, change.columns)
        } else {
            (&*self.rows, memo.rows, change.rows)
        };
        let rises = table.distance[after as usize] > table.distance[before as usize];
        // Walking and Manhattan distance both change by one: the excess changes when they part.
        change.excess = memo.excess + u32::from(rises && closer) - u32::from(!rises && !closer);
        change.excess
    }

    #[inline]
    fn apply(&self, memo: &mut WalkingMemo, change: &mut WalkingMemo) {
        std::mem::swap(memo, change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding::optimal::watch::Tally;

    #[test]
    fn limits_hold_while_tables_are_made() {
        let tally = Tally::default();
        let make = |lines, watch| LineTable::new(lines, lines, lines - 1, watch).err();
        let idle = Watch::idle(&tally);
        assert_eq!(make(4, Watch { memory: Some(100_000), ..idle }), Some(Stop::Memory));
        assert_eq!(make(5, Watch { deadline: Some(std::time::Instant::now()), ..idle }), Some(Stop::Time));
        assert_eq!(make(6, idle), Some(Stop::GaveUp));
    }

    #[test]
    fn the_row_puzzle_of_the_fifteen_puzzle_has_24964_states() {
        let table = LineTable::new(4, 4, 3, Watch::idle(&Tally::default())).unwrap();
        assert_eq!(table.distance.len(), 24964);
    }
}
