//! Walking from state to state, one action after another: what hill climbing, simulated annealing and real-time search do.
//! The solution is the path walked, with its circles cut out: a walk that comes back to a state of its path goes on from
//! there as if it had never left.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::beginning::ended;
use crate::cost::Cost as _;
use crate::estimator::{Estimator, Successor};
use crate::heuristic::Estimate;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::observer::{Fate, Node, NodeOf, Observer};
use crate::order;
use crate::outcome::{Answer, OutcomeOf, solved};
use crate::problem::{Problem, allocated};
use crate::random::Random;
use crate::search::Guided;

/// A state that the walk is at, has come from, or may go to.
pub(super) struct Place<P: Problem, V> {
    pub state: P::State,
    /// The action that led to it; none at the start.
    pub action: Option<P::Action>,
    /// What that action cost.
    pub cost: P::Cost,
    g: P::Cost,
    pub h: V,
    /// What observers know it by.
    key: u32,
    /// Whether it was on the path when it was produced.
    pub known: bool,
}

/// Which successors are produced.
#[derive(Clone, Copy)]
pub(super) enum Which {
    All,
    /// One by chance.
    Any,
}

pub(super) struct Walk<'s, P: Problem, V, O> {
    pub problem: &'s P,
    heuristic: &'s dyn Estimator<P, V>,
    observer: O,
    shuffle: Option<u64>,
    pub random: Random,
    depth_limit: usize,
    meter: &'s Meter<'s>,
    counter: Counter<'s>,
    /// From the start to where the walk is, no state twice.
    path: Vec<Place<P, V>>,
    /// The places of states on the path.
    places: HashMap<P::State, u32, FxBuildHasher>,
    /// Keys that were given.
    keys: u32,
    actions: Vec<P::Action>,
    successors: Vec<Successor<P, V>>,
    /// Successors that wait to be looked at, while others are looked ahead from.
    pub waiting: usize,
    /// States that are kept, those of the path among them, and the bytes that takes beside the path.
    pub kept: (usize, usize),
}

/// What a walk holds.
struct HeldNow {
    nodes: u64,
    bytes: usize,
}

impl Held for HeldNow {
    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

impl<'s, P: Problem, V: Estimate<P::Cost>, O: Observer<P>> Walk<'s, P, V, O> {
    /// At the start, whose estimate is known.
    pub fn new(search: Guided<'s, P, V, O>, h: V, seed: u64, meter: &'s Meter<'s>) -> Self {
        let Guided { problem, heuristic, settings, observer, .. } = search;
        let (cost, g) = (P::Cost::ZERO, P::Cost::ZERO);
        let start: Place<P, V> =
            Place { state: problem.start(), action: None, cost, g, h, key: 0, known: false };
        Self {
            problem,
            heuristic,
            observer,
            shuffle: settings.shuffle,
            random: Random::new(seed),
            depth_limit: meter.limits().depth.unwrap_or(u32::MAX) as usize,
            meter,
            counter: meter.counter(),
            places: HashMap::from_iter([(start.state.clone(), 0)]),
            path: vec![start],
            keys: 0,
            actions: Vec::new(),
            successors: Vec::new(),
            waiting: 0,
            kept: (0, 0),
        }
    }

    /// Where it is.
    pub fn here(&self) -> &Place<P, V> {
        &self.path[self.path.len() - 1]
    }

    /// Goes back to the start, which observers are told of as another iteration.
    pub fn restart(&mut self, number: u32) {
        self.path.truncate(1);
        self.places.clear();
        self.places.insert(self.path[0].state.clone(), 0);
        self.observer.iteration(f64::from(number));
    }

    /// Expands the state where it is: the successors that it can go to, dead ends and what lies beyond the depth limit
    /// left out.
    pub fn expand(&mut self, which: Which, out: &mut Vec<Place<P, V>>) -> Result<(), Stop> {
        let last = self.path.len() - 1;
        let Place { ref state, ref action, cost, g, h, key, known } = self.path[last];
        let here = Place { state: state.clone(), action: action.clone(), cost, g, h, key, known };
        self.expand_at(&here, &[], which, out)
    }

