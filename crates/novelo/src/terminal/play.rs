//! `novelo play`: menu, making, playing.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use novelo_puzzles::session::Session;
use novelo_puzzles::{GenerateRequest, Instance, Puzzle, Request, RequestError};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::layout::{Constraint, Position};
use ratatui::widgets::Paragraph;

use super::board::touched;
use super::cursor::Arrow;
use super::job::{Job, State};
use super::menu::Menu;
use super::panel;
use super::screen::Screen;
use super::table::Table;
use super::words;
use crate::interrupt;
use crate::keep::Keep;
use crate::user_error::UserError;

/// How often the screen is drawn when nothing happens: the clock goes on.
const FRAME: Duration = Duration::from_millis(50);

/// What to begin with.
pub enum Opening {
    /// The menu.
    Menu,
    /// A new game of a puzzle.
    New(&'static dyn Puzzle, GenerateRequest),
    /// A game.
    Game(Session),
}

/// A board being made.
struct Making {
    puzzle: &'static dyn Puzzle,
    request: GenerateRequest,
    job: Job<Result<Box<dyn Instance>, RequestError>>,
}

enum Place {
    Menu(Menu),
    Making(Making),
    Table(Box<Table>),
}

struct App {
    place: Place,
    /// What the last game was made by.
    last: Option<(&'static dyn Puzzle, GenerateRequest)>,
    help: bool,
    quit: bool,
    request: Request,
    keep: Keep,
}

/// Plays until the player leaves.
pub fn play(opening: Opening, request: Request) -> Result<(), UserError> {
    let keep = Keep::open();
    let mut screen = Screen::open()?;
    let place = Place::Menu(Menu::open(&keep));
    let mut app = App { place, last: None, help: false, quit: false, request, keep };
    match opening {
        Opening::Menu => {}
        Opening::New(puzzle, request) => app.make(puzzle, request),
        Opening::Game(session) => app.sit_down(session),
    }
    while !app.quit && !interrupt::requested() {
        app.tick();
        screen.draw(|frame| app.draw(frame))?;
        if let Some(event) = Screen::event(FRAME)? {
            app.event(&event);
        }
    }
    Ok(())
}

/// The keys that also do something while a game is paused.
fn wakes(code: KeyCode) -> bool {
    matches!(code, KeyCode::Char('p' | 'n' | 'm' | '?'))
}

/// A seed that nobody chose.
pub fn any_seed() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |time| time.as_micros() as u64)
}

impl App {
    fn make(&mut self, puzzle: &'static dyn Puzzle, request: GenerateRequest) {
        let wish = request.clone();
        let job = Job::start(move |cancel| puzzle.generate(&wish, 0, cancel));
        self.place = Place::Making(Making { puzzle, request, job });
    }

    fn sit_down(&mut self, session: Session) {
        self.place = Place::Table(Box::new(Table::new(session, &self.request, &self.keep)));
    }

    /// Back to the menu, where the puzzle that was played is chosen.
    fn menu(&mut self) {
        let menu = Menu::open(&self.keep);
        self.place = Place::Menu(match &self.place {
            Place::Menu(_) => menu,
            Place::Making(making) => menu.at(making.puzzle),
            Place::Table(table) => menu.at(table.session.instance().puzzle()),
        });
    }

    /// Tells something in the menu.
    fn tell(&mut self, message: String) {
        if !matches!(self.place, Place::Menu(_)) {
            self.menu();
        }
        if let Place::Menu(menu) = &mut self.place {
            menu.say(message);
        }
    }

