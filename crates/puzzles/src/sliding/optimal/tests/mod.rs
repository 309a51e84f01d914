//! Heuristics and searches against complete tables of small boards, and against known distances on larger ones.

mod fifteen;
mod order;
mod walks;

use std::collections::HashSet;
use std::sync::Arc;

use novelo_search::{Algorithm, Control, Heuristic, Limits, Meter, Problem as _, Search};
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::estimate::EngineHeuristic;
use super::ida::{
    AdditivePdb, FifteenManhattan, InterleavedSearch, Manhattan, PlainSearch, TableSet, TileHeuristic, deepen,
};
use super::machine::MoveMachine;
use super::partition::Partition;
use super::pdb::build;
use super::position::Position;
use super::shape::{Shape, Symmetry};
use super::walking::WalkingDistance;
use crate::puzzle::Size;
use crate::sliding::heuristics::TileSum;
use crate::sliding::{Move, Packed64, Rules, Tiles};

/// The meter of a run without limits.
pub(super) fn unlimited() -> Meter<'static> {
    Meter::new(Limits::default(), Control::default())
}

fn tables(partition: &Partition) -> TableSet {
    let built = partition
        .tables()
        .into_iter()
        .map(|key| Arc::new(build(key, key.index(), unlimited().budget()).unwrap()));
    TableSet::new(built.collect())
}

fn walking(shape: Shape, goal_blank: usize) -> WalkingDistance {
    WalkingDistance::new(shape, goal_blank, unlimited().budget()).unwrap()
}

fn heuristics<'t>(partitions: &[Partition], set: &'t TableSet) -> Vec<AdditivePdb<'t>> {
    partitions.iter().map(|partition| AdditivePdb::new(partition, set)).collect()
}

/// True distances of all positions up to a depth, by breadth-first search.
fn distances(shape: Shape, goal_blank: usize, deepest: u32) -> FxHashMap<Position, u32> {
    let goal = Position::goal(shape, goal_blank);
    let mut distances = FxHashMap::from_iter([(goal.clone(), 0)]);
    let (mut level, mut depth) = (vec![goal], 0);
    while !level.is_empty() && depth < deepest {
        depth += 1;
        let mut next = Vec::new();
        for position in level {
            for step in Move::ALL {
                let mut child = position.clone();
                if child.apply(step) && !distances.contains_key(&child) {
                    distances.insert(child.clone(), depth);
                    next.push(child);
                }
            }
        }
        level = next;
    }
    distances
}

/// A move of a heuristic from a position; the child, its memo and its estimate.
fn go<H: TileHeuristic>(
    heuristic: &H,
    position: &Position,
    memo: &H::Memo,
    step: Move,
) -> Option<(Position, H::Memo, u32)> {
    let mut child = position.clone();
    if !child.apply(step) {
        return None;
    }
    let label = usize::from(position.labels()[child.blank()]);
    let closer = child.manhattan() < position.manhattan();
    let (mut change, excess) = heuristic.change(memo, label, position.blank() * 4 + step as usize, closer);
    let mut next = memo.clone();
    heuristic.apply(&mut next, &mut change);
    assert_eq!(heuristic.excess(&next), excess);
    let h = child.manhattan() as u32 + 2 * heuristic.excess(&next);
    Some((child, next, h))
}

/// Checks a heuristic on every position: never above the true distance, never changing by more than a move costs, and the
/// same along a move as from scratch.
fn check<H: TileHeuristic>(heuristic: &H, shape: Shape, goal_blank: usize) {
    let distances = distances(shape, goal_blank, u32::MAX);
    let estimate = |position: &Position| {
        let memo = heuristic.start(position);
        (position.manhattan() as u32 + 2 * heuristic.excess(&memo), memo)
    };
    let scratch: FxHashMap<_, _> = distances.keys().map(|position| (position, estimate(position))).collect();
    for (position, (h, memo)) in &scratch {
        assert!(*h <= distances[*position], "{position:?}");
        for step in Move::ALL {
            if let Some((child, _, after)) = go(heuristic, position, memo, step) {
                assert_eq!(after, scratch[&child].0, "{position:?} {step:?}");
                assert!(h.abs_diff(after) <= 1);
            }
        }
    }
}

