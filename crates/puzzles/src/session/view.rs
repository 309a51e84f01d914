//! What a board looks like, for whoever draws it.

use serde::Serialize;

/// A board as it is to be drawn: the same shape for every puzzle, so that an
/// interface needs one drawing and no rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct View {
    /// Rows of cells.
    pub rows: usize,
    /// Columns of cells.
    pub cols: usize,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The cells walked, in order, where a path is drawn; the last is where the
    /// walker stands.
    pub path: Vec<usize>,
    /// The sides of the cells, line by line from the top, where sides are drawn.
    pub arcs: Vec<Arc>,
    /// What arrow keys do.
    pub arrows: Arrows,
    /// Whether a number is drawn as a bar of its length, as pancakes are.
    pub bars: bool,
    /// A line to stand under the board; may be empty.
    pub note: String,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The number in it.
    pub value: Option<u16>,
    /// What it is.
    pub kind: Kind,
    /// Whether the last move changed it.
    pub last: bool,
    /// Whether a check found it wrong.
    pub wrong: bool,
    /// The move that touching it makes. If it ends in `=`, a number may follow;
    /// as it is, it takes back the number that stands there.
    pub play: Option<String>,
}

impl Cell {
    /// A cell that nothing has happened to.
    pub fn new(kind: Kind, value: Option<u16>) -> Self {
        Self { value, kind, last: false, wrong: false, play: None }
    }
}

/// What a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Nothing in it: the gap between tiles, a cell to be filled or walked, an open box.
    Empty,
    /// A number of the instance, which stays.
    Given,
    /// A number of the player's, or a tile that is not at home.
    Placed,
    /// A tile at home, a closed box.
    Done,
    /// A blocked cell.
    Wall,
    /// Where a walk starts.
    Start,
    /// Where it must end.
    End,
    /// A cell that was walked.
    Walked,
}

/// A side of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arc {
    /// The move that draws it.
    pub play: String,
    /// Whether it lies above cell (row, col) rather than left of it. One row or
    /// column past the last stands for the far side.
    pub horizontal: bool,
    /// Its row, from 0.
    pub row: usize,
    /// Its column, from 0.
    pub col: usize,
    /// `Given`, `Placed`, or `Empty` if it is not drawn.
    pub kind: Kind,
    /// Whether it was drawn last.
    pub last: bool,
    /// Whether a check found it wrong.
    pub wrong: bool,
}

/// What arrow keys do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrows {
    /// They are the moves U, D, L and R.
    Move,
    /// They choose a cell.
    Cells,
    /// They choose a side.
    Arcs,
}

/// Places of a view that are marked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Marks {
    /// Cells, by their place in the view.
    pub cells: Vec<usize>,
    /// Sides, by their place in the view.
    pub arcs: Vec<usize>,
}

impl Marks {
    /// Whether nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.arcs.is_empty()
    }
}

impl View {
    /// The same view, where nothing is given but what an earlier one of the same board has: the rest was placed since.
    #[must_use]
    pub fn since(mut self, before: &Self) -> Self {
        let placed = |kind: &mut Kind, was: Kind| {
            if *kind == Kind::Given && was != Kind::Given {
                *kind = Kind::Placed;
            }
        };
        self.cells.iter_mut().zip(&before.cells).for_each(|(cell, was)| placed(&mut cell.kind, was.kind));
        self.arcs.iter_mut().zip(&before.arcs).for_each(|(arc, was)| placed(&mut arc.kind, was.kind));
        self
    }

    /// The same view with some places marked as wrong.
    #[must_use]
    pub fn marked(mut self, wrong: &Marks) -> Self {
        wrong.cells.iter().for_each(|&cell| self.cells[cell].wrong = true);
        wrong.arcs.iter().for_each(|&arc| self.arcs[arc].wrong = true);
        self
    }

    /// Whether numbers are written into cells, rather than being moves by themselves.
    pub fn takes_numbers(&self) -> bool {
        self.cells.iter().any(|cell| cell.play.as_ref().is_some_and(|play| play.ends_with('=')))
    }

    /// Every move that a player could try on the board as it is shown; the game may refuse some.
    pub fn tries(&self) -> Vec<String> {
        let arcs = self.arcs.iter().filter(|arc| arc.kind == Kind::Empty).map(|arc| arc.play.clone());
        let mut moves: Vec<String> = arcs.collect();
        for cell in &self.cells {
            match &cell.play {
                Some(place) if place.ends_with('=') && cell.value.is_none() => {
                    moves.extend((1..=self.cells.len()).map(|value| format!("{place}{value}")));
                }
                Some(play) => moves.push(play.clone()),
                None => {}
            }
        }
        moves
    }
}
