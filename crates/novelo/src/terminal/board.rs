//! A board on the screen: one drawing for all puzzles.

use novelo_puzzles::session::{ArcView, Arrows, Cell, Kind, View};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};

/// Something on a board that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// A cell, by its place in the view.
    Cell(usize),
    /// A side, by its place in the view.
    Arc(usize),
}

/// What is shown beside the position itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras<'a> {
    /// What the arrow keys have chosen.
    pub cursor: Option<Spot>,
    /// What has been typed for the chosen cell.
    pub typed: &'a str,
    /// The move that a hint gave.
    pub hint: Option<&'a str>,
}

impl Extras<'_> {
    fn is_hinted(&self, play: Option<&String>) -> bool {
        // A place such as `1,2=` is the beginning of the move that writes there.
        let begins =
            |hint: &str, play: &String| hint == play || (play.ends_with('=') && hint.starts_with(play));
        self.hint.zip(play).is_some_and(|(hint, play)| begins(hint, play))
    }
}

/// Places on the screen that stand for something.
pub type Hits = Vec<(Rect, Spot)>;

/// What is touched at a place.
pub fn touched(hits: &Hits, at: Position) -> Option<Spot> {
    hits.iter().find(|(area, _)| area.contains(at)).map(|&(_, spot)| spot)
}

/// The ways to draw a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kinds {
    /// Numbers in cells.
    Numbers,
    /// A path through cells.
    Path,
    /// Sides between dots.
    Dots,
    /// Numbers as bars, one below the other.
    Bars,
}

/// How much room a cell gets: columns and rows, lines included.
#[derive(Debug, Clone, Copy)]
struct Pitch {
    x: u16,
    y: u16,
}

fn kind(view: &View) -> Kinds {
    match (view.arrows, view.path.is_empty()) {
        _ if view.bars => Kinds::Bars,
        (Arrows::Arcs, _) => Kinds::Dots,
        (_, false) => Kinds::Path,
        (_, true) => Kinds::Numbers,
    }
}

/// The scales a board can be drawn in, the roomiest first.
fn pitches(view: &View) -> Vec<Pitch> {
    let digits = view.cells.len().to_string().len() as u16;
    match kind(view) {
        Kinds::Numbers => {
            vec![Pitch { x: digits + 5, y: 4 }, Pitch { x: digits + 3, y: 2 }, Pitch { x: digits + 1, y: 1 }]
        }
        Kinds::Path => vec![Pitch { x: 4, y: 2 }, Pitch { x: 2, y: 1 }],
        Kinds::Dots => vec![Pitch { x: 7, y: 3 }, Pitch { x: 4, y: 2 }, Pitch { x: 2, y: 2 }],
        Kinds::Bars => {
            let widths = [4, 2, 1].map(|each| (each * view.rows as u16).min(BAR));
            widths.map(|wide| Pitch { x: digits + 2 + wide, y: 1 }).to_vec()
        }
    }
}

/// The most that the longest bar has beside its number.
const BAR: u16 = 40;

fn size(view: &View, pitch: Pitch) -> Size {
    let (rows, cols) = (view.rows as u16, view.cols as u16);
    match kind(view) {
        Kinds::Numbers if pitch.y == 1 => Size::new(cols * pitch.x, rows),
        Kinds::Path => Size::new(cols * pitch.x - 1, (rows - 1) * pitch.y + 1),
        Kinds::Bars => Size::new(pitch.x, rows + 1),
        Kinds::Numbers | Kinds::Dots => Size::new(cols * pitch.x + 1, rows * pitch.y + 1),
    }
}

/// Draws a board in the middle of an area; the error is the room it would need.
pub fn draw(view: &View, extras: Extras<'_>, area: Rect, buffer: &mut Buffer) -> Result<Hits, Size> {
    let pitches = pitches(view);
    let fits = |pitch: &&Pitch| {
        let size = size(view, **pitch);
        size.width <= area.width && size.height <= area.height
    };
    let smallest = size(view, *pitches.last().expect("there are several"));
    let pitch = *pitches.iter().find(fits).ok_or(smallest)?;
    let Size { width, height } = size(view, pitch);
    let corner = Position::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let mut easel = Easel { view, extras, pitch, corner, buffer, hits: Vec::new() };
    match kind(view) {
        Kinds::Numbers => easel.numbers(),
        Kinds::Path => easel.path(),
        Kinds::Dots => easel.dots(),
        Kinds::Bars => easel.bars(),
    }
    Ok(easel.hits)
}

struct Easel<'a> {
    view: &'a View,
    extras: Extras<'a>,
    pitch: Pitch,
    corner: Position,
    buffer: &'a mut Buffer,
    hits: Hits,
}

