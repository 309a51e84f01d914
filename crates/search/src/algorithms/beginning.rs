//! How guided searches begin and end: what the start alone tells, and what a run comes to.

use crate::cost::Cost;
use crate::heuristic::Estimate;
use crate::incumbent::Incumbent;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::{Answer, Outcome, solved};
use crate::problem::Problem;
use crate::search::Guided;

/// Whether a value is a number that sums and bounds can be made of.
#[inline]
pub(super) fn is_finite<C, V: Estimate<C>>(value: V) -> bool {
    V::WHOLE || value.to_f64() < f64::INFINITY
}

/// Counts the root. The estimate of the start, or the answer where the start alone has it: it is a goal, or a dead end.
pub(super) fn begin<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: &Guided<'_, P, V, O>,
    meter: &Meter<'_>,
) -> Result<V, Answer<P::Action, P::Cost>> {
    let Guided { problem, heuristic, .. } = search;
    let start = problem.start();
    meter.note_root();
    match heuristic.estimate(problem, &start) {
        None => Err(Answer::Unsolvable),
        Some(_) if problem.is_goal(&start) => Err(solved(*problem, Vec::new(), true)),
        Some(h) if heuristic.promise().admissible && !is_finite(h) => Err(Answer::Unsolvable),
        Some(h) => Ok(h),
    }
}

/// The same for those that make bounds of estimates.
pub(super) fn begin_bounded<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: &Guided<'_, P, V, O>,
    meter: &Meter<'_>,
) -> Result<V, Answer<P::Action, P::Cost>> {
    begin(search, meter).and_then(|h| if is_finite(h) { Ok(h) } else { Err(Answer::Stopped(Stop::Overflow)) })
}

/// What a run comes to that has this answer, and has proved a bound.
pub(super) fn ended<A, C: Cost>(
    answer: Answer<A, C>,
    lower_bound: Option<C>,
    meter: &Meter<'_>,
) -> Outcome<A, C> {
    Outcome { answer, lower_bound, stop: None, stats: meter.stats() }.proved_by_bound()
}

/// The same for one that would have told of its solutions, where the start alone has the answer.
pub(super) fn settle<A, C: Cost>(
    answer: Answer<A, C>,
    mut incumbent: Incumbent<'_, A, C>,
    meter: &Meter<'_>,
) -> Outcome<A, C> {
    match answer {
        Answer::Solved(solution) => {
            // There is no run left for a listener to end.
            let _ = incumbent.offer(solution.path, solution.cost, meter);
            let best = incumbent.into_solution().map_or(Answer::Unsolvable, Answer::Solved);
            ended(best, None, meter)
        }
        other => ended(other, None, meter),
    }
}
