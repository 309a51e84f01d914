//! Iterative deepening.

use super::backtrack::{Descent, Ending, Path, Root};
use super::dls::PathCheck;
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::Zero;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::{Answer, Outcome, OutcomeOf, solved};
use crate::problem::Problem;
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "ids",
    title: "Iterative deepening",
    about: include_str!("ids.md"),
    complete: "yes, if each state has finitely many actions",
    optimal: "if every action costs the same",
    time: "O(b^d)",
    space: "O(b·d)",
    needs: Needs::Nothing,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::Newest, pseudocode: include_str!("ids.txt") }),
};

pub(crate) fn search<P: Problem, O: Observer<P>>(
    search: Search<'_, P, Zero, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    let Search { problem, settings, mut observer, .. } = search;
    let mut counter = meter.counter();
    meter.note_root();
    let mut path = Path::new();
    let mut guard = PathCheck::new();
    let deepest = meter.limits().depth.unwrap_or(u32::MAX);
    let answer = if problem.is_goal(&problem.start()) {
        solved(problem, Vec::new(), true)
    } else {
        let mut depth = 1;
        loop {
            if depth > deepest {
                break Answer::Stopped(Stop::Depth);
            }
            observer.iteration(f64::from(depth));
            guard.clear();
            let mut descent = Descent {
                problem,
                guard: &mut guard,
                observer: &mut observer,
                shuffle: settings.shuffle,
                depth_limit: depth,
                bound: Some(f64::from(depth)),
            };
            match descent.run(Root::start(problem, ()), &mut path, &mut counter) {
                Ok(Ending::Found(path)) => break solved(problem, path, problem.unit_cost()),
                Ok(Ending::Exhausted { cut: false }) => break Answer::Unsolvable,
                Ok(Ending::Exhausted { cut: true }) => depth += 1,
                Err(stop) => break Answer::Stopped(stop),
            }
        }
    };
    counter.finish(&path);
    Outcome { answer, lower_bound: None, stop: None, stats: meter.stats() }.proved_by_bound()
}
