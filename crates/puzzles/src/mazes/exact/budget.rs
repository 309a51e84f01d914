//! A bound on the turns of a path, as clauses.
//!
//! Every cell where the path may turn has a variable that is true if it does.
//! A totalizer (Bailleux and Boufkhad, 2003) adds them up two by two: of the
//! sorted outputs of a node, the i-th is true if i of its turns are made. To
//! allow one turn fewer is then to rule out one output more.

use super::cdcl::{Literal, Solver, Theory};

/// The sum of all turns.
pub struct Budget {
    /// The i-th is true if more than i turns are made.
    more_than: Vec<usize>,
}

fn yes(variable: usize) -> Literal {
    Literal::new(variable, true)
}

fn no(variable: usize) -> Literal {
    Literal::new(variable, false)
}

impl Budget {
    /// How many clauses a sum over so many cells takes at most.
    pub fn clauses(cells: usize, most: usize) -> usize {
        // The outputs of a level add up to the cells, each joined with as many.
        let levels = cells.next_power_of_two().ilog2() as usize;
        levels * cells * most.min(cells) / 2
    }

    /// Adds up the turns at corners, which are pairs of joins by cell: fewer
    /// than `most` are of interest. No decision may stand.
    pub fn new<T: Theory>(corners: &[Vec<(usize, usize)>], most: usize, solver: &mut Solver<T>) -> Self {
        let mut sums: Vec<Vec<usize>> = Vec::new();
        for corner in corners {
            let turn = solver.variable();
            for &(across, along) in corner {
                solver.add(&[no(across), no(along), yes(turn)]);
            }
            sums.push(vec![turn]);
        }
        while sums.len() > 1 {
            let mut next = Vec::with_capacity(sums.len().div_ceil(2));
            for pair in sums.chunks(2) {
                next.push(match pair {
                    [a, b] => sum(a, b, most, solver),
                    one => one.concat(),
                });
            }
            sums = next;
        }
        Self { more_than: sums.pop().unwrap_or_default() }
    }

    /// Allows so many turns from now on. No decision may stand.
    pub fn allow<T: Theory>(&self, turns: usize, solver: &mut Solver<T>) {
        if let Some(&more) = self.more_than.get(turns) {
            solver.add(&[no(more)]);
        }
    }
}

/// The sorted outputs of two sums together, up to `most`.
fn sum<T: Theory>(a: &[usize], b: &[usize], most: usize, solver: &mut Solver<T>) -> Vec<usize> {
    let out: Vec<_> = (0..(a.len() + b.len()).min(most)).map(|_| solver.variable()).collect();
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i + j == 0 || i + j > out.len() {
                continue;
            }
            let mut clause = vec![yes(out[i + j - 1])];
            clause.extend(i.checked_sub(1).map(|i| no(a[i])));
            clause.extend(j.checked_sub(1).map(|j| no(b[j])));
            solver.add(&clause);
        }
    }
    out
}
