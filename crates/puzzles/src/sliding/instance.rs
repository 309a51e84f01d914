//! Boards as text: rows of numbers, sets of one instance a line, ids.

use crate::puzzle::Size;
use crate::rectangle::{self, Rectangle, Sides};
use crate::text::{ParseError, Piece};

/// The longest side of a board.
pub const LONGEST: usize = 16;
const SIDES: Sides = Sides { single: false, longest: LONGEST };

/// A start and a goal, row by row, 0 for the blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiles {
    /// Rows and columns.
    pub size: Size,
    /// Where it starts.
    pub start: Vec<u8>,
    /// Where it must end.
    pub goal: Vec<u8>,
}

/// The goal with its tiles in order and the blank at the end.
pub fn blank_last(cells: usize) -> Vec<u8> {
    (1..cells).map(|tile| tile as u8).chain([0]).collect()
}

/// The goal with its tiles in order after the blank.
pub fn blank_first(cells: usize) -> Vec<u8> {
    (0..cells).map(|tile| tile as u8).collect()
}

impl Tiles {
    /// The id without the puzzle's name.
    pub fn id(&self) -> String {
        let list = |tiles: &[u8]| tiles.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let cells = self.goal.len();
        let goal = if self.goal == blank_last(cells) {
            String::new()
        } else if self.goal == blank_first(cells) {
            ":blank-first".into()
        } else {
            format!(":{}", list(&self.goal))
        };
        format!("{}:{}{goal}", self.size, list(&self.start))
    }

    /// Reads an id without the puzzle's name: size, start and perhaps a goal.
    pub fn parse_id(body: &str, goal: Option<&str>) -> Result<Self, ParseError> {
        let mut parts = Piece::new(body).split(':');
        let size = read_size(parts.next().expect("split gives at least one part"))?;
        let start = parts.next().ok_or_else(|| {
            ParseError::at(0..body.len(), "the tiles are missing")
                .help("write sliding:ROWSxCOLS:TILES, such as sliding:2x2:3,1,2,0")
        })?;
        let start = read_tiles(start, size)?;
        let given = parts.next();
        if let Some(extra) = parts.next() {
            return Err(extra.error("an id has at most a size, a start and a goal"));
        }
        let goal = match (goal, given) {
            (Some(goal), _) => {
                named_goal(Piece::new(goal), size).map_err(|error| not_in_text(&error, "--goal"))?
            }
            (None, Some(goal)) => named_goal(goal, size)?,
            (None, None) => blank_last(start.len()),
        };
        Ok(Self { size, start, goal })
    }
}

/// An error in an option rather than in the instance's text.
fn not_in_text(error: &ParseError, option: &str) -> ParseError {
    ParseError { message: format!("{option}: {}", error.message), span: None, ..error.clone() }
}

fn read_size(piece: Piece<'_>) -> Result<Size, ParseError> {
    let piece = piece.trim();
    let wrong = || {
        piece
            .error(format!("'{}' is not a board size", piece.text))
            .help(format!("write rows x columns, such as 4x4, from 1x2 to {LONGEST}x{LONGEST}"))
    };
    let (rows, cols) = piece.split_once('x').ok_or_else(wrong)?;
    let rows = rows.number("number of rows", LONGEST)?;
    let cols = cols.number("number of columns", LONGEST)?;
    if rows * cols < 2 { Err(wrong()) } else { Ok(Size { rows, cols }) }
}

/// Reads a goal: a name or a list of tiles.
fn named_goal(piece: Piece<'_>, size: Size) -> Result<Vec<u8>, ParseError> {
    match piece.trim().text {
        "blank-last" => Ok(blank_last(size.rows * size.cols)),
        "blank-first" => Ok(blank_first(size.rows * size.cols)),
        _ => read_tiles(piece, size).map_err(|error| match error.help {
            Some(_) => error,
            None => error.help("a goal is blank-last, blank-first, or a board"),
        }),
    }
}

/// Reads the tiles of a board of known size, each of 0 to cells - 1 once.
fn read_tiles(piece: Piece<'_>, size: Size) -> Result<Vec<u8>, ParseError> {
    let items: Vec<_> = piece.items().collect();
    check_tiles(&items, size, piece)
}

