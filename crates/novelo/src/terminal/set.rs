//! The boards of a file, to choose one.

use std::sync::Arc;

use novelo_puzzles::{Instance, Named};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::cursor::Arrow;
use super::panel;

/// Boards with names, one of which is chosen.
pub struct Set {
    file: String,
    boards: Vec<(String, Arc<dyn Instance>)>,
    at: usize,
}

impl Set {
    /// The boards of a file; there is one at least.
    pub fn new(file: &str, boards: Vec<Named>) -> Self {
        let named =
            |Named { name, instance }: Named| (name.unwrap_or_else(|| instance.id()), Arc::from(instance));
        Self { file: file.into(), boards: boards.into_iter().map(named).collect(), at: 0 }
    }

    /// The board chosen.
    pub fn chosen(&self) -> Arc<dyn Instance> {
        self.boards[self.at].1.clone()
    }

    pub fn arrow(&mut self, arrow: Arrow) {
        let count = self.boards.len();
        self.at = match arrow {
            Arrow::Up | Arrow::Left => (self.at + count - 1) % count,
            Arrow::Down | Arrow::Right => (self.at + 1) % count,
        };
    }

    /// Names at the left, the board chosen at the right.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let rows = Layout::vertical([Constraint::Length(2), Constraint::Fill(1), Constraint::Length(1)]);
        let [title, body, keys] = rows.areas(frame.area());
        let [names, board] =
            Layout::horizontal([Constraint::Percentage(45), Constraint::Fill(1)]).areas(body);
        let heading = format!(" {}: {} boards", self.file, self.boards.len());
        frame.render_widget(Line::styled(heading, Style::new().add_modifier(Modifier::BOLD)), title);
        // The chosen one stays in sight.
        let height = usize::from(names.height).max(1);
        let first = self.at.saturating_sub(height / 2).min(self.boards.len().saturating_sub(height));
        let lines = self.boards.iter().enumerate().skip(first).take(height).map(|(i, (name, _))| {
            if i == self.at {
                let look = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
                Line::styled(format!(" ▸ {name}"), look)
            } else {
                Line::from(format!("   {name}"))
            }
        });
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), names);
        panel::preview(&self.chosen().game().view(), board, frame);
        let line = " ↑ ↓ board   Enter play   m menu   q quit";
        frame.render_widget(Line::styled(line, Style::new().fg(Color::DarkGray)), keys);
    }
}
