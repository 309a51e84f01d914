//! The plain walk and the walks in turn against each other.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::{heuristics, tables, unlimited, walk};
use crate::sliding::Move;
use crate::sliding::optimal::ida::{InterleavedSearch, PlainSearch, deepen};
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::partition::Partition;
use crate::sliding::optimal::shape::Shape;
use novelo_search::deepening::{self, BoundedSearch};

type Iteration = deepening::Iteration<u32>;

/// The length of the solution and the iterations. Where an iteration was divided, the last is left out: which subtree comes
/// to the goal first depends on the walk.
fn run(search: &impl BoundedSearch<Action = Move, Bound = u32, Worker = ()>) -> (usize, Vec<Iteration>) {
    let mut run = deepen(search, 1, unlimited().budget());
    if is_large(&run.iterations) {
        run.iterations.pop();
    }
    (run.found.unwrap().unwrap().len(), run.iterations)
}

/// Whether one of the iterations has so many nodes that the next is divided among many walkers.
fn is_large(iterations: &[Iteration]) -> bool {
    iterations.iter().any(|iteration| iteration.complete && iteration.expanded >= 20_000)
}

#[test]
fn plain_walks_and_walks_in_turn_search_the_same_trees() {
    let (four, five) = (Shape::new(4, 4), Shape::new(5, 5));
    let fives = ".aabb/aaccb/ddccb/ddeef/eefff";
    let cases = [(four, "5-5-5", 90, false), (four, "5-5-5", 2000, true), (five, fives, 120, false)];
    for (shape, name, moves, large) in cases {
        let machine = MoveMachine::new(shape, 8);
        let partition = Partition::parse(shape, 0, name).unwrap();
        let tables = tables(&partition);
        let both = heuristics(&[partition.clone(), partition.reflected().unwrap()], &tables);
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let mut any_large = false;
        for _ in 0..4 {
            let start = walk(&mut rng, shape, moves);
            let two = run(&InterleavedSearch::new(&start, [&both[0], &both[1]], &machine));
            assert_eq!(two, run(&PlainSearch::new(&start, [&both[0], &both[1]], &machine)));
            let one = run(&InterleavedSearch::new(&start, [&both[0]], &machine));
            assert_eq!(one, run(&PlainSearch::new(&start, [&both[0]], &machine)));
            assert_eq!(one.0, two.0);
            any_large |= is_large(&two.1);
        }
        assert_eq!(any_large, large, "{shape} after {moves} moves");
    }
}
