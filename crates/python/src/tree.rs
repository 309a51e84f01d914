//! The search tree of a problem from Python, node by node as it grew.

use std::collections::HashMap;
use std::ops::ControlFlow;

use novelo_search::{Algorithm, Fate, NodeOf, Observer, Real, Side};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::amount::{Amount, Number as _};
use crate::problem::{Edge, Typed};
use crate::space::Space;

/// A tree that grows up to a number of nodes.
pub struct Tree {
    most: usize,
    nodes: Vec<Node>,
    expansions: Vec<usize>,
    iterations: Vec<(f64, usize)>,
    complete: bool,
    /// The node of the tree that a living node of the search is: the one by which it was reached last, or best.
    latest: HashMap<(Side, u32), usize>,
}

struct Node {
    parent: Option<usize>,
    link: Option<u32>,
    state: u32,
    backward: bool,
    g: f64,
    h: Option<f64>,
    fate: &'static str,
    born: usize,
    known: Option<usize>,
}

impl Tree {
    pub fn new(most: usize) -> Self {
        let latest = HashMap::new();
        Self {
            most,
            nodes: Vec::new(),
            expansions: Vec::new(),
            iterations: Vec::new(),
            complete: true,
            latest,
        }
    }

    fn add(&mut self, node: Node) -> Option<usize> {
        if self.nodes.len() >= self.most {
            self.complete = false;
            return None;
        }
        self.nodes.push(node);
        Some(self.nodes.len() - 1)
    }

    fn node(&self, seen: &NodeOf<'_, Typed<'_, '_, Real>>, fate: &'static str) -> Node {
        Node {
            parent: None,
            link: None,
            state: *seen.state,
            backward: seen.side == Side::Backward,
            g: seen.g.get(),
            h: seen.h,
            fate,
            born: self.expansions.len(),
            known: None,
        }
    }

    /// The nodes along a solution, in the tree of the last iteration that has all of it: none for searches from both ends.
    fn path(&self, solution: &[u32]) -> Vec<usize> {
        let mut children: HashMap<(usize, u32), usize> = HashMap::new();
        let mut roots = Vec::new();
        for (number, node) in self.nodes.iter().enumerate().filter(|(_, node)| !node.backward) {
            match (node.parent, node.link) {
                (Some(parent), Some(link)) if ["cut", "repeated", "dead"].contains(&node.fate) => {
                    children.entry((parent, link)).or_insert(number);
                }
                (Some(parent), Some(link)) => _ = children.insert((parent, link), number),
                _ => roots.push(number),
            }
        }
        let walk = |&root: &usize| {
            let mut path = vec![root];
            for &link in solution {
                path.push(*children.get(&(path[path.len() - 1], link))?);
            }
            Some(path)
        };
        roots.iter().rev().find_map(walk).unwrap_or_default()
    }

    /// As plain data, but for states and actions, which are the user's.
    pub fn told<'py>(
        &self,
        py: Python<'py>,
        space: &Space,
        solution: &[u32],
        algorithm: Algorithm,
    ) -> PyResult<Bound<'py, PyDict>> {
        let whole = !space.is_real();
        let number = |real: f64| match real {
            real if whole && real.fract() == 0.0 && real >= 0.0 => Amount::Whole(real as u64),
            real => Real::new(real).amount(),
        };
        let nodes = PyList::empty(py);
        for node in &self.nodes {
            let told = PyDict::new(py);
            told.set_item("parent", node.parent)?;
            told.set_item("action", node.link.map(|link| space.action(py, link)))?;
            told.set_item("state", space.object(py, node.state))?;
            told.set_item("backward", node.backward)?;
            told.set_item("g", number(node.g))?;
            told.set_item("h", node.h.map(number))?;
            told.set_item("f", algorithm.f(node.g, node.h).map(number))?;
            told.set_item("fate", node.fate)?;
            told.set_item("born", node.born)?;
            told.set_item("known", node.known)?;
            nodes.append(told)?;
        }
        let told = PyDict::new(py);
        told.set_item("nodes", nodes)?;
        told.set_item("expansions", &self.expansions)?;
        let iterations = self.iterations.iter().map(|&(value, first)| (number(value), first));
        told.set_item("iterations", iterations.collect::<Vec<_>>())?;
        told.set_item("measure", algorithm.measure().name())?;
        told.set_item("path", self.path(solution))?;
        told.set_item("complete", self.complete)?;
        Ok(told)
    }
}

impl<'s, 'm> Observer<Typed<'s, 'm, Real>> for Tree {
    fn iteration(&mut self, number: f64) {
        self.latest.clear();
        self.iterations.push((number, self.nodes.len()));
    }

    fn expanded(
        &mut self,
        node: NodeOf<'_, Typed<'s, 'm, Real>>,
        _: &dyn Fn() -> Vec<Edge<Real>>,
    ) -> ControlFlow<()> {
        let key = (node.side, node.key);
        let known = self.latest.get(&key).copied();
        let number = known.or_else(|| {
            // The roots come into the world by no action; a node that did not fit is none.
            let whole = self.complete;
            let root = self.add(self.node(&node, "root")).filter(|_| whole)?;
            self.latest.insert(key, root);
            Some(root)
        });
        self.expansions.extend(number);
        ControlFlow::Continue(())
    }

    fn generated(
        &mut self,
        parent: NodeOf<'_, Typed<'s, 'm, Real>>,
        edge: &Edge<Real>,
        child: NodeOf<'_, Typed<'s, 'm, Real>>,
        fate: Fate,
    ) {
        let above = self.latest.get(&(parent.side, parent.key)).copied();
        let Some(above) = above else {
            self.complete = false;
            return;
        };
        let key = (child.side, child.key);
        let is_known = matches!(fate, Fate::Repeated | Fate::Better);
        let known = self.latest.get(&key).copied().filter(|_| is_known);
        let node =
            Node { parent: Some(above), link: Some(edge.link), known, ..self.node(&child, fate.name()) };
        let node = self.add(node);
        if matches!(fate, Fate::New | Fate::Better) {
            match node {
                Some(node) => _ = self.latest.insert(key, node),
                None => _ = self.latest.remove(&key),
            }
        }
    }
}
