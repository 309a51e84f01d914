//! The addresses of games.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use novelo_puzzles::PUZZLES;
use novelo_puzzles::session::Session;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::example::Example;
use utoipa::openapi::{OpenApi, RefOr};

use super::table::{Advice, GameAction, GameView, MOVES, Table};
use crate::serve::api_error::{ApiError, ErrorResponses};
use crate::serve::app::Shared;
use crate::serve::body::Body;
use crate::serve::instances;

/// A game to be opened: a new one of an instance, or one that was saved.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Opening {
    New(New),
    Saved(Saved),
}

/// A new game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct New {
    #[schema(example = "sliding:3x3:1,2,3,4,5,6,0,7,8")]
    instance: String,
}

/// A game that was saved.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    save: String,
}

/// Adds an example of every puzzle to the document of [`open`].
pub fn add_examples(document: &mut OpenApi) {
    let post = document.paths.paths.get_mut("/api/games").and_then(|path| path.post.as_mut());
    let Some(RefOr::T(body)) = post.and_then(|post| post.request_body.as_mut()) else { return };
    let Some(RefOr::T(content)) = body.content.get_mut("application/json") else { return };
    for puzzle in PUZZLES {
        let info = puzzle.info();
        let example = Example::builder().value(Some(json!({"instance": info.example})));
        content.examples.insert(info.name.into(), RefOr::T(example.build()));
    }
}

fn answer(status: StatusCode, table: &Table, advice: Advice) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], table.json(advice)).into_response()
}

/// Open a game
#[utoipa::path(post, path = "/api/games",
    request_body(content = Opening, examples(
        ("saved" = (value = json!({"save": "novelo game 1\ninstance sliding:2x2:1,2,0,3\nseconds 1\nhints 0\ngave up no\nmoves 0, made 0\n"}))))),
    responses((status = 201, body = GameView<'_>), ErrorResponses))]
pub async fn open(State(app): State<Shared>, Body(opening): Body<Opening>) -> Result<Response, ApiError> {
    let session = match opening {
        Opening::New(New { instance }) => Session::new(instances::one(&instance, "instance")?),
        Opening::Saved(Saved { save }) => {
            let load = move |cancel: &_| Session::load_at_most(&save, MOVES, cancel);
            let loaded = app.brief.run(load).await?;
            loaded.map_err(|error| ApiError::bad(error.to_string()).field("save"))?
        }
    };
    let table = app.games.open(session)?;
    Ok(answer(StatusCode::CREATED, &table, Advice::default()))
}

/// Look at a game
#[utoipa::path(get, path = "/api/games/{token}", params(("token" = String, Path)),
    responses((status = 200, body = GameView<'_>), ErrorResponses))]
pub async fn look(State(app): State<Shared>, Path(token): Path<String>) -> Result<Response, ApiError> {
    Ok(answer(StatusCode::OK, &*app.games.find(&token)?, Advice::default()))
}

/// Play
#[utoipa::path(post, path = "/api/games/{token}", params(("token" = String, Path)), request_body = GameAction,
    responses((status = 200, body = GameView<'_>), ErrorResponses))]
pub async fn act(
    State(app): State<Shared>,
    Path(token): Path<String>,
    Body(action): Body<GameAction>,
) -> Result<Response, ApiError> {
    let table = app.games.find(&token)?;
    app.games.make_room()?;
    let advice = table.act(action, &app).await?;
    Ok(answer(StatusCode::OK, &table, advice))
}

/// Put a game away
#[utoipa::path(delete, path = "/api/games/{token}", params(("token" = String, Path)),
    responses((status = 204), ErrorResponses))]
pub async fn close(State(app): State<Shared>, Path(token): Path<String>) -> Result<StatusCode, ApiError> {
    app.games.close(&token)?;
    Ok(StatusCode::NO_CONTENT)
}
