#![allow(unsafe_code, reason = "asks for links of nodes that are no roots")]

use super::*;
use crate::limits::Limits;
use crate::meter::{Control, Meter};

/// How many numbers there are: a prime; few where every access is checked.
const PRIME: u64 = if cfg!(miri) { 1_009 } else { 1_000_003 };

/// Numbers, each leading to its double and its double plus one; or, taken
/// modulo a prime, a graph in which states repeat.
struct Doubling;

impl Problem for Doubling {
    type State = u64;
    type Action = u8;
    type Undo = u64;
    type Cost = u32;

    fn start(&self) -> u64 {
        1
    }
    fn is_goal(&self, _: &u64) -> bool {
        false
    }
    fn actions(&self, _: &u64, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn apply(&self, state: &mut u64, action: u8) -> (u32, u64) {
        let before = *state;
        *state = (before * 2 + u64::from(action)) % PRIME;
        (1, before)
    }
    fn undo(&self, state: &mut u64, _: u8, before: u64) {
        *state = before;
    }
}

#[test]
fn every_state_is_stored_once_and_found_again() {
    let meter = Meter::new(Limits::default(), Control::default());
    let mut store = NodeStore::new(&Doubling, meter.budget()).with_costs();
    store.insert_root(1);
    let mut next = 0;
    while (next as usize) < store.len() {
        let state = *store.state(next);
        for action in [0, 1] {
            let mut child = state;
            Doubling.apply(&mut child, action);
            let arrival = Arrival { parent: next, action: &action, cost: store.cost(next) + 1 };
            store.insert(&child, order::hash(&child), arrival).unwrap();
        }
        next += 1;
    }
    // 2 generates the multiplicative group together with the +1 step: every
    // residue is reached.
    assert_eq!(store.len() as u64, PRIME);
    for i in (0..store.len() as Handle).step_by(997) {
        assert_eq!(store.find(store.state(i)), Some(i));
        let path = store.path(i);
        assert_eq!(path.len() as u32, store.cost(i));
        let mut state = 1;
        for action in path {
            Doubling.apply(&mut state, action);
        }
        assert_eq!(state, *store.state(i));
    }
}

#[test]
fn a_store_does_not_outgrow_its_limit() {
    let limit = if cfg!(miri) { 1 << 14 } else { 1 << 20 };
    let limits = Limits { memory: Some(limit), ..Limits::default() };
    let meter = Meter::new(limits, Control::default());
    let mut store = NodeStore::new(&Doubling, meter.budget());
    store.insert_root(0);
    let mut i = 1;
    let stop = loop {
        if let Err(stop) = store.insert(&i, order::hash(&i), Arrival { parent: 0, action: &0, cost: 0 }) {
            break stop;
        }
        i += 1;
        assert!(store.index.bytes() <= limit);
    };
    assert_eq!(stop, Stop::Memory);
    // It must have used most of what it was given.
    assert!(store.bytes() > limit / 2, "{} of {limit}", store.bytes());
}

#[test]
fn costs_widen_and_stay() {
    let mut links = Links::new(true);
    links.push_root();
    let values = [255, 3, 256, 65_535, 7, 65_536, u32::MAX.into(), 1, u64::MAX, 0];
    for (&cost, link) in values.iter().zip('a'..) {
        links.push(cost, link);
    }
    assert_eq!(links.cost(0), 0);
    for ((i, &cost), link) in (1..).zip(&values).zip('a'..) {
        // SAFETY: no root.
        assert_eq!((links.cost(i), unsafe { links.link(i) }), (cost, link));
    }
    links.improve(7, 12, 'z');
    // SAFETY: no root.
    assert_eq!((links.cost(7), unsafe { links.link(7) }), (12, 'z'));
}

#[test]
fn columns_drop_their_elements_once() {
    let counter = std::rc::Rc::new(());
    let mut column = Column::new();
    for _ in 0..5000 {
        column.push(counter.clone());
    }
    assert_eq!(std::rc::Rc::strong_count(&counter), 5001);
    drop(column);
    assert_eq!(std::rc::Rc::strong_count(&counter), 1);
}
