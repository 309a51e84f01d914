//! Iterative budgeted exponential search, in its form for trees: budgeted tree search.
//!
//! IDA* raises its bound to the smallest f beyond it. Where nearly every node has an f of its own, an iteration adds nearly
//! nothing to the one before: n iterations, n² expansions. Here each bound is to add enough: at least twice and at most
//! eight times the expansions that the bound before needed. It is looked for by bounds that go up exponentially, then by
//! halving what is left, and no try may take more than those eight times, so that one beyond the optimal cost does no harm.

use super::beginning::{begin_bounded, settle};
use super::siblings::Siblings;
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::{Cost as _, ROUNDING};
use crate::heuristic::Estimate;
use crate::incumbent::Incumbent;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Meter};
use crate::observer::{Fate, Observer};
use crate::outcome::{Answer, Outcome, OutcomeOf};
use crate::problem::Problem;
use crate::search::Guided;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "ibex",
    title: "Iterative budgeted exponential search",
    about: include_str!("ibex.md"),
    complete: "yes, if there are finitely many states, or a solution and no endless path that is free",
    optimal: "if the heuristic is admissible",
    time: "O(n log C*) for n paths whose f does not exceed the optimal cost, where IDA* takes up to n^2",
    space: "O(b·d)",
    needs: Needs::Heuristic,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::Newest, pseudocode: include_str!("ibex.txt") }),
};

/// A bound is raised until it takes so many times the expansions of the last one,
const LEAST_GROWTH: u64 = 2;
/// and a try is ended when it takes so many times as many.
const MOST_GROWTH: u64 = 8;

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    mut search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    let mut incumbent = std::mem::take(&mut search.incumbent);
    let h = match begin_bounded(&search, meter) {
        Ok(h) => h,
        Err(answer) => return settle(answer, incumbent, meter),
    };
    if search.heuristic.promise().admissible {
        h.ceil().into_iter().for_each(|least| incumbent.prove(least));
    }
    let siblings = Siblings::new(search, h, meter.limits().depth);
    let counter = meter.counter();
    let lower = h.plus(P::Cost::ZERO).unwrap_or(h);
    Tries { siblings, incumbent, meter, counter, lower, next: Vec::new() }.outcome()
}

/// How a search within a bound ended.
enum Try<V> {
    /// All within the bound was followed, with so many expansions; the least f beyond it, if there is one.
    Complete { expanded: u64, beyond: Option<V> },
    /// It took too many expansions; the largest f that it met within the bound.
    Exceeded { highest: f64 },
    /// The best solution is known to be the cheapest.
    Settled,
}

/// Whether more is to be searched.
enum Left {
    Something,
    Nothing,
}

struct Tries<'s, P: Problem, V, O> {
    siblings: Siblings<'s, P, V, O>,
    incumbent: Incumbent<'s, P::Action, P::Cost>,
    meter: &'s Meter<'s>,
    counter: Counter<'s>,
    /// The least f that was not followed.
    lower: V,
    /// For each state of the path, the next of its successors.
    next: Vec<usize>,
}

