//! Beam search, for one width and for ever wider ones.
//!
//! A beam keeps each state once, as A* does, and takes up one that is reached again at a lower cost; a state that did not
//! find room was not kept, and is new when it is met again. So a beam that ends with nothing left, and for which there was
//! always room, has followed every path that could lead to a cheaper solution than the best known: that is a proof.

use super::beginning::{begin, settle};
use super::idastar::unit;
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::Cost as _;
use crate::estimator::{Estimator, Successor};
use crate::heuristic::Estimate;
use crate::incumbent::Incumbent;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::observer::{Fate, Node, Observer};
use crate::order;
use crate::outcome::{Answer, Outcome, OutcomeOf, path_cost};
use crate::parameter::{Kind, Parameter};
use crate::problem::Problem;
use crate::search::Guided;
use crate::store::{Arrival, Handle, NodeStore, Nodes};

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "beam",
    title: "Beam search",
    about: include_str!("beam.md"),
    complete: "no: it gives up where every way on has been dropped",
    optimal: "no",
    time: "O(w·b·d) for a beam of w states",
    space: "O(w·(b + d)): every state that was kept",
    needs: Needs::Heuristic,
    parameters: &[Parameter {
        name: "width",
        kind: Kind::Integer { least: 1, most: 1_000_000_000 },
        default: Some("1000"),
        required: false,
        about: "States kept at each depth.",
    }],
    lesson: Some(&Lesson { next: Next::Oldest, pseudocode: include_str!("beam.txt") }),
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    mut search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
    width: u32,
) -> OutcomeOf<P> {
    match begin(&search, meter) {
        Ok(h) => {
            let mut beams = Beams::new(search, h, meter);
            let ended = beams.run(width as usize);
            beams.outcome(ended)
        }
        Err(answer) => settle(answer, std::mem::take(&mut search.incumbent), meter),
    }
}

/// How a beam ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// With a solution, cheaper than any before, which has been offered.
    Found,
    /// With nothing left.
    Empty {
        /// Whether a state found no room.
        dropped: bool,
    },
}

/// A state of the level in hand; of one that was reached again at a lower cost since, nothing is to be done.
struct Kept<P: Problem, V> {
    node: Handle,
    g: P::Cost,
    h: V,
    /// The action that led to it; none at the start.
    last: Option<P::Action>,
    /// When it was found.
    order: u32,
}

/// The next level as it is filled.
struct Places<P: Problem, V> {
    next: Vec<Kept<P, V>>,
    /// Nodes from here on are new in it.
    first: usize,
    /// States that it holds.
    taken: usize,
}

impl<P: Problem, V> Places<P, V> {
    /// Adds a state; one that is reached again at a lower cost takes no more room.
    #[inline]
    fn add(&mut self, kept: Kept<P, V>, fate: Fate) {
        let again = fate == Fate::Better
            && (kept.node as usize >= self.first || self.next.iter().any(|other| other.node == kept.node));
        self.next.push(kept);
        self.taken += usize::from(!again);
    }
}

/// A successor of the level in hand.
struct Candidate<P: Problem, V> {
    f: V,
    h: V,
    hash: u64,
    state: P::State,
    g: P::Cost,
    parent: Handle,
    /// The place of the action among those of the level, and so of the candidate among its candidates.
    action: u32,
}

/// A candidate by its f, its h and its place among the candidates, which is the order in which they were found. The smaller,
/// the sooner it is kept.
type Rank<V> = (V, V, u32);

/// Candidates on their way to the next level, each list in the order in which they were found.
struct Ranks<V> {
    rest: Vec<Rank<V>>,
    /// Those that come before all of the rest.
    next: Vec<Rank<V>>,
    chosen: Vec<Rank<V>>,
    scratch: Vec<(V, V)>,
}

impl<V> Ranks<V> {
    const EMPTY: Self = Self { rest: Vec::new(), next: Vec::new(), chosen: Vec::new(), scratch: Vec::new() };

    fn bytes(&self) -> usize {
        (self.rest.capacity() + self.next.capacity() + self.chosen.capacity()) * size_of::<Rank<V>>()
            + self.scratch.capacity() * size_of::<(V, V)>()
    }
}

