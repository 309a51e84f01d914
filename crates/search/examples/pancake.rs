use std::time::Duration;

use novelo_search::{Algorithm, Answer, Limits, Problem, Promise, Search};

/// A stack of pancakes of different sizes is to be sorted, the smallest on top, by turning over some from the top.
struct Pancakes {
    stack: [u8; 10],
}

impl Problem for Pancakes {
    type State = [u8; 10];
    /// How many are turned over.
    type Action = u8;
    type Undo = ();
    type Cost = u32;

    /// Turning over as many again takes it back: the store needs to keep nothing but the action.
    const BACK: Option<()> = Some(());

    fn start(&self) -> [u8; 10] {
        self.stack
    }
    fn is_goal(&self, stack: &[u8; 10]) -> bool {
        stack.is_sorted()
    }
    fn actions(&self, _: &[u8; 10], out: &mut Vec<u8>) {
        out.extend(2..=10);
    }
    fn apply(&self, stack: &mut [u8; 10], count: u8) -> (u32, ()) {
        stack[..count as usize].reverse();
        (1, ())
    }
    fn undo(&self, stack: &mut [u8; 10], count: u8, (): ()) {
        stack[..count as usize].reverse();
    }
    fn reverses(&self, count: &u8, previous: &u8) -> bool {
        count == previous
    }
    fn unit_cost(&self) -> bool {
        true
    }
}

/// The gap heuristic (Helmert, 2010): neighbours that differ by more than one must be parted, one pair a turn.
fn gaps(_: &Pancakes, stack: &[u8; 10]) -> u32 {
    let plate = stack.iter().chain([&10]);
    stack.iter().zip(plate.skip(1)).filter(|&(a, b)| a.abs_diff(*b) > 1).count() as u32
}

fn main() {
    let pancakes = Pancakes { stack: [3, 6, 0, 9, 4, 8, 1, 5, 7, 2] };
    let limits = Limits { time: Some(Duration::from_secs(10)), memory: Some(100 << 20), ..Limits::default() };
    for algorithm in [Algorithm::AStar, Algorithm::IdaStar] {
        let search = Search::new(&pancakes).estimate(Promise::CONSISTENT, gaps).limits(limits);
        let outcome = search.run(algorithm).expect("it has a heuristic");
        match &outcome.answer {
            Answer::Solved(solution) => {
                assert!(solution.optimal && solution.cost == 10);
                println!("{algorithm}: {:?}, {} expanded", solution.path, outcome.stats.expanded);
            }
            Answer::Unsolvable => unreachable!("every stack can be sorted"),
            Answer::Stopped(stop) => {
                println!("{algorithm}: stopped by {stop}, bound {:?}", outcome.lower_bound);
            }
        }
    }
}