    /// The same for a state some actions ahead.
    pub fn expand_at(
        &mut self,
        at: &Place<P, V>,
        ahead: &[P::Action],
        which: Which,
        out: &mut Vec<Place<P, V>>,
    ) -> Result<(), Stop> {
        let depth = self.path.len() - 1 + ahead.len();
        let held = self.held(out.len());
        self.counter.expand(&held, Frontier::Depth(depth as u32))?;
        let parent: NodeOf<'_, P> = Node::forward(at.key, &at.state, at.g, Some(at.h.to_f64()));
        if O::ACTIVE {
            let path = &self.path;
            let above = || {
                path.iter().filter_map(|place| place.action.clone()).chain(ahead.iter().cloned()).collect()
            };
            if self.observer.expanded(parent, &above).is_break() {
                return Err(Stop::Interrupted);
            }
        }
        self.actions.clear();
        order::actions(self.problem, self.shuffle, &at.state, &mut self.actions);
        if matches!(which, Which::Any) && !self.actions.is_empty() {
            let chosen = self.random.below(self.actions.len());
            self.actions.swap(0, chosen);
            self.actions.truncate(1);
        }
        let mut successors = std::mem::take(&mut self.successors);
        let of = (self.heuristic, self.problem);
        self.counter.successors(of, (&at.state, at.h), &self.actions, &mut successors, &held)?;
        for (Successor { state, cost, h }, action) in successors.drain(..).zip(&self.actions) {
            self.counter.generated += 1;
            let g = at.g.checked_add(cost).ok_or(Stop::Overflow)?;
            let known = self.places.get(&state).map(|&place| &self.path[place as usize]);
            let (key, g_there, fate) = match (h, known) {
                (None, _) => (u32::MAX, g, Fate::Dead),
                (Some(_), Some(place)) => (place.key, place.g, Fate::Repeated),
                (Some(_), None) if depth >= self.depth_limit => (u32::MAX, g, Fate::AtLimit),
                (Some(_), None) => {
                    self.keys = self.keys.wrapping_add(1);
                    (self.keys, g, Fate::New)
                }
            };
            if O::ACTIVE {
                let child = Node::forward(key, &state, g, h.map(V::to_f64));
                self.observer.generated(parent, action, child, fate);
            }
            if let (Some(h), Fate::New | Fate::Repeated) = (h, fate) {
                let (action, known) = (Some(action.clone()), fate == Fate::Repeated);
                out.push(Place { state, action, cost, g: g_there, h, key, known });
            }
        }
        self.successors = successors;
        let held = self.held(out.len());
        self.counter.stored_peak = self.counter.stored_peak.max(held.nodes);
        Ok(())
    }

    /// Goes to a successor. If it is on the path, the circle that led back to it is cut out.
    pub fn go(&mut self, to: Place<P, V>) {
        if let Some(&place) = self.places.get(&to.state) {
            for left in self.path.drain(place as usize + 1..) {
                self.places.remove(&left.state);
            }
        } else {
            self.places.insert(to.state.clone(), self.path.len() as u32);
            self.path.push(to);
        }
    }

    fn held(&self, ahead: usize) -> HeldNow {
        let heap = self.problem.heap_bytes(&self.here().state).unwrap_or(0);
        let place = size_of::<Place<P, V>>() + allocated(size_of::<(P::State, u32)>()) + 2 * heap;
        let ahead = self.waiting + ahead;
        let nodes = self.path.len().max(self.kept.0) + ahead;
        HeldNow { nodes: nodes as u64, bytes: (self.path.len() + ahead) * place + self.kept.1 }
    }

    /// What the walk comes to: it is at a goal, or has given up, or was stopped.
    pub fn outcome(self, found: Result<bool, Stop>) -> OutcomeOf<P> {
        let answer = match found {
            Ok(true) => {
                let path = self.path.iter().filter_map(|place| place.action.clone()).collect();
                solved(self.problem, path, false)
            }
            Ok(false) => Answer::Stopped(Stop::GaveUp),
            Err(stop) => Answer::Stopped(stop),
        };
        let admissible = self.heuristic.promise().admissible;
        let least = self.path[0].h.ceil().filter(|_| admissible);
        let held = self.held(0);
        let Self { counter, meter, .. } = self;
        counter.finish(&held);
        ended(answer, least, meter)
    }
}
