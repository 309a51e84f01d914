//! `novelo watch`: a search as it goes, then its solution.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::HumanCount;
use novelo_puzzles::{Attempt, Instance, Picture, Request, RequestError, Style as Mark, input};
use novelo_search::{Answer, Frontier, Progress};
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Sparkline, Wrap};

use super::job::{Job, State};
use super::screen::Screen;
use super::words;
use crate::interrupt;
use crate::user_error::UserError;

const FRAME: Duration = Duration::from_millis(50);

/// What was last seen of a search.
#[derive(Default)]
struct Seen {
    progress: Option<Progress>,
    moves: Vec<String>,
    /// Expansions a second, look by look.
    rates: Vec<u64>,
}

impl Seen {
    fn look(&mut self, progress: &Progress, moves: &[String]) {
        let before = self.progress.map_or((0, Duration::ZERO), |p| (p.expanded, p.elapsed));
        let time = (progress.elapsed.saturating_sub(before.1)).as_secs_f64();
        if time > 0.0 {
            self.rates.push((progress.expanded.saturating_sub(before.0) as f64 / time) as u64);
        }
        self.progress = Some(*progress);
        self.moves = moves.to_vec();
    }
}

struct WatchScreen {
    instance: Arc<dyn Instance>,
    title: String,
    seen: Arc<Mutex<Seen>>,
    job: Option<Job<Result<Attempt, RequestError>>>,
    /// What came of it, in words.
    end: String,
    solution: Vec<Picture>,
    /// Which picture of the solution is shown.
    at: usize,
    held: bool,
    pace: Duration,
    next: Instant,
}

/// Shows a search until the user leaves.
pub fn watch(instance: Arc<dyn Instance>, request: Request) -> Result<(), UserError> {
    let mut screen = Screen::open()?;
    let seen = Arc::new(Mutex::new(Seen::default()));
    let title = format!("{} on {}", request.algorithm, instance.id());
    let (watched, shared) = (instance.clone(), seen.clone());
    let job = Job::start(move |cancel| {
        novelo_puzzles::watch::watch(&*watched, &request, cancel, |progress, moves| {
            shared.lock().unwrap_or_else(PoisonError::into_inner).look(progress, moves);
        })
    });
    let mut watch = WatchScreen {
        instance,
        title,
        seen,
        job: Some(job),
        end: String::new(),
        solution: Vec::new(),
        at: 0,
        held: false,
        pace: Duration::from_millis(250),
        next: Instant::now(),
    };
    while !interrupt::requested() {
        watch.tick()?;
        screen.draw(|frame| watch.draw(frame))?;
        if let Some(Event::Key(key)) = Screen::event(FRAME)?
            && key.kind != KeyEventKind::Release
        {
            let control = key.modifiers.contains(KeyModifiers::CONTROL);
            if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) || control {
                break;
            }
            watch.key(key.code);
        }
    }
    Ok(())
}

impl WatchScreen {
    fn key(&mut self, code: KeyCode) {
        let last = self.solution.len().saturating_sub(1);
        match code {
            KeyCode::Char(' ') => self.held = !self.held,
            KeyCode::Char('+' | '=') => self.pace = (self.pace / 2).max(Duration::from_millis(8)),
            KeyCode::Char('-') => self.pace = (self.pace * 2).min(Duration::from_secs(2)),
            KeyCode::Left => (self.at, self.held) = (self.at.saturating_sub(1), true),
            KeyCode::Right => (self.at, self.held) = ((self.at + 1).min(last), true),
            KeyCode::Home => self.at = 0,
            _ => {}
        }
    }

    fn tick(&mut self) -> Result<(), UserError> {
        match self.job.as_ref().map(Job::state) {
            None => {
                if !self.held && self.next <= Instant::now() && self.at + 1 < self.solution.len() {
                    self.at += 1;
                    self.next = Instant::now() + self.pace;
                }
            }
            Some(State::Working) => {}
            Some(State::Failed) => return Err(UserError::new("the search has failed")),
            Some(State::Done(attempt)) => {
                self.job = None;
                self.ended(&attempt?);
            }
        }
        Ok(())
    }

