//! The verifier: replays moves on a plain grid. It shares no code with the
//! rules or the solvers.
//!
//! Numbers may be written in any order: the order in which a search writes
//! them is its own affair. A move is legal when its cell is empty, its number
//! is not yet on the board, and it is a neighbour of the numbers just below and
//! above it that are.

use super::instance::Board;
use crate::puzzle::Size;
use crate::verdict::{Failure, Verdict};

/// Replays moves on a board.
pub fn check(board: &Board, moves: &[String]) -> Verdict {
    let mut grid: Vec<Vec<u16>> = board.cells.chunks(board.size.cols).map(<[u16]>::to_vec).collect();
    let mut failure = None;
    let mut legal = 0;
    for (i, text) in moves.iter().enumerate() {
        match step(&grid, board.size, text) {
            Ok((row, col, value)) => {
                grid[row][col] = value;
                legal += 1;
            }
            Err(reason) => {
                failure = Some(Failure { at: i + 1, text: text.clone(), reason });
                break;
            }
        }
    }
    let missing = missing(&grid, board.size);
    let end = Board { size: board.size, cells: grid.into_iter().flatten().collect() };
    Verdict {
        legal,
        cost: legal as u32,
        failure,
        solved: missing.is_none(),
        missing,
        end: format!("numbrix:{}", end.id()),
    }
}

/// What a move writes where, or why it must not.
fn step(grid: &[Vec<u16>], size: Size, text: &str) -> Result<(usize, usize, u16), String> {
    let (row, col, value) = read(text).ok_or("a move is row,column=number, such as 1,2=7")?;
    if !(1..=size.rows).contains(&row) || !(1..=size.cols).contains(&col) {
        return Err(format!("row {row}, column {col} is not on the board"));
    }
    if !(1..=size.rows * size.cols).contains(&value) {
        return Err(format!("the numbers go from 1 to {}", size.rows * size.cols));
    }
    let there = grid[row - 1][col - 1];
    if there != 0 {
        return Err(format!("{there} stands there already"));
    }
    if let Some((r, c)) = find(grid, value) {
        return Err(format!("{value} stands in row {r}, column {c} already"));
    }
    for beside in [value - 1, value + 1] {
        if let Some((r, c)) = find(grid, beside).filter(|_| beside != 0)
            && r.abs_diff(row) + c.abs_diff(col) != 1
        {
            return Err(format!("{beside} stands in row {r}, column {c}, which is no neighbour"));
        }
    }
    Ok((row - 1, col - 1, value as u16))
}

fn read(text: &str) -> Option<(usize, usize, usize)> {
    let (place, value) = text.split_once('=')?;
    let (row, col) = place.split_once(',')?;
    Some((row.parse().ok()?, col.parse().ok()?, value.parse().ok()?))
}

/// Row and column of a number, from 1.
fn find(grid: &[Vec<u16>], value: usize) -> Option<(usize, usize)> {
    for (r, row) in grid.iter().enumerate() {
        if let Some(c) = row.iter().position(|&other| other as usize == value) {
            return Some((r + 1, c + 1));
        }
    }
    None
}

/// What keeps a grid from being a solution.
fn missing(grid: &[Vec<u16>], size: Size) -> Option<String> {
    let mut places = vec![None; size.rows * size.cols + 1];
    for (r, row) in grid.iter().enumerate() {
        for (c, &value) in row.iter().enumerate() {
            places[value as usize] = Some((r, c));
        }
    }
    match grid.iter().flatten().filter(|&&value| value == 0).count() {
        0 => {}
        1 => return Some("1 cell is empty".into()),
        n => return Some(format!("{n} cells are empty")),
    }
    for value in 1..places.len() {
        let Some(here) = places[value] else { return Some(format!("{value} is missing")) };
        if let Some(Some(before)) = places.get(value - 1).filter(|_| value > 1) {
            let before: &(usize, usize) = before;
            if here.0.abs_diff(before.0) + here.1.abs_diff(before.1) != 1 {
                return Some(format!("{} and {value} are no neighbours", value - 1));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(id: &str, moves: &[&str]) -> Verdict {
        let moves: Vec<_> = moves.iter().map(|&text| text.to_owned()).collect();
        check(&Board::parse_id(id).unwrap(), &moves)
    }

    #[test]
    fn a_solution() {
        let verdict = verdict("2x2:1c", &["1,2=2", "2,2=3", "2,1=4"]);
        assert!(verdict.is_solution());
        assert_eq!((verdict.legal, verdict.cost), (3, 3));
        assert_eq!(verdict.end, "numbrix:2x2:1_2_4_3");
    }

    #[test]
    fn any_order_will_do() {
        assert!(verdict("2x2:1c", &["2,1=4", "1,2=2", "2,2=3"]).is_solution());
    }

    #[test]
    fn what_is_not_legal() {
        let reason = |text| verdict("2x2:1c", &[text]).failure.unwrap().reason;
        assert_eq!(reason("2,2=2"), "1 stands in row 1, column 1, which is no neighbour");
        assert_eq!(reason("1,1=2"), "1 stands there already");
        assert_eq!(reason("2,1=1"), "1 stands in row 1, column 1 already");
        assert_eq!(reason("2,3=2"), "row 2, column 3 is not on the board");
        assert_eq!(reason("2,2=5"), "the numbers go from 1 to 4");
        assert_eq!(reason("0,1=2"), "row 0, column 1 is not on the board");
        assert_eq!(reason("2=2"), "a move is row,column=number, such as 1,2=7");
    }

    #[test]
    fn what_is_missing() {
        assert_eq!(verdict("2x2:1c", &["1,2=2"]).missing.unwrap(), "2 cells are empty");
        assert_eq!(verdict("2x2:1_2_3_4", &[]).missing.unwrap(), "2 and 3 are no neighbours");
        assert!(verdict("1x1:a", &["1,1=1"]).is_solution());
    }
}
