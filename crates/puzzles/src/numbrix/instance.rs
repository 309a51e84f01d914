//! Boards as text: the course's `.in` files, rectangles of numbers, ids.

use crate::puzzle::Size;
use crate::rectangle::{self, Rectangle, Sides};
use crate::text::{ParseError, Piece};

/// The longest side of a board.
pub const LONGEST: usize = 64;
const SIDES: Sides = Sides { single: true, longest: LONGEST };

/// A board with the numbers given, row by row, 0 for an empty cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// Rows and columns.
    pub size: Size,
    /// The number of each cell.
    pub cells: Vec<u16>,
}

impl Board {
    /// A board without clues.
    pub fn empty(size: Size) -> Self {
        Self { size, cells: vec![0; size.rows * size.cols] }
    }

    /// The largest number, which is the number of cells.
    pub fn last(&self) -> usize {
        self.cells.len()
    }

    /// How many numbers are given.
    pub fn clues(&self) -> usize {
        self.cells.iter().filter(|&&value| value != 0).count()
    }

    /// Row and column of a cell, from 1.
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.size.cols + 1, cell % self.size.cols + 1)
    }

    /// Rows plus columns between two cells.
    pub fn distance(&self, a: usize, b: usize) -> usize {
        let ((ra, ca), (rb, cb)) = (self.place(a), self.place(b));
        ra.abs_diff(rb) + ca.abs_diff(cb)
    }

    /// The numbers given, in ascending order, each with its cell.
    pub fn by_value(&self) -> Vec<(usize, usize)> {
        let given = |(cell, &value): (usize, &u16)| (value != 0).then_some((value as usize, cell));
        let mut clues: Vec<_> = self.cells.iter().enumerate().filter_map(given).collect();
        clues.sort_unstable();
        clues
    }

    /// The id without the puzzle's name: numbers as they are, `_` between two
    /// that follow each other, and a letter for each stretch of 1 to 26 empty
    /// cells.
    pub fn id(&self) -> String {
        let mut text = format!("{}:", self.size);
        let mut empty = 0;
        let stretch = |text: &mut String, mut length: usize| {
            while length > 0 {
                let letter = length.min(26);
                text.push((b'a' + letter as u8 - 1) as char);
                length -= letter;
            }
        };
        for &value in &self.cells {
            if value == 0 {
                empty += 1;
                continue;
            }
            stretch(&mut text, std::mem::take(&mut empty));
            if text.ends_with(|c: char| c.is_ascii_digit()) {
                text.push('_');
            }
            text.push_str(&value.to_string());
        }
        stretch(&mut text, empty);
        text
    }

    /// Reads an id without the puzzle's name.
    pub fn parse_id(body: &str) -> Result<Self, ParseError> {
        let whole = Piece::new(body);
        let Some((size, cells)) = whole.split_once(':') else {
            return Err(whole
                .error("the cells are missing")
                .help("write numbrix:ROWSxCOLS:CELLS, such as numbrix:3x3:1c5_4b9"));
        };
        let size = read_size(size.trim())?;
        let cells = cells.trim();
        let items =
            if cells.text.contains(',') { cells.items().map(Item::Cell).collect() } else { compact(cells)? };
        Self::from_items(&items, size, cells)
    }

    fn from_items(items: &[Item<'_>], size: Size, whole: Piece<'_>) -> Result<Self, ParseError> {
        let count = size.rows * size.cols;
        let mut cells = Vec::with_capacity(count);
        let mut first = vec![None; count + 1];
        for item in items {
            match *item {
                Item::Empty(length) => cells.extend(std::iter::repeat_n(0, length)),
                Item::Cell(piece) => {
                    let value = read_cell(piece, size)?;
                    if let Some(cell) = first[value].filter(|_| value != 0) {
                        let (row, col) = (cell / size.cols + 1, cell % size.cols + 1);
                        return Err(piece
                            .error(format!("{value} again: it is in row {row}, column {col} already"))
                            .help("every number stands on a board once"));
                    }
                    first[value] = Some(cells.len());
                    cells.push(value as u16);
                }
            }
        }
        if cells.len() != count {
            return Err(
                whole.error(format!("a {size} board has {count} cells, but there are {} here", cells.len()))
            );
        }
        Ok(Self { size, cells })
    }
}

/// One cell's text, or a stretch of empty cells.
#[derive(Debug, Clone, Copy)]
enum Item<'t> {
    Cell(Piece<'t>),
    Empty(usize),
}