impl Easel<'_> {
    fn put(&mut self, x: u16, y: u16, text: &str, style: Style) {
        self.buffer.set_string(self.corner.x + x, self.corner.y + y, text, style);
    }

    fn hit(&mut self, x: u16, y: u16, width: u16, height: u16, spot: Spot) {
        self.hits.push((Rect::new(self.corner.x + x, self.corner.y + y, width, height), spot));
    }

    fn place(&self, cell: usize) -> (u16, u16) {
        ((cell % self.view.cols) as u16 * self.pitch.x, (cell / self.view.cols) as u16 * self.pitch.y)
    }

    fn cell_style(&self, at: usize, cell: &Cell) -> Style {
        let style = of_kind(cell.kind);
        let style = if cell.last { style.fg(Color::Yellow).add_modifier(Modifier::BOLD) } else { style };
        self.marked(style, Spot::Cell(at), cell.wrong, cell.play.as_ref())
    }

    fn marked(&self, style: Style, spot: Spot, wrong: bool, play: Option<&String>) -> Style {
        let style =
            if self.extras.is_hinted(play) { style.fg(Color::Black).bg(Color::Yellow) } else { style };
        let style = if wrong { style.fg(Color::White).bg(Color::Red) } else { style };
        let chosen = self.extras.cursor == Some(spot);
        if chosen { style.add_modifier(Modifier::REVERSED | Modifier::BOLD) } else { style }
    }

    fn numbers(&mut self) {
        let view = self.view;
        let lines = self.pitch.y > 1;
        let (inner, high) = (self.pitch.x - 1, self.pitch.y - 1);
        if lines {
            self.grid();
        }
        for (at, cell) in view.cells.iter().enumerate() {
            let (x, y) = self.place(at);
            let style = self.cell_style(at, cell);
            let chosen = self.extras.cursor == Some(Spot::Cell(at));
            let text = match cell.value {
                _ if chosen && !self.extras.typed.is_empty() => format!("{}_", self.extras.typed),
                Some(value) => value.to_string(),
                None if chosen => "_".into(),
                None => String::new(),
            };
            let width = inner as usize;
            if lines {
                (1..=high).for_each(|row| self.put(x + 1, y + row, &" ".repeat(width), style));
                let text = format!("{text:^width$}");
                self.put(x + 1, y + high.div_ceil(2), &text, style);
                self.hit(x, y, self.pitch.x, self.pitch.y, Spot::Cell(at));
            } else {
                let text = if text.is_empty() { "·".into() } else { text };
                self.put(x, y, &format!("{text:>width$}"), style);
                self.hit(x, y, self.pitch.x, 1, Spot::Cell(at));
            }
        }
    }

    /// Lines between cells.
    fn grid(&mut self) {
        let (rows, cols) = (self.view.rows as u16, self.view.cols as u16);
        let frame = of_kind(Kind::Empty);
        let dash = "─".repeat(self.pitch.x as usize - 1);
        for row in 0..=rows {
            let [left, middle, right] = match row {
                0 => ["┌", "┬", "┐"],
                _ if row == rows => ["└", "┴", "┘"],
                _ => ["├", "┼", "┤"],
            };
            let inner = vec![dash.as_str(); cols as usize].join(middle);
            self.put(0, row * self.pitch.y, &format!("{left}{inner}{right}"), frame);
        }
        let high = self.pitch.y;
        for row in (0..rows * high).filter(|row| row % high != 0) {
            (0..=cols).for_each(|col| self.put(col * self.pitch.x, row, "│", frame));
        }
    }

    fn path(&mut self) {
        let view = self.view;
        let wide = self.pitch.x > 2;
        let middle = u16::from(wide);
        for (at, cell) in view.cells.iter().enumerate() {
            let (x, y) = self.place(at);
            let style = self.cell_style(at, cell);
            let text = match (cell.kind, wide) {
                (Kind::Wall, true) => "███",
                (Kind::Wall, false) => "█",
                (Kind::Start, true) => " S ",
                (Kind::Start, false) => "S",
                (Kind::End, true) => " E ",
                (Kind::End, false) => "E",
                (_, true) => " · ",
                (_, false) => "·",
            };
            self.put(x, y, text, style);
            self.hit(x, y, self.pitch.x, self.pitch.y, Spot::Cell(at));
        }
        let wrong = |cell: usize| view.cells[cell].wrong;
        for (step, pair) in view.path.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let colour = if wrong(to) { Color::Red } else { Color::Cyan };
            let style = Style::new().fg(colour).add_modifier(Modifier::BOLD);
            let ((ax, ay), (bx, by)) = (self.place(from), self.place(to));
            if ay == by {
                let length = (self.pitch.x - 1) as usize;
                self.put(ax.min(bx) + middle + 1, ay, &"─".repeat(length), style);
            } else {
                (ay.min(by) + 1..ay.max(by)).for_each(|y| self.put(ax + middle, y, "│", style));
            }
            if step > 0 {
                let before = view.path[step - 1];
                self.put(ax + middle, ay, bend(self.way(before, from), self.way(from, to)), style);
            }
        }
        if let [.., before, last] = view.path[..] {
            let (x, y) = self.place(last);
            let head = ["▲", "▼", "◀", "▶"][self.way(before, last)];
            let style = self.marked(
                Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD),
                Spot::Cell(last),
                wrong(last),
                None,
            );
            self.put(x + middle, y, head, style);
        }
    }

    /// The way from a cell to a neighbour: 0 up, 1 down, 2 left, 3 right.
    fn way(&self, from: usize, to: usize) -> usize {
        match (from / self.view.cols == to / self.view.cols, from < to) {
            (false, false) => 0,
            (false, true) => 1,
            (true, false) => 2,
            (true, true) => 3,
        }
    }

    fn dots(&mut self) {
        let view = self.view;
        for (at, cell) in view.cells.iter().enumerate().filter(|(_, cell)| cell.kind == Kind::Done) {
            let (x, y) = self.place(at);
            let fill = "▒".repeat(self.pitch.x as usize - 1);
            (1..self.pitch.y).for_each(|row| self.put(x + 1, y + row, &fill, of_kind(cell.kind)));
        }
        for (at, arc) in view.arcs.iter().enumerate() {
            self.arc(at, arc);
        }
        for row in 0..=view.rows as u16 {
            for col in 0..=view.cols as u16 {
                self.put(col * self.pitch.x, row * self.pitch.y, "•", Style::new());
            }
        }
    }

    /// Bars as long as their numbers, and what they lie on.
    fn bars(&mut self) {
        let (view, wide) = (self.view, usize::from(self.pitch.x));
        let digits = view.rows.to_string().len();
        for (at, cell) in view.cells.iter().enumerate() {
            let value = usize::from(cell.value.unwrap_or_default());
            let side = "=".repeat(value * (wide - digits - 2) / (2 * view.rows));
            let bar = format!("({side}{value:^digits$}{side})");
            self.put((wide - bar.len()) as u16 / 2, at as u16, &bar, self.cell_style(at, cell));
            self.hit(0, at as u16, self.pitch.x, 1, Spot::Cell(at));
        }
        self.put(0, view.rows as u16, &"─".repeat(wide), of_kind(Kind::Empty));
    }

    fn arc(&mut self, at: usize, arc: &ArcView) {
        let (x, y) = (arc.col as u16 * self.pitch.x, arc.row as u16 * self.pitch.y);
        let style = of_kind(arc.kind);
        let style = if arc.last { style.fg(Color::Yellow).add_modifier(Modifier::BOLD) } else { style };
        let style = self.marked(style, Spot::Arc(at), arc.wrong, Some(&arc.play));
        let drawn = arc.kind != Kind::Empty;
        if arc.horizontal {
            let length = self.pitch.x - 1;
            self.put(x + 1, y, &(if drawn { "━" } else { " " }).repeat(length as usize), style);
            self.hit(x + 1, y, length, 1, Spot::Arc(at));
        } else {
            (1..self.pitch.y).for_each(|row| self.put(x, y + row, if drawn { "┃" } else { " " }, style));
            self.hit(x, y + 1, 1, self.pitch.y - 1, Spot::Arc(at));
        }
    }
}

fn bend(into: usize, out: usize) -> &'static str {
    match (into, out) {
        (0 | 1, 0 | 1) => "│",
        (2 | 3, 2 | 3) => "─",
        (0, 3) | (2, 1) => "╭",
        (0, 2) | (3, 1) => "╮",
        (1, 3) | (2, 0) => "╰",
        _ => "╯",
    }
}

fn of_kind(kind: Kind) -> Style {
    match kind {
        Kind::Empty => Style::new().fg(Color::DarkGray),
        Kind::Given => Style::new().add_modifier(Modifier::BOLD),
        Kind::Placed | Kind::Walked => Style::new().fg(Color::Cyan),
        Kind::Done => Style::new().fg(Color::Green),
        Kind::Wall => Style::new().fg(Color::Gray),
        Kind::Start | Kind::End => Style::new().fg(Color::Magenta).add_modifier(Modifier::BOLD),
    }
}
