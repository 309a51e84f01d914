//! A maze as clauses over the joins between neighbouring cells.

use super::cdcl::{Literal, Solver};
use super::path::{Graph, NOTHING, Path};
use crate::mazes::instance::Maze;
use crate::mazes::moves::{Move, Way};

/// Clauses one after the other.
#[derive(Default)]
struct List {
    literals: Vec<Literal>,
    /// Where each clause ends.
    ends: Vec<usize>,
}

impl List {
    fn push(&mut self, clause: impl IntoIterator<Item = Literal>) {
        self.literals.extend(clause);
        self.ends.push(self.literals.len());
    }
}

fn open(joins: &[u32]) -> impl Iterator<Item = Literal> + '_ {
    joins.iter().map(|&join| Literal::new(join as usize, true))
}

fn closed(joins: &[u32]) -> impl Iterator<Item = Literal> + '_ {
    joins.iter().map(|&join| Literal::new(join as usize, false))
}

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
    /// Numbers the cells and joins of a maze.
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
    fn arm(&self, graph: &Graph, cell: usize, way: Way, arm: &mut Vec<u32>) {
        arm.clear();
        let mut cell = cell;
        while self.join[cell][way as usize] != NOTHING {
            let join = self.join[cell][way as usize];
            arm.push(join);
            let (a, b) = graph.joins[join as usize];
            cell = if a as usize == cell { b } else { a } as usize;
        }
    }

    /// All that clauses say: how many joins each cell has, which lengths may
    /// not meet, what has been walked.
    pub fn clauses(&self, maze: &Maze, solver: &mut Solver<Path>) {
        let mut all = List::default();
        if self.start != self.end {
            self.degrees(&solver.theory().graph, &mut all);
            self.lengths(&solver.theory().graph, &mut all);
        }
        self.walked(maze, &mut all);
        let mut first = 0;
        for end in all.ends {
            solver.add(&all.literals[first..end]);
            first = end;
        }
    }

    /// The ends of the path have one join, all other cells two.
    fn degrees(&self, graph: &Graph, all: &mut List) {
        for (cell, around) in graph.around.iter().enumerate() {
            let mut joins = [0; 4];
            around.iter().zip(&mut joins).for_each(|(&(_, join), place)| *place = join);
            let joins = &joins[..around.len()];
            let is_end = cell as u32 == self.start || cell as u32 == self.end;
            if is_end {
                all.push(open(joins));
            } else if joins.is_empty() {
                all.push([]);
            }
            for (i, &a) in joins.iter().enumerate() {
                if !is_end {
                    all.push(open(&joins[..i]).chain(open(&joins[i + 1..])));
                }
                for (j, &b) in joins.iter().enumerate().skip(i + 1) {
                    if is_end {
                        all.push(closed(&[a, b]));
                    } else {
                        joins[j + 1..].iter().for_each(|&c| all.push(closed(&[a, b, c])));
                    }
                }
            }
        }
    }

    /// Where a horizontal and a vertical segment meet, not both have the same
    /// length: all joins so far, and not the next.
    fn lengths(&self, graph: &Graph, all: &mut List) {
        let mut arms: [Vec<u32>; 4] = Default::default();
        for cell in 0..graph.around.len() {
            for way in Way::ALL {
                self.arm(graph, cell, way, &mut arms[way as usize]);
            }
            for across in [Way::Left, Way::Right] {
                for along in [Way::Up, Way::Down] {
                    let (across, along) = (&arms[across as usize], &arms[along as usize]);
                    for length in 1..=across.len().min(along.len()) {
                        let next =
                            |arm: &[u32]| arm.get(length).map(|&join| Literal::new(join as usize, true));
                        all.push(
                            closed(&across[..length])
                                .chain(next(across))
                                .chain(closed(&along[..length]))
                                .chain(next(along)),
                        );
                    }
                }
            }
        }
    }

    /// For every cell but the ends, the pairs of joins that make a turn there.
    pub fn corners(&self) -> Vec<Vec<(usize, usize)>> {
        let mut corners = Vec::new();
        for (cell, join) in self.join.iter().enumerate() {
            if cell as u32 == self.start || cell as u32 == self.end {
                continue;
            }
            let mut pairs = Vec::new();
            for across in [Way::Left, Way::Right].map(|way| join[way as usize]) {
                for along in [Way::Up, Way::Down].map(|way| join[way as usize]) {
                    if across != NOTHING && along != NOTHING {
                        pairs.push((across as usize, along as usize));
                    }
                }
            }
            corners.extend((!pairs.is_empty()).then_some(pairs));
        }
        corners
    }

    fn walked(&self, maze: &Maze, all: &mut List) {
        let mut cell = maze.start;
        for &made in &maze.walked {
            let (Move::Turn(way) | Move::Step(way)) = made;
            match self.join[self.number[cell] as usize][way as usize] {
                // A turn towards a wall.
                NOTHING => all.push([]),
                join => all.push(open(&[join])),
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
