//! Walking distance (K. Takahashi, 2001): the least number of vertical moves plus the least number of horizontal moves,
//! each found in a small puzzle that only knows how many tiles of each goal row lie in each row.

use crate::sliding::optimal::ida::Lane;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::Shape;
use crate::sliding::rules::Move;
use std::collections::HashMap;
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
    /// States by their counts, `counts[line * lines + goal line]`, and the blank's line behind them.
    number: HashMap<Box<[u8]>, u32>,
}

impl LineTable {
    /// The table for `lines` lines of `length` cells with the blank's home in line `home`, or `None` when it has more
    /// than `most` states.
    fn new(lines: usize, length: usize, home: usize, most: usize) -> Option<Self> {
        let mut goal = vec![0u8; lines * lines + 1];
        for line in 0..lines {
            goal[line * lines + line] = (length - usize::from(line == home)) as u8;
        }
        goal[lines * lines] = home as u8;
        let mut states = vec![goal.clone()];
        let mut table =
            Self { lines, distance: vec![0], next: vec![], number: HashMap::from([(goal.into(), 0)]) };
        let mut current = 0;
        while current < states.len() {
            let blank = usize::from(states[current][lines * lines]);
            for forward in [false, true] {
                let from = if forward { blank + 1 } else { blank.wrapping_sub(1) };
                for tile in 0..lines {
                    if from >= lines || states[current][from * lines + tile] == 0 {
                        table.next.push(u32::MAX);
                        continue;
                    }
                    let mut state = states[current].clone();
                    state[from * lines + tile] -= 1;
                    state[blank * lines + tile] += 1;
                    state[lines * lines] = from as u8;
                    let id = *table.number.entry(state.into()).or_insert_with_key(|state| {
                        states.push(state.to_vec());
                        table.distance.push(table.distance[current] + 1);
                        states.len() as u32 - 1
                    });
                    table.next.push(id);
                }
            }
            if states.len() > most {
                return None;
            }
            current += 1;
        }
        Some(table)
    }

    /// The state of a board whose tile or blank in each cell is given as (line, goal line).
    fn state(&self, tiles: impl Iterator<Item = (usize, usize)>, blank_line: usize) -> u32 {
        let mut state = [0u8; MAX_LINES * MAX_LINES + 1];
        tiles.for_each(|(line, goal)| state[line * self.lines + goal] += 1);
        state[self.lines * self.lines] = blank_line as u8;
        self.number[&state[..=self.lines * self.lines]]
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
    /// The most states a line puzzle may have; the 15-puzzle's has 24964.
    pub const MAX_STATES: usize = 1 << 20;

    /// The tables for a board and the blank's goal, or `None` when one would be too large.
    pub fn new(shape: Shape, goal_blank: usize) -> Option<Self> {
        let (rows, cols) = (usize::from(shape.rows), usize::from(shape.cols));
        let (home_row, home_col) = (goal_blank / cols, goal_blank % cols);
        let vertical = Arc::new(LineTable::new(rows, cols, home_row, Self::MAX_STATES)?);
        let horizontal = if rows == cols && home_row == home_col {
            vertical.clone()
        } else {
            Arc::new(LineTable::new(cols, rows, home_col, Self::MAX_STATES)?)
        };
        Some(Self { shape, rows: vertical, columns: horizontal })
    }
}

impl WalkingLane {
    /// About how many bytes the tables take.
    pub fn bytes(&self) -> usize {
        let table = |table: &LineTable| {
            let state = table.lines * table.lines + 1;
            table.distance.len() * (1 + 8 * table.lines + 32 + state)
        };
        let same = Arc::ptr_eq(&self.rows, &self.columns);
        table(&self.rows) + if same { 0 } else { table(&self.columns) }
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

    #[test]
    fn the_row_puzzle_of_the_fifteen_puzzle_has_24964_states() {
        let table = LineTable::new(4, 4, 3, usize::MAX).unwrap();
        assert_eq!(table.distance.len(), 24964);
    }
}
