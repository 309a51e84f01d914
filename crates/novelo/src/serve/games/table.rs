//! One game: the session, and what is asked of the solvers about it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use novelo_puzzles::Request;
use novelo_puzzles::session::{Adviser, Check, Hint, Par, Review, Session, Snapshot, Status, View};
use novelo_search::{Limits, Settings, Stop};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::folders;
use crate::keep::{Keep, Score};
use crate::serve::api_error::ApiError;
use crate::serve::app::App;
use crate::serve::instances::size_of;

/// The longest that a hint, a check or a solution is looked for.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes that this may take.
const MEMORY: usize = 256 << 20;
/// The most moves of a game, those taken back included.
pub const MOVES: usize = 10_000;
/// The most moves that are sent together.
const LINE: usize = 500;

/// A game and its name.
pub struct Table {
    /// Its name.
    pub token: String,
    session: Mutex<Session>,
    /// About the bytes it held when it was looked at last.
    bytes: AtomicUsize,
    /// Whether its score has been kept: a game counts once, however often its last move is taken back.
    scored: AtomicBool,
}

/// What a player does.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum GameAction {
    /// Makes a move, written as a person would.
    Play {
        #[serde(rename = "move")]
        #[schema(example = "U")]
        text: String,
    },
    /// Makes moves one after another, until one is refused: the answer says how many were made, and why not all.
    Line {
        #[schema(max_items = 500)]
        moves: Vec<String>,
    },
    /// Takes the last move back.
    Undo {},
    /// Makes the move taken back last again.
    Redo {},
    /// Takes all moves back.
    Restart {},
    /// Stops the clock and hides the board.
    Pause {},
    /// Goes on after a pause.
    Resume {},
    /// Asks for the next move of a best continuation.
    Hint {},
    /// Asks what is certainly wrong.
    Check {},
    /// Has the rest played.
    Solve {},
    /// Asks what the game could have cost at best, after it has ended.
    Par {},
    /// Asks which moves left the best line, after the game is won.
    Review {},
}

/// What came of an action, beside the game as it then is.
#[derive(Default, Serialize)]
pub struct Advice {
    hint: Option<Hint>,
    check: Option<Check>,
    /// What `solve` played, after taking back `taken_back` moves.
    solution: Option<Vec<String>>,
    taken_back: Option<usize>,
    par: Option<Par>,
    review: Option<Review>,
    /// How many moves of a line were made,
    made: Option<usize>,
    /// and why the next was not.
    refused: Option<String>,
    /// The best score of this puzzle and size, in the answer to the move that wins.
    best: Option<Score>,
    /// Whether this game has set it.
    record: bool,
}

/// A game as the page sees it.
#[derive(Serialize, ToSchema)]
pub struct GameView<'a> {
    token: &'a str,
    size: String,
    #[serde(flatten)]
    #[schema(value_type = Object)]
    snapshot: Snapshot,
    #[serde(flatten)]
    #[schema(value_type = Object)]
    advice: Advice,
    /// Why there is no solution, where that is seen without a search.
    impossible: Option<String>,
    /// What the board must become, where that is not the usual.
    #[schema(value_type = Option<Object>)]
    goal: Option<View>,
    /// The whole game as text, to be opened again.
    save: String,
}

fn conflict(message: impl Into<String>) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, message)
}

/// Says why there is no answer.
fn no_answer(stop: Stop) -> ApiError {
    let message = match stop {
        Stop::Time | Stop::Interrupted => "no answer was found in the time there is",
        Stop::Memory => "no answer was found in the memory there is",
        _ => "no answer was found",
    };
    ApiError::impossible(message)
}

impl Table {
    /// A game with a name.
    pub fn new(token: String, session: Session) -> Self {
        let scored = AtomicBool::new(session.status() == Status::Won);
        let bytes = AtomicUsize::new(session.bytes());
        Self { token, session: Mutex::new(session), bytes, scored }
    }

    /// About the bytes it holds.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as the page sees it, as JSON.
    pub fn json(&self, advice: Advice) -> String {
        let session = self.session();
        self.bytes.store(session.bytes(), Ordering::Relaxed);
        let snapshot = session.snapshot();
        let size = size_of(&snapshot.instance);
        let (impossible, goal) = (session.instance().impossible(), session.instance().game().unusual_goal());
        let save = session.save();
        let view = GameView { token: &self.token, size, snapshot, advice, impossible, goal, save };
        serde_json::to_string(&view).expect("a game is plain data")
    }

