//! What the joins between cells must come to: one path through all of them.
//!
//! With one more join between the two ends of the path, which is always there,
//! the path is a cycle through all cells. So no smaller cycle may close, and no
//! cell may be the only link between two parts of the board.

use super::cdcl::{Literal, Theory, Value};

/// No cell, no join.
pub const NOTHING: u32 = u32::MAX;

/// Cut cells are looked for when a new join in so many cells is ruled out: each
/// look takes time for every cell of the board, and most find nothing.
const CUTS_PER_LOOK: usize = 4;

/// The cells, and which are neighbours by which variable.
#[derive(Debug)]
pub struct Graph {
    /// By cell: its neighbours and the variable of the join to each.
    pub around: Vec<Vec<(u32, u32)>>,
    /// By variable: the two cells.
    pub joins: Vec<(u32, u32)>,
    pub start: u32,
    pub end: u32,
}

/// A join that was made, and what it changed.
#[derive(Debug)]
struct Joined {
    /// How much of the trail there was when it was made.
    trail: usize,
    cells: (u32, u32),
    ends: (u32, u32),
    sizes: (u32, u32),
}

/// The theory of one path.
#[derive(Debug)]
pub struct Path {
    pub graph: Graph,
    /// How much of the trail has been looked at.
    head: usize,
    made: Vec<Joined>,
    /// For the end of a piece of path: its other end, and how many cells it has.
    other: Vec<u32>,
    size: Vec<u32>,
    /// By cell: the joins made, as neighbour and variable.
    links: Vec<[(u32, u32); 2]>,
    /// How many joins were ruled out since cut cells were last looked for.
    cuts: usize,
    /// For the search of cut cells.
    order: Vec<u32>,
    low: Vec<u32>,
    parent: Vec<u32>,
    visited: Vec<u32>,
    stack: Vec<(u32, u32)>,
    inside: Vec<bool>,
}

impl Path {
    pub fn new(graph: Graph) -> Self {
        let cells = graph.around.len();
        let (start, end) = (graph.start, graph.end);
        let mut path = Self {
            head: 0,
            made: Vec::new(),
            other: (0..cells as u32).collect(),
            size: vec![1; cells],
            links: vec![[(NOTHING, NOTHING); 2]; cells],
            cuts: cells,
            order: vec![0; cells],
            low: vec![0; cells],
            parent: vec![NOTHING; cells],
            visited: Vec::with_capacity(cells),
            stack: Vec::with_capacity(cells),
            inside: vec![false; cells],
            graph,
        };
        path.link(start, end, NOTHING);
        path.link(end, start, NOTHING);
        (path.other[start as usize], path.other[end as usize]) = (end, start);
        (path.size[start as usize], path.size[end as usize]) = (2, 2);
        path
    }

    fn link(&mut self, from: u32, to: u32, join: u32) {
        let links = &mut self.links[from as usize];
        let free = usize::from(links[0].0 != NOTHING);
        links[free] = (to, join);
    }

    fn unlink(&mut self, cell: u32) {
        let links = &mut self.links[cell as usize];
        let last = usize::from(links[1].0 != NOTHING);
        links[last] = (NOTHING, NOTHING);
    }

    /// Makes a join; writes a lemma if that closes a cycle, or if the join of
    /// its ends would.
    fn join(&mut self, variable: u32, values: &[Value], trail: usize, out: &mut Vec<Literal>) -> bool {
        let (u, v) = self.graph.joins[variable as usize];
        let (a, b) = (self.other[u as usize], self.other[v as usize]);
        let cells = self.graph.around.len() as u32;
        if a == v {
            if self.size[u as usize] == cells {
                return false;
            }
            self.along(u, v, out);
            out.push(Literal::new(variable as usize, false));
            self.or_way_out(u, v, values, out);
            return true;
        }
        let sizes = (self.size[a as usize], self.size[b as usize]);
        self.made.push(Joined { trail, cells: (u, v), ends: (a, b), sizes });
        self.link(u, v, variable);
        self.link(v, u, variable);
        (self.other[a as usize], self.other[b as usize]) = (b, a);
        let size = sizes.0 + sizes.1;
        (self.size[a as usize], self.size[b as usize]) = (size, size);
        if size == cells {
            return false;
        }
        let closing =
            self.graph.around[a as usize].iter().find(|&&(cell, join)| cell == b && join != variable);
        let Some(&(_, closing)) = closing else { return false };
        let closing = Literal::new(closing as usize, true);
        if values[closing.index()] == Value::False {
            return false;
        }
        self.along(a, b, out);
        out.push(!closing);
        true
    }

    /// Writes the negations of the joins along a piece of path.
    fn along(&self, from: u32, to: u32, out: &mut Vec<Literal>) {
        let (mut before, mut cell) = (NOTHING, from);
        while cell != to {
            let [first, second] = self.links[cell as usize];
            let (next, join) = if first.0 == before { second } else { first };
            if join != NOTHING {
                out.push(Literal::new(join as usize, false));
            }
            (before, cell) = (cell, next);
        }
    }

    /// A cycle also breaks the rule that some join leads out of its cells; if
    /// that takes fewer literals, it is written instead.
    fn or_way_out(&mut self, from: u32, to: u32, values: &[Value], out: &mut Vec<Literal>) {
        let (mut before, mut cell) = (NOTHING, from);
        loop {
            self.inside[cell as usize] = true;
            if cell == to {
                break;
            }
            let [first, second] = self.links[cell as usize];
            let next = if first.0 == before { second.0 } else { first.0 };
            (before, cell) = (cell, next);
        }
        let inside = &self.inside;
        let leads_out = |&(u, v): &(u32, u32)| inside[u as usize] != inside[v as usize];
        let ways = || {
            let joins = self.graph.joins.iter().enumerate();
            joins.filter(|(_, join)| leads_out(join)).map(|(variable, _)| Literal::new(variable, true))
        };
        if ways().count() < out.len() && ways().all(|way| values[way.index()] == Value::False) {
            out.clear();
            out.extend(ways());
        }
        self.inside.fill(false);
    }

