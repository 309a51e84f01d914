//! Boards as pictures.

use super::instance::Tiles;
use crate::picture::{Picture, Style};

/// The board after each of the moves, from the start on; stops at a move that
/// leads off the board.
pub fn pictures(tiles: &Tiles, moves: &[String]) -> Vec<Picture> {
    let cols = tiles.size.cols;
    let mut board = tiles.start.clone();
    let mut pictures = vec![draw(tiles, &board, None)];
    let mut blank = board.iter().position(|&tile| tile == 0).expect("a blank");
    for way in moves {
        let next = match way.as_str() {
            "U" => blank.checked_sub(cols),
            "D" => Some(blank + cols),
            "L" => blank.checked_sub(1),
            _ => Some(blank + 1),
        };
        let Some(next) = next.filter(|&next| next < board.len()) else { break };
        board.swap(blank, next);
        pictures.push(draw(tiles, &board, Some(blank)));
        blank = next;
    }
    pictures
}

fn draw(tiles: &Tiles, board: &[u8], moved: Option<usize>) -> Picture {
    let cols = tiles.size.cols;
    let width = (board.len() - 1).to_string().len();
    let line = |(row, cells): (usize, &[u8])| {
        let mut pieces = Vec::new();
        for (col, &tile) in cells.iter().enumerate() {
            let cell = row * cols + col;
            let style = match tile {
                0 => Style::Empty,
                _ if moved == Some(cell) => Style::Moved,
                _ if tiles.goal[cell] == tile => Style::Done,
                _ => Style::Plain,
            };
            let text = if tile == 0 { "·".into() } else { tile.to_string() };
            pieces.push((Style::Frame, if col == 0 { String::new() } else { " ".into() }));
            pieces.push((style, format!("{text:>width$}")));
        }
        pieces
    };
    Picture { lines: board.chunks(cols).enumerate().map(line).collect() }
}
