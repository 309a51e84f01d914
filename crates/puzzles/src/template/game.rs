//! The rules of playing. History, undo, hints, clock and score are the session's.

use crate::Cost;
use novelo_search::Stop;

use super::OneButton;
use super::instance::Button;
use crate::puzzle::Instance;
use crate::session::{Arrows, Cell, Check, Game, IllegalMove, Kind, Oracle, Played, Progress, Status, View};

/// A button under the hands of a player.
pub struct TemplateGame {
    given: Button,
    now: Button,
}

impl TemplateGame {
    pub fn new(button: Button) -> Self {
        Self { given: button, now: button }
    }

    fn is_pressed_by_player(&self) -> bool {
        self.now != self.given
    }
}

impl Game for TemplateGame {
    fn play(&mut self, text: &str) -> Result<Played, IllegalMove> {
        if text.trim() != "press" {
            return IllegalMove::because(format!("'{text}' is not a move: the only one is press"));
        }
        if self.now.pressed {
            return IllegalMove::because("the button is down already");
        }
        self.now.pressed = true;
        Ok(Played::Made("press".into()))
    }

    fn status(&self) -> Status {
        if self.now.pressed { Status::Won } else { Status::Playing }
    }

    fn progress(&self) -> Progress {
        Progress { done: usize::from(self.now.pressed), total: 1 }
    }

    fn cost(&self) -> Cost {
        Cost::from(self.is_pressed_by_player())
    }

    fn view(&self) -> View {
        let mut cell =
            if self.now.pressed { Cell::new(Kind::Done, Some(1)) } else { Cell::new(Kind::Empty, None) };
        cell.last = self.is_pressed_by_player();
        // What choosing the cell plays.
        cell.play = (!self.now.pressed).then(|| "press".into());
        View {
            rows: 1,
            cols: 1,
            cells: vec![cell],
            path: Vec::new(),
            arcs: Vec::new(),
            arrows: Arrows::Cells,
            bars: false,
            note: String::new(),
        }
    }

    fn position(&self) -> Box<dyn Instance> {
        Box::new(OneButton(self.now))
    }

    fn check(&self, _oracle: &Oracle<'_>) -> Result<Check, Stop> {
        Ok(Check::nothing("all is well so far"))
    }
}
