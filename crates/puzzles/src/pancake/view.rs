//! Stacks as pictures.

use super::instance::Stack;
use crate::picture::{Picture, Style};

/// The widest pancake of a picture.
const WIDEST: usize = 41;

/// The stack after each of the moves, from the start on; stops at one that cannot be made.
pub fn pictures(stack: &Stack, moves: &[String]) -> Vec<Picture> {
    let mut pancakes = stack.pancakes.clone();
    let mut pictures = vec![draw(&pancakes, 0)];
    for text in moves {
        let turned = text.parse().ok().filter(|turned| (2..=pancakes.len()).contains(turned));
        let Some(turned) = turned else { break };
        pancakes[..turned].reverse();
        pictures.push(draw(&pancakes, turned));
    }
    pictures
}

/// Each pancake as a bar with its number in the middle, as wide as it is large where there is room.
fn draw(pancakes: &[u8], turned: usize) -> Picture {
    let count = pancakes.len();
    let digits = count.to_string().len();
    let widest = (2 * count + digits).min(WIDEST);
    let line = |(at, &pancake): (usize, &u8)| {
        let side = usize::from(pancake) * (widest - digits) / (2 * count);
        let style = match () {
            () if at < turned => Style::Moved,
            () if usize::from(pancake) == at + 1 => Style::Done,
            () => Style::Plain,
        };
        let air = " ".repeat((widest - digits) / 2 - side);
        let bar = format!("({dough}{pancake:^digits$}{dough})", dough = "=".repeat(side));
        vec![(Style::Frame, air.clone()), (style, bar), (Style::Frame, air)]
    };
    Picture { lines: pancakes.iter().enumerate().map(line).collect() }
}
