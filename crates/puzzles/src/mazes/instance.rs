//! Mazes: what they are, and their ids.

use crate::puzzle::Size;
use crate::text::{ParseError, Piece};

use super::moves::{Move, Way};
use super::verify;

/// The longest side of a board.
pub const LONGEST: usize = 64;

/// A grid with blocked cells, two ends, and what has been walked of a path
/// between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maze {
    /// Rows and columns.
    pub size: Size,
    /// Row by row, whether a cell is blocked.
    pub blocked: Vec<bool>,
    /// The cell where the path starts.
    pub start: usize,
    /// The cell where it must end.
    pub end: usize,
    /// The moves made already; none in a fresh maze.
    pub walked: Vec<Move>,
}

impl Maze {
    /// The start unless another is marked: bottom left.
    pub fn usual_start(size: Size) -> usize {
        (size.rows - 1) * size.cols
    }

    /// The end unless another is marked: top right.
    pub fn usual_end(size: Size) -> usize {
        size.cols - 1
    }

    /// A fresh maze between the usual corners.
    pub fn new(size: Size, blocked: Vec<bool>) -> Self {
        Self { size, blocked, start: Self::usual_start(size), end: Self::usual_end(size), walked: Vec::new() }
    }

    /// How many cells are not blocked.
    pub fn free(&self) -> usize {
        self.blocked.iter().filter(|&&blocked| !blocked).count()
    }

    /// The cell next to another, if it is on the board.
    pub fn next(&self, cell: usize, way: Way) -> Option<usize> {
        let (row, col) = (cell / self.size.cols, cell % self.size.cols);
        match way {
            Way::Up => (row > 0).then(|| cell - self.size.cols),
            Way::Down => (row + 1 < self.size.rows).then(|| cell + self.size.cols),
            Way::Left => (col > 0).then(|| cell - 1),
            Way::Right => (col + 1 < self.size.cols).then(|| cell + 1),
        }
    }

