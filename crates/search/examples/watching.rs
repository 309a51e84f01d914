use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use novelo_search::{
    Algorithm, Answer, Fate, NodeOf, Observer, Problem, Promise, Search, Stop, from_successors,
};

/// Counts what becomes of successors, and ends the search when it is deep enough.
#[derive(Default)]
struct Tally {
    new: u32,
    repeated: u32,
    deepest: u32,
}

impl<P: Problem<Cost = u32>> Observer<P> for Tally {
    fn expanded(&mut self, node: NodeOf<'_, P>, _path: &dyn Fn() -> Vec<P::Action>) -> ControlFlow<()> {
        self.deepest = self.deepest.max(node.g);
        if node.g < 30 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn generated(&mut self, _: NodeOf<'_, P>, _: &P::Action, _: NodeOf<'_, P>, fate: Fate) {
        match fate {
            Fate::New => self.new += 1,
            _ => self.repeated += 1,
        }
    }
}

fn main() {
    // From 0 by steps of 3 and 5 up or down to 1000.
    let steps = |&n: &i64| [3, 5, -3, -5].map(|by| (by, n + by, 1u32));
    let problem = from_successors(0i64, steps, |&n| n == 1000);

    // An observer sees every node, and may end the run.
    let mut tally = Tally::default();
    let outcome = Search::new(&problem).observer(&mut tally).run(Algorithm::Bfs).expect("it needs nothing");
    assert_eq!(outcome.answer, Answer::Stopped(Stop::Interrupted));
    assert_eq!(tally.deepest, 30);
    println!("{} states down to depth 30, met again {} times", tally.new, tally.repeated);

    // A flag ends a run from anywhere, here from the listener that is told how it goes.
    let cancel = AtomicBool::new(false);
    let endless = from_successors(0u64, |&n| [((), n + 1, 1u32), ((), n + 2, 1)], |_| false);
    let outcome = Search::new(&endless)
        .estimate(Promise::ADMISSIBLE, |_, _| 0u32)
        .cancel(&cancel)
        .progress(|progress| {
            println!("{} expanded, {:?}", progress.expanded, progress.frontier);
            cancel.store(true, Ordering::Relaxed);
        })
        .run(Algorithm::AStar)
        .expect("it has a heuristic");
    assert_eq!(outcome.answer, Answer::Stopped(Stop::Interrupted));
}
