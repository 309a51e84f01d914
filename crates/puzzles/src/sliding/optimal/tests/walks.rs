//! The plain walk and the walks in turn against each other.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::{lanes, tables, walk};
use crate::sliding::optimal::ida::{
    BoundedSearch, Iteration, Limits, NoLane, PlainSearch, TurnSearch, deepen,
};
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::partition::Partition;
use crate::sliding::optimal::shape::Shape;
use crate::sliding::optimal::watch::{Tally, Watch};

/// The cost and the finished iterations of a search.
fn run<S: BoundedSearch>(search: &S) -> (usize, Vec<Iteration>) {
    let run = deepen(search, Limits::default(), Watch::idle(&Tally::default()));
    (run.found.unwrap().len(), run.iterations.into_iter().filter(|i| i.complete).collect())
}

#[test]
fn plain_walks_and_walks_in_turn_search_the_same_trees() {
    for (shape, name, moves, rounds) in
        [(Shape::new(4, 4), "5-5-5", 90, 10), (Shape::new(5, 5), ".aabb/aaccb/ddccb/ddeef/eefff", 60, 3)]
    {
        let machine = MoveMachine::new(shape, 8);
        let partition = Partition::parse(shape, 0, name).unwrap();
        let tables = tables(&partition);
        let both = lanes(&[partition.clone(), partition.reflected().unwrap()], &tables);
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        for _ in 0..rounds {
            let start = walk(&mut rng, shape, moves);
            let two = run(&TurnSearch::new(&start, [&both[0], &both[1]], &machine));
            assert_eq!(two, run(&PlainSearch::new(&start, [&both[0], &both[1]], &machine)));
            let one = run(&TurnSearch::new(&start, [&both[0]], &machine));
            assert_eq!(one, run(&PlainSearch::new(&start, [&both[0]], &machine)));
            assert_eq!((one.0, two.0), (two.0, run(&PlainSearch::new(&start, [NoLane], &machine)).0));
        }
    }
}
