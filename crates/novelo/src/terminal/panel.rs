//! The screen of a game: board, figures, message, keys.

use novelo_puzzles::session::{Snapshot, Status, View};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use super::board::{self, Extras};
use super::table::Table;
use super::words;

const PANEL: u16 = 22;

/// What the keys do, for the help and the last line.
const KEYS: [(&str, &str); 15] = [
    ("arrows", "move, or choose a place"),
    ("digits, Enter", "write a number, slide, flip"),
    ("Enter, space", "draw the arc, flip to the place"),
    ("Backspace", "take a number back"),
    ("mouse", "touch tile, cell, arc, pancake"),
    ("u  r", "undo, redo"),
    ("x", "restart"),
    ("h", "hint, at 20 points"),
    ("c", "check, free: mark what is wrong"),
    ("l", "tell at once when it is lost"),
    ("s", "solve: space holds, + - pace"),
    ("p", "pause"),
    ("n  m", "new game, menu"),
    ("?", "this help"),
    ("q, Esc", "quit: the game is kept"),
];

/// Draws a game.
pub fn draw(table: &mut Table, help: bool, frame: &mut Frame<'_>) {
    let width = usize::from(frame.area().width.saturating_sub(2)).max(1);
    let told = textwrap::fill(&table.message, width);
    let rows = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(told.lines().count().max(1) as u16),
        Constraint::Length(1),
    ]);
    let [title, body, message, keys] = rows.areas(frame.area());
    let [middle, side] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(PANEL)]).areas(body);
    let snapshot = table.session.snapshot();
    frame.render_widget(heading(table, &snapshot), title);
    let lines = figures(table, &snapshot);
    let [side, below] =
        Layout::vertical([Constraint::Length(lines.len() as u16), Constraint::Fill(1)]).areas(side);
    frame.render_widget(Paragraph::new(lines), side);
    if let Some(goal) = &table.goal {
        draw_goal(goal, below, frame);
    }
    if let Err(room) = board(table, &snapshot, middle, frame) {
        let (now, width, height) = (frame.area(), room.width + PANEL, room.height + 4);
        let text = format!(
            "This board needs more room: {width} columns and {height} rows. This terminal has {} and {}.",
            now.width, now.height
        );
        frame.render_widget(Clear, body);
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), body);
    }
    let style = match snapshot.status {
        Status::Won => Style::new().fg(Color::Green).add_modifier(Modifier::BOLD),
        Status::Lost { .. } => Style::new().fg(Color::Red),
        Status::Playing => Style::new().fg(Color::Yellow),
    };
    let told: Vec<_> = told.lines().map(|line| Line::styled(format!(" {line}"), style)).collect();
    frame.render_widget(Paragraph::new(told), message);
    let line = " u undo  r redo  h hint  c check  s solve  n new  m menu  ? help  q quit";
    frame.render_widget(Line::styled(line, Style::new().fg(Color::DarkGray)), keys);
    if help {
        show_help(frame);
    }
}

fn heading(table: &Table, snapshot: &Snapshot) -> Line<'static> {
    let title = table.session.instance().puzzle().info().title;
    Line::from(vec![
        Span::styled(format!(" {title} {}", table.size()), Style::new().add_modifier(Modifier::BOLD)),
        Span::styled(format!("  {}", snapshot.instance), Style::new().fg(Color::DarkGray)),
    ])
}

/// Draws the board and the line under it; the error is the room that the board would need.
fn board(
    table: &mut Table,
    snapshot: &Snapshot,
    area: Rect,
    frame: &mut Frame<'_>,
) -> Result<(), ratatui::layout::Size> {
    table.hits.clear();
    let Some(view) = &snapshot.view else {
        centred("Paused.\np goes on.", area, frame);
        return Ok(());
    };
    let [area, note] = Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
    let extras = Extras { cursor: table.cursor, typed: &table.typed, hint: table.hint.as_deref() };
    table.hits = board::draw(view, extras, area, frame.buffer_mut())?;
    let under = if !table.typed.is_empty() && !view.takes_numbers() {
        format!("{}_", table.typed)
    } else {
        view.note.clone()
    };
    frame.render_widget(Paragraph::new(under).alignment(Alignment::Center), note);
    Ok(())
}

fn centred(text: &str, area: Rect, frame: &mut Frame<'_>) {
    let height = text.lines().count() as u16;
    let [_, area, _] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(height), Constraint::Fill(1)]).areas(area);
    frame.render_widget(Paragraph::new(text).alignment(Alignment::Center), area);
}

/// A board that is only looked at, where there is room for it.
pub fn preview(view: &View, area: Rect, frame: &mut Frame<'_>) {
    let _ = board::draw(view, Extras::default(), area, frame.buffer_mut());
}

/// The goal, where there is room for it.
fn draw_goal(goal: &View, area: Rect, frame: &mut Frame<'_>) {
    let [_, name, area] =
        Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    // Small: the board is what is looked at.
    let area = Rect { height: area.height.min(2 * goal.rows as u16 + 1), ..area };
    if board::draw(goal, Extras::default(), area, frame.buffer_mut()).is_ok() {
        frame.render_widget(Paragraph::new("the goal").alignment(Alignment::Center), name);
    }
}

fn figures(table: &Table, snapshot: &Snapshot) -> Vec<Line<'static>> {
    let figure = |name: &str, value: String| Line::from(format!("{name:>9}  {value}"));
    let mut lines = vec![
        Line::default(),
        figure("time", words::clock(snapshot.seconds)),
        figure("moves", snapshot.moves.to_string()),
        figure("cost", snapshot.cost.to_string()),
        figure("done", format!("{} of {}", snapshot.progress.done, snapshot.progress.total)),
        figure("hints", snapshot.hints.to_string()),
        figure("score", snapshot.score.map_or("gave up".into(), |score| score.to_string())),
    ];
    if let Some(best) = table.best {
        lines.push(figure("best", best.to_string()));
    }
    // It stays, whatever else is told.
    if table.lost {
        lines.push(figure("lost", "u undoes".into()).fg(Color::Red));
    }
    if snapshot.status == Status::Won {
        lines.push(Line::default());
        lines.push(figure("yours", snapshot.cost.to_string()));
        lines.push(match table.par {
            Some(par) if par.proved => figure("par", par.cost.to_string()),
            Some(par) => figure("best known", par.cost.to_string()),
            None => figure("par", "…".into()),
        });
        lines.push(Line::default());
        lines.push(figure("n", "new game".into()));
    }
    lines
}

fn show_help(frame: &mut Frame<'_>) {
    let lines: Vec<Line<'_>> =
        KEYS.iter().map(|(key, does)| Line::from(format!(" {key:>13}  {does}"))).collect();
    let area = frame.area().centered(Constraint::Length(50), Constraint::Length(lines.len() as u16 + 2));
    frame.render_widget(Clear, area);
    let block = Block::bordered().title(" Keys ");
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), area);
}
