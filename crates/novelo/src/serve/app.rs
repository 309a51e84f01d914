//! What all requests share, and the addresses they go to.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::api_error::{ApiError, ErrorBody};
use super::brief::Brief;
use super::games::{self, Games};
use super::guard::{Admission, guard};
use super::jobs::{self, JobQueue};
use super::{body, health, instances, judge, page, registry, scores, views};

use crate::keep::Keep;

/// What the server may use.
pub struct Limits {
    /// Jobs at once.
    pub jobs: usize,
    /// Bytes of one job.
    pub memory: usize,
    /// Time of one job.
    pub time: Duration,
    /// Threads of one job.
    pub threads: usize,
    /// Bytes that the folder of tables may come to.
    pub cache: u64,
}

/// What all requests share.
pub struct App {
    pub limits: Limits,
    pub jobs: Arc<JobQueue>,
    pub games: Games,
    /// Best scores; one at a time may change them.
    pub keep: Mutex<Keep>,
    pub brief: Brief,
    /// Becomes true when the server shuts down.
    pub closing: watch::Receiver<bool>,
}

/// The shared state.
pub type Shared = Arc<App>;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "novelo",
        description = "Solve, generate, play and study single-player puzzles. Errors are sentences."
    ),
    components(schemas(ErrorBody))
)]
struct Document;

/// All addresses, for those who are admitted.
pub fn router(app: Shared, admission: Arc<Admission>) -> Router {
    let (router, mut document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(health::health))
        .routes(routes!(registry::registry))
        .routes(routes!(instances::read))
        .routes(routes!(instances::generate))
        .routes(routes!(views::views))
        .routes(routes!(judge::judge))
        .routes(routes!(scores::scores))
        .routes(routes!(games::routes::open))
        .routes(routes!(games::routes::look, games::routes::act, games::routes::close))
        .routes(routes!(jobs::routes::submit))
        .routes(routes!(jobs::routes::look, jobs::routes::cancel))
        .routes(routes!(jobs::routes::events))
        .routes(routes!(jobs::routes::file))
        .with_state(app)
        .split_for_parts();
    games::routes::add_examples(&mut document);
    let document = Arc::new(document);
    router
        .route("/api/openapi.json", get(move || async move { Json((*document).clone()) }))
        .fallback(page::serve)
        .method_not_allowed_fallback(async || {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this address is not used that way")
        })
        .layer(DefaultBodyLimit::max(body::LONGEST))
        .layer(CatchPanicLayer::custom(|_| -> Response {
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error: this fault is the program's")
                .into_response()
        }))
        .layer(from_fn_with_state(admission, guard))
}
