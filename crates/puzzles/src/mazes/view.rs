//! Mazes as pictures: the path is drawn as a line through the cells.

use super::instance::Maze;
use super::moves::{self, Move, Way};
use crate::picture::{Picture, Style};

/// The maze after each of the moves, from the start on; stops at a move that
/// leads off the board or is no move.
pub fn pictures(maze: &Maze, moves: &[String]) -> Vec<Picture> {
    let mut walk = Walk { maze, trail: vec![maze.start], ways: Vec::new(), facing: None };
    for &made in &maze.walked {
        if walk.make(made).is_none() {
            break;
        }
    }
    let mut pictures = vec![walk.draw(false)];
    for text in moves {
        // A step alone reads as a turn and a step; the last is what was meant.
        let made = moves::parse(text).ok().and_then(|moves| moves.last().copied());
        if made.and_then(|made| walk.make(made)).is_none() {
            break;
        }
        pictures.push(walk.draw(true));
    }
    pictures
}

struct Walk<'m> {
    maze: &'m Maze,
    trail: Vec<usize>,
    ways: Vec<Way>,
    facing: Option<Way>,
}

impl Walk<'_> {
    fn make(&mut self, made: Move) -> Option<()> {
        match made {
            Move::Turn(way) => self.facing = Some(way),
            Move::Step(way) => {
                let next = self.maze.next(*self.trail.last()?, way)?;
                if self.maze.blocked[next] || self.trail.contains(&next) {
                    return None;
                }
                self.trail.push(next);
                self.ways.push(way);
            }
        }
        Some(())
    }

    fn draw(&self, moved: bool) -> Picture {
        let cols = self.maze.size.cols;
        let mut order = vec![None; self.maze.blocked.len()];
        for (i, &cell) in self.trail.iter().enumerate() {
            order[cell] = Some(i);
        }
        let row = |row: usize| {
            let mut pieces = Vec::new();
            for cell in row * cols..(row + 1) * cols {
                pieces.push(self.cell(cell, order[cell], moved));
                if (cell + 1) % cols != 0 {
                    pieces.push(gap(order[cell], order[cell + 1]));
                }
            }
            pieces
        };
        Picture { lines: (0..self.maze.size.rows).map(row).collect() }
    }

    /// A cell: its wall, its end, or the line through it.
    fn cell(&self, cell: usize, order: Option<usize>, moved: bool) -> (Style, String) {
        let Some(i) = order else {
            let (style, text) = match cell {
                _ if self.maze.blocked[cell] => (Style::Given, "█"),
                _ if cell == self.maze.end => (Style::Mark, "E"),
                _ => (Style::Empty, "·"),
            };
            return (style, text.into());
        };
        if i + 1 == self.trail.len() {
            let text = match self.facing {
                None => "S",
                Some(Way::Up) => "▲",
                Some(Way::Down) => "▼",
                Some(Way::Left) => "◀",
                Some(Way::Right) => "▶",
            };
            return (if moved { Style::Moved } else { Style::Mark }, text.into());
        }
        if i == 0 {
            return (Style::Mark, "S".into());
        }
        let text = match (self.ways[i - 1], self.ways[i]) {
            (Way::Up | Way::Down, Way::Up | Way::Down) => "│",
            (Way::Left | Way::Right, Way::Left | Way::Right) => "─",
            (Way::Up, Way::Right) | (Way::Left, Way::Down) => "┌",
            (Way::Up, Way::Left) | (Way::Right, Way::Down) => "┐",
            (Way::Down, Way::Right) | (Way::Left, Way::Up) => "└",
            (Way::Down, Way::Left) | (Way::Right, Way::Up) => "┘",
        };
        (Style::Path, text.into())
    }
}

/// What stands between two cells of a row: the line, if it goes there.
fn gap(a: Option<usize>, b: Option<usize>) -> (Style, String) {
    match (a, b) {
        (Some(a), Some(b)) if a.abs_diff(b) == 1 => (Style::Path, "─".into()),
        _ => (Style::Frame, " ".into()),
    }
}
