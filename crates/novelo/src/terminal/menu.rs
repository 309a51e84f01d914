//! The menu: which puzzle, how hard.

use novelo_puzzles::{GenerateRequest, PUZZLES, Puzzle};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::cursor::Arrow;
use crate::keep::Keep;

/// How hard a game may be.
pub const LEVELS: [&str; 3] = ["easy", "normal", "hard"];

/// A menu with something chosen.
pub struct Menu {
    puzzle: usize,
    level: usize,
    /// Puzzles with a game to go on with.
    unfinished: Vec<&'static str>,
    message: String,
}

impl Menu {
    pub fn open(keep: &Keep) -> Self {
        let (unfinished, troubles) = keep.all_unfinished();
        Self { puzzle: 0, level: 1, unfinished, message: troubles.join("\n") }
    }

    /// With a puzzle chosen.
    pub fn at(mut self, puzzle: &dyn Puzzle) -> Self {
        let known = PUZZLES.iter().position(|it| it.info().name == puzzle.info().name);
        self.puzzle = known.unwrap_or(self.puzzle);
        self
    }

    /// Tells something.
    pub fn say(&mut self, message: String) {
        self.message = message;
    }

    pub fn arrow(&mut self, arrow: Arrow) {
        match arrow {
            Arrow::Up => self.puzzle = (self.puzzle + PUZZLES.len() - 1) % PUZZLES.len(),
            Arrow::Down => self.puzzle = (self.puzzle + 1) % PUZZLES.len(),
            Arrow::Left => self.level = self.level.saturating_sub(1),
            Arrow::Right => self.level = (self.level + 1).min(LEVELS.len() - 1),
        }
    }

    /// The puzzle chosen.
    pub fn puzzle(&self) -> &'static dyn Puzzle {
        PUZZLES[self.puzzle]
    }

    /// What is to be made of it.
    pub fn request(&self, seed: u64) -> GenerateRequest {
        GenerateRequest { seed, difficulty: Some(LEVELS[self.level].into()), ..GenerateRequest::default() }
    }

    pub fn draw(&self, frame: &mut Frame<'_>) {
        let [_, middle, _] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Max(64), Constraint::Fill(1)])
                .areas(frame.area());
        let faint = Style::new().fg(Color::DarkGray);
        let chosen = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
        let mut lines = vec![
            Line::default(),
            Line::styled("novelo", Style::new().add_modifier(Modifier::BOLD)),
            Line::styled("the ball of thread", faint),
            Line::default(),
        ];
        for (number, puzzle) in PUZZLES.iter().enumerate() {
            let info = puzzle.info();
            let going =
                if self.unfinished.contains(&info.name) { "   c continues the last game" } else { "" };
            lines.push(if number == self.puzzle {
                Line::styled(format!("▸ {}   ◂ {} ▸{going}", info.title, LEVELS[self.level]), chosen)
            } else {
                Line::from(format!("  {}", info.title))
            });
        }
        lines.extend([
            Line::default(),
            Line::from(self.puzzle().info().about),
            Line::default(),
            Line::styled("↑ ↓ puzzle   ← → how hard   Enter play   q quit", faint),
            Line::default(),
        ]);
        lines.extend(self.message.lines().map(|line| Line::styled(line, Style::new().fg(Color::Red))));
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), middle);
    }
}