#[test]
fn databases_are_admissible_and_consistent_on_the_whole_8_puzzle() {
    let shape = Shape::new(3, 3);
    // A corner, a side and the centre: all other goals of the blank are turned into these.
    for goal_blank in [0, 1, 4] {
        let partition = Partition::parse(shape, goal_blank, "4-4").unwrap();
        let tables = tables(&partition);
        check(&heuristics(std::slice::from_ref(&partition), &tables)[0], shape, goal_blank);
        if let Some(reflected) = partition.reflected().filter(|_| goal_blank == 0) {
            check(&heuristics(&[reflected], &tables)[0], shape, goal_blank);
        }
    }
}

#[test]
fn databases_are_admissible_and_consistent_on_rectangles() {
    for (shape, goal_blank) in
        [(Shape::new(4, 2), 0), (Shape::new(4, 2), 2), (Shape::new(2, 3), 4), (Shape::new(2, 2), 3)]
    {
        let partition = Partition::automatic(shape, goal_blank, 1 << 20).unwrap();
        check(&heuristics(std::slice::from_ref(&partition), &tables(&partition))[0], shape, goal_blank);
    }
}

#[test]
fn walking_distance_is_admissible_and_consistent() {
    for (shape, goal_blank) in [(Shape::new(3, 3), 0), (Shape::new(3, 3), 1), (Shape::new(2, 4), 7)] {
        check(&walking(shape, goal_blank), shape, goal_blank);
    }
}

#[test]
fn the_pruning_machine_changes_no_cost_of_the_8_puzzle() {
    let shape = Shape::new(3, 3);
    let machine = MoveMachine::new(shape, 14);
    for (goal_blank, every) in [(0, 1), (4, 16)] {
        let partition = Partition::parse(shape, goal_blank, "4-4").unwrap();
        let tables = tables(&partition);
        let heuristics = heuristics(&[partition.clone(), partition.reflected().unwrap()], &tables);
        let all = distances(shape, goal_blank, u32::MAX);
        let own_images = all.iter().filter(|(position, _)| position.symmetries().count() > 1);
        assert!(own_images.clone().count() > 100);
        for (position, &distance) in all.iter().step_by(every).chain(own_images) {
            let search = InterleavedSearch::new(position, [&heuristics[0], &heuristics[1]], &machine);
            let found = deepen(&search, 1, unlimited().budget()).found;
            assert_eq!(found.unwrap().unwrap().len() as u32, distance, "{position:?}");
        }
    }
}

/// The machine alone, without any heuristic: every position is met at its true depth by strings the machine allows.
#[test]
fn strings_the_machine_allows_reach_every_position_at_its_depth() {
    for (shape, goal_blank) in
        [(Shape::new(3, 3), 0), (Shape::new(3, 3), 1), (Shape::new(3, 2), 3), (Shape::new(2, 4), 0)]
    {
        let machine = MoveMachine::new(shape, 14);
        let distances = distances(shape, goal_blank, u32::MAX);
        let mut level = FxHashSet::from_iter([(Position::goal(shape, goal_blank), MoveMachine::START)]);
        let mut met = FxHashMap::default();
        for depth in 0..=distances.values().copied().max().unwrap() {
            let mut next = FxHashSet::default();
            for (position, state) in level {
                met.entry(position.clone()).or_insert(depth);
                for step in Move::ALL {
                    let mut child = position.clone();
                    // Only shortest strings matter; the others only make the set larger.
                    let open = MoveMachine::allowed(state) >> step as u8 & 1 == 1 && child.apply(step);
                    if open && distances[&child] == depth + 1 {
                        next.insert((child, machine.next(state, step as usize)));
                    }
                }
            }
            level = next;
        }
        assert!(met == distances, "{shape} blank {goal_blank}");
    }
}

#[test]
fn threads_change_neither_costs_nor_the_counts_of_finished_iterations() {
    let machine = MoveMachine::no_reversal();
    // Without tables the iterations are long enough to be divided.
    let start = [15, 13, 10, 7, 2, 1, 6, 3, 9, 11, 0, 12, 5, 4, 8, 14];
    let goal = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0];
    let position = Position::between(Shape::new(4, 4), &start, &goal);
    let (general, special) =
        (PlainSearch::new(&position, [Manhattan], &machine), FifteenManhattan::new(&position, None).unwrap());
    let run = |threads| {
        let runs = [
            deepen(&general, threads, unlimited().budget()),
            deepen(&special, threads, unlimited().budget()),
        ];
        let [general, special] = runs.map(|run| {
            let complete: Vec<_> = run.iterations.into_iter().filter(|i| i.complete).collect();
            (run.found.unwrap().unwrap().len(), complete)
        });
        assert_eq!(general, special);
        general
    };
    let one = run(1);
    assert_eq!(one.0, 48);
    assert!(one.1.iter().any(|iteration| iteration.expanded > 200_000), "long enough for threads");
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}

