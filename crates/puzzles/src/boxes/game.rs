//! Dots and Boxes under the pen of a player.

use crate::Cost;
use novelo_search::Stop;

use super::Position;
use super::instance::Board;
use super::moves;
use super::rules::Arc;
use crate::puzzle::Instance;
use crate::session::{
    ArcView, Arrows, Cell, Check, Game, IllegalMove, Kind, Marks, Oracle, Played, Progress, Status, View,
};

/// A board as it was given, and as it is now.
pub struct BoxesGame {
    given: Board,
    now: Board,
    /// Arcs drawn so far; the last is at the end.
    drawn: Vec<Arc>,
}

impl BoxesGame {
    pub fn new(board: &Board) -> Self {
        Self { given: board.clone(), now: board.clone(), drawn: Vec::new() }
    }

    fn cols(&self) -> usize {
        self.now.size.cols
    }

    /// Draws an arc on a board.
    fn draw(board: &mut Board, arc: Arc) {
        *board.arcs_mut().nth(arc.0 as usize).expect("an arc of this board") = true;
    }

    /// The arc of a move, or why there is none.
    fn read(&self, text: &str) -> Result<Arc, IllegalMove> {
        let form = "write h row,column for the arc above that box, v row,column for the one left of it";
        let wrong = |why: String| IllegalMove(format!("{why}: {form}"));
        let moves = moves::parse(text).map_err(|error| wrong(error.to_string()))?;
        let [made] = &moves[..] else { return Err(wrong("one arc makes a move".into())) };
        let (kind, place) = made.split_once(' ').expect("as it was written");
        let (row, col) = place.split_once(',').expect("as it was written");
        let horizontal = kind == "h";
        let height = self.now.size.rows + usize::from(horizontal);
        let width = self.cols() + usize::from(!horizontal);
        let number = |text: &str, most: usize| text.parse().ok().filter(|n| (1..=most).contains(n));
        match (number(row, height), number(col, width)) {
            (Some(row), Some(col)) if horizontal => Ok(Arc::horizontal(self.cols(), row - 1, col - 1)),
            (Some(row), Some(col)) => Ok(Arc::vertical(self.cols(), row - 1, col - 1)),
            _ => IllegalMove::because(format!("this board has {kind} 1,1 to {kind} {height},{width}")),
        }
    }

    /// Whether no best solution draws an arc.
    fn is_wasted(&self, arc: Arc, par: Cost, oracle: &Oracle<'_>) -> Result<bool, Stop> {
        let mut board = self.given.clone();
        Self::draw(&mut board, arc);
        Ok(oracle.ask(&Position(board))?.is_none_or(|rest| rest.optimal && rest.cost + 1 > par))
    }
}

impl Game for BoxesGame {
    /// `h r,c` and `v r,c`: the arc above and left of the box in row r, column c.
    fn play(&mut self, text: &str) -> Result<Played, IllegalMove> {
        let arc = self.read(text)?;
        if self.now.arcs().nth(arc.0 as usize) == Some(true) {
            return IllegalMove::because("this arc is drawn already");
        }
        Self::draw(&mut self.now, arc);
        self.drawn.push(arc);
        Ok(Played::Made(arc.written(self.cols())))
    }

    fn status(&self) -> Status {
        if self.now.closed() >= self.now.goal {
            Status::Won
        } else if self.now.arcs().all(|drawn| drawn) {
            Status::Lost { reason: "all arcs are drawn, and too few boxes are there to close".into() }
        } else {
            Status::Playing
        }
    }

    fn progress(&self) -> Progress {
        Progress { done: self.now.closed(), total: self.now.goal }
    }

    fn cost(&self) -> Cost {
        self.drawn.len() as Cost
    }

    fn view(&self) -> View {
        let cols = self.cols();
        let last = self.drawn.last().copied();
        let cell = |cell: usize| match self.now.lacking(cell / cols, cell % cols) {
            0 => Cell::new(Kind::Done, None),
            _ => Cell::new(Kind::Empty, None),
        };
        let arc = |(number, (now, given)): (usize, (bool, bool))| {
            let (row, place) = (number / (2 * cols + 1), number % (2 * cols + 1));
            let horizontal = place < cols;
            let kind = match (now, given) {
                (false, _) => Kind::Empty,
                (true, true) => Kind::Given,
                (true, false) => Kind::Placed,
            };
            let arc = Arc(number as u16);
            ArcView {
                play: arc.written(cols),
                horizontal,
                row,
                col: if horizontal { place } else { place - cols },
                kind,
                last: last == Some(arc),
                wrong: false,
            }
        };
        View {
            rows: self.now.size.rows,
            cols,
            cells: (0..self.now.boxes()).map(cell).collect(),
            path: Vec::new(),
            arcs: self.now.arcs().zip(self.given.arcs()).enumerate().map(arc).collect(),
            arrows: Arrows::Arcs,
            bars: false,
            note: String::new(),
        }
    }

    fn position(&self) -> Box<dyn Instance> {
        Box::new(Position(self.now.clone()))
    }

    /// Marks the arcs that no best solution has.
    fn check(&self, oracle: &Oracle<'_>) -> Result<Check, Stop> {
        let Some(par) = oracle.ask(&Position(self.given.clone()))? else {
            return Ok(Check::nothing("this board has fewer boxes than are to be closed"));
        };
        let mut wrong = Vec::new();
        for &arc in &self.drawn {
            if self.is_wasted(arc, par.cost, oracle)? {
                wrong.push(arc.0 as usize);
            }
        }
        wrong.sort_unstable();
        let rest = oracle.ask(&*self.position())?.map_or(0, |rest| rest.cost);
        let words = match wrong.len() {
            0 if self.cost() + rest > par.cost => {
                "each arc could be one of the fewest, but not all of them together".into()
            }
            0 => "all is well so far".into(),
            1 => "1 arc is wasted: no best solution has it".into(),
            n => format!("{n} arcs are wasted: no best solution has them"),
        };
        Ok(Check { wrong: Marks { cells: Vec::new(), arcs: wrong }, words })
    }
}
