//! Search with conflict-driven clause learning (Marques-Silva and Sakallah,
//! 1999; Moskewicz and others, 2001), over clauses and one theory that knows
//! what clauses cannot say briefly.

mod clauses;
mod heap;
mod learn;

use clauses::{Clauses, KEPT, Place};
use heap::Heap;

pub use clauses::Literal;

/// No reason: a decision, or a fact.
const NONE: Place = Place::MAX;
/// Conflicts between restarts, times the numbers of Luby, Sinclair and
/// Zuckerman (1993).
const RESTART: u64 = 64;
/// Learned clauses before the first time that half of them are forgotten.
const FIRST_FORGET: usize = 3000;

/// What the solver asks beside its clauses.
pub trait Theory {
    /// Looks at an assignment that satisfies or leaves open every clause. If a
    /// clause follows from the theory that is false under it, or has one open
    /// literal and all others false, writes it to `out` and says so.
    fn lemma(&mut self, values: &[Value], trail: &[Literal], out: &mut Vec<Literal>) -> bool;

    /// Only so much of the trail is left.
    fn backtrack(&mut self, trail: usize);

    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// What is known of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// Neither.
    Open,
    /// True.
    True,
    /// False.
    False,
}

/// A solver and its theory.
pub struct Solver<T> {
    clauses: Clauses,
    /// By literal.
    values: Vec<Value>,
    trail: Vec<Literal>,
    /// Where each decision stands on the trail.
    decisions: Vec<usize>,
    /// How much of the trail the clauses have seen.
    head: usize,
    level: Vec<u32>,
    reason: Vec<Place>,
    phase: Vec<bool>,
    heap: Heap,
    theory: T,
    /// Whether no assignment is left.
    exhausted: bool,
    conflicts: u64,
    restarts: u64,
    next_restart: u64,
    forget_at: usize,
    seen: Vec<bool>,
    lemma: Vec<Literal>,
    learned: Vec<Literal>,
    levels_seen: Vec<u64>,
    stamp: u64,
}

impl<T: Theory> Solver<T> {
    /// A solver for a number of variables, without clauses.
    pub fn new(variables: usize, theory: T) -> Self {
        Self {
            clauses: Clauses::new(variables),
            values: vec![Value::Open; 2 * variables],
            trail: Vec::with_capacity(variables),
            decisions: Vec::new(),
            head: 0,
            level: vec![0; variables],
            reason: vec![NONE; variables],
            phase: vec![false; variables],
            heap: Heap::new(variables),
            theory,
            exhausted: false,
            conflicts: 0,
            restarts: 0,
            next_restart: RESTART,
            forget_at: FIRST_FORGET,
            seen: vec![false; variables],
            lemma: Vec::new(),
            learned: Vec::new(),
            levels_seen: vec![0; variables + 1],
            stamp: 0,
        }
    }

    /// The theory.
    pub fn theory(&self) -> &T {
        &self.theory
    }

    /// Whether no assignment is left.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Clauses learned and kept.
    pub fn learned(&self) -> usize {
        self.clauses.learned()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.clauses.bytes() + self.values.len() * 32 + self.theory.bytes()
    }

    /// Whether a variable is true.
    pub fn is_true(&self, variable: usize) -> bool {
        self.values[Literal::new(variable, true).index()] == Value::True
    }

    fn level(&self) -> u32 {
        self.decisions.len() as u32
    }

    fn value(&self, literal: Literal) -> Value {
        self.values[literal.index()]
    }

    /// Adds a variable, which is false as long as nothing says otherwise.
    pub fn variable(&mut self) -> usize {
        let variable = self.level.len();
        self.clauses.variable();
        self.values.extend([Value::Open; 2]);
        self.level.push(0);
        self.reason.push(NONE);
        self.phase.push(false);
        self.heap.variable();
        self.seen.push(false);
        self.levels_seen.push(0);
        variable
    }

    /// Takes all decisions back, so that clauses can be added.
    pub fn back_to_root(&mut self) {
        self.backtrack(0);
    }

    /// Adds a clause while no decision stands.
    pub fn add(&mut self, literals: &[Literal]) {
        debug_assert!(self.decisions.is_empty());
        if literals.iter().any(|&literal| self.value(literal) == Value::True) {
            return;
        }
        let open: Vec<_> =
            literals.iter().copied().filter(|&literal| self.value(literal) == Value::Open).collect();
        match open[..] {
            [] => self.exhausted = true,
            [fact] => self.fact(fact),
            _ => {
                self.clauses.add(&open, KEPT);
            }
        }
    }

    fn fact(&mut self, literal: Literal) {
        match self.value(literal) {
            Value::True => {}
            Value::False => self.exhausted = true,
            Value::Open => self.assign(literal, NONE),
        }
    }

