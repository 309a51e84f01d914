//! Whether the server is well.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::api_error::ErrorResponses;
use super::app::Shared;

/// Whether the server is well.
#[derive(Serialize, ToSchema)]
pub struct Health {
    status: &'static str,
    version: &'static str,
    /// Games that are kept.
    games: usize,
    /// Jobs being done.
    jobs: usize,
    /// Jobs waiting.
    queued: usize,
}

/// Whether the server is well
#[utoipa::path(get, path = "/api/health", responses((status = 200, body = Health), ErrorResponses))]
pub async fn health(State(app): State<Shared>) -> Json<Health> {
    let (queued, jobs) = app.jobs.load();
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION"), games: app.games.count(), jobs, queued })
}
