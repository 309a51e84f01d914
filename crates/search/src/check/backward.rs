//! What a problem that can be run backwards says about one state.

use std::fmt::Debug;

use super::{Kind, Met, Wrong, written};
use crate::problem::Reversible;

/// Goals, and the actions that lead into a state and out of it.
pub(super) fn look<P: Reversible>(problem: &P, met: &Met<P>) -> Option<Wrong<P>> {
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

fn contains<A: Debug>(actions: &[A], action: &A) -> bool {
    written(actions).contains(&format!("{action:?}"))
}
