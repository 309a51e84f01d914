//! What a walker does: turn one way, step on.

use std::fmt;

use crate::text::ParseError;

/// One of the four directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Way {
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Way {
    /// All four, in the order in which they are tried.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The directions across this one.
    #[inline]
    pub fn across(self) -> [Self; 2] {
        match self {
            Self::Up | Self::Down => [Self::Left, Self::Right],
            Self::Left | Self::Right => [Self::Up, Self::Down],
        }
    }

    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Down => 'D',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }

    /// The direction of a letter, large or small.
    pub fn of(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.letter() == letter.to_ascii_uppercase())
    }
}

novelo_search::wire_listed!(Way, Way::ALL);

/// A turn or a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// A step in the direction walked.
    Step(Way),
    /// A turn to a direction.
    Turn(Way),
}

impl Move {
    /// Every move.
    pub const ALL: [Self; 8] = {
        let [up, down, left, right] = Way::ALL;
        [
            Self::Step(up),
            Self::Step(down),
            Self::Step(left),
            Self::Step(right),
            Self::Turn(up),
            Self::Turn(down),
            Self::Turn(left),
            Self::Turn(right),
        ]
    };
}

novelo_search::wire_listed!(Move, Move::ALL);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(way) => write!(f, "{}", way.letter()),
            Self::Turn(way) => write!(f, "turn {}", way.letter()),
        }
    }
}

/// The order in which the eight operators are tried: the place of each step, then of each turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order([u8; 8]);

impl Order {
    /// Steps before turns, each in the order of [`Way::ALL`].
    pub const USUAL: &'static str = "UDLRudlr";

    /// Reads an order: a capital for each step, a small letter for each turn.
    pub fn parse(text: &str) -> Option<Self> {
        let mut places = [u8::MAX; 8];
        for (place, letter) in text.chars().enumerate() {
            let way = Way::of(letter)?;
            let operator = if letter.is_uppercase() { Move::Step(way) } else { Move::Turn(way) };
            places[Self::number(operator)] = place as u8;
        }
        (text.len() == 8 && !places.contains(&u8::MAX)).then_some(Self(places))
    }

    fn number(operator: Move) -> usize {
        match operator {
            Move::Step(way) => way as usize,
            Move::Turn(way) => 4 + way as usize,
        }
    }

    /// The place of an operator, from 0.
    #[inline]
    pub fn place(self, operator: Move) -> u8 {
        self.0[Self::number(operator)]
    }
}

/// Turns and steps of a path given by its steps.
pub fn of_steps(steps: impl IntoIterator<Item = Way>) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut facing = None;
    for way in steps {
        if facing != Some(way) {
            moves.push(Move::Turn(way));
            facing = Some(way);
        }
        moves.push(Move::Step(way));
    }
    moves
}

/// Reads moves as written, `turn U` and `U`, or a path of steps alone, `UURR`,
/// in which every change of direction is a turn.
pub fn parse(text: &str) -> Result<Vec<Move>, ParseError> {
    let wrong = |at: usize, what: &str| {
        ParseError::at(at..at + what.len(), format!("'{what}' is not a move"))
            .help("moves are 'turn U' and 'U' (a step), with U, D, L or R; or give the steps alone: UURR")
    };
    let turns = text.to_ascii_lowercase().contains("turn");
    let mut moves = Vec::new();
    let mut steps = Vec::new();
    let mut turning = None;
    let separates = |c: char| c.is_whitespace() || c == ',';
    for word in text.split(separates).filter(|word| !word.is_empty()) {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        if word.eq_ignore_ascii_case("turn") {
            if let Some(before) = turning {
                return Err(wrong(before, "turn"));
            }
            turning = Some(at);
            continue;
        }
        for (i, c) in word.char_indices() {
            let Some(way) = Way::of(c) else {
                return Err(wrong(at + i, &word[i..i + c.len_utf8()]));
            };
            steps.push(way);
            moves.push(if turning.take().is_some() { Move::Turn(way) } else { Move::Step(way) });
        }
    }
    match turning {
        Some(at) => Err(wrong(at, &text[at..at + 4])),
        None if turns => Ok(moves),
        None => Ok(of_steps(steps)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<String> {
        parse(text).unwrap().iter().map(Move::to_string).collect()
    }

    #[test]
    fn steps_alone_get_their_turns() {
        assert_eq!(written("UUR"), ["turn U", "U", "U", "turn R", "R"]);
        assert_eq!(written("u u, r"), ["turn U", "U", "U", "turn R", "R"]);
        assert_eq!(written("turn U, U U\nturn R R"), ["turn U", "U", "U", "turn R", "R"]);
        assert!(written("").is_empty());
    }

    #[test]
    fn what_is_no_move_is_pointed_at() {
        assert_eq!(parse("UUxR").unwrap_err().span, Some(2..3));
        assert_eq!(parse("turn U U turn").unwrap_err().span, Some(9..13));
        assert_eq!(parse("turn turn U").unwrap_err().span, Some(0..4));
        assert_eq!(parse("U é").unwrap_err().span, Some(2..4));
    }
}
