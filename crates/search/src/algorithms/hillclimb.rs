//! Hill climbing.

use super::beginning::{begin, ended};
use super::walk::{Walk, Which};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::Estimate;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::parameter::{Kind, Parameter};
use crate::problem::Problem;
use crate::search::Guided;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "hillclimb",
    title: "Hill climbing with random restarts",
    about: include_str!("hillclimb.md"),
    complete: "no: it gives up after its restarts",
    optimal: "no",
    time: "O(b·l) a climb of l steps, times the restarts",
    space: "O(b + l)",
    needs: Needs::Heuristic,
    parameters: &[
        Parameter {
            name: "restarts",
            kind: Kind::Integer { least: 0, most: 4_000_000_000 },
            default: Some("1000"),
            required: false,
            about: "How often it begins again before it gives up.",
        },
        Parameter {
            name: "walk",
            kind: Kind::Integer { least: 1, most: 1_000_000 },
            default: Some("20"),
            required: false,
            about: "A climb after the first begins at the end of a random walk from the start, of one to so many actions.",
        },
        Parameter {
            name: "seed",
            kind: Kind::Integer { least: 0, most: u64::MAX },
            default: Some("0"),
            required: false,
            about: "What chance begins with: the same seed walks the same ways.",
        },
    ],
    lesson: Some(&Lesson { next: Next::LeastEstimate, pseudocode: include_str!("hillclimb.txt") }),
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
    restarts: u32,
    walk: u32,
    seed: u64,
) -> OutcomeOf<P> {
    match begin(&search, meter) {
        Ok(h) => {
            let mut climber = Walk::new(search, h, seed, meter);
            let found = climb_often(&mut climber, restarts, walk);
            climber.outcome(found)
        }
        Err(answer) => ended(answer, None, meter),
    }
}

fn climb_often<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    climber: &mut Walk<'_, P, V, O>,
    restarts: u32,
    walk: u32,
) -> Result<bool, Stop> {
    let mut ahead = Vec::new();
    if climb(climber)? {
        return Ok(true);
    }
    for number in 1..=restarts {
        climber.restart(number);
        for _ in 0..=climber.random.below(walk as usize) {
            climber.expand(Which::Any, &mut ahead)?;
            ahead.drain(..).for_each(|place| climber.go(place));
            if climber.problem.is_goal(&climber.here().state) {
                return Ok(true);
            }
        }
        if climb(climber)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Goes to the best successor as long as that is better than where it is; whether there is a goal.
fn climb<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    climber: &mut Walk<'_, P, V, O>,
) -> Result<bool, Stop> {
    let mut ahead = Vec::new();
    loop {
        ahead.clear();
        climber.expand(Which::All, &mut ahead)?;
        let goal = ahead.iter().position(|place| climber.problem.is_goal(&place.state));
        let best = goal.or_else(|| (0..ahead.len()).min_by_key(|&i| ahead[i].h));
        match best {
            Some(best) if goal.is_some() || ahead[best].h < climber.here().h => {
                climber.go(ahead.swap_remove(best));
            }
            _ => return Ok(false),
        }
        if goal.is_some() {
            return Ok(true);
        }
    }
}