    /// Searches for the next assignment that satisfies everything; `false` if
    /// there is none. `tick` is called once a decision and may end the search.
    pub fn search<E>(&mut self, mut tick: impl FnMut(&Self) -> Result<(), E>) -> Result<bool, E> {
        while !self.exhausted {
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                if self.level() == 0 {
                    self.exhausted = true;
                } else {
                    self.learn(conflict);
                }
                continue;
            }
            if self.exhausted {
                break;
            }
            if self.conflicts >= self.next_restart {
                self.restart();
                continue;
            }
            tick(self)?;
            let Some(variable) = self.pick() else { return Ok(true) };
            self.decisions.push(self.trail.len());
            self.assign(Literal::new(variable, self.phase[variable]), NONE);
        }
        Ok(false)
    }

    /// Excludes the assignment just found: the decisions imply all of it.
    pub fn exclude(&mut self) {
        if self.level() == 0 {
            self.exhausted = true;
            return;
        }
        let clause: Vec<_> = self.decisions.iter().rev().map(|&at| !self.trail[at]).collect();
        let level = self.level();
        self.backtrack(level - 1);
        if clause.len() == 1 {
            self.fact(clause[0]);
        } else {
            let place = self.clauses.add(&clause, KEPT);
            self.assign(clause[0], place);
        }
    }

    fn pick(&mut self) -> Option<usize> {
        while let Some(variable) = self.heap.pop() {
            if self.values[2 * variable] == Value::Open {
                return Some(variable);
            }
        }
        None
    }

    fn assign(&mut self, literal: Literal, reason: Place) {
        let variable = literal.variable();
        self.values[literal.index()] = Value::True;
        self.values[(!literal).index()] = Value::False;
        self.level[variable] = self.level();
        self.reason[variable] = reason;
        self.trail.push(literal);
    }

    fn backtrack(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let keep = self.decisions[level as usize];
        for &literal in &self.trail[keep..] {
            let variable = literal.variable();
            self.values[literal.index()] = Value::Open;
            self.values[(!literal).index()] = Value::Open;
            self.phase[variable] = literal.is_positive();
            self.heap.insert(variable);
        }
        self.trail.truncate(keep);
        self.decisions.truncate(level as usize);
        self.head = self.head.min(keep);
        self.theory.backtrack(keep);
    }

    fn restart(&mut self) {
        self.restarts += 1;
        self.next_restart = self.conflicts + RESTART * luby(self.restarts);
        self.backtrack(0);
        if self.clauses.learned() > self.forget_at {
            self.forget_at += self.forget_at / 10;
            // Facts need no reasons.
            self.clauses.forget();
            self.head = 0;
        }
    }

    /// Draws all conclusions of clauses and theory; the clause that turned out
    /// false, if any.
    fn propagate(&mut self) -> Option<Place> {
        loop {
            if let Some(conflict) = self.propagate_clauses() {
                return Some(conflict);
            }
            self.lemma.clear();
            if !self.theory.lemma(&self.values, &self.trail, &mut self.lemma) {
                return None;
            }
            if let Some(conflict) = self.add_lemma() {
                return Some(conflict);
            }
            if self.exhausted {
                return None;
            }
        }
    }

    /// Adds the lemma just written; its place if it is false.
    fn add_lemma(&mut self) -> Option<Place> {
        let mut lemma = std::mem::take(&mut self.lemma);
        // Watched literals must be those that become open first on the way back.
        let key = |literal: &Literal| match self.value(*literal) {
            Value::False => self.level[literal.variable()],
            _ => u32::MAX,
        };
        lemma.sort_by_key(|literal| std::cmp::Reverse(key(literal)));
        let highest = lemma.first().map_or(0, key);
        let conflict = match lemma[..] {
            [] => {
                self.exhausted = true;
                None
            }
            [fact] => {
                self.backtrack(0);
                self.fact(fact);
                None
            }
            [first, ..] => {
                let worth = self.worth(&lemma);
                let place = self.clauses.add(&lemma, worth);
                if highest == u32::MAX {
                    self.assign(first, place);
                    None
                } else {
                    self.backtrack(highest);
                    Some(place)
                }
            }
        };
        self.lemma = lemma;
        conflict
    }

    fn propagate_clauses(&mut self) -> Option<Place> {
        while self.head < self.trail.len() {
            let literal = self.trail[self.head];
            self.head += 1;
            let mut list = std::mem::take(&mut self.clauses.watches[literal.index()]);
            let (mut from, mut to) = (0, 0);
            let mut conflict = None;
            while from < list.len() {
                let watch = list[from];
                from += 1;
                list[to] = watch;
                to += 1;
                if self.value(watch.blocker) == Value::True {
                    continue;
                }
                let place = watch.clause;
                if self.clauses.get(place, 0) == !literal {
                    self.clauses.swap(place, 0, 1);
                }
                let first = self.clauses.get(place, 0);
                list[to - 1].blocker = first;
                if self.value(first) == Value::True {
                    continue;
                }
                let other = (2..self.clauses.len(place))
                    .find(|&i| self.values[self.clauses.get(place, i).index()] != Value::False);
                if let Some(i) = other {
                    let moved = list[to - 1];
                    self.clauses.swap(place, 1, i);
                    let now = self.clauses.get(place, 1);
                    self.clauses.watches[(!now).index()].push(moved);
                    to -= 1;
                } else if self.value(first) == Value::False {
                    conflict = Some(place);
                    break;
                } else {
                    self.assign(first, place);
                }
            }
            list.copy_within(from.., to);
            list.truncate(list.len() - (from - to));
            self.clauses.watches[literal.index()] = list;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }
}

/// The n-th number, from 1, of the sequence 1 1 2 1 1 2 4 …
fn luby(mut n: u64) -> u64 {
    loop {
        let bits = 64 - n.leading_zeros();
        if n == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        n -= (1 << (bits - 1)) - 1;
    }
}
