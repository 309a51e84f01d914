//! Numbrix under the hands of a player.

use crate::Cost;
use novelo_search::Stop;

use super::Clues;
use super::instance::Board;
use super::written_move;
use crate::puzzle::Instance;
use crate::session::{
    Arrows, Cell, Check, Game, IllegalMove, Kind, Marks, Oracle, Played, Progress, Status, View,
};
use crate::text::{ParseError, Piece};

/// A board as it was given, and as it is now.
pub struct NumbrixGame {
    given: Board,
    now: Board,
    /// Numbers written so far, those taken back included.
    written: Cost,
    /// The cell of the last move.
    last: Option<usize>,
}

impl NumbrixGame {
    pub fn new(board: &Board) -> Self {
        Self { given: board.clone(), now: board.clone(), written: 0, last: None }
    }

    /// The cell of a move and its number, if it has one.
    fn read(&self, text: &str) -> Result<(usize, Option<u16>), IllegalMove> {
        let form = "write row,column=number, such as 1,2=7, or 1,2= to take the number back";
        let piece = Piece::new(text).trim();
        let parts = piece.split_once('=').and_then(|(place, value)| Some((place.split_once(',')?, value)));
        let Some(((row, col), value)) = parts else {
            return IllegalMove::because(format!("'{}' is not a move: {form}", piece.text));
        };
        let number = |piece: Piece<'_>, what: &str, most: usize| {
            let read = |error: ParseError| IllegalMove(format!("{error}: {form}"));
            match piece.trim().number(what, most).map_err(read)? {
                0 => IllegalMove::because(format!("{what}s count from 1")),
                number => Ok(number),
            }
        };
        let row = number(row, "row", self.now.size.rows)?;
        let col = number(col, "column", self.now.size.cols)?;
        let cell = (row - 1) * self.now.size.cols + col - 1;
        if value.text.trim().is_empty() {
            return Ok((cell, None));
        }
        Ok((cell, Some(number(value, "number", self.now.last())? as u16)))
    }

    fn placed(&self) -> impl Iterator<Item = usize> {
        (0..self.now.last()).filter(|&cell| self.now.cells[cell] != self.given.cells[cell])
    }

    /// Two consecutive numbers that are not neighbours.
    fn broken(&self) -> Option<usize> {
        let clues = self.now.by_value();
        let apart = |pair: &[(usize, usize)]| {
            pair[1].0 == pair[0].0 + 1 && self.now.distance(pair[0].1, pair[1].1) != 1
        };
        clues.windows(2).find(|pair| apart(pair)).map(|pair| pair[0].0)
    }

    /// The given numbers and one more.
    fn with_only(&self, cell: usize) -> Clues {
        let mut board = self.given.clone();
        board.cells[cell] = self.now.cells[cell];
        Clues(board)
    }
}

impl Game for NumbrixGame {
    /// `r,c=v` writes a number into a free cell, `r,c=` takes one back.
    fn play(&mut self, text: &str) -> Result<Played, IllegalMove> {
        let (cell, value) = self.read(text)?;
        let (row, col) = self.now.place(cell);
        let there = self.now.cells[cell];
        if self.given.cells[cell] != 0 {
            return IllegalMove::because(format!("{there} in row {row}, column {col} is given: it stays"));
        }
        match value {
            None if there == 0 => {
                return IllegalMove::because(format!(
                    "row {row}, column {col} is empty: there is no number to take back"
                ));
            }
            Some(_) if there != 0 => {
                return IllegalMove::because(format!(
                    "{there} stands in row {row}, column {col}: take it back first, with {row},{col}="
                ));
            }
            Some(value) => {
                if let Some(other) = self.now.cells.iter().position(|&other| other == value) {
                    let (row, col) = self.now.place(other);
                    return IllegalMove::because(format!(
                        "{value} is already on the board: row {row}, column {col}"
                    ));
                }
                self.written += 1;
            }
            None => {}
        }
        self.now.cells[cell] = value.unwrap_or(0);
        self.last = Some(cell);
        Ok(Played::Made(match value {
            Some(value) => written_move(&self.now, cell, value.into()),
            None => format!("{row},{col}="),
        }))
    }

    fn status(&self) -> Status {
        if self.now.clues() < self.now.last() {
            return Status::Playing;
        }
        match self.broken() {
            None => Status::Won,
            Some(value) => Status::Lost {
                reason: format!("the board is full, but {value} and {} are not neighbours", value + 1),
            },
        }
    }

    fn progress(&self) -> Progress {
        let given = self.given.clues();
        Progress { done: self.now.clues() - given, total: self.now.last() - given }
    }

    fn cost(&self) -> Cost {
        self.written
    }

    fn view(&self) -> View {
        let cell = |cell: usize| {
            let value = self.now.cells[cell];
            let kind = match (value, self.given.cells[cell]) {
                (0, _) => Kind::Empty,
                (_, 0) => Kind::Placed,
                _ => Kind::Given,
            };
            let (row, col) = self.now.place(cell);
            Cell {
                last: self.last == Some(cell),
                play: (kind != Kind::Given).then(|| format!("{row},{col}=")),
                ..Cell::new(kind, (value != 0).then_some(value))
            }
        };
        View {
            rows: self.now.size.rows,
            cols: self.now.size.cols,
            cells: (0..self.now.last()).map(cell).collect(),
            path: Vec::new(),
            arcs: Vec::new(),
            arrows: Arrows::Cells,
            bars: false,
            note: String::new(),
        }
    }

    fn position(&self) -> Box<dyn Instance> {
        Box::new(Clues(self.now.clone()))
    }

    fn takes_back(&self, made: &str) -> bool {
        made.ends_with('=')
    }

    /// Marks the numbers that stand in no solution of the board as it was
    /// given. Every solution found on the way clears all numbers it has.
    fn check(&self, oracle: &Oracle<'_>) -> Result<Check, Stop> {
        let mut wrong = Vec::new();
        let mut open: Vec<usize> = self.placed().collect();
        let all = open.len();
        while let Some(cell) = open.pop() {
            match oracle.ask(&self.with_only(cell))? {
                None => wrong.push(cell),
                Some(solution) => open.retain(|&other| {
                    let made = written_move(&self.now, other, self.now.cells[other].into());
                    !solution.path.contains(&made)
                }),
            }
        }
        wrong.sort_unstable();
        let words = match (wrong.len(), all) {
            (0, 0) => "there is nothing to check yet".into(),
            (0, _) if oracle.can_be_solved(&*self.position())? => "all is well so far".into(),
            (0, _) => "each number could be right, but not all of them together".into(),
            (1, _) => "1 number is wrong".into(),
            (n, _) => format!("{n} numbers are wrong"),
        };
        Ok(Check { wrong: Marks { cells: wrong, arcs: Vec::new() }, words })
    }
}
