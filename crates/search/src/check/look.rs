//! What a problem and a heuristic say about one state.

use super::goal::cost_to_goal;
use super::{Checker, Kind, Met, written};
use crate::heuristic::{Estimate, Heuristic};
use crate::order;
use crate::problem::Problem;

impl<P: Problem, H: Heuristic<P>> Checker<'_, P, H> {
    /// Everything there is to say about a state.
    pub(super) fn look(&mut self, met: &Met<P>) {
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
    pub(super) fn compare(
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

/// Whether two estimates are equal, rounding aside.
fn same<C, E: Estimate<C>>(a: E, b: E) -> bool {
    a == b || !a.exceeds(b) && !b.exceeds(a)
}
