//! Depth-limited search.

use super::backtrack::{Admission, Descent, Ending, Guard, Path, Root};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::Zero;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::{Fate, Observer};
use crate::outcome::{Answer, Outcome, OutcomeOf, solved};
use crate::parameter::{Kind, Parameter};
use crate::problem::Problem;
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "dls",
    title: "Depth-limited search",
    about: include_str!("dls.md"),
    complete: "if a solution lies within the limit",
    optimal: "no",
    time: "O(b^l)",
    space: "O(b·l)",
    needs: Needs::DepthLimit,
    parameters: &[Parameter {
        name: "limit",
        kind: Kind::Integer { least: 0, most: u32::MAX as u64 },
        default: None,
        required: false,
        about: "The depth at which it turns back; that of the run's depth limit if absent.",
    }],
    lesson: Some(&Lesson { next: Next::Newest, pseudocode: include_str!("dls.txt") }),
};

/// Turns back at states that are already on the path.
pub(crate) struct PathCheck<S>(Vec<S>);

impl<S> PathCheck<S> {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<P: Problem> Guard<P> for PathCheck<P::State> {
    type Memo = ();

    #[inline]
    fn admit(
        &mut self,
        _: &P,
        (): &(),
        state: &P::State,
        _: &P::Action,
        _: &P::Undo,
        _: P::Cost,
    ) -> Admission<()> {
        if !P::TREE && self.0.contains(state) { Err((Fate::Repeated, None)) } else { Ok(()) }
    }

    fn enter(&mut self, state: &P::State) {
        if !P::TREE {
            self.0.push(state.clone());
        }
    }

    fn leave(&mut self) {
        self.0.pop();
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<P::State>()
    }
}

pub(crate) fn search<P: Problem, O: Observer<P>>(
    search: Search<'_, P, Zero, O>,
    meter: &Meter<'_>,
    limit: Option<u32>,
) -> OutcomeOf<P> {
    let Search { problem, settings, mut observer, .. } = search;
    let mut counter = meter.counter();
    meter.note_root();
    let mut path = Path::new();
    let ending = if problem.is_goal(&problem.start()) {
        Ok(Ending::Found(Vec::new()))
    } else {
        let limits = [limit, meter.limits().depth];
        let mut descent = Descent {
            problem,
            guard: &mut PathCheck::new(),
            observer: &mut observer,
            shuffle: settings.shuffle,
            depth_limit: limits.into_iter().flatten().min().expect("depth-limited search has a limit"),
            bound: None,
        };
        descent.run(Root::start(problem, ()), &mut path, &mut counter)
    };
    let answer = match ending {
        Ok(Ending::Found(path)) => solved(problem, path, false),
        Ok(Ending::Exhausted { cut: true }) => Answer::Stopped(Stop::Depth),
        Ok(Ending::Exhausted { cut: false }) => Answer::Unsolvable,
        Err(stop) => Answer::Stopped(stop),
    };
    counter.finish(&path);
    Outcome { answer, lower_bound: None, stop: None, stats: meter.stats() }.proved_by_bound()
}
