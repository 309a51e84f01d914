//! `novelo play` and `novelo watch`

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use novelo_lab::plan;
use novelo_puzzles::session::Session;
use novelo_puzzles::{GenerateRequest, Request};
use novelo_search::parameter::nearest;
use novelo_search::{Algorithm, Limits, Settings};

use super::solve;
use crate::cli::{Play, WatchOptions};
use crate::exit::Code;
use crate::terminal::{self, House, Opening, Pace, Set, Watching};
use crate::user_error::UserError;
use crate::{folders, memory, source};

/// How a saved game begins.
const SAVED: &str = "novelo game ";

/// Plays in the terminal.
pub fn run(options: &Play) -> Result<Code, UserError> {
    let limits = Limits { memory: Some(memory::for_search(None)?), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let request = Request { settings, cache: folders::cache(), ..Request::default() };
    let user = || ["USER", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let player = options.name.clone().or_else(user).filter(|name| !name.trim().is_empty());
    let house = House { tells_lost: options.tell_lost, player };
    terminal::play(opening(options)?, house, request)?;
    Ok(Code::Success)
}

fn opening(options: &Play) -> Result<Opening, UserError> {
    let Some(what) = &options.what else { return Ok(Opening::Menu) };
    if let Some(puzzle) = novelo_puzzles::puzzle(what) {
        let request = GenerateRequest {
            size: options.size,
            seed: options.seed.unwrap_or_else(terminal::any_seed),
            difficulty: Some(options.difficulty.clone().unwrap_or_else(|| "normal".into())),
            ..GenerateRequest::default()
        };
        return Ok(Opening::New(puzzle, request));
    }
    // An id has a colon; what else is no file was meant to be a puzzle.
    if what.chars().all(char::is_alphanumeric) && !Path::new(what).exists() {
        let names: Vec<_> = novelo_puzzles::PUZZLES.iter().map(|puzzle| puzzle.info().name).collect();
        let message = format!("there is neither a puzzle nor a file called {what}");
        return Err(match nearest(what, names.iter().copied()) {
            Some(near) => UserError::new(format!("{message}; did you mean '{near}'?")),
            None => UserError::new(message).help(format!("the puzzles are {}", names.join(", "))),
        });
    }
    let given = [
        ("--size", options.size.is_some()),
        ("--difficulty", options.difficulty.is_some()),
        ("--seed", options.seed.is_some()),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        return Err(UserError::new(format!(
            "{option} is for new boards, and {what} is no puzzle to make one of"
        ))
        .help(format!("leave {option} out, or name a puzzle")));
    }
    if Path::new(what).is_file() {
        let file =
            File::open(what).map_err(|error| UserError::new(format!("cannot read {what}: {error}")))?;
        let text = source::text_of(file, what)?;
        if text.starts_with(SAVED) {
            let session = Session::load(&text);
            let session = session.map_err(|error| {
                UserError::new(format!("{what} is damaged, {error}"))
                    .help("a game saved by novelo is as it was written")
            })?;
            return Ok(Opening::Game(session));
        }
    }
    let reading = &options.reading;
    let mut boards = source::read(what, reading.puzzle, reading.goal.as_deref())?;
    if boards.len() > 1 {
        return Ok(Opening::Set(Set::new(what, boards)));
    }
    Ok(Opening::Game(Session::new(boards.remove(0).instance)))
}

/// Shows a search in the terminal.
pub fn watch(options: &WatchOptions) -> Result<Code, UserError> {
    let reading = &options.reading;
    let named = source::read_one(&options.instance, reading.puzzle, reading.goal.as_deref())?;
    let mut request = solve::request(&options.method, Algorithm::AStar.into())?;
    plan::check(&request, named.instance.puzzle())?;
    solve::tell_without_effect(&options.method, request.algorithm);
    solve::tell_without_effect_on_watched(&options.method);
    request.notice = None;
    let watching = Watching { held: options.held, pace: options.pace.map(Pace::Nodes) };
    terminal::watch(Arc::from(named.instance), request, watching)?;
    Ok(Code::Success)
}