    /// Looks for a cell whose loss would cut the board in two; writes the
    /// shortest clause that says that one of the parts needs another link.
    fn cut_cell(&mut self, values: &[Value], out: &mut Vec<Literal>) -> bool {
        let cells = self.graph.around.len();
        if cells < 3 {
            return false;
        }
        self.order.fill(NOTHING);
        self.visited.clear();
        self.stack.clear();
        let root = self.graph.start;
        self.visit(root, NOTHING);
        let mut best: Option<(usize, u32, u32)> = None;
        let mut root_parts = 0;
        while let Some(&(cell, next)) = self.stack.last() {
            if let Some(neighbour) = self.nth(cell, next, values) {
                let top = self.stack.len() - 1;
                self.stack[top].1 += 1;
                if neighbour == NOTHING || neighbour == self.parent[cell as usize] {
                    continue;
                }
                let order = self.order[neighbour as usize];
                if order == NOTHING {
                    self.visit(neighbour, cell);
                } else {
                    let low = &mut self.low[cell as usize];
                    *low = (*low).min(order);
                }
                continue;
            }
            self.stack.pop();
            let parent = self.parent[cell as usize];
            if parent == NOTHING {
                break;
            }
            let low = self.low[cell as usize];
            self.low[parent as usize] = self.low[parent as usize].min(low);
            let is_cut = if parent == root {
                root_parts += 1;
                root_parts > 1
            } else {
                low >= self.order[parent as usize]
            };
            if is_cut {
                // The part below is all that was visited since the cell was.
                let first = self.order[cell as usize];
                let count = self.ways_out(first, parent, None);
                if best.is_none_or(|(least, ..)| count < least) {
                    best = Some((count, cell, parent));
                    let mut ways = std::mem::take(out);
                    ways.clear();
                    self.ways_out(first, parent, Some(&mut ways));
                    *out = ways;
                }
            }
        }
        if self.visited.len() < cells {
            // Part of the board cannot be reached at all.
            out.clear();
            for (variable, &(u, v)) in self.graph.joins.iter().enumerate() {
                if (self.order[u as usize] == NOTHING) != (self.order[v as usize] == NOTHING) {
                    out.push(Literal::new(variable, true));
                }
            }
            return true;
        }
        best.is_some()
    }

    fn visit(&mut self, cell: u32, parent: u32) {
        let order = self.visited.len() as u32;
        self.order[cell as usize] = order;
        self.low[cell as usize] = order;
        self.parent[cell as usize] = parent;
        self.visited.push(cell);
        self.stack.push((cell, 0));
    }

    /// The n-th neighbour of a cell, counting the join between the ends of the
    /// path; `NOTHING` if that join is ruled out, `None` beyond the last.
    fn nth(&self, cell: u32, n: u32, values: &[Value]) -> Option<u32> {
        match self.graph.around[cell as usize].get(n as usize) {
            Some(&(neighbour, join)) => {
                let open = values[2 * join as usize] != Value::False;
                Some(if open { neighbour } else { NOTHING })
            }
            None if n as usize == self.graph.around[cell as usize].len() => match cell {
                _ if cell == self.graph.start => Some(self.graph.end),
                _ if cell == self.graph.end => Some(self.graph.start),
                _ => None,
            },
            None => None,
        }
    }

    /// Counts, and writes, the joins from the cells visited from `first` on to
    /// all others but the cut cell.
    fn ways_out(&self, first: u32, cut: u32, mut out: Option<&mut Vec<Literal>>) -> usize {
        let mut count = 0;
        for &cell in &self.visited[first as usize..] {
            for &(neighbour, join) in &self.graph.around[cell as usize] {
                // Cells not visited yet come after the part, so they are outside.
                let order = self.order[neighbour as usize];
                if neighbour != cut && (order < first || order == NOTHING) {
                    count += 1;
                    if let Some(out) = &mut out {
                        out.push(Literal::new(join as usize, true));
                    }
                }
            }
        }
        count
    }
}

impl Theory for Path {
    fn lemma(&mut self, values: &[Value], trail: &[Literal], out: &mut Vec<Literal>) -> bool {
        while self.head < trail.len() {
            let literal = trail[self.head];
            self.head += 1;
            let variable = literal.variable() as u32;
            if variable as usize >= self.graph.joins.len() {
                continue;
            }
            if !literal.is_positive() {
                self.cuts += 1;
            } else if self.join(variable, values, self.head, out) {
                return true;
            }
        }
        if self.cuts * CUTS_PER_LOOK < self.graph.around.len() {
            return false;
        }
        if self.cut_cell(values, out) {
            return true;
        }
        self.cuts = 0;
        false
    }

    fn backtrack(&mut self, trail: usize) {
        while let Some(last) = self.made.last() {
            if last.trail <= trail {
                break;
            }
            let Joined { cells: (u, v), ends: (a, b), sizes, .. } = self.made.pop().expect("there is one");
            self.unlink(u);
            self.unlink(v);
            (self.other[a as usize], self.other[b as usize]) = (u, v);
            (self.size[a as usize], self.size[b as usize]) = sizes;
        }
        self.head = self.head.min(trail);
    }

    fn bytes(&self) -> usize {
        self.graph.around.len() * 128 + self.graph.joins.len() * 8
    }
}
