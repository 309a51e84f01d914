//! Processes that search together, here threads that exchange bytes.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::messages::{Message, Report};
use super::{Beyond, drive::Ended};
use crate::algorithms::Algorithm;
use crate::heuristic::Promise;
use crate::limits::{Limits, Stop};
use crate::meter::{Control, Meter};
use crate::outcome::{Answer, Outcome};
use crate::parallel::{Processes, TransportError, conclude};
use crate::search::{AmongError, Search};
use crate::successors::{Step, from_successors};

/// One of several threads that stand for processes.
struct Channels<'b> {
    rank: usize,
    inbox: Receiver<(usize, Vec<u8>)>,
    others: Vec<Sender<(usize, Vec<u8>)>>,
    /// One of them cannot go on: the others must not wait for it.
    broken: &'b AtomicBool,
}

impl Processes for Channels<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.others.len()
    }

    fn begin(&mut self) -> Result<(), TransportError> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), TransportError> {
        Ok(())
    }

    fn send(&mut self, to: usize, bytes: &mut Vec<u8>) -> Result<(), TransportError> {
        self.others[to].send((self.rank, std::mem::take(bytes))).map_err(|_| TransportError("gone".into()))
    }

    fn receive(&mut self, bytes: &mut Vec<u8>) -> Result<Option<usize>, TransportError> {
        if self.broken.load(Relaxed) {
            return Err(TransportError("another has failed".into()));
        }
        let Ok((from, arrived)) = self.inbox.try_recv() else { return Ok(None) };
        *bytes = arrived;
        Ok(Some(from))
    }

    fn wait(&mut self) {
        std::thread::sleep(Duration::from_micros(50));
    }

    fn held(&self) -> usize {
        0
    }
}

/// A stack of pancakes, four bits each, the topmost lowest.
fn stack(pancakes: &[u64]) -> u64 {
    pancakes.iter().rev().fold(0, |stack, pancake| stack << 4 | pancake)
}

fn at(stack: u64, place: u32) -> u64 {
    stack >> (4 * place) & 15
}

/// Half the gaps between neighbours in a stack: a weak bound, for large trees.
fn half_the_gaps(stack: u64, size: u32) -> u32 {
    let gaps = (1..size).filter(|&place| at(stack, place).abs_diff(at(stack, place - 1)) != 1).count();
    let plate = u32::from(at(stack, size - 1) != u64::from(size) - 1);
    u32::midpoint(gaps as u32, plate)
}

type Found = Outcome<Step<u8, u64, u32>, u32>;
type Ran = Result<Found, AmongError>;

/// IDA* on a stack, as one of several processes if there are others.
fn run(pancakes: &[u64], threads: usize, limits: Limits, processes: Option<&mut dyn Processes>) -> Ran {
    let size = pancakes.len() as u32;
    let flips = move |&state: &u64| {
        (2..=size).map(move |turned| {
            let flipped = (0..turned).fold(0, |top, place| top << 4 | at(state, place));
            (turned as u8, state >> (4 * turned) << (4 * turned) | flipped, 1_u32)
        })
    };
    let sorted = stack(&(0..u64::from(size)).collect::<Vec<_>>());
    let problem = from_successors(stack(pancakes), flips, move |&state| state == sorted);
    let search = Search::new(&problem)
        .estimate(Promise::CONSISTENT, move |_, &state: &u64| half_the_gaps(state, size))
        .threads(threads);
    let meter = Meter::new(limits, Control::default());
    match processes {
        Some(processes) => search.run_among(&meter, Algorithm::IdaStar, processes),
        None => Ok(search.run_under(&meter, Algorithm::IdaStar).unwrap()),
    }
}

