//! Sliding tiles under the hands of a player.

use crate::Cost;
use novelo_search::Stop;

use super::OneBoard;
use super::instance::{Tiles, blank_last};
use super::parity::unreachable;
use crate::puzzle::Instance;
use crate::session::{Arrows, Cell, Check, Game, IllegalMove, Kind, Oracle, Played, Progress, Status, View};

/// A board and how it came to be.
pub struct SlidingGame {
    /// Its start is the board as it is now.
    tiles: Tiles,
    /// Tiles moved so far, each by one cell.
    slides: Cost,
    /// The cells that the last move changed.
    moved: Vec<usize>,
}

impl SlidingGame {
    pub fn new(tiles: &Tiles) -> Self {
        Self { tiles: tiles.clone(), slides: 0, moved: Vec::new() }
    }

    fn blank(&self) -> usize {
        self.tiles.start.iter().position(|&tile| tile == 0).expect("a board has a blank")
    }

    /// What the blank's cell changes by when it goes a way, if it can.
    fn step(&self, letter: char) -> Option<isize> {
        let cols = self.tiles.size.cols;
        let (row, col) = (self.blank() / cols, self.blank() % cols);
        match letter {
            'U' => (row > 0).then_some(-(cols as isize)),
            'D' => (row + 1 < self.tiles.size.rows).then_some(cols as isize),
            'L' => (col > 0).then_some(-1),
            _ => (col + 1 < cols).then_some(1),
        }
    }

    /// Moves the blank so many cells by steps of the same kind.
    fn slide(&mut self, by: isize, count: usize) {
        let mut blank = self.blank();
        self.moved.clear();
        for _ in 0..count {
            let next = blank.wrapping_add_signed(by);
            self.tiles.start.swap(blank, next);
            self.moved.push(blank);
            blank = next;
        }
        self.slides += count as Cost;
    }

    /// The letter of the way and the number of cells from the blank to another
    /// cell of its row or column.
    fn way_to(&self, cell: usize) -> Option<(char, usize)> {
        let cols = self.tiles.size.cols;
        let (blank, place) = (self.blank(), |cell: usize| (cell / cols, cell % cols));
        let ((row, col), (to_row, to_col)) = (place(blank), place(cell));
        match (row == to_row, col == to_col) {
            (true, false) => Some((if to_col < col { 'L' } else { 'R' }, col.abs_diff(to_col))),
            (false, true) => Some((if to_row < row { 'U' } else { 'D' }, row.abs_diff(to_row))),
            _ => None,
        }
    }
}

/// A move of one tile is the way the blank goes; one of several is the tile
/// farthest from it.
fn written(letter: char, count: usize, tile: u8) -> String {
    if count == 1 { letter.to_string() } else { tile.to_string() }
}

impl Game for SlidingGame {
    /// `U D L R`, the way the blank goes, or a tile in its row or column, which
    /// slides towards the blank with all tiles between.
    fn play(&mut self, text: &str) -> Result<Played, IllegalMove> {
        let word = text.trim().to_ascii_uppercase();
        if let "U" | "D" | "L" | "R" = word.as_str() {
            let Some(by) = self.step(word.chars().next().unwrap_or_default()) else {
                return IllegalMove::because("the gap is at the edge: it cannot go that way");
            };
            self.slide(by, 1);
            return Ok(Played::Made(word));
        }
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return IllegalMove::because(format!(
                "'{text}' is not a move: give a tile's number, or U, D, L or R, the way the gap goes"
            ));
        }
        let tile = word.parse::<u8>().ok().filter(|&tile| tile > 0);
        let cell = tile.and_then(|tile| self.tiles.start.iter().position(|&other| other == tile));
        let Some(cell) = cell else {
            return IllegalMove::because(format!("there is no tile {word} on this board"));
        };
        let Some((letter, count)) = self.way_to(cell) else {
            return IllegalMove::because(format!(
                "tile {word} is neither in the gap's row nor in its column"
            ));
        };
        let by = self.step(letter).expect("there is a cell that way");
        let slid = self.tiles.start[cell];
        self.slide(by, count);
        Ok(Played::Made(written(letter, count, slid)))
    }

    fn status(&self) -> Status {
        if self.tiles.start == self.tiles.goal { Status::Won } else { Status::Playing }
    }

    fn progress(&self) -> Progress {
        let pairs = self.tiles.start.iter().zip(&self.tiles.goal);
        let done = pairs.filter(|(tile, goal)| **tile != 0 && tile == goal).count();
        Progress { done, total: self.tiles.goal.len() - 1 }
    }

    fn cost(&self) -> Cost {
        self.slides
    }

    fn view(&self) -> View {
        let cell = |(at, &tile): (usize, &u8)| {
            let kind = match tile {
                0 => Kind::Empty,
                _ if self.tiles.goal[at] == tile => Kind::Done,
                _ => Kind::Placed,
            };
            Cell {
                last: self.moved.contains(&at),
                play: self.way_to(at).map(|(letter, count)| written(letter, count, tile)),
                ..Cell::new(kind, (tile != 0).then_some(tile.into()))
            }
        };
        View {
            rows: self.tiles.size.rows,
            cols: self.tiles.size.cols,
            cells: self.tiles.start.iter().enumerate().map(cell).collect(),
            path: Vec::new(),
            arcs: Vec::new(),
            arrows: Arrows::Move,
            bars: false,
            note: String::new(),
        }
    }

    fn unusual_goal(&self) -> Option<View> {
        let Tiles { size, goal, .. } = &self.tiles;
        (*goal != blank_last(goal.len()))
            .then(|| Self::new(&Tiles { size: *size, start: goal.clone(), goal: goal.clone() }).view())
    }

    fn position(&self) -> Box<dyn Instance> {
        Box::new(OneBoard(self.tiles.clone()))
    }

    fn check(&self, _: &Oracle<'_>) -> Result<Check, Stop> {
        Ok(Check::nothing(if unreachable(&self.tiles).is_none() {
            "nothing is wrong: every position of this board can be solved"
        } else {
            "nothing can be put right: the goal cannot be reached from any position of this board"
        }))
    }
}
