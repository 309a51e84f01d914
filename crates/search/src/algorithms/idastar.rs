//! IDA*.

use std::convert::Infallible;
use std::marker::PhantomData;

use super::backtrack::{Admission, Descent, Ending, Guard, Path, Root, is_simple};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::Cost as _;
use crate::deepening::{Beyond, BoundedSearch, Deepening, Take, deepen, deepen_among};
use crate::heuristic::{Estimate, Heuristic};
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Meter};
use crate::observer::{Fate, Observer};
use crate::order;
use crate::outcome::{Answer, Outcome, OutcomeOf, solved};
use crate::parallel::{Processes, TransportError, WireProblem};
use crate::problem::Problem;
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "idastar",
    title: "Iterative deepening A*",
    about: include_str!("idastar.md"),
    complete: "yes, if there are finitely many states, or a solution and no endless path that is free",
    optimal: "if the heuristic is admissible",
    time: "O(b^d) at worst; with a good heuristic far less",
    space: "O(b·d)",
    needs: Needs::Heuristic,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::Newest, pseudocode: include_str!("idastar.txt") }),
};

/// Whether a value can be a bound. Within an infinite one, cycles would be followed for ever.
#[inline]
fn is_finite<C, E: Estimate<C>>(value: E) -> bool {
    E::WHOLE || value.to_f64() < f64::INFINITY
}

/// Turns back where f exceeds the bound, and notes the smallest f that did.
struct Bound<'h, H, E> {
    heuristic: &'h H,
    bound: E,
    beyond: &'h mut Beyond<E>,
    admissible: bool,
    /// A sum was beyond what its type can hold, and so beyond the bound.
    overflow: bool,
}

impl<H, E> Bound<'_, H, E> {
    #[inline(always)]
    fn within<P: Problem>(&mut self, _: &P, memo: H::Memo, g: P::Cost) -> Admission<H::Memo>
    where
        H: Heuristic<P, Value = E>,
        E: Estimate<P::Cost>,
    {
        let h = self.heuristic.value(&memo);
        match h.plus(g) {
            Some(f) if !f.exceeds(self.bound) => return Ok(memo),
            Some(f) if is_finite(f) => self.beyond.offer(f),
            _ if self.admissible && !is_finite(h) => return Err((Fate::Dead, Some(h.to_f64()))),
            _ => self.overflow = true,
        }
        Err((Fate::Cut, Some(h.to_f64())))
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
        action: &P::Action,
        undo: &P::Undo,
        g: P::Cost,
    ) -> Admission<H::Memo> {
        let memo = self.heuristic.child(problem, parent, state, action, undo).ok_or((Fate::Dead, None))?;
        self.within(problem, memo, g)
    }

    #[inline(always)]
    fn peek(
        &mut self,
        problem: &P,
        parent: &H::Memo,
        before: &P::State,
        action: &P::Action,
        g: P::Cost,
    ) -> Option<Admission<H::Memo>> {
        let (cost, memo) = self.heuristic.peek(problem, parent, before, action)?;
        // A sum that does not fit is left to `admit`.
        Some(self.within(problem, memo, g.checked_add(cost)?))
    }

    #[inline]
    fn asks_for_simple(&self) -> bool {
        !self.beyond.simple
    }

    #[inline]
    fn fears_free_cycles(&self) -> bool {
        true
    }

    fn cut_simple(&mut self) {
        self.beyond.simple = true;
    }

    fn estimate(&self, memo: &H::Memo) -> Option<f64> {
        Some(self.heuristic.value(memo).to_f64())
    }
}

/// The searches within a bound that IDA* repeats.
struct Bounded<'s, P: Problem, H, O> {
    problem: &'s P,
    heuristic: &'s H,
    admissible: bool,
    shuffle: Option<u64>,
    depth_limit: u32,
    /// No path within the depth limit costs more than this, where that is known, and none below a bound is missed.
    dearest: Option<P::Cost>,
    observer: PhantomData<fn() -> O>,
}

/// A node whose subtree can be searched on its own.
struct Subtree<P: Problem, M> {
    state: P::State,
    memo: M,
    g: P::Cost,
    /// The actions that led to it, and the place of each among those of its node.
    path: Vec<P::Action>,
    places: Vec<u16>,
}

/// What a thread works with; the first has the observer.
struct Worker<'o, P: Problem, M, O> {
    path: Path<P, M>,
    observer: Option<&'o mut O>,
}

