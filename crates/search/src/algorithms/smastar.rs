//! Simplified memory-bounded A*.
//!
//! The nodes that are held are a tree. A node is open if it was not expanded, or if some of its successors have been
//! forgotten; the node of the least value is expanded next, the deepest among equals. Where there is no room for a
//! successor, the leaf of the greatest value is forgotten, the shallowest among equals, and its parent notes what it was
//! worth: so no value is lost, and a forgotten successor is produced again when its value is the least of all. As in
//! SMA*+ (Lovinger and Zhang, 2017) the value of each forgotten successor is kept, not only the least of them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::beginning::{begin_bounded, ended, is_finite};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::Cost as _;
use crate::estimator::Successor;
use crate::heuristic::Estimate;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::observer::{Fate, Node, Observer};
use crate::order;
use crate::outcome::{Answer, OutcomeOf, solved};
use crate::parameter::{Kind, Parameter};
use crate::problem::Problem;
use crate::search::Guided;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "smastar",
    title: "Simplified memory-bounded A*",
    about: include_str!("smastar.md"),
    complete: "if there are finitely many states, and a path to a goal fits the nodes it may hold",
    optimal: "if the heuristic is admissible, and the cheapest solution fits: it says so only where that is proved",
    time: "O(b^d) at worst, and more the less it may hold",
    space: "the given number of nodes",
    needs: Needs::Heuristic,
    parameters: &[Parameter {
        name: "nodes",
        kind: Kind::Integer { least: 2, most: 1_000_000_000 },
        default: Some("10000"),
        required: false,
        about: "The most nodes held at once.",
    }],
    lesson: Some(&Lesson { next: Next::LeastSum, pseudocode: include_str!("smastar.txt") }),
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
    nodes: u32,
) -> OutcomeOf<P> {
    let h = match begin_bounded(&search, meter) {
        Ok(h) => h,
        Err(answer) => return ended(answer, None, meter),
    };
    let problem = search.problem;
    let mut bounded = Bounded::new(search, h, nodes as usize, meter);
    let found = bounded.run();
    let Bounded { tree, counter, admissible, least, too_deep, cut, overflow, .. } = bounded;
    let answer = match found {
        Ok(Some(goal)) => solved(problem, tree.path(goal), false),
        Ok(None) if overflow => Answer::Stopped(Stop::Overflow),
        Ok(None) if too_deep.is_some() => Answer::Stopped(Stop::GaveUp),
        Ok(None) if cut => Answer::Stopped(Stop::Depth),
        Ok(None) => Answer::Unsolvable,
        Err(stop) => Answer::Stopped(stop),
    };
    counter.finish(&tree);
    ended(answer, least.ceil().filter(|_| admissible), meter)
}

/// What a node knows of one of its successors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below<V> {
    /// It is held under this number.
    Held(u32),
    /// It was forgotten, and is worth so much.
    Forgotten(V),
    /// No path through it leads to a goal, or none that can be followed.
    Done,
}

struct Slot<P: Problem, V> {
    state: P::State,
    /// The action that led to it; none at the root.
    action: Option<P::Action>,
    g: P::Cost,
    h: V,
    depth: u32,
    parent: u32,
    /// Its place among the successors of its parent.
    place: u32,
    /// What the paths through it cost at least, those through successors that are held left out.
    value: V,
    /// Its successors; empty before it is expanded.
    below: Vec<Below<V>>,
    /// How many of them are held.
    held: u32,
}

/// Nodes by value, the deepest of equals first.
type Ranked<V> = BTreeSet<(V, Reverse<u32>, u32)>;

/// The nodes that are held.
struct Tree<'s, P: Problem, V> {
    problem: &'s P,
    slots: Vec<Slot<P, V>>,
    /// Slots that are free.
    free: Vec<u32>,
    /// What may be expanded, and what may be forgotten.
    open: Ranked<V>,
    leaves: Ranked<V>,
    /// Bytes of successors in all slots, and of what states hold.
    bytes_below: usize,
    heap: usize,
}

