//! The plain walk and the walks in turn against each other.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::{lanes, tables, walk, walking};
use crate::sliding::optimal::ida::{Iteration, Lane, Limits, TileSearch, deepen};
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::partition::Partition;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::Shape;
use crate::sliding::optimal::watch::{Tally, Watch};

/// A lane that is walked plainly or in turn whatever its size.
struct Walked<'l, L, const FAR: bool>(&'l L);

impl<L: Lane, const FAR: bool> Lane for Walked<'_, L, FAR> {
    type Memo = L::Memo;
    type Change = L::Change;
    const FAR: bool = FAR;

    fn start(&self, position: &Position) -> L::Memo {
        self.0.start(position)
    }

    fn resume(&self, labels: &[u16], blank: usize, excess: u32) -> L::Memo {
        self.0.resume(labels, blank, excess)
    }

    fn excess(&self, memo: &L::Memo) -> u32 {
        self.0.excess(memo)
    }

    fn begin(&self, memo: &L::Memo, label: usize, slide: usize) -> L::Change {
        self.0.begin(memo, label, slide)
    }

    fn locate(&self, change: &mut L::Change) {
        self.0.locate(change);
    }

    fn finish(&self, memo: &L::Memo, change: &mut L::Change, closer: bool) -> u32 {
        self.0.finish(memo, change, closer)
    }

    fn apply(&self, memo: &mut L::Memo, change: &mut L::Change) {
        self.0.apply(memo, change);
    }
}

/// The cost and the finished iterations under these lanes, walked plainly or in turn.
fn walked<L: Lane, const FAR: bool, const N: usize>(
    start: &Position,
    lanes: [&L; N],
    machine: &MoveMachine,
) -> (usize, Vec<Iteration>) {
    let tally = Tally::default();
    let search = TileSearch::new(start, lanes.map(Walked::<L, FAR>), machine);
    let run = deepen(&search, Limits::default(), Watch::idle(&tally));
    (run.found.unwrap().len(), run.iterations.into_iter().filter(|i| i.complete).collect())
}

#[test]
fn plain_walks_and_walks_in_turn_search_the_same_trees() {
    let shape = Shape::new(4, 4);
    let machine = MoveMachine::new(shape, 8);
    let partition = Partition::parse(shape, 0, "5-5-5").unwrap();
    let tables = tables(&partition);
    let both = lanes(&[partition.clone(), partition.reflected().unwrap()], &tables);
    let walking = walking(shape, 0);
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..10 {
        let start = walk(&mut rng, 90);
        let lanes = [&both[0], &both[1]];
        let additive = walked::<_, true, 2>(&start, lanes, &machine);
        assert_eq!(additive, walked::<_, false, 2>(&start, lanes, &machine));
        let plain = walked::<_, false, 1>(&start, [&walking], &machine);
        assert_eq!(plain, walked::<_, true, 1>(&start, [&walking], &machine));
        assert_eq!(plain.0, additive.0);
    }
}
