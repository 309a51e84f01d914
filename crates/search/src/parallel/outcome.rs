//! What a search over many workers comes to.

use super::message::WorkerStats;
use super::worker::Finished;
use super::{Order, Parallel, Searched};
use crate::heuristic::Estimate;
use crate::limits::Stop;
use crate::outcome::{Answer, Outcome, solved};
use crate::problem::Problem;
use crate::stats::{Stats, Workers};
use crate::store::actions_along;

/// The outcome of what the coordinator has gathered.
pub(super) fn outcome<P: Problem, V: Estimate<P::Cost>>(
    search: &Parallel<'_, P, V>,
    finished: Finished<P>,
    stats: Stats,
) -> Searched<P> {
    let &Parallel { problem, estimator, order, .. } = search;
    let Finished { ended, path, workers } = finished;
    let WorkerStats { kept, sent, messages, idle, .. } = WorkerStats::total(&workers);
    let stats =
        Stats { workers: Some(Workers { count: workers.len(), kept, sent, messages, idle }), ..stats };
    let admissible = estimator.promise().admissible;
    let cheapest = match order {
        Order::Sum => admissible,
        Order::Depth => problem.unit_cost(),
    };
    let answer = match (path, ended) {
        (_, Err(stop)) => Answer::Stopped(stop),
        (Some(states), Ok(())) => solved(problem, actions_along(problem, &states), cheapest),
        (None, Ok(())) => Answer::Unsolvable,
    };
    // What a search that was ended has proved beyond the estimate of its start lies partly in messages that nobody has
    // read.
    let bounded = order == Order::Sum && admissible && ended != Err(Stop::Overflow);
    let start = || estimator.estimate(problem, &problem.start());
    let lower_bound = if bounded { start().and_then(V::ceil) } else { None };
    (Outcome { answer, lower_bound, stop: None, stats }.proved_by_bound(), workers)
}