impl<P: Problem, V: Estimate<P::Cost>, O: Observer<P>> Tries<'_, P, V, O> {
    fn outcome(mut self) -> OutcomeOf<P> {
        let ended = self.run();
        let Self { siblings, mut incumbent, counter, meter, .. } = self;
        counter.finish(&siblings);
        if ended.is_ok() && siblings.admissible && !siblings.cut && !siblings.overflow {
            incumbent.prove_best();
        }
        let lower_bound = incumbent.lower_bound().filter(|_| ended != Err(Stop::Overflow));
        let answer = match (incumbent.into_solution(), ended) {
            (Some(best), _) => Answer::Solved(best),
            (None, Err(stop)) => Answer::Stopped(stop),
            (None, Ok(())) if siblings.overflow => Answer::Stopped(Stop::Overflow),
            (None, Ok(())) if siblings.cut => Answer::Stopped(Stop::Depth),
            (None, Ok(())) => Answer::Unsolvable,
        };
        Outcome { answer, lower_bound, stop: ended.err(), stats: meter.stats() }.proved_by_bound()
    }

    /// Raises the bound until the best solution is the cheapest, or nothing lies beyond.
    fn run(&mut self) -> Result<(), Stop> {
        let mut budget = 0;
        while let Left::Something = self.raise(&mut budget)? {}
        Ok(())
    }

    /// One raise of the bound, by about the expansions of the budget, which grows.
    fn raise(&mut self, budget: &mut u64) -> Result<Left, Stop> {
        // No solution is cheaper than the least f, so this takes no more than must be.
        let mut expanded = match self.within(self.lower.to_f64(), None)? {
            Try::Complete { expanded, beyond } => match self.go_on(beyond) {
                Left::Something => expanded,
                Left::Nothing => return Ok(Left::Nothing),
            },
            _ => return Ok(Left::Nothing),
        };
        let (enough, most) = (budget.saturating_mul(LEAST_GROWTH), budget.saturating_mul(MOST_GROWTH));
        let mut upper = f64::INFINITY;
        let mut step = (self.lower.to_f64() * f64::powi(2.0, -20)).max(1.0);
        while expanded < enough && self.lower.to_f64() < upper {
            let lower = self.lower.to_f64();
            let bound = if upper == f64::INFINITY {
                step *= 2.0;
                lower + step / 2.0
            } else {
                let middle = f64::midpoint(lower, upper);
                let middle = if V::WHOLE { middle.floor() } else { middle };
                if middle < upper { middle.max(lower) } else { lower }
            };
            match self.within(bound, Some(most))? {
                Try::Complete { expanded: count, beyond } => {
                    expanded = count;
                    if let Left::Nothing = self.go_on(beyond) {
                        return Ok(Left::Nothing);
                    }
                }
                Try::Exceeded { highest } => upper = highest.min(bound),
                Try::Settled => return Ok(Left::Nothing),
            }
        }
        *budget = expanded.max(enough).max(1);
        Ok(Left::Something)
    }

    /// Notes the least f beyond a bound within which all was followed.
    fn go_on(&mut self, beyond: Option<V>) -> Left {
        let Some(beyond) = beyond else { return Left::Nothing };
        self.lower = self.lower.max(beyond);
        if self.siblings.admissible && !self.siblings.cut {
            self.lower.ceil().into_iter().for_each(|least| self.incumbent.prove(least));
        }
        if self.is_settled() { Left::Nothing } else { Left::Something }
    }

    /// Whether the best solution costs no more than the least f that was not followed.
    fn is_settled(&self) -> bool {
        let least = self.lower.ceil();
        self.incumbent.cost().is_some_and(|cost| least.is_none_or(|least| cost.reaches(least)))
    }

    /// Follows all paths within a bound that may lead to something cheaper than the best solution.
    fn within(&mut self, bound: f64, most: Option<u64>) -> Result<Try<V>, Stop> {
        let Self { siblings, incumbent, counter, next, .. } = self;
        while siblings.deepest().is_some() {
            siblings.leave();
        }
        next.clear();
        siblings.observer.iteration(bound);
        let edge = if V::WHOLE { bound } else { bound + ROUNDING * bound.abs() };
        let began = counter.expanded;
        let admissible = siblings.admissible;
        let mut beyond: Option<V> = None;
        let mut highest = self.lower;
        let mut at = 0;
        loop {
            if most.is_some_and(|most| counter.expanded - began >= most) {
                return Ok(Try::Exceeded { highest: highest.to_f64() });
            }
            siblings.expand(at, counter, Frontier::Bound(bound), |g, h, f| {
                if incumbent.beats(g, admissible.then_some(h)) {
                    Err(Fate::Cut)
                } else if f.to_f64() > edge {
                    beyond = Some(beyond.map_or(f, |least| least.min(f)));
                    Err(Fate::Cut)
                } else {
                    highest = highest.max(f);
                    Ok(f)
                }
            })?;
            next.push(siblings.deepest().map_or(0, |(_, first)| first));
            at = loop {
                let Some(place) = next.last_mut() else {
                    return Ok(Try::Complete { expanded: counter.expanded - began, beyond });
                };
                if *place == siblings.nodes.len() {
                    siblings.leave();
                    next.pop();
                    continue;
                }
                let at = *place;
                *place += 1;
                let node = &siblings.nodes[at];
                // The best solution may have come since it was kept.
                if incumbent.beats(node.g, admissible.then_some(node.h)) {
                    continue;
                }
                if !siblings.problem.is_goal(&node.state) {
                    break at;
                }
                let (path, cost) = (siblings.path_to(at), node.g);
                incumbent.offer(path, cost, self.meter)?;
                let least = self.lower.ceil();
                if least.is_none_or(|least| cost.reaches(least)) {
                    return Ok(Try::Settled);
                }
            };
        }
    }
}
