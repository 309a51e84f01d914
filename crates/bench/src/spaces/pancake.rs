//! The pancake puzzle with the gap heuristic (Helmert, 2010), weakened.

use std::cell::Cell;
use std::hash::{Hash, Hasher};

use novelo_search::parts::Random;
use novelo_search::{Algorithm, Heuristic, Problem, Promise, Search};
use pathfinding::prelude::astar;

use super::{Total, row, strict};

/// Four bits a pancake, the topmost lowest; under the stack lies a plate, number `size`.
type Stack = u64;

struct Pancakes {
    size: u8,
    start: Stack,
    goal: Stack,
}

#[inline]
fn at(stack: Stack, place: u8) -> u64 {
    stack >> (4 * place) & 15
}

/// The topmost `count` turned around.
#[inline]
fn flipped(stack: Stack, count: u8) -> Stack {
    const LOW: u64 = 0x0F0F_0F0F_0F0F_0F0F;
    let reversed = ((stack & LOW) << 4 | (stack >> 4) & LOW).swap_bytes();
    reversed >> (64 - 4 * count) | stack >> (4 * count) << (4 * count)
}

/// Pancakes whose gaps are not counted: with all of them the heuristic is so good that there is no search left.
const IGNORED: u64 = 2;

/// Whether two neighbours do not belong together, as a number.
#[inline]
fn gap(a: u64, b: u64) -> u32 {
    u32::from(a.abs_diff(b) > 1 && a.min(b) >= IGNORED)
}

impl Pancakes {
    /// A stack in random order.
    fn shuffled(size: u8, random: &mut Random) -> Self {
        let stack = |order: &[u64]| order.iter().rev().fold(0, |stack, pancake| stack << 4 | pancake);
        let mut order: Vec<u64> = (0..=size.into()).collect();
        let goal = stack(&order);
        for i in (1..size.into()).rev() {
            order.swap(i, random.below(i + 1));
        }
        Self { size, start: stack(&order), goal }
    }

    fn gaps(&self, stack: Stack) -> u32 {
        (0..self.size).map(|place| gap(at(stack, place), at(stack, place + 1))).sum()
    }
}

/// The gaps of a stack that a flip has led to, from those before it.
#[inline]
fn gaps_after(stack: Stack, count: u8, before: u32) -> u32 {
    let below = at(stack, count);
    before + gap(at(stack, count - 1), below) - gap(at(stack, 0), below)
}

impl Problem for Pancakes {
    type State = Stack;
    type Action = u8;
    type Undo = ();
    type Cost = u32;

    const BACK: Option<()> = Some(());

    fn start(&self) -> Stack {
        self.start
    }

    #[inline]
    fn is_goal(&self, stack: &Stack) -> bool {
        *stack == self.goal
    }

    #[inline]
    fn actions(&self, _: &Stack, out: &mut Vec<u8>) {
        out.extend(2..=self.size);
    }

    #[inline]
    fn apply(&self, stack: &mut Stack, count: u8) -> (u32, ()) {
        *stack = flipped(*stack, count);
        (1, ())
    }

    #[inline]
    fn undo(&self, stack: &mut Stack, count: u8, (): ()) {
        *stack = flipped(*stack, count);
    }

    #[inline]
    fn reverses(&self, count: &u8, previous: &u8) -> bool {
        count == previous
    }

    fn unit_cost(&self) -> bool {
        true
    }
}

struct Gaps;

impl Heuristic<Pancakes> for Gaps {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    fn memo(&self, problem: &Pancakes, stack: &Stack) -> Option<u32> {
        Some(problem.gaps(*stack))
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    #[inline]
    fn child(&self, _: &Pancakes, parent: &u32, stack: &Stack, count: &u8, (): &()) -> Option<u32> {
        Some(gaps_after(*stack, *count, *parent))
    }

    #[inline]
    fn resume(&self, _: &Pancakes, _: &Stack, value: u32) -> u32 {
        value
    }
}

/// A stack that carries its gaps along, for pathfinding.
#[derive(Clone, Copy)]
struct Node {
    stack: Stack,
    gaps: u32,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.stack == other.stack
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stack.hash(state);
    }
}

fn novelo(problem: &Pancakes) -> Total {
    Total::of(&Search::new(problem).heuristic(Gaps).run(Algorithm::AStar).expect("nothing more is needed"))
}

fn pathfinding(problem: &Pancakes) -> Total {
    let expanded = Cell::new(0);
    let next = |&Node { stack, gaps }: &Node| {
        expanded.set(expanded.get() + 1);
        (2..=problem.size).map(move |count| {
            let stack = flipped(stack, count);
            (Node { stack, gaps: gaps_after(stack, count, gaps) }, 1)
        })
    };
    let start = Node { stack: problem.start, gaps: problem.gaps(problem.start) };
    let (_, cost) =
        astar(&start, next, |node| node.gaps, |node| node.stack == problem.goal).expect("solvable");
    Total { cost: cost.into(), expanded: expanded.get() }
}

/// Random stacks of 12 and of 14: many successors a state, most of them new, and an incremental heuristic.
pub fn rows() {
    for (size, count) in [(12, 8), (14, 2)] {
        let mut random = Random::new(9);
        let stacks: Vec<_> = (0..count).map(|_| Pancakes::shuffled(size, &mut random)).collect();
        row(
            &format!("{size} pancakes"),
            Algorithm::AStar.name(),
            || stacks.iter().map(novelo).sum(),
            || stacks.iter().map(pathfinding).sum(),
            Some(stacks.iter().map(|stack| strict::expansions(stack, &Gaps)).sum()),
        );
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The known numbers of stacks of seven at each distance; the gaps derived are those counted.
    #[test]
    fn stacks_by_distance() {
        let problem = Pancakes::shuffled(7, &mut Random::new(1));
        let (mut met, mut layer) = (HashSet::from([problem.goal]), vec![problem.goal]);
        for stacks in [1, 6, 30, 149, 543, 1357, 1903, 1016, 35, 0] {
            assert_eq!(layer.len(), stacks);
            let mut next = Vec::new();
            for &stack in &layer {
                for count in 2..=problem.size {
                    let flipped = flipped(stack, count);
                    assert_eq!(gaps_after(flipped, count, problem.gaps(stack)), problem.gaps(flipped));
                    next.extend(Some(flipped).filter(|&flipped| met.insert(flipped)));
                }
            }
            layer = next;
        }
    }
}
