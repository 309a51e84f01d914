//! Path costs of stored nodes, for observers of algorithms that need none themselves.

use super::{Found, Handle};
use crate::cost::Cost;
use crate::limits::Stop;
use crate::observer::{Fate, Observer};
use crate::problem::Problem;

/// The cost of the path to each node while somebody watches; otherwise nothing.
pub(crate) struct Costs<C>(Option<Vec<C>>);

impl<C: Cost> Costs<C> {
    /// For a store that holds so many roots.
    pub fn new<P: Problem, O: Observer<P>>(roots: usize) -> Self {
        Self(O::ACTIVE.then(|| vec![C::ZERO; roots]))
    }

    /// The cost of the path to a node.
    pub fn get(&self, node: Handle) -> C {
        self.0.as_ref().map_or(C::ZERO, |costs| costs[node as usize])
    }

    /// Notes what looking up a child of `parent` came to: its handle, the cost of this path to it, and its fate.
    pub fn note(&mut self, found: Found, parent: Handle, cost: C) -> Result<(Handle, C, Fate), Stop> {
        let Some(costs) = &mut self.0 else {
            return Ok(match found {
                Found::New(node) => (node, C::ZERO, Fate::New),
                Found::Old(node) => (node, C::ZERO, Fate::Repeated),
            });
        };
        let g = costs[parent as usize].checked_add(cost).ok_or(Stop::Overflow)?;
        Ok(match found {
            Found::Old(node) => (node, g, Fate::Repeated),
            Found::New(node) => {
                debug_assert_eq!(costs.len(), node as usize, "every stored node is noted");
                costs.push(g);
                (node, g, Fate::New)
            }
        })
    }

    /// A node has got another path.
    pub fn improve(&mut self, node: Handle, g: C) {
        if let Some(costs) = &mut self.0 {
            costs[node as usize] = g;
        }
    }
}
