//! Walking distance (K. Takahashi, 2001): the least number of vertical moves plus the least number of horizontal moves,
//! each found in a small puzzle that only knows how many tiles of each goal row lie in each row.

use crate::sliding::optimal::ida::TileHeuristic;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::{MAX_MASK_CELLS, Shape};
use crate::sliding::rules::Move;
use indexmap::IndexSet;
use novelo_search::{Budget, Stop};
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// Boards with more lines have far too many states.
const MAX_LINES: usize = 16;

/// The complete table of the row puzzle: lines of tiles, of which only the goal line counts.
struct LineTable {
    lines: usize,
    /// Distances from the goal.
    distance: Vec<u8>,
    /// `next[(state * 2 + towards the end) * lines + goal line of the tile]`: twice the state after the move, plus one
    /// if that is further from the goal.
    next: Vec<u32>,
    /// States by their number: their counts, `counts[line * lines + goal line]`, and the blank's line behind them.
    states: IndexSet<Box<[u8]>, FxBuildHasher>,
}

impl LineTable {
    /// The most states a table may have; the 15-puzzle's has 24964.
    const MAX_STATES: usize = 1 << 20;

    /// The table for `lines` lines of `length` cells with the blank's home in line `home`, unless it has too many states
    /// or the budget is used up.
    fn new(lines: usize, length: usize, home: usize, budget: Budget<'_>) -> Result<Self, Stop> {
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
                budget.stop().map_or(Ok(()), Err)?;
                budget.reserve(table.bytes())?;
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
                    let further = table.distance[number] > table.distance[current];
                    table.next.push(number as u32 * 2 + u32::from(further));
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

/// Walking distance; never less than the Manhattan distance.
pub struct WalkingDistance {
    /// For vertical and for horizontal moves.
    tables: [Arc<LineTable>; 2],
    /// The row and the column of each cell.
    lines: [[u8; MAX_MASK_CELLS]; 2],
}

/// The states of the two line puzzles and the excess over the Manhattan distance.
#[derive(Clone, Copy, Default, Debug)]
pub struct WalkingMemo {
    states: [u32; 2],
    excess: u32,
}

/// The new state of one line puzzle and the new excess.
#[derive(Clone, Copy, Default, Debug)]
pub struct WalkingChange {
    state: u32,
    /// Which line puzzle.
    axis: u8,
    excess: u32,
}

impl WalkingDistance {
    /// The tables for a board and the blank's goal, unless one would be too large or the budget is used up.
    pub fn new(shape: Shape, goal_blank: usize, budget: Budget<'_>) -> Result<Self, Stop> {
        let (rows, cols) = (usize::from(shape.rows), usize::from(shape.cols));
        let (home_row, home_col) = (goal_blank / cols, goal_blank % cols);
        let vertical = Arc::new(LineTable::new(rows, cols, home_row, budget)?);
        let horizontal = if rows == cols && home_row == home_col {
            vertical.clone()
        } else {
            Arc::new(LineTable::new(cols, rows, home_col, budget)?)
        };
        let line = |axis: usize| move |cell: usize| [cell / cols, cell % cols][axis] as u8;
        let lines = std::array::from_fn(|axis| std::array::from_fn(line(axis)));
        Ok(Self { tables: [vertical, horizontal], lines })
    }

    /// About how many bytes the tables take.
    pub fn bytes(&self) -> usize {
        let [rows, columns] = &self.tables;
        rows.bytes() + if Arc::ptr_eq(rows, columns) { 0 } else { columns.bytes() }
    }
}

impl TileHeuristic for WalkingDistance {
    type Memo = WalkingMemo;
    type Change = WalkingChange;

    fn start(&self, position: &Position) -> WalkingMemo {
        let memo = self.resume(position.labels(), position.blank(), 0);
        let distance = |(table, &state): (&Arc<LineTable>, &u32)| u32::from(table.distance[state as usize]);
        let walking: u32 = self.tables.iter().zip(&memo.states).map(distance).sum();
        WalkingMemo { excess: (walking - position.manhattan() as u32) / 2, ..memo }
    }

    fn resume(&self, labels: &[u16], blank: usize, excess: u32) -> WalkingMemo {
        let state = |axis: usize| {
            let line = |cell: usize| usize::from(self.lines[axis][cell]);
            let tiles = labels.iter().enumerate().filter(|&(cell, _)| cell != blank);
            let lines = tiles.map(|(cell, &label)| (line(cell), line(usize::from(label))));
            self.tables[axis].state(lines, line(blank))
        };
        WalkingMemo { states: std::array::from_fn(state), excess }
    }

    #[inline(always)]
    fn excess(&self, memo: &WalkingMemo) -> u32 {
        memo.excess
    }

    // No branch on the kind of move, which a processor could only guess.
    #[inline(always)]
    fn change(&self, memo: &WalkingMemo, label: usize, slide: usize, closer: bool) -> (WalkingChange, u32) {
        const { assert!(Move::Up as usize / 2 == 0 && Move::Down as usize == 1 && Move::Right as usize == 3) };
        let (axis, forward) = (slide / 2 % 2, slide % 2);
        let table = &self.tables[axis];
        let goal = usize::from(self.lines[axis][label % MAX_MASK_CELLS]);
        let next = table.next[(memo.states[axis] as usize * 2 + forward) * table.lines + goal];
        // Walking and Manhattan distance both change by one: the excess changes when they part.
        let excess = memo.excess + next % 2 - u32::from(!closer);
        (WalkingChange { state: next / 2, axis: axis as u8, excess }, excess)
    }

    #[inline(always)]
    fn apply(&self, memo: &mut WalkingMemo, change: &mut WalkingChange) {
        std::mem::swap(&mut memo.states[usize::from(change.axis) % 2], &mut change.state);
        std::mem::swap(&mut memo.excess, &mut change.excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding::optimal::tests::unlimited;
    use novelo_search::{Control, Limits, Meter};

    #[test]
    fn limits_hold_while_tables_are_made() {
        let make = |lines, budget| LineTable::new(lines, lines, lines - 1, budget).err();
        let small = Meter::new(Limits { memory: Some(100_000), ..Limits::default() }, Control::default());
        assert_eq!(make(4, small.budget()), Some(Stop::Memory));
        let free = unlimited();
        assert_eq!(make(5, free.budget().until(std::time::Instant::now())), Some(Stop::Time));
        assert_eq!(make(6, free.budget()), Some(Stop::GaveUp));
    }

    #[test]
    fn the_row_puzzle_of_the_fifteen_puzzle_has_24964_states() {
        let table = LineTable::new(4, 4, 3, unlimited().budget()).unwrap();
        assert_eq!(table.distance.len(), 24964);
    }
}
