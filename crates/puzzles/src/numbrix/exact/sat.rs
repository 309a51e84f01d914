//! The domains as clauses for a SAT solver, which learns from its failures.
//!
//! A variable says that a number is in a cell, for every pair that propagation
//! has left. Beside the rules themselves there are variables for the steps of
//! the path between neighbouring cells: every cell has two, the first and the
//! last one. They say nothing new, but a solver that can reason about them
//! sees dead ends that it would otherwise find number by number.

use cadical::Solver;
use novelo_search::Held;
use rustc_hash::FxHashMap;

use super::Answer;
use super::domains::Domains;
use super::sat_limits::SatLimits;

/// A SAT solver with the clauses of one board.
pub struct Sat<'w> {
    solver: Solver<SatLimits<'w>>,
    /// Settled numbers, then those with a variable: number, cell, variable.
    settled: Vec<(usize, usize)>,
    pairs: Vec<(usize, usize, i32)>,
    cells: usize,
    limits: SatLimits<'w>,
}

impl Held for Sat<'_> {
    fn nodes(&self) -> u64 {
        self.pairs.len() as u64
    }

    /// What the process has grown by: the solver does not count its own bytes.
    fn bytes(&self) -> usize {
        self.limits.bytes()
    }
}

impl std::fmt::Debug for Sat<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sat").field("pairs", &self.pairs.len()).finish_non_exhaustive()
    }
}

/// Bytes that the solver takes for each pair of a number and a cell before it
/// learns much, as measured.
const BYTES_PER_PAIR: usize = 1500;
/// Clauses that would take more than this are not worth their time.
const MOST_BYTES: usize = 800 << 20;

/// Sets of at most this many variables exclude each other pair by pair.
const PAIRWISE: usize = 5;

impl<'w> Sat<'w> {
    /// Whether the clauses of domains are few enough.
    pub fn fits(domains: &Domains, limits: &SatLimits<'_>) -> bool {
        let bytes = domains.pairs() * BYTES_PER_PAIR;
        bytes <= MOST_BYTES && limits.has_room(bytes)
    }

    /// The clauses of domains.
    pub fn new(domains: &Domains, limits: SatLimits<'w>) -> Self {
        let mut writer = Writer { solver: Solver::new(), next: 0 };
        writer.solver.set_callbacks(Some(limits));
        let mut variable = FxHashMap::default();
        let (mut settled, mut pairs) = (Vec::new(), Vec::new());
        for value in 1..=domains.last {
            let fixed = domains.cells_of(value) == 1;
            for place in domains.places_of(value) {
                let x = writer.variable();
                variable.insert((value, place), x);
                if fixed {
                    writer.clause(&[x]);
                    settled.push((value, domains.cell(place)));
                } else {
                    pairs.push((value, domains.cell(place), x));
                }
            }
        }
        let x = |value: usize, place: usize| variable.get(&(value, place)).copied();
        for value in 1..=domains.last {
            let all: Vec<_> = domains.places_of(value).filter_map(|place| x(value, place)).collect();
            writer.exactly_one(&all);
        }
        let places: Vec<_> = (0..domains.places()).filter(|&place| domains.is_cell(place)).collect();
        for &place in &places {
            let all: Vec<_> = domains.values_at(place).filter_map(|value| x(value, place)).collect();
            writer.exactly_one(&all);
        }
        let mut step = FxHashMap::default();
        for &place in &places {
            for next in [place + 1, place + domains.stride] {
                if next < domains.places() && domains.is_cell(next) {
                    step.insert((place, next), writer.variable());
                }
            }
        }
        let near = |place: usize| {
            let s = domains.stride;
            let all = [place.checked_sub(s), place.checked_sub(1), Some(place + 1), Some(place + s)];
            all.into_iter().flatten().filter(|&next| next < domains.places() && domains.is_cell(next))
        };
        let edge = |a: usize, b: usize| step[&(a.min(b), a.max(b))];
        for &place in &places {
            for value in domains.values_at(place) {
                let here = x(value, place).expect("a pair of the domains");
                for other in [value - 1, value + 1] {
                    if other == 0 || other > domains.last {
                        continue;
                    }
                    let mut clause = vec![-here];
                    for next in near(place) {
                        if let Some(there) = x(other, next) {
                            clause.push(there);
                            if other > value {
                                writer.clause(&[-here, -there, edge(place, next)]);
                            }
                        }
                    }
                    writer.clause(&clause);
                }
                for next in near(place) {
                    // A step leads to the number before or after.
                    let mut clause = vec![-here, -edge(place, next)];
                    clause.extend(x(value - 1, next));
                    clause.extend(x(value + 1, next));
                    writer.clause(&clause);
                }
            }
            let edges: Vec<_> = near(place).map(|next| edge(place, next)).collect();
            let ends = [x(1, place), x(domains.last, place)];
            writer.two(&edges, &ends.into_iter().flatten().collect::<Vec<_>>());
        }
        Self { solver: writer.solver, settled, pairs, cells: domains.last, limits }
    }

