//! Boards along a line of moves, as what each move changes.

use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use novelo_puzzles::Instance;
use novelo_puzzles::session::{ArcView, Cell, Played, View};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::api_error::{ApiError, ErrorResponses};
use super::app::Shared;
use super::body::Body;
use super::instances;

/// The most moves of a line.
const MOST: usize = 20_000;

/// A line of moves on an instance.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    #[schema(example = "sliding:3x3:1,2,3,4,5,6,0,7,8")]
    instance: String,
    /// Moves as a solution has them.
    moves: Vec<String>,
}

/// The boards along a line of moves.
#[derive(Serialize, ToSchema)]
pub struct Film {
    #[schema(value_type = Object)]
    start: View,
    /// The moves as a player makes them.
    moves: Vec<String>,
    /// What each of them changes.
    frames: Vec<Frame>,
}

/// What a move changes on a board.
#[derive(Serialize, ToSchema)]
pub struct Frame {
    #[schema(value_type = Vec<Object>)]
    cells: Vec<(usize, Cell)>,
    #[schema(value_type = Vec<Object>)]
    arcs: Vec<(usize, ArcView)>,
    path: Option<PathChange>,
    note: Option<String>,
}

/// A path of which the first cells stay and others follow.
#[derive(Serialize, ToSchema)]
struct PathChange {
    keep: usize,
    add: Vec<usize>,
}

impl Frame {
    /// What changes from one board to another.
    pub fn between(before: &View, after: &View) -> Self {
        let keep = before.path.iter().zip(&after.path).take_while(|(a, b)| a == b).count();
        let path = (before.path != after.path).then(|| PathChange { keep, add: after.path[keep..].to_vec() });
        Self {
            cells: changes(&before.cells, &after.cells),
            arcs: changes(&before.arcs, &after.arcs),
            path,
            note: (before.note != after.note).then(|| after.note.clone()),
        }
    }
}

fn changes<T: Clone + PartialEq>(before: &[T], after: &[T]) -> Vec<(usize, T)> {
    let pairs = before.iter().zip(after).enumerate();
    pairs.filter(|(_, (before, after))| before != after).map(|(i, (_, after))| (i, after.clone())).collect()
}

/// Boards along a line of moves
#[utoipa::path(post, path = "/api/views", request_body = Line, responses((status = 200, body = Film), ErrorResponses))]
pub async fn views(State(app): State<Shared>, Body(line): Body<Line>) -> Result<Json<Film>, ApiError> {
    let instance = instances::one(&line.instance, "instance")?;
    if line.moves.len() > MOST {
        return Err(ApiError::bad(format!("a line has at most {MOST} moves")).field("moves"));
    }
    let film = app.brief.run(move |cancel| film(&*instance, line.moves, || cancel.load(Ordering::Relaxed)));
    film.await?.map(Json)
}

fn film(instance: &dyn Instance, moves: Vec<String>, cancelled: impl Fn() -> bool) -> Result<Film, ApiError> {
    let mut game = instance.game();
    let moves = game.continuation(moves);
    let start = game.view();
    let mut before = start.clone();
    let mut frames = Vec::with_capacity(moves.len());
    for (i, made) in moves.iter().enumerate() {
        let wrong = |reason: String| {
            let message = format!("move {} of {}, '{made}': {reason}", i + 1, moves.len());
            ApiError::new(StatusCode::CONFLICT, message).field("moves")
        };
        match game.play(made) {
            Ok(Played::Made(_)) => {}
            Ok(Played::Back) => return Err(wrong("it leads back".into())),
            Err(api_error) => return Err(wrong(api_error.to_string())),
        }
        if cancelled() {
            return Err(ApiError::impossible("this line is too long for a board of this size").field("moves"));
        }
        let after = game.view();
        frames.push(Frame::between(&before, &after));
        before = after;
    }
    Ok(Film { start, moves, frames })
}
