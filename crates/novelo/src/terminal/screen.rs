//! The terminal, taken over and given back.

use std::io::{self, IsTerminal as _, Stdout};
use std::time::Duration;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

use crate::exit::Code;
use crate::interrupt;
use crate::user_error::UserError;

/// How often it is looked whether the program was told to end, and how long it
/// may take to do so by itself.
const LOOK_EVERY: Duration = Duration::from_millis(200);
const GRACE: Duration = Duration::from_secs(2);

/// The whole terminal, until it is dropped: however the program ends, it is
/// left as it was found.
pub struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    /// Takes the terminal over, to do something in it; `otherwise` is a sentence on what can be done without one.
    pub fn open(to_do: &str, otherwise: &str) -> Result<Self, UserError> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(UserError::new(format!("it needs a terminal to {to_do} in"))
                .help(format!("run it without redirecting its input or output; {otherwise}")));
        }
        let screen = Terminal::new(CrosstermBackend::new(io::stdout())).and_then(|terminal| {
            restore_on_panic();
            leave_when_hung_up();
            enable_raw_mode()?;
            // From here on dropping it restores the terminal, also on an error.
            let screen = Self(terminal);
            execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)?;
            Ok(screen)
        });
        screen.map_err(|error| trouble(&error))
    }

    /// Draws all of it anew.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<(), UserError> {
        self.0.draw(draw).map(|_| ()).map_err(|error| trouble(&error))
    }

    /// What the user does, if it is done within a time.
    pub fn event(wait: Duration) -> Result<Option<Event>, UserError> {
        let next = || if event::poll(wait)? { event::read().map(Some) } else { Ok(None) };
        next().map_err(|error| trouble(&error))
    }
}

fn trouble(error: &io::Error) -> UserError {
    UserError::new(format!("the terminal does not do as it should: {error}"))
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // When the terminal is gone there is nobody left to tell.
    let _ =
        execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, ratatui::crossterm::cursor::Show);
    let _ = disable_raw_mode();
}

/// Reading from a terminal whose window was closed may never come back, so
/// that nobody sees that the program was told to end.
fn leave_when_hung_up() {
    std::thread::spawn(|| {
        while !interrupt::requested() {
            std::thread::sleep(LOOK_EVERY);
        }
        std::thread::sleep(GRACE);
        restore();
        std::process::exit(Code::Interrupted as i32);
    });
}

/// A panic's message is of use only on a terminal that is back to normal. One
/// in a solver's thread is told by the thread's silence; the game goes on.
fn restore_on_panic() {
    let own = std::thread::current().id();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == own {
            restore();
            usual(info);
        }
    }));
}
