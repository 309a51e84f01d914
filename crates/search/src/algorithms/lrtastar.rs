//! Learning real-time A*.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::beginning::{begin, ended};
use super::walk::{Place, Walk, Which};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::Estimate;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::parameter::{Kind, Parameter};
use crate::problem::{Problem, allocated};
use crate::search::Guided;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "lrtastar",
    title: "Learning real-time A*",
    about: include_str!("lrtastar.md"),
    complete: "no: it gives up where it cannot turn back, and after its steps; else, if a goal can be reached from every state",
    optimal: "no",
    time: "O(b^l) a step with a lookahead of l; O(n^2) steps for n states at worst",
    space: "O(n): an estimate for each state it has been at",
    needs: Needs::Heuristic,
    parameters: &[
        Parameter {
            name: "lookahead",
            kind: Kind::Integer { least: 1, most: 50 },
            default: Some("1"),
            required: false,
            about: "How many actions it looks ahead before each step.",
        },
        Parameter {
            name: "steps",
            kind: Kind::Integer { least: 1, most: u64::MAX },
            default: Some("100000"),
            required: false,
            about: "Steps after which it gives up.",
        },
    ],
    lesson: Some(&Lesson { next: Next::Newest, pseudocode: include_str!("lrtastar.txt") }),
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
    lookahead: u32,
    steps: u64,
) -> OutcomeOf<P> {
    match begin(&search, meter) {
        Ok(h) => {
            let walk = Walk::new(search, h, 0, meter);
            let mut agent = Agent { walk, learned: HashMap::default(), ahead: Vec::new(), spare: Vec::new() };
            let found = agent.run(lookahead, steps);
            agent.walk.outcome(found)
        }
        Err(answer) => ended(answer, None, meter),
    }
}

/// Who walks, and learns on the way.
struct Agent<'s, P: Problem, V, O> {
    walk: Walk<'s, P, V, O>,
    /// What is known of the states where it has been.
    learned: HashMap<P::State, V, FxBuildHasher>,
    /// The actions from where it is to what it looks at.
    ahead: Vec<P::Action>,
    /// Lists for the successors of states ahead, to be used again.
    spare: Vec<Vec<Place<P, V>>>,
}

impl<P: Problem, V: Estimate<P::Cost>, O: Observer<P>> Agent<'_, P, V, O> {
    fn run(&mut self, lookahead: u32, steps: u64) -> Result<bool, Stop> {
        let mut next = Vec::new();
        for _ in 0..steps {
            next.clear();
            self.walk.expand(Which::All, &mut next)?;
            self.walk.waiting = next.len();
            let mut best: Option<(V, usize)> = None;
            for (i, place) in next.iter().enumerate() {
                if let Some(value) = self.through(place, lookahead - 1)?
                    && best.is_none_or(|(least, _)| value < least)
                {
                    best = Some((value, i));
                }
            }
            self.walk.waiting = 0;
            // Where no way leads on, and none back, it is stuck.
            let Some((value, i)) = best else { return Ok(false) };
            self.learn(value);
            self.walk.go(next.swap_remove(i));
            if self.walk.problem.is_goal(&self.walk.here().state) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is known of the cost of going to a state and on from there, looking so many actions further; `None` at a dead
    /// end.
    fn through(&mut self, place: &Place<P, V>, lookahead: u32) -> Result<Option<V>, Stop> {
        // It has looked ahead from the states of its path before.
        let below = if lookahead == 0 || place.known || self.walk.problem.is_goal(&place.state) {
            Some(self.known(place))
        } else {
            self.ahead.extend(place.action.clone());
            let mut next = self.spare.pop().unwrap_or_default();
            self.walk.expand_at(place, &self.ahead, Which::All, &mut next)?;
            let mut best = None;
            self.walk.waiting += next.len();
            for below in &next {
                best = best.into_iter().chain(self.through(below, lookahead - 1)?).min();
            }
            self.walk.waiting -= next.len();
            self.ahead.pop();
            next.clear();
            self.spare.push(next);
            // What was learned of it counts as well: else two states might send it to and fro between them for ever.
            best.map(|best: V| best.max(self.known(place)))
        };
        below.map(|value| value.plus(place.cost).ok_or(Stop::Overflow)).transpose()
    }

    fn known(&self, place: &Place<P, V>) -> V {
        self.learned.get(&place.state).copied().unwrap_or(place.h)
    }

    /// Raises what is known of the state where it is.
    fn learn(&mut self, value: V) {
        let here = self.walk.here();
        let (state, value) = (here.state.clone(), value.max(self.known(here)));
        let bytes = allocated(size_of::<(P::State, V)>()) + self.walk.problem.heap_bytes(&state).unwrap_or(0);
        if self.learned.insert(state, value).is_none() {
            self.walk.kept.0 += 1;
            self.walk.kept.1 += bytes;
        }
    }
}
