//! Anytime beam search: level by level, only the most promising nodes are kept; then again with a wider beam.
//!
//! [`beam_search`] looks for one solution with a given width, [`widen`] for ever better ones with ever wider beams. Both
//! run on any [`Beam`]: [`Guided`] makes one of a problem and a heuristic, and who can lay out a level of their own
//! problem better than state by state implements the trait.
//!
//! ```
//! use novelo_search::beam::{Guided, beam_search};
//! use novelo_search::{Control, Limits, Meter, Problem, Promise, heuristic};
//!
//! /// From 0 to 100 by steps of 7 and -3.
//! struct Steps;
//!
//! impl Problem for Steps {
//!     type State = i32;
//!     type Action = i32;
//!     type Undo = ();
//!     type Cost = u32;
//!     fn start(&self) -> i32 { 0 }
//!     fn is_goal(&self, at: &i32) -> bool { *at == 100 }
//!     fn actions(&self, _: &i32, out: &mut Vec<i32>) { out.extend([7, -3]) }
//!     fn apply(&self, at: &mut i32, by: i32) -> (u32, ()) { *at += by; (1, ()) }
//!     fn undo(&self, at: &mut i32, by: i32, (): ()) { *at -= by }
//! }
//!
//! let estimate = heuristic::from_fn(Promise::NONE, |_: &Steps, at: &i32| Some(at.abs_diff(100)));
//! let meter = Meter::new(Limits::default(), Control::default());
//! let path = beam_search(&Guided::new(&Steps, &estimate), 4, 50, meter.budget()).unwrap();
//! assert_eq!(path.iter().sum::<i32>(), 100);
//! ```

use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher};

use crate::heuristic::{Estimate, Heuristic};
use crate::incumbent::Incumbent;
use crate::limits::{Frontier, Stop};
use crate::meter::{Budget, Nodes};
use crate::order;
use crate::problem::Problem;

/// A successor of a node of a level, which may be kept in the next.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<A> {
    /// The place of its parent in the level.
    pub parent: u32,
    /// The action that leads to it.
    pub action: A,
    /// No solution through it costs less than this; of a goal, what the path to it costs.
    pub f: u32,
    /// The smaller, the more promising.
    pub rank: u32,
    /// A well-mixed hash of its state; of two with the same hash, one is kept.
    pub hash: u64,
    /// Whether it is a goal.
    pub goal: bool,
}

/// A problem that is searched level by level.
pub trait Beam {
    /// One action.
    type Action: Clone;
    /// The nodes of one level.
    type Level;

    /// The level of the start alone.
    fn start(&self) -> Self::Level;

    /// How many nodes a level has.
    fn len(&self, level: &Self::Level) -> usize;

    /// Appends the successors of all nodes of a level, `depth` actions below the start. One that is known to lead to no
    /// goal, or back to where its parent came from, is left out.
    fn expand(&self, level: &Self::Level, depth: u32, out: &mut Vec<Candidate<Self::Action>>);

    /// The next level: the candidates that were kept.
    fn keep(&self, level: &Self::Level, kept: &[Candidate<Self::Action>]) -> Self::Level;

    /// About the bytes of one node of a level.
    fn node_bytes(&self) -> usize;
}

/// A solution and what it costs.
type Found<B> = (Vec<<B as Beam>::Action>, u32);

/// Ways back are kept for every level; this is the most entries, about 1 GB.
const MOST_STEPS: usize = 1 << 28;

/// Looks for a solution that costs less than `cheaper_than`, with at most `width` nodes at each depth.
pub fn beam_search<B: Beam>(
    beam: &B,
    width: usize,
    cheaper_than: u32,
    budget: Budget<'_>,
) -> Option<Vec<B::Action>> {
    search_width(beam, width, cheaper_than, budget).ok().flatten().map(|(path, _)| path)
}

/// The same with the cost of the solution, and with what ended it where that was a limit.
fn search_width<B: Beam>(
    beam: &B,
    width: usize,
    cheaper_than: u32,
    budget: Budget<'_>,
) -> Result<Option<Found<B>>, Stop> {
    let levels = cheaper_than as usize;
    // No level adds more than three for each node, on most puzzles.
    let most_seen = width.saturating_mul(64).clamp(1 << 20, 1 << 24).min(width.saturating_mul(3 * levels));
    // Two levels, candidates, ways back, hashes seen (a set grows before it is cleared).
    let step = size_of::<u32>() + size_of::<B::Action>();
    let node = 2 * beam.node_bytes() + 3 * (size_of::<Candidate<B::Action>>() + 8);
    let bytes = width.saturating_mul(node + step * levels.min(1 << 16)).saturating_add(most_seen * 36);
    let _held = budget.reserve(bytes)?;
    let mut counter = budget.counter();
    let mut level = beam.start();
    let mut steps: Vec<(Vec<u32>, Vec<B::Action>)> = Vec::new();
    let mut seen: HashSet<u64, Mixed> = HashSet::default();
    let mut candidates: Vec<Candidate<B::Action>> = Vec::new();
    for depth in 0.. {
        let nodes = beam.len(&level) as u64;
        if depth as usize * width > MOST_STEPS {
            break;
        }
        counter.expand_many(nodes, &Nodes(nodes), Frontier::Depth(depth))?;
        if seen.len() > most_seen {
            seen.clear();
        }
        candidates.clear();
        beam.expand(&level, depth, &mut candidates);
        counter.generated += candidates.len() as u64;
        candidates.retain(|c| c.f < cheaper_than && seen.insert(c.hash));
        if let Some(goal) = candidates.iter().find(|c| c.goal) {
            return Ok(Some((way_back(&steps, goal), goal.f)));
        }
        if candidates.len() > width {
            candidates.select_nth_unstable_by_key(width, |c| (c.rank, c.hash));
            candidates.truncate(width);
        }
        if candidates.is_empty() {
            break;
        }
        level = beam.keep(&level, &candidates);
        steps.push(candidates.iter().map(|c| (c.parent, c.action.clone())).unzip());
    }
    Ok(None)
}

