//! The rows of grids: ways across large maps, and short queries, of which a caller has many.

use std::cell::Cell as Count;
use std::collections::HashSet;

use novelo_search::heuristic::from_fn;
use novelo_search::parts::Random;
use novelo_search::{Algorithm, Heuristic, Promise, Search, from_successors};
use pathfinding::prelude::{astar, bfs, bfs_reach, dijkstra};

use super::grid::{Cell, Map, Way, neighbour};
use super::{Total, row, strict};

fn estimate<'m, const DIAGONAL: bool>() -> impl Heuristic<Way<'m, DIAGONAL>, Value = u32> {
    from_fn(Promise::CONSISTENT, |way: &Way<'m, DIAGONAL>, cell: &Cell| way.estimate(*cell))
}

fn novelo<const DIAGONAL: bool>(way: &Way<'_, DIAGONAL>, algorithm: Algorithm) -> Total {
    let search = Search::new(way);
    let outcome = match algorithm {
        Algorithm::AStar => search.heuristic(estimate()).run(algorithm),
        _ => search.run(algorithm),
    };
    Total::of(&outcome.expect("nothing more is needed"))
}

/// A* on the same way as a problem by functions.
fn novelo_by_functions<const DIAGONAL: bool>(way: &Way<'_, DIAGONAL>) -> Total {
    let problem = from_successors(
        way.from,
        |&cell| {
            way.free(cell).map(move |direction| {
                let into = neighbour(cell, direction);
                (direction, into, way.cost(direction, into))
            })
        },
        |&cell| cell == way.to,
    );
    let search = Search::new(&problem).estimate(Promise::CONSISTENT, |_, &cell| way.estimate(cell));
    Total::of(&search.run(Algorithm::AStar).expect("nothing more is needed"))
}

fn pathfinding<const DIAGONAL: bool>(way: &Way<'_, DIAGONAL>, algorithm: Algorithm) -> Total {
    let expanded = Count::new(0);
    let steps = |cell: Cell| {
        expanded.set(expanded.get() + 1);
        way.free(cell).map(move |direction| (direction, neighbour(cell, direction)))
    };
    let costed = |&cell: &Cell| steps(cell).map(|(direction, into)| (into, way.cost(direction, into)));
    let is_goal = |&cell: &Cell| cell == way.to;
    let cost = match algorithm {
        Algorithm::AStar => {
            astar(&way.from, costed, |&cell| way.estimate(cell), is_goal).map(|(_, cost)| cost.into())
        }
        Algorithm::Ucs => dijkstra(&way.from, costed, is_goal).map(|(_, cost)| cost.into()),
        _ => {
            let plain = |&cell: &Cell| steps(cell).map(|(_, into)| into);
            bfs(&way.from, plain, is_goal).map(|path| path.len() as u64 - 1)
        }
    };
    Total { cost: cost.expect("there is a way"), expanded: expanded.get() }
}

/// A row: all these ways, one after the other.
fn both_sides<const DIAGONAL: bool>(name: &str, algorithm: Algorithm, ways: &[Way<'_, DIAGONAL>]) {
    let strict = || ways.iter().map(|way| strict::expansions(way, &estimate())).sum();
    row(
        name,
        algorithm.name(),
        || ways.iter().map(|way| novelo(way, algorithm)).sum(),
        || ways.iter().map(|way| pathfinding(way, algorithm)).sum(),
        (algorithm == Algorithm::AStar).then(strict),
    );
}

/// From corner to corner of maps of 512 by 512 cells: a quarter of them blocked at random, or rooms, or nothing blocked,
/// or, with a quarter blocked, costs of 1 to 100 a cell. With diagonals steps cost 10 and 14; in four directions 1.
pub fn across() {
    let scattered = scattered();
    let rooms = Map::rooms(512, 2);
    // Every way that never turns back costs the same: a plateau of the whole map, on which ties decide.
    let open = Map::scattered(512, 0, 1);
    let costs = self::scattered().with_costs(100, 2);
    let eight = |name, map: &Map| {
        both_sides(name, Algorithm::AStar, &[Way::<true>::new(map, map.corners())]);
    };
    let four = |name, map: &Map, algorithm| {
        both_sides(name, algorithm, &[Way::<false>::new(map, map.corners())]);
    };
    eight("scattered, 8 directions", &scattered);
    eight("rooms, 8 directions", &rooms);
    four("open, 4 directions", &open, Algorithm::AStar);
    four("rooms, 4 directions", &rooms, Algorithm::AStar);
    four("costs 1-100, 4 directions", &costs, Algorithm::AStar);
    four("costs 1-100, 4 directions", &costs, Algorithm::Ucs);
    four("scattered, 4 directions", &scattered, Algorithm::Bfs);
}

/// A quarter of the cells blocked, at random.
fn scattered() -> Map {
    Map::scattered(512, 25, 1)
}

/// Ways between cells that are not far from each other, on a map a fifth of which is blocked: what a search costs
/// before it has found its stride.
pub fn short() {
    let plain = Map::scattered(1024, 20, 3);
    let costs = Map::scattered(1024, 20, 3).with_costs(100, 2);
    for (least, most, count) in [(5, 15, 1000), (15, 30, 500), (30, 60, 200)] {
        let pairs = pairs(&plain, least, most, count);
        let name = |kind: &str| format!("{least}-{most} cells, {kind}");
        let eight: Vec<_> = pairs.iter().map(|&pair| Way::<true>::new(&plain, pair)).collect();
        both_sides(&name("8 directions"), Algorithm::AStar, &eight);
        let costly: Vec<_> = pairs.iter().map(|&pair| Way::<false>::new(&costs, pair)).collect();
        both_sides(&name("costs 1-100"), Algorithm::AStar, &costly);
        both_sides(&name("costs 1-100"), Algorithm::Ucs, &costly);
        let four: Vec<_> = pairs.iter().map(|&pair| Way::<false>::new(&plain, pair)).collect();
        both_sides(&name("4 directions"), Algorithm::Bfs, &four);
    }
}

/// Random pairs of connected cells, the larger of whose distances by row and column lies in a range.
fn pairs(map: &Map, least: u16, most: u16, count: usize) -> Vec<(Cell, Cell)> {
    let way = Way::<false>::new(map, map.corners());
    let connected: HashSet<Cell> =
        bfs_reach(way.from, |&cell| way.free(cell).map(move |direction| neighbour(cell, direction)))
            .collect();
    let mut random = Random::new(7);
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let mut coordinate = || 100 + random.below(800) as u16;
        let from = Cell { x: coordinate(), y: coordinate() };
        let mut near = |coordinate: u16| coordinate + random.below(2 * usize::from(most) + 1) as u16 - most;
        let to = Cell { x: near(from.x), y: near(from.y) };
        let distance = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y));
        if (least..=most).contains(&distance) && connected.contains(&from) && connected.contains(&to) {
            pairs.push((from, to));
        }
    }
    pairs
}

/// Not against a peer: what a problem by functions costs beside one that implements the trait.
pub fn by_functions() {
    let map = scattered();
    let way = Way::<true>::new(&map, map.corners());
    row(
        "scattered, 8 directions",
        Algorithm::AStar.name(),
        || novelo_by_functions(&way),
        || novelo(&way, Algorithm::AStar),
        Some(strict::expansions(&way, &estimate())),
    );
}
