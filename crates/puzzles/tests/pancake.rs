//! The pancake puzzle from outside: methods agree, large stacks are solved, distances are kept.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{
    Choice, Ending, GenerateRequest, Instance, Report, Request, RequestError, Size, input, puzzle,
};
use novelo_search::parameter::Spec;
use novelo_search::{Algorithm, Control, Stop};

fn read(id: &str) -> Box<dyn Instance> {
    input::read(id, None, None).unwrap().remove(0).instance
}

fn made(size: usize, number: u64, options: &[(&str, &str)]) -> Result<Box<dyn Instance>, RequestError> {
    let pancake = puzzle("pancake").unwrap();
    let request = GenerateRequest { size: Some(Size::line(size)), seed: 2026, ..GenerateRequest::default() };
    let request = request.with(pancake, options.iter().copied())?;
    pancake.generate(&request, number, &AtomicBool::new(false))
}

fn solved(instance: &dyn Instance, algorithm: Choice, heuristic: Option<&str>) -> Report {
    let heuristic = heuristic.map(|text| text.parse::<Spec>().unwrap());
    let request = Request { algorithm, heuristic, ..Request::default() };
    let attempt = instance.solve(&request, Control::default()).unwrap();
    let report = Report::new(instance, &request, attempt).unwrap();
    assert_eq!(report.outcome, Ending::Solved);
    report
}

/// Helmert (2010): the gap heuristic solves random stacks of 60 optimally in no time.
#[test]
fn random_stacks_of_60_are_solved_optimally() {
    for number in 0..50 {
        let stack = made(60, number, &[]).unwrap();
        let report = solved(&*stack, Choice::Auto, None);
        assert!(report.optimal, "{}", stack.id());
        assert_eq!(report.method.to_string(), "gaps");
    }
}

#[test]
fn optimal_algorithms_agree_whatever_the_estimate_and_the_cost() {
    for weighted in ["false", "true"] {
        for number in 0..20 {
            let stack = made(7, number, &[("weighted", weighted)]).unwrap();
            let optimum = solved(&*stack, Choice::Auto, None).cost;
            for algorithm in [Algorithm::AStar, Algorithm::IdaStar] {
                for heuristic in ["gap", "gap:skip=2", "gap:7", "zero"] {
                    if algorithm == Algorithm::IdaStar && heuristic == "zero" {
                        continue;
                    }
                    let report = solved(&*stack, algorithm.into(), Some(heuristic));
                    let case = format!("{} {algorithm} {heuristic}", stack.id());
                    assert_eq!((report.cost, report.optimal), (optimum, true), "{case}");
                }
            }
            assert_eq!(solved(&*stack, Algorithm::Ucs.into(), None).cost, optimum);
            // Fewest flips are the cheapest only where all cost the same.
            let both_ways = solved(&*stack, Algorithm::Bidirectional.into(), None);
            assert_eq!(both_ways.optimal, weighted == "false");
            assert!(!both_ways.optimal || both_ways.cost == optimum);
        }
    }
}

/// Estimates towards the start too, where flips cost what they turn, and estimates that know little or nothing.
#[test]
fn searches_from_both_ends_and_those_of_little_memory_agree() {
    let algorithms =
        ["nbs", "mm", "baestar", "peastar", "rbfs", "smastar", "ibex", "cabs", "awastar", "arastar"];
    for weighted in ["false", "true"] {
        for number in 0..60 {
            let stack = made(6, number, &[("weighted", weighted)]).unwrap();
            let optimum = solved(&*stack, Algorithm::Ucs.into(), None).cost;
            for (algorithm, heuristic) in
                algorithms.iter().flat_map(|name| ["gap", "gap:skip=2", "zero"].map(|h| (name, h)))
            {
                let report = solved(&*stack, algorithm.parse().unwrap(), Some(heuristic));
                let case = format!("{} {algorithm} {heuristic}", stack.id());
                assert_eq!((report.cost, report.optimal), (optimum, true), "{case}");
                assert_eq!(report.lower_bound, optimum, "{case}");
            }
        }
    }
}

/// The weaker the estimate, the more A* expands.
#[test]
fn leaving_gaps_out_weakens_the_estimate() {
    let expanded = |heuristic: &str| {
        let stacks = (0..10).map(|number| made(10, number, &[]).unwrap());
        stacks
            .map(|stack| solved(&*stack, Algorithm::AStar.into(), Some(heuristic)).expanded.unwrap())
            .sum::<u64>()
    };
    let counts: Vec<_> = ["gap", "gap:skip=1", "gap:skip=2", "gap:skip=3"].map(expanded).into();
    assert!(counts.is_sorted() && counts[0] * 10 < counts[3], "{counts:?}");
}

