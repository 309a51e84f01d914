use std::hash::{Hash, Hasher};

use super::*;
use crate::cost::Real;
use crate::heuristic::{Promise, Zero, from_fn};

/// Places around a ring of twelve, by steps of one either way, from 0 to 6; with one thing wrong, or none.
struct Ring<const BACK: bool, const TREE: bool>(Option<Kind>);

type Right = Ring<true, false>;

#[derive(Debug, Clone)]
struct Place {
    at: u8,
    /// Not compared.
    noise: u8,
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl Eq for Place {}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.at, self.noise).hash(state);
    }
}

fn place(at: u8) -> Place {
    Place { at, noise: 0 }
}

impl<const BACK: bool, const TREE: bool> Ring<BACK, TREE> {
    /// Wrong things are wrong from the third place on, so that the shortest instance is not at the start.
    fn is_wrong(&self, kind: Kind, state: &Place) -> bool {
        self.0 == Some(kind) && state.at == 3
    }
}

fn step(at: u8, by: i8) -> u8 {
    (i16::from(at) + i16::from(by)).rem_euclid(12) as u8
}

impl<const BACK: bool, const TREE: bool> Problem for Ring<BACK, TREE> {
    type State = Place;
    type Action = i8;
    type Undo = i8;
    type Cost = Real;

    const BACK: Option<i8> = if BACK { Some(0) } else { None };
    const TREE: bool = TREE;

    fn start(&self) -> Place {
        place(0)
    }
    fn is_goal(&self, state: &Place) -> bool {
        state.at == 6
    }
    fn actions(&self, state: &Place, out: &mut Vec<i8>) {
        if self.is_wrong(Kind::Buffer, state) {
            out.clear();
        }
        out.extend([1, -1]);
    }
    fn apply(&self, state: &mut Place, by: i8) -> (Real, i8) {
        let cost = match self.0 {
            Some(Kind::Cost) if state.at == 3 => -1.0,
            Some(Kind::UnitCost) if state.at == 3 => 2.0,
            _ => 1.0,
        };
        // What undo is to add beyond the step.
        let undo = i8::from(self.is_wrong(Kind::Back, state));
        let undo = if self.is_wrong(Kind::Undo, state) { 5 } else { undo };
        if self.is_wrong(Kind::Back, state) {
            state.at = step(state.at, 1);
        }
        state.at = step(state.at, by);
        (Real::new(cost), undo)
    }
    fn undo(&self, state: &mut Place, by: i8, more: i8) {
        state.at = step(state.at, -by - more);
        if self.is_wrong(Kind::Hash, state) {
            state.noise += 1;
        }
    }
    fn reverses(&self, action: &i8, previous: &i8) -> bool {
        if self.0 == Some(Kind::Reverses) { action == previous } else { *action == -*previous }
    }
    fn actions_after(&self, state: &Place, previous: &i8, out: &mut Vec<i8>) -> usize {
        out.push(*previous);
        usize::from(!self.is_wrong(Kind::ActionsAfter, state) && self.0 != Some(Kind::Reverses))
    }
    fn successor(&self, state: &Place, by: &i8) -> (Place, Real, i8) {
        let mut child = state.clone();
        let (cost, undo) = self.apply(&mut child, *by);
        if self.is_wrong(Kind::Successor, state) {
            child.at = step(child.at, 1);
        }
        (child, cost, undo)
    }
    fn unit_cost(&self) -> bool {
        true
    }
}

impl Reversible for Right {
    fn goals(&self) -> Vec<Place> {
        if self.0 == Some(Kind::Goals) { vec![place(6), place(7)] } else { vec![place(6)] }
    }
    fn actions_into(&self, state: &Place, out: &mut Vec<i8>) {
        out.push(1);
        out.extend((!self.is_wrong(Kind::ActionsInto, state)).then_some(-1));
    }
    fn retract(&self, state: &mut Place, by: i8) -> Real {
        let wrong = self.is_wrong(Kind::Retract, state);
        state.at = step(state.at, -by);
        Real::new(if wrong { 2.0 } else { 1.0 })
    }
}

fn distance(at: u8) -> f64 {
    f64::from(at.abs_diff(6))
}

/// The distance, with one thing wrong, or none.
struct Distance(Option<Kind>);

impl<const BACK: bool, const TREE: bool> Heuristic<Ring<BACK, TREE>> for Distance {
    type Memo = f64;
    type Value = Real;

