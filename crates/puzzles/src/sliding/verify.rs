//! The verifier: replays moves on a plain grid. It shares no code with the
//! rules or the solvers.

use super::instance::Tiles;
use crate::verdict::{Failure, Verdict};

/// Replays moves from the start of an instance.
pub fn check(tiles: &Tiles, moves: &[String]) -> Verdict {
    let width = tiles.size.cols;
    let mut grid: Vec<Vec<u8>> = tiles.start.chunks(width).map(<[u8]>::to_vec).collect();
    let goal: Vec<Vec<u8>> = tiles.goal.chunks(width).map(<[u8]>::to_vec).collect();
    let mut hole = (0, 0);
    for (r, row) in grid.iter().enumerate() {
        for (c, &tile) in row.iter().enumerate() {
            if tile == 0 {
                hole = (r, c);
            }
        }
    }
    let mut failure = None;
    let mut legal = 0;
    for (i, text) in moves.iter().enumerate() {
        match step(hole, text, grid.len(), width) {
            Ok(next) => {
                grid[hole.0][hole.1] = grid[next.0][next.1];
                grid[next.0][next.1] = 0;
                hole = next;
                legal += 1;
            }
            Err(reason) => {
                failure = Some(Failure { at: i + 1, text: text.clone(), reason });
                break;
            }
        }
    }
    let misplaced = goal
        .iter()
        .flatten()
        .zip(grid.iter().flatten())
        .filter(|(wanted, tile)| **tile != 0 && wanted != tile)
        .count();
    let solved = grid == goal;
    let end = Tiles { start: grid.into_iter().flatten().collect(), ..tiles.clone() };
    Verdict {
        legal,
        cost: legal as u32,
        failure,
        solved,
        missing: (!solved).then(|| match misplaced {
            1 => "1 tile is not in its place".into(),
            n => format!("{n} tiles are not in their places"),
        }),
        end: format!("sliding:{}", end.id()),
    }
}

/// Where the blank comes to, or why it cannot go there.
fn step(
    (row, col): (usize, usize),
    text: &str,
    height: usize,
    width: usize,
) -> Result<(usize, usize), String> {
    let (next, edge) = match text {
        "U" => (row.checked_sub(1).map(|r| (r, col)), "top row"),
        "D" => ((row + 1 < height).then_some((row + 1, col)), "bottom row"),
        "L" => (col.checked_sub(1).map(|c| (row, c)), "leftmost column"),
        "R" => ((col + 1 < width).then_some((row, col + 1)), "rightmost column"),
        _ => return Err("a move is U, D, L or R".into()),
    };
    next.ok_or_else(|| format!("the blank is in the {edge}"))
}
