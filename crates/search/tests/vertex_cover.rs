//! NBS expands at most twice the minimum vertex cover of the pairs that must be expanded (Chen, Holte, Zilles and Sturtevant,
//! 2017), computed exactly: on the 8-puzzle and on stacks of eight pancakes.
//!
//! Of a pair (u, v) whose lower bound max(f(u), f(v), g(u) + g(v) + 1) is below the optimal cost, every search from both ends
//! must expand u forwards or v backwards. Which pairs those are depends on the g of the two alone, once their f is below
//! the optimum: the pairs are a staircase, and a least cover is all of one side below some g and what is left of the other.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::ControlFlow;

use novelo_search::heuristic::from_fn;
use novelo_search::parts::Random;
use novelo_search::{Algorithm, NodeOf, Observer, Problem, Promise, Reversible, Search, Side};

/// A permutation, changed by moves that can be taken back.
trait Toy: Copy + Eq + Hash + Send + Sync {
    fn moves(self) -> Vec<u8>;
    fn after(self, way: u8) -> Self;
    fn back(way: u8) -> u8;
    /// An admissible and consistent estimate of the moves to another.
    fn estimate(self, to: Self) -> u32;
    fn random(random: &mut Random) -> Self;
}

/// The 8-puzzle: the tile on each cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Tiles([u8; 9]);

impl Toy for Tiles {
    fn moves(self) -> Vec<u8> {
        let blank = self.0.iter().position(|&tile| tile == 0).unwrap();
        let (row, col) = (blank / 3, blank % 3);
        let possible = [row > 0, row < 2, col > 0, col < 2];
        (0..4).filter(|&way| possible[way as usize]).collect()
    }
    fn after(mut self, way: u8) -> Self {
        let blank = self.0.iter().position(|&tile| tile == 0).unwrap();
        self.0
            .swap(blank, [blank.wrapping_sub(3), blank + 3, blank.wrapping_sub(1), blank + 1][way as usize]);
        self
    }
    fn back(way: u8) -> u8 {
        way ^ 1
    }
    fn estimate(self, to: Self) -> u32 {
        let place = |tiles: Self, tile| tiles.0.iter().position(|&other| other == tile).unwrap();
        let distance = |tile| {
            let (a, b) = (place(self, tile), place(to, tile));
            (a / 3).abs_diff(b / 3) + (a % 3).abs_diff(b % 3)
        };
        (1..9).map(distance).sum::<usize>() as u32
    }
    fn random(random: &mut Random) -> Self {
        let mut tiles = Self([1, 2, 3, 4, 5, 6, 7, 8, 0]);
        for _ in 0..200 {
            tiles = tiles.after(random.pick(&tiles.moves()));
        }
        tiles
    }
}

/// Pancakes from the top down, and the plate.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stack([u8; 9]);

impl Toy for Stack {
    fn moves(self) -> Vec<u8> {
        (2..9).collect()
    }
    fn after(mut self, count: u8) -> Self {
        self.0[..count as usize].reverse();
        self
    }
    fn back(count: u8) -> u8 {
        count
    }
    /// Neighbours that are none in the other stack: a flip parts one pair.
    fn estimate(self, to: Self) -> u32 {
        let place = |pancake| to.0.iter().position(|&other| other == pancake).unwrap();
        self.0.windows(2).filter(|pair| place(pair[0]).abs_diff(place(pair[1])) != 1).count() as u32
    }
    fn random(random: &mut Random) -> Self {
        let mut stack = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        for i in (1..8).rev() {
            stack.swap(i, random.below(i + 1));
        }
        Self(stack)
    }
}

struct Puzzle<T> {
    start: T,
    goal: T,
}

impl<T: Toy> Problem for Puzzle<T> {
    type State = T;
    type Action = u8;
    type Undo = ();
    type Cost = u32;

    fn start(&self) -> T {
        self.start
    }
    fn is_goal(&self, state: &T) -> bool {
        *state == self.goal
    }
    fn actions(&self, state: &T, out: &mut Vec<u8>) {
        out.extend(state.moves());
    }
    fn apply(&self, state: &mut T, way: u8) -> (u32, ()) {
        *state = state.after(way);
        (1, ())
    }
    fn undo(&self, state: &mut T, way: u8, (): ()) {
        *state = state.after(T::back(way));
    }
    fn unit_cost(&self) -> bool {
        true
    }
}

impl<T: Toy> Reversible for Puzzle<T> {
    fn goals(&self) -> Vec<T> {
        vec![self.goal]
    }
    fn actions_into(&self, state: &T, out: &mut Vec<u8>) {
        out.extend(state.moves().into_iter().map(T::back));
    }
    fn retract(&self, state: &mut T, way: u8) -> u32 {
        *state = state.after(T::back(way));
        1
    }
}

