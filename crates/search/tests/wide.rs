//! Limits hold in the middle of an expansion: a state may have a hundred thousand successors, and estimates may be slow.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use novelo_search::{Algorithm, Answer, Control, Limits, Meter, Problem, Promise, Search, Stop};

const SUCCESSORS: u32 = 100_000;
/// Successors after which the caller has had enough.
const ENOUGH: usize = 100;

/// From the root to each of many states of half a kilobyte, none of them a goal.
#[derive(Default)]
struct Wide {
    produced: AtomicUsize,
    cancel: AtomicBool,
}

impl Problem for Wide {
    type State = [u32; 128];
    type Action = u32;
    type Undo = u32;
    type Cost = u32;

    fn start(&self) -> Self::State {
        [0; 128]
    }

    fn is_goal(&self, _: &Self::State) -> bool {
        false
    }

    fn actions(&self, state: &Self::State, out: &mut Vec<u32>) {
        if state[0] == 0 {
            out.extend(1..=SUCCESSORS);
        }
    }

    fn apply(&self, state: &mut Self::State, action: u32) -> (u32, u32) {
        if self.produced.fetch_add(1, Relaxed) + 1 == ENOUGH {
            self.cancel.store(true, Relaxed);
        }
        (1, std::mem::replace(&mut state[0], action))
    }

    fn undo(&self, state: &mut Self::State, _: u32, before: u32) {
        state[0] = before;
    }

    fn unit_cost(&self) -> bool {
        true
    }
}

/// Those that need nothing a wide problem does not have.
fn algorithms() -> impl Iterator<Item = Algorithm> {
    let parameters = |algorithm: &Algorithm| match algorithm.name() {
        "dls" => "dls:limit=5".parse().ok(),
        "bidirectional" => None,
        _ => Some(*algorithm),
    };
    Algorithm::all().collect::<Vec<_>>().into_iter().filter_map(move |algorithm| parameters(&algorithm))
}

#[test]
fn who_cancels_does_not_wait_for_the_end_of_an_expansion() {
    for algorithm in algorithms() {
        let wide = Wide::default();
        let meter = Meter::new(Limits::default(), Control::cancelled_by(&wide.cancel));
        let search = Search::new(&wide).estimate(Promise::ADMISSIBLE, |_, _| 1u32);
        let Ok(outcome) = search.run_under(&meter, algorithm) else { continue };
        assert_eq!(outcome.answer, Answer::Stopped(Stop::Interrupted), "{algorithm}");
        let produced = wide.produced.load(Relaxed);
        assert!(produced <= ENOUGH + 16, "{algorithm} went on to {produced} successors");
        assert!(outcome.stats.generated <= produced as u64 + 1, "{algorithm} counts what was not produced");
    }
}

#[test]
fn a_memory_limit_holds_within_one_expansion() {
    const LIMIT: usize = 4 << 20;
    for algorithm in algorithms() {
        let wide = Wide::default();
        let limits = Limits { memory: Some(LIMIT), ..Limits::default() };
        let search = Search::new(&wide).estimate(Promise::ADMISSIBLE, |_, _| 1u32).limits(limits);
        let Ok(outcome) = search.run(algorithm) else { continue };
        let peak = outcome.stats.peak_bytes;
        assert!(peak <= LIMIT + LIMIT / 8, "{algorithm} held {peak} bytes");
        // All successors take fifty megabytes, in any that keeps them.
        if outcome.stats.stored_peak > 1000 {
            assert_eq!(outcome.answer, Answer::Stopped(Stop::Memory), "{algorithm}");
            assert!(peak >= LIMIT / 4, "{algorithm} must use what it is given: {peak} bytes");
        }
    }
}