    /// The cells next to another that are not blocked.
    pub fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        Way::ALL.into_iter().filter_map(move |way| self.next(cell, way)).filter(|&next| !self.blocked[next])
    }

    /// The id without the puzzle's name: the size, the rows, and the path
    /// walked. In the rows a number stands for so many empty cells.
    pub fn id(&self) -> String {
        let mut rows = Vec::new();
        for row in 0..self.size.rows {
            let mut text = String::new();
            let mut empty = 0;
            for cell in row * self.size.cols..(row + 1) * self.size.cols {
                let mark = self.mark(cell);
                if mark != '.' && empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                match mark {
                    '.' => empty += 1,
                    mark => text.push(mark),
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            rows.push(text);
        }
        format!("{}:{}{}", self.size, rows.join("/"), self.walked_id())
    }

    /// A cell's letter in an id: ends are marked only where they are unusual.
    fn mark(&self, cell: usize) -> char {
        if self.blocked[cell] {
            'x'
        } else if cell == self.start && cell != Self::usual_start(self.size) {
            'S'
        } else if cell == self.end && cell != Self::usual_end(self.size) {
            'E'
        } else {
            '.'
        }
    }

    /// Steps as letters, turns left out; a turn after which no step was made is
    /// a small letter.
    fn walked_id(&self) -> String {
        let letter = |(i, made): (usize, &Move)| match made {
            Move::Step(way) => Some(way.letter()),
            Move::Turn(way) if i + 1 == self.walked.len() => Some(way.letter().to_ascii_lowercase()),
            Move::Turn(_) => None,
        };
        let letters: String = self.walked.iter().enumerate().filter_map(letter).collect();
        if letters.is_empty() { letters } else { format!(":{letters}") }
    }

    /// Reads an id without the puzzle's name.
    pub fn parse_id(body: &str) -> Result<Self, ParseError> {
        let mut parts = Piece::new(body).split(':');
        let size = read_size(parts.next().expect("split gives at least one part"))?;
        let rows = parts.next().ok_or_else(|| {
            ParseError::at(0..body.len(), "the rows are missing")
                .help("write mazes:ROWSxCOLS:ROWS, such as mazes:3x3:3/1x1/3")
        })?;
        let mut maze = read_rows(rows, size)?;
        if let Some(path) = parts.next() {
            maze.walked = read_walk(&maze, path)?;
        }
        match parts.next() {
            Some(extra) => Err(extra.error("an id has at most a size, rows and a path")),
            None => Ok(maze),
        }
    }
}

fn read_size(piece: Piece<'_>) -> Result<Size, ParseError> {
    let piece = piece.trim();
    let wrong = || {
        piece
            .error(format!("'{}' is not a board size", piece.text))
            .help(format!("write rows x columns, such as 7x7, from 1x1 to {LONGEST}x{LONGEST}"))
    };
    let (rows, cols) = piece.split_once('x').ok_or_else(wrong)?;
    let rows = rows.number("number of rows", LONGEST)?;
    let cols = cols.number("number of columns", LONGEST)?;
    if rows * cols == 0 { Err(wrong()) } else { Ok(Size { rows, cols }) }
}

/// Cells as they are marked, before the ends are settled.
pub struct Marks {
    size: Size,
    blocked: Vec<bool>,
    start: Option<usize>,
    end: Option<usize>,
}

impl Marks {
    /// An open board without marks.
    pub fn new(size: Size) -> Self {
        Self { size, blocked: vec![false; size.rows * size.cols], start: None, end: None }
    }

    /// Marks a cell as blocked.
    pub fn block(&mut self, cell: usize) {
        self.blocked[cell] = true;
    }

    /// Marks the start.
    pub fn start(&mut self, cell: usize, place: Piece<'_>) -> Result<(), ParseError> {
        once(&mut self.start, cell, "start", self.size, place)
    }

    /// Marks the end.
    pub fn end(&mut self, cell: usize, place: Piece<'_>) -> Result<(), ParseError> {
        once(&mut self.end, cell, "end", self.size, place)
    }

    /// The maze; `corner` is the place of the bottom left cell.
    pub fn maze(self, corner: Piece<'_>) -> Result<Maze, ParseError> {
        let mut maze = Maze::new(self.size, self.blocked);
        maze.start = self.start.unwrap_or(maze.start);
        maze.end = self.end.unwrap_or(maze.end);
        if maze.blocked[maze.start] {
            return Err(corner
                .error("the path starts at the bottom left, but that cell is blocked")
                .help("open it, or mark another cell as the start: 8 among numbers, S in pictures and ids"));
        }
        Ok(maze)
    }
}

fn once(
    known: &mut Option<usize>,
    cell: usize,
    what: &str,
    size: Size,
    place: Piece<'_>,
) -> Result<(), ParseError> {
    if let Some(first) = known.replace(cell) {
        let (row, col) = (first / size.cols + 1, first % size.cols + 1);
        return Err(place.error(format!("a second {what}: it is in row {row}, column {col} already")));
    }
    Ok(())
}

/// Reads the rows of an id: numbers for empty cells, `x`, `S`, `E`.
fn read_rows(piece: Piece<'_>, size: Size) -> Result<Maze, ParseError> {
    let mut marks = Marks::new(size);
    let mut row = 0;
    let mut corner = piece;
    for line in piece.split('/') {
        if row == size.rows {
            return Err(line.error(format!("there are more rows than the {} that the size says", size.rows)));
        }
        corner = line;
        read_row(line, row, size, &mut marks)?;
        row += 1;
    }
    if row < size.rows {
        return Err(piece.error(format!("there are {row} rows, but the size says {}", size.rows)));
    }
    marks.maze(corner)
}

fn read_row(line: Piece<'_>, row: usize, size: Size, marks: &mut Marks) -> Result<(), ParseError> {
    let mut col = 0;
    let mut at = 0;
    let too_long =
        || line.error(format!("row {} has more than the {} cells that the size says", row + 1, size.cols));
    while let Some(c) = line.text[at..].chars().next() {
        let digits = line.text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let length = if digits > 0 { digits } else { c.len_utf8() };
        let place = Piece { text: &line.text[at..at + length], start: line.start + at };
        at += length;
        if digits > 0 {
            col += place.number("number of empty cells", LONGEST)?;
            continue;
        }
        if col >= size.cols {
            return Err(too_long());
        }
        let cell = row * size.cols + col;
        match c {
            'x' | 'X' => marks.block(cell),
            'S' | 's' => marks.start(cell, place)?,
            'E' | 'e' => marks.end(cell, place)?,
            '.' => {}
            _ => {
                return Err(place.error(format!("'{c}' is not a cell")).help(
                    "in an id a number stands for so many empty cells, x for a blocked one, S and E for the ends",
                ));
            }
        }
        col += 1;
    }
    match col {
        col if col > size.cols => Err(too_long()),
        col if col < size.cols => Err(line
            .error(format!("row {} has {col} cells, but the size says {}", row + 1, size.cols))
            .help("a number stands for so many empty cells, x for a blocked one")),
        _ => Ok(()),
    }
}

/// Reads the path of an id and makes sure that it can be walked.
fn read_walk(maze: &Maze, path: Piece<'_>) -> Result<Vec<Move>, ParseError> {
    let mut moves = Vec::new();
    let mut places = Vec::new();
    let mut facing = None;
    for (i, c) in path.text.char_indices() {
        let place = Piece { text: &path.text[i..i + c.len_utf8()], start: path.start + i };
        let Some(way) = Way::of(c) else {
            return Err(place.error(format!("'{c}' is not a step")).help(
                "a path is written U, D, L, R, a step each; a small letter at the end is a turn only",
            ));
        };
        let last = i + c.len_utf8() == path.text.len();
        if c.is_ascii_lowercase() && !last {
            return Err(place
                .error("a turn without a step in the middle of a path")
                .help("write large letters, and a small one only at the end"));
        }
        if facing != Some(way) || c.is_ascii_lowercase() {
            moves.push(Move::Turn(way));
            places.push(place);
            facing = Some(way);
        }
        if c.is_ascii_uppercase() {
            moves.push(Move::Step(way));
            places.push(place);
        }
    }
    let written: Vec<_> = moves.iter().map(Move::to_string).collect();
    match verify::check(maze, &written).failure {
        None => Ok(moves),
        Some(failure) => {
            Err(places[failure.at - 1].error(format!("the path breaks off here: {}", failure.reason)))
        }
    }
}