/// The general search without tables and pruning is the special one of the 15-puzzle, node for node.
#[test]
fn both_searches_generate_the_same_nodes() {
    let machine = MoveMachine::no_reversal();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..20 {
        let start = walk(&mut rng, Shape::new(4, 4), 60);
        let special = FifteenManhattan::new(&start, None).unwrap();
        let special = deepen(&special, 1, unlimited().budget());
        let general = PlainSearch::new(&start, [Manhattan], &machine);
        let general = deepen(&general, 1, unlimited().budget());
        assert_eq!(special, general);
    }
}

fn walk(rng: &mut ChaCha8Rng, shape: Shape, moves: usize) -> Position {
    let mut position = Position::goal(shape, 0);
    for _ in 0..moves {
        position.apply(Move::ALL[rng.random_range(0..4)]);
    }
    position
}

fn tiles_of(position: &Position) -> Tiles {
    let mut start: Vec<u8> = position.labels().iter().map(|&label| label as u8).collect();
    start[position.blank()] = 0;
    Tiles { size: Size { rows: 4, cols: 4 }, start, goal: (0..16).collect() }
}

/// Against distances that no pattern database had a part in: all positions within 16 moves of the goal (breadth-first
/// search), and all positions on shortest solutions of random boards, which A* finds with Manhattan distance alone
/// (every end of a shortest path is a shortest path). More than 100000 positions in all.
#[test]
fn databases_of_the_15_puzzle_never_exceed_known_distances() {
    let shape = Shape::new(4, 4);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let near = distances(shape, 0, 16);
    assert_eq!(near.len(), 241_707, "Korf and Schultze (2005)");
    let mut solutions = Vec::new();
    while solutions.len() < 250 {
        let start = walk(&mut rng, shape, 160);
        let tiles = tiles_of(&start);
        let rules = Rules::<Packed64>::new(&tiles, Move::DEFAULT_ORDER);
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let search = Search::new(&rules).heuristic(TileSum::manhattan(&tiles)).limits(limits);
        let outcome = search.run(Algorithm::AStar).unwrap();
        solutions.extend(outcome.solution().map(|solution| (start, solution.path.clone())));
    }
    for name in ["5-5-5", "6-6-3"] {
        let partition = Partition::parse(shape, 0, name).unwrap();
        let tables = tables(&partition);
        let heuristics = heuristics(&[partition.clone(), partition.reflected().unwrap()], &tables);
        for heuristic in &heuristics {
            let goal = Position::goal(shape, 0);
            let mut level = vec![(goal.clone(), heuristic.start(&goal))];
            let mut seen = HashSet::from([goal]);
            let mut depth = 0;
            while !level.is_empty() {
                depth += 1;
                let mut next = Vec::new();
                for (position, memo) in &level {
                    for (child, memo, h) in
                        Move::ALL.into_iter().filter_map(|step| go(heuristic, position, memo, step))
                    {
                        if near.get(&child) == Some(&depth) && seen.insert(child.clone()) {
                            assert!(h <= depth, "{child:?}");
                            next.push((child, memo));
                        }
                    }
                }
                level = next;
            }
            assert_eq!(seen.len(), near.len());
            for (start, path) in &solutions {
                let (mut position, mut memo) = (start.clone(), heuristic.start(start));
                for (left, &step) in (0..path.len() as u32).rev().zip(path) {
                    let (child, next, h) = go(heuristic, &position, &memo, step).unwrap();
                    assert!(h <= left, "{child:?}");
                    (position, memo) = (child, next);
                }
                assert!(position.is_goal());
            }
        }
    }
}

/// Solves random boards under one partition and follows each shortest solution under another, whose tables had no part
/// in it: every end of a shortest path is a shortest path, so all distances on the way are known. The number of
/// positions looked at.
fn follow_solutions(prover: &str, checked: &str, boards: usize, moves: usize) -> usize {
    let shape = Shape::new(4, 4);
    let [prover, checked] = [prover, checked].map(|name| {
        let partition = Partition::parse(shape, 0, name).unwrap();
        let tables = tables(&partition);
        (vec![partition.clone(), partition.reflected().unwrap()], tables)
    });
    let (provers, checks) = (heuristics(&prover.0, &prover.1), heuristics(&checked.0, &checked.1));
    let machine = MoveMachine::new(shape, 10);
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut positions = 0;
    for _ in 0..boards {
        let start = walk(&mut rng, shape, moves);
        let search = InterleavedSearch::new(&start, [&provers[0], &provers[1]], &machine);
        let path = deepen(&search, 1, unlimited().budget()).found.unwrap().unwrap();
        for heuristic in &checks {
            let (mut position, mut memo) = (start.clone(), heuristic.start(&start));
            for (left, &step) in (0..path.len() as u32).rev().zip(&path) {
                let (child, next, h) = go(heuristic, &position, &memo, step).unwrap();
                assert!(h <= left, "{child:?}");
                (position, memo) = (child, next);
                positions += 1;
            }
            assert!(position.is_goal());
        }
    }
    positions
}

