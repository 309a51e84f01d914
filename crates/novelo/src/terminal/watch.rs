//! `novelo watch`: a search as it goes, then its solution.

use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::HumanCount;
use novelo_puzzles::{Attempt, Choice, Instance, Picture, Request, RequestError, Style as Mark};
use novelo_search::{Answer, Control, Frontier, Meter, Progress, Side};
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Sparkline, Wrap};

use super::job::{Job, State};
use super::pace::{Look, Pace, Paced};
use super::screen::Screen;
use crate::interrupt;
use crate::paint;
use crate::user_error::UserError;

const FRAME: Duration = Duration::from_millis(50);
/// How often the rate is measured.
const SAMPLE: Duration = Duration::from_millis(250);
const SAMPLES_A_SECOND: usize = 4;

struct WatchScreen {
    instance: Arc<dyn Instance>,
    asked: Choice,
    paced: Arc<Paced>,
    job: Option<Job<Result<Attempt, RequestError>>>,
    /// Expansions a second, and how many there were when.
    rates: Vec<u64>,
    measured: (u64, Instant),
    /// What ran, once that is known for certain.
    method: Option<String>,
    /// What came of it, in words.
    end: String,
    solution: Vec<Picture>,
    /// Which picture of the solution is shown.
    at: usize,
    held: bool,
    pace: Duration,
    next: Instant,
}

/// How a search is watched.
#[derive(Debug, Clone, Copy)]
pub struct Watching {
    /// Whether it is held before its first node.
    pub held: bool,
    /// Its pace; one that grows by itself if absent.
    pub pace: Option<Pace>,
}

/// Shows a search until the user leaves.
pub fn watch(instance: Arc<dyn Instance>, request: Request, watching: Watching) -> Result<(), UserError> {
    let mut screen = Screen::open("watch a search", "`novelo trace` tells of one step by step, as text")?;
    let paced = Arc::new(Paced::new(watching.held, watching.pace));
    let asked = request.algorithm;
    let (watched, shared) = (instance.clone(), paced.clone());
    let job = Job::start(move |cancel| {
        let listener = |progress: &Progress| shared.progress(progress);
        let control = Control { cancel: Some(cancel), progress: Some(Box::new(listener)) };
        let meter = Meter::new(request.settings.limits, control);
        let mut watcher = shared.watcher(cancel);
        let attempt = watched.run(&request, &meter, Some(&mut watcher));
        watcher.end();
        attempt
    });
    let mut watch = WatchScreen {
        instance,
        asked,
        paced,
        job: Some(job),
        rates: Vec::new(),
        measured: (0, Instant::now()),
        method: None,
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
            if watch.job.is_some() { watch.search_key(key.code) } else { watch.solution_key(key.code) }
        }
    }
    Ok(())
}

impl WatchScreen {
    /// A key while the search goes on.
    fn search_key(&self, code: KeyCode) {
        match code {
            KeyCode::Char(' ') => self.paced.hold(self.paced.pace().is_some()),
            KeyCode::Right => self.paced.step(),
            KeyCode::Char('+' | '=') => self.paced.change_pace(true),
            KeyCode::Char('-') => self.paced.change_pace(false),
            KeyCode::Char('f') => self.paced.full_speed(),
            _ => {}
        }
    }