/// Moves the first `most` of a list to the end of another.
fn take_first<V: Copy + Ord>(
    from: &mut Vec<Rank<V>>,
    most: usize,
    scratch: &mut Vec<(V, V)>,
    to: &mut Vec<Rank<V>>,
) {
    if most >= from.len() {
        if to.is_empty() {
            std::mem::swap(from, to);
        } else {
            to.append(from);
        }
        return;
    }
    let Some(last) = most.checked_sub(1) else { return };
    scratch.clear();
    scratch.extend(from.iter().map(|&(f, h, _)| (f, h)));
    let (sooner, &mut worst, _) = scratch.select_nth_unstable(last);
    // Of those that are equal to the worst, the ones that were found first.
    let mut equals = most - sooner.iter().filter(|&&key| key < worst).count();
    let (mut taken, mut left) = (to.len(), 0);
    to.resize(taken + most + 1, from[0]);
    // Which way the next one goes cannot be foreseen: each is written both ways, without a branch.
    for at in 0..from.len() {
        let one = from[at];
        let key = (one.0, one.1);
        let is_equal = key == worst;
        let goes = key < worst || is_equal && equals > 0;
        equals -= usize::from(goes && is_equal);
        to[taken] = one;
        from[left] = one;
        taken += usize::from(goes);
        left += usize::from(!goes);
    }
    to.truncate(taken);
    from.truncate(left);
}

/// What is held for one width.
struct Levels<'s, P: Problem, V> {
    store: NodeStore<'s, P>,
    level: Vec<Kept<P, V>>,
    next: Vec<Kept<P, V>>,
    candidates: Vec<Candidate<P, V>>,
    ranks: Ranks<V>,
    actions: Vec<P::Action>,
}

impl<P: Problem, V> Levels<'_, P, V> {
    /// Bytes held beside the store.
    fn beside(&self) -> usize {
        (self.level.capacity() + self.next.capacity()) * size_of::<Kept<P, V>>()
            + self.candidates.capacity() * size_of::<Candidate<P, V>>()
            + self.ranks.bytes()
            + self.actions.capacity() * size_of::<P::Action>()
    }
}

impl<P: Problem, V> Held for Levels<'_, P, V> {
    fn nodes(&self) -> u64 {
        self.store.nodes() + self.candidates.len() as u64
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.beside()
    }

    fn passing_bytes(&self) -> usize {
        self.store.passing_bytes()
    }
}

/// Beams of one search.
pub(super) struct Beams<'s, P: Problem, V, O> {
    problem: &'s P,
    heuristic: &'s dyn Estimator<P, V>,
    pub observer: O,
    shuffle: Option<u64>,
    meter: &'s Meter<'s>,
    counter: Counter<'s>,
    pub incumbent: Incumbent<'s, P::Action, P::Cost>,
    admissible: bool,
    /// The estimate of the start.
    h: V,
    /// What a depth limit makes of states.
    nodes: Nodes,
    /// Whether a state was not expanded because of the depth limit.
    cut: bool,
    successors: Vec<Successor<P, V>>,
}

impl<'s, P: Problem, V: Estimate<P::Cost>, O: Observer<P>> Beams<'s, P, V, O> {
    /// For a start that is no goal.
    pub fn new(search: Guided<'s, P, V, O>, h: V, meter: &'s Meter<'s>) -> Self {
        let Guided { problem, heuristic, settings, observer, mut incumbent, .. } = search;
        let admissible = heuristic.promise().admissible;
        if admissible {
            h.ceil().into_iter().for_each(|least| incumbent.prove(least));
        }
        Self {
            problem,
            heuristic,
            observer,
            shuffle: settings.shuffle,
            meter,
            counter: meter.counter(),
            incumbent,
            admissible,
            h,
            nodes: Nodes::States,
            cut: false,
            successors: Vec::new(),
        }
    }

