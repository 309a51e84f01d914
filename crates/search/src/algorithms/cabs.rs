//! Complete anytime beam search.

use super::beam::{Beams, Ended};
use super::beginning::{begin, settle};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::Estimate;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::search::Guided;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "cabs",
    title: "Complete anytime beam search",
    about: include_str!("cabs.md"),
    complete: "yes, if there are finitely many states",
    optimal: "if the heuristic is admissible, and it ends by itself",
    time: "O(b^d) at worst; a first solution usually far sooner than A*",
    space: "as much as time at worst: every state that the widest beam kept",
    needs: Needs::Heuristic,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::Oldest, pseudocode: include_str!("cabs.txt") }),
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    mut search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    match begin(&search, meter) {
        Ok(h) => {
            let mut beams = Beams::new(search, h, meter);
            let ended = widen(&mut beams);
            beams.outcome(ended)
        }
        Err(answer) => settle(answer, std::mem::take(&mut search.incumbent), meter),
    }
}

/// Beams of doubling widths, until the best solution is the cheapest or a beam had room for everything.
fn widen<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    beams: &mut Beams<'_, P, V, O>,
) -> Result<Ended, Stop> {
    let mut width = 1;
    loop {
        beams.observer.iteration(width as f64);
        let ended = beams.run(width)?;
        if ended == (Ended::Empty { dropped: false }) || beams.incumbent.is_optimal() {
            return Ok(ended);
        }
        width *= 2;
    }
}
