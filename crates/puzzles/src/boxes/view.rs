//! Boards as pictures.

use super::formats::MARK;
use super::instance::Board;
use crate::picture::{Picture, Style};

/// The board after each of the moves, from the start on; stops at a move that
/// is not legal.
pub fn pictures(board: &Board, moves: &[String]) -> Vec<Picture> {
    let mut now = board.clone();
    let mut pictures = vec![draw(board, &now, None)];
    for text in moves {
        let Some((horizontal, r, c)) = read(text) else { break };
        let lines = if horizontal { &mut now.horizontal } else { &mut now.vertical };
        match lines.get_mut(r).and_then(|line| line.get_mut(c)) {
            Some(arc) if !*arc => *arc = true,
            _ => break,
        }
        pictures.push(draw(board, &now, Some((horizontal, r, c))));
    }
    pictures
}

/// Whether an arc is horizontal, and its row and column from 0.
fn read(text: &str) -> Option<(bool, usize, usize)> {
    let (kind, place) = text.split_once(' ')?;
    let (row, col) = place.split_once(',')?;
    let from_zero = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    matches!(kind, "h" | "v").then_some((kind == "h", from_zero(row)?, from_zero(col)?))
}

fn draw(start: &Board, now: &Board, moved: Option<(bool, usize, usize)>) -> Picture {
    let arc = |horizontal: bool, r: usize, c: usize| {
        let lines = |board: &Board| {
            if horizontal { board.horizontal[r][c] } else { board.vertical[r][c] }
        };
        let (drawn, missing) = if horizontal { ("---", "   ") } else { ("|", " ") };
        match lines(now) {
            false => (Style::Empty, missing.to_owned()),
            true if moved == Some((horizontal, r, c)) => (Style::Moved, drawn.to_owned()),
            true if lines(start) => (Style::Given, drawn.to_owned()),
            true => (Style::Path, drawn.to_owned()),
        }
    };
    let dot = || (Style::Frame, "+".to_owned());
    let mut lines = Vec::new();
    for r in 0..=now.size.rows {
        let mut line = vec![dot()];
        for c in 0..now.size.cols {
            line.extend([arc(true, r, c), dot()]);
        }
        lines.push(line);
        if r < now.size.rows {
            let mut line = vec![arc(false, r, 0)];
            for c in 0..now.size.cols {
                let closed = now.lacking(r, c) == 0;
                line.push(if closed {
                    (Style::Done, format!(" {MARK} "))
                } else {
                    (Style::Empty, "   ".into())
                });
                line.push(arc(false, r, c + 1));
            }
            lines.push(line);
        }
    }
    Picture { lines }
}
