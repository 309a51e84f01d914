//! The exact method for flips that cost the same: iterative deepening over gaps.
//!
//! It is IDA* with the gap heuristic, and looks only at flips that can lead on. The slack of a node is what the bound
//! leaves beyond its gaps. Without slack every flip must close a gap, which at most two can: those that lay the topmost
//! pancake on one of its two neighbours in size. So there is no need to try the others, and a flip after which no gap can be
//! closed is left out before it is done.
//!
//! Flips that close nothing take up slack, and they are tried first. Where there is no solution without slack, most stacks
//! one such flip away have one; tried last, the flip would be looked for at the bottom of a large tree, in the most crowded
//! part of it.

use crate::Cost;
use novelo_search::algorithms::Needs;
use novelo_search::{AlgorithmInfo, Answer, Counter, Frontier, Meter, Nodes, Outcome, Solution, Stop};

use super::instance::{LARGEST, Stack};
use crate::method::MethodInfo;

/// The method in the registry.
pub static GAPS: MethodInfo = MethodInfo {
    about: AlgorithmInfo {
        name: "gaps",
        title: "IDA* made for pancakes",
        about: "Iterative deepening A* with the gap heuristic that looks only at flips that can lead on. Where the bound \
                leaves nothing beyond the gaps there are, at most two flips do: those that lay the topmost pancake on a \
                neighbour in size. Flips that close no gap come first where there is room for them. For stacks whose \
                flips cost the same.",
        complete: "yes",
        optimal: "yes",
        time: "O(2^d) for the d flips of a stack whose gaps are its distance; more the further it is",
        space: "O(d)",
        needs: Needs::Nothing,
        parameters: &[],
        lesson: None,
    },
    searches_states: true,
    takes_heuristic: false,
    takes_order: false,
    uses_threads: false,
    over_processes: false,
};

/// A shortest solution of a stack.
pub fn solve(stack: &Stack, meter: &Meter<'_>) -> Outcome<String> {
    meter.note_root();
    let mut walk = Walk::new(stack, meter.counter());
    let gaps = walk.gaps();
    let mut bound = gaps;
    let found = loop {
        if meter.limits().depth.is_some_and(|most| u32::from(bound) > most) {
            break Err(Stop::Depth);
        }
        walk.bound = bound;
        match walk.visit(0, bound - gaps, gaps) {
            Ok(false) => bound += 1,
            Ok(true) => break Ok(std::mem::take(&mut walk.path)),
            Err(stop) => break Err(stop),
        }
    };
    drop(walk);
    let answer = match found {
        Err(stop) => Answer::Stopped(stop),
        Ok(path) => {
            let path: Vec<_> = path.iter().rev().map(u8::to_string).collect();
            Answer::Solved(Solution { cost: path.len() as Cost, path, optimal: true })
        }
    };
    Outcome { answer, lower_bound: Some(bound.into()), stop: None, stats: meter.stats() }
}

/// One if there is a gap between two neighbours.
#[inline]
fn is_gap(a: u8, b: u8) -> bool {
    a.abs_diff(b) != 1
}

/// A walk that is at some node.
struct Walk<'m> {
    /// The pancakes from the top, and the plate.
    stack: [u8; LARGEST + 1],
    /// How many lie on each pancake and on the plate.
    above: [u8; LARGEST + 2],
    size: u8,
    bound: u8,
    counter: Counter<'m>,
    /// The flips of a solution, the last first.
    path: Vec<u8>,
}

impl<'m> Walk<'m> {
    fn new(stack: &Stack, counter: Counter<'m>) -> Self {
        let size = stack.pancakes.len();
        let mut walk = Self {
            stack: [0; LARGEST + 1],
            above: [0; LARGEST + 2],
            size: size as u8,
            bound: 0,
            counter,
            path: Vec::new(),
        };
        walk.stack[..size].copy_from_slice(&stack.pancakes);
        walk.stack[size] = walk.size + 1;
        (0..=size).for_each(|at| walk.above[usize::from(walk.stack[at])] = at as u8);
        walk
    }

    fn gaps(&self) -> u8 {
        (1..=self.size).filter(|&turned| self.is_gap_below(turned)).count() as u8
    }

    /// Whether there is a gap below so many pancakes.
    #[inline]
    fn is_gap_below(&self, turned: u8) -> bool {
        is_gap(self.stack[usize::from(turned) - 1], self.stack[usize::from(turned)])
    }

    #[inline]
    fn flip(&mut self, turned: u8) {
        let top = &mut self.stack[..usize::from(turned)];
        top.reverse();
        for (at, &pancake) in (0..).zip(top.iter()) {
            self.above[usize::from(pancake)] = at;
        }
    }

    /// Whether a gap could be closed right after a flip.
    #[inline]
    fn leads_on(&self, turned: u8) -> bool {
        let top = self.stack[usize::from(turned) - 1];
        let closes = |neighbour: u8| {
            let above = self.above[usize::from(neighbour)];
            let above = if above < turned { turned - 1 - above } else { above };
            if neighbour == 0 || above < 2 {
                return false;
            }
            let at = above - 1;
            let at = if at < turned { turned - 1 - at } else { at };
            is_gap(self.stack[usize::from(at)], neighbour)
        };
        closes(top - 1) || closes(top + 1)
    }

    /// Searches below the node that the walk is at, which a flip of `last` has led to; whether a solution was found.
    fn visit(&mut self, last: u8, slack: u8, gaps: u8) -> Result<bool, Stop> {
        if gaps == 0 {
            return Ok(true);
        }
        let depth = self.bound - slack - gaps;
        self.counter.expand(&Nodes(u64::from(depth) + 1), Frontier::Bound(self.bound.into()))?;
        self.counter.stored_peak = self.counter.stored_peak.max(u64::from(depth) + 1);
        let top = self.stack[0];
        if slack > 0 {
            for turned in (2..=self.size).filter(|&turned| turned != last) {
                let opens = is_gap(top, self.stack[usize::from(turned)]);
                let closes = self.is_gap_below(turned);
                let costs = 1 + u8::from(opens && !closes);
                if closes && !opens || costs > slack || (costs == slack && !self.leads_on(turned)) {
                    continue;
                }
                if self.descend(turned, slack - costs, gaps + costs - 1)? {
                    return Ok(true);
                }
            }
        }
        for neighbour in [top - 1, top + 1] {
            let turned = self.above[usize::from(neighbour)];
            if neighbour == 0 || turned < 2 || !self.is_gap_below(turned) {
                continue;
            }
            if slack == 0 && gaps > 1 && !self.leads_on(turned) {
                continue;
            }
            if self.descend(turned, slack, gaps - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[inline]
    fn descend(&mut self, turned: u8, slack: u8, gaps: u8) -> Result<bool, Stop> {
        self.counter.generated += 1;
        self.flip(turned);
        if self.visit(turned, slack, gaps)? {
            self.path.push(turned);
            return Ok(true);
        }
        self.flip(turned);
        Ok(false)
    }
}
