//! Dynamic programming over a profile of the board.
//!
//! Boxes are decided one by one, row by row. All that later decisions need to
//! know of the earlier ones is the profile, which of the last `cols` boxes are
//! in the set, and how many boxes are; for each such state the least cost
//! counts. A profile is a number whose bit 0 is the box decided last and whose
//! highest bit is the box above the next one.
//!
//! A state is dropped when it cannot lead to the cost aimed at. The bound is the
//! Lagrangian relaxation: with a price on each box, the number of boxes need
//! not be known, and the best completion of every profile is tabulated exactly
//! by going backwards. The price of the root's relaxation makes that bound the
//! relaxation itself, so that few states live as long as the gap is small. The
//! aim is raised from the lower bound until a solution turns up.

use novelo_search::{Counter, Frontier, Stop};

use super::grid::{BOTTOM, Grid, LEFT, RIGHT, Set, TOP};
use super::{Bytes, Gap};
use crate::puzzle::Size;

/// What a box is worth: so many arcs for so many boxes.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    pub arcs: i32,
    pub boxes: i32,
}

/// The bytes of the tables for a size.
pub fn tables(size: Size) -> usize {
    (size.rows + size.cols + 2) * (size_of::<i32>() << size.cols)
}

/// A profile, the number of boxes and the cost, in this order from the highest
/// bits on, so that sorting groups profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State(u64);

impl State {
    fn new(profile: usize, boxes: u32, cost: u32) -> Self {
        Self((profile as u64) << 32 | u64::from(boxes) << 16 | u64::from(cost))
    }

    fn profile(self) -> usize {
        (self.0 >> 32) as usize
    }

    fn boxes(self) -> u32 {
        (self.0 >> 16) as u32 & 0xFFFF
    }

    fn cost(self) -> u32 {
        self.0 as u32 & 0xFFFF
    }

    /// With one box more at a cost.
    fn plus(self, cost: u32) -> Self {
        Self(self.0 + (1 << 16) + u64::from(cost))
    }
}

/// A state and the number of boxes decided.
#[derive(Debug, Clone, Copy)]
struct Goal {
    decided: usize,
    state: State,
}

struct Profiles<'g> {
    grid: &'g Grid,
    left: u32,
    price: Price,
    /// What the best completion adds, prices deducted, for every profile at
    /// the start of each row.
    rows: Vec<Vec<i32>>,
    /// The same after each box of the current row.
    row: Vec<Vec<i32>>,
}

/// Closes a gap.
pub fn solve(
    grid: &Grid,
    left: usize,
    price: Price,
    gap: &mut Gap,
    counter: &mut Counter<'_>,
) -> Result<(), Stop> {
    let mut profiles = Profiles { grid, left: left as u32, price, rows: Vec::new(), row: Vec::new() };
    profiles.tabulate(counter)?;
    let mut step = 1;
    while !gap.is_closed() {
        let aim = (gap.lower + step - 1).min(gap.upper - 1);
        let mut checkpoints = Vec::new();
        match profiles.search(aim, &mut checkpoints, counter)? {
            Some(goal) => {
                gap.best = profiles.trace(goal, &checkpoints, counter)?;
                gap.upper = goal.state.cost();
                gap.lower = gap.upper;
            }
            None => gap.lower = aim + 1,
        }
        step *= 2;
    }
    Ok(())
}