#[test]
fn stacks_are_made_at_an_exact_distance() {
    for (size, weighted, costs) in [
        (5, "false", &[0, 1, 3, 5][..]),
        (8, "false", &[4, 9]),
        (12, "false", &[1, 6, 11, 12]),
        (30, "false", &[3, 20, 29]),
        (6, "true", &[2, 9, 15]),
        (10, "true", &[12, 20]),
    ] {
        for &cost in costs {
            let options = [("moves", &*cost.to_string()), ("weighted", weighted)];
            let stack = made(size, 0, &options).unwrap_or_else(|error| panic!("{size} {cost}: {error}"));
            let report = solved(&*stack, Choice::Auto, None);
            assert_eq!((report.cost, report.optimal), (Some(cost), true), "{}", stack.id());
            assert_eq!(made(size, 0, &options).unwrap().id(), stack.id(), "the same seed, the same stack");
        }
    }
    let none = made(5, 0, &[("moves", "6")]).unwrap_err().to_string();
    assert_eq!(none, "there is no stack of 5 pancakes whose solution costs exactly 6");
}

#[test]
fn what_cannot_be_made_is_refused() {
    let pancake = puzzle("pancake").unwrap();
    for size in [Size::line(1), Size::line(128), Size { rows: 4, cols: 4 }] {
        let request = GenerateRequest { size: Some(size), ..GenerateRequest::default() };
        let error = pancake.generate(&request, 0, &AtomicBool::new(false)).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("a stack of {size} cannot be made; the size is a number of pancakes from 2 to 127")
        );
    }
    // And the other way round: boards have columns.
    for name in ["sliding", "numbrix", "mazes", "boxes"] {
        let request = GenerateRequest { size: Some(Size::line(4)), ..GenerateRequest::default() };
        let error = puzzle(name).unwrap().generate(&request, 0, &AtomicBool::new(false)).unwrap_err();
        assert!(error.to_string().contains("of 4 cannot be made"), "{name}: {error}");
    }
}

/// The method made for pancakes finds what the engine does, on stacks whose gaps are their distance and on others.
#[test]
fn the_method_for_pancakes_agrees_with_the_engine() {
    let gaps: Choice = "gaps".parse().unwrap();
    for size in 2..=14 {
        for number in 0..30 {
            let stack = made(size, number, &[]).unwrap();
            let (ours, engine) =
                (solved(&*stack, gaps, None), solved(&*stack, Algorithm::IdaStar.into(), Some("gap")));
            assert_eq!(
                (ours.cost, ours.optimal, ours.lower_bound),
                (engine.cost, true, engine.cost),
                "{}",
                stack.id()
            );
        }
    }
    // The two stacks of 6 that are 7 flips away, and the sorted stack.
    for id in ["pancake:6:5,3,6,1,4,2", "pancake:6:4,6,2,5,1,3"] {
        assert_eq!(solved(&*read(id), gaps, None).cost, Some(7), "{id}");
    }
    assert_eq!(solved(&*read("pancake:12:1,2,3,4,5,6,7,8,9,10,11,12"), gaps, None).cost, Some(0));
}

#[test]
fn limits_end_the_method_for_pancakes() {
    let stack = made(60, 0, &[]).unwrap();
    let cost = solved(&*stack, Choice::Auto, None).cost.unwrap();
    let run = |nodes, depth| {
        let mut request = Request { algorithm: "gaps".parse().unwrap(), ..Request::default() };
        (request.settings.limits.nodes, request.settings.limits.depth) = (nodes, depth);
        Report::new(&*stack, &request, stack.solve(&request, Control::default()).unwrap()).unwrap()
    };
    let few = run(Some(20), None);
    assert_eq!((few.stop, few.expanded), (Some(Stop::Nodes), Some(20)));
    assert!(few.lower_bound > Some(50) && few.lower_bound <= Some(cost));
    let shallow = run(None, Some(cost - 1));
    assert_eq!((shallow.stop, shallow.lower_bound), (Some(Stop::Depth), Some(cost)));
    assert_eq!(run(None, Some(cost)).cost, Some(cost));
}

#[test]
fn the_largest_stack_is_read_and_searched() {
    let stack = made(127, 0, &[]).unwrap();
    assert_eq!(read(&stack.id()).id(), stack.id());
    let mut request = Request::default();
    request.settings.limits.nodes = Some(100_000);
    let attempt = stack.solve(&request, Control::default()).unwrap();
    let report = Report::new(&*stack, &request, attempt).unwrap();
    assert!(report.lower_bound > Some(110), "{:?}", report.lower_bound);
    // One whose flips are known: all of them close a gap.
    let near = read(&format!(
        "pancake:127:{}",
        (1..=127).rev().map(|n| n.to_string()).collect::<Vec<_>>().join(",")
    ));
    assert_eq!(solved(&*near, Choice::Auto, None).cost, Some(1));
}
