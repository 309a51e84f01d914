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
use super::set::Set;
use super::table::{House, Table};
use super::words;
use crate::keep::Keep;
use crate::user_error::UserError;
use crate::{interrupt, source};

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
    /// The boards of a file, one of which is to be chosen.
    Set(Set),
}

/// A board being made.
struct Making {
    puzzle: &'static dyn Puzzle,
    request: GenerateRequest,
    job: Job<Result<Box<dyn Instance>, RequestError>>,
}

enum Place {
    Menu(Menu),
    Set(Set),
    Making(Making),
    Table(Box<Table>),
}

struct App {
    place: Place,
    /// What the last game was made by.
    last: Option<(&'static dyn Puzzle, GenerateRequest)>,
    help: bool,
    quit: bool,
    house: House,
    request: Request,
    keep: Keep,
}

/// Plays until the player leaves.
pub fn play(opening: Opening, house: House, request: Request) -> Result<(), UserError> {
    let keep = Keep::open();
    let mut screen = Screen::open("play", "`novelo serve` opens a page to play on")?;
    let place = Place::Menu(Menu::open(&keep));
    let mut app = App { place, last: None, help: false, quit: false, house, request, keep };
    match opening {
        Opening::Menu => {}
        Opening::New(puzzle, request) => app.make(puzzle, request),
        Opening::Game(session) => app.sit_down(session, None),
        Opening::Set(set) => app.place = Place::Set(set),
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

    fn sit_down(&mut self, session: Session, difficulty: Option<String>) {
        let table = Table::new(session, difficulty, &self.house, &self.request, &self.keep);
        self.place = Place::Table(Box::new(table));
    }

    /// Back to the menu, where the puzzle that was played is chosen.
    fn menu(&mut self) {
        let menu = Menu::open(&self.keep);
        self.place = Place::Menu(match &self.place {
            Place::Menu(_) | Place::Set(_) => menu,
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
            Place::Menu(_) | Place::Set(_) => {}
            Place::Table(table) => table.tick(),
            Place::Making(making) => match making.job.state() {
                State::Working => {}
                State::Done(Ok(instance)) => {
                    let difficulty = making.request.difficulty.clone();
                    self.last = Some((making.puzzle, making.request.clone()));
                    self.sit_down(Session::new(Arc::from(instance)), difficulty);
                }
                State::Done(Err(error)) => self.tell(format!("No such board: {error}.")),
                State::Failed => self.tell("The board could not be made.".into()),
            },
        }
    }

    fn draw(&mut self, frame: &mut ratatui::Frame<'_>) {
        match &mut self.place {
            Place::Menu(menu) => menu.draw(&self.keep, frame),
            Place::Set(set) => set.draw(frame),
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
            (Place::Making(_), _, KeyCode::Esc | KeyCode::Char('q'))
            | (Place::Set(_), None, KeyCode::Char('m')) => self.menu(),
            (Place::Making(_), ..) => {}
            (Place::Menu(menu), _, code) if menu.asks_for_file() => self.file_key(code),
            (_, _, KeyCode::Esc | KeyCode::Char('q')) => self.quit = true,
            (Place::Menu(menu), Some(arrow), _) => menu.arrow(arrow),
            (Place::Set(set), Some(arrow), _) => set.arrow(arrow),
            (Place::Set(set), None, KeyCode::Enter | KeyCode::Char(' ')) => {
                let session = Session::new(set.chosen());
                self.sit_down(session, None);
            }
            (Place::Set(_), ..) => {}
            (Place::Menu(_), None, code) => self.menu_key(code),
            (Place::Table(table), _, code) if table.session.is_paused() && !wakes(code) => {
                table.message = words::PAUSED.into();
            }
            (Place::Table(table), Some(arrow), _) => table.arrow(arrow),
            (Place::Table(_), None, code) => self.table_key(code),
        }
    }

    fn menu_key(&mut self, code: KeyCode) {
        let Place::Menu(menu) = &mut self.place else { return };
        let puzzle = menu.puzzle();
        match code {
            KeyCode::Char('+' | '=') => menu.change_size(true),
            KeyCode::Char('-') => menu.change_size(false),
            KeyCode::Char('b') => menu.change_scores(),
            KeyCode::Char('f') => menu.ask_for_file(),
            KeyCode::Enter | KeyCode::Char(' ') => {
                let request = menu.request(any_seed());
                self.make(puzzle, request);
            }
            KeyCode::Char('c') => match self.keep.unfinished(puzzle.info().name) {
                Ok(Some(session)) => self.sit_down(session, None),
                Ok(None) => self.tell("There is no game of this to go on with.".into()),
                Err(trouble) => self.tell(trouble),
            },
            _ => {}
        }
    }

    /// A key while the name of a file is typed.
    fn file_key(&mut self, code: KeyCode) {
        let Place::Menu(menu) = &mut self.place else { return };
        if let Some(file) = menu.typed(code).filter(|file| file.trim() != "-") {
            match source::read(file.trim(), None, None) {
                Ok(mut boards) if boards.len() == 1 => {
                    let session = Session::new(boards.remove(0).instance);
                    self.sit_down(session, None);
                }
                Ok(boards) => self.place = Place::Set(Set::new(file.trim(), boards)),
                Err(error) => self.tell(words::sentence(&error.to_string())),
            }
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
            KeyCode::Char('l') => self.house.tells_lost = table.change_telling(),
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
