//! A first solution, tile by tile: outer lines are filled and left alone until a small block remains.

use crate::sliding::optimal::position::Position;
use crate::sliding::rules::Move;
use novelo_search::Budget;
use std::collections::VecDeque;

/// A solution of any solvable position, far from the shortest but found in milliseconds; none if the budget ends first.
///
/// Lines that do not hold the blank's home are peeled off while more than two remain in their direction. All tiles of
/// a line but the last two go home one by one; the last two together, by search within a block at the line's end that
/// is large enough to turn them around. The last 2×2 block is turned until it fits.
pub fn construct(start: &Position, budget: Budget<'_>) -> Option<Vec<Move>> {
    let shape = start.shape();
    let (rows, cols) = (usize::from(shape.rows), usize::from(shape.cols));
    let mut builder = Builder { position: start.clone(), open: vec![true; shape.cells()], path: vec![] };
    let home = start.goal_blank();
    let (mut top, mut bottom, mut left, mut right) = (0, rows, 0, cols);
    loop {
        let (height, width) = (bottom - top, right - left);
        if height <= 2 && width <= 2 {
            break;
        }
        // The longer direction first: lines stay short.
        let line: Vec<usize> = if height >= width {
            let row = if home / cols == top { bottom - 1 } else { top };
            if row == top {
                top += 1;
            } else {
                bottom -= 1;
            }
            (left..right).map(|col| row * cols + col).collect()
        } else {
            let col = if home % cols == left { right - 1 } else { left };
            if col == left {
                left += 1;
            } else {
                right -= 1;
            }
            (top..bottom).map(|row| row * cols + col).collect()
        };
        builder.fill(&line, budget)?;
    }
    let block: Vec<usize> = (0..shape.cells()).filter(|&c| builder.open[c]).collect();
    builder.bring(&block);
    assert!(builder.position.is_goal(), "only solvable positions are given");
    Some(builder.path)
}

struct Builder {
    position: Position,
    open: Vec<bool>,
    path: Vec<Move>,
}

impl Builder {
    /// Brings the tiles of a line home and closes its cells.
    fn fill(&mut self, line: &[usize], budget: Budget<'_>) -> Option<()> {
        let (single, pair) = line.split_at(line.len() - 2);
        for &home in single {
            if budget.ended().is_some() {
                return None;
            }
            self.bring(&[home]);
            self.open[home] = false;
        }
        // First into the line's end or near it one after the other, then both at once: the second search is short.
        self.bring(&pair[1..]);
        self.bring(pair);
        for &home in pair {
            self.open[home] = false;
        }
        Some(())
    }

    /// Brings the tiles of these homes there by the fewest moves that touch open cells only.
    ///
    /// Breadth-first over the places of the tiles and the blank. The search is confined to a block around their homes, the
    /// blank and the tiles, as small as the open cells allow for two, and roomy for one.
    fn bring(&mut self, homes: &[usize]) {
        let labels: Vec<usize> = homes.iter().copied().filter(|&h| h != self.position.goal_blank()).collect();
        let find = |&label: &usize| self.position.labels().iter().position(|&l| usize::from(l) == label);
        let places: Vec<usize> =
            labels.iter().map(|l| find(l).expect("every label is on the board")).collect();
        let whole_block = homes.len() > 2;
        let mut margin = if labels.len() < 2 { 3 } else { 1 };
        let moves = loop {
            let within = self.around(&labels, &places, margin);
            if let Some(moves) = self.search(&labels, &places, &within, whole_block) {
                break moves;
            }
            assert!(
                margin <= usize::from(self.position.shape().rows.max(self.position.shape().cols)),
                "solvable"
            );
            margin += 1;
        };
        for &step in &moves {
            self.position.apply(step);
        }
        self.path.extend(moves);
    }

