//! The rules as a search problem: a flip turns the topmost pancakes over.

use std::hash::{Hash, Hasher};

use crate::Cost;
use novelo_search::{Algorithm, CannotRun, Heuristic, Meter, Outcome, Problem, Reversible, Search};

use super::instance::Stack;
use crate::formulation::Backwards;

/// A flip: how many pancakes it turns over, two at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flip(pub u8);

novelo_search::wire_fields!([] Flip { 0: u8 });
novelo_search::wire_fields!([const N: usize] Pancakes<N> { 0: [u8; N] });

/// The pancakes from the top, a byte each; below them the plate, as the next larger pancake, and zeros. Sizes are
/// multiples of eight, with room for the plate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pancakes<const N: usize>(pub [u8; N]);

impl<const N: usize> Pancakes<N> {
    /// Packs a stack of fewer than N pancakes.
    pub fn pack(pancakes: &[u8]) -> Self {
        let mut packed = [0; N];
        packed[..pancakes.len()].copy_from_slice(pancakes);
        packed[pancakes.len()] = pancakes.len() as u8 + 1;
        Self(packed)
    }

    #[inline]
    fn flip(&mut self, Flip(count): Flip) {
        self.0[..usize::from(count)].reverse();
    }
}

/// Eight pancakes at a time.
impl<const N: usize> Hash for Pancakes<N> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        const { assert!(N.is_multiple_of(8)) };
        for eight in self.0.as_chunks::<8>().0 {
            state.write_u64(u64::from_le_bytes(*eight));
        }
    }
}

/// The rules for stacks of fewer than N pancakes.
#[derive(Debug, Clone)]
pub struct Rules<const N: usize> {
    start: Pancakes<N>,
    goal: Pancakes<N>,
    size: u8,
    weighted: bool,
}

impl<const N: usize> Rules<N> {
    /// The rules for an instance.
    pub fn new(stack: &Stack) -> Self {
        let size = stack.pancakes.len();
        Self {
            start: Pancakes::pack(&stack.pancakes),
            goal: Pancakes::pack(&Stack::sorted(size, stack.weighted).pancakes),
            size: size as u8,
            weighted: stack.weighted,
        }
    }

    /// The number of pancakes.
    #[inline]
    pub fn size(&self) -> usize {
        self.size.into()
    }

    /// Whether a flip costs as much as it turns pancakes.
    #[inline]
    pub fn is_weighted(&self) -> bool {
        self.weighted
    }

    /// What a flip costs.
    #[inline]
    pub fn cost(&self, Flip(count): Flip) -> Cost {
        if self.weighted { count.into() } else { 1 }
    }
}

impl<const N: usize> Problem for Rules<N> {
    type State = Pancakes<N>;
    type Action = Flip;
    type Undo = ();
    type Cost = Cost;

    /// A flip takes itself back.
    const BACK: Option<()> = Some(());

    fn start(&self) -> Pancakes<N> {
        self.start
    }

    #[inline]
    fn is_goal(&self, pancakes: &Pancakes<N>) -> bool {
        *pancakes == self.goal
    }

    #[inline]
    fn actions(&self, _: &Pancakes<N>, out: &mut Vec<Flip>) {
        out.extend((2..=self.size).map(Flip));
    }

    #[inline]
    fn actions_after(&self, _: &Pancakes<N>, &Flip(previous): &Flip, out: &mut Vec<Flip>) -> usize {
        out.extend((2..previous).chain(previous + 1..=self.size).map(Flip));
        1
    }

    #[inline]
    fn apply(&self, pancakes: &mut Pancakes<N>, flip: Flip) -> (Cost, ()) {
        pancakes.flip(flip);
        (self.cost(flip), ())
    }

    #[inline]
    fn undo(&self, pancakes: &mut Pancakes<N>, flip: Flip, (): ()) {
        pancakes.flip(flip);
    }

    #[inline]
    fn reverses(&self, flip: &Flip, previous: &Flip) -> bool {
        flip == previous
    }

    /// Two pancakes have one flip, whatever it costs.
    fn unit_cost(&self) -> bool {
        !self.weighted || self.size == 2
    }
}

/// A flip takes itself back, so the flips into a stack are those that lead out of it.
impl<const N: usize> Reversible for Rules<N> {
    fn goals(&self) -> Vec<Pancakes<N>> {
        vec![self.goal]
    }

    fn actions_into(&self, pancakes: &Pancakes<N>, out: &mut Vec<Flip>) {
        self.actions(pancakes, out);
    }

    fn retract(&self, pancakes: &mut Pancakes<N>, flip: Flip) -> Cost {
        self.apply(pancakes, flip).0
    }
}

impl<const N: usize> crate::formulation::Rules for Rules<N> {
    fn written(&self, Flip(count): Flip) -> String {
        count.to_string()
    }

    fn backwards(&self) -> Option<&dyn Backwards<Pancakes<N>, Flip>> {
        Some(self)
    }

    fn run<H: Heuristic<Self>>(
        search: Search<'_, Self, H>,
        meter: &Meter<'_>,
        algorithm: Algorithm,
    ) -> Result<Outcome<Flip>, CannotRun> {
        search.run_reversible_under(meter, algorithm)
    }
}
