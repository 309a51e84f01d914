//! Facts about the puzzle that need no instance sets.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use novelo_search::{Algorithm, Answer, Control, Limits, Search, Stop, Weight};
use proptest::prelude::*;

use super::instance::{blank_first, blank_last};
use super::*;
use crate::input;
use crate::puzzle::{GenerateRequest, Size};
use crate::report::Report;

/// Every board reachable from one, by the plainest of searches on plain lists.
fn reachable(goal: &[u8], rows: usize, cols: usize) -> HashSet<Vec<u8>> {
    let mut seen = HashSet::from([goal.to_vec()]);
    let mut open = vec![goal.to_vec()];
    while let Some(board) = open.pop() {
        let blank = board.iter().position(|&tile| tile == 0).unwrap();
        let (row, col) = (blank / cols, blank % cols);
        let mut go = |to: usize| {
            let mut next = board.clone();
            next.swap(blank, to);
            if seen.insert(next.clone()) {
                open.push(next);
            }
        };
        if row > 0 {
            go(blank - cols);
        }
        if row + 1 < rows {
            go(blank + cols);
        }
        if col > 0 {
            go(blank - 1);
        }
        if col + 1 < cols {
            go(blank + 1);
        }
    }
    seen
}

fn permutations(items: &mut Vec<u8>, from: usize, visit: &mut impl FnMut(&[u8])) {
    if from == items.len() {
        return visit(items);
    }
    for i in from..items.len() {
        items.swap(from, i);
        permutations(items, from + 1, visit);
        items.swap(from, i);
    }
}

/// Goals that differ only in the names of their tiles are alike, so a goal for
/// each place of the blank covers all pairs.
#[test]
fn parity_agrees_with_exhaustive_search() {
    for (rows, cols) in [(1, 2), (1, 4), (3, 1), (2, 2), (2, 3), (3, 2), (3, 3)] {
        let cells = rows * cols;
        for blank in 0..cells {
            let mut goal: Vec<u8> = (1..cells as u8).collect();
            goal.insert(blank, 0);
            let reachable = reachable(&goal, rows, cols);
            let mut tiles = Tiles { size: Size { rows, cols }, start: goal.clone(), goal };
            permutations(&mut blank_first(cells), 0, &mut |start| {
                tiles.start.copy_from_slice(start);
                assert_eq!(unreachable(&tiles).is_none(), reachable.contains(start), "{}", tiles.id());
            });
        }
    }
}

fn any_tiles() -> impl Strategy<Value = Tiles> {
    (1..=16usize, 1..=16usize).prop_filter("two cells", |(r, c)| r * c > 1).prop_flat_map(|(rows, cols)| {
        let board = Just((0..=(rows * cols - 1) as u8).collect::<Vec<_>>()).prop_shuffle();
        let goal = prop_oneof![Just(blank_last(rows * cols)), Just(blank_first(rows * cols)), board.clone()];
        (board, goal).prop_map(move |(start, goal)| Tiles { size: Size { rows, cols }, start, goal })
    })
}

