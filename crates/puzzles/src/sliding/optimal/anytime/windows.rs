//! Shortens a solution window by window: a part of it is replaced by a shortest way between its ends.

use std::collections::HashMap;

use novelo_search::Budget;
use novelo_search::beam::beam_search;

use super::beam::TileBeam;
use crate::sliding::optimal::ida::{Manhattan, PlainSearch, deepen};
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::{MAX_MASK_CELLS, Shape};
use crate::sliding::rules::Move;

/// Shortens `path` until the budget is used up or no window gives way.
///
/// A window is searched only on the smallest block of the board that holds the blank's way through it and is at least
/// three cells high and wide, with a limit on nodes: most gains lie in short detours.
pub fn improve(start: &Position, path: &mut Vec<Move>, budget: Budget<'_>) {
    const LENGTHS: [usize; 3] = [16, 26, 36];
    const NODES: u64 = 200_000;
    let mut machines: HashMap<Shape, MoveMachine> = HashMap::new();
    for length in LENGTHS {
        let mut position = start.clone();
        let mut from = 0;
        while from < path.len() && !budget.over() {
            let to = (from + length).min(path.len());
            if let Some(shorter) = window(&position, &path[from..to], NODES, &mut machines, budget) {
                path.splice(from..to, shorter);
                // A gain may open another one just before it.
                let back = from.saturating_sub(length / 2);
                path[back..from].iter().rev().for_each(|step| _ = position.apply(step.opposite()));
                from = back;
                continue;
            }
            let next = (from + length / 4).min(path.len());
            path[from..next].iter().for_each(|&step| _ = position.apply(step));
            from = next;
        }
    }
}

/// Shortens `path` once through by beam searches over long windows of the whole board; says whether anything was gained.
pub fn improve_by_beams(
    start: &Position,
    path: &mut Vec<Move>,
    length: usize,
    width: usize,
    budget: Budget<'_>,
) -> bool {
    let before = path.len();
    let mut position = start.clone();
    let mut from = 0;
    while from < path.len() && !budget.over() {
        let to = (from + length).min(path.len());
        let mut target = position.clone();
        path[from..to].iter().for_each(|&step| _ = target.apply(step));
        let tiles = |p: &Position| -> Vec<u16> {
            let all = p.labels().iter().enumerate();
            all.map(|(cell, &label)| if cell == p.blank() { 0 } else { label + 1 }).collect()
        };
        let inner = Position::between(start.shape(), &tiles(&position), &tiles(&target));
        if let Some(shorter) = beam_search(&TileBeam::new(&inner), width, (to - from) as u32, budget) {
            path.splice(from..to, shorter);
        }
        let next = (from + length / 2).min(path.len());
        path[from..next].iter().for_each(|&step| _ = position.apply(step));
        from = next;
    }
    path.len() < before
}

/// A way from `position` to where `moves` lead that is shorter than `moves`, if one is found.
fn window(
    position: &Position,
    moves: &[Move],
    nodes: u64,
    machines: &mut HashMap<Shape, MoveMachine>,
    budget: Budget<'_>,
) -> Option<Vec<Move>> {
    let mut target = position.clone();
    let mut visited = vec![position.blank()];
    for &step in moves {
        target.apply(step);
        visited.push(target.blank());
    }
    let block = block(position.shape(), &visited)?;
    let crop = |p: &Position| -> Vec<u16> {
        block.cells.iter().map(|&c| if c == p.blank() { 0 } else { p.labels()[c] + 1 }).collect()
    };
    let inner = Position::between(block.shape, &crop(position), &crop(&target));
    if inner.manhattan() >= moves.len() {
        return None;
    }
    let machine = machines.entry(block.shape).or_insert_with(|| MoveMachine::new(block.shape, 8));
    // A shorter way is wanted, not proved to be absent: a limit on depth says when to stop.
    let search =
        PlainSearch::new(&inner, [Manhattan], machine).with_depth_limit(Some(moves.len() as u32 - 1));
    deepen(&search, 1, budget.with_nodes(Some(nodes))).found.ok().flatten()
}

struct Block {
    shape: Shape,
    cells: Vec<usize>,
}

/// The smallest block with these cells that is at least 3×3 where the board allows; `None` when it has more cells than
/// the search can hold.
fn block(shape: Shape, cells: &[usize]) -> Option<Block> {
    let cols = usize::from(shape.cols);
    let span = |line: &dyn Fn(usize) -> usize, size: usize| {
        let mut low = cells.iter().map(|&c| line(c)).min()?;
        let mut high = cells.iter().map(|&c| line(c)).max()? + 1;
        while high - low < size.min(3) {
            if high < size { high += 1 } else { low -= 1 }
        }
        Some(low..high)
    };
    let rows = span(&|c| c / cols, usize::from(shape.rows))?;
    let columns = span(&|c| c % cols, cols)?;
    let inner = Shape::new(rows.len() as u8, columns.len() as u8);
    let cells = rows.flat_map(|row| columns.clone().map(move |col| row * cols + col)).collect();
    (inner.cells() <= MAX_MASK_CELLS).then_some(Block { shape: inner, cells })
}