impl<P: Problem, V> Held for Tree<'_, P, V> {
    fn nodes(&self) -> u64 {
        (self.slots.len() - self.free.len()) as u64
    }

    fn bytes(&self) -> usize {
        // A node of a B-tree is more than half full, and has some room for links.
        let ranked = (self.open.len() + self.leaves.len()) * 2 * size_of::<(V, Reverse<u32>, u32)>();
        self.slots.capacity() * size_of::<Slot<P, V>>()
            + self.free.capacity() * size_of::<u32>()
            + self.bytes_below
            + self.heap
            + ranked
    }
}

impl<P: Problem, V: Copy + Ord> Tree<'_, P, V> {
    fn slot(&self, node: u32) -> &Slot<P, V> {
        &self.slots[node as usize]
    }

    fn rank(&self, node: u32) -> (V, Reverse<u32>, u32) {
        let slot = self.slot(node);
        (slot.value, Reverse(slot.depth), node)
    }

    /// Takes a node off both lists.
    fn unlist(&mut self, node: u32) {
        let rank = self.rank(node);
        self.open.remove(&rank);
        self.leaves.remove(&rank);
    }

    /// Puts a node on the lists where it belongs, by what is known of its successors. One of which nothing is left is
    /// given up, and its ancestors too, as long as that leaves nothing of them.
    fn list(&mut self, node: u32) {
        let mut node = node;
        loop {
            let slot = self.slot(node);
            let least = slot.below.iter().filter_map(|below| match below {
                Below::Forgotten(value) => Some(*value),
                _ => None,
            });
            let least = if slot.below.is_empty() { Some(slot.value) } else { least.min() };
            let (is_leaf, is_root) = (slot.held == 0, slot.action.is_none());
            if let Some(value) = least {
                self.slots[node as usize].value = value;
                let rank = self.rank(node);
                self.open.insert(rank);
                if is_leaf && !is_root {
                    self.leaves.insert(rank);
                }
                return;
            }
            if !is_leaf || is_root {
                return;
            }
            node = self.remove(node, Below::Done);
            self.unlist(node);
        }
    }

    /// Takes a leaf out of the tree, which its parent notes; its parent.
    fn remove(&mut self, node: u32, note: Below<V>) -> u32 {
        let Slot { parent, place, .. } = *self.slot(node);
        self.heap -= self.problem.heap_bytes(&self.slot(node).state).unwrap_or(0);
        self.free.push(node);
        let above = &mut self.slots[parent as usize];
        above.held -= 1;
        above.below[place as usize] = note;
        parent
    }

    /// Puts a node into the tree, on no list.
    fn insert(&mut self, slot: Slot<P, V>) -> u32 {
        self.heap += self.problem.heap_bytes(&slot.state).unwrap_or(0);
        if let Some(node) = self.free.pop() {
            // What its successors were kept in is used again.
            let below = std::mem::take(&mut self.slots[node as usize].below);
            self.slots[node as usize] = Slot { below, ..slot };
            self.slots[node as usize].below.clear();
            node
        } else {
            // By little, so that a memory limit can be kept.
            if self.slots.len() == self.slots.capacity() {
                self.slots.reserve_exact(self.slots.len() / 32 + 16);
            }
            self.slots.push(slot);
            self.slots.len() as u32 - 1
        }
    }

    /// Whether a state is on the path to a node, its own among them.
    fn is_on_path(&self, node: u32, state: &P::State) -> bool {
        !self.problem.is_tree() && self.ancestry(node).any(|slot| slot.state == *state)
    }

    /// A node and those above it.
    fn ancestry(&self, node: u32) -> impl Iterator<Item = &Slot<P, V>> {
        std::iter::successors(Some(self.slot(node)), |slot| {
            slot.action.as_ref().map(|_| self.slot(slot.parent))
        })
    }

    fn path(&self, node: u32) -> Vec<P::Action> {
        let mut path: Vec<_> = self.ancestry(node).filter_map(|slot| slot.action.clone()).collect();
        path.reverse();
        path
    }
}