#[test]
fn databases_of_the_15_puzzle_never_exceed_distances_found_with_others() {
    assert!(follow_solutions("6-6-3", "5-5-5", 20, 300) > 500);
    assert!(follow_solutions("5-5-5", "6-6-3", 20, 200) > 400);
}

/// Random boards in the full sense, about 53 moves from the goal; some minutes.
#[test]
#[ignore = "takes minutes: cargo test --release -p novelo-puzzles -- --ignored on_100000_positions"]
fn databases_of_the_15_puzzle_never_exceed_distances_on_100000_positions() {
    assert!(follow_solutions("6-6-3", "5-5-5", 1000, 2000) > 100_000);
    assert!(follow_solutions("6-6-3", "7-8", 1000, 2000) > 100_000);
    assert!(follow_solutions("5-5-5", "6-6-3", 300, 2000) > 30_000);
}

/// On long random walks the estimate changes by at most one a move, and carried along it equals the one from scratch.
#[test]
fn databases_of_the_15_puzzle_are_consistent_on_random_walks() {
    let shape = Shape::new(4, 4);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (name, goal_blank) in [("6-6-3", 0), ("5-5-5", 5), ("5-5-5", 1)] {
        let partition = Partition::parse(shape, goal_blank, name).unwrap();
        let tables = tables(&partition);
        let heuristic = &heuristics(&[partition], &tables)[0];
        let mut position = Position::goal(shape, goal_blank);
        let mut memo = heuristic.start(&position);
        let mut h = 0;
        for i in 0..100_000 {
            let step = Move::ALL[rng.random_range(0..4)];
            let Some((child, next, after)) = go(heuristic, &position, &memo, step) else { continue };
            assert!(h <= 1 + after && after <= 1 + h);
            (position, memo, h) = (child, next, after);
            if i % 64 == 0 {
                assert_eq!(heuristic.excess(&memo), heuristic.excess(&heuristic.start(&position)));
            }
        }
    }
}

/// Walks at random; the estimate carried along, the one from scratch and the one resumed are the same.
fn walk_on_the_engine<H: Heuristic<Rules<Packed64>, Value = u32>>(heuristic: &H, tiles: &Tiles) {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let rules = Rules::<Packed64>::new(tiles, Move::DEFAULT_ORDER);
    let mut board = rules.start();
    let mut memo = heuristic.memo(&rules, &board).unwrap();
    let mut actions = Vec::new();
    for i in 0..400 {
        actions.clear();
        rules.actions(&board, &mut actions);
        let &action = actions.choose(&mut rng).unwrap();
        let (_, undo) = rules.apply(&mut board, action);
        memo = heuristic.child(&rules, &memo, &board, &action, &undo).unwrap();
        let value = heuristic.value(&memo);
        assert_eq!(value, heuristic.value(&heuristic.memo(&rules, &board).unwrap()));
        if i % 3 == 0 {
            memo = heuristic.resume(&rules, &board, value);
        }
    }
}

#[test]
fn estimates_of_the_engine_are_the_same_carried_along() {
    for id in [
        "3x3:8,6,7,2,5,4,3,0,1",
        "3x4:1,2,3,4,5,6,7,8,9,10,11,0:5,1,2,3,4,0,6,7,8,9,10,11",
        "2x3:1,2,3,4,5,0",
    ] {
        let tiles = Tiles::parse_id(id, None).unwrap();
        let position = Position::of(&tiles);
        let symmetry = position.canonical_symmetry();
        let canonical = position.image(symmetry);
        let partition = Partition::automatic(canonical.shape(), canonical.goal_blank(), 1 << 18).unwrap();
        let tables = tables(&partition);
        walk_on_the_engine(
            &EngineHeuristic::new(heuristics(&[partition], &tables).remove(0), &tiles, symmetry),
            &tiles,
        );
        let walking = walking(position.shape(), position.goal_blank());
        walk_on_the_engine(&EngineHeuristic::new(walking, &tiles, Symmetry::default()), &tiles);
    }
}
