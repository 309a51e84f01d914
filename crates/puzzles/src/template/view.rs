//! Boards as pictures, for `solve --show` and `watch`.

use super::instance::Button;
use crate::picture::{Picture, Style};

/// The board after each of the moves, from the start on; stops at a move that is not legal.
pub fn pictures(button: Button, moves: &[String]) -> Vec<Picture> {
    let mut pictures = vec![draw(button.pressed, Style::Given)];
    if !button.pressed && moves.first().is_some_and(|text| text == "press") {
        pictures.push(draw(true, Style::Moved));
    }
    pictures
}

fn draw(pressed: bool, down: Style) -> Picture {
    let (style, mark) = if pressed { (down, "x") } else { (Style::Empty, "·") };
    let frame = |text: &str| (Style::Frame, text.to_owned());
    Picture { lines: vec![vec![frame("["), (style, mark.into()), frame("]")]] }
}