    /// What the search comes to when its last beam ended so.
    pub fn outcome(self, ended: Result<Ended, Stop>) -> OutcomeOf<P> {
        let Self { mut incumbent, admissible, cut, meter, counter, .. } = self;
        drop(counter);
        let all = ended == Ok(Ended::Empty { dropped: false });
        if all && admissible && !cut {
            incumbent.prove_best();
        }
        let lower_bound = incumbent.lower_bound().filter(|_| ended != Err(Stop::Overflow));
        let answer = match (incumbent.into_solution(), ended) {
            (Some(best), _) => Answer::Solved(best),
            (None, Err(stop)) => Answer::Stopped(stop),
            (None, _) if !all => Answer::Stopped(Stop::GaveUp),
            (None, _) if cut => Answer::Stopped(Stop::Depth),
            (None, _) => Answer::Unsolvable,
        };
        Outcome { answer, lower_bound, stop: ended.err(), stats: meter.stats() }.proved_by_bound()
    }

    /// Looks for a solution that is cheaper than the best known, with a beam of some width.
    ///
    /// Where the cheaper of two paths may be the longer one, neither of two depths of a state can stand in for the other
    /// under a depth limit. As long as no state is at the limit, that makes no difference; as soon as one is, the beam
    /// begins anew, and a state at another depth is another.
    pub fn run(&mut self, width: usize) -> Result<Ended, Stop> {
        let limit = self.meter.limits().depth;
        let shorter =
            || self.problem.unit_cost() && unit(self.problem, &self.problem.start()) > P::Cost::ZERO;
        if limit.is_none() || self.nodes == Nodes::StatesAtDepths || shorter() {
            return self.run_on(width).map(|ended| ended.unwrap_or(Ended::Empty { dropped: true }));
        }
        match self.run_on(width)? {
            Some(ended) if !self.cut => Ok(ended),
            _ => {
                self.nodes = Nodes::StatesAtDepths;
                self.observer.iteration(width as f64);
                self.run(width)
            }
        }
    }

    /// The same; `None` if the way that was found is longer than the depth limit permits.
    fn run_on(&mut self, width: usize) -> Result<Option<Ended>, Stop> {
        let limit = self.meter.limits().depth;
        self.cut = false;
        let mut store =
            NodeStore::new(self.problem, self.meter.budget()).with_costs().with_depths(limit, self.nodes);
        store.insert_root(self.problem.start());
        let level = vec![Kept { node: 0, g: P::Cost::ZERO, h: self.h, last: None, order: 0 }];
        let (next, candidates, actions) = (Vec::new(), Vec::new(), Vec::new());
        let mut levels = Levels { store, level, next, candidates, ranks: Ranks::EMPTY, actions };
        let ended = self.levels(&mut levels, width);
        if ended.is_err() {
            self.tell_rest(&levels, None);
        }
        self.counter.hold(&levels);
        self.counter.hold(&());
        ended
    }

    fn levels(&mut self, levels: &mut Levels<'s, P, V>, width: usize) -> Result<Option<Ended>, Stop> {
        let mut dropped = false;
        for depth in 0.. {
            let goal = self.expand(levels, depth)?;
            if let Some(goal) = goal {
                return self.found(levels, goal);
            }
            dropped |= self.keep(levels, width)?;
            if levels.level.is_empty() {
                return Ok(Some(Ended::Empty { dropped }));
            }
        }
        Ok(None)
    }