    /// Does what the player does.
    pub async fn act(&self, action: GameAction, app: &Arc<App>) -> Result<Advice, ApiError> {
        match action {
            GameAction::Hint {} => {
                let (hint, mut session) =
                    self.ask(app, |adviser, request, cancel| Ok(adviser.hint(request, cancel))).await?;
                session.take(&hint);
                Ok(Advice { hint: Some(hint), ..Advice::default() })
            }
            GameAction::Check {} => {
                let (check, mut session) = self.ask(app, Adviser::check).await?;
                session.mark(&check);
                Ok(Advice { check: Some(check), ..Advice::default() })
            }
            GameAction::Solve {} => {
                let (plan, mut session) = self.ask(app, Adviser::plan).await?;
                let plan = plan.ok_or_else(|| conflict("this game has no solution, even from its start"))?;
                session.give_up(&plan);
                for made in &plan.moves {
                    session.play(made).map_err(|api_error| conflict(api_error.to_string()))?;
                }
                let taken_back = Some(plan.take_back);
                Ok(Advice { solution: Some(plan.moves), taken_back, ..Advice::default() })
            }
            GameAction::Par {} => {
                let now = self.session().snapshot();
                if now.status != Status::Won && !now.gave_up {
                    return Err(conflict("that would give the solution away; finish the game first"));
                }
                let par = self.ask(app, Adviser::par).await?.0;
                Ok(Advice { par, ..Advice::default() })
            }
            GameAction::Review {} => {
                if self.session().status() != Status::Won {
                    return Err(conflict("that would give the solution away; finish the game first"));
                }
                let review = self.ask(app, |adviser, request, cancel| Ok(adviser.review(request, cancel)));
                Ok(Advice { review: Some(review.await?.0), ..Advice::default() })
            }
            GameAction::Line { moves } => {
                let (made, refused) = self.line(&moves)?;
                let settled = self.settle(app).await?;
                Ok(Advice { made: Some(made), refused, ..settled })
            }
            action => {
                self.step(action)?;
                self.settle(app).await
            }
        }
    }

    /// Keeps the score of a game that has just been won.
    async fn settle(&self, app: &Arc<App>) -> Result<Advice, ApiError> {
        let now = self.session().snapshot();
        // Who asked for hints has not played alone.
        let Some(score) = Score::of(&now).filter(|score| now.status == Status::Won && score.hints == 0)
        else {
            return Ok(Advice::default());
        };
        if self.scored.swap(true, Ordering::Relaxed) {
            return Ok(Advice::default());
        }
        let kind = format!("{} {}", now.puzzle, size_of(&now.instance));
        let app = app.clone();
        let kept = move |keep: &Keep| {
            // A file that cannot be written costs the score, not the game.
            let record = keep.record(&kind, score).is_ok_and(|place| place == Some(1));
            (record, keep.best(&kind).0.into_iter().next())
        };
        let place = app.clone();
        let work = move |_: &AtomicBool| kept(&app.keep.lock().unwrap_or_else(PoisonError::into_inner));
        let (record, best) = place.brief.run(work).await?;
        Ok(Advice { best, record, ..Advice::default() })
    }

    /// Makes moves until one is refused; how many were made, and why not the next.
    fn line(&self, moves: &[String]) -> Result<(usize, Option<String>), ApiError> {
        if moves.len() > LINE {
            return Err(ApiError::bad(format!("a line has at most {LINE} moves")).field("moves"));
        }
        let mut session = self.session();
        for (made, text) in moves.iter().enumerate() {
            let refused = if session.moves().len() >= MOVES {
                Some(format!("a game has at most {MOVES} moves"))
            } else {
                session.play(text).err().map(|illegal| illegal.to_string())
            };
            if refused.is_some() {
                return Ok((made, refused));
            }
        }
        Ok((moves.len(), None))
    }

    /// What needs no solver.
    fn step(&self, action: GameAction) -> Result<(), ApiError> {
        let mut session = self.session();
        let done = match action {
            GameAction::Play { text } => {
                if session.moves().len() >= MOVES {
                    return Err(conflict(format!("a game has at most {MOVES} moves")));
                }
                return session
                    .play(&text)
                    .map_err(|api_error| conflict(api_error.to_string()).field("move"));
            }
            GameAction::Undo {} => session.undo(),
            GameAction::Redo {} => session.redo(),
            GameAction::Restart {} => {
                session.restart();
                true
            }
            GameAction::Pause {} => {
                session.pause();
                true
            }
            _ => {
                session.resume();
                true
            }
        };
        if done {
            return Ok(());
        }
        let paused = session.is_paused();
        Err(conflict(if paused { "the game is paused" } else { "there is no further move that way" }))
    }

    /// Asks a question about the position as it is now. A player who moves on meanwhile gets no answer.
    async fn ask<T: Send + 'static>(
        &self,
        app: &App,
        question: impl FnOnce(&Adviser, &Request, &AtomicBool) -> Result<T, Stop> + Send + 'static,
    ) -> Result<(T, MutexGuard<'_, Session>), ApiError> {
        let (adviser, before) = {
            let session = self.session();
            if session.is_paused() {
                return Err(conflict("the game is paused"));
            }
            (session.adviser(), session.moves().to_vec())
        };
        let request = request(&app.limits);
        let answer = app.brief.run(move |cancel| question(&adviser, &request, cancel)).await?;
        let answer = answer.map_err(no_answer)?;
        let session = self.session();
        if session.moves() != before {
            return Err(conflict("the board has changed meanwhile; ask again"));
        }
        Ok((answer, session))
    }
}

/// What is asked of the solvers.
fn request(server: &crate::serve::Limits) -> Request {
    let limits = Limits { time: Some(PATIENCE), memory: Some(MEMORY), ..Limits::default() };
    Request {
        settings: Settings { limits, ..Settings::default() },
        threads: Some(server.threads),
        cache: folders::cache(),
        cache_quota: Some(server.cache),
        ..Request::default()
    }
}
