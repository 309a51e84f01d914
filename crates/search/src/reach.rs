//! Everything that can be reached, and at what cost.

use crate::algorithms::best_first::{BestFirst, Goals, Rule};
use crate::heuristic::{Heuristic, Zero};
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::problem::Problem;
use crate::search::{CannotRun, Search};
use crate::stats::Stats;
use crate::store::{Handle, NodeStore};

/// The states that can be reached from the start, with the cost of the cheapest path to each.
pub struct Reach<'a, P: Problem> {
    store: NodeStore<'a, P>,
    stop: Option<Stop>,
    stats: Stats,
}

impl<P: Problem> std::fmt::Debug for Reach<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reach")
            .field("states", &self.store.len())
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

impl<P: Problem> Reach<'_, P> {
    /// What ended the search before everything was reached. Costs are then those of the cheapest paths found so far, and
    /// states may be missing.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// The counts of the search.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// How many states were reached, the start among them.
    pub fn count(&self) -> usize {
        self.store.len()
    }

    /// The cost of the cheapest path to a state, or to the best one known where the search was [stopped](Reach::stop);
    /// `None` if there is none.
    pub fn cost(&self, state: &P::State) -> Option<P::Cost> {
        self.node(state).map(|node| self.store.cost(node))
    }

    /// The actions of a cheapest path to a state; `None` if there is none.
    pub fn path(&self, state: &P::State) -> Option<Vec<P::Action>> {
        self.node(state).map(|node| self.store.path(node))
    }

    /// All states with their costs, in the order in which they were first met.
    pub fn iter(&self) -> impl Iterator<Item = (&P::State, P::Cost)> {
        self.nodes().map(|node| (self.store.state(node), self.store.cost(node)))
    }

    fn nodes(&self) -> std::ops::Range<Handle> {
        0..self.store.len() as Handle
    }

    fn node(&self, state: &P::State) -> Option<Handle> {
        if P::TREE {
            // Nothing was looked up, and a state may be there several times.
            let same = self.nodes().filter(|&node| self.store.state(node) == state);
            return same.min_by_key(|&node| self.store.cost(node));
        }
        self.store.find(state)
    }
}

impl<'a, P: Problem, H: Heuristic<P>, O: Observer<P>> Search<'a, P, H, O> {
    /// Reaches every state there is, whether goals or not, by uniform cost: all distances from the start.
    ///
    /// ```
    /// use novelo_search::{Search, from_successors};
    ///
    /// let doubling = from_successors(1u32, |&n| [((), n * 2 % 100, 2u32), ((), n + 1, 1)], |_| false);
    /// let limits = novelo_search::Limits { nodes: Some(1000), ..Default::default() };
    /// let reach = Search::new(&doubling).limits(limits).reach()?;
    /// assert_eq!(reach.cost(&10), Some(6)); // 1, 2, 3, 4, 5, 10
    /// assert_eq!(reach.path(&3).unwrap().len(), 2);
    /// # Ok::<(), novelo_search::CannotRun>(())
    /// ```
    pub fn reach(mut self) -> Result<Reach<'a, P>, CannotRun> {
        self.check_whole("reach")?;
        let problem = self.problem;
        let meter = Meter::new(self.settings.limits, std::mem::take(&mut self.control));
        let search = BestFirst::new(self.heuristic(Zero), &meter, Rule::Cost, Goals::None);
        let (ended, _, store) = search.run_for_nodes();
        let store = store.released(problem);
        Ok(Reach { store, stop: ended.err(), stats: meter.stats() })
    }
}