proptest! {
    #[test]
    fn ids_read_back(tiles in any_tiles()) {
        let read = Tiles::parse_id(&tiles.id(), None).unwrap();
        prop_assert_eq!(read, tiles);
    }

    #[test]
    fn rows_read_back(tiles in any_tiles(), blank in prop_oneof![Just("0"), Just("_"), Just(".")]) {
        let block = |board: &[u8]| {
            let cell = |&tile: &u8| if tile == 0 { blank.to_owned() } else { tile.to_string() };
            let row = |row: &[u8]| row.iter().map(cell).collect::<Vec<_>>().join(" ");
            board.chunks(tiles.size.cols).map(row).collect::<Vec<_>>().join("\n")
        };
        // All on one line, cells could be a board of several sizes.
        let size = if tiles.size.rows == 1 { format!("{}\n", tiles.size) } else { String::new() };
        let text = format!("# a board\n{size}{}\n\n{}\n", block(&tiles.start), block(&tiles.goal));
        let read = input::read(&text, crate::puzzle("sliding"), None).unwrap();
        prop_assert_eq!(read[0].instance.id(), format!("sliding:{}", tiles.id()));
        let line = |board: &[u8]| board.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let text = format!("name | {} | {} | {} | ? |", tiles.size, line(&tiles.start), line(&tiles.goal));
        let read = input::read(&text, None, None).unwrap();
        prop_assert_eq!(read[0].instance.id(), format!("sliding:{}", tiles.id()));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[0-9 ,_.|x#:\n-]{0,80}", goal in prop::option::of("[0-9, a-z-]{0,12}")) {
        let _ = instance::parse(&text, goal.as_deref());
        let _ = Tiles::parse_id(&text, goal.as_deref());
        let _ = input::read(&text, None, goal.as_deref());
    }
}

#[test]
fn errors_point_at_the_place() {
    let place = |text: &str| {
        let error = instance::parse(text, None).unwrap_err();
        error.span.map(|span| text[span].to_owned())
    };
    assert_eq!(place("1 2 3\n4 5 6\n7 8 3").as_deref(), Some("3"));
    assert_eq!(place("1 2 3\n4 5\n7 8 0").as_deref(), Some("4 5"));
    assert_eq!(place("1 2 0\n4 5 0\n7 8 3").as_deref(), Some("0"));
    assert_eq!(place("1 2\n3 99999999999999999999").as_deref(), Some("99999999999999999999"));
    assert_eq!(place("1 2\n3 x").as_deref(), Some("x"));
    assert_eq!(place("a | 0x3 | | |").as_deref(), Some("0x3"));
    assert_eq!(place("a | 2x2 | 1 2 3 | |").as_deref(), Some("1 2 3"));
    assert_eq!(place("5").as_deref(), Some("5"));
    assert!(instance::parse("", None).is_err());
    assert!(instance::parse("1 2\n3 0\n\n1 2 3\n4 5 0", None).is_err());
    assert!(Tiles::parse_id("2x2:1,2,3,0:1,2,3", None).is_err());
    assert!(Tiles::parse_id("2x2:1,2,3,0", Some("nowhere")).unwrap_err().message.contains("--goal"));
}

/// Weighted A* keeps its promise, and says what it has proved.
#[test]
fn weighted_search_is_within_its_weight() {
    let tiles = Tiles::parse_id("3x3:8,6,7,2,5,4,3,0,1", None).unwrap();
    let rules = Rules::<Packed64>::new(&tiles, Move::DEFAULT_ORDER);
    for weight in [1.0, 1.25, 1.5, 2.0, 5.0] {
        let search = Search::new(&rules).heuristic(heuristics::TileSum::manhattan(&tiles));
        let outcome = search.run(Algorithm::WAStar { weight: Weight::new(weight).unwrap() }).unwrap();
        let cost = outcome.solution().unwrap().cost;
        assert!(f64::from(cost) <= 31.0 * weight);
        assert!(outcome.lower_bound.unwrap() <= 31);
    }
}

#[test]
fn generated_boards_are_at_the_distance_asked_for() {
    let never = AtomicBool::new(false);
    for (size, moves) in
        [("3x3", 0), ("3x3", 31), ("2x3", 21), ("1x5", 4), ("4x4", 20), ("4x4", 33), ("4x4", 40), ("4x4", 60)]
    {
        for number in 0..2 {
            let request = GenerateRequest { size: size.parse().ok(), seed: 11, ..Default::default() };
            let request = request.with(&Sliding, [("moves", moves.to_string())]).unwrap();
            let instance = Sliding.generate(&request, number, &never).unwrap();
            let again = Sliding.generate(&request, number, &never).unwrap();
            assert_eq!(instance.id(), again.id());
            let request = Request::default();
            let attempt = instance.solve(&request, Control::default()).unwrap();
            let report = Report::new(&*instance, &request, attempt).unwrap();
            assert_eq!((report.cost, report.optimal), (Some(moves), true), "{}", instance.id());
        }
    }
    for (size, moves) in [("3x3", 32), ("3x3", 10_000), ("4x4", 81), ("4x4", 10_000), ("6x6", 3)] {
        let far = GenerateRequest { size: size.parse().ok(), ..GenerateRequest::default() };
        let far = far.with(&Sliding, [("moves", moves.to_string())]).unwrap();
        assert!(Sliding.generate(&far, 0, &never).is_err(), "{size} {moves}");
    }
}

/// Every board that can be solved comes up equally often.
#[test]
fn random_boards_are_uniform() {
    let never = AtomicBool::new(false);
    let mut seen = std::collections::HashMap::new();
    for number in 0..1200 {
        let request = GenerateRequest { size: "2x2".parse().ok(), seed: 3, ..GenerateRequest::default() };
        *seen.entry(Sliding.generate(&request, number, &never).unwrap().id()).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 12);
    // 100 each, with a standard deviation below 10.
    assert!(seen.values().all(|&count| (50..150).contains(&count)), "{seen:?}");
}

/// Depth-first search goes astray; trying moves at random does not mend it, but
/// it ends, and so does every algorithm under any limit.
#[test]
fn every_algorithm_ends_at_its_limits() {
    let tiles = Tiles::parse_id("4x4:15,14,8,12,10,11,9,13,2,6,5,1,3,7,4,0:blank-first", None).unwrap();
    let rules = Rules::<Packed64>::new(&tiles, Move::DEFAULT_ORDER);
    for algorithm in Algorithm::all() {
        for limits in [
            Limits { nodes: Some(1000), depth: Some(200), ..Limits::default() },
            Limits { memory: Some(1 << 20), depth: Some(60), nodes: Some(3_000_000), ..Limits::default() },
            Limits {
                time: Some(std::time::Duration::from_millis(20)),
                depth: Some(500),
                ..Limits::default()
            },
            Limits { depth: Some(5), ..Limits::default() },
        ] {
            for shuffle in [None, Some(7)] {
                let hamming = heuristics::TileSum::hamming(&tiles);
                let search = Search::new(&rules).heuristic(hamming).limits(limits).shuffle(shuffle);
                let outcome = search.run_reversible(algorithm).unwrap();
                // IDA* sees by its estimate of the start alone that no solution is as short as 5 moves.
                let at_once = outcome.answer == Answer::Stopped(Stop::Depth) && limits.depth == Some(5);
                assert!(outcome.stats.expanded > 0 || at_once, "{algorithm}");
                if let Some(most) = limits.nodes {
                    assert!(outcome.stats.expanded <= most, "{algorithm}");
                }
                if let Some(most) = limits.memory {
                    assert!(
                        outcome.stats.peak_bytes <= most + most / 20,
                        "{algorithm} {}",
                        outcome.stats.peak_bytes
                    );
                }
            }
        }
    }
}

/// The distances of the 8-puzzle go up to 31; half of all boards lie between 21 and 24.
#[test]
fn difficulty_means_something_on_small_boards() {
    let mean = |size: &str, difficulty: &str| {
        let request = GenerateRequest {
            size: Some(size.parse().unwrap()),
            difficulty: Some(difficulty.into()),
            ..GenerateRequest::default()
        };
        let optima = (0..6).map(|number| {
            let board = Sliding.generate(&request, number, &AtomicBool::new(false)).unwrap();
            let solved = board.solve(&Request::default(), Control::default()).unwrap();
            solved.outcome.solution().unwrap().cost
        });
        f64::from(optima.sum::<u32>()) / 6.0
    };
    let means = |size: &str| ["easy", "normal", "hard", "expert"].map(|difficulty| mean(size, difficulty));
    let [easy, normal, hard, expert] = means("3x3");
    assert!(easy <= 11.0 && (14.0..=18.0).contains(&normal), "{easy} {normal}");
    assert!((20.0..=24.0).contains(&hard) && expert >= 26.0, "{hard} {expert}");
    // Random boards of 3x4 are 36 moves away in the mean, those of random walks of a few hundred steps hardly less.
    let [easy, normal, hard, expert] = means("3x4");
    assert!(
        easy + 3.0 < normal && normal + 3.0 < hard && hard + 3.0 < expert,
        "{easy} {normal} {hard} {expert}"
    );
    assert!(expert >= 40.0, "{expert}");
}
