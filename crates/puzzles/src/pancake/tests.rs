//! Rules and heuristics on every small stack, text and verifier.

use novelo_search::check::check_reversible;
use novelo_search::{Heuristic, Problem, Search};

use super::heuristics::{Gap, Gaps};
use super::*;

/// How many stacks of n pancakes are 0, 1, 2, … flips from the sorted one (OEIS A092113), n from 2.
const LEVELS: [&[usize]; 8] = [
    &[1, 1],
    &[1, 2, 2, 1],
    &[1, 3, 6, 11, 3],
    &[1, 4, 12, 35, 48, 20],
    &[1, 5, 20, 79, 199, 281, 133, 2],
    &[1, 6, 30, 149, 543, 1357, 1903, 1016, 35],
    &[1, 7, 42, 251, 1191, 4281, 10561, 15011, 8520, 455],
    &[1, 8, 56, 391, 2278, 10666, 38015, 93585, 132_697, 79379, 5804],
];

#[test]
fn the_pancake_numbers_and_the_stacks_at_each_distance() {
    let mut farthest = Vec::new();
    for (size, levels) in (2..).zip(LEVELS) {
        let rules = Rules::<SMALL>::new(&Stack::sorted(size, false));
        let reach = Search::new(&rules).reach().unwrap();
        let mut counted = vec![0; levels.len()];
        reach.iter().for_each(|(_, far)| counted[far as usize] += 1);
        assert_eq!(counted, levels, "{size} pancakes");
        farthest.push(levels.len() - 1);
    }
    assert_eq!(farthest, [1, 3, 4, 5, 7, 8, 9, 10]);
}

/// A flip takes itself back, so distances from the sorted stack are those to it.
fn holds_on_all_stacks(size: usize, weighted: bool, skip: u8) {
    let rules = Rules::<SMALL>::new(&Stack::sorted(size, weighted));
    let gap = Gap::new(skip, weighted);
    let memo = |stack: &_| gap.memo(&rules, stack).unwrap();
    let value = |gaps: &Gaps| Heuristic::<Rules<SMALL>>::value(&gap, gaps);
    let reach = Search::new(&rules).reach().unwrap();
    let mut actions = Vec::new();
    for (stack, far) in reach.iter() {
        let before = memo(stack);
        let h = value(&before);
        assert!(h <= far, "{stack:?}: {h} is above {far}");
        assert_eq!(gap.resume(&rules, stack, h), before);
        actions.clear();
        rules.actions(stack, &mut actions);
        for &flip in &actions {
            let mut next = *stack;
            let (cost, ()) = rules.apply(&mut next, flip);
            let after = memo(&next);
            assert!(h <= cost + value(&after), "{stack:?} {flip:?}: {h}, then {}", value(&after));
            assert_eq!(gap.child(&rules, &before, &next, &flip, &()), Some(after), "{stack:?} {flip:?}");
            assert_eq!(gap.peek(&rules, &before, stack, &flip), Some((cost, after)), "{stack:?} {flip:?}");
        }
    }
}

#[test]
fn gaps_are_admissible_consistent_and_incremental_on_all_stacks_of_up_to_8() {
    for size in 2..=8 {
        for weighted in [false, true] {
            for skip in [0, 1, 2, 5] {
                holds_on_all_stacks(size, weighted, skip);
            }
        }
    }
}

/// The estimate towards the start is admissible and consistent as well, and exact on the start.
#[test]
fn gaps_are_counted_towards_the_start_too() {
    for weighted in [false, true] {
        let start = Stack { pancakes: vec![4, 2, 6, 1, 5, 3], weighted };
        let rules = Rules::<SMALL>::new(&start);
        for skip in [0, 2] {
            let gap = Gap::new(skip, weighted);
            let estimator = Heuristic::toward_start(&gap, &rules).unwrap();
            let reach = Search::new(&rules).reach().unwrap();
            let mut successors = Vec::new();
            let actions: Vec<_> = (2..=6).map(Flip).collect();
            for (stack, far) in reach.iter() {
                let h = estimator.estimate(&rules, stack).unwrap();
                assert!(h <= far, "{stack:?}: {h} is above {far}");
                successors.clear();
                estimator.successors(&rules, stack, h, &actions, &mut successors);
                for next in &successors {
                    assert_eq!(next.h, estimator.estimate(&rules, &next.state));
                    assert!(h <= next.cost + next.h.unwrap());
                }
            }
            assert_eq!(estimator.estimate(&rules, &rules.start()), Some(0));
        }
    }
}

#[test]
fn nothing_is_counted_where_nothing_is_to_be_known() {
    let rules = Rules::<LARGE>::new(&Stack { pancakes: (1..=127).rev().collect(), weighted: true });
    let gaps = Gap::NOTHING.memo(&rules, &rules.start()).unwrap();
    assert_eq!(Heuristic::<Rules<LARGE>>::value(&Gap::NOTHING, &gaps), 0);
}

/// Worked by hand: 3 lies on 1, 1 on 4, 2 on 5 and 5 on the plate.
#[test]
fn gaps_are_counted() {
    let value = |skip, weighted, pancakes: &[u8]| {
        let rules = Rules::<SMALL>::new(&Stack { pancakes: pancakes.to_vec(), weighted });
        let gap = Gap::new(skip, weighted);
        Heuristic::<Rules<SMALL>>::value(&gap, &gap.memo(&rules, &rules.start()).unwrap())
    };
    assert_eq!(value(0, false, &[3, 1, 4, 2, 5]), 4);
    assert_eq!(value(1, false, &[3, 1, 4, 2, 5]), 2);
    assert_eq!(value(2, false, &[3, 1, 4, 2, 5]), 0);
    assert_eq!(value(0, false, &[5, 4, 3, 2, 1]), 1, "1 lies on the plate");
    assert_eq!(value(0, true, &[5, 4, 3, 2, 1]), 5, "all five are to be turned");
    // Pancake 4 must come down by a flip of 4, and three other gaps cost 2 each.
    assert_eq!(value(0, true, &[3, 1, 4, 2, 5]), 10);
}