/// The states nearer than a distance, by distance.
fn levels<T: Toy>(from: T, below: u32) -> Vec<Vec<T>> {
    let mut known = HashSet::from([from]);
    let mut levels = vec![vec![from]];
    while (levels.len() as u32) < below {
        let mut next = Vec::new();
        for state in &levels[levels.len() - 1] {
            for way in state.moves() {
                let child = state.after(way);
                if known.insert(child) {
                    next.push(child);
                }
            }
        }
        levels.push(next);
    }
    levels
}

/// The size of a minimum vertex cover of the pairs that must be expanded.
fn least_cover<T: Toy>(start: T, goal: T, optimum: u32) -> u64 {
    let counts = |from: T, to: T| -> Vec<u64> {
        let near = |(g, states): (usize, Vec<T>)| {
            states.into_iter().filter(|state| g as u32 + state.estimate(to) < optimum).count() as u64
        };
        levels(from, optimum).into_iter().enumerate().map(near).collect()
    };
    let (forward, backward) = (counts(start, goal), counts(goal, start));
    // All forward nodes whose g is below a number, and of the others' partners g(v) < optimum - 1 - g(u).
    let cover = |below: usize| {
        let first = (below..forward.len()).find(|&g| forward[g] > 0);
        let partners = first.map_or(0, |g| (optimum as usize - 1).saturating_sub(g));
        forward[..below].iter().sum::<u64>() + backward[..partners.min(backward.len())].iter().sum::<u64>()
    };
    (0..=forward.len()).map(cover).min().unwrap_or(0)
}

/// Every expansion: its side, g and f.
struct Expansions(Vec<(Side, u32, u32)>);

impl<T: Toy> Observer<Puzzle<T>> for Expansions {
    fn expanded(&mut self, node: NodeOf<'_, Puzzle<T>>, _: &dyn Fn() -> Vec<u8>) -> ControlFlow<()> {
        self.0.push((node.side, node.g, node.g + node.h.unwrap() as u32));
        ControlFlow::Continue(())
    }
}

/// NBS on random instances; the sums of what it expands below the optimum, and of the least covers.
fn compare<T: Toy>(goal: T, instances: usize, seed: u64) -> (u64, u64) {
    let mut random = Random::new(seed);
    let (mut sum, mut least) = (0, 0);
    for _ in 0..instances {
        let start = T::random(&mut random);
        let problem = Puzzle { start, goal };
        let search = || {
            let toward_goal =
                from_fn(Promise::CONSISTENT, move |_: &Puzzle<T>, state: &T| state.estimate(goal));
            let toward_start =
                from_fn(Promise::CONSISTENT, move |_: &Puzzle<T>, state: &T| state.estimate(start));
            Search::new(&problem).heuristic(toward_goal).toward_start(toward_start)
        };
        let optimum = search().run(Algorithm::AStar).unwrap().solution().unwrap().cost;
        let mut seen = Expansions(Vec::new());
        let outcome = search().observer(&mut seen).run_reversible(Algorithm::Nbs).unwrap();
        let solution = outcome.solution().unwrap();
        assert!(solution.optimal && solution.cost == optimum);
        // It expands pairs, the forward node first. Only the last may lack its partner: the bound had come to the optimum.
        let mut expanded = 0;
        for pair in seen.0.chunks_exact(2) {
            assert!(pair[0].0 == Side::Forward && pair[1].0 == Side::Backward);
            let bound = pair[0].2.max(pair[1].2).max(pair[0].1 + pair[1].1 + 1);
            expanded += if bound < optimum { 2 } else { 0 };
        }
        let cover = least_cover(start, goal, optimum);
        // What it expands of these pairs is a cover of them, or something was claimed that it does not know.
        assert!((cover..=2 * cover).contains(&expanded), "{expanded} expanded, a least cover has {cover}");
        sum += expanded;
        least += cover;
        for algorithm in [Algorithm::Mm, Algorithm::BaeStar] {
            let outcome = search().run_reversible(algorithm).unwrap();
            let solution = outcome.solution().unwrap();
            assert!(solution.optimal && solution.cost == optimum, "{algorithm}");
        }
    }
    (sum, least)
}

#[test]
fn eight_puzzles() {
    let (expanded, least) = compare(Tiles([1, 2, 3, 4, 5, 6, 7, 8, 0]), 100, 1);
    println!("{expanded} expanded below the optimum, covers have {least}");
}

#[test]
fn stacks_of_eight_pancakes() {
    let (expanded, least) = compare(Stack([1, 2, 3, 4, 5, 6, 7, 8, 9]), 300, 2);
    println!("{expanded} expanded below the optimum, covers have {least}");
}
