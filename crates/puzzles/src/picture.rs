//! Boards as styled text, for any interface to draw.

/// What a piece of a picture means; an interface chooses the looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Nothing special.
    Plain,
    /// Frame and grid.
    Frame,
    /// Given from the start and fixed.
    Given,
    /// What the last move changed.
    Moved,
    /// In its place, done.
    Done,
    /// Open, empty.
    Empty,
    /// A way walked, a line drawn.
    Path,
    /// Start and end.
    Mark,
}

/// A board as lines of styled pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    /// The lines, top to bottom.
    pub lines: Vec<Vec<(Style, String)>>,
}

impl Picture {
    /// The picture without styles.
    pub fn plain(&self) -> String {
        let line = |line: &Vec<(Style, String)>| {
            let text: String = line.iter().map(|(_, text)| text.as_str()).collect();
            text.trim_end().to_owned()
        };
        self.lines.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