    /// Produces the successors of a level; the place of the cheapest goal among them, if there is one.
    fn expand(&mut self, levels: &mut Levels<'s, P, V>, depth: u32) -> Result<Option<u32>, Stop> {
        levels.actions.clear();
        let mut goal: Option<(P::Cost, u32)> = None;
        for i in 0..levels.level.len() {
            let Kept { node, g, h, ref last, .. } = levels.level[i];
            let guide = self.admissible.then_some(h);
            if levels.store.cost(node) < g || self.incumbent.beats(g, guide) {
                continue;
            }
            if levels.store.at_limit(node) {
                self.cut = true;
                continue;
            }
            self.counter.expand(levels, Frontier::Depth(depth))?;
            levels.store.leave_room(levels.beside());
            let state = levels.store.state(node).clone();
            if O::ACTIVE {
                let seen = Node::forward(node, &state, g, Some(h.to_f64()));
                if self.observer.expanded(seen, &|| levels.store.path(node)).is_break() {
                    return Err(Stop::Interrupted);
                }
            }
            let first = levels.actions.len();
            // Whoever looks on is told of the way back as well, which is known.
            let arrival = last.as_ref().filter(|_| !O::ACTIVE);
            self.counter.generated +=
                order::actions_of(self.problem, self.shuffle, &state, arrival, &mut levels.actions);
            let mut successors = std::mem::take(&mut self.successors);
            let (of, actions) = ((self.heuristic, self.problem), &levels.actions[first..]);
            if let Err(stop) = self.counter.successors(of, (&state, h), actions, &mut successors, &*levels) {
                self.counter.generated -= (actions.len() - successors.len()) as u64;
                return Err(stop);
            }
            for (Successor { state: below, cost, h: estimate }, action) in successors.drain(..).zip(first..) {
                let g_below = g.checked_add(cost).ok_or(Stop::Overflow)?;
                let is_back = |last| O::ACTIVE && self.problem.reverses(&levels.actions[action], last);
                let judged = match last {
                    Some(last) if is_back(last) => Err(Fate::Repeated),
                    _ => self.judge(g_below, estimate)?,
                };
                let Ok((h_below, f)) = judged else {
                    if let (true, Err(fate)) = (O::ACTIVE, judged) {
                        let parent = Node::forward(node, &state, g, Some(h.to_f64()));
                        let child = Node::forward(Handle::MAX, &below, g_below, estimate.map(V::to_f64));
                        self.observer.generated(parent, &levels.actions[action], child, fate);
                    }
                    continue;
                };
                let action = action as u32;
                if goal.is_none_or(|(least, _)| g_below < least) && self.problem.is_goal(&below) {
                    goal = Some((g_below, action));
                }
                let hash = levels.store.hash(&below, node);
                let candidate =
                    Candidate { f, h: h_below, hash, state: below, g: g_below, parent: node, action };
                levels.candidates.push(candidate);
            }
            self.successors = successors;
        }
        self.counter.stored_peak = self.counter.stored_peak.max(levels.nodes());
        Ok(goal.map(|(_, action)| action))
    }

    /// The estimate of a successor and its f, or why it is none.
    #[inline]
    fn judge(&self, g: P::Cost, h: Option<V>) -> Result<Result<(V, V), Fate>, Stop> {
        let Some(h) = h else { return Ok(Err(Fate::Dead)) };
        // Sums of real estimates and large costs are rounded down; the cost alone is exact.
        if self.incumbent.beats(g, self.admissible.then_some(h)) || self.incumbent.beats::<V>(g, None) {
            return Ok(Err(Fate::Cut));
        }
        let f = h.plus(g).ok_or(Stop::Overflow)?;
        Ok(Ok((h, f)))
    }

    /// Offers the way to a goal.
    fn found(&mut self, levels: &Levels<'s, P, V>, goal: u32) -> Result<Option<Ended>, Stop> {
        self.tell_rest(levels, Some(goal));
        let candidate = levels.candidates.iter().find(|candidate| candidate.action == goal);
        let parent = candidate.expect("the goal is one of them").parent;
        let mut path = levels.store.path(parent);
        path.push(levels.actions[goal as usize].clone());
        if self.meter.limits().depth.is_some_and(|limit| path.len() > limit as usize) {
            return Ok(None);
        }
        let cost = path_cost(self.problem, &path).ok_or(Stop::Overflow)?;
        self.incumbent.offer(path, cost, self.meter)?;
        Ok(Some(Ended::Found))
    }