impl<'s, P: Problem, H: Heuristic<P>, O: Observer<P> + 's> BoundedSearch for Bounded<'s, P, H, O> {
    type Action = P::Action;
    type Step = u16;
    type Node = Subtree<P, H::Memo>;
    type Bound = H::Value;
    type Worker = Worker<'s, P, H::Memo, O>;
    const DIVIDES: bool = false;

    fn worker(&self) -> Self::Worker {
        Worker { path: Path::new(), observer: None }
    }

    fn root(&self) -> Self::Node {
        let state = self.problem.start();
        let memo = self.heuristic.memo(self.problem, &state).expect("the start is no dead end");
        Subtree { state, memo, g: P::Cost::ZERO, path: Vec::new(), places: Vec::new() }
    }

    fn steps<'n>(&self, node: &'n Self::Node) -> &'n [u16] {
        &node.places
    }

    fn estimate(&self, node: &Self::Node) -> H::Value {
        let h = self.heuristic.value(&node.memo);
        h.plus(node.g).expect("nodes are within a bound")
    }

    fn begin(&self, worker: &mut Self::Worker, bound: H::Value) {
        if let Some(observer) = &mut worker.observer {
            observer.iteration(bound.to_f64());
        }
    }

    fn permits(&self, bound: H::Value) -> bool {
        self.dearest.is_none_or(|dearest| bound.ceil().is_some_and(|least| least <= dearest))
    }

    /// A solution that is cheapest and shortest is simple. So where only paths that are not lie beyond the bound, there is
    /// none: without this, a goal out of reach of a cycle would be looked for for ever.
    fn next_bound(&self, _bound: H::Value, beyond: Beyond<H::Value>) -> Option<H::Value> {
        beyond.least.filter(|_| beyond.simple)
    }

    fn search<'n>(
        &self,
        worker: &mut Self::Worker,
        take: Take<'_, 'n, Self::Node>,
        bound: H::Value,
        beyond: &mut Beyond<H::Value>,
        counter: &mut Counter<'_>,
    ) -> Result<Option<Vec<P::Action>>, Stop>
    where
        Self::Node: 'n,
    {
        while let Some(branch) = take() {
            let node = &branch.root;
            if self.problem.is_goal(&node.state) {
                return Ok(Some(node.path.clone()));
            }
            let ending = match &mut worker.observer {
                Some(observer) => self.descend(node, *observer, &mut worker.path, bound, beyond, counter),
                None => self.descend(node, &mut (), &mut worker.path, bound, beyond, counter),
            };
            counter.hold(&worker.path);
            match ending? {
                Ending::Found(rest) => return Ok(Some(node.path.iter().cloned().chain(rest).collect())),
                Ending::Exhausted { cut } => beyond.at_depth_limit |= cut,
            }
        }
        Ok(None)
    }

    fn split(
        &self,
        node: &Self::Node,
        bound: H::Value,
        beyond: &mut Beyond<H::Value>,
        counter: &mut Counter<'_>,
    ) -> Result<Vec<Self::Node>, Stop> {
        let copy = |state: &P::State, memo: H::Memo, g, step: Option<(P::Action, u16)>| {
            let (mut path, mut places) = (node.path.clone(), node.places.clone());
            if let Some((action, place)) = step {
                path.push(action);
                places.push(place);
            }
            Subtree { state: state.clone(), memo, g, path, places }
        };
        if self.problem.is_goal(&node.state) {
            return Ok(vec![copy(&node.state, node.memo.clone(), node.g, None)]);
        }
        counter.expand(&(), Frontier::Bound(bound.to_f64()))?;
        let mut actions = Vec::new();
        match node.path.last() {
            None => order::actions(self.problem, self.shuffle, &node.state, &mut actions),
            Some(last) => {
                order::actions_after(self.problem, self.shuffle, &node.state, last, &mut actions);
            }
        }
        counter.generated += actions.len() as u64;
        let mut children = Vec::new();
        let depth = node.path.len() as u32 + 1;
        for (action, place) in actions.into_iter().zip(0_u16..) {
            counter.produce(place.into(), &())?;
            let (state, cost, undo) = self.problem.successor(&node.state, &action);
            let g = node.g.checked_add(cost).ok_or(Stop::Overflow)?;
            let memo = self.heuristic.child(self.problem, &node.memo, &state, &action, &undo);
            let Some(memo) = memo else { continue };
            let h = self.heuristic.value(&memo);
            if self.admissible && !is_finite(h) {
                continue;
            }
            let f = h.plus(g).filter(|&f| is_finite(f)).ok_or(Stop::Overflow)?;
            if f.exceeds(bound) {
                beyond.offer(f);
                beyond.simple = beyond.simple || is_simple(self.problem, node.path.iter().chain([&action]));
            } else if depth < self.depth_limit || self.problem.is_goal(&state) {
                children.push(copy(&state, memo, g, Some((action, place))));
            } else {
                beyond.at_depth_limit = true;
            }
        }
        Ok(children)
    }
}