/// The items of a compact id.
fn compact(cells: Piece<'_>) -> Result<Vec<Item<'_>>, ParseError> {
    let mut items = Vec::new();
    let mut rest = cells.text;
    while let Some(c) = rest.chars().next() {
        let start = cells.start + cells.text.len() - rest.len();
        let length = match c {
            'a'..='z' => {
                items.push(Item::Empty(c as usize - 'a' as usize + 1));
                1
            }
            '_' => 1,
            '0'..='9' => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                items.push(Item::Cell(Piece { text: &rest[..digits], start }));
                digits
            }
            _ => {
                return Err(ParseError::at(
                    start..start + c.len_utf8(),
                    format!("'{c}' does not belong in an id"),
                )
                .help("numbers, _ between two numbers, and letters: a for 1 empty cell up to z for 26"));
            }
        };
        rest = &rest[length..];
    }
    Ok(items)
}

fn read_size(piece: Piece<'_>) -> Result<Size, ParseError> {
    let wrong = || {
        piece
            .error(format!("'{}' is not a board size", piece.text))
            .help(format!("write rows x columns, such as 9x9, from 1x1 to {LONGEST}x{LONGEST}"))
    };
    let (rows, cols) = piece.split_once('x').ok_or_else(wrong)?;
    let rows = rows.number("number of rows", LONGEST)?;
    let cols = cols.number("number of columns", LONGEST)?;
    if rows == 0 || cols == 0 { Err(wrong()) } else { Ok(Size { rows, cols }) }
}

fn read_cell(piece: Piece<'_>, size: Size) -> Result<usize, ParseError> {
    let last = size.rows * size.cols;
    match piece.text {
        "." | "_" => Ok(0),
        _ => piece.number("number", last).map_err(|error| {
            error.help(format!("a {size} board has the numbers 1 to {last}, and 0 for an empty cell"))
        }),
    }
}

/// Reads a text in any format but an id.
pub fn parse(text: &str) -> Result<Board, ParseError> {
    let lines: Vec<_> = lines(text).collect();
    if lines.is_empty() {
        return Err(ParseError::whole("there is no board here").help(
            "write rows of numbers with 0 for an empty cell, perhaps after a line with the board's side",
        ));
    }
    let Rectangle { size, cells, place } = rectangle::read(&lines, SIDES)?;
    if size.rows > LONGEST || size.cols > LONGEST {
        return Err(place
            .error(format!("a board of {size} is too large"))
            .help(format!("boards go from 1x1 to {LONGEST}x{LONGEST}")));
    }
    let items: Vec<_> = cells.into_iter().map(Item::Cell).collect();
    Board::from_items(&items, size, place)
}

/// The lines that are neither empty nor comments.
fn lines(text: &str) -> impl Iterator<Item = Piece<'_>> {
    Piece::new(text)
        .lines()
        .map(Piece::trim)
        .filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
}

/// The likeness of a text that is more likely something else.
const HARDLY: u8 = 10;