#[test]
fn rules_and_heuristics_keep_their_promises_in_both_representations() {
    for weighted in [false, true] {
        let stack = Stack { pancakes: vec![4, 6, 1, 8, 3, 7, 2, 5], weighted };
        for skip in [0, 2] {
            let gap = Gap::new(skip, weighted);
            check_reversible(&Rules::<SMALL>::new(&stack), &gap, 300).unwrap();
            check_reversible(&Rules::<LARGE>::new(&stack), &gap, 300).unwrap();
        }
    }
}

#[test]
fn reading_what_was_printed_gives_the_same() {
    for pancakes in [vec![1, 2], vec![3, 1, 2], (1..=127).rev().collect()] {
        for weighted in [false, true] {
            let stack = Stack { pancakes: pancakes.clone(), weighted };
            assert_eq!(Stack::parse_id(&stack.id()), Ok(stack));
        }
    }
    let (plain, weighted) = (Stack::parse_id("3,1,2").unwrap(), Stack::parse_id("3,1,2:weighted").unwrap());
    assert_eq!((plain.id().as_str(), weighted.id().as_str()), ("3:3,1,2", "3:3,1,2:weighted"));
    let read = instance::parse("# two stacks\npancakes 3 1 2\n\npancakes weighted 3, 1, 2\n").unwrap();
    assert_eq!(read, [plain, weighted]);
}

#[test]
fn errors_point_at_the_place() {
    let wrong = |body: &str| {
        let error = Stack::parse_id(body).unwrap_err();
        (error.message, error.span.map(|span| body[span].to_owned()).unwrap_or_default())
    };
    let said = |message: &str, place: &str| (message.to_owned(), place.to_owned());
    assert_eq!(wrong("3:3,1,1"), said("pancake 1 again: it is number 2 from the top already", "1"));
    assert_eq!(wrong("3,1,4"), said("pancake 4 is too large, the largest here is 3", "4"));
    assert_eq!(wrong("0,1,2"), said("there is no pancake 0: the smallest is 1", "0"));
    assert_eq!(wrong("2:3,1,2"), said("the size is 2, but there are 3 pancakes", "2"));
    assert_eq!(wrong("3,1,x"), said("'x' is not a pancake", "x"));
    assert_eq!(wrong("3:3,1,2:heavy"), said("'heavy' is not a variant; there is weighted", "heavy"));
    assert_eq!(wrong("3,1,2:heavy"), said("'heavy' is not a variant; there is weighted", "heavy"));
    assert_eq!(wrong("1"), said("one pancake is no stack", "1"));
    assert_eq!(wrong(""), said("the pancakes are missing", ""));
    assert_eq!(wrong("weighted"), said("the pancakes are missing", "weighted"));
    let many: Vec<_> = (1..=128).map(|pancake: u8| pancake.to_string()).collect();
    assert_eq!(wrong(&many.join(",")).0, "128 pancakes are too many");
    let text = "pancakes 2 1\npancakes weighted 3 1 3";
    assert_eq!(instance::parse(text).unwrap_err().span.unwrap(), text.len() - 1..text.len());
    assert!(instance::parse("# nothing\n").is_err());
}

#[test]
fn the_verifier_accepts_solutions_and_nothing_else() {
    let check = |weighted, moves: &[&str]| {
        let stack = Stack { pancakes: vec![3, 1, 2], weighted };
        verify::check(&stack, &moves.iter().map(|&text| text.into()).collect::<Vec<_>>())
    };
    let (plain, weighted) = (check(false, &["3", "2"]), check(true, &["3", "2"]));
    assert!(plain.is_solution() && weighted.is_solution());
    assert_eq!((plain.cost, weighted.cost), (2, 5));
    assert_eq!(plain.end, "pancake:3:1,2,3");
    assert_eq!(check(false, &["3"]).missing.unwrap(), "2 pancakes are not in their places");
    for (moves, reason) in [
        (["3", "1"], "a flip turns two pancakes at least"),
        (["3", "4"], "there are only 3 pancakes"),
        (["3", "-2"], "a move is the number of pancakes that are flipped"),
    ] {
        let failure = check(false, &moves).failure.unwrap();
        assert_eq!((failure.at, failure.reason.as_str()), (2, reason));
    }
}

/// Whatever flips are made, rules, verifier, game and pictures agree on the stack and the cost.
#[test]
fn the_verifier_agrees_with_the_rules() {
    for weighted in [false, true] {
        let stack = Stack { pancakes: vec![2, 7, 4, 1, 6, 3, 5], weighted };
        let (rules, mut game) = (Rules::<SMALL>::new(&stack), game::PancakeGame::new(&stack));
        let (mut state, mut cost, mut moves) = (rules.start(), 0, Vec::new());
        for turned in [2, 7, 3, 5, 4, 6, 7, 2, 2, 3] {
            cost += rules.apply(&mut state, Flip(turned)).0;
            moves.push(turned.to_string());
            game.play(&turned.to_string()).unwrap();
            let verdict = verify::check(&stack, &moves);
            let now = Stack { pancakes: state.0[..7].to_vec(), weighted };
            assert_eq!((verdict.cost, verdict.end), (cost, format!("pancake:{}", now.id())));
            assert_eq!((game.cost(), game.position().id()), (cost, format!("pancake:{}", now.id())));
        }
        assert_eq!(view::pictures(&stack, &moves).len(), moves.len() + 1);
    }
}
