//! Does a problem, or a heuristic, keep its promises?
//!
//! The engine believes what it is told: that `undo` takes back `apply`, that a heuristic is admissible, that no state of a
//! [tree](Problem::TREE) is met again. Where that is not so, paths come out wrong or proofs prove nothing. [`check`] looks at
//! states near the start and on random walks, tries everything that a [`Problem`] and a [`Heuristic`] say about them,
//! and returns the shortest instance of a broken promise that it met. [`check_reversible`] looks at the way back as well.
//!
//! What it finds is wrong; what it does not find is not proved right. It belongs into the tests of a problem:
//!
//! ```
//! use novelo_search::check::{Kind, check};
//! use novelo_search::{Problem, Promise, heuristic};
//!
//! /// From 0 to 14 by steps of 7 and -3.
//! struct Steps;
//!
//! impl Problem for Steps {
//!     type State = i32;
//!     type Action = i32;
//!     type Undo = ();
//!     type Cost = u32;
//!     fn start(&self) -> i32 { 0 }
//!     fn is_goal(&self, at: &i32) -> bool { *at == 14 }
//!     fn actions(&self, _: &i32, out: &mut Vec<i32>) { out.extend([7, -3]) }
//!     fn apply(&self, at: &mut i32, by: i32) -> (u32, ()) { *at += by; (1, ()) }
//!     fn undo(&self, at: &mut i32, by: i32, (): ()) { *at -= by }
//! }
//!
//! // No step covers more than 7.
//! let good = heuristic::from_fn(Promise::ADMISSIBLE, |_: &Steps, at: &i32| at.abs_diff(14) / 7);
//! assert!(check(&Steps, &good, 100).is_ok());
//!
//! let bad = heuristic::from_fn(Promise::ADMISSIBLE, |_: &Steps, at: &i32| at.abs_diff(14));
//! let violation = check(&Steps, &bad, 100).unwrap_err();
//! assert_eq!(violation.kind, Kind::Inadmissible);
//! assert_eq!(
//!     violation.to_string(),
//!     "the heuristic is not admissible: at the start it says 14, but a path from there to a goal costs 2; \
//!      it must never be above the cost of any path to a goal"
//! );
//! ```

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::fmt::{self, Debug, Display};

use rustc_hash::FxBuildHasher;

use crate::cost::Cost;
use crate::heuristic::{Estimate, Heuristic};
use crate::order;
use crate::problem::{Problem, Reversible};

/// What was looked at, and found to be as promised.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checked {
    /// Different states.
    pub states: u64,
    /// Actions done in them.
    pub actions: u64,
    /// States from which a path to a goal was found. Where there is none, nothing is known of admissibility.
    pub solved: u64,
}

impl Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, actions, solved } = self;
        write!(
            f,
            "{states} states and {actions} actions are as promised; from {solved} states a goal was reached"
        )
    }
}

/// Which promise is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// [`Problem::undo`] does not take back [`Problem::apply`].
    Undo,
    /// [`Problem::successor`] is not what [`Problem::apply`] makes of a copy.
    Successor,
    /// Equal states have different hashes.
    Hash,
    /// [`Problem::undo`] with [`Problem::BACK`] does not take back [`Problem::apply`].
    Back,
    /// A path leads back to a state, in a problem that says it is a [tree](Problem::TREE).
    Tree,
    /// Actions cost differently, though [`Problem::unit_cost`] says that they do not.
    UnitCost,
    /// A cost is below nothing, or infinite.
    Cost,
    /// [`Problem::actions`] or [`Problem::actions_after`] changes what was in the buffer before.
    Buffer,
    /// [`Problem::reverses`] is true of an action that does not lead back.
    Reverses,
    /// [`Problem::actions_after`] is not what [`Problem::actions`] and [`Problem::reverses`] say.
    ActionsAfter,
    /// [`Heuristic::child`] differs from [`Heuristic::memo`].
    Child,
    /// [`Heuristic::peek`] differs from doing the action.
    Peek,
    /// [`Heuristic::resume`] has another value than the one it was given.
    Resume,
    /// An estimate drops by more than an action costs, though the heuristic promises to be consistent.
    Inconsistent,
    /// An estimate is above the cost of a path to a goal, though the heuristic promises to be admissible.
    Inadmissible,
    /// The heuristic says that no goal can be reached from a state from which one can.
    DeadEnd,
    /// [`Reversible::goals`] holds a state that is no goal, or not one that is.
    Goals,
    /// [`Reversible::actions_into`] lacks an action that leads into a state, or has one that does not.
    ActionsInto,
    /// [`Reversible::retract`] does not lead back to where the action came from, or at another cost.
    Retract,
}

