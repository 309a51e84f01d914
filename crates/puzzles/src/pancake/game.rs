//! Pancakes under the hands of a player.

use crate::Cost;
use novelo_search::Stop;

use super::OneStack;
use super::instance::Stack;
use crate::puzzle::Instance;
use crate::session::{Arrows, Cell, Check, Game, IllegalMove, Kind, Oracle, Played, Progress, Status, View};

/// A stack and how it came to be.
pub struct PancakeGame {
    stack: Stack,
    cost: Cost,
    /// How many pancakes the last flip turned.
    turned: usize,
}

impl PancakeGame {
    pub fn new(stack: &Stack) -> Self {
        Self { stack: stack.clone(), cost: 0, turned: 0 }
    }

    fn in_place(&self, at: usize) -> bool {
        usize::from(self.stack.pancakes[at]) == at + 1
    }
}

impl Game for PancakeGame {
    /// The number of pancakes to flip, counted from the top.
    fn play(&mut self, text: &str) -> Result<Played, IllegalMove> {
        let size = self.stack.pancakes.len();
        let word = text.trim();
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return IllegalMove::because(format!(
                "'{text}' is not a move: give the number of pancakes to flip, from the top"
            ));
        }
        let turned = match word.parse::<usize>() {
            Ok(0 | 1) => return IllegalMove::because("a flip turns two pancakes at least"),
            Ok(turned) if turned <= size => turned,
            _ => return IllegalMove::because(format!("there are only {size} pancakes")),
        };
        self.stack.pancakes[..turned].reverse();
        self.turned = turned;
        self.cost += if self.stack.weighted { turned as Cost } else { 1 };
        Ok(Played::Made(turned.to_string()))
    }

    fn status(&self) -> Status {
        if self.stack.pancakes.is_sorted() { Status::Won } else { Status::Playing }
    }

    fn progress(&self) -> Progress {
        let total = self.stack.pancakes.len();
        Progress { done: (0..total).filter(|&at| self.in_place(at)).count(), total }
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    /// One column; touching a pancake flips it with all above it.
    fn view(&self) -> View {
        let cell = |(at, &pancake): (usize, &u8)| {
            let kind = if self.in_place(at) { Kind::Done } else { Kind::Placed };
            Cell {
                last: at < self.turned,
                play: (at > 0).then(|| (at + 1).to_string()),
                ..Cell::new(kind, Some(pancake.into()))
            }
        };
        let note = if self.stack.weighted { "A flip costs as much as it turns pancakes." } else { "" };
        View {
            rows: self.stack.pancakes.len(),
            cols: 1,
            cells: self.stack.pancakes.iter().enumerate().map(cell).collect(),
            path: Vec::new(),
            arcs: Vec::new(),
            arrows: Arrows::Cells,
            bars: true,
            note: note.into(),
        }
    }

    fn position(&self) -> Box<dyn Instance> {
        Box::new(OneStack(self.stack.clone()))
    }

    fn check(&self, _: &Oracle<'_>) -> Result<Check, Stop> {
        Ok(Check::nothing("nothing is wrong: every stack can be sorted"))
    }
}