struct Bounded<'s, P: Problem, V: Estimate<P::Cost>, O> {
    search: Guided<'s, P, V, O>,
    tree: Tree<'s, P, V>,
    counter: Counter<'s>,
    /// The most nodes held.
    most: usize,
    depth_limit: u32,
    admissible: bool,
    /// What no solution costs less than, if the heuristic is admissible.
    least: V,
    /// The least value of a node whose successors lie too deep to be held with the path to them.
    too_deep: Option<V>,
    /// Whether a node was not expanded because of the depth limit.
    cut: bool,
    /// Whether the sum of some cost and estimate was beyond what its type can hold.
    overflow: bool,
    actions: Vec<P::Action>,
    successors: Vec<Successor<P, V>>,
}

impl<'s, P: Problem, V: Estimate<P::Cost>, O: Observer<P>> Bounded<'s, P, V, O> {
    fn new(search: Guided<'s, P, V, O>, h: V, most: usize, meter: &'s Meter<'s>) -> Self {
        let problem = search.problem;
        let (open, leaves) = (BTreeSet::new(), BTreeSet::new());
        let mut tree =
            Tree { problem, slots: Vec::new(), free: Vec::new(), open, leaves, bytes_below: 0, heap: 0 };
        let root = Slot {
            state: problem.start(),
            action: None,
            g: P::Cost::ZERO,
            h,
            depth: 0,
            parent: 0,
            place: 0,
            value: h,
            below: Vec::new(),
            held: 0,
        };
        let root = tree.insert(root);
        tree.list(root);
        Self {
            admissible: search.heuristic.promise().admissible,
            search,
            tree,
            counter: meter.counter(),
            most,
            depth_limit: meter.limits().depth.unwrap_or(u32::MAX),
            least: h,
            too_deep: None,
            cut: false,
            overflow: false,
            actions: Vec::new(),
            successors: Vec::new(),
        }
    }

    fn run(&mut self) -> Result<Option<u32>, Stop> {
        while let Some(&(value, Reverse(depth), node)) = self.tree.open.first() {
            // What was given up because it lies too deep bounds what is proved, and what a depth limit kept out ends it.
            let least = self.too_deep.map_or(value, |deep| deep.min(value));
            if !self.cut && least > self.least {
                self.least = least;
            }
            if self.search.problem.is_goal(&self.tree.slot(node).state) {
                return Ok(Some(node));
            }
            let fits = (depth as usize) + 2 <= self.most;
            if fits && depth < self.depth_limit {
                self.counter.expand(&self.tree, Frontier::F(value.to_f64()))?;
                self.tell_expanded(node)?;
                self.expand(node, value)?;
            } else {
                self.cut |= depth >= self.depth_limit;
                if !fits {
                    self.too_deep = Some(self.too_deep.map_or(value, |deep| deep.min(value)));
                }
                self.tree.unlist(node);
                if self.tree.slot(node).action.is_none() {
                    return Ok(None);
                }
                let parent = self.tree.remove(node, Below::Done);
                self.tree.unlist(parent);
                self.tree.list(parent);
            }
        }
        Ok(None)
    }

    /// Produces all successors of a node that was not expanded, or else the best of those that were forgotten.
    fn expand(&mut self, node: u32, value: V) -> Result<(), Stop> {
        let Guided { problem, heuristic, settings, .. } = self.search;
        self.tree.unlist(node);
        let slot = &mut self.tree.slots[node as usize];
        self.actions.clear();
        match &slot.action {
            None => order::actions(problem, settings.shuffle, &slot.state, &mut self.actions),
            Some(last) => {
                order::actions_after(problem, settings.shuffle, &slot.state, last, &mut self.actions);
            }
        }
        let again = slot.below.iter().position(|below| *below == Below::Forgotten(value));
        if again.is_none() {
            let before = slot.below.capacity();
            // Room for one at least tells it from a node that was not expanded.
            slot.below.resize(self.actions.len().max(1), Below::Done);
            self.tree.bytes_below += (slot.below.capacity() - before) * size_of::<Below<V>>();
        }
        let (first, actions) = match again {
            Some(place) => (place, &self.actions[place..=place]),
            None => (0, &self.actions[..]),
        };
        let mut successors = std::mem::take(&mut self.successors);
        let slot = self.tree.slot(node);
        let before = (&slot.state, slot.h);
        self.counter.successors((heuristic, problem), before, actions, &mut successors, &self.tree)?;
        for (successor, place) in successors.drain(..).zip(first..) {
            self.place(node, value, place, successor)?;
        }
        self.successors = successors;
        self.tree.list(node);
        Ok(())
    }