    /// A key while the solution is shown.
    fn solution_key(&mut self, code: KeyCode) {
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
            Some(State::Working) => self.measure(),
            Some(State::Failed) => return Err(UserError::new("the search has failed")),
            Some(State::Done(attempt)) => {
                self.job = None;
                self.ended(&attempt?);
            }
        }
        Ok(())
    }

    /// How many expansions there were since the last time.
    fn measure(&mut self) {
        let (before, at) = self.measured;
        let time = at.elapsed();
        if time >= SAMPLE {
            let look = self.paced.look();
            let now = look.expanded.max(look.progress.map_or(0, |progress| progress.expanded));
            self.rates.push((now.saturating_sub(before) as f64 / time.as_secs_f64()).round() as u64);
            self.measured = (now, Instant::now());
        }
    }

    fn ended(&mut self, attempt: &Attempt) {
        let guided = attempt.heuristic.as_ref().map(|name| format!(" with {name}")).unwrap_or_default();
        self.method = Some(format!("{}{guided}", attempt.method));
        let stats = &attempt.outcome.stats;
        let counts = format!(
            "{} expanded, {} generated, {} held at most",
            HumanCount(stats.expanded),
            HumanCount(stats.generated),
            HumanCount(stats.stored_peak),
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
        if self.paced.look().method.is_none() && attempt.searched {
            let _ = std::fmt::Write::write_str(
                &mut self.end,
                ". This method goes through no states that could be shown: --algorithm astar does.",
            );
        }
        // Who held the search looks at the solution move by move as well.
        self.held = self.paced.pace().is_none();
        self.next = Instant::now() + self.pace;
    }

    fn title(&self, look: &Look) -> String {
        let running = look.method.as_ref().map(|(algorithm, heuristic)| {
            let guided = heuristic.as_ref().map(|name| format!(" with {name}")).unwrap_or_default();
            format!("{algorithm}{guided}")
        });
        let method = match (self.method.clone().or(running), self.asked) {
            (None, asked) => asked.to_string(),
            (Some(method), Choice::Auto) => format!("auto: {method}"),
            (Some(method), Choice::Method(_)) => method,
        };
        format!(" {method} on {}", self.instance.id())
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let rows = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(4),
            Constraint::Length(2),
            Constraint::Length(1),
        ]);
        let [title, body, rate, end, keys] = rows.areas(frame.area());
        let [board, side] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(38)]).areas(body);
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let look = self.paced.look();
        frame.render_widget(Line::styled(self.title(&look), bold), title);
        self.draw_board(&look, board, frame);
        frame.render_widget(Paragraph::new(self.figures(&look)), side);
        let width = rate.width.saturating_sub(2) as usize;
        let rates = &self.rates[self.rates.len().saturating_sub(width)..];
        // Of the last second: a slow search has none in most samples. A search may be over before its rate is known.
        let last = &self.rates[self.rates.len().saturating_sub(SAMPLES_A_SECOND)..];
        let now = last.iter().sum::<u64>().checked_div(last.len() as u64);
        let now = now.map_or(String::new(), |now| format!(" {}", HumanCount(now)));
        let block = Block::bordered().title(format!("{now} expansions a second "));
        frame.render_widget(
            Sparkline::default().data(rates).style(Style::new().fg(Color::Cyan)).block(block),
            rate,
        );
        let (doing, line) = if self.job.is_some() {
            let doing = match self.paced.pace() {
                None if look.expanded == 0 => "Held before the first expansion: → does it".into(),
                None => {
                    let plural = if look.expanded == 1 { "" } else { "s" };
                    format!("Held after {} expansion{plural}: → does the next", HumanCount(look.expanded))
                }
                Some(pace) => format!("Searching: {pace}"),
            };
            (doing, " space hold, go on  → step  + - pace  f full speed  q quit")
        } else {
            (self.end.clone(), " space hold, go on  ← → step  + - pace  Home again  q quit")
        };
        frame.render_widget(Paragraph::new(format!(" {doing}")).wrap(Wrap { trim: false }), end);
        frame.render_widget(Line::styled(line, Style::new().fg(Color::DarkGray)), keys);
    }

    /// The solution as far as it is played, or the state expanded last.
    fn draw_board(&self, look: &Look, area: Rect, frame: &mut Frame<'_>) {
        if let Some(picture) = self.solution.get(self.at) {
            return draw_picture(picture, area, frame);
        }
        match &look.node {
            // A state that was reached from the goal is known by the moves that lead there from it.
            Some((node, moves)) if node.side == Side::Backward => {
                let moves: Vec<_> = moves.iter().rev().map(String::as_str).collect();
                let text = format!("{} moves before the goal\n{}", moves.len(), moves.join(" "));
                let area = area.centered(Constraint::Percentage(90), Constraint::Length(4));
                let text = Paragraph::new(text).alignment(Alignment::Center).wrap(Wrap { trim: true });
                frame.render_widget(text, area);
            }
            node => {
                let moves = node.as_ref().map_or(&[][..], |(_, moves)| moves);
                if let Some(picture) = paint::position(&*self.instance, moves) {
                    draw_picture(&picture, area, frame);
                }
            }
        }
    }

    fn figures(&self, look: &Look) -> Vec<Line<'static>> {
        let figure = |name: &str, value: String| Line::from(format!("{name:>10}  {value}"));
        let count = |count: u64| HumanCount(count).to_string();
        let mut lines = vec![Line::default()];
        let Some((node, moves)) = &look.node else {
            if let Some(Progress { frontier: Frontier::Share(share), .. }) = look.progress {
                lines.push(figure("tables", format!("{:.0} %", 100.0 * share)));
            }
            return lines;
        };
        lines.extend([figure("expanded", count(look.expanded)), figure("generated", count(look.generated))]);
        let measure = look.method.as_ref().map_or("", |(algorithm, _)| algorithm.measure().name());
        lines.extend(look.iteration.map(|number| figure(measure, number.to_string())));
        let stored = look.progress.map(|progress| progress.stored);
        if !self.solution.is_empty() {
            lines.extend([
                Line::default(),
                figure("move", format!("{} of {}", self.at, self.solution.len() - 1)),
            ]);
            return lines;
        }
        // Those that keep every node hold the expanded ones and the open ones.
        match (look.open, stored.and_then(|stored| stored.checked_sub(look.expanded))) {
            (Some(open), _) => lines.push(figure("open", count(open as u64))),
            (None, Some(open)) if look.iteration.is_none() => lines.push(figure("open", count(open))),
            _ => lines.push(figure("path", count(moves.len() as u64 + 1))),
        }
        lines.extend([Line::default(), figure("node", format!("depth {}  {}", moves.len(), values(node)))]);
        for (action, child, fate) in &look.successors {
            let style = match fate {
                novelo_search::Fate::New => Style::new().fg(Color::Green),
                novelo_search::Fate::Better => Style::new().fg(Color::Yellow),
                _ => Style::new().fg(Color::DarkGray),
            };
            lines.push(Line::from(vec![
                Span::raw(format!("{action:>10}  {}  ", values(child))),
                Span::styled(fate.name(), style),
            ]));
        }
        lines
    }
}

/// What is known of a node.
fn values(node: &novelo_puzzles::watch::Seen) -> String {
    let figure = |name: &str, value: Option<f64>| {
        value.map(|value| format!(" {name} {}", (value * 100.0).round() / 100.0)).unwrap_or_default()
    };
    format!("g {}{}{}", node.g, figure("h", node.h), figure("f", node.f))
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