fn check_tiles(items: &[Piece<'_>], size: Size, whole: Piece<'_>) -> Result<Vec<u8>, ParseError> {
    let cells = size.rows * size.cols;
    let mut tiles: Vec<u8> = Vec::with_capacity(cells);
    for item in items {
        let tile = match item.text {
            "_" | "." => 0,
            _ => item.number("tile", cells - 1).map_err(|error| {
                error.help(format!("a {size} board has the tiles 1 to {} and a blank: 0, _ or .", cells - 1))
            })?,
        };
        if let Some(first) = tiles.iter().position(|&other| other as usize == tile) {
            let what = if tile == 0 { "a second blank".into() } else { format!("tile {tile} again") };
            let (row, col) = (first / size.cols + 1, first % size.cols + 1);
            return Err(item
                .error(format!("{what}: it is in row {row}, column {col} already"))
                .help("every tile, and the blank, stands on a board once"));
        }
        tiles.push(tile as u8);
    }
    if tiles.len() != cells {
        let missing: Vec<_> = (0..cells)
            .filter(|&tile| !tiles.contains(&(tile as u8)))
            .take(8)
            .map(|t| t.to_string())
            .collect();
        return Err(whole
            .trim()
            .error(format!("a {size} board has {cells} cells, but there are {} here", tiles.len()))
            .help(format!("missing: {}", missing.join(", "))));
    }
    Ok(tiles)
}

/// An instance read from a text, with its name if it has one.
pub type NamedTiles = (Option<String>, Tiles);

/// Reads a text in any format but an id.
pub fn parse(text: &str, goal: Option<&str>) -> Result<Vec<NamedTiles>, ParseError> {
    let lines: Vec<_> =
        Piece::new(text).lines().filter(|line| !line.text.trim_start().starts_with('#')).collect();
    if lines.iter().any(|line| line.text.contains('|')) {
        let set = lines.into_iter().filter(|line| !line.text.trim().is_empty());
        return set.map(|line| set_line(line, goal)).collect();
    }
    grid(&lines, goal).map(|tiles| vec![(None, tiles)])
}

/// One line of a set: `id | RxC | start | goal | …`.
fn set_line(line: Piece<'_>, goal: Option<&str>) -> Result<NamedTiles, ParseError> {
    let fields: Vec<_> = line.split('|').map(Piece::trim).collect();
    let [name, size, start, rest @ ..] = &fields[..] else {
        return Err(line.error("this line has too few fields").help("write: id | RxC | start | goal"));
    };
    let size = read_size(*size)?;
    let start = read_tiles(*start, size)?;
    let goal = match (goal, rest.first()) {
        (Some(goal), _) => {
            named_goal(Piece::new(goal), size).map_err(|error| not_in_text(&error, "--goal"))?
        }
        (None, Some(goal)) if !goal.text.is_empty() => named_goal(*goal, size)?,
        _ => blank_last(start.len()),
    };
    Ok((Some(name.text.to_owned()), Tiles { size, start, goal }))
}

/// The blocks of lines between empty ones; lines are trimmed.
fn blocks<'t>(lines: impl IntoIterator<Item = Piece<'t>>) -> Vec<Vec<Piece<'t>>> {
    let mut blocks = vec![Vec::new()];
    for line in lines.into_iter().map(Piece::trim) {
        if !line.text.is_empty() {
            blocks.last_mut().expect("never empty").push(line);
        } else if !blocks.last().expect("never empty").is_empty() {
            blocks.push(Vec::new());
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// A board, and perhaps a goal after an empty line.
fn grid(lines: &[Piece<'_>], goal: Option<&str>) -> Result<Tiles, ParseError> {
    let blocks = blocks(lines.iter().copied());
    let [start, rest @ ..] = &blocks[..] else {
        return Err(ParseError::whole("there is no board here")
            .help("write rows of numbers, with 0, _ or . for the blank"));
    };
    let (size, tiles) = read_block(start)?;
    let given = match rest {
        [] => None,
        [goal] => Some(read_goal(goal, size)?),
        [_, extra, ..] => {
            return Err(extra[0].error("a third board").help("after the start comes at most a goal"));
        }
    };
    let goal = match goal {
        Some(goal) => named_goal(Piece::new(goal), size).map_err(|error| not_in_text(&error, "--goal"))?,
        None => given.unwrap_or_else(|| blank_last(tiles.len())),
    };
    Ok(Tiles { size, start: tiles, goal })
}

fn read_block(block: &[Piece<'_>]) -> Result<(Size, Vec<u8>), ParseError> {
    let Rectangle { size, cells, place } = rectangle::read(block, SIDES)?;
    if size.rows > LONGEST || size.cols > LONGEST || size.rows * size.cols < 2 {
        return Err(place
            .error(format!("a board of {size} cannot be played"))
            .help(format!("boards go from 1x2 to {LONGEST}x{LONGEST}")));
    }
    Ok((size, check_tiles(&cells, size, place)?))
}

/// A goal after a start, whose size is known.
fn read_goal(block: &[Piece<'_>], like: Size) -> Result<Vec<u8>, ParseError> {
    if let [line] = block
        && line.items().count() == like.rows * like.cols
    {
        return read_tiles(*line, like);
    }
    let (size, tiles) = read_block(block)?;
    if size != like {
        return Err(block[0].error(format!("the goal is {size}, but the start is {like}")));
    }
    Ok(tiles)
}

/// How much a text looks like sliding tiles.
pub fn likeness(text: &str) -> u8 {
    let lines: Vec<_> =
        Piece::new(text).lines().map(Piece::trim).filter(|line| !line.text.starts_with('#')).collect();
    let blocks = blocks(lines);
    let Some(start) = blocks.first() else { return 0 };
    let mut lines = blocks.iter().flatten();
    if lines.clone().all(|line| line.text.contains('|')) {
        let sized = |line: &Piece<'_>| {
            let size = line.text.split('|').nth(1).map_or("", str::trim);
            size.split_once('x').is_some_and(|(a, b)| a.parse::<u8>().is_ok() && b.parse::<u8>().is_ok())
        };
        return if lines.any(sized) { 95 } else { 10 };
    }
    let is_number = |item: &Piece<'_>| item.text.bytes().all(|b| b.is_ascii_digit());
    let is_mark = |item: &Piece<'_>| matches!(item.text, "_" | ".");
    let all: Vec<_> = blocks.iter().flat_map(|block| rectangle::cells(block, SIDES)).collect();
    if !all.iter().any(is_number) || !all.iter().all(|item| is_number(item) || is_mark(item)) {
        return 0;
    }
    let announced = rectangle::is_announced(start, SIDES);
    let cells = rectangle::cells(start, SIDES);
    let blanks = cells.iter().filter(|item| is_mark(item) || item.text == "0").count();
    if rectangle::is_permutation(&cells) {
        return if announced { 80 } else { 93 };
    }
    match blanks {
        1 if cells.iter().any(is_mark) => 90,
        0..=1 => 70,
        _ => 20,
    }
}
