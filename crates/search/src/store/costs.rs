//! Path costs of stored nodes, for observers of algorithms that need none themselves.

use super::{Found, Handle};
use crate::observer::{Fate, Observer};
use crate::problem::{Cost, Problem};

/// The cost of the path to each node while somebody watches; otherwise nothing.
pub(crate) struct Costs(Option<Vec<Cost>>);

impl Costs {
    /// For a store that holds its root.
    pub fn new<P: Problem, O: Observer<P>>() -> Self {
        Self(O::ACTIVE.then(|| vec![0]))
    }

    /// The cost of the path to a node.
    pub fn get(&self, node: Handle) -> Cost {
        self.0.as_ref().map_or(0, |costs| costs[node as usize])
    }

    /// Notes what looking up a child of `parent` came to: its handle, and its fate.
    pub fn note(&mut self, found: Found, parent: Handle, cost: Cost) -> (Handle, Fate) {
        match found {
            Found::Old(node) => (node, Fate::Repeated),
            Found::New(node) => {
                let g = self.get(parent).saturating_add(cost);
                if let Some(costs) = &mut self.0 {
                    debug_assert_eq!(costs.len(), node as usize, "every stored node is noted");
                    costs.push(g);
                }
                (node, Fate::New)
            }
        }
    }
}
