//! What a conflict teaches: the clause of the first unique implication point
//! (Zhang and others, 2001), shortened.

use super::clauses::{Literal, Place};
use super::{NONE, Solver, Theory};

impl<T: Theory> Solver<T> {
    /// Learns from a false clause and goes back to where the lesson applies.
    pub(super) fn learn(&mut self, conflict: Place) {
        let mut learned = std::mem::take(&mut self.learned);
        self.analyse(conflict, &mut learned);
        let back = learned.get(1).map_or(0, |literal| self.level[literal.variable()]);
        let worth = self.worth(&learned);
        self.backtrack(back);
        match learned[..] {
            [fact] => self.fact(fact),
            [first, ..] => {
                let place = self.clauses.add(&learned, worth);
                self.assign(first, place);
            }
            [] => self.exhausted = true,
        }
        self.learned = learned;
        self.heap.decay();
    }

    /// The clause of the first unique implication point; its first literal is
    /// the one of the current level, its second of the next highest.
    fn analyse(&mut self, conflict: Place, learned: &mut Vec<Literal>) {
        learned.clear();
        learned.push(Literal(0));
        let level = self.level();
        let (mut clause, mut at, mut open) = (conflict, self.trail.len(), 0);
        let mut skip = None;
        loop {
            for i in 0..self.clauses.len(clause) {
                let literal = self.clauses.get(clause, i);
                let variable = literal.variable();
                if Some(literal) == skip || self.seen[variable] || self.level[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.heap.bump(variable);
                if self.level[variable] == level {
                    open += 1;
                } else {
                    learned.push(literal);
                }
            }
            let point = loop {
                at -= 1;
                if self.seen[self.trail[at].variable()] {
                    break self.trail[at];
                }
            };
            open -= 1;
            self.seen[point.variable()] = false;
            if open == 0 {
                learned[0] = !point;
                break;
            }
            clause = self.reason[point.variable()];
            skip = Some(point);
        }
        let marked = learned.clone();
        let mut kept = 1;
        for i in 1..learned.len() {
            let literal = learned[i];
            if !self.follows(literal) {
                learned[kept] = literal;
                kept += 1;
            }
        }
        learned.truncate(kept);
        for literal in marked {
            self.seen[literal.variable()] = false;
        }
        if let Some(next) = (1..learned.len()).max_by_key(|&i| self.level[learned[i].variable()]) {
            learned.swap(1, next);
        }
    }

    /// Whether a literal of a learned clause follows from the others.
    fn follows(&self, literal: Literal) -> bool {
        let reason = self.reason[literal.variable()];
        reason != NONE
            && self.clauses.literals(reason).all(|other| {
                other == !literal || self.seen[other.variable()] || self.level[other.variable()] == 0
            })
    }

    /// How many decision levels a clause has; at least 1.
    pub(super) fn worth(&mut self, clause: &[Literal]) -> u32 {
        self.stamp += 1;
        let mut count = 0;
        for literal in clause {
            let level = self.level[literal.variable()] as usize;
            if self.levels_seen[level] != self.stamp {
                self.levels_seen[level] = self.stamp;
                count += 1;
            }
        }
        count.max(1)
    }
}
