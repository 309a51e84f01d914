//! Random stacks: any, or any at an exact distance.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::Cost;
use novelo_search::parameter::{Kind, Parameter};
use novelo_search::{Answer, Control, Heuristic, Problem, Search};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::heuristics::Gap;
use super::instance::{LARGEST, Stack};
use super::rules::{Pancakes, Rules};
use super::{LARGE, OneStack, SMALL};
use crate::puzzle::{DIFFICULTIES, GenerateRequest, Instance, Size};
use crate::request::{Request, RequestError};

/// Stacks of at most so many pancakes are all looked at.
const COMPLETE: usize = 9;
/// Stacks that are solved to find one at a distance, and expansions spent on each.
const CANDIDATES: usize = 400;
const EFFORT: u64 = 500_000;
/// Stacks of which an expert gets the one with the most gaps.
const EXPERT_CANDIDATES: usize = 30;

/// What can be asked for.
pub const OPTIONS: &[Parameter] = &[
    Parameter {
        name: "moves",
        kind: Kind::Integer { least: 0, most: 10_000 },
        default: None,
        required: false,
        about: "Exact cost of an optimal solution: its flips, or the pancakes they turn.",
    },
    Parameter {
        name: "weighted",
        kind: Kind::Flag,
        default: None,
        required: false,
        about: "A flip costs as much as it turns pancakes.",
    },
];

/// The stack of a request with a running number.
pub fn generate(request: &GenerateRequest, number: u64, cancel: &AtomicBool) -> Result<Stack, RequestError> {
    let refuse = |message: String| Err(RequestError::Unsupported(message));
    let difficulty = request.difficulty.as_deref();
    let usual = Size::line(if difficulty == Some("easy") { 6 } else { 10 });
    let size = request.size.unwrap_or(usual);
    let count = size.rows;
    if size != Size::line(count) || !(2..=LARGEST).contains(&count) {
        return refuse(format!(
            "a stack of {size} cannot be made; the size is a number of pancakes from 2 to {LARGEST}"
        ));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    rng.set_stream(number);
    let sorted = Stack::sorted(count, request.options.flag("weighted"));
    match (request.options.number("moves"), difficulty) {
        (Some(_), Some(_)) => refuse("give either moves or difficulty, not both".into()),
        (Some(cost), None) => at_distance(&sorted, cost, &mut rng, cancel),
        (None, Some("easy")) => Ok(flipped(&sorted, count / 3, &mut rng)),
        (None, Some("normal")) => Ok(flipped(&sorted, count * 2 / 3, &mut rng)),
        (None, Some("expert")) => {
            let stacks = (0..EXPERT_CANDIDATES).map(|_| shuffled(&sorted, &mut rng));
            Ok(stacks.max_by_key(gaps).expect("there are several"))
        }
        (None, None | Some("hard")) => Ok(shuffled(&sorted, &mut rng)),
        (None, Some(other)) => {
            refuse(format!("there is no difficulty '{other}'; there are {}", DIFFICULTIES.join(", ")))
        }
    }
}

/// Every stack but the sorted one, with equal chances.
fn shuffled(sorted: &Stack, rng: &mut ChaCha8Rng) -> Stack {
    let mut stack = sorted.clone();
    while stack == *sorted {
        stack.pancakes.shuffle(rng);
    }
    stack
}

/// A stack some random flips from the sorted one, one at least.
fn flipped(sorted: &Stack, flips: usize, rng: &mut ChaCha8Rng) -> Stack {
    let mut stack = sorted.clone();
    let mut made = 0;
    while made < flips || stack == *sorted {
        let turned = rng.random_range(2..=sorted.pancakes.len());
        stack.pancakes[..turned].reverse();
        made += 1;
    }
    stack
}

fn gaps(stack: &Stack) -> Cost {
    let (rules, gap) = (Rules::<LARGE>::new(stack), Gap::new(0, false));
    gap.memo(&rules, &rules.start()).map_or(0, |gaps| Heuristic::<Rules<LARGE>>::value(&gap, &gaps))
}

/// A stack whose optimal solution costs exactly so much.
fn at_distance(
    sorted: &Stack,
    cost: Cost,
    rng: &mut ChaCha8Rng,
    cancel: &AtomicBool,
) -> Result<Stack, RequestError> {
    let count = sorted.pancakes.len();
    let found = if count <= COMPLETE {
        one_of_all(sorted, cost, rng)
    } else {
        on_a_solution(sorted, cost, rng, cancel)?
    };
    if cancel.load(Ordering::Relaxed) {
        return Err(RequestError::Interrupted);
    }
    found.ok_or_else(|| {
        let none = if count <= COMPLETE { "there is no" } else { "found no" };
        let weighted = if sorted.weighted { "weighted " } else { "" };
        RequestError::Unsupported(format!(
            "{none} {weighted}stack of {count} pancakes whose solution costs exactly {cost}"
        ))
    })
}

/// One of all stacks at a distance, with equal chances. Flips take themselves back, so it is as far from the sorted stack
/// as to it.
fn one_of_all(sorted: &Stack, cost: Cost, rng: &mut ChaCha8Rng) -> Option<Stack> {
    let rules = Rules::<SMALL>::new(sorted);
    let reach = Search::new(&rules).reach().expect("nothing is asked that it cannot do");
    let level: Vec<_> = reach.iter().filter(|&(_, far)| far == cost).map(|(stack, _)| *stack).collect();
    let unpacked = |Pancakes(stack): &Pancakes<SMALL>| stack[..sorted.pancakes.len()].to_vec();
    level.choose(rng).map(|stack| Stack { pancakes: unpacked(stack), weighted: sorted.weighted })
}

/// Solves random stacks, and takes the one that is as far from the goal on the solution: every part of a cheapest path is a
/// cheapest path.
fn on_a_solution(
    sorted: &Stack,
    cost: Cost,
    rng: &mut ChaCha8Rng,
    cancel: &AtomicBool,
) -> Result<Option<Stack>, RequestError> {
    let mut request = Request::default();
    request.settings.limits.nodes = Some(EFFORT);
    for _ in 0..CANDIDATES {
        // Flips have made it, so it is no further than their cost; where little is asked for, it is found nearby.
        let flips = sorted.pancakes.len().min(cost as usize + 2);
        let mut stack = if sorted.weighted { flipped(sorted, flips, rng) } else { shuffled(sorted, rng) };
        let attempt = OneStack(stack.clone()).solve(&request, Control::cancelled_by(cancel))?;
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        let Answer::Solved(solution) = attempt.outcome.answer else { continue };
        let mut left = solution.cost;
        for turned in solution.path.iter().filter_map(|text| text.parse::<usize>().ok()) {
            if left <= cost {
                break;
            }
            stack.pancakes[..turned].reverse();
            left -= if stack.weighted { turned as Cost } else { 1 };
        }
        if left == cost {
            return Ok(Some(stack));
        }
    }
    Ok(None)
}
