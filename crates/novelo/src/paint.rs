//! Pictures in a terminal.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Color, Style as Look};
use novelo_puzzles::{Instance, Picture, Style, input};

/// The board after moves, by way of the verifier: drawing every board on the way to a deep state would take long.
pub fn position(instance: &dyn Instance, moves: &[String]) -> Option<Picture> {
    let id = instance.check(moves).end;
    let (puzzle, body) = input::as_id(&id)?;
    puzzle.parse_id(body, None).ok()?.pictures(&[]).pop()
}

/// A picture, some columns from the left.
pub fn indented(picture: &Picture, columns: usize) -> String {
    let mut out = String::new();
    for line in &picture.lines {
        let _ = write!(out, "{:columns$}", "");
        out.extend(line.iter().map(|(style, piece)| format!("{0}{piece}{0:#}", look(*style))));
        out.push('\n');
    }
    out
}

fn look(style: Style) -> Look {
    let colour = |colour: AnsiColor| Look::new().fg_color(Some(Color::Ansi(colour)));
    match style {
        Style::Plain => Look::new(),
        Style::Frame | Style::Empty => colour(AnsiColor::BrightBlack),
        Style::Given => Look::new().bold(),
        Style::Moved => colour(AnsiColor::Yellow).bold(),
        Style::Done => colour(AnsiColor::Green),
        Style::Path => colour(AnsiColor::Cyan),
        Style::Mark => colour(AnsiColor::Magenta).bold(),
    }
}

fn width(picture: &Picture) -> usize {
    let cells = |line: &Vec<(Style, String)>| line.iter().map(|(_, text)| text.chars().count()).sum();
    picture.lines.iter().map(cells).max().unwrap_or(0)
}

/// Pictures side by side, as many in a row as a width holds, each under its
/// caption. Styles are escape codes; where they are not wanted, the stream
/// that this is written to strips them.
pub fn gallery(pictures: &[Picture], captions: &[String], total_width: usize) -> String {
    const GAP: usize = 3;
    let widest_caption = captions.iter().map(|caption| caption.chars().count()).max().unwrap_or(0);
    let column = pictures.iter().map(width).max().unwrap_or(0).max(widest_caption);
    let per_row = ((total_width + GAP) / (column + GAP)).max(1);
    let mut out = String::new();
    for (row, captions) in pictures.chunks(per_row).zip(captions.chunks(per_row)) {
        let titles: Vec<_> = captions.iter().map(|caption| format!("{caption:column$}")).collect();
        let _ = writeln!(out, "{}", titles.join(&" ".repeat(GAP)).trim_end());
        let height = row.iter().map(|picture| picture.lines.len()).max().unwrap_or(0);
        for line in 0..height {
            let mut text = String::new();
            for (i, picture) in row.iter().enumerate() {
                let mut used = 0;
                for (style, piece) in picture.lines.get(line).into_iter().flatten() {
                    let look = look(*style);
                    let _ = write!(text, "{look}{piece}{look:#}");
                    used += piece.chars().count();
                }
                if i + 1 < row.len() {
                    text.push_str(&" ".repeat(column - used + GAP));
                }
            }
            let _ = writeln!(out, "{}", text.trim_end());
        }
        out.push('\n');
    }
    out
}