    /// The open cells in a box around the tiles, their homes and the blank.
    fn around(&self, labels: &[usize], places: &[usize], margin: usize) -> Vec<bool> {
        let cols = usize::from(self.position.shape().cols);
        let corners = || labels.iter().chain(places).copied().chain([self.position.blank()]);
        let (rows, columns) = (corners().map(|c| c / cols), corners().map(|c| c % cols));
        let span = |low: Option<usize>, high: Option<usize>| {
            low.unwrap_or(0).saturating_sub(margin)..=high.unwrap_or(0).saturating_add(margin)
        };
        let row_span = span(rows.clone().min(), rows.max());
        let column_span = span(columns.clone().min(), columns.max());
        let inside = |c: usize| row_span.contains(&(c / cols)) && column_span.contains(&(c % cols));
        (0..self.open.len()).map(|c| self.open[c] && inside(c)).collect()
    }

    fn search(
        &self,
        labels: &[usize],
        places: &[usize],
        within: &[bool],
        blank_too: bool,
    ) -> Option<Vec<Move>> {
        let shape = self.position.shape();
        let cells: Vec<usize> = (0..within.len()).filter(|&c| within[c]).collect();
        let mut number = vec![usize::MAX; within.len()];
        cells.iter().enumerate().for_each(|(i, &c)| number[c] = i);
        let neighbours: Vec<[usize; 4]> = cells
            .iter()
            .map(|&c| Move::ALL.map(|step| shape.neighbour(c, step).map_or(usize::MAX, |n| number[n])))
            .collect();
        let n = cells.len();
        // A state is the blank and the tiles, as digits to the base of the number of cells, the blank lowest.
        let powers: Vec<usize> = (0..labels.len() as u32).map(|i| n.pow(i + 1)).collect();
        let encode = |blank: usize, tiles: &[usize]| {
            tiles.iter().zip(&powers).fold(blank, |code, (&t, p)| code + number[t] * p)
        };
        // The state after the blank goes to `next`: a tile there takes the blank's place.
        let slide = |code: usize, next: usize| {
            let blank = code % n;
            let moved = powers.iter().filter(|&&p| code / p % n == next).map(|p| (blank * p, next * p));
            moved.fold(code - blank + next, |code, (to, from)| code + to - from)
        };
        let tiles_at_home = encode(0, labels);
        let goal_blank = number[self.position.goal_blank()];
        let mut came = vec![u8::MAX; n.pow(labels.len() as u32 + 1)];
        let start = encode(number[self.position.blank()], places);
        came[start] = 4;
        let mut queue = VecDeque::from([start]);
        while let Some(code) = queue.pop_front() {
            let blank = code % n;
            if code - blank == tiles_at_home && (!blank_too || blank == goal_blank) {
                let (mut code, mut moves) = (code, vec![]);
                while came[code] < 4 {
                    let step = Move::ALL[usize::from(came[code])];
                    code = slide(code, neighbours[code % n][step.opposite() as usize]);
                    moves.push(step);
                }
                moves.reverse();
                return Some(moves);
            }
            for (step, &next) in (0..).zip(&neighbours[blank]) {
                if next == usize::MAX {
                    continue;
                }
                let after = slide(code, next);
                if came[after] == u8::MAX {
                    came[after] = step;
                    queue.push_back(after);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding::optimal::shape::Shape;
    use crate::sliding::optimal::tests::unlimited;

    #[test]
    fn boards_of_all_sizes_and_goals_are_solved() {
        let mut seed = 3u64;
        for (rows, cols) in [(2, 2), (2, 3), (2, 7), (3, 3), (5, 4), (6, 6), (3, 9), (10, 10)] {
            let shape = Shape::new(rows, cols);
            for _ in 0..8 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let mut position = Position::goal(shape, (seed >> 40) as usize % shape.cells());
                for _ in 0..shape.cells() * 60 {
                    seed =
                        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    position.apply(Move::ALL[(seed >> 62) as usize]);
                }
                let path = construct(&position, unlimited().budget()).unwrap();
                assert!(path.into_iter().all(|step| position.apply(step)));
                assert!(position.is_goal(), "{shape}");
            }
        }
    }
}