impl Profiles<'_> {
    fn cols(&self) -> usize {
        self.grid.size().cols
    }

    /// What a box costs when it joins the set, by whether the box above and the
    /// one on its left are in it: bits 0 and 1 of the index.
    fn costs(&self, cell: usize) -> Option<[u32; 4]> {
        let lacks = self.grid.lacks[cell];
        let first = cell.is_multiple_of(self.cols());
        (lacks != 0).then(|| {
            std::array::from_fn(|inside| {
                let top = lacks & TOP != 0 && inside & 1 == 0;
                let left = lacks & LEFT != 0 && (first || inside & 2 == 0);
                (lacks & (RIGHT | BOTTOM)).count_ones() + u32::from(top) + u32::from(left)
            })
        })
    }

    /// From the table after a box to the one before it.
    fn before(&self, cell: usize, after: &[i32], before: &mut [i32]) {
        let Price { arcs, boxes } = self.price;
        let (clear, set) = before.split_at_mut(after.len() / 2);
        let halves = clear.iter_mut().zip(set);
        match self.costs(cell).map(|costs| costs.map(|cost| cost as i32 * boxes - arcs)) {
            Some(reduced) => {
                for (low, ((clear, set), after)) in halves.zip(after.as_chunks::<2>().0).enumerate() {
                    let left = 2 * (low & 1);
                    *clear = after[0].min(after[1] + reduced[left]);
                    *set = after[0].min(after[1] + reduced[left + 1]);
                }
            }
            None => {
                for ((clear, set), after) in halves.zip(after.as_chunks::<2>().0) {
                    (*clear, *set) = (after[0], after[0]);
                }
            }
        }
    }

    fn tabulate(&mut self, counter: &mut Counter<'_>) -> Result<(), Stop> {
        let Size { rows, cols } = self.grid.size();
        let bytes = tables(self.grid.size());
        self.rows = vec![vec![0; 1 << cols]; rows + 1];
        self.row = vec![vec![0; 1 << cols]; cols];
        for row in (0..rows).rev() {
            let held = Bytes { nodes: (rows - row) << cols, bytes };
            self.enter(row, &held, counter)?;
            let mut first = std::mem::take(&mut self.rows[row]);
            self.before(row * cols, &self.row[0], &mut first);
            self.rows[row] = first;
        }
        Ok(())
    }

    /// Fills in the tables after each box of a row.
    fn enter(&mut self, row: usize, held: &Bytes, counter: &mut Counter<'_>) -> Result<(), Stop> {
        let cols = self.cols();
        self.row[cols - 1].copy_from_slice(&self.rows[row + 1]);
        for col in (1..cols).rev() {
            counter.expand(held, Frontier::Depth(row as u32))?;
            let mut table = std::mem::take(&mut self.row[col - 1]);
            self.before(row * cols + col, &self.row[col], &mut table);
            self.row[col - 1] = table;
        }
        Ok(())
    }

    /// The most that cost less price may be for an aim.
    fn most(&self, aim: u32) -> i32 {
        self.price.boxes * aim as i32 - self.price.arcs * self.left as i32
    }

    /// Looks for the cheapest set that costs no more than the aim; keeps the
    /// states at the start of each row.
    fn search(
        &mut self,
        aim: u32,
        checkpoints: &mut Vec<Vec<State>>,
        counter: &mut Counter<'_>,
    ) -> Result<Option<Goal>, Stop> {
        let Size { rows, cols } = self.grid.size();
        let mut level = vec![State::new(0, 0, 0)];
        let mut best: Option<Goal> = None;
        let mut kept = 0;
        for row in 0..rows {
            kept += level.len();
            checkpoints.push(level.clone());
            let bytes = tables(self.grid.size()) + kept * size_of::<State>();
            self.enter(row, &Bytes { nodes: kept, bytes }, counter)?;
            for col in 0..cols {
                let aim = best.map_or(aim, |goal: Goal| goal.state.cost() - 1);
                let mut next = Vec::with_capacity(level.len() * 2);
                let held = tables(self.grid.size()) + kept * size_of::<State>();
                let goal = self.step(row * cols + col, &level, &mut next, self.most(aim), held, counter)?;
                if let Some(state) = goal {
                    best = Some(Goal { decided: row * cols + col + 1, state });
                }
                level = next;
            }
        }
        Ok(best)
    }

    /// Decides one box: from the states before it to those after it. Returns
    /// the cheapest that completes the set, if any does within the bound.
    fn step(
        &self,
        cell: usize,
        level: &[State],
        next: &mut Vec<State>,
        most: i32,
        held: usize,
        counter: &mut Counter<'_>,
    ) -> Result<Option<State>, Stop> {
        let top = 1usize << (self.cols() - 1);
        let table = &self.row[cell % self.cols()];
        let costs = self.costs(cell);
        let split = level.partition_point(|state| state.profile() < top);
        let (mut clear, mut set) = level.split_at(split);
        let mut goal: Option<State> = None;
        let mut merged = Vec::new();
        loop {
            let low = match (clear.first(), set.first()) {
                (Some(a), Some(b)) => a.profile().min(b.profile() - top),
                (Some(a), None) => a.profile(),
                (None, Some(b)) => b.profile() - top,
                (None, None) => break,
            };
            let bytes = held + (level.len() + next.capacity()) * size_of::<State>();
            counter
                .expand(&Bytes { nodes: level.len() + next.len(), bytes }, Frontier::Depth(cell as u32))?;
            let a = take_group(&mut clear, low);
            let b = take_group(&mut set, low + top);
            counter.generated += (a.len() + b.len()) as u64;
            merge(a.iter().copied(), b.iter().copied(), &mut merged);
            self.keep(&merged, 2 * low, most - table[2 * low], next);
            if let Some(costs) = costs {
                let left = 2 * (low & 1);
                merge(
                    a.iter().map(|state| state.plus(costs[left])),
                    b.iter().map(|state| state.plus(costs[left + 1])),
                    &mut merged,
                );
                if let Some(full) = merged.last().filter(|state| state.boxes() == self.left) {
                    let within =
                        self.price.boxes * full.cost() as i32 - self.price.arcs * self.left as i32 <= most;
                    if within && goal.is_none_or(|goal| full.cost() < goal.cost()) {
                        goal = Some(State::new(2 * low + 1, full.boxes(), full.cost()));
                    }
                    merged.pop();
                }
                self.keep(&merged, 2 * low + 1, most - table[2 * low + 1], next);
            }
        }
        Ok(goal)
    }

    /// Keeps those states of one profile that may lead to the aim and that no
    /// other beats with as many boxes for no more.
    fn keep(&self, states: &[State], profile: usize, most: i32, next: &mut Vec<State>) {
        let Price { arcs, boxes } = self.price;
        let first = next.len();
        let mut least = u32::MAX;
        for state in states.iter().rev() {
            let (count, cost) = (state.boxes(), state.cost());
            if cost < least && boxes * cost as i32 - arcs * count as i32 <= most {
                least = cost;
                next.push(State::new(profile, count, cost));
            }
        }
        next[first..].reverse();
    }

    /// The set of boxes that leads to a goal.
    fn trace(
        &mut self,
        goal: Goal,
        checkpoints: &[Vec<State>],
        counter: &mut Counter<'_>,
    ) -> Result<Set, Stop> {
        let cols = self.cols();
        let top = 1 << (cols - 1);
        let most = self.most(goal.state.cost());
        let kept: usize = checkpoints.iter().map(Vec::len).sum();
        let mut set = self.grid.none();
        let (mut decided, mut state) = (goal.decided, goal.state);
        while decided > 0 {
            let row = (decided - 1) / cols;
            let bytes = tables(self.grid.size()) + kept * size_of::<State>();
            self.enter(row, &Bytes { nodes: kept, bytes }, counter)?;
            let mut levels = vec![checkpoints[row].clone()];
            for cell in row * cols..decided - 1 {
                let mut next = Vec::new();
                let within: usize = levels.iter().map(Vec::len).sum();
                let held = tables(self.grid.size()) + (kept + within) * size_of::<State>();
                self.step(cell, &levels[levels.len() - 1], &mut next, most, held, counter)?;
                levels.push(next);
            }
            while let Some(level) = levels.pop() {
                decided -= 1;
                let inside = state.profile() & 1;
                set[decided] = inside == 1;
                let low = state.profile() / 2;
                let previous = |up: usize| {
                    let paid = if inside == 1 {
                        self.costs(decided).expect("only open boxes are taken")[2 * (low & 1) + up]
                    } else {
                        0
                    };
                    let cost = state.cost().checked_sub(paid)?;
                    let boxes = state.boxes().checked_sub(inside as u32)?;
                    let wanted = State::new(low + up * top, boxes, cost);
                    level.binary_search(&wanted).ok().map(|at| level[at])
                };
                state = previous(0).or_else(|| previous(1)).expect("every state has one before it");
            }
        }
        Ok(set)
    }
}

/// Takes the states of one profile from the front of a sorted list.
fn take_group<'l>(list: &mut &'l [State], profile: usize) -> &'l [State] {
    let end = list.iter().position(|state| state.profile() != profile).unwrap_or(list.len());
    let (group, rest) = list.split_at(end);
    *list = rest;
    group
}

/// Merges two lists sorted by number of boxes into one; where both have a
/// number, the cheaper stays. The profiles are to be ignored.
fn merge(a: impl Iterator<Item = State>, b: impl Iterator<Item = State>, out: &mut Vec<State>) {
    out.clear();
    let (mut a, mut b) = (a.peekable(), b.peekable());
    loop {
        let state = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x.boxes() == y.boxes() => {
                let cheaper = if x.cost() <= y.cost() { *x } else { *y };
                a.next();
                b.next();
                cheaper
            }
            (Some(x), Some(y)) if x.boxes() < y.boxes() => a.next().expect("peeked"),
            (_, Some(_)) => b.next().expect("peeked"),
            (Some(_), None) => a.next().expect("peeked"),
            (None, None) => break,
        };
        out.push(state);
    }
}
