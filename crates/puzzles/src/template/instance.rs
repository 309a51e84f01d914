//! Instances as text: ids and files. Every error points at the place.

use crate::puzzle::Size;
use crate::text::{ParseError, Piece};

/// The size of the only board.
pub const SIZE: Size = Size { rows: 1, cols: 1 };

/// A button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Button {
    /// Whether it is down.
    pub pressed: bool,
}

impl Button {
    /// What follows the puzzle's name in an id: the size, as in every id, and then what the puzzle likes. It must fit in
    /// a shell word and a URL.
    pub fn id(self) -> String {
        format!("{SIZE}:{}", u8::from(self.pressed))
    }

    /// Reads what [`id`](Self::id) writes.
    pub fn parse_id(body: &str) -> Result<Self, ParseError> {
        let form = "write template:1x1:0 for a button that is up, template:1x1:1 for one that is down";
        let whole = Piece::new(body).trim();
        let (size, state) =
            whole.split_once(':').ok_or_else(|| whole.error("the button is missing").help(form))?;
        if size.text != SIZE.to_string() {
            return Err(size.error(format!("there is one size, {SIZE}")).help(form));
        }
        match state.text {
            "0" => Ok(Self { pressed: false }),
            "1" => Ok(Self { pressed: true }),
            other => Err(state.error(format!("'{other}' is no state of a button")).help(form)),
        }
    }
}

/// How much a text looks like this puzzle's: by its shape, so that one with a mistake is still recognised.
pub fn likeness(text: &str) -> u8 {
    if text.split_whitespace().next() == Some("button") { 100 } else { 0 }
}

/// Reads `button up` or `button down`.
pub fn parse(text: &str) -> Result<Button, ParseError> {
    let whole = Piece::new(text).trim();
    let words: Vec<_> = whole.words().collect();
    match words.iter().map(|word| word.text).collect::<Vec<_>>()[..] {
        ["button", "up"] => Ok(Button { pressed: false }),
        ["button", "down"] => Ok(Button { pressed: true }),
        ["button", other] => Err(words[1].error(format!("a button is up or down, not '{other}'"))),
        _ => Err(whole.error("this is no button").help("write 'button up' or 'button down'")),
    }
}
