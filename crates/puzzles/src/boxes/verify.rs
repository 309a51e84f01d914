//! The verifier: replays moves on two plain grids. It shares no code with the
//! rules or the solvers.

use super::instance::Board;
use crate::verdict::{Failure, Verdict};

/// Replays moves from the start of an instance.
pub fn check(board: &Board, moves: &[String]) -> Verdict {
    let mut end = board.clone();
    let mut failure = None;
    let mut legal = 0;
    for (i, text) in moves.iter().enumerate() {
        if let Err(reason) = draw(&mut end, text) {
            failure = Some(Failure { at: i + 1, text: text.clone(), reason });
            break;
        }
        legal += 1;
    }
    let mut closed = 0;
    for r in 0..end.size.rows {
        for c in 0..end.size.cols {
            if end.horizontal[r][c]
                && end.horizontal[r + 1][c]
                && end.vertical[r][c]
                && end.vertical[r][c + 1]
            {
                closed += 1;
            }
        }
    }
    let solved = closed >= end.goal;
    Verdict {
        legal,
        cost: legal as u32,
        failure,
        solved,
        missing: (!solved).then(|| match closed {
            1 => format!("1 box is closed, but {} are asked for", end.goal),
            n => format!("{n} boxes are closed, but {} are asked for", end.goal),
        }),
        end: format!("boxes:{}", end.id()),
    }
}

/// Draws the arc of a move, or says why that is not possible.
fn draw(board: &mut Board, text: &str) -> Result<(), String> {
    let form = || "a move is h r,c or v r,c".to_owned();
    let mut words = text.split(' ');
    let (Some(kind), Some(place), None) = (words.next(), words.next(), words.next()) else {
        return Err(form());
    };
    let (row, col) = place.split_once(',').ok_or_else(form)?;
    let row: usize = row.parse().map_err(|_| form())?;
    let col: usize = col.parse().map_err(|_| form())?;
    let lines = match kind {
        "h" => &mut board.horizontal,
        "v" => &mut board.vertical,
        _ => return Err(form()),
    };
    let (height, width) = (lines.len(), lines[0].len());
    if !(1..=height).contains(&row) || !(1..=width).contains(&col) {
        return Err(format!(
            "this board has {kind} 1,1 to {kind} {height},{width}: rows, then columns, counted from 1"
        ));
    }
    if lines[row - 1][col - 1] {
        return Err("this arc is drawn already".into());
    }
    lines[row - 1][col - 1] = true;
    Ok(())
}