    /// Another board of the same kind.
    fn another(&mut self) {
        let Place::Table(table) = &mut self.place else { return };
        if !table.may_be_left() {
            return;
        }
        let puzzle = table.session.instance().puzzle();
        let size = Some(table.size());
        let same = |(last, _): &(&'static dyn Puzzle, _)| last.info().name == puzzle.info().name;
        let mut request = self.last.clone().filter(same).map_or_else(
            || GenerateRequest { size, difficulty: Some("normal".into()), ..GenerateRequest::default() },
            |(_, request)| request,
        );
        request.seed = any_seed();
        self.make(puzzle, request);
    }

    fn tick(&mut self) {
        match &mut self.place {
            Place::Menu(_) => {}
            Place::Table(table) => table.tick(),
            Place::Making(making) => match making.job.state() {
                State::Working => {}
                State::Done(Ok(instance)) => {
                    self.last = Some((making.puzzle, making.request.clone()));
                    self.sit_down(Session::new(Arc::from(instance)));
                }
                State::Done(Err(error)) => self.tell(format!("No such board: {error}.")),
                State::Failed => self.tell("The board could not be made.".into()),
            },
        }
    }

    fn draw(&mut self, frame: &mut ratatui::Frame<'_>) {
        match &mut self.place {
            Place::Menu(menu) => menu.draw(frame),
            Place::Table(table) => panel::draw(table, self.help, frame),
            Place::Making(making) => {
                let text = format!("Making a board of {} … Esc gives up.", making.puzzle.info().title);
                let area = frame
                    .area()
                    .centered(Constraint::Length(text.chars().count() as u16), Constraint::Length(1));
                frame.render_widget(Paragraph::new(text), area);
            }
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                if let Place::Table(table) = &mut self.place
                    && let Some(spot) = touched(&table.hits, Position::new(mouse.column, mouse.row))
                {
                    table.touch(spot);
                }
            }
            // A new size is seen when drawing; nothing else matters.
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'd')) {
            self.quit = true;
            return;
        }
        if std::mem::take(&mut self.help) {
            return;
        }
        let arrow = match key.code {
            KeyCode::Up => Some(Arrow::Up),
            KeyCode::Down => Some(Arrow::Down),
            KeyCode::Left => Some(Arrow::Left),
            KeyCode::Right => Some(Arrow::Right),
            _ => None,
        };
        match (&mut self.place, arrow, key.code) {
            (Place::Making(_), _, KeyCode::Esc | KeyCode::Char('q')) => self.menu(),
            (Place::Making(_), ..) => {}
            (_, _, KeyCode::Esc | KeyCode::Char('q')) => self.quit = true,
            (Place::Menu(menu), Some(arrow), _) => menu.arrow(arrow),
            (Place::Menu(_), None, code) => self.menu_key(code),
            (Place::Table(table), _, code) if table.session.is_paused() && !wakes(code) => {
                table.message = words::PAUSED.into();
            }
            (Place::Table(table), Some(arrow), _) => table.arrow(arrow),
            (Place::Table(_), None, code) => self.table_key(code),
        }
    }

    fn menu_key(&mut self, code: KeyCode) {
        let Place::Menu(menu) = &self.place else { return };
        let puzzle = menu.puzzle();
        match code {
            KeyCode::Enter | KeyCode::Char(' ') => self.make(puzzle, menu.request(any_seed())),
            KeyCode::Char('c') => match self.keep.unfinished(puzzle.info().name) {
                Ok(Some(session)) => self.sit_down(session),
                Ok(None) => self.tell("There is no game of this to go on with.".into()),
                Err(trouble) => self.tell(trouble),
            },
            _ => {}
        }
    }

    fn table_key(&mut self, code: KeyCode) {
        let Place::Table(table) = &mut self.place else { return };
        match code {
            KeyCode::Char(digit @ '0'..='9') => table.digit(digit),
            KeyCode::Char(' ') if table.hold() => {}
            KeyCode::Enter | KeyCode::Char(' ') => table.enter(),
            KeyCode::Backspace | KeyCode::Delete => table.backspace(),
            KeyCode::Char('u') => table.undo(),
            KeyCode::Char('r') => table.redo(),
            KeyCode::Char('x') => table.restart(),
            KeyCode::Char('h') => table.ask_hint(),
            KeyCode::Char('c') => table.ask_check(),
            KeyCode::Char('s') => table.ask_solution(),
            KeyCode::Char('p') => table.pause(),
            KeyCode::Char('+' | '=') => table.change_pace(true),
            KeyCode::Char('-') => table.change_pace(false),
            KeyCode::Char('n') => self.another(),
            KeyCode::Char('m') => self.menu(),
            KeyCode::Char('?') => self.help = true,
            // Tests see what becomes of the terminal.
            #[cfg(debug_assertions)]
            KeyCode::Char('!') if std::env::var_os("NOVELO_MISBEHAVE").is_some() => {
                panic!("as the test wants it")
            }
            _ => {}
        }
    }
}