/// How much a text looks like Numbrix.
pub fn likeness(text: &str) -> u8 {
    let lines: Vec<_> = lines(text).collect();
    let cells = rectangle::cells(&lines, SIDES);
    let is_number = |item: &Piece<'_>| item.text.bytes().all(|b| b.is_ascii_digit());
    let is_mark = |item: &Piece<'_>| matches!(item.text, "." | "_");
    if cells.is_empty() || !cells.iter().all(|item| is_number(item) || is_mark(item)) {
        return 0;
    }
    let announced = rectangle::is_announced(&lines, SIDES);
    let possible = || parse(text).is_ok_and(|board| super::impossible(&board).is_none());
    let marks = cells.iter().filter(|item| is_mark(item)).count();
    if rectangle::is_permutation(&cells) {
        // These are the looks of sliding tiles. Under a line with the side, as courses write Numbrix, it may be a board
        // of which only the last number is missing; without, hardly.
        return match possible() {
            true if announced => 80,
            true => HARDLY,
            false => 0,
        };
    }
    if announced {
        return 95;
    }
    if marks > 0 {
        // Sliding tiles have one blank, and mazes no numbers.
        return match marks > 1 {
            true if cells.iter().any(is_number) => 92,
            true => 90,
            false => 0,
        };
    }
    let count = |what: &str| cells.iter().filter(|item| item.text == what).count();
    let [empty, eights, nines] = ["0", "8", "9"].map(count);
    match empty {
        // These are the looks of a maze, which starts at an 8 in the bottom left.
        _ if eights == 1 && empty + eights + nines == cells.len() => {
            let corner =
                lines.last().and_then(|line| line.items().next()).is_some_and(|item| item.text == "8");
            match possible() {
                true if nines > 0 || !corner => 90,
                true => HARDLY,
                false => 0,
            }
        }
        0..=1 => HARDLY,
        _ => 60,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub fn boards(longest: usize) -> impl Strategy<Value = Board> {
        (1..=longest, 1..=longest).prop_flat_map(|(rows, cols)| {
            let numbers = Just((1..=(rows * cols) as u16).collect::<Vec<_>>()).prop_shuffle();
            let given = prop::collection::vec(prop::bool::weighted(0.3), rows * cols);
            (numbers, given).prop_map(move |(numbers, given)| Board {
                size: Size { rows, cols },
                cells: numbers.iter().zip(given).map(|(&n, given)| if given { n } else { 0 }).collect(),
            })
        })
    }

    fn rows(board: &Board) -> String {
        let line = |row: &[u16]| row.iter().map(u16::to_string).collect::<Vec<_>>().join("\t");
        board.cells.chunks(board.size.cols).map(line).collect::<Vec<_>>().join("\n")
    }

    proptest! {
        #[test]
        fn reading_an_id_gives_the_board(board in boards(12)) {
            prop_assert_eq!(Board::parse_id(&board.id()).unwrap(), board);
        }

        #[test]
        fn reading_rows_gives_the_board(board in boards(9)) {
            let text = rows(&board);
            if board.size.cols > 1 && board.size.rows > 1 {
                prop_assert_eq!(&parse(&text).unwrap(), &board);
            }
            prop_assert_eq!(&parse(&format!("{}\n{text}\n", board.size)).unwrap(), &board);
            if board.size.rows == board.size.cols {
                prop_assert_eq!(parse(&format!("{}\n{text}\n", board.size.rows)).unwrap(), board);
            }
        }

        #[test]
        fn nothing_that_is_read_panics(text in "[0-9a-c_.,:x \t\n#-]{0,60}") {
            let _ = (parse(&text), Board::parse_id(&text), likeness(&text));
        }
    }

    #[test]
    fn an_id_as_a_list() {
        let board = Board::parse_id("3x3:1,0,0,0,5,4,0,0,9").unwrap();
        assert_eq!(board.id(), "3x3:1c5_4b9");
        assert_eq!(board, parse("3\n1 0 0\n0 5 4\n0 0 9\n").unwrap());
        assert_eq!(board, parse("# a comment\n1 . .\n_ 5 4\n0 0 9\n").unwrap());
        assert_eq!(parse("1\n0\n").unwrap(), Board::empty(Size { rows: 1, cols: 1 }));
    }

    #[test]
    fn mistakes_are_pointed_at() {
        let cases: &[(&str, &str, &str)] = &[
            ("2\n1 0\n0 1\n", "1", "1 again: it is in row 1, column 1 already"),
            ("2\n1 0\n0 5\n", "5", "number 5 is too large, the largest here is 4"),
            ("2\n1 0\n0 x\n", "x", "'x' is not a number"),
            ("2\n1 0\n0 -3\n", "-3", "'-3' is not a number"),
            ("3\n1 0 0\n0 5\n0 0 9\n", "0 5", "this row has 2 cells, the first line says 3"),
            ("3\n1 0 0\n0 5 0\n", "3", "the board should have 3 rows, but 2 follow"),
            ("1 0 0\n0 5\n", "0 5", "this row has 2 cells, the first has 3"),
            ("65\n1 0\n", "65", "board side 65 is too large, the largest here is 64"),
            ("0\n1 0\n", "0", "a board has at least one row"),
        ];
        for (text, place, message) in cases {
            let error = parse(text).unwrap_err();
            assert_eq!(error.message, *message, "{text:?}");
            assert_eq!(&text[error.span.unwrap()], *place, "{text:?}");
        }
        assert_eq!(parse("\n# nothing\n").unwrap_err().message, "there is no board here");
        let ids: &[(&str, &str, &str)] = &[
            ("3x3", "3x3", "the cells are missing"),
            ("3:9", "3", "'3' is not a board size"),
            ("0x3:c", "0x3", "'0x3' is not a board size"),
            ("3x99:c", "99", "number of columns 99 is too large, the largest here is 64"),
            ("2x2:1d", "1d", "a 2x2 board has 4 cells, but there are 5 here"),
            ("2x2:1?b", "?", "'?' does not belong in an id"),
            ("2x2:1_1b", "1", "1 again: it is in row 1, column 1 already"),
            ("2x2:1,2,3", "1,2,3", "a 2x2 board has 4 cells, but there are 3 here"),
        ];
        for (text, place, message) in ids {
            let error = Board::parse_id(text).unwrap_err();
            assert_eq!(error.message, *message, "{text:?}");
            assert_eq!(&text[error.span.unwrap()], *place, "{text:?}");
        }
    }

    #[test]
    fn looks() {
        assert_eq!(likeness("3\n1 0 0\n0 5 4\n0 0 9\n"), 95);
        assert_eq!(likeness("1 0 0\n0 5 4\n0 0 9\n"), 60);
        assert_eq!(likeness("1 . .\n. 5 4\n. . 9\n"), 92);
        assert_eq!(likeness("1 2 3\n4 . 5\n6 7 8\n"), 0);
        assert_eq!(likeness("0 0 9\n0 9 0\n8 0 0\n"), 0);
        assert_eq!(likeness(". . #\nS . E\n"), 0);
        assert_eq!(likeness(""), 0);
    }
}
