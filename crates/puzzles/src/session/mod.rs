//! Playing: one session for all puzzles, free of any interface.
//!
//! A [`Session`] holds an instance, the moves made on it and those taken back,
//! the clock and the hints. The rules of playing each puzzle are its [`Game`];
//! what the board looks like is a [`View`]; hints come from the exact solvers
//! through an [`Adviser`], which can work in another thread.
//!
//! ```
//! use novelo_puzzles::session::{Session, Status};
//!
//! let mut session = Session::from_id("sliding:2x2:1,2,0,3").unwrap();
//! assert_eq!(session.play("7").unwrap_err().to_string(), "there is no tile 7 on this board");
//! session.play("3").unwrap();
//! assert_eq!(session.status(), Status::Won);
//! ```

mod adviser;
mod clock;
mod game;
mod oracle;
mod save;
mod view;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::Cost;
use novelo_search::Stop;
use serde::Serialize;

pub use adviser::{Adviser, Hint, Par, Plan, Review, Slip};
pub use clock::Clock;
pub use game::{Check, Game, IllegalMove, Played, Progress, Status};
pub use oracle::Oracle;
pub use save::SaveError;
pub use view::{Arc as ArcView, Arrows, Cell, Kind, Marks, View};

use crate::input;
use crate::puzzle::Instance;
use crate::request::Request;
use crate::text::ParseError;

/// What a hint adds to the score, in seconds.
pub const HINT_SECONDS: u64 = 20;

/// Bytes of a game on the smallest board.
const BOARD_BYTES: usize = 4096;

/// A game in play.
pub struct Session {
    instance: Arc<dyn Instance>,
    game: Box<dyn Game>,
    /// All moves, those taken back included.
    moves: Vec<String>,
    /// How many of them are made.
    made: usize,
    clock: Clock,
    hints: u32,
    gave_up: bool,
    wrong: Marks,
    plan: Option<Plan>,
}

/// All that an interface shows of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Snapshot {
    /// The puzzle's name.
    pub puzzle: &'static str,
    /// The instance's id.
    pub instance: String,
    /// The board; hidden while the game is paused.
    pub view: Option<View>,
    /// Whether the game goes on.
    pub status: Status,
    /// How much of the goal is reached.
    pub progress: Progress,
    /// How many moves are made.
    pub moves: usize,
    /// The last of them.
    pub last: Option<String>,
    /// What they cost, in the measure of par.
    pub cost: Cost,
    /// Whether there is a move to take back.
    pub can_undo: bool,
    /// Whether there is one to make again.
    pub can_redo: bool,
    /// How many hints were given.
    pub hints: u32,
    /// Whether the solution was asked for.
    pub gave_up: bool,
    /// Whether the clock stands.
    pub paused: bool,
    /// The time played.
    pub seconds: u64,
    /// Seconds and hints; none for who gave up.
    pub score: Option<u64>,
}

/// A game of an instance after some moves that were legal before.
fn replay(instance: &dyn Instance, moves: &[String]) -> Box<dyn Game> {
    let mut game = instance.game();
    for made in moves {
        game.play(made).expect("was legal before");
    }
    game
}

impl Session {
    /// A new game.
    pub fn new(instance: impl Into<Arc<dyn Instance>>) -> Self {
        let instance = instance.into();
        let game = instance.game();
        let mut clock = Clock::running(Duration::ZERO);
        if game.status() == Status::Won {
            clock.stop();
        }
        Self {
            instance,
            game,
            moves: Vec::new(),
            made: 0,
            clock,
            hints: 0,
            gave_up: false,
            wrong: Marks::default(),
            plan: None,
        }
    }

    /// A new game of the instance with an id.
    pub fn from_id(id: &str) -> Result<Self, ParseError> {
        let (puzzle, body) = input::as_id(id).ok_or_else(|| {
            ParseError::whole(format!("'{id}' is no instance id"))
                .help("an id is a puzzle and what follows it, such as sliding:2x2:3,1,2,0")
        })?;
        let offset = id.len() - body.len();
        puzzle.parse_id(body.trim_end(), None).map(Self::new).map_err(|error| error.shifted(offset))
    }

    /// About the bytes it holds.
    pub fn bytes(&self) -> usize {
        let text = |text: &String| size_of::<String>() + novelo_search::allocated(text.capacity());
        let plan = self.plan.iter().flat_map(|plan| &plan.moves);
        let board = self.instance.id().len();
        // The instance and the game on it are a few words a cell, and an id has at least a part of a byte for each.
        BOARD_BYTES + 64 * board + self.moves.iter().chain(plan).map(text).sum::<usize>()
    }

    /// The instance.
    pub fn instance(&self) -> &Arc<dyn Instance> {
        &self.instance
    }

    /// The moves made, in their written form.
    pub fn moves(&self) -> &[String] {
        &self.moves[..self.made]
    }

    /// Makes a move written as a person would: a tile's number or `U D L R` the
    /// way the blank goes (sliding), `r,c=v` and `r,c=` to take a number back
    /// (numbrix), `U D L R` a step, or a step back (mazes), `h r,c` and `v r,c`
    /// (boxes). Forgets the moves that were taken back.
    pub fn play(&mut self, text: &str) -> Result<(), IllegalMove> {
        if self.is_paused() {
            return IllegalMove::because("the game is paused");
        }
        if self.status() == Status::Won {
            return IllegalMove::because("the game is won");
        }
        match self.game.play(text)? {
            Played::Back => {
                self.undo();
            }
            Played::Made(text) => {
                self.follow(&text);
                self.moves.truncate(self.made);
                self.moves.push(text);
                self.made += 1;
                self.settle();
            }
        }
        Ok(())
    }