/// The same by each of several processes.
fn together(count: usize, one: impl Fn(&mut Channels<'_>) -> Ran + Sync) -> Vec<Ran> {
    let broken = &AtomicBool::new(false);
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
    std::thread::scope(|scope| {
        let run = |(rank, inbox): (usize, _)| {
            let mut channels = Channels { rank, inbox, others: senders.clone(), broken };
            let one = &one;
            scope.spawn(move || {
                let ran = one(&mut channels);
                if ran.is_err() {
                    broken.store(true, Relaxed);
                }
                // Until all have ended, as the processes of a run.
                (ran, channels)
            })
        };
        let threads: Vec<_> = receivers.into_iter().enumerate().map(run).collect();
        let ended: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        ended.into_iter().map(|(ran, _)| ran).collect()
    })
}

/// Eight flips.
const STACK: [u64; 8] = [6, 1, 3, 0, 4, 7, 2, 5];
/// Too few, which takes some 400,000 expansions to find out, most of them in an iteration that is shared.
const IN_VAIN: Limits = Limits { depth: Some(7), time: None, memory: None, nodes: None };

fn counts(outcome: &Found) -> (u64, u64) {
    (outcome.stats.expanded, outcome.stats.generated)
}

#[test]
fn a_process_with_nothing_more_to_search_is_found_out_by_one_that_has() {
    let alone = || run(&STACK, 1, Limits::default(), None);
    let all = together(3, |channels| {
        conclude(channels)?;
        alone()
    });
    assert!(all.iter().all(Result::is_ok));
    let some = together(3, |channels| {
        if channels.rank != 1 {
            return run(&STACK, 1, IN_VAIN, Some(channels));
        }
        conclude(channels)?;
        alone()
    });
    assert!(some.iter().all(Result::is_err));
}

#[test]
fn processes_find_the_cost_of_one_and_count_the_same_where_nothing_is_found() {
    let cost = run(&STACK, 1, Limits::default(), None).unwrap().solution().unwrap().cost;
    assert_eq!(cost, 8);
    let in_vain = run(&STACK, 1, IN_VAIN, None).unwrap();
    for (processes, threads) in [(1, 1), (2, 1), (3, 2), (4, 1)] {
        let ran = together(processes, |channels| run(&STACK, threads, Limits::default(), Some(channels)));
        let solution = ran[0].as_ref().unwrap().solution().unwrap();
        assert!(solution.optimal && solution.cost == cost, "{processes} processes");
        assert_eq!(solution.path.len() as u32, cost);

        let ran = together(processes, |channels| run(&STACK, threads, IN_VAIN, Some(channels)));
        let leader = ran[0].as_ref().unwrap();
        assert_eq!(leader.answer, Answer::Stopped(Stop::Depth));
        assert_eq!(leader.lower_bound, in_vain.lower_bound);
        assert_eq!(counts(leader), counts(&in_vain), "{processes} processes of {threads} threads");
        let workers = leader.stats.workers.unwrap();
        assert_eq!(workers.count, processes * threads);
        assert!(workers.messages >= 4 * (processes as u64 - 1), "they have taken part");
    }
}

#[test]
fn the_limit_of_any_process_ends_all_and_proves_nothing() {
    let in_vain = run(&STACK, 1, IN_VAIN, None).unwrap();
    for limited in 0..3 {
        for nodes in [1, 3_000, 100_000] {
            let ran = together(3, |channels| {
                let nodes = (channels.rank == limited).then_some(nodes);
                run(&STACK, 1, Limits { nodes, ..IN_VAIN }, Some(channels))
            });
            let leader = ran[0].as_ref().unwrap();
            // The others may have left it less to do than it might.
            if leader.answer == Answer::Stopped(Stop::Depth) && nodes > 1 {
                assert_eq!(counts(leader), counts(&in_vain));
            } else {
                assert_eq!(leader.answer, Answer::Stopped(Stop::Nodes), "process {limited}, {nodes} nodes");
                assert!(leader.lower_bound < Some(8));
            }
        }
    }
}

#[test]
fn processes_that_search_different_trees_say_so() {
    let mut other = STACK;
    other.swap(0, 1);
    let ran = together(2, |channels| {
        let pancakes = if channels.rank == 0 { STACK } else { other };
        run(&pancakes, 1, IN_VAIN, Some(channels))
    });
    assert!(ran[0].is_err());
    let error = ran[1].as_ref().unwrap_err().to_string();
    assert!(error.contains("the same board"), "{error}");
}

#[test]
fn messages_are_read_as_they_are_written_and_never_in_part() {
    let beyond = Beyond { least: Some(7_u32), simple: true, at_depth_limit: false };
    let ended = Ended { found: true, stop: Some(Stop::Time), expanded: 1, generated: 2, stored: 3, beyond };
    let report = Report {
        ended,
        taken: 4,
        bytes: 5,
        messages: 6,
        idle: Duration::from_millis(7),
        nearest: vec![8, 9],
        path: vec![1, 2, 3],
    };
    for message in [
        Message::Begin { bound: 3_u32, fingerprint: 4, nearest: vec![5, 6] },
        Message::Ask(7),
        Message::Take { first: 8, count: 9 },
        Message::Cease,
        Message::Report(report),
        Message::Over,
    ] {
        let mut bytes = Vec::new();
        message.put(11, &mut bytes);
        assert_eq!(Message::take(11, &bytes).unwrap(), message);
        assert!(Message::<u32>::take(12, &bytes).unwrap_err().0.contains("same program"));
        for end in 0..bytes.len() {
            assert!(Message::<u32>::take(11, &bytes[..end]).is_err(), "{end} bytes of {message:?}");
        }
    }
}