impl Kind {
    /// What is wrong, in a few words.
    fn wrong(self) -> &'static str {
        match self {
            Self::Undo => "undo does not take back apply",
            Self::Successor => "successor is not what apply does",
            Self::Hash => "equal states have different hashes",
            Self::Back => "undo with BACK does not take back apply",
            Self::Tree => "a state is met again on a path, though the problem says it is a tree",
            Self::UnitCost => "actions cost differently, though unit_cost says that they do not",
            Self::Cost => "a cost is not a number from 0 on",
            Self::Buffer => "the buffer for actions is not only appended to",
            Self::Reverses => "reverses is true of an action that does not only take the previous one back",
            Self::ActionsAfter => "actions_after differs from actions without those that reverse",
            Self::Child => "child differs from memo",
            Self::Peek => "peek differs from doing the action",
            Self::Resume => "resume does not have the value it was given",
            Self::Inconsistent => "the heuristic is not consistent",
            Self::Inadmissible => "the heuristic is not admissible",
            Self::DeadEnd => "the heuristic gives up a state from which a goal can be reached",
            Self::Goals => "goals are not all goal states",
            Self::ActionsInto => "actions_into does not agree with actions",
            Self::Retract => "retract does not take back apply",
        }
    }
}

/// A broken promise: the shortest instance that was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation<A> {
    /// Which promise.
    pub kind: Kind,
    /// The actions from the start to the state where it shows.
    pub path: Vec<A>,
    /// The action that shows it there, where it takes one.
    pub action: Option<A>,
    /// What was seen, and what would be right.
    pub detail: String,
}

impl<A: Debug> Display for Violation<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.wrong())?;
        if self.path.is_empty() {
            f.write_str("at the start")?;
        } else {
            write!(f, "after {:?}", self.path)?;
        }
        match &self.action {
            Some(action) => write!(f, ", action {action:?}: {}", self.detail),
            None => write!(f, " {}", self.detail),
        }
    }
}

impl<A: Debug> std::error::Error for Violation<A> {}

/// Looks at up to `samples` states of a problem: half of them those nearest to the start, the others on random walks, the
/// same on every call. From each, a small search for a goal tells what estimates must not exceed. Without a heuristic
/// of your own, give [`Zero`](crate::Zero).
pub fn check<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    samples: usize,
) -> Result<Checked, Violation<P::Action>> {
    Checker::new(problem, heuristic, None).run(samples)
}

/// Like [`check`], for problems that can be run backwards: [`Reversible::goals`] must be the goal states, and
/// [`Reversible::actions_into`] and [`Reversible::retract`] the inverse of [`Problem::actions`] and [`Problem::apply`].
pub fn check_reversible<P: Reversible, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    samples: usize,
) -> Result<Checked, Violation<P::Action>> {
    Checker::new(problem, heuristic, Some(look_back::<P>)).run(samples)
}

/// Expansions of the search for a goal from one state.
const EXPANSIONS: usize = 300;
/// The longest random walk.
const LONGEST: usize = 100;

/// A state that was met, and how.
struct Met<P: Problem> {
    state: P::State,
    path: Vec<P::Action>,
    /// The states on the way, the start first.
    above: Vec<P::State>,
}

impl<P: Problem> Met<P> {
    fn below(&self, state: P::State, action: P::Action) -> Self {
        let mut path = self.path.clone();
        path.push(action);
        let mut above = self.above.clone();
        above.push(self.state.clone());
        Self { state, path, above }
    }
}

impl<P: Problem> Clone for Met<P> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), path: self.path.clone(), above: self.above.clone() }
    }
}

/// What is wrong with a state: the kind, the action that shows it, the detail.
type Wrong<P> = (Kind, Option<<P as Problem>::Action>, String);
/// Looks at a state from behind.
type LookBack<P> = fn(&P, &Met<P>) -> Option<Wrong<P>>;

