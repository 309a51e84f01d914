//! The pathfinding crate's side, with a node as small and quick as it can be
//! made there: a packed board that carries its blank and its estimate along.

use std::cell::Cell;
use std::hash::{Hash, Hasher};

use novelo_puzzles::sliding::Tiles;
use pathfinding::prelude::{astar, bfs, idastar};

use crate::measure::{BFS_EXPANSIONS, Counted};
use crate::novelo_side;

#[derive(Clone, Copy, Debug)]
struct Node {
    board: u64,
    blank: u8,
    estimate: u8,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.hash(state);
    }
}

/// The distance of every tile from its goal on every cell.
struct Distances([[u8; 16]; 16]);

impl Distances {
    fn new(goal: &[u8]) -> Self {
        let mut table = [[0; 16]; 16];
        for (home, &tile) in goal.iter().enumerate().filter(|&(_, &tile)| tile != 0) {
            for (cell, distance) in table[tile as usize].iter_mut().enumerate() {
                *distance = ((cell / 4).abs_diff(home / 4) + (cell % 4).abs_diff(home % 4)) as u8;
            }
        }
        Self(table)
    }

    fn node(&self, tiles: &[u8]) -> Node {
        let board = tiles.iter().enumerate().fold(0, |x, (cell, &tile)| x | u64::from(tile) << (4 * cell));
        let blank = tiles.iter().position(|&tile| tile == 0).expect("a blank") as u8;
        let estimate = tiles.iter().enumerate().map(|(cell, &tile)| self.0[tile as usize][cell]).sum();
        Node { board, blank, estimate }
    }

    fn successors(&self, node: Node) -> impl Iterator<Item = Node> {
        let Node { board, blank, estimate } = node;
        let (row, col) = (blank / 4, blank % 4);
        let cells = [
            (row > 0).then(|| blank - 4),
            (col > 0).then(|| blank - 1),
            (col < 3).then(|| blank + 1),
            (row < 3).then(|| blank + 4),
        ];
        cells.into_iter().flatten().map(move |cell| {
            let tile = (board >> (4 * cell)) & 15;
            let distances = &self.0[tile as usize];
            Node {
                board: board ^ (tile << (4 * cell)) ^ (tile << (4 * blank)),
                blank: cell,
                estimate: estimate + distances[blank as usize] - distances[cell as usize],
            }
        })
    }
}

/// Runs an algorithm on a board given as an id.
pub fn run(algorithm: &str, board: &str) -> Counted {
    let id = if algorithm == "bfs" {
        "4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0"
    } else {
        board.strip_prefix("sliding:").expect("a sliding board")
    };
    let tiles = Tiles::parse_id(id, None).expect("a well-formed board");
    let distances = Distances::new(&tiles.goal);
    let start = distances.node(&tiles.start);
    let goal = distances.node(&tiles.goal).board;
    let (expanded, generated) = (Cell::new(0), Cell::new(0));
    let costed = |node: &Node| {
        expanded.set(expanded.get() + 1);
        distances.successors(*node).map(|next| {
            generated.set(generated.get() + 1);
            (next, 1u8)
        })
    };
    let cost = match algorithm {
        "astar" => {
            astar(&start, costed, |node| node.estimate, |node| node.board == goal).expect("solvable").1
        }
        "idastar" | novelo_side::DEDICATED => {
            idastar(&start, costed, |node| node.estimate, |node| node.board == goal).expect("solvable").1
        }
        _ => {
            let plain = |node: &Node| {
                expanded.set(expanded.get() + 1);
                distances.successors(*node)
            };
            // Nothing is a goal until enough states were expanded.
            let found = bfs(&start, plain, |_| expanded.get() >= BFS_EXPANSIONS);
            assert!(found.is_some());
            0
        }
    };
    Counted { expanded: expanded.get(), generated: generated.get(), cost: u32::from(cost) }
}