    fn ended(&mut self, attempt: &Attempt) {
        let stats = &attempt.outcome.stats;
        let counts = format!(
            "{} expanded, {} generated, {} held at most, {:.2?}",
            HumanCount(stats.expanded),
            HumanCount(stats.generated),
            HumanCount(stats.stored_peak),
            stats.elapsed
        );
        self.end = match &attempt.outcome.answer {
            Answer::Solved(solution) => {
                self.solution = self.instance.pictures(&solution.path);
                let proof = if solution.optimal { "optimal, proved" } else { "not proved optimal" };
                format!(
                    "Solved at cost {} in {} moves ({proof}): {counts}",
                    solution.cost,
                    solution.path.len()
                )
            }
            Answer::Unsolvable => format!("There is no solution, proved: {counts}"),
            Answer::Stopped(stop) => format!("Stopped by {}: {counts}", stop.name()),
        };
        self.next = Instant::now() + self.pace;
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let rows = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(5),
            Constraint::Length(2),
            Constraint::Length(1),
        ]);
        let [title, body, rate, end, keys] = rows.areas(frame.area());
        let [board, side] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(30)]).areas(body);
        let bold = Style::new().add_modifier(Modifier::BOLD);
        frame.render_widget(Line::styled(format!(" {}", self.title), bold), title);
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match self.solution.get(self.at) {
            Some(picture) => draw_picture(picture, board, frame),
            None => {
                if let Some(picture) = self.position(&seen.moves) {
                    draw_picture(&picture, board, frame);
                }
            }
        }
        frame.render_widget(Paragraph::new(self.figures(&seen)), side);
        let width = rate.width.saturating_sub(2) as usize;
        let rates = &seen.rates[seen.rates.len().saturating_sub(width)..];
        // A search may be over before its rate is known.
        let now = seen.rates.last().map_or(String::new(), |&now| format!(" {}", HumanCount(now)));
        let block = Block::bordered().title(format!("{now} expansions a second "));
        frame.render_widget(
            Sparkline::default().data(rates).style(Style::new().fg(Color::Cyan)).block(block),
            rate,
        );
        let doing = if self.job.is_some() { "Searching …" } else { &self.end };
        frame.render_widget(Paragraph::new(format!(" {doing}")).wrap(Wrap { trim: false }), end);
        let line = " space hold  ← → step  + - pace  Home again  q quit";
        frame.render_widget(Line::styled(line, Style::new().fg(Color::DarkGray)), keys);
    }

    /// The board after moves, by way of the verifier: drawing every board on
    /// the way to a deep state would take long.
    fn position(&self, moves: &[String]) -> Option<Picture> {
        let id = self.instance.check(moves).end;
        let (puzzle, body) = input::as_id(&id)?;
        puzzle.parse_id(body, None).ok()?.pictures(&[]).pop()
    }

    fn figures(&self, seen: &Seen) -> Vec<Line<'static>> {
        let figure = |name: &str, value: String| Line::from(format!("{name:>10}  {value}"));
        let mut lines = vec![Line::default()];
        if let Some(progress) = seen.progress {
            let frontier = match progress.frontier {
                Frontier::Depth(depth) => figure("reached", format!("depth {depth}")),
                Frontier::Bound(bound) => figure("bound", bound.to_string()),
                Frontier::Cost(cost) => figure("g", cost.to_string()),
                Frontier::F(f) => figure("f", format!("{f}")),
                Frontier::Share(share) => figure("tables", format!("{:.0} %", 100.0 * share)),
            };
            lines.extend([
                figure("time", words::clock(progress.elapsed.as_secs())),
                figure("expanded", HumanCount(progress.expanded).to_string()),
                figure("generated", HumanCount(progress.generated).to_string()),
                frontier,
                figure("depth", seen.moves.len().to_string()),
            ]);
            // Those that keep every node hold the expanded ones and the frontier.
            match progress.stored.checked_sub(progress.expanded) {
                Some(open) => lines.extend([
                    figure("frontier", HumanCount(open).to_string()),
                    figure("closed", HumanCount(progress.expanded).to_string()),
                ]),
                None => lines.push(figure("path", HumanCount(progress.stored).to_string())),
            }
            lines.push(figure("memory", bytesize::ByteSize(progress.bytes as u64).to_string()));
        }
        if !self.solution.is_empty() {
            lines.extend([
                Line::default(),
                figure("move", format!("{} of {}", self.at, self.solution.len() - 1)),
            ]);
        }
        lines
    }
}

fn draw_picture(picture: &Picture, area: Rect, frame: &mut Frame<'_>) {
    let span = |(mark, text): &(Mark, String)| Span::styled(text.clone(), look(*mark));
    let lines: Vec<Line<'_>> = picture.lines.iter().map(|line| line.iter().map(span).collect()).collect();
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16;
    let area = area.centered(Constraint::Length(width), Constraint::Length(lines.len() as u16));
    frame.render_widget(Paragraph::new(lines), area);
}

fn look(mark: Mark) -> Style {
    match mark {
        Mark::Plain => Style::new(),
        Mark::Frame | Mark::Empty => Style::new().fg(Color::DarkGray),
        Mark::Given => Style::new().add_modifier(Modifier::BOLD),
        Mark::Moved => Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD),
        Mark::Done => Style::new().fg(Color::Green),
        Mark::Path => Style::new().fg(Color::Cyan),
        Mark::Mark => Style::new().fg(Color::Magenta).add_modifier(Modifier::BOLD),
    }
}