struct Checker<'c, P: Problem, H> {
    problem: &'c P,
    heuristic: &'c H,
    look_back: Option<LookBack<P>>,
    /// The cost of the first action met.
    unit: Option<P::Cost>,
    seen: HashSet<P::State, FxBuildHasher>,
    checked: Checked,
    found: Option<Violation<P::Action>>,
}

impl<'c, P: Problem, H: Heuristic<P>> Checker<'c, P, H> {
    fn new(problem: &'c P, heuristic: &'c H, look_back: Option<LookBack<P>>) -> Self {
        Self {
            problem,
            heuristic,
            look_back,
            unit: None,
            seen: HashSet::default(),
            checked: Checked::default(),
            found: None,
        }
    }

    fn run(mut self, samples: usize) -> Result<Checked, Violation<P::Action>> {
        let start = Met { state: self.problem.start(), path: Vec::new(), above: Vec::new() };
        self.level_by_level(&start, samples.div_ceil(2));
        if self.found.is_none() {
            self.walk(&start, samples);
        }
        match self.found {
            None => Ok(self.checked),
            Some(violation) => Err(violation),
        }
    }

    /// Looks at the states nearest to the start.
    fn level_by_level(&mut self, start: &Met<P>, most: usize) {
        let mut queue = VecDeque::from([start.clone()]);
        self.seen.insert(start.state.clone());
        for _ in 0..most {
            let Some(met) = queue.pop_front() else { break };
            // Nothing that comes later is nearer.
            if self.found.as_ref().is_some_and(|found| found.path.len() < met.path.len()) {
                break;
            }
            self.look(&met);
            let mut actions = Vec::new();
            self.problem.actions(&met.state, &mut actions);
            for action in actions {
                let (state, ..) = self.problem.successor(&met.state, &action);
                if queue.len() < most && self.seen.insert(state.clone()) {
                    queue.push_back(met.below(state, action));
                }
            }
        }
        // The rest of the queue was not looked at.
        for met in queue {
            self.seen.remove(&met.state);
        }
    }

    /// Looks at the states on random walks.
    fn walk(&mut self, start: &Met<P>, most: usize) {
        let mut random = Random(0x6E6F_7665_6C6F);
        // Walks may meet nothing but what was seen.
        for walk in 0..most {
            if self.checked.states >= most as u64 {
                break;
            }
            let mut met = start.clone();
            let mut memo = self.heuristic.memo(self.problem, &met.state);
            for _ in 0..LONGEST.min(8 << (walk % 5)) {
                if self.seen.insert(met.state.clone()) {
                    self.look(&met);
                    if self.checked.states >= most as u64 {
                        break;
                    }
                }
                let mut actions = Vec::new();
                self.problem.actions(&met.state, &mut actions);
                if actions.is_empty() {
                    break;
                }
                let action = actions.swap_remove(random.below(actions.len()));
                let mut state = met.state.clone();
                let (_, undo) = self.problem.apply(&mut state, action.clone());
                // What errors of `child` add up to along a path shows only here.
                let fresh = self.heuristic.memo(self.problem, &state);
                let child =
                    memo.and_then(|memo| self.heuristic.child(self.problem, &memo, &state, &action, &undo));
                if let (Some(child), Some(fresh)) = (&child, &fresh) {
                    self.compare(&met, &action, Kind::Child, "child", child, fresh);
                }
                memo = child.or(fresh);
                met = met.below(state, action);
            }
        }
    }

    fn report(&mut self, met: &Met<P>, (kind, action, detail): Wrong<P>) {
        if self.found.as_ref().is_none_or(|found| met.path.len() < found.path.len()) {
            self.found = Some(Violation { kind, path: met.path.clone(), action, detail });
        }
    }

