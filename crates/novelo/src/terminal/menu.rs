//! The menu: which puzzle, how large and how hard; a board of a file; the best scores.

use novelo_puzzles::{DIFFICULTIES, GenerateRequest, PUZZLES, Puzzle};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::cursor::Arrow;
use crate::keep::Keep;

/// A menu with something chosen.
pub struct Menu {
    puzzle: usize,
    level: usize,
    /// The place of the size among those the puzzle has.
    size: usize,
    /// Puzzles with a game to go on with.
    unfinished: Vec<&'static str>,
    /// Whether the best scores are shown.
    scores: bool,
    /// The name of a file, while it is typed.
    file: Option<String>,
    message: String,
}

impl Menu {
    pub fn open(keep: &Keep) -> Self {
        let (unfinished, troubles) = keep.all_unfinished();
        let message = troubles.join("\n");
        Self { puzzle: 0, level: 1, size: 0, unfinished, scores: false, file: None, message }
    }

    /// With a puzzle chosen.
    pub fn at(mut self, puzzle: &dyn Puzzle) -> Self {
        let known = PUZZLES.iter().position(|it| it.info().name == puzzle.info().name);
        self.choose(known.unwrap_or(self.puzzle));
        self
    }

    /// Tells something.
    pub fn say(&mut self, message: String) {
        self.message = message;
    }

    pub fn arrow(&mut self, arrow: Arrow) {
        match arrow {
            Arrow::Up => self.choose((self.puzzle + PUZZLES.len() - 1) % PUZZLES.len()),
            Arrow::Down => self.choose((self.puzzle + 1) % PUZZLES.len()),
            Arrow::Left => self.level = self.level.saturating_sub(1),
            Arrow::Right => self.level = (self.level + 1).min(DIFFICULTIES.len() - 1),
        }
    }

    fn choose(&mut self, puzzle: usize) {
        (self.puzzle, self.size) = (puzzle, 0);
    }

    /// A larger board, or a smaller one.
    pub fn change_size(&mut self, larger: bool) {
        let most = self.puzzle().info().sizes.len() - 1;
        self.size = if larger { (self.size + 1).min(most) } else { self.size.saturating_sub(1) };
    }

    /// Shows the best scores, or hides them.
    pub fn change_scores(&mut self) {
        self.scores = !self.scores;
    }

    /// Begins to ask for the name of a file.
    pub fn ask_for_file(&mut self) {
        self.file = Some(String::new());
        self.message.clear();
    }

    /// Whether the name of a file is being typed.
    pub fn asks_for_file(&self) -> bool {
        self.file.is_some()
    }

    /// A key of the name of a file; the name, once it is whole.
    pub fn typed(&mut self, code: KeyCode) -> Option<String> {
        let file = self.file.as_mut()?;
        match code {
            KeyCode::Char(letter) => file.push(letter),
            KeyCode::Backspace => drop(file.pop()),
            KeyCode::Esc => self.file = None,
            KeyCode::Enter => return self.file.take().filter(|file| !file.trim().is_empty()),
            _ => {}
        }
        None
    }

    fn size(&self) -> &'static str {
        self.puzzle().info().sizes[self.size]
    }

    /// The puzzle chosen.
    pub fn puzzle(&self) -> &'static dyn Puzzle {
        PUZZLES[self.puzzle]
    }

    /// What is to be made of it.
    pub fn request(&self, seed: u64) -> GenerateRequest {
        let difficulty = Some(DIFFICULTIES[self.level].into());
        GenerateRequest { size: self.size().parse().ok(), seed, difficulty, ..GenerateRequest::default() }
    }

    pub fn draw(&self, keep: &Keep, frame: &mut Frame<'_>) {
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
            lines.push(if number == self.puzzle {
                let (level, size) = (DIFFICULTIES[self.level], self.size());
                Line::styled(format!("▸ {}   ◂ {level} ▸   - {size} +", info.title), chosen)
            } else {
                Line::from(format!("  {}", info.title))
            });
        }
        lines.push(Line::default());
        if self.scores {
            lines.extend(self.best(keep));
        } else {
            lines.push(Line::from(self.puzzle().info().about));
        }
        let goes_on = self.unfinished.contains(&self.puzzle().info().name);
        let going = if goes_on { "c continues the last game" } else { "" };
        lines.extend([
            Line::default(),
            Line::styled("↑ ↓ puzzle   ← → how hard   + - size   Enter play", faint),
            Line::styled("f a board of a file   b best scores   q quit", faint),
            Line::styled(going, faint),
            Line::default(),
        ]);
        if let Some(file) = &self.file {
            lines.push(Line::styled(format!("File: {file}_   (Enter reads it, Esc leaves it)"), chosen));
        }
        lines.extend(self.message.lines().map(|line| Line::styled(line, Style::new().fg(Color::Red))));
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), middle);
    }

    /// The best scores of the puzzle chosen, by size and difficulty.
    fn best(&self, keep: &Keep) -> Vec<Line<'static>> {
        let name = self.puzzle().info().name;
        let (table, _) = keep.scores();
        let mut lines = vec![Line::from("Best scores: seconds, and 20 for each hint")];
        let kinds = table.iter().filter(|(kind, _)| kind.split(' ').next() == Some(name));
        for (kind, scores) in kinds {
            let kind = kind.split_once(' ').map_or("", |(_, kind)| kind);
            for score in scores.iter().take(3) {
                let player = score.name.as_deref().unwrap_or("–");
                let hints = if score.hints == 0 { String::new() } else { format!(", {} hints", score.hints) };
                lines.push(Line::from(format!("  {kind:<14} {:>6}  {player}{hints}", score.score)));
            }
        }
        if lines.len() == 1 {
            lines.push(Line::from("  none yet"));
        }
        lines
    }
}
