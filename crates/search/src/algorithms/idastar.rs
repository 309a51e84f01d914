//! IDA*.

use super::backtrack::{Descent, Ending, Guard, Path};
use super::{AlgorithmInfo, Needs};
use crate::control::Meter;
use crate::heuristic::{Estimate, Heuristic};
use crate::limits::Stop;
use crate::observer::{Fate, Observer};
use crate::outcome::{Answer, Outcome, Solution};
use crate::problem::{Cost, Problem};
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "idastar",
    title: "Iterative deepening A*",
    about: "Depth-first search that turns back where f = g + h exceeds a bound, repeated with the \
            smallest f that did (Korf, 1985). It proves what A* proves in the memory of one path, at \
            the price of expanding states again.",
    complete: "yes, if a solution exists and no cycle is free",
    optimal: "if the heuristic is admissible",
    time: "O(b^d) at worst; with a good heuristic far less",
    space: "O(b·d)",
    needs: Needs::Heuristic,
};

/// Turns back where f exceeds the bound, and notes the smallest f that did.
struct Bound<'h, H, E> {
    heuristic: &'h H,
    bound: E,
    next: E,
}

impl<H, E: Estimate> Bound<'_, H, E> {
    #[inline(always)]
    fn within<P: Problem>(&mut self, _: &P, memo: H::Memo, g: Cost) -> Result<H::Memo, Fate>
    where
        H: Heuristic<P, Value = E>,
    {
        let f = self.heuristic.value(&memo).plus(g);
        if f > self.bound {
            self.next = self.next.min(f);
            return Err(Fate::Cut);
        }
        Ok(memo)
    }
}

impl<P: Problem, H: Heuristic<P>> Guard<P> for Bound<'_, H, H::Value> {
    type Memo = H::Memo;

    #[inline(always)]
    fn admit(
        &mut self,
        problem: &P,
        parent: &H::Memo,
        state: &P::State,
        action: P::Action,
        undo: &P::Undo,
        g: Cost,
    ) -> Result<H::Memo, Fate> {
        let memo = self.heuristic.child(problem, parent, state, action, undo).ok_or(Fate::Dead)?;
        self.within(problem, memo, g)
    }

    #[inline(always)]
    fn peek(
        &mut self,
        problem: &P,
        parent: &H::Memo,
        before: &P::State,
        action: P::Action,
        g: Cost,
    ) -> Option<Result<H::Memo, Fate>> {
        let (cost, memo) = self.heuristic.peek(problem, parent, before, action)?;
        Some(self.within(problem, memo, g.saturating_add(cost)))
    }

    fn estimate(&self, memo: &H::Memo) -> Option<f64> {
        Some(self.heuristic.value(memo).to_f64())
    }
}

pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
) -> Outcome<P::Action> {
    let Search { problem, heuristic, settings, mut control, mut observer } = search;
    let mut meter = Meter::new(settings.limits, &mut control);
    let mut path = Path::new();
    let admissible = heuristic.promise().admissible;
    let start = problem.start();
    let mut lower_bound = None;
    let mut cut_anywhere = false;
    let answer = match heuristic.memo(problem, &start) {
        None => Answer::Unsolvable,
        Some(_) if problem.is_goal(&start) => {
            Answer::Solved(Solution { path: Vec::new(), cost: 0, optimal: true })
        }
        Some(root) => {
            let first = heuristic.value(&root);
            let mut guard = Bound { heuristic: &heuristic, bound: first, next: H::Value::MAX };
            loop {
                if admissible && !cut_anywhere {
                    lower_bound = Some(guard.bound.ceil());
                }
                observer.iteration(guard.bound.to_f64());
                let mut descent = Descent {
                    problem,
                    guard: &mut guard,
                    observer: &mut observer,
                    shuffle: settings.shuffle,
                    depth_limit: settings.limits.depth.unwrap_or(u32::MAX),
                };
                match descent.run(root.clone(), &mut path, &mut meter) {
                    Ok(Ending::Found(path, cost)) => {
                        break Answer::Solved(Solution { path, cost, optimal: false });
                    }
                    Ok(Ending::Exhausted { cut }) => {
                        cut_anywhere |= cut;
                        if guard.next == H::Value::MAX {
                            break if cut_anywhere {
                                Answer::Stopped(Stop::Depth)
                            } else {
                                Answer::Unsolvable
                            };
                        }
                        guard.bound = std::mem::replace(&mut guard.next, H::Value::MAX);
                    }
                    Err(stop) => break Answer::Stopped(stop),
                }
            }
        }
    };
    let stats = meter.finish(&path);
    Outcome { answer, lower_bound, stats }.proved_by_bound()
}