    /// Goes on for a number of conflicts.
    pub fn solve(&mut self, conflicts: i32) -> Answer {
        if self.solver.set_limit("conflicts", conflicts).is_err() {
            return Answer::Unknown;
        }
        match self.solver.solve() {
            None => Answer::Unknown,
            Some(false) => Answer::None,
            Some(true) => {
                let mut cells = vec![0; self.cells];
                for &(value, cell) in &self.settled {
                    cells[cell] = value as u16;
                }
                for &(value, cell, x) in &self.pairs {
                    if self.solver.value(x) == Some(true) {
                        cells[cell] = value as u16;
                    }
                }
                Answer::Solution(cells)
            }
        }
    }

    /// Excludes a solution from those to come.
    pub fn exclude(&mut self, cells: &[u16]) {
        let differs = self.pairs.iter().filter(|pair| cells[pair.1] as usize == pair.0).map(|pair| -pair.2);
        self.solver.add_clause(differs);
    }
}

/// Adds variables and clauses.
struct Writer<'w> {
    solver: Solver<SatLimits<'w>>,
    next: i32,
}

impl Writer<'_> {
    fn variable(&mut self) -> i32 {
        self.next += 1;
        self.next
    }

    fn clause(&mut self, literals: &[i32]) {
        self.solver.add_clause(literals.iter().copied());
    }

    fn exactly_one(&mut self, all: &[i32]) {
        self.clause(all);
        let mut rest = all.to_vec();
        // Long sets are cut into short ones linked by a variable that says that
        // one before was true.
        while rest.len() > PAIRWISE {
            let tail = rest.split_off(PAIRWISE - 1);
            let link = self.variable();
            rest.push(-link);
            self.pairwise(&rest[..PAIRWISE - 1]);
            for &literal in &rest[..PAIRWISE - 1] {
                self.clause(&[-literal, link]);
            }
            rest = std::iter::once(link).chain(tail).collect();
        }
        self.pairwise(&rest);
    }

    fn pairwise(&mut self, literals: &[i32]) {
        for (i, &a) in literals.iter().enumerate() {
            for &b in &literals[i + 1..] {
                self.clause(&[-a, -b]);
            }
        }
    }

    /// Two of the edges are true; one, if the cell is an end of the path.
    fn two(&mut self, edges: &[i32], ends: &[i32]) {
        if edges.is_empty() {
            // The board is a single cell.
            return;
        }
        self.clause(edges);
        for i in 0..edges.len() {
            let mut others = edges.to_vec();
            others.remove(i);
            if edges.len() == 4 {
                self.clause(&others.iter().map(|edge| -edge).collect::<Vec<_>>());
            }
            others.extend(ends);
            self.clause(&others);
        }
        if edges.len() == 3 {
            self.clause(&edges.iter().map(|edge| -edge).collect::<Vec<_>>());
        }
        for &end in ends {
            for (i, &a) in edges.iter().enumerate() {
                for &b in &edges[i + 1..] {
                    self.clause(&[-end, -a, -b]);
                }
            }
        }
    }
}
