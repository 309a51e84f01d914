//! Boards as pictures.

use super::instance::Board;
use crate::picture::{Picture, Style};

/// The board after each of the moves, from the start on; stops at a move that
/// writes off the board or over a number.
pub fn pictures(board: &Board, moves: &[String]) -> Vec<Picture> {
    let mut cells = board.cells.clone();
    let mut pictures = vec![draw(board, &cells, None)];
    for text in moves {
        let Some((cell, value)) = read(board, text).filter(|&(cell, _)| cells[cell] == 0) else { break };
        cells[cell] = value;
        pictures.push(draw(board, &cells, Some(cell)));
    }
    pictures
}

fn read(board: &Board, text: &str) -> Option<(usize, u16)> {
    let (place, value) = text.split_once('=')?;
    let (row, col) = place.split_once(',')?;
    let inside = |text: &str, most| text.parse().ok().filter(|n| (1..=most).contains(n));
    let (row, col): (usize, usize) = (inside(row, board.size.rows)?, inside(col, board.size.cols)?);
    Some(((row - 1) * board.size.cols + col - 1, value.parse().ok()?))
}

fn draw(board: &Board, cells: &[u16], moved: Option<usize>) -> Picture {
    let cols = board.size.cols;
    let width = cells.len().to_string().len();
    let line = |(row, values): (usize, &[u16])| {
        let mut pieces = Vec::new();
        for (col, &value) in values.iter().enumerate() {
            let cell = row * cols + col;
            let style = match value {
                0 => Style::Empty,
                _ if board.cells[cell] != 0 => Style::Given,
                _ if moved == Some(cell) => Style::Moved,
                _ => Style::Path,
            };
            let text = if value == 0 { "·".into() } else { value.to_string() };
            pieces.push((Style::Frame, if col == 0 { String::new() } else { " ".into() }));
            pieces.push((style, format!("{text:>width$}")));
        }
        pieces
    };
    Picture { lines: cells.chunks(cols).enumerate().map(line).collect() }
}
