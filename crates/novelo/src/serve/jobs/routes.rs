//! The addresses of jobs.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde::Deserialize;

use super::job::{Job, JobView};
use super::order::Order;
use crate::serve::api_error::{ApiError, ErrorResponses};
use crate::serve::app::Shared;
use crate::serve::body::Body;

/// No more than ten events a second.
const PACE: Duration = Duration::from_millis(100);
const KEEP_ALIVE: Duration = Duration::from_secs(15);

fn answer(status: StatusCode, job: &Job) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], job.json().0).into_response()
}

/// Hand a job in
#[utoipa::path(post, path = "/api/jobs",
    request_body(content = Order, examples(
        ("solve" = (value = json!({"kind": "solve", "instance": "sliding:3x3:8,6,7,2,5,4,3,0,1",
            "run": {"algorithm": "astar", "heuristic": "manhattan"}, "limits": {"seconds": 1.0}}))),
        ("trace" = (value = json!({"kind": "trace", "instance": "mazes:6x6:2xx2/5x/6/6/6/6",
            "run": {"algorithm": "dfs"}, "nodes": 100}))),
        ("race" = (value = json!({"kind": "race", "instance": "boxes:2x2:2:a04",
            "runs": [{"algorithm": "bfs"}, {"algorithm": "auto"}]}))),
        ("compare" = (value = json!({"kind": "compare", "instances": ["numbrix:3x3:1c5_4b9"],
            "runs": [{"algorithm": "dfs"}, {"algorithm": "greedy"}], "repeat": 2}))),
        ("audit" = (value = json!({"kind": "audit", "puzzle": "boxes", "heuristic": "zero", "size": "2x2"}))))),
    responses((status = 202, body = JobView<'_>), ErrorResponses))]
pub async fn submit(State(app): State<Shared>, Body(order): Body<Order>) -> Result<Response, ApiError> {
    let job = app.jobs.submit(order.task(&app.limits)?)?;
    Ok(answer(StatusCode::ACCEPTED, &job))
}

/// How a job is
#[utoipa::path(get, path = "/api/jobs/{id}", params(("id" = String, Path)),
    responses((status = 200, body = JobView<'_>), ErrorResponses))]
pub async fn look(State(app): State<Shared>, Path(id): Path<String>) -> Result<Response, ApiError> {
    Ok(answer(StatusCode::OK, &*app.jobs.find(&id)?))
}

/// Give a job up
#[utoipa::path(delete, path = "/api/jobs/{id}", params(("id" = String, Path)),
    responses((status = 200, body = JobView<'_>), ErrorResponses))]
pub async fn cancel(State(app): State<Shared>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let job = app.jobs.find(&id)?;
    app.jobs.cancel(&job);
    Ok(answer(StatusCode::OK, &job))
}

/// Watch a job: an event `job` with the job as data at every change
#[utoipa::path(get, path = "/api/jobs/{id}/events", params(("id" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String), ErrorResponses))]
pub async fn events(
    State(app): State<Shared>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let job = app.jobs.find(&id)?;
    let events = watch(&job, &app);
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

fn watch(job: &Arc<Job>, app: &Shared) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let mut changes = job.changes();
    changes.mark_changed();
    let start = (Arc::clone(job).watched(), changes, app.closing.clone(), Seen::Nothing);
    stream::unfold(start, |(watcher, mut changes, mut closing, seen)| async move {
        if seen == Seen::TheLast {
            return None;
        }
        tokio::select! {
            changed = changes.changed() => changed.ok()?,
            _ = closing.wait_for(|&closing| closing) => return None,
        }
        if seen == Seen::Something && !watcher.0.state().is_final() {
            tokio::time::sleep(PACE).await;
        }
        let version = *changes.borrow_and_update();
        let (text, last) = watcher.0.json();
        let seen = if last { Seen::TheLast } else { Seen::Something };
        let event = Event::default().event("job").id(version.to_string()).data(text);
        Some((Ok(event), (watcher, changes, closing, seen)))
    })
}

/// What a watcher has seen of a job.
#[derive(PartialEq)]
enum Seen {
    Nothing,
    Something,
    TheLast,
}

/// How to send a file.
#[derive(Deserialize)]
pub struct Sending {
    download: Option<String>,
}

/// A file of a job's result
#[utoipa::path(get, path = "/api/jobs/{id}/files/{name}",
    params(("id" = String, Path), ("name" = String, Path), ("download" = Option<String>, Query)),
    responses((status = 200, description = "The file", content_type = "image/svg+xml", body = String),
        ErrorResponses))]
pub async fn file(
    State(app): State<Shared>,
    Path((id, name)): Path<(String, String)>,
    Query(sending): Query<Sending>,
) -> Result<Response, ApiError> {
    let file =
        app.jobs.find(&id)?.file(&name).ok_or_else(|| ApiError::missing("this job has no such file"))?;
    let kind = format!("{}; charset=utf-8", file.kind);
    let mut response = ([(header::CONTENT_TYPE, kind)], file.text.to_string()).into_response();
    // A page made elsewhere than here is never shown under this address.
    if sending.download.is_some() || file.kind == "text/html" {
        let value = format!("attachment; filename=\"{}\"", file.name).parse().expect("file names are plain");
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}
