//! A maze as clauses over the joins between neighbouring cells.

use super::cdcl::Solver;
use super::clauses::Literal;
use super::path::{Graph, NOTHING, Path};
use crate::mazes::instance::Maze;
use crate::mazes::moves::{Move, Way};

/// The free cells of a maze, numbered, and their joins.
pub struct Board {
    /// By cell of the maze: its number among the free cells.
    number: Vec<u32>,
    /// By number and direction: the variable of the join that way.
    join: Vec<[u32; 4]>,
    start: u32,
    end: u32,
}

impl Board {
    pub fn new(maze: &Maze) -> (Self, Graph) {
        let mut number = vec![NOTHING; maze.blocked.len()];
        let free: Vec<_> = (0..number.len()).filter(|&cell| !maze.blocked[cell]).collect();
        for (i, &cell) in free.iter().enumerate() {
            number[cell] = i as u32;
        }
        let (start, end) = (number[maze.start], number[maze.end]);
        let mut graph = Graph { around: vec![Vec::new(); free.len()], joins: Vec::new(), start, end };
        let mut join = vec![[NOTHING; 4]; free.len()];
        for &cell in &free {
            for (way, back) in [(Way::Right, Way::Left), (Way::Down, Way::Up)] {
                let Some(next) = maze.next(cell, way).filter(|&next| !maze.blocked[next]) else { continue };
                let (a, b, variable) = (number[cell], number[next], graph.joins.len() as u32);
                graph.joins.push((a, b));
                graph.around[a as usize].push((b, variable));
                graph.around[b as usize].push((a, variable));
                join[a as usize][way as usize] = variable;
                join[b as usize][back as usize] = variable;
            }
        }
        (Self { number, join, start, end }, graph)
    }

    /// The joins that lie straight ahead of a cell, up to a wall.
    fn arm(&self, graph: &Graph, cell: usize, way: Way) -> Vec<usize> {
        let mut arm = Vec::new();
        let mut cell = cell;
        while self.join[cell][way as usize] != NOTHING {
            let variable = self.join[cell][way as usize] as usize;
            arm.push(variable);
            let (a, b) = graph.joins[variable];
            cell = if a as usize == cell { b } else { a } as usize;
        }
        arm
    }

    /// All that clauses say: how many joins each cell has, which lengths may
    /// not meet, what has been walked.
    pub fn clauses(&self, maze: &Maze, solver: &mut Solver<Path>) {
        let mut all = Vec::new();
        self.degrees(&solver.theory().graph, &mut all);
        self.lengths(&solver.theory().graph, &mut all);
        self.walked(maze, &mut all);
        for clause in &all {
            solver.add(clause);
        }
    }

    fn degrees(&self, graph: &Graph, all: &mut Vec<Vec<Literal>>) {
        for (cell, around) in graph.around.iter().enumerate() {
            let joins: Vec<_> = around.iter().map(|&(_, join)| join as usize).collect();
            let is_end = cell as u32 == self.start || cell as u32 == self.end;
            let clause = |joins: &[usize], truth| joins.iter().map(|&j| Literal::new(j, truth)).collect();
            if is_end {
                all.push(clause(&joins, true));
            } else if joins.is_empty() {
                all.push(Vec::new());
            }
            for i in 0..joins.len() {
                if !is_end {
                    let others: Vec<_> = joins.iter().copied().filter(|&j| j != joins[i]).collect();
                    all.push(clause(&others, true));
                }
                for j in i + 1..joins.len() {
                    if is_end {
                        all.push(clause(&[joins[i], joins[j]], false));
                    } else {
                        all.extend(
                            (j + 1..joins.len()).map(|k| clause(&[joins[i], joins[j], joins[k]], false)),
                        );
                    }
                }
            }
        }
    }

    /// Where a horizontal and a vertical segment meet, not both have the same
    /// length: all joins so far, and not the next.
    fn lengths(&self, graph: &Graph, all: &mut Vec<Vec<Literal>>) {
        for cell in 0..graph.around.len() {
            let arms = Way::ALL.map(|way| self.arm(graph, cell, way));
            for across in [Way::Left, Way::Right] {
                for along in [Way::Up, Way::Down] {
                    let (across, along) = (&arms[across as usize], &arms[along as usize]);
                    for length in 1..=across.len().min(along.len()) {
                        let mut clause = Vec::new();
                        for arm in [across, along] {
                            clause.extend(arm[..length].iter().map(|&join| Literal::new(join, false)));
                            clause.extend(arm.get(length).map(|&join| Literal::new(join, true)));
                        }
                        all.push(clause);
                    }
                }
            }
        }
    }

    fn walked(&self, maze: &Maze, all: &mut Vec<Vec<Literal>>) {
        let mut cell = maze.start;
        for &made in &maze.walked {
            let (Move::Turn(way) | Move::Step(way)) = made;
            match self.join[self.number[cell] as usize][way as usize] {
                // A turn towards a wall.
                NOTHING => all.push(Vec::new()),
                join => all.push(vec![Literal::new(join as usize, true)]),
            }
            if let Move::Step(way) = made {
                cell = maze.next(cell, way).expect("walked on the board");
            }
        }
    }

    /// The steps of the path that a solver has found.
    pub fn steps(&self, solver: &Solver<Path>) -> Vec<Way> {
        let graph = &solver.theory().graph;
        let (mut before, mut cell) = (NOTHING, self.start);
        let mut steps = Vec::new();
        while cell != self.end {
            let is_next = |way: &Way| {
                let join = self.join[cell as usize][*way as usize];
                join != NOTHING && join != before && solver.is_true(join as usize)
            };
            let way = Way::ALL.into_iter().find(is_next).expect("every cell but the end is left");
            before = self.join[cell as usize][way as usize];
            let (a, b) = graph.joins[before as usize];
            cell = if a == cell { b } else { a };
            steps.push(way);
        }
        steps
    }
}
