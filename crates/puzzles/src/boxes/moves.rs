//! Solutions as text.

use crate::text::ParseError;

/// Splits a text such as `h 1,2 v 3,1` into moves. Case and the white space
/// within a move do not matter; commas and semicolons may stand between moves.
pub fn parse(text: &str) -> Result<Vec<String>, ParseError> {
    let mut reader = Reader { text, at: 0 };
    let mut moves = Vec::new();
    loop {
        reader.skip(|c| c.is_whitespace() || c == ',' || c == ';');
        let start = reader.at;
        let Some(first) = reader.peek() else { return Ok(moves) };
        let kind = first.to_ascii_lowercase();
        if kind != 'h' && kind != 'v' {
            return Err(reader.wrong(&format!("'{first}' does not begin a move")));
        }
        reader.at += 1;
        let row = reader.number()?;
        reader.skip(char::is_whitespace);
        if reader.peek() != Some(',') {
            return Err(
                reader.wrong(&format!("a comma is missing after '{}'", text[start..reader.at].trim()))
            );
        }
        reader.at += 1;
        let col = reader.number()?;
        moves.push(format!("{kind} {row},{col}"));
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip(&mut self, which: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(which).len();
    }

    fn number(&mut self) -> Result<&'t str, ParseError> {
        self.skip(char::is_whitespace);
        let start = self.at;
        self.skip(|c| c.is_ascii_digit());
        if start == self.at { Err(self.wrong("a number is missing")) } else { Ok(&self.text[start..self.at]) }
    }

    fn wrong(&self, message: &str) -> ParseError {
        let end = self.at + self.peek().map_or(0, char::len_utf8);
        ParseError::at(self.at..end, message)
            .help("moves are h r,c and v r,c, the arc above and left of the box in row r, column c")
    }
}
