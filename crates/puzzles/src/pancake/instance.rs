//! Stacks as text: ids and files.

use std::fmt::Write;

use crate::puzzle::Size;
use crate::text::{ParseError, Piece};

/// The largest stack: with the plate below it, states take 128 bytes.
pub const LARGEST: usize = 127;

/// A stack to be sorted, the smallest pancake on top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    /// The pancakes from the top, each of 1 to n once.
    pub pancakes: Vec<u8>,
    /// Whether a flip costs as much as it turns pancakes, rather than 1.
    pub weighted: bool,
}

const FORM: &str = "write pancake:PANCAKES from the top, such as pancake:3,1,2, and :weighted after it if a flip costs \
                    as much as it turns pancakes";

impl Stack {
    /// The sorted stack of a size.
    pub fn sorted(size: usize, weighted: bool) -> Self {
        Self { pancakes: (1..=size as u8).collect(), weighted }
    }

    /// The number of pancakes, as a size.
    pub fn size(&self) -> Size {
        Size::line(self.pancakes.len())
    }

    /// The id without the puzzle's name: the size, the pancakes from the top, and `weighted` where that is so.
    pub fn id(&self) -> String {
        let list: Vec<_> = self.pancakes.iter().map(u8::to_string).collect();
        let weighted = if self.weighted { ":weighted" } else { "" };
        format!("{}:{}{weighted}", self.size(), list.join(","))
    }

    /// Reads what [`id`](Self::id) writes; the size may be left out.
    pub fn parse_id(body: &str) -> Result<Self, ParseError> {
        let whole = Piece::new(body);
        let mut parts: Vec<_> = whole.split(':').map(Piece::trim).collect();
        let weighted = parts.last().is_some_and(|last| last.text == "weighted");
        if weighted {
            parts.pop();
        }
        let (size, list) = match parts[..] {
            [list] => (None, list),
            [size, list] if !size.text.contains(',') => (Some(size), list),
            [] => return Err(whole.error("the pancakes are missing").help(FORM)),
            [_, extra] | [_, _, extra, ..] => {
                let message = format!("'{}' is not a variant; there is weighted", extra.text);
                return Err(extra.error(message).help(FORM));
            }
        };
        let pancakes = read_pancakes(list)?;
        if let Some(size) = size {
            let count = size.number("number of pancakes", LARGEST)?;
            if count != pancakes.len() {
                let message = format!("the size is {count}, but there are {} pancakes", pancakes.len());
                return Err(size.error(message).help("the size may be left out"));
            }
        }
        Ok(Self { pancakes, weighted })
    }
}

/// Reads the pancakes of a stack, each of 1 to their number once.
fn read_pancakes(list: Piece<'_>) -> Result<Vec<u8>, ParseError> {
    let items: Vec<_> = list.items().collect();
    let count = items.len();
    if !(2..=LARGEST).contains(&count) {
        let message = match count {
            0 => "the pancakes are missing".to_owned(),
            1 => "one pancake is no stack".to_owned(),
            _ => format!("{count} pancakes are too many"),
        };
        let mut help = format!("stacks have 2 to {LARGEST} pancakes");
        let _ = write!(help, "; {FORM}");
        return Err(list.error(message).help(help));
    }
    let mut pancakes: Vec<u8> = Vec::with_capacity(count);
    for item in items {
        let help = || format!("a stack of {count} has the pancakes 1 to {count}, each once");
        let pancake = item.number("pancake", count).map_err(|error| error.help(help()))?;
        if pancake == 0 {
            return Err(item.error("there is no pancake 0: the smallest is 1").help(help()));
        }
        if let Some(first) = pancakes.iter().position(|&other| usize::from(other) == pancake) {
            let message = format!("pancake {pancake} again: it is number {} from the top already", first + 1);
            return Err(item.error(message).help(help()));
        }
        pancakes.push(pancake as u8);
    }
    Ok(pancakes)
}

/// The words that a line of a file may begin with.
const WORD: &str = "pancakes";
const WEIGHTED: &str = "weighted";

/// Lines that say something.
fn lines(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let says = |line: &Piece<'_>| !line.text.is_empty() && !line.text.starts_with('#');
    Piece::new(text).lines().map(Piece::trim).filter(says)
}

/// How much a text looks like pancakes: by the first word, since lists of numbers are boards of other puzzles too.
pub fn likeness(text: &str) -> u8 {
    let first = lines(text).next().and_then(|line| line.words().next());
    if first.is_some_and(|word| word.text == WORD) { 100 } else { 0 }
}

/// Reads stacks, one a line: `pancakes 3 1 2` or `pancakes weighted 3 1 2`, pancakes from the top. Where it is known that
/// they are pancakes, the first word may be left out.
pub fn parse(text: &str) -> Result<Vec<Stack>, ParseError> {
    let stacks = lines(text).map(read_line).collect::<Result<Vec<_>, _>>()?;
    if stacks.is_empty() {
        return Err(ParseError::whole("there is no stack here").help("write 'pancakes 3 1 2', from the top"));
    }
    Ok(stacks)
}

fn read_line(line: Piece<'_>) -> Result<Stack, ParseError> {
    let rest = after(line, WORD).unwrap_or(line);
    let weighted = after(rest, WEIGHTED);
    Ok(Stack { pancakes: read_pancakes(weighted.unwrap_or(rest))?, weighted: weighted.is_some() })
}

/// What follows a word at the beginning of a piece.
fn after<'t>(piece: Piece<'t>, word: &str) -> Option<Piece<'t>> {
    let first = piece.words().next().filter(|first| first.text == word)?;
    let text = &piece.text[first.start + word.len() - piece.start..];
    Some(Piece { text, start: first.start + word.len() }.trim())
}