/// Beam searches of doubling widths, from `first` to `widest`, for solutions cheaper than the incumbent, until that is
/// optimal, the budget is used up, or the incumbent's listener ends them. After each, `polish` may offer something better
/// still. An error says what ended them, or what kept a beam from being as wide as it was to be.
pub fn widen<'a, B: Beam>(
    beam: &B,
    (first, widest): (usize, usize),
    incumbent: &mut Incumbent<'a, B::Action>,
    budget: Budget<'_>,
    mut polish: impl FnMut(usize, &mut Incumbent<'a, B::Action>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut width = first;
    let mut ended = Ok(());
    while !incumbent.is_optimal() && width <= widest && !budget.over() {
        let cheaper_than = incumbent.cost().unwrap_or(u32::MAX);
        match search_width(beam, width, cheaper_than, budget) {
            Ok(Some((path, cost))) => incumbent.offer(path, cost, budget.meter())?,
            Ok(None) => {}
            // Without room for a beam, there may be some to polish in.
            Err(stop) => ended = Err(stop),
        }
        polish(width, incumbent)?;
        width *= 2;
    }
    match budget.stop() {
        Some(Stop::Interrupted) => Err(Stop::Interrupted),
        stop => ended.and(stop.map_or(Ok(()), Err)),
    }
}

fn way_back<A: Clone>(steps: &[(Vec<u32>, Vec<A>)], goal: &Candidate<A>) -> Vec<A> {
    let mut path = vec![goal.action.clone()];
    let mut at = goal.parent as usize;
    for (parents, actions) in steps.iter().rev() {
        path.push(actions[at].clone());
        at = parents[at] as usize;
    }
    path.reverse();
    path
}

/// Hashes that are well mixed already.
#[derive(Default, Clone)]
struct Mixed;

struct Same(u64);

impl BuildHasher for Mixed {
    type Hasher = Same;

    fn build_hasher(&self) -> Same {
        Same(0)
    }
}

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Any problem, its nodes ranked by a heuristic: the smaller the estimate, the more promising. Solutions are cut off by
/// their cost so far and, if the heuristic is admissible, the estimate.
#[derive(Debug)]
pub struct Guided<'p, P, H> {
    problem: &'p P,
    heuristic: &'p H,
}

impl<'p, P: Problem, H: Heuristic<P>> Guided<'p, P, H> {
    /// A problem under a heuristic.
    pub fn new(problem: &'p P, heuristic: &'p H) -> Self {
        Self { problem, heuristic }
    }
}

/// A node of a level of a [`Guided`] problem.
#[derive(Debug, Clone)]
pub struct LevelNode<P: Problem, M> {
    state: P::State,
    memo: M,
    g: u32,
    last: Option<P::Action>,
}

impl<P: Problem<Cost = u32>, H: Heuristic<P>> Beam for Guided<'_, P, H> {
    type Action = P::Action;
    type Level = Vec<LevelNode<P, H::Memo>>;

    fn start(&self) -> Self::Level {
        let state = self.problem.start();
        let memo = self.heuristic.memo(self.problem, &state);
        memo.map(|memo| LevelNode { state, memo, g: 0, last: None }).into_iter().collect()
    }

    fn len(&self, level: &Self::Level) -> usize {
        level.len()
    }

    fn expand(&self, level: &Self::Level, _: u32, out: &mut Vec<Candidate<P::Action>>) {
        let admissible = self.heuristic.promise().admissible;
        let mut actions = Vec::new();
        for (node, parent) in level.iter().zip(0..) {
            match &node.last {
                None => self.problem.actions(&node.state, &mut actions),
                Some(last) => _ = self.problem.actions_after(&node.state, last, &mut actions),
            }
            for action in actions.drain(..) {
                let (state, cost, undo) = self.problem.successor(&node.state, &action);
                let memo = self.heuristic.child(self.problem, &node.memo, &state, &action, &undo);
                // A path whose cost does not fit is as good as none: beams prove nothing.
                let (Some(memo), Some(g)) = (memo, node.g.checked_add(cost)) else { continue };
                let h = self.heuristic.value(&memo).ceil().unwrap_or(u32::MAX);
                let f = if admissible { g.saturating_add(h) } else { g };
                let (hash, goal) = (order::hash(&state), self.problem.is_goal(&state));
                out.push(Candidate { parent, action, f, rank: h, hash, goal });
            }
        }
    }

    fn keep(&self, level: &Self::Level, kept: &[Candidate<P::Action>]) -> Self::Level {
        let child = |c: &Candidate<P::Action>| {
            let node = &level[c.parent as usize];
            let (state, cost, undo) = self.problem.successor(&node.state, &c.action);
            let memo = self.heuristic.child(self.problem, &node.memo, &state, &c.action, &undo);
            let memo = memo.expect("candidates are no dead ends");
            LevelNode { state, memo, g: node.g + cost, last: Some(c.action.clone()) }
        };
        kept.iter().map(child).collect()
    }

    fn node_bytes(&self) -> usize {
        size_of::<LevelNode<P, H::Memo>>()
    }
}
