//! Boards written as a rectangle of words: rows, or all on one line, perhaps under a line with the size.

use crate::puzzle::Size;
use crate::text::{ParseError, Piece};

/// A rectangle of words and its size.
pub struct Rectangle<'t> {
    /// Rows and columns.
    pub size: Size,
    /// The words, row by row.
    pub cells: Vec<Piece<'t>>,
    /// The first line, for what is wrong with the whole.
    pub place: Piece<'t>,
}

/// The size that a line of its own says: the side of a square, or rows x columns.
#[derive(Clone, Copy)]
enum Announced {
    Side(usize),
    Size(Size),
}

impl Announced {
    fn size(self) -> Size {
        match self {
            Self::Side(side) => Size { rows: side, cols: side },
            Self::Size(size) => size,
        }
    }
}

/// The sides that boards of a puzzle have.
#[derive(Clone, Copy)]
pub struct Sides {
    /// Whether a single cell is a board.
    pub single: bool,
    /// The longest side.
    pub longest: usize,
}

/// Whether the first of some lines, trimmed and none of them empty, is a size: rows x columns, a number by itself above
/// rows of several, or 1 above a single cell.
pub fn is_announced(lines: &[Piece<'_>], sides: Sides) -> bool {
    match lines {
        [first, second, rest @ ..] if first.items().count() == 1 => {
            second.items().count() > 1
                || (sides.single && rest.is_empty() && first.text == "1")
                || sides_of(*first).is_some()
        }
        _ => false,
    }
}

/// The words below a size, or all of them.
pub fn cells<'t>(lines: &[Piece<'t>], sides: Sides) -> Vec<Piece<'t>> {
    let rows = &lines[usize::from(is_announced(lines, sides))..];
    rows.iter().flat_map(|row| row.items()).collect()
}

/// Reads lines that are trimmed, at least one and none of them empty.
pub fn read<'t>(lines: &[Piece<'t>], sides: Sides) -> Result<Rectangle<'t>, ParseError> {
    let place = lines[0];
    let announced = is_announced(lines, sides).then(|| announced(place, sides.longest)).transpose()?;
    let cells = cells(lines, sides);
    if let (Some(announced), [_, _]) = (announced, lines)
        && announced.size().rows * announced.size().cols == cells.len()
    {
        return Ok(Rectangle { size: announced.size(), cells, place });
    }
    let rows = &lines[usize::from(announced.is_some())..];
    let cols = announced.map_or_else(|| rows[0].items().count(), |announced| announced.size().cols);
    if cells.is_empty() {
        return Err(place.error("there is no cell in this row").help("a board has at least one cell"));
    }
    for row in rows {
        let count = row.items().count();
        if count != cols {
            let expected = if announced.is_some() { "the first line says" } else { "the first has" };
            return Err(row
                .error(format!("this row has {count} cells, {expected} {cols}"))
                .help("all rows of a board are equally long"));
        }
    }
    if let Some(announced) = announced.filter(|announced| announced.size().rows != rows.len()) {
        let help = match announced {
            Announced::Side(_) => "the first line is the number of rows and of columns",
            Announced::Size(_) => "the first line is rows x columns",
        };
        let expected = announced.size().rows;
        return Err(place
            .error(format!("the board should have {expected} rows, but {} follow", rows.len()))
            .help(help));
    }
    let size = match rows {
        [_] if announced.is_none() => on_one_line(cols, place)?,
        rows => Size { rows: rows.len(), cols },
    };
    Ok(Rectangle { size, cells, place })
}

/// Rows and columns, where a line says both.
fn sides_of(line: Piece<'_>) -> Option<Size> {
    line.text.parse().ok().filter(|size: &Size| size.cols > 0)
}

fn announced(line: Piece<'_>, longest: usize) -> Result<Announced, ParseError> {
    let announced = match sides_of(line) {
        Some(size) if size.rows.max(size.cols) > longest => {
            return Err(line
                .error(format!("a board of {size} is too large"))
                .help(format!("boards go up to {longest}x{longest}")));
        }
        Some(size) => Announced::Size(size),
        None => Announced::Side(line.number("board side", longest)?),
    };
    if announced.size().rows == 0 { Err(line.error("a board has at least one row")) } else { Ok(announced) }
}

/// The size of so many cells on one line: a square where they fill one. Where they could be rows of several sizes,
/// whoever wrote them must say.
fn on_one_line(count: usize, place: Piece<'_>) -> Result<Size, ParseError> {
    let side = count.isqrt();
    if side > 1 && side * side == count {
        return Ok(Size { rows: side, cols: side });
    }
    let divides = |rows: &usize| count.is_multiple_of(*rows);
    let sizes: Vec<_> = (1..count).filter(divides).map(|rows| Size { rows, cols: count / rows }).collect();
    match &sizes[..] {
        [_, _, ..] => {
            let sizes: Vec<_> = sizes.iter().map(Size::to_string).collect();
            let sizes = crate::text::either(&sizes);
            Err(place
                .error(format!("{count} cells on one line could be a board of {sizes}"))
                .help(format!("write the size on a line above them: {sizes}")))
        }
        _ => Ok(Size { rows: 1, cols: count }),
    }
}

/// Whether cells are the numbers from 1 on, each once, and one blank: the looks of a board of tiles.
pub fn is_permutation(cells: &[Piece<'_>]) -> bool {
    let mut tiles: Vec<usize> = cells
        .iter()
        .filter_map(|cell| if matches!(cell.text, "_" | ".") { Some(0) } else { cell.text.parse().ok() })
        .collect();
    tiles.sort_unstable();
    tiles.len() > 1 && tiles.len() == cells.len() && tiles.iter().enumerate().all(|(i, &tile)| i == tile)
}