    fn promise(&self) -> Promise {
        if self.0 == Some(Kind::Inadmissible) { Promise::ADMISSIBLE } else { Promise::CONSISTENT }
    }
    fn memo(&self, _: &Ring<BACK, TREE>, state: &Place) -> Option<f64> {
        match self.0 {
            Some(Kind::DeadEnd) if state.at == 3 => None,
            Some(Kind::Inadmissible) if state.at == 3 => Some(4.0),
            Some(Kind::Inconsistent) if state.at == 4 => Some(0.0),
            _ => Some(distance(state.at)),
        }
    }
    fn value(&self, memo: &f64) -> Real {
        Real::new(*memo)
    }
    fn child(&self, problem: &Ring<BACK, TREE>, parent: &f64, state: &Place, _: &i8, _: &i8) -> Option<f64> {
        let wrong = self.0 == Some(Kind::Child) && *parent as u8 == 3;
        self.memo(problem, state).map(|memo| if wrong { memo / 2.0 } else { memo })
    }
    fn peek(&self, _: &Ring<BACK, TREE>, _: &f64, before: &Place, by: &i8) -> Option<(Real, f64)> {
        let asked = matches!(self.0, None | Some(Kind::Peek)) && before.at == 3;
        let wrong = if self.0 == Some(Kind::Peek) { 1.0 } else { 0.0 };
        asked.then(|| (Real::new(1.0), distance(step(before.at, *by)) + wrong))
    }
    fn resume(&self, _: &Ring<BACK, TREE>, state: &Place, value: Real) -> f64 {
        if self.0 == Some(Kind::Resume) && state.at == 3 { 0.5 } else { value.get() }
    }
}

#[test]
fn what_is_right_passes() {
    let checked = check_reversible(&Ring::<true, false>(None), &Distance(None), 100).unwrap();
    assert_eq!(checked, Checked { states: 12, actions: 24, solved: 12 });
    assert_eq!(check(&Ring::<false, false>(None), &Zero, 5).unwrap().states, 5);
    assert_eq!(check(&Ring::<false, false>(None), &Zero, 0).unwrap(), Checked::default());
    assert_eq!(
        checked.to_string(),
        "12 states and 24 actions are as promised; from 12 states a goal was reached"
    );
}

#[test]
fn every_fault_of_a_problem_is_found() {
    use Kind::{ActionsAfter, Back, Buffer, Cost, Hash, Reverses, Successor, Undo, UnitCost};
    for kind in [Undo, Successor, Hash, Back, UnitCost, Cost, Buffer, Reverses, ActionsAfter] {
        let violation = check(&Ring::<true, false>(Some(kind)), &Zero, 100).unwrap_err();
        assert_eq!(violation.kind, kind, "{violation}");
        let depth = match kind {
            Reverses => 1,
            _ => 3,
        };
        assert_eq!(violation.path, vec![1; depth], "{violation}");
    }
    // A step forward and one back.
    let violation = check(&Ring::<false, true>(None), &Zero, 100).unwrap_err();
    assert_eq!((violation.kind, violation.path, violation.action), (Kind::Tree, vec![1], Some(-1)));
}

#[test]
fn every_fault_of_a_heuristic_is_found() {
    use Kind::{Child, DeadEnd, Inadmissible, Inconsistent, Peek, Resume};
    for kind in [Child, Peek, Resume, Inconsistent, Inadmissible, DeadEnd] {
        let violation = check(&Ring::<true, false>(None), &Distance(Some(kind)), 100).unwrap_err();
        assert_eq!(violation.kind, kind, "{violation}");
        assert_eq!(violation.path, [1, 1, 1], "{violation}");
    }
}

#[test]
fn every_fault_of_the_way_back_is_found() {
    for (kind, depth) in [(Kind::Goals, 0), (Kind::ActionsInto, 4), (Kind::Retract, 2)] {
        let violation = check_reversible(&Ring::<true, false>(Some(kind)), &Zero, 100).unwrap_err();
        assert_eq!(violation.kind, kind, "{violation}");
        assert_eq!(violation.path.len(), depth, "{violation}");
    }
}

#[test]
fn violations_say_what_would_be_right() {
    let said = |violation: Violation<i8>| violation.to_string();
    assert_eq!(
        said(check(&Ring::<true, false>(Some(Kind::Undo)), &Zero, 100).unwrap_err()),
        "undo does not take back apply: after [1, 1, 1], action 1: done and taken back, the state differs; it must be \
         the one before"
    );
    assert_eq!(
        said(check(&Ring::<true, false>(None), &Distance(Some(Kind::DeadEnd)), 100).unwrap_err()),
        "the heuristic gives up a state from which a goal can be reached: after [1, 1, 1] it says None, but a path from \
         there to a goal costs 3; None is for states from which no goal can be reached"
    );
    // Nothing is asked of a heuristic that promises nothing, but that dead ends are dead.
    let wild = from_fn(Promise::NONE, |_: &Right, state: &Place| 100.0 * f64::from(state.at));
    assert!(check(&Ring::<true, false>(None), &wild, 100).is_ok());
}
