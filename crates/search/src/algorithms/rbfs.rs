//! Recursive best-first search.

use super::beginning::{begin_bounded, ended};
use super::siblings::{Sibling, Siblings};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::Estimate;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Meter};
use crate::observer::Observer;
use crate::outcome::{Answer, OutcomeOf, solved};
use crate::problem::Problem;
use crate::search::Guided;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "rbfs",
    title: "Recursive best-first search",
    about: include_str!("rbfs.md"),
    complete: "yes, if there are finitely many states, or a solution and no endless path that is free",
    optimal: "if the heuristic is admissible",
    time: "O(b^d) at worst, and more where many costs differ; with a good heuristic far less",
    space: "O(b·d)",
    needs: Needs::Heuristic,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::LeastSum, pseudocode: include_str!("rbfs.txt") }),
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    let h = match begin_bounded(&search, meter) {
        Ok(h) => h,
        Err(answer) => return ended(answer, None, meter),
    };
    let problem = search.problem;
    let siblings = Siblings::new(search, h, meter.limits().depth);
    let mut recursion = Recursion { siblings, bounds: Vec::new(), least: h };
    let mut counter = meter.counter();
    let found = recursion.run(&mut counter);
    counter.finish(&recursion.siblings);
    let Recursion { siblings, least, .. } = recursion;
    let answer = match found {
        Ok(Some(path)) => solved(problem, path, false),
        Ok(None) if siblings.overflow => Answer::Stopped(Stop::Overflow),
        Ok(None) if siblings.cut => Answer::Stopped(Stop::Depth),
        Ok(None) => Answer::Unsolvable,
        Err(stop) => Answer::Stopped(stop),
    };
    ended(answer, least.ceil().filter(|_| siblings.admissible), meter)
}

/// The recursion, as a loop over the path.
struct Recursion<'s, P: Problem, V, O> {
    siblings: Siblings<'s, P, V, O>,
    /// For each state of the path, the least value of a node that is open elsewhere: it is left when all below it is worth
    /// more. `None` where nothing is open elsewhere.
    bounds: Vec<Option<V>>,
    /// What no solution costs less than, if the heuristic is admissible.
    least: V,
}

impl<P: Problem, V: Estimate<P::Cost>, O: Observer<P>> Recursion<'_, P, V, O> {
    fn run(&mut self, counter: &mut Counter<'_>) -> Result<Option<Vec<P::Action>>, Stop> {
        self.expand(0, self.least, None, counter)?;
        while let Some((above, first)) = self.siblings.deepest() {
            let bound = self.bounds.last().copied().flatten();
            let (best, second) = least_two(&self.siblings.nodes[first..]);
            match best {
                Some((place, value)) if bound.is_none_or(|bound| !value.exceeds(bound)) => {
                    let bound = [bound, second].into_iter().flatten().min();
                    self.prove(bound.map_or(value, |bound| bound.min(value)));
                    let at = first + place;
                    if self.siblings.problem.is_goal(&self.siblings.nodes[at].state) {
                        return Ok(Some(self.siblings.path_to(at)));
                    }
                    self.expand(at, value, bound, counter)?;
                }
                _ => {
                    self.siblings.leave();
                    self.bounds.pop();
                    self.siblings.nodes[above].value = best.map(|(_, value)| value);
                }
            }
        }
        Ok(None)
    }

    /// Goes down to a node. What is known of it holds for its successors.
    #[inline]
    fn expand(
        &mut self,
        at: usize,
        known: V,
        bound: Option<V>,
        counter: &mut Counter<'_>,
    ) -> Result<(), Stop> {
        self.siblings.expand(at, counter, Frontier::F(known.to_f64()), |_, _, f| Ok(f.max(known)))?;
        self.bounds.push(bound);
        Ok(())
    }

    /// Every open node is worth so much, and those that a depth limit has kept out are none.
    #[inline]
    fn prove(&mut self, least: V) {
        if !self.siblings.cut && least > self.least {
            self.least = least;
        }
    }
}

/// The first of the least values, with its place, and the least of the others.
#[inline]
fn least_two<P: Problem, V: Copy + Ord>(siblings: &[Sibling<P, V>]) -> (Option<(usize, V)>, Option<V>) {
    let (mut best, mut second): (Option<(usize, V)>, Option<V>) = (None, None);
    for (place, sibling) in siblings.iter().enumerate() {
        let Some(value) = sibling.value else { continue };
        match best {
            Some((_, least)) if least <= value => {
                second = Some(second.map_or(value, |known| known.min(value)));
            }
            _ => {
                second = best.map(|(_, least)| least);
                best = Some((place, value));
            }
        }
    }
    (best, second)
}
