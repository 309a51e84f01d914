//! A board, and its id on one line.

use crate::puzzle::Size;
use crate::text::{ParseError, Piece};

/// The longest side of a board, in boxes.
pub const LONGEST: usize = 50;
/// The largest goal that is read; any goal above the number of boxes is
/// unsolvable, whatever its size.
const LARGEST_GOAL: usize = 1_000_000;

/// A board of boxes, the arcs drawn on it, and how many boxes are to be closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// Rows and columns, in boxes.
    pub size: Size,
    /// At least so many boxes are to be closed.
    pub goal: usize,
    /// Horizontal arcs by grid line from the top, then from the left:
    /// rows + 1 lines of cols arcs.
    pub horizontal: Vec<Vec<bool>>,
    /// Vertical arcs by row of boxes from the top, then from the left:
    /// rows lines of cols + 1 arcs.
    pub vertical: Vec<Vec<bool>>,
}

impl Board {
    /// A board without any arc.
    pub fn empty(size: Size, goal: usize) -> Self {
        Self {
            size,
            goal,
            horizontal: vec![vec![false; size.cols]; size.rows + 1],
            vertical: vec![vec![false; size.cols + 1]; size.rows],
        }
    }

    /// The number of boxes.
    pub fn boxes(&self) -> usize {
        self.size.rows * self.size.cols
    }

    /// All arcs, line by line from the top, drawn or not.
    pub fn arcs(&self) -> impl Iterator<Item = bool> {
        let lines = self.horizontal.iter().enumerate();
        lines.flat_map(|(r, line)| line.iter().chain(self.vertical.get(r).into_iter().flatten())).copied()
    }

    /// The same as [`arcs`](Self::arcs), to be changed.
    pub fn arcs_mut(&mut self) -> impl Iterator<Item = &mut bool> {
        let mut rows = self.vertical.iter_mut();
        self.horizontal
            .iter_mut()
            .flat_map(move |line| line.iter_mut().chain(rows.next().into_iter().flatten()))
    }

    /// How many arcs the four sides of a box still lack.
    pub fn lacking(&self, r: usize, c: usize) -> usize {
        let sides =
            [self.horizontal[r][c], self.horizontal[r + 1][c], self.vertical[r][c], self.vertical[r][c + 1]];
        sides.iter().filter(|&&drawn| !drawn).count()
    }

    /// How many boxes are closed.
    pub fn closed(&self) -> usize {
        let cells = (0..self.boxes()).map(|cell| (cell / self.size.cols, cell % self.size.cols));
        cells.filter(|&(r, c)| self.lacking(r, c) == 0).count()
    }

    /// The id without the puzzle's name: size, goal, and the arcs four to a
    /// hexadecimal digit, the first of them its highest bit.
    pub fn id(&self) -> String {
        let drawn: Vec<bool> = self.arcs().collect();
        let head = format!("{}:{}", self.size, self.goal);
        if !drawn.contains(&true) {
            return head;
        }
        let digit = |arcs: &[bool]| {
            let value = arcs.iter().enumerate().fold(0, |value, (i, &arc)| value | u32::from(arc) << (3 - i));
            char::from_digit(value, 16).expect("four bits")
        };
        head + ":" + &drawn.chunks(4).map(digit).collect::<String>()
    }

    /// Reads an id without the puzzle's name.
    pub fn parse_id(body: &str, goal: Option<&str>) -> Result<Self, ParseError> {
        let form = "write boxes:ROWSxCOLS:GOAL:ARCS, such as boxes:2x2:1:a04";
        let whole = Piece::new(body);
        let mut parts = whole.split(':').map(Piece::trim);
        let size = read_size(parts.next().expect("split gives at least one part"))?;
        let given = parts.next().filter(|part| !part.text.is_empty());
        let arcs = parts.next();
        if let Some(extra) = parts.next() {
            return Err(extra.error("an id has a size, a goal and arcs, and no more").help(form));
        }
        let goal = match (goal, given) {
            (Some(goal), _) => goal_option(goal)?,
            (None, Some(given)) => read_goal(given)?,
            (None, None) => {
                return Err(whole.error("it is not said how many boxes are to be closed").help(form));
            }
        };
        let mut board = Self::empty(size, goal);
        if let Some(arcs) = arcs {
            board.read_digits(arcs)?;
        }
        Ok(board)
    }

    fn read_digits(&mut self, piece: Piece<'_>) -> Result<(), ParseError> {
        let count = self.arcs().count();
        let digits = count.div_ceil(4);
        let mut arcs = Vec::with_capacity(4 * digits);
        for (at, c) in piece.text.char_indices() {
            let place = piece.start + at..piece.start + at + c.len_utf8();
            let value = c.to_digit(16).ok_or_else(|| {
                ParseError::at(place, format!("'{c}' is not a hexadecimal digit"))
                    .help("arcs are four to a digit, line by line from the top")
            })?;
            arcs.extend((0..4).map(|bit| value >> (3 - bit) & 1 == 1));
        }
        if arcs.len() != 4 * digits {
            return Err(piece.error(format!(
                "a {} board has {count} arcs and so {digits} digits, but there are {} here",
                self.size,
                arcs.len() / 4
            )));
        }
        if arcs[count..].contains(&true) {
            let last = piece.span().end - 1..piece.span().end;
            return Err(ParseError::at(last, format!("a {} board has only {count} arcs", self.size))
                .help("the bits of the last digit beyond the last arc are 0"));
        }
        for (arc, drawn) in self.arcs_mut().zip(arcs) {
            *arc = drawn;
        }
        Ok(())
    }
}

fn read_size(piece: Piece<'_>) -> Result<Size, ParseError> {
    let wrong = || {
        piece
            .error(format!("'{}' is not a board size", piece.text))
            .help(format!("write rows x columns, in boxes, from 1x1 to {LONGEST}x{LONGEST}"))
    };
    let (rows, cols) = piece.split_once('x').ok_or_else(wrong)?;
    let size = Size {
        rows: rows.number("number of rows", LONGEST)?,
        cols: cols.number("number of columns", LONGEST)?,
    };
    if size.rows == 0 || size.cols == 0 { Err(wrong()) } else { Ok(size) }
}

/// Reads a number of boxes to close.
pub fn read_goal(piece: Piece<'_>) -> Result<usize, ParseError> {
    piece.number("number of boxes to close", LARGEST_GOAL)
}

/// Reads the value of `--goal`, which stands outside the instance's text.
pub fn goal_option(text: &str) -> Result<usize, ParseError> {
    read_goal(Piece::new(text).trim()).map_err(|error| ParseError {
        message: format!("--goal: {}", error.message),
        span: None,
        help: Some("--goal says how many boxes are to be closed".into()),
        ..error
    })
}
