//! All optimal solutions.

use crate::algorithms::best_first::{BestFirst, Goals, Rule};
use crate::cost::Cost as _;
use crate::heuristic::{Heuristic, Weight};
use crate::limits::Stop;
use crate::meter::{Budget, Held as _, Meter};
use crate::observer::Observer;
use crate::outcome::Solution;
use crate::problem::Problem;
use crate::search::{CannotRun, Search};
use crate::stats::Stats;
use crate::store::{Handle, NodeStore};

/// The optimal solutions of a problem, however many there are.
pub struct Optima<'a, P: Problem> {
    problem: &'a P,
    store: NodeStore<'a, P>,
    /// Goals at the optimal cost.
    goals: Vec<Handle>,
    /// Whether a node is one of them.
    is_goal: Vec<bool>,
    /// Whether a node lies on an optimal path.
    useful: Vec<bool>,
    answer: Result<Option<P::Cost>, Stop>,
    stats: Stats,
}

impl<P: Problem> std::fmt::Debug for Optima<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Optima").field("answer", &self.answer).finish_non_exhaustive()
    }
}

impl<'a, P: Problem> Optima<'a, P> {
    /// The optimal cost, proved; `None` if there is no solution; or what stopped the search.
    pub fn cost(&self) -> Result<Option<P::Cost>, Stop> {
        self.answer
    }

    /// The counts of the search.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The solutions one after another, each made when it is asked for: there may be very many. Paths that come back to
    /// a state of their own, free of cost, are left out.
    pub fn iter(&self) -> Solutions<'_, 'a, P> {
        let mut solutions =
            Solutions { optima: self, path: Vec::new(), on_path: vec![false; self.useful.len()], goals: 0 };
        if !P::TREE && self.useful.first() == Some(&true) {
            solutions.enter(0, None);
        }
        solutions
    }

    /// The node that a tight edge leads to: one that the cheapest path to it may end with.
    fn tight(&self, node: Handle, action: &P::Action) -> Option<Handle> {
        let (state, cost, _) = self.problem.successor(self.store.state(node), action);
        let child = self.store.find(&state)?;
        let sum = self.store.cost(node).checked_add(cost)?;
        sum.reaches(self.store.cost(child)).then_some(child)
    }

    fn actions(&self, node: Handle) -> Vec<P::Action> {
        let mut actions = Vec::new();
        self.problem.actions(self.store.state(node), &mut actions);
        actions
    }

    /// Marks the nodes from which tight edges lead to an optimal goal, within the limits of the search.
    fn mark_useful(&mut self, budget: Budget<'_>) -> Result<(), Stop> {
        let Ok(Some(best)) = self.answer else { return Ok(()) };
        let nodes = self.store.len();
        self.is_goal = vec![false; nodes];
        self.goals.iter().for_each(|&goal| self.is_goal[goal as usize] = true);
        let mut edges: Vec<(Handle, Handle)> = Vec::new();
        let nearer = (0..nodes as Handle).filter(|&node| self.store.cost(node).reaches(best));
        for (node, i) in nearer.zip(0..) {
            if i % 1024 == 0 {
                let bytes = self.store.bytes() + 2 * nodes + edges.capacity() * size_of::<(Handle, Handle)>();
                budget.ended().map_or(Ok(()), Err)?;
                budget.has_room(bytes).then_some(()).ok_or(Stop::Memory)?;
            }
            if !self.is_goal[node as usize] {
                edges.extend(
                    self.actions(node).iter().filter_map(|action| Some((self.tight(node, action)?, node))),
                );
            }
        }
        edges.sort_unstable();
        self.useful = vec![false; nodes];
        let mut todo = self.goals.clone();
        self.goals.iter().for_each(|&goal| self.useful[goal as usize] = true);
        while let Some(node) = todo.pop() {
            let first = edges.partition_point(|&(to, _)| to < node);
            for &(_, from) in edges[first..].iter().take_while(|&&(to, _)| to == node) {
                if !std::mem::replace(&mut self.useful[from as usize], true) {
                    todo.push(from);
                }
            }
        }
        Ok(())
    }
}

impl<'o, 'a, P: Problem> IntoIterator for &'o Optima<'a, P> {
    type Item = Solution<P::Action, P::Cost>;
    type IntoIter = Solutions<'o, 'a, P>;

