//! The order in which the subtrees of a divided iteration are searched.

use novelo_search::Counter;
use novelo_search::deepening::{Beyond, BoundedSearch, Branch, divide};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::{heuristics, tables, unlimited, walk};
use crate::sliding::Move;
use crate::sliding::optimal::ida::{InterleavedSearch, PlainSearch};
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::partition::Partition;
use crate::sliding::optimal::shape::Shape;

/// The fewest moves left at a node of a subtree within the bound.
fn nearest<S>(search: &S, node: &S::Node, bound: u32, counter: &mut Counter<'_>) -> u32
where
    S: BoundedSearch<Step = Move, Bound = u32>,
{
    let below = search.split(node, bound, &mut Beyond::default(), counter).unwrap();
    let below = below.iter().map(|child| nearest(search, child, bound, counter)).min();
    below.unwrap_or(bound - search.steps(node).len() as u32)
}

fn check_the_order<S>(search: &S)
where
    S: BoundedSearch<Action = Move, Step = Move, Bound = u32, Worker = ()>,
{
    let meter = unlimited();
    let mut counter = meter.counter();
    let beyond = &mut Beyond::default();
    let bound = search.estimate(&search.root()) + 2;
    let before = divide(search, bound, &[], beyond, &mut counter).unwrap();
    let mut rest = before.iter();
    assert_eq!(search.search(&mut (), &mut || rest.next(), bound, beyond, &mut counter), Ok(None));
    for branch in &before {
        assert_eq!(branch.nearest(), nearest(search, &branch.root, bound, &mut counter));
    }

    let bound = bound + 2;
    let after = divide(search, bound, &before, beyond, &mut counter).unwrap();
    let came = |branch: &Branch<S::Node>| {
        let moves = search.steps(&branch.root);
        let below = before.iter().filter(|old| search.steps(&old.root).starts_with(moves));
        below.map(Branch::nearest).min().unwrap_or(u32::MAX)
    };
    assert!(after.is_sorted_by_key(|branch| (came(branch), search.estimate(&branch.root))));
    let sorted = |branches: &[Branch<S::Node>]| {
        let moves = |branch: &Branch<S::Node>| -> Vec<u8> {
            search.steps(&branch.root).iter().map(|&step| step as u8).collect()
        };
        let mut all: Vec<_> = branches.iter().map(moves).collect();
        all.sort();
        all
    };
    assert_eq!(sorted(&after), sorted(&divide(search, bound, &[], beyond, &mut counter).unwrap()));
}

#[test]
fn subtrees_that_came_nearest_to_the_goal_come_first() {
    let shape = Shape::new(4, 4);
    let machine = MoveMachine::new(shape, 8);
    let partition = Partition::parse(shape, 0, "5-5-5").unwrap();
    let tables = tables(&partition);
    let both = heuristics(&[partition.clone(), partition.reflected().unwrap()], &tables);
    let start = walk(&mut ChaCha8Rng::seed_from_u64(9), shape, 2000);
    check_the_order(&PlainSearch::new(&start, [&both[0], &both[1]], &machine));
    check_the_order(&InterleavedSearch::new(&start, [&both[0], &both[1]], &machine));
}