    /// Everything there is to say about a state.
    fn look(&mut self, met: &Met<P>) {
        self.checked.states += 1;
        let mut actions = Vec::new();
        self.problem.actions(&met.state, &mut actions);
        self.look_at_buffer(met, &actions);
        let memo = self.heuristic.memo(self.problem, &met.state);
        if let Some(memo) = &memo {
            let resumed = self.heuristic.resume(self.problem, &met.state, self.heuristic.value(memo));
            let (value, again) = (self.heuristic.value(memo), self.heuristic.value(&resumed));
            if !same(value, again) {
                let detail = format!(
                    "resume has the value {}, but it was given {}; it must give the memo of that value",
                    again.to_f64(),
                    value.to_f64()
                );
                self.report(met, (Kind::Resume, None, detail));
            }
        }
        for action in &actions {
            self.checked.actions += 1;
            self.look_at_action(met, action);
            self.look_at_estimates(met, memo.as_ref(), action);
        }
        self.look_at_reversal(met, &actions);
        self.look_at_goal(met, memo.as_ref());
        if let Some(wrong) = self.look_back.and_then(|look| look(self.problem, met)) {
            self.report(met, wrong);
        }
    }

    /// A buffer that holds something must hold it afterwards.
    fn look_at_buffer(&mut self, met: &Met<P>, actions: &[P::Action]) {
        let mut twice = actions.to_vec();
        self.problem.actions(&met.state, &mut twice);
        let expected: Vec<_> = written(actions).into_iter().chain(written(actions)).collect();
        if written(&twice) != expected {
            let detail = "actions, called with a buffer that holds actions, does not append the same actions to it; \
                 it must leave what is there, and give the same actions for the same state";
            self.report(met, (Kind::Buffer, None, detail.to_string()));
        }
    }

    /// Does an action and takes it back.
    fn look_at_action(&mut self, met: &Met<P>, action: &P::Action) {
        let problem = self.problem;
        let mut state = met.state.clone();
        let (cost, undo) = problem.apply(&mut state, action.clone());
        let mut wrong = |kind, detail: String| self.report(met, (kind, Some(action.clone()), detail));
        if !(cost.to_f64() >= 0.0 && cost.to_f64() < f64::INFINITY) {
            wrong(Kind::Cost, format!("it costs {cost}; costs are finite and not negative"));
        }
        let (successor, other, _) = problem.successor(&met.state, action);
        if successor != state {
            wrong(Kind::Successor, "the two states differ; they must be equal".to_string());
        } else if order::hash(&successor) != order::hash(&state) {
            wrong(
                Kind::Hash,
                "the states of apply and successor are equal, their hashes are not".to_string(),
            );
        }
        if other != cost {
            wrong(Kind::Successor, format!("successor says it costs {other}, apply says {cost}"));
        }
        if problem.is_tree() && (state == met.state || met.above.contains(&state)) {
            let detail = "it leads to a state that the path has passed; TREE and is_tree must be false where that \
                          can happen";
            wrong(Kind::Tree, detail.to_string());
        }
        if let Some(back) = P::BACK {
            let mut before = state.clone();
            problem.undo(&mut before, action.clone(), back);
            if before != met.state {
                wrong(
                    Kind::Back,
                    "done and taken back with the value of BACK, the state differs; it must be the one before, or \
                     BACK must be None"
                        .to_string(),
                );
            }
        }
        problem.undo(&mut state, action.clone(), undo);
        if state != met.state {
            wrong(
                Kind::Undo,
                "done and taken back, the state differs; it must be the one before".to_string(),
            );
        } else if order::hash(&state) != order::hash(&met.state) {
            wrong(
                Kind::Hash,
                "done and taken back, the state is equal to the one before, but has another hash".to_string(),
            );
        }
        let unit = *self.unit.get_or_insert(cost);
        if problem.unit_cost() && unit != cost {
            let detail =
                format!("it costs {cost}, another one {unit}; unit_cost must be false where costs differ");
            self.report(met, (Kind::UnitCost, Some(action.clone()), detail));
        }
    }

