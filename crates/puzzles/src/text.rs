//! Reading text with places in it, so that an error can point.

use std::ops::Range;

/// What is wrong with a text, where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// What is wrong: one sentence, no full stop.
    pub message: String,
    /// Where: bytes of the text that was parsed; absent when it is nowhere in
    /// particular.
    pub span: Option<Range<usize>>,
    /// What would be right.
    pub help: Option<String>,
    /// Where nobody said which puzzle the text is: the one it was taken for, or all that it may be.
    pub taken_for: Vec<&'static str>,
}

impl ParseError {
    /// An error at a place.
    pub fn at(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span: Some(span), ..Self::whole(message) }
    }

    /// An error of the text as a whole.
    pub fn whole(message: impl Into<String>) -> Self {
        Self { message: shortened(message.into()), span: None, help: None, taken_for: Vec::new() }
    }

    /// Adds what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shortened(help.into()));
        self
    }

    /// Moves the place, for a text that is part of a larger one.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        if let Some(span) = &mut self.span {
            *span = span.start + by..span.end + by;
        }
        self
    }
}

/// Bytes of a sentence above which its middle is left out.
const LONGEST_SENTENCE: usize = 600;

/// A sentence that may quote a text of any length, as one that can be read: of a long one the middle is left out.
pub fn shortened(sentence: String) -> String {
    if sentence.len() <= LONGEST_SENTENCE {
        return sentence;
    }
    let (first, last) = (LONGEST_SENTENCE / 2, sentence.len() - LONGEST_SENTENCE / 2);
    format!("{} … {}", &sentence[..boundary(&sentence, first)], &sentence[boundary(&sentence, last)..])
}

/// The last place between two characters that is not behind a byte.
pub fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Words with commas between them, and `or` before the last.
pub fn either<W: AsRef<str>>(words: &[W]) -> String {
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// A piece of text and where it stands in the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The piece itself.
    pub text: &'t str,
    /// Its first byte in the whole.
    pub start: usize,
}

impl<'t> Piece<'t> {
    /// A whole text as one piece.
    pub fn new(text: &'t str) -> Self {
        Self { text, start: 0 }
    }

    /// The bytes of the whole that this piece covers.
    pub fn span(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// An error at this piece.
    pub fn error(self, message: impl Into<String>) -> ParseError {
        ParseError::at(self.span(), message)
    }

    /// A part of this piece, given as a slice of its text.
    fn part(self, text: &'t str) -> Self {
        let offset = text.as_ptr() as usize - self.text.as_ptr() as usize;
        Self { text, start: self.start + offset }
    }

    /// Without white space at its ends.
    #[must_use]
    pub fn trim(self) -> Self {
        self.part(self.text.trim())
    }

    /// The lines, without their ends.
    pub fn lines(self) -> impl Iterator<Item = Piece<'t>> {
        self.text.lines().map(move |line| self.part(line))
    }

    /// The parts between separators.
    pub fn split(self, separator: char) -> impl Iterator<Item = Piece<'t>> {
        self.text.split(separator).map(move |part| self.part(part))
    }

    /// The words between white space.
    pub fn words(self) -> impl Iterator<Item = Piece<'t>> {
        self.text.split_whitespace().map(move |word| self.part(word))
    }

    /// The words between white space and commas.
    pub fn items(self) -> impl Iterator<Item = Piece<'t>> {
        self.text
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|item| !item.is_empty())
            .map(move |item| self.part(item))
    }

    /// The part before and after the first occurrence of a separator.
    pub fn split_once(self, separator: char) -> Option<(Piece<'t>, Piece<'t>)> {
        let (before, after) = self.text.split_once(separator)?;
        Some((self.part(before), self.part(after)))
    }

    /// A whole number not above a maximum.
    pub fn number(self, what: &str, maximum: usize) -> Result<usize, ParseError> {
        let too_large =
            || self.error(format!("{what} {} is too large, the largest here is {maximum}", self.text));
        if self.text.is_empty() || !self.text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.error(format!("'{}' is not a {what}", self.text)));
        }
        match self.text.parse() {
            Ok(number) if number <= maximum => Ok(number),
            _ => Err(too_large()),
        }
    }
}

/// A step written by the letter of its direction, in words; other text as it is.
pub fn way_in_words(play: &str) -> String {
    let way = match play {
        "U" => "up",
        "D" => "down",
        "L" => "left",
        "R" => "right",
        other => return other.to_owned(),
    };
    format!("go {way}")
}
