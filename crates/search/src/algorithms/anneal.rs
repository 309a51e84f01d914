//! Simulated annealing.

use super::beginning::{begin, ended};
use super::walk::{Walk, Which};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::Real;
use crate::heuristic::Estimate;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::parameter::{Kind, Parameter};
use crate::problem::Problem;
use crate::search::Guided;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "anneal",
    title: "Simulated annealing",
    about: include_str!("anneal.md"),
    complete: "no: it gives up after its steps",
    optimal: "no",
    time: "O(n) for n steps",
    space: "O(n) at worst: the path it has walked, without circles",
    needs: Needs::Heuristic,
    parameters: &[
        Parameter {
            name: "start",
            kind: Kind::Number { least: 0.0, most: 1e9 },
            default: Some("2"),
            required: false,
            about: "The temperature it begins with, in the unit of the estimate.",
        },
        Parameter {
            name: "factor",
            kind: Kind::Number { least: 0.0, most: 1.0 },
            default: Some("0.9999"),
            required: false,
            about: "What the temperature is multiplied by after each step.",
        },
        Parameter {
            name: "steps",
            kind: Kind::Integer { least: 1, most: u64::MAX },
            default: Some("100000"),
            required: false,
            about: "Steps after which it gives up.",
        },
        Parameter {
            name: "seed",
            kind: Kind::Integer { least: 0, most: u64::MAX },
            default: Some("0"),
            required: false,
            about: "What chance begins with: the same seed walks the same way.",
        },
    ],
    lesson: Some(&Lesson { next: Next::Newest, pseudocode: include_str!("anneal.txt") }),
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
    start: Real,
    factor: Real,
    steps: u64,
    seed: u64,
) -> OutcomeOf<P> {
    match begin(&search, meter) {
        Ok(h) => {
            let mut walk = Walk::new(search, h, seed, meter);
            let found = cool(&mut walk, start.get(), factor.get(), steps);
            walk.outcome(found)
        }
        Err(answer) => ended(answer, None, meter),
    }
}

fn cool<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    walk: &mut Walk<'_, P, V, O>,
    start: f64,
    factor: f64,
    steps: u64,
) -> Result<bool, Stop> {
    let mut ahead = Vec::new();
    let mut temperature = start;
    let mut restarts = 0;
    // Refusals in a row: where they are many, it is asked whether any action leads on.
    let mut stuck = 0;
    for _ in 0..steps {
        walk.expand(Which::Any, &mut ahead)?;
        let before = walk.here().h.to_f64();
        stuck += 1;
        if let Some(next) = ahead.pop() {
            let rise = next.h.to_f64() - before;
            // Between 0 and 1, in steps of 2^-53.
            let chance = (walk.random.next_u64() >> 11) as f64 * f64::powi(2.0, -53);
            if rise <= 0.0 || chance < (-rise / temperature).exp() {
                walk.go(next);
                stuck = 0;
            }
        }
        if walk.problem.is_goal(&walk.here().state) {
            return Ok(true);
        }
        if stuck == LOOK_AROUND {
            stuck = 0;
            walk.expand(Which::All, &mut ahead)?;
            if ahead.is_empty() {
                restarts += 1;
                walk.restart(restarts);
            }
            ahead.clear();
        }
        temperature *= factor;
    }
    Ok(false)
}

/// After so many steps in vain it looks whether it is at a dead end, and then goes back to the start.
const LOOK_AROUND: u32 = 16;