    /// What the heuristic says of an action's outcome.
    fn look_at_estimates(&mut self, met: &Met<P>, memo: Option<&H::Memo>, action: &P::Action) {
        let (problem, heuristic) = (self.problem, self.heuristic);
        let Some(memo) = memo else { return };
        let mut state = met.state.clone();
        let (cost, undo) = problem.apply(&mut state, action.clone());
        let fresh = heuristic.memo(problem, &state);
        let dead = |memo: &Option<H::Memo>| if memo.is_some() { "an estimate" } else { "a dead end" };
        let child = heuristic.child(problem, memo, &state, action, &undo);
        match (&child, &fresh) {
            (Some(child), Some(fresh)) => self.compare(met, action, Kind::Child, "child", child, fresh),
            (None, None) => {}
            _ => {
                let detail = format!("child finds {}, memo {}; they must agree", dead(&child), dead(&fresh));
                self.report(met, (Kind::Child, Some(action.clone()), detail));
            }
        }
        if let Some((peeked, child)) = heuristic.peek(problem, memo, &met.state, action) {
            if peeked != cost {
                let detail = format!("peek says it costs {peeked}, apply says {cost}");
                self.report(met, (Kind::Peek, Some(action.clone()), detail));
            }
            if let Some(fresh) = &fresh {
                self.compare(met, action, Kind::Peek, "peek", &child, fresh);
            } else {
                let detail =
                    "peek has an estimate of a state that is a dead end by memo; it must be None there";
                self.report(met, (Kind::Peek, Some(action.clone()), detail.to_string()));
            }
        }
        let Some(fresh) = fresh.filter(|_| heuristic.promise().consistent) else { return };
        let (h, below) = (heuristic.value(memo), heuristic.value(&fresh));
        if below.plus(cost).is_some_and(|least| h.exceeds(least)) {
            let detail = format!(
                "the estimate drops from {} to {}, but the action costs {cost}; a consistent estimate drops by no more \
                 than that",
                h.to_f64(),
                below.to_f64()
            );
            self.report(met, (Kind::Inconsistent, Some(action.clone()), detail));
        }
    }

    /// Holds a memo that was derived against one from scratch.
    fn compare(
        &mut self,
        met: &Met<P>,
        action: &P::Action,
        kind: Kind,
        name: &str,
        memo: &H::Memo,
        fresh: &H::Memo,
    ) {
        let (value, right) = (self.heuristic.value(memo), self.heuristic.value(fresh));
        if !same(value, right) {
            let detail = format!(
                "{name} has the value {}, memo from scratch {}; they must be equal",
                value.to_f64(),
                right.to_f64()
            );
            self.report(met, (kind, Some(action.clone()), detail));
        }
    }

    /// What only takes back the action that led to a state.
    fn look_at_reversal(&mut self, met: &Met<P>, actions: &[P::Action]) {
        let problem = self.problem;
        let (Some(previous), Some(before)) = (met.path.last(), met.above.last()) else { return };
        let mut kept = Vec::new();
        for action in actions {
            if !problem.reverses(action, previous) {
                kept.push(action.clone());
            } else if problem.successor(&met.state, action).0 != *before {
                let detail = "it does not lead back to the state before; an action reverses another only if it always \
                              does";
                self.report(met, (Kind::Reverses, Some(action.clone()), detail.to_string()));
            }
        }
        let first = actions.len();
        let mut after = actions.to_vec();
        let left_out = problem.actions_after(&met.state, previous, &mut after);
        let appended = after.split_off(first.min(after.len()));
        if written(&after) != written(actions) {
            let detail = "actions_after changes what the buffer held before; it must only append to it";
            self.report(met, (Kind::Buffer, None, detail.to_string()));
        }
        let (mut appended, mut expected) = (written(&appended), written(&kept));
        appended.sort_unstable();
        expected.sort_unstable();
        if appended != expected || left_out != actions.len() - kept.len() {
            let detail = format!(
                "actions_after appends [{}] and says it left out {left_out}; by actions and reverses it must append \
                 [{}] and leave out {}",
                appended.join(", "),
                expected.join(", "),
                actions.len() - kept.len()
            );
            self.report(met, (Kind::ActionsAfter, None, detail));
        }
    }

    /// Looks for a goal, and holds the estimate against the cost of the way there.
    fn look_at_goal(&mut self, met: &Met<P>, memo: Option<&H::Memo>) {
        let Some(cost) = cost_to_goal(self.problem, &met.state) else { return };
        self.checked.solved += 1;
        let Some(memo) = memo else {
            let detail = format!(
                "it says None, but a path from there to a goal costs {cost}; None is for states from which no goal can \
                 be reached"
            );
            return self.report(met, (Kind::DeadEnd, None, detail));
        };
        let h = self.heuristic.value(memo);
        if self.heuristic.promise().admissible && h.ceil().is_none_or(|least| least > cost) {
            let detail = format!(
                "it says {}, but a path from there to a goal costs {cost}; it must never be above the cost of any path \
                 to a goal",
                h.to_f64()
            );
            self.report(met, (Kind::Inadmissible, None, detail));
        }
    }
}

