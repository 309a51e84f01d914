//! Searches that are watched: what `solve` does, with somebody looking on.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use crate::Cost;
use novelo_search::{Control, Fate, Meter, Node, Observer, Progress, Side};

use crate::formulation::{Formulation, Position, Step};
use crate::puzzle::Instance;
use crate::request::{Attempt, Request, RequestError};

/// A node of a search on any puzzle; see [`Node`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// The end it was reached from.
    pub side: Side,
    /// Tells nodes of one side apart as long as they live.
    pub key: u32,
    /// The cost of the path to it.
    pub g: Cost,
    /// The estimate, where one was computed.
    pub h: Option<f64>,
}

impl<S> From<Node<'_, S>> for Seen {
    fn from(node: Node<'_, S>) -> Self {
        Self { side: node.side, key: node.key, g: node.g, h: node.h }
    }
}

/// An [`Observer`] of searches on any puzzle. Moves come in their written form, when asked for.
pub trait Watcher {
    /// A new iteration of iterative deepening begins.
    fn iteration(&mut self, _bound: f64) {}

    /// A node is expanded; `path` tells the moves that led to it. A break ends the run.
    fn expanded(&mut self, node: Seen, path: &dyn Fn() -> Vec<String>) -> ControlFlow<()>;

    /// A successor of a node was produced. On the backward side the move leads from it to that node.
    fn generated(&mut self, _parent: Seen, _action: &dyn Fn() -> String, _child: Seen, _fate: Fate) {}
}

/// Tells a watcher what the engine tells an observer.
pub(crate) struct Told<'r, 'h, 'w> {
    pub formulation: &'r Formulation<'h>,
    pub watcher: &'w mut dyn Watcher,
}

impl<'h> Observer<Formulation<'h>> for Told<'_, 'h, '_> {
    fn iteration(&mut self, bound: f64) {
        self.watcher.iteration(bound);
    }

    fn expanded(&mut self, node: Node<'_, Position>, path: &dyn Fn() -> Vec<Step>) -> ControlFlow<()> {
        let written = || path().into_iter().map(|action| self.formulation.written(action)).collect();
        self.watcher.expanded(node.into(), &written)
    }

    fn generated(
        &mut self,
        parent: Node<'_, Position>,
        &action: &Step,
        child: Node<'_, Position>,
        fate: Fate,
    ) {
        self.watcher.generated(parent.into(), &|| self.formulation.written(action), child.into(), fate);
    }
}

/// Searches, and several times a second tells how it goes and by which moves the state in hand was reached; without moves
/// while tables are made, and for methods that walk through no states.
pub fn watch(
    instance: &dyn Instance,
    request: &Request,
    cancel: &AtomicBool,
    look: impl FnMut(&Progress, &[String]) + Send,
) -> Result<Attempt, RequestError> {
    let shared = Mutex::new(Looking { look, latest: None, states: false });
    let listener = |progress: &Progress| {
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.states {
            shared.latest = Some(*progress);
        } else {
            (shared.look)(progress, &[]);
        }
    };
    let control = Control { cancel: Some(cancel), progress: Some(Box::new(listener)) };
    let meter = Meter::new(request.settings.limits, control);
    let mut watcher = Looker(&shared);
    instance.run(request, &meter, Some(&mut watcher))
}

/// What the listener, who knows how far the search is, and the watcher, who knows where it is, share.
struct Looking<F> {
    look: F,
    /// What there is to be told at the next expansion.
    latest: Option<Progress>,
    /// Whether states have begun to be expanded.
    states: bool,
}

struct Looker<'s, F>(&'s Mutex<Looking<F>>);

impl<F: FnMut(&Progress, &[String])> Watcher for Looker<'_, F> {
    fn expanded(&mut self, node: Seen, path: &dyn Fn() -> Vec<String>) -> ControlFlow<()> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.states = true;
        if node.side == Side::Forward
            && let Some(progress) = shared.latest.take()
        {
            (shared.look)(&progress, &path());
        }
        ControlFlow::Continue(())
    }
}
