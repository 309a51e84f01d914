//! The best scores.

use std::sync::PoisonError;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::api_error::{ApiError, ErrorResponses};
use super::app::Shared;
use crate::keep::Score;

/// The best scores, of each puzzle and size the best first.
#[derive(Serialize, ToSchema)]
pub struct Scores {
    scores: Vec<Entry>,
}

#[derive(Serialize, ToSchema)]
struct Entry {
    puzzle: String,
    size: String,
    #[serde(flatten)]
    #[schema(value_type = Object)]
    score: Score,
}

/// The best scores
#[utoipa::path(get, path = "/api/scores", responses((status = 200, body = Scores), ErrorResponses))]
pub async fn scores(State(app): State<Shared>) -> Result<Json<Scores>, ApiError> {
    let place = app.clone();
    let read = move |_: &_| app.keep.lock().unwrap_or_else(PoisonError::into_inner).scores().0;
    let table = place.brief.run(read).await?;
    let entries = table.into_iter().flat_map(|(kind, scores)| {
        let (puzzle, size) = kind.split_once(' ').unwrap_or((&kind, ""));
        let (puzzle, size) = (puzzle.to_owned(), size.to_owned());
        scores.into_iter().map(move |score| Entry { puzzle: puzzle.clone(), size: size.clone(), score })
    });
    Ok(Json(Scores { scores: entries.collect() }))
}
