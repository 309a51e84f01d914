//! Mazes as text: rows of numbers, and pictures.

use crate::puzzle::Size;
use crate::text::{ParseError, Piece};

use super::instance::{LONGEST, Marks, Maze};

/// The two ways a maze is drawn in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    /// 0 empty, 8 start, 9 blocked.
    Numbers,
    /// `.` empty, `#` blocked, `S` start, `E` end.
    Picture,
}

impl Coding {
    fn help(self) -> &'static str {
        match self {
            Self::Numbers => "among numbers 0 is an empty cell, 8 the start, 9 a blocked cell",
            Self::Picture => "in a picture . is an empty cell, # a blocked one, S the start, E the end",
        }
    }
}

fn is_picture(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '.' | '#' | 'S' | 's' | 'E' | 'e') || separates(c))
}

fn separates(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// In a picture a line that starts with # may be a row; a lone # is a remark.
fn is_remark(line: &str, coding: Coding) -> bool {
    line.starts_with('#') && (coding == Coding::Numbers || !is_picture(line) || line == "#")
}

fn coding(text: &str) -> Coding {
    let open = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    match open {
        Some(line) if line.starts_with(|c: char| c.is_ascii_digit()) => Coding::Numbers,
        _ => Coding::Picture,
    }
}

/// Reads all mazes of a text; an empty line ends one.
pub fn parse(text: &str) -> Result<Vec<Maze>, ParseError> {
    let coding = coding(text);
    let mut blocks: Vec<Vec<Piece<'_>>> = vec![Vec::new()];
    for line in Piece::new(text).lines().map(Piece::trim) {
        if line.text.is_empty() {
            blocks.push(Vec::new());
        } else if !is_remark(line.text, coding) {
            blocks.last_mut().expect("never empty").push(line);
        }
    }
    blocks.retain(|block| !block.is_empty());
    if blocks.is_empty() {
        return Err(ParseError::whole("there is no maze here")
            .help("write rows of 0, 8 and 9, or a picture with . # S E"));
    }
    blocks.iter().map(|block| read(block, coding)).collect()
}

fn read(block: &[Piece<'_>], coding: Coding) -> Result<Maze, ParseError> {
    let mut cells: Vec<Vec<Piece<'_>>> = block.iter().map(|&line| read_cells(line)).collect();
    if let ([line], Coding::Numbers) = (&cells[..], coding)
        && !line.is_empty()
    {
        cells = line.chunks(columns(line)).map(<[_]>::to_vec).collect();
    }
    let size = Size { rows: cells.len(), cols: cells[0].len() };
    for (row, line) in cells.iter().zip(block) {
        if row.len() != size.cols {
            return Err(line
                .error(format!("this row has {} cells, the first has {}", row.len(), size.cols))
                .help("all rows of a maze are equally long"));
        }
    }
    if size.rows > LONGEST || size.cols > LONGEST || size.cols == 0 {
        return Err(block[0]
            .error(format!("a board of {size} cannot be played"))
            .help(format!("boards go from 1x1 to {LONGEST}x{LONGEST}")));
    }
    let mut marks = Marks::new(size);
    for (cell, &place) in cells.iter().flatten().enumerate() {
        match (coding, place.text) {
            (Coding::Numbers, "0") | (Coding::Picture, ".") => {}
            (Coding::Numbers, "9") | (Coding::Picture, "#") => marks.block(cell),
            (Coding::Numbers, "8") | (Coding::Picture, "S" | "s") => marks.start(cell, place)?,
            (Coding::Picture, "E" | "e") => marks.end(cell, place)?,
            (_, text) => return Err(place.error(format!("'{text}' is not a cell")).help(coding.help())),
        }
    }
    marks.maze(cells[size.rows - 1][0])
}

/// The columns of a maze on one line: the start is at the bottom left, so one row begins at it. (A single row with the
/// start elsewhere would have no solution.)
fn columns(line: &[Piece<'_>]) -> usize {
    let start = line.iter().position(|cell| cell.text == "8").unwrap_or(0);
    let columns = line.len() - start;
    if line.len().is_multiple_of(columns) { columns } else { line.len() }
}

/// The cells of a row: its characters, whether or not they are set apart.
fn read_cells(line: Piece<'_>) -> Vec<Piece<'_>> {
    let place =
        |(at, c): (usize, char)| Piece { text: &line.text[at..at + c.len_utf8()], start: line.start + at };
    line.text.char_indices().filter(|&(_, c)| !separates(c)).map(place).collect()
}

/// How much a text looks like a maze.
pub fn likeness(text: &str) -> u8 {
    let coding = coding(text);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_remark(line, coding));
    let cells = || lines().flat_map(str::chars).filter(|&c| !separates(c));
    let count = cells().count();
    if count == 0 {
        return 0;
    }
    match coding {
        Coding::Numbers => {
            let nines = cells().filter(|&c| c == '9').count();
            match cells().all(|c| matches!(c, '0' | '8' | '9')) {
                true if cells().any(|c| c == '8') => 90,
                // A number path has every number once, so one of several 9 is none.
                true if nines > 1 => 65,
                true => 60,
                false => 0,
            }
        }
        Coding::Picture => {
            let known = cells().filter(|&c| is_picture(c.encode_utf8(&mut [0; 4]))).count();
            match known {
                known if known == count => 90,
                known if known * 10 >= count * 8 && cells().all(|c| !c.is_ascii_digit()) => 50,
                _ => 0,
            }
        }
    }
}