    /// Goes on with the plan if that is what was played.
    fn follow(&mut self, made: &str) {
        self.plan.take_if(|plan| plan.take_back > 0 || plan.moves.first().is_none_or(|next| next != made));
        if let Some(plan) = &mut self.plan {
            plan.moves.remove(0);
        }
    }

    /// After any change of the position: the clock runs while there is
    /// something to do, and marks of an earlier position are gone.
    fn settle(&mut self) {
        self.wrong = Marks::default();
        if self.status() == Status::Won {
            self.clock.stop();
        } else if !self.clock.runs() {
            self.clock.run();
        }
    }

    fn go_to(&mut self, made: usize) {
        self.game = replay(&*self.instance, &self.moves[..made]);
        self.made = made;
        self.plan = None;
        self.settle();
    }

    /// Takes the last move back, if there is one.
    pub fn undo(&mut self) -> bool {
        let can = self.made > 0 && !self.is_paused();
        if can {
            self.go_to(self.made - 1);
        }
        can
    }

    /// Makes the move taken back last again, if there is one.
    pub fn redo(&mut self) -> bool {
        let can = self.made < self.moves.len() && !self.is_paused();
        if can {
            self.go_to(self.made + 1);
        }
        can
    }

    /// Takes all moves back; they can be made again.
    pub fn restart(&mut self) {
        if !self.is_paused() {
            self.go_to(0);
        }
    }

    /// Whether the game goes on.
    pub fn status(&self) -> Status {
        self.game.status()
    }

    /// Stops the clock and hides the board; nothing can be played until
    /// [`resume`](Session::resume).
    pub fn pause(&mut self) {
        self.clock.stop();
    }

    /// Goes on after a pause.
    pub fn resume(&mut self) {
        if self.status() != Status::Won {
            self.clock.run();
        }
    }

    /// Whether the game is paused.
    pub fn is_paused(&self) -> bool {
        !self.clock.runs() && self.status() != Status::Won
    }

    /// Who can be asked for hints, in this thread or another.
    pub fn adviser(&self) -> Adviser {
        let moves = self.moves().to_vec();
        let game = replay(&*self.instance, &moves);
        Adviser { instance: self.instance.clone(), moves, game, plan: self.plan.clone() }
    }

    /// Counts a hint that the player has got.
    pub fn take(&mut self, hint: &Hint) {
        if let Hint::Play { plan, .. } = hint {
            self.plan = Some(plan.clone());
        }
        if matches!(hint, Hint::Play { .. } | Hint::TakeBack { .. }) {
            self.hints += 1;
        }
    }

    /// Asks for a hint, waits for it and counts it.
    pub fn hint(&mut self, request: &Request, cancel: &AtomicBool) -> Hint {
        let hint = self.adviser().hint(request, cancel);
        self.take(&hint);
        hint
    }

    /// Shows what is wrong until the next move.
    pub fn mark(&mut self, check: &Check) {
        self.wrong = check.wrong.clone();
    }

    /// Looks for what is certainly wrong, and marks it.
    pub fn check(&mut self, request: &Request, cancel: &AtomicBool) -> Result<Check, Stop> {
        let check = self.adviser().check(request, cancel)?;
        self.mark(&check);
        Ok(check)
    }

    /// From now on the game is the solver's: it has no score, unless it is won
    /// already. Takes back what the plan says; its moves are to be played one by
    /// one.
    pub fn give_up(&mut self, plan: &Plan) {
        self.gave_up |= self.status() != Status::Won;
        (0..plan.take_back).for_each(|_| {
            self.undo();
        });
    }

    /// Plays the rest of the game, and says what was played; none if it cannot
    /// be won even from the start.
    pub fn solve(&mut self, request: &Request, cancel: &AtomicBool) -> Result<Option<Vec<String>>, Stop> {
        let Some(plan) = self.adviser().plan(request, cancel)? else { return Ok(None) };
        self.give_up(&plan);
        for made in &plan.moves {
            self.play(made).expect("a plan has only legal moves");
        }
        Ok(Some(plan.moves))
    }

    /// All that an interface shows.
    pub fn snapshot(&self) -> Snapshot {
        let seconds = self.clock.played().as_secs();
        let score = seconds.saturating_add(HINT_SECONDS * u64::from(self.hints));
        Snapshot {
            puzzle: self.instance.puzzle().info().name,
            instance: self.instance.id(),
            view: (!self.is_paused()).then(|| self.game.view().marked(&self.wrong)),
            status: self.status(),
            progress: self.game.progress(),
            moves: self.made,
            last: self.moves().last().cloned(),
            cost: self.game.cost(),
            can_undo: self.made > 0,
            can_redo: self.made < self.moves.len(),
            hints: self.hints,
            gave_up: self.gave_up,
            paused: self.is_paused(),
            seconds,
            score: (!self.gave_up).then_some(score),
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("instance", &self.instance)
            .field("moves", &self.moves())
            .finish_non_exhaustive()
    }
}