impl<'s, P: Problem, H: Heuristic<P>, O: Observer<P> + 's> Bounded<'s, P, H, O> {
    /// Searches one subtree, whose root is no goal.
    fn descend<W: Observer<P>>(
        &self,
        node: &Subtree<P, H::Memo>,
        observer: &mut W,
        path: &mut Path<P, H::Memo>,
        bound: H::Value,
        beyond: &mut Beyond<H::Value>,
        counter: &mut Counter<'_>,
    ) -> Result<Ending<P::Action>, Stop> {
        let mut guard =
            Bound { heuristic: self.heuristic, bound, beyond, admissible: self.admissible, overflow: false };
        let mut descent = Descent {
            problem: self.problem,
            guard: &mut guard,
            observer,
            shuffle: self.shuffle,
            depth_limit: self.depth_limit,
            bound: Some(bound.to_f64()),
        };
        let root = Root { state: node.state.clone(), memo: node.memo.clone(), g: node.g, above: &node.path };
        match descent.run(root, path, counter) {
            Ok(Ending::Exhausted { .. }) if guard.overflow => Err(Stop::Overflow),
            ending => ending,
        }
    }
}

/// What an action costs where all cost the same.
pub(super) fn unit<P: Problem>(problem: &P, start: &P::State) -> P::Cost {
    let mut actions = Vec::new();
    problem.actions(start, &mut actions);
    actions.first().map_or(P::Cost::ZERO, |action| problem.successor(start, action).1)
}

pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    let Ok(outcome) = run::<_, _, _, Infallible>(search, meter, |bounded, worker, threads| {
        Ok(deepen(bounded, worker, threads, meter.budget()))
    });
    outcome
}

/// The same as one of several processes, of which the first has the outcome.
pub(crate) fn search_among<P: WireProblem, H: Heuristic<P>>(
    search: Search<'_, P, H>,
    processes: &mut dyn Processes,
    meter: &Meter<'_>,
) -> Result<OutcomeOf<P>, TransportError> {
    run(search, meter, |bounded, worker, threads| {
        deepen_among(bounded, worker, threads, processes, meter.budget())
    })
}

/// IDA*, with what goes through the bounds.
fn run<P: Problem, H: Heuristic<P>, O: Observer<P>, E>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
    deepen: impl for<'s> FnOnce(
        &Bounded<'s, P, H, O>,
        &mut Worker<'s, P, H::Memo, O>,
        usize,
    ) -> Result<Deepening<P::Action, H::Value>, E>,
) -> Result<OutcomeOf<P>, E> {
    let Search { problem, heuristic, settings, mut observer, .. } = search;
    let start = problem.start();
    let mut lower_bound = None;
    meter.note_root();
    let admissible = heuristic.promise().admissible;
    let root = heuristic.memo(problem, &start).map(|memo| heuristic.value(&memo));
    let answer = if root.is_none() {
        Answer::Unsolvable
    } else if problem.is_goal(&start) {
        solved(problem, Vec::new(), true)
    } else if root.is_some_and(|h| !is_finite(h)) {
        if admissible { Answer::Unsolvable } else { Answer::Stopped(Stop::Overflow) }
    } else {
        let dearest = meter.limits().depth.filter(|_| admissible && problem.unit_cost());
        let bounded = Bounded {
            dearest: dearest.and_then(|depth| unit(problem, &start).checked_mul(depth)),
            problem,
            heuristic: &heuristic,
            admissible,
            shuffle: settings.shuffle,
            depth_limit: meter.limits().depth.unwrap_or(u32::MAX),
            observer: PhantomData,
        };
        // An observer sees one node after the other.
        let threads = if O::ACTIVE { 1 } else { settings.threads };
        let mut worker = Worker { path: Path::new(), observer: O::ACTIVE.then_some(&mut observer) };
        let deepening = deepen(&bounded, &mut worker, threads)?;
        lower_bound = deepening.lower_bound.ceil().filter(|_| admissible);
        match deepening.found {
            Ok(Some(path)) => solved(problem, path, false),
            Ok(None) => Answer::Unsolvable,
            Err(stop) => Answer::Stopped(stop),
        }
    };
    Ok(Outcome { answer, lower_bound, stop: None, stats: meter.stats() }.proved_by_bound())
}
