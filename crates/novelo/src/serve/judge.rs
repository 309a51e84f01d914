//! What can be said of a board that somebody made: whether it has a solution, whether only one, and how hard it is.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use novelo_puzzles::{Choice, Ending, Instance, Method, Report, Request, RequestError};
use novelo_search::{Algorithm, Control, Limits, Meter, Settings};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::api_error::{ApiError, ErrorResponses};
use super::app::Shared;
use super::body::Body;
use super::instances;
use crate::commands::solve::refused;
use crate::folders;

/// The longest that each of the three questions may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// The most bytes that each may take.
const MEMORY: usize = 256 << 20;

/// A board to be judged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    #[schema(example = "numbrix:3x3:1c5_4b9")]
    instance: String,
}

/// What was found out about a board.
#[derive(Serialize, ToSchema)]
pub struct Judgement {
    /// `solved`, `unsolvable`, or `stopped` if neither was found out in time.
    #[schema(value_type = String)]
    outcome: Ending,
    /// A sentence on why, where there is one.
    reason: Option<String>,
    cost: Option<u32>,
    /// Whether no solution is cheaper.
    optimal: bool,
    /// Whether the solution is the only one; null where that was not found out, or solutions are not counted.
    unique: Option<bool>,
    /// How many states A* expands, guided by the puzzle's usual heuristic, or had when it was ended.
    expanded: Option<u64>,
    /// Whether it came to its end.
    complete: bool,
}

/// Judge a board
#[utoipa::path(post, path = "/api/judge", request_body = Question,
    responses((status = 200, body = Judgement), ErrorResponses))]
pub async fn judge(
    State(app): State<Shared>,
    Body(question): Body<Question>,
) -> Result<Json<Judgement>, ApiError> {
    let instance = instances::one(&question.instance, "instance")?;
    let threads = app.limits.threads;
    let judged = app.brief.run(move |cancel| judged(&*instance, threads, cancel));
    judged.await?.map(Json)
}

fn judged(instance: &dyn Instance, threads: usize, cancel: &AtomicBool) -> Result<Judgement, ApiError> {
    let limits = Limits { time: Some(PATIENCE), memory: Some(MEMORY), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let request = Request { settings, threads: Some(threads), cache: folders::cache(), ..Request::default() };
    let solved = |request: &Request| -> Result<Report, ApiError> {
        let attempt = instance.solve(request, Control::cancelled_by(cancel))?;
        Report::new(instance, request, attempt)
            .map_err(|verdict| ApiError::impossible(refused(instance, &verdict).to_string()))
    };
    let best = solved(&request)?;
    let unique = match best.outcome {
        Ending::Solved if instance.puzzle().info().counts_solutions => {
            only_one(instance, &Meter::new(limits, Control::cancelled_by(cancel)))?
        }
        _ => None,
    };
    let astar = Choice::Method(Method::Engine(Algorithm::AStar));
    let search = match best.outcome {
        Ending::Solved => Some(solved(&Request { algorithm: astar, threads: None, ..request })?),
        _ => None,
    };
    Ok(Judgement {
        outcome: best.outcome,
        reason: best.reason,
        cost: best.cost,
        optimal: best.optimal,
        unique,
        expanded: search.as_ref().and_then(|report| report.expanded),
        complete: search.is_some_and(|report| report.outcome == Ending::Solved),
    })
}

/// Whether there is one solution and no other; none if that was not found out.
fn only_one(instance: &dyn Instance, meter: &Meter<'_>) -> Result<Option<bool>, RequestError> {
    let found = instance.enumerate(2, 0, meter)?;
    Ok(if found.count > 1 { Some(false) } else { found.exact.then_some(true) })
}