    fn into_iter(self) -> Solutions<'o, 'a, P> {
        self.iter()
    }
}

/// A node of the path in hand: how it was reached, and what is left to try.
struct Frame<A> {
    node: Handle,
    by: Option<A>,
    left: std::vec::IntoIter<A>,
}

/// The optimal solutions, one after another.
pub struct Solutions<'o, 'a, P: Problem> {
    optima: &'o Optima<'a, P>,
    path: Vec<Frame<P::Action>>,
    on_path: Vec<bool>,
    /// How many of the goals of a tree were handed out.
    goals: usize,
}

impl<P: Problem> std::fmt::Debug for Solutions<'_, '_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solutions").finish_non_exhaustive()
    }
}

impl<P: Problem> Solutions<'_, '_, P> {
    fn enter(&mut self, node: Handle, by: Option<P::Action>) {
        self.on_path[node as usize] = true;
        self.path.push(Frame { node, by, left: self.optima.actions(node).into_iter() });
    }

    fn solution(&self, path: Vec<P::Action>) -> Option<Solution<P::Action, P::Cost>> {
        let cost = self.optima.answer.ok()??;
        Some(Solution { path, cost, optimal: true })
    }
}

impl<P: Problem> Iterator for Solutions<'_, '_, P> {
    type Item = Solution<P::Action, P::Cost>;

    fn next(&mut self) -> Option<Self::Item> {
        let Optima { store, goals, is_goal, useful, .. } = self.optima;
        if P::TREE {
            // Every path is a node of its own.
            self.goals += 1;
            return self.solution(store.path(*goals.get(self.goals - 1)?));
        }
        while let Some(frame) = self.path.last_mut() {
            let node = frame.node;
            if is_goal[node as usize] {
                let path = self.path.iter().filter_map(|frame| frame.by.clone()).collect();
                self.on_path[node as usize] = false;
                self.path.pop();
                return self.solution(path);
            }
            let Some(action) = frame.left.next() else {
                self.on_path[node as usize] = false;
                self.path.pop();
                continue;
            };
            let child = self.optima.tight(node, &action);
            if let Some(child) =
                child.filter(|&child| useful[child as usize] && !self.on_path[child as usize])
            {
                self.enter(child, Some(action));
            }
        }
        None
    }
}

impl<'a, P: Problem, H: Heuristic<P>, O: Observer<P>> Search<'a, P, H, O> {
    /// Finds all optimal solutions: by A* with an admissible heuristic, by uniform cost without one.
    ///
    /// ```
    /// use novelo_search::{Search, from_successors};
    ///
    /// // From one corner of a 3x3 square to the other, right or down.
    /// let ways = |&(x, y): &(u32, u32)| [('r', (x + 1, y), 1u32), ('d', (x, y + 1), 1)];
    /// let inside = move |at: &(u32, u32)| ways(at).into_iter().filter(|&(_, (x, y), _)| x < 3 && y < 3);
    /// let problem = from_successors((0, 0), inside, |&at| at == (2, 2));
    /// let optima = Search::new(&problem).optima()?;
    /// assert_eq!(optima.cost(), Ok(Some(4)));
    /// assert_eq!(optima.iter().count(), 6);
    /// # Ok::<(), novelo_search::CannotRun>(())
    /// ```
    pub fn optima(mut self) -> Result<Optima<'a, P>, CannotRun> {
        self.check_whole("optima")?;
        if !self.heuristic.promise().admissible {
            return Err(CannotRun::NeedsAdmissible);
        }
        let problem = self.problem;
        let meter = Meter::new(self.settings.limits, std::mem::take(&mut self.control));
        let rule = if self.guided { Rule::Sum(Weight::ONE) } else { Rule::Cost };
        let search = BestFirst::new(self, &meter, rule, Goals::AllOptimal);
        let (ended, goals, store) = search.run_for_nodes();
        let answer = ended.map(|goal| goal.map(|goal| store.cost(goal)));
        let store = store.released(problem);
        let (is_goal, useful, stats) = (Vec::new(), Vec::new(), meter.stats());
        let mut optima = Optima { problem, store, goals, is_goal, useful, answer, stats };
        if let Err(stop) = optima.mark_useful(meter.budget()) {
            optima.answer = Err(stop);
        }
        optima.stats.elapsed = meter.stats().elapsed;
        Ok(optima)
    }
}