/// Goals, and the actions that lead into a state and out of it.
fn look_back<P: Reversible>(problem: &P, met: &Met<P>) -> Option<Wrong<P>> {
    let goals = problem.goals();
    if met.path.is_empty() && !goals.iter().all(|goal| problem.is_goal(goal)) {
        let detail = "goals holds a state of which is_goal is false; all of them must be goals";
        return Some((Kind::Goals, None, detail.to_string()));
    }
    if problem.is_goal(&met.state) && !goals.contains(&met.state) {
        let detail = "is_goal is true, but goals does not hold the state; it must hold all goal states";
        return Some((Kind::Goals, None, detail.to_string()));
    }
    let mut actions = Vec::new();
    problem.actions(&met.state, &mut actions);
    for action in actions {
        let (mut state, cost, _) = problem.successor(&met.state, &action);
        let mut into = Vec::new();
        problem.actions_into(&state, &mut into);
        if !contains(&into, &action) {
            let detail = "actions_into does not have it for the state that it leads to";
            return Some((Kind::ActionsInto, Some(action), detail.to_string()));
        }
        let back = problem.retract(&mut state, action.clone());
        if state != met.state {
            let detail = "done and retracted, the state differs; it must be the one before";
            return Some((Kind::Retract, Some(action), detail.to_string()));
        }
        if back != cost {
            let detail = format!("retract says it costs {back}, apply says {cost}");
            return Some((Kind::Retract, Some(action), detail));
        }
    }
    let mut into = Vec::new();
    problem.actions_into(&met.state, &mut into);
    for action in into {
        let mut state = met.state.clone();
        problem.retract(&mut state, action.clone());
        let mut actions = Vec::new();
        problem.actions(&state, &mut actions);
        if !contains(&actions, &action) {
            let detail = "actions_into has it, but it is no action of the state that retract gives";
            return Some((Kind::ActionsInto, Some(action), detail.to_string()));
        }
        if problem.successor(&state, &action).0 != met.state {
            let detail = "retracted and done again, the state differs; it must be the same";
            return Some((Kind::Retract, Some(action), detail.to_string()));
        }
    }
    None
}

/// The cost of a path to a goal, the cheapest if it is found by a few expansions.
fn cost_to_goal<P: Problem>(problem: &P, from: &P::State) -> Option<P::Cost> {
    let mut nodes = vec![from.clone()];
    let mut costs: HashMap<P::State, P::Cost, FxBuildHasher> = HashMap::default();
    costs.insert(from.clone(), P::Cost::ZERO);
    let mut open = BinaryHeap::from([Reverse((P::Cost::ZERO, 0))]);
    let mut actions = Vec::new();
    for _ in 0..EXPANSIONS {
        let Reverse((g, node)) = open.pop()?;
        let state = nodes[node].clone();
        if problem.is_goal(&state) {
            return Some(g);
        }
        if costs.get(&state).is_some_and(|&known| known < g) {
            continue;
        }
        actions.clear();
        problem.actions(&state, &mut actions);
        for action in &actions {
            let (child, cost, _) = problem.successor(&state, action);
            let Some(g) = g.checked_add(cost) else { continue };
            if costs.get(&child).is_none_or(|&known| g < known) {
                costs.insert(child.clone(), g);
                open.push(Reverse((g, nodes.len())));
                nodes.push(child);
            }
        }
    }
    // None came out; one that is still in there was reached all the same.
    open.into_iter().find(|&Reverse((_, node))| problem.is_goal(&nodes[node])).map(|Reverse((g, _))| g)
}

/// Actions cannot be compared, but they can be written.
fn written<A: Debug>(actions: &[A]) -> Vec<String> {
    actions.iter().map(|action| format!("{action:?}")).collect()
}

fn contains<A: Debug>(actions: &[A], action: &A) -> bool {
    written(actions).contains(&format!("{action:?}"))
}

/// Whether two estimates are equal, rounding aside.
fn same<C, E: Estimate<C>>(a: E, b: E) -> bool {
    a == b || !a.exceeds(b) && !b.exceeds(a)
}

/// `SplitMix64` (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (((z >> 32) * end as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests;