    /// Holds a successor, if it is worth it and room can be made.
    fn place(&mut self, node: u32, known: V, place: usize, successor: Successor<P, V>) -> Result<(), Stop> {
        let Successor { state, cost, h } = successor;
        self.counter.generated += 1;
        let above = self.tree.slot(node);
        let (depth, above_g) = (above.depth + 1, above.g);
        let g = above_g.checked_add(cost).ok_or(Stop::Overflow)?;
        let worth = if self.tree.is_on_path(node, &state) { Err(Fate::Repeated) } else { self.worth(g, h) };
        let (key, fate) = match worth {
            Err(fate) => {
                self.tree.slots[node as usize].below[place] = Below::Done;
                (u32::MAX, fate)
            }
            Ok((h, f)) => {
                let value = f.max(known);
                if self.make_room(node, value, depth) {
                    let action = Some(self.actions[place].clone());
                    let (place, state) = (place as u32, state.clone());
                    let below = Vec::new();
                    let child =
                        Slot { state, action, g, h, depth, parent: node, place, value, below, held: 0 };
                    let child = self.tree.insert(child);
                    self.counter.produce(child as usize, &self.tree)?;
                    let above = &mut self.tree.slots[node as usize];
                    above.below[place as usize] = Below::Held(child);
                    above.held += 1;
                    self.tree.list(child);
                    self.counter.stored_peak = self.counter.stored_peak.max(self.tree.nodes());
                    (child, Fate::New)
                } else {
                    self.tree.slots[node as usize].below[place] = Below::Forgotten(value);
                    (u32::MAX, Fate::Cut)
                }
            }
        };
        if O::ACTIVE {
            let above = self.tree.slot(node);
            let parent = Node::forward(node, &above.state, above.g, Some(above.h.to_f64()));
            let child = Node::forward(key, &state, g, h.map(V::to_f64));
            self.search.observer.generated(parent, &self.actions[place], child, fate);
        }
        Ok(())
    }

    /// The estimate of a successor and its f, unless no path through it is of use.
    fn worth(&mut self, g: P::Cost, h: Option<V>) -> Result<(V, V), Fate> {
        let h = h.ok_or(Fate::Dead)?;
        match h.plus(g).filter(|&f| is_finite(f)) {
            Some(f) => Ok((h, f)),
            None if self.admissible && !is_finite(h) => Err(Fate::Dead),
            None => {
                self.overflow = true;
                Err(Fate::Cut)
            }
        }
    }

    /// Forgets the worst leaf if there is no room for another node; false if that other would be the worst itself. The
    /// node that is being expanded is on no list.
    fn make_room(&mut self, expanding: u32, value: V, depth: u32) -> bool {
        if (self.tree.nodes() as usize) < self.most {
            return true;
        }
        let Some(&(worst, shallowest, leaf)) = self.tree.leaves.last() else { return false };
        if (value, Reverse(depth)) > (worst, shallowest) {
            return false;
        }
        self.tree.unlist(leaf);
        let parent = self.tree.remove(leaf, Below::Forgotten(worst));
        if parent != expanding {
            self.tree.unlist(parent);
            self.tree.list(parent);
        }
        true
    }

    fn tell_expanded(&mut self, node: u32) -> Result<(), Stop> {
        if !O::ACTIVE {
            return Ok(());
        }
        let slot = self.tree.slot(node);
        let seen = Node::forward(node, &slot.state, slot.g, Some(slot.h.to_f64()));
        let told = self.search.observer.expanded(seen, &|| self.tree.path(node));
        if told.is_break() { Err(Stop::Interrupted) } else { Ok(()) }
    }
}