    /// Keeps the most promising candidates as the next level; whether one that was worth it found no room.
    ///
    /// As many are taken as there is room for, in the order in which they were found; those that turn out to be known take
    /// none, so that there may be room for more.
    fn keep(&mut self, levels: &mut Levels<'s, P, V>, width: usize) -> Result<bool, Stop> {
        let candidates = std::mem::take(&mut levels.candidates);
        let mut ranks = std::mem::replace(&mut levels.ranks, Ranks::EMPTY);
        let Ranks { rest, next, chosen, scratch } = &mut ranks;
        let mut places =
            Places { next: std::mem::take(&mut levels.next), first: levels.store.len(), taken: 0 };
        places.next.clear();
        rest.clear();
        rest.extend(candidates.iter().zip(0..).map(|(Candidate { f, h, .. }, i)| (*f, *h, i)));
        take_first(rest, width, scratch, next);
        while places.taken < width && !(next.is_empty() && rest.is_empty()) {
            let room = width - places.taken;
            if next.len() < room {
                // For the gos after this one as well: each leaves less room, and the rest is long.
                take_first(rest, 2 * room - next.len(), scratch, next);
                next.sort_unstable_by_key(|&(_, _, i)| i);
            }
            chosen.clear();
            take_first(next, room, scratch, chosen);
            for (n, &(_, _, i)) in chosen.iter().enumerate() {
                const AHEAD: usize = 8;
                let later = chosen.get(n + AHEAD).map(|&(_, _, i)| &candidates[i as usize]);
                later.into_iter().for_each(|later| levels.store.prefetch(later.hash));
                self.place(levels, &mut places, &candidates[i as usize])?;
            }
        }
        rest.append(next);
        if O::ACTIVE {
            rest.sort_unstable_by_key(|&(_, _, i)| i);
        }
        let mut dropped = false;
        for &(_, _, i) in &*rest {
            let candidate = &candidates[i as usize];
            let &Candidate { ref state, hash, parent, g, .. } = candidate;
            let known = levels.store.look_up(state, hash, parent).ok();
            let repeated = known.filter(|&node| g >= levels.store.cost(node));
            dropped |= repeated.is_none();
            if !O::ACTIVE && dropped {
                break;
            }
            let fate = if repeated.is_some() { Fate::Repeated } else { Fate::Cut };
            self.tell(levels, candidate, repeated.unwrap_or(Handle::MAX), fate);
        }
        // Those that were taken in a second go were not found last.
        places.next.sort_by_key(|kept| kept.order);
        levels.next = std::mem::replace(&mut levels.level, places.next);
        levels.candidates = candidates;
        levels.candidates.clear();
        levels.ranks = ranks;
        Ok(dropped)
    }

    /// Stores a candidate for the next level, unless it is known at no greater cost.
    #[inline]
    fn place(
        &mut self,
        levels: &mut Levels<'s, P, V>,
        places: &mut Places<P, V>,
        candidate: &Candidate<P, V>,
    ) -> Result<(), Stop> {
        let &Candidate { h, hash, ref state, g, parent, action, .. } = candidate;
        let Levels { store, actions, .. } = levels;
        let arrival = Arrival { parent, action: &actions[action as usize], cost: g };
        let (node, fate) = match store.look_up(state, hash, parent) {
            Ok(node) if g >= store.cost(node) => (node, Fate::Repeated),
            Ok(node) => {
                store.improve(node, arrival);
                (node, Fate::Better)
            }
            Err(slot) => (store.insert_at(slot, state, hash, arrival)?, Fate::New),
        };
        if fate != Fate::Repeated {
            let last = Some(actions[action as usize].clone());
            places.add(Kept { node, g, h, last, order: action }, fate);
        }
        self.tell(levels, candidate, node, fate);
        Ok(())
    }

    /// Tells an observer of a candidate.
    #[inline]
    fn tell(&mut self, levels: &Levels<'s, P, V>, candidate: &Candidate<P, V>, node: Handle, fate: Fate) {
        if !O::ACTIVE {
            return;
        }
        let &Candidate { h, ref state, g, parent, action, .. } = candidate;
        // As it was when it was expanded: it may have been reached at a lower cost since, and before.
        let same = levels.level.iter().filter(|kept| kept.node == parent);
        let above = same.min_by_key(|kept| kept.g).expect("its parent is of the level");
        let above = Node::forward(parent, levels.store.state(parent), above.g, Some(above.h.to_f64()));
        let below = Node::forward(node, state, g, Some(h.to_f64()));
        self.observer.generated(above, &levels.actions[action as usize], below, fate);
    }

    /// Tells an observer of the candidates that are left when a beam ends, with a goal or without.
    fn tell_rest(&mut self, levels: &Levels<'s, P, V>, goal: Option<u32>) {
        if O::ACTIVE {
            for candidate in &levels.candidates {
                let fate = if goal == Some(candidate.action) { Fate::New } else { Fate::Cut };
                self.tell(levels, candidate, Handle::MAX, fate);
            }
        }
    }
}
