//! Dots and Boxes as a user sees it: formats, algorithms, published boards.

mod shared;

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{
    Ending, GenerateRequest, Instance, PUZZLES, ParseError, Report, Request, RequestError, Size, input,
    puzzle,
};
use novelo_search::parameter::Spec;
use novelo_search::{Algorithm, Control, Limits, Meter, Problem as _, Stop};

fn read(text: &str) -> Box<dyn Instance> {
    let mut named = input::read(text, None, None).unwrap();
    assert_eq!(named.len(), 1);
    named.remove(0).instance
}

fn solve(instance: &dyn Instance, algorithm: &str, heuristic: Option<&str>, order: Option<&str>) -> Report {
    let mut request = Request {
        algorithm: algorithm.parse().unwrap(),
        heuristic: heuristic.map(Spec::plain),
        order: order.map(str::to_owned),
        ..Request::default()
    };
    request.settings.limits.nodes = Some(500_000);
    request.settings.limits.depth = (algorithm == "dls").then_some(60);
    let attempt = instance.solve(&request, Control::default()).unwrap();
    Report::new(instance, &request, attempt).expect("the verifier agrees")
}

/// A board of the shared collection, with its known optimum (absent if there
/// is no solution).
struct Known {
    name: String,
    instance: Box<dyn Instance>,
    optimum: Option<u32>,
}

fn collection() -> Vec<Known> {
    let folder = shared::folder("dots-and-boxes");
    let index = std::fs::read_to_string(folder.join("INDEX.txt")).unwrap();
    let known = |line: &str| {
        let fields: Vec<_> = line.split_whitespace().collect();
        let text = std::fs::read_to_string(folder.join(format!("{}.txt", fields[0]))).unwrap();
        Known { name: fields[0].into(), instance: read(&text), optimum: fields[6].parse().ok() }
    };
    index.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(known).collect()
}

#[test]
#[ignore = "needs published boards"]
fn relaxation_proves_the_optimum_of_every_published_board() {
    for Known { name, instance, optimum } in collection() {
        for order in [None, Some("ordered")] {
            let report = solve(&*instance, "astar", Some("relaxation"), order);
            assert_eq!(report.cost, optimum, "{name}");
            assert_eq!(report.optimal, optimum.is_some(), "{name}");
            assert_eq!(report.outcome, if optimum.is_some() { Ending::Solved } else { Ending::Unsolvable });
        }
    }
}

#[test]
#[ignore = "needs published boards"]
fn auto_proves_the_optimum_of_every_published_board() {
    for Known { name, instance, optimum } in collection() {
        let report = solve(&*instance, "auto", None, None);
        assert_eq!((report.cost, report.optimal), (optimum, optimum.is_some()), "{name}");
        assert_eq!(report.method.to_string(), "bounds");
    }
}

#[test]
fn auto_agrees_with_the_textbook_on_random_boards() {
    let boxes = puzzle("boxes").unwrap();
    for (rows, cols, boards) in [(1, 4, 300), (2, 2, 700), (2, 3, 300), (3, 3, 60), (4, 4, 30)] {
        let request =
            GenerateRequest { size: Some(Size { rows, cols }), seed: 21, ..GenerateRequest::default() };
        for number in 0..boards {
            let board = boxes.generate(&request, number, &AtomicBool::new(false)).unwrap();
            let auto = solve(&*board, "auto", None, None);
            assert!(auto.optimal);
            let mut runs = vec![
                solve(&*board, "astar", Some("relaxation"), Some("ordered")),
                solve(&*board, "astar", Some("shared-arcs"), Some("ordered")),
            ];
            if rows * cols <= 6 {
                runs.push(solve(&*board, "astar", Some("shared-arcs"), None));
                runs.push(solve(&*board, "bfs", None, None));
                runs.push(solve(&*board, "bfs", None, Some("ordered")));
            }
            for run in runs.iter().filter(|run| run.outcome == Ending::Solved) {
                assert!(run.optimal);
                assert_eq!(run.cost, auto.cost, "{}: {} {:?}", board.id(), run.algorithm, run.heuristic);
            }
        }
    }
}

#[test]
#[ignore = "needs published boards"]
fn no_heuristic_goes_below_the_optimum_and_the_inadmissible_prove_nothing() {
    for Known { name, instance, optimum } in collection() {
        let Some(optimum) = optimum else { continue };
        for heuristic in ["boxes-left", "corners", "shared-arcs"] {
            for algorithm in ["greedy", "astar"] {
                let mut request = Request {
                    algorithm: algorithm.parse().unwrap(),
                    heuristic: Some(Spec::plain(heuristic)),
                    ..Request::default()
                };
                request.settings.limits.nodes = Some(20_000);
                let attempt = instance.solve(&request, Control::default()).unwrap();
                let report = Report::new(&*instance, &request, attempt).unwrap();
                if let Some(cost) = report.cost {
                    assert!(cost >= optimum, "{name} {algorithm} {heuristic}");
                }
                if heuristic != "shared-arcs" {
                    assert!(!report.optimal || optimum == 0, "{name} {algorithm} {heuristic}");
                    assert!(report.lower_bound.is_none_or(|bound| optimum == bound), "{name}");
                }
            }
        }
    }
}

#[test]
#[ignore = "needs published boards"]
fn corners_lead_straight_to_the_goal_where_clamped_they_do_not() {
    let expanded = |instance: &dyn Instance, heuristic: &str| {
        let mut request = Request {
            algorithm: "astar".parse().unwrap(),
            heuristic: Some(heuristic.parse().unwrap()),
            ..Request::default()
        };
        request.settings.limits.nodes = Some(20_000);
        let attempt = instance.solve(&request, Control::default()).unwrap();
        let report = Report::new(instance, &request, attempt).unwrap();
        assert!(!report.optimal && report.lower_bound.is_none(), "nothing is proved by it");
        (report.outcome == Ending::Solved).then_some(report.expanded.unwrap())
    };
    // A board of this repository, then the course's board e.
    let mut boards = vec![read("boxes:6x6:24:100300000a00084809814")];
    boards.extend(collection().into_iter().filter(|it| it.name == "ips-e").map(|it| it.instance));
    for (board, straight) in boards.iter().zip([49, 18]) {
        assert_eq!(expanded(&**board, "corners"), Some(straight), "as many expansions as moves");
        let clamped = expanded(&**board, "corners:clamped=true");
        assert!(clamped.is_none_or(|expanded| expanded > 100 * straight), "{clamped:?}");
    }
}

#[test]
fn corners_are_shown_and_judged_as_the_course_defines_them() {
    // One box is asked for; eight corners are there.
    let board = read("goal 1\n+-+-+-+\n| | | |\n+ + +-+");
    let request = Request { heuristic: Some(Spec::plain("corners")), ..Request::default() };
    let meter = Meter::new(Limits::default(), Control::default());
    let mut estimate = None;
    let explored = board.explore(&request, &meter, &mut |formulation| {
        estimate = formulation.estimate(&formulation.start());
    });
    assert!(explored.unwrap().is_continue());
    assert_eq!(estimate, Some(4.0 - 8.0));
}

#[test]
fn every_format_gives_the_same_board() {
    let file = "# one\nname one\nrows 2\ncols 3\ngoal 2\nclosed 1\nmissing 10\noptimal 1\n\
                H\n1 0 0\n1 0 1\n0 0 1\nV\n1 0\n1 0\n0 1\n0 0\n";
    let list = "(((1 0 0) (1 0 1) (0 0 1)) ((1 0) (1 0) (0 1) (0 0)))\ngoal 2";
    let narrow = "+-+ + +\n| |\n+-+ +-+\n    |\n+ + +-+\ngoal 2";
    let wide = "goal 2\n+---+   +   +\n| x |\n+---+   +---+\n        |\n+   +   +---+\n";
    let id = "boxes:2x3:2:9985";
    let ids: Vec<_> = [file, list, narrow, wide].iter().map(|text| read(text).id()).collect();
    assert!(ids.iter().all(|other| *other == ids[0]), "{ids:?}");
    assert_eq!(read(&ids[0]).id(), ids[0]);
    assert_eq!(ids[0].len(), id.len() + 1);
    let with = |goal| input::read(list, None, Some(goal)).unwrap().remove(0).instance.id();
    assert!(with("5").starts_with("boxes:2x3:5:"));
}

#[test]
fn mistakes_are_pointed_at() {
    let cases: &[(&str, &str, &str)] = &[
        // text, what the message says, the text pointed at
        ("goal 1\nH\n0\n0\nV\n0\n2", "'2' is not an arc", "2"),
        ("goal 1\nH\n0 0\n0\nV\n0\n0\n0", "this line has 1 arcs, the first one 2", "0"),
        ("goal 1\nH\n0\n0\nV\n0", "1 lines of vertical arcs, but 1 columns of boxes need 2", "V"),
        ("goal 1\nH\n0\n0\nV\n0 0\n0", "this vertical line has 2 arcs", "0 0"),
        ("goal 1\nH\n0\nV\n0\n0", "these horizontal arcs make a board of 0x1 boxes", "H"),
        ("goal one\nH\n0\n0\nV\n0\n0", "'one' is not a number of boxes to close", "one"),
        ("goal -1\nH\n0\n0\nV\n0\n0", "'-1' is not a number", "-1"),
        ("goal 1\ngoal 2\nH\n0\n0\nV\n0\n0", "stands here a second time", "goal"),
        ("goal 1\nrows 2\nH\n0\n0\nV\n0\n0", "the arcs make 1 rows of boxes, not 2", "2"),
        ("goal 1\nclosed 1\nH\n0\n0\nV\n0\n0", "the arcs make 0 closed boxes, not 1", "1"),
        ("goal 1\nmissing 3\nH\n0\n0\nV\n0\n0", "the arcs make 4 missing arcs, not 3", "3"),
        ("goal 1\nH\n0\n0\nH\n0\n0", "a second H", "H"),
        ("goal 1 2\nH\n0\n0\nV\n0\n0", "'goal' has one value", "2"),
        ("goal\nH\n0\n0\nV\n0\n0", "is not followed by its value", "goal"),
        ("goal 1\nrows 1\nhello\nH\n0\n0\nV\n0\n0", "'hello' means nothing here", "hello"),
        ("goal 1\n(((0) (0)) ((0) (0))", "here the board should end", ")"),
        ("goal 1\n(((0) (0 (0)) ((0) (0)))", "here this line of arcs should end", "("),
        ("goal 1\n(((0) (x)) ((0) (0)))", "'x' is not an arc", "x"),
        ("(((0) (0)) ((0) (0))) goal 1 2", "the list has ended before this", "2"),
        ("goal 1\n+-+\n|x-\n+-+", "stands where a vertical arc should be", "-"),
        ("goal 1\n+-+\n|?|\n+-+", "'?' stands where the inside of a box should be", "?"),
        ("goal 1\n+--+\n|  |\n+- +", "stands where the rest of an arc should be", " "),
        ("goal 1\n+-+\n| |\n+-", "' ' stands where a dot should be", ""),
        ("goal 1\n+-+\n| |", "a picture ends with a line of dots", "| |"),
        ("goal 1\n+", "needs two dots", "+"),
        ("goal 1\n+-+\n| | |\n+-+", "stands where nothing should be", "|"),
        ("boxes:3:1", "'3' is not a board size", "3"),
        ("boxes:0x3:1", "'0x3' is not a board size", "0x3"),
        ("boxes:51x3:1", "number of rows 51 is too large", "51"),
        ("boxes:1x1:1:g", "'g' is not a hexadecimal digit", "g"),
        ("boxes:1x1:1:00", "has 4 arcs and so 1 digits, but there are 2 here", "00"),
        ("boxes:1x2:1:01", "a 1x2 board has only 7 arcs", "1"),
        ("boxes:1x1:1:0:9", "and no more", "9"),
        ("boxes:1x1", "it is not said how many boxes", "1x1"),
    ];
    for (text, message, place) in cases {
        let error = input::read(text, None, None).unwrap_err();
        assert!(error.message.contains(message), "{text:?}: {error}");
        let span = error.span.clone().expect(text);
        assert_eq!(&text[span], *place, "{text:?}: {error}");
    }
    let without_place = |result: Result<_, ParseError>| -> String {
        let error = Result::<Vec<_>, _>::unwrap_err(result);
        assert_eq!(error.span, None);
        error.message
    };
    let message = without_place(input::read("+-+\n| |\n+-+", None, None));
    assert!(message.contains("how many boxes"));
    let message = without_place(input::read("goal 1\n+-+\n| |\n+-+", None, Some("many")));
    assert!(message.contains("--goal"));
    let message = without_place(input::read("goal 1\nrows 3", puzzle("boxes"), None));
    assert!(message.contains("no arcs"));
}

#[test]
fn texts_of_boxes_are_recognised_as_such() {
    for text in ["H\n0\n0\nV\n0\n0\ngoal 1", "(((0) (0))\n((0) (0)))\ngoal 1", "goal 1\n+ +\n|\n+-+"] {
        assert_eq!(read(text).puzzle().info().name, "boxes");
        let rivals = PUZZLES.iter().filter(|puzzle| puzzle.info().name != "boxes");
        assert!(rivals.map(|puzzle| puzzle.likeness(text)).all(|score| score < 95));
    }
    let boxes = puzzle("boxes").unwrap();
    assert_eq!(solve(&*read(boxes.info().example), "auto", None, None).outcome, Ending::Solved);
    let named = input::read("name a b\ngoal 1\n+ +\n\n+ +", None, None).unwrap().remove(0);
    assert_eq!(named.name.as_deref(), Some("a b"));
    for text in ["1 2 3\n4 5 6\n7 8 _", "3\n0 0 1\n0 0 0\n9 0 0", "S.#\n..E", "k | 3x3 | 1 2", ""] {
        assert_eq!(boxes.likeness(text), 0, "{text:?}");
    }
}

#[test]
fn a_goal_beyond_the_board_is_proved_unsolvable_at_once() {
    for algorithm in ["auto", "bfs", "astar", "idastar"] {
        let report = solve(&*read("boxes:7x7:50"), algorithm, None, None);
        assert_eq!((report.outcome, report.expanded), (Ending::Unsolvable, None));
        assert!(report.reason.unwrap().contains("49 boxes"));
    }
}

#[test]
fn what_does_not_exist_is_refused() {
    let board = read("boxes:2x2:1");
    let ask = |algorithm: &str, heuristic: &str, order: Option<&str>| {
        let request = Request {
            algorithm: algorithm.parse().unwrap(),
            heuristic: Some(heuristic.parse().unwrap()),
            order: order.map(str::to_owned),
            ..Request::default()
        };
        board.solve(&request, Control::default()).unwrap_err().to_string()
    };
    assert!(ask("astar", "manhattan", None).contains("shared-arcs, relaxation, boxes-left, corners, zero"));
    assert!(ask("auto", "manhattan", None).contains("has no heuristic"));
    assert!(ask("astar", "boxes-left:weight=2", None).contains("no parameters"));
    assert!(ask("astar", "corners", Some("ULRD")).contains("plain and ordered"));
    assert!(ask("bidirectional", "zero", None).contains("run backwards"));
}

#[test]
fn nothing_is_to_do_where_enough_boxes_are_closed() {
    for id in ["boxes:1x1:1:f", "boxes:1x1:0", "boxes:2x2:0:fff"] {
        for algorithm in ["auto", "bfs", "dfs", "astar"] {
            let report = solve(&*read(id), algorithm, None, None);
            assert_eq!((report.cost, report.optimal), (Some(0), true));
        }
    }
}

#[test]
fn ordered_search_generates_every_set_of_arcs_once() {
    // Closing every box of an empty board takes every arc, and breadth-first
    // search comes to the full set last.
    for (id, arcs) in [("boxes:1x3:3", 10), ("boxes:2x2:4", 12), ("boxes:2x3:6", 17)] {
        let ordered = solve(&*read(id), "bfs", None, Some("ordered"));
        assert_eq!(ordered.generated, Some(1 << arcs));
        let plain = solve(&*read(id), "bfs", None, None);
        assert_eq!(plain.stored_peak, Some(1 << arcs));
        // Each set but the full one has a successor for every arc it lacks;
        // the search ends at the first way to the full set.
        assert!(plain.generated > Some((arcs - 1) << (arcs - 1)));
        assert_eq!((plain.cost, ordered.cost), (Some(arcs as u32), Some(arcs as u32)));
    }
}

#[test]
fn the_verifier_refuses_what_is_not_legal() {
    let board = read("boxes:2x2:1");
    let check = |moves: &[&str]| board.check(&moves.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
    let right = check(&["h 1,1", "v 1,1", "v 1,2", "h 2,1"]);
    assert!(right.is_solution());
    assert_eq!(right.cost, 4);
    assert!(read(&right.end).check(&[]).is_solution());
    let twice = check(&["h 1,1", "h 1,1"]);
    assert_eq!(twice.legal, 1);
    assert!(twice.failure.unwrap().reason.contains("already"));
    for (text, reason) in [
        ("h 4,1", "h 1,1 to h 3,2"),
        ("h 3,3", "h 1,1 to h 3,2"),
        ("v 3,1", "v 1,1 to v 2,3"),
        ("v 0,1", "counted from 1"),
        ("x 1,1", "a move is"),
        ("h 1;1", "a move is"),
    ] {
        assert!(check(&[text]).failure.unwrap().reason.contains(reason), "{text}");
    }
    assert_eq!(check(&["v 2,3"]).missing.as_deref(), Some("0 boxes are closed, but 1 are asked for"));
}

#[test]
fn pictures_show_the_board_after_each_move() {
    let board = read("boxes:1x2:1:80");
    let moves: Vec<_> = ["v 1,1", "v 1,2", "h 2,1", "h 2,1"].map(str::to_owned).into();
    let pictures = board.pictures(&moves);
    assert_eq!(pictures.len(), 4);
    assert_eq!(pictures[0].plain(), "+---+   +\n\n+   +   +");
    assert_eq!(pictures[3].plain(), "+---+   +\n| x |\n+---+   +");
}

#[test]
fn generated_boards_are_solvable_and_reproducible() {
    let boxes = puzzle("boxes").unwrap();
    for (rows, cols) in [(1, 1), (1, 4), (2, 2), (3, 3), (3, 2), (6, 6)] {
        let request =
            GenerateRequest { size: Some(Size { rows, cols }), seed: 5, ..GenerateRequest::default() };
        let make = |number| boxes.generate(&request, number, &AtomicBool::new(false)).unwrap();
        let ids: Vec<_> = (0..20).map(|number| make(number).id()).collect();
        assert_eq!(ids, (0..20).map(|number| make(number).id()).collect::<Vec<_>>());
        for number in 0..20 {
            let report = solve(&*make(number), "auto", None, None);
            assert_eq!((report.outcome, report.optimal), (Ending::Solved, true));
        }
    }
    let ask = |size, goal: &str| {
        let request = GenerateRequest { size: Some(size), ..GenerateRequest::default() };
        let request = request.with(boxes, [("goal", goal)])?;
        boxes.generate(&request, 0, &AtomicBool::new(false)).map(|board| board.id())
    };
    assert!(ask(Size { rows: 3, cols: 3 }, "5").unwrap().starts_with("boxes:3x3:5:"));
    assert!(ask(Size { rows: 3, cols: 3 }, "10").unwrap_err().to_string().contains("has 9 boxes"));
    assert!(ask(Size { rows: 60, cols: 3 }, "1").unwrap_err().to_string().contains("50x50"));
    assert!(ask(Size { rows: 3, cols: 3 }, "x").unwrap_err().to_string().contains("goal is a whole number"));
}

#[test]
fn boards_are_made_to_a_par() {
    let boxes = puzzle("boxes").unwrap();
    let make = |rows, cols, goal: Option<&str>, par: u32, number| {
        let size = Some(Size { rows, cols });
        let request = GenerateRequest { size, seed: 4, ..GenerateRequest::default() };
        let goal = goal.map(|goal| ("goal", goal.to_owned()));
        let options = std::iter::once(("moves", par.to_string())).chain(goal);
        let request = request.with(boxes, options).unwrap();
        boxes.generate(&request, number, &AtomicBool::new(false))
    };
    for (rows, cols, goal, par) in
        [(4, 4, None, 7), (4, 4, Some("6"), 9), (3, 5, Some("15"), 38), (7, 7, None, 30), (2, 2, None, 0)]
    {
        for number in 0..5 {
            let board = make(rows, cols, goal, par, number).unwrap();
            assert_eq!(solve(&*board, "auto", None, None).cost, Some(par), "{}", board.id());
            assert_eq!(board.id(), make(rows, cols, goal, par, number).unwrap().id());
        }
    }
    let refused = |result: Result<Box<dyn Instance>, RequestError>| result.unwrap_err().to_string();
    assert!(refused(make(2, 2, None, 13, 0)).contains("only 12 arcs"));
    assert!(refused(make(4, 4, Some("2"), 9, 0)).contains("never takes more than 7 arcs"));
}

#[test]
fn harder_boards_take_the_textbook_more_nodes() {
    let boxes = puzzle("boxes").unwrap();
    let mut last = 0;
    for level in ["easy", "normal", "hard", "expert"] {
        let request =
            GenerateRequest { difficulty: Some(level.into()), seed: 8, ..GenerateRequest::default() };
        let expanded = |number| {
            let board = boxes.generate(&request, number, &AtomicBool::new(false)).unwrap();
            solve(&*board, "dfs", None, None).expanded.unwrap()
        };
        let mut counts: Vec<_> = (0..200).map(expanded).collect();
        counts.sort_unstable();
        assert!(counts[100] > last, "{level}: median {} after {last}", counts[100]);
        last = counts[100];
    }
    let request = GenerateRequest { difficulty: Some("mild".into()), ..GenerateRequest::default() };
    let error = boxes.generate(&request, 0, &AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().contains("no difficulty"));
    let request = GenerateRequest {
        size: Some(Size { rows: 20, cols: 20 }),
        difficulty: Some("easy".into()),
        ..GenerateRequest::default()
    };
    assert!(boxes.generate(&request, 0, &AtomicBool::new(true)).is_err());
}

#[test]
fn every_algorithm_agrees_on_small_boards() {
    let boxes = puzzle("boxes").unwrap();
    for number in 0..8 {
        let request =
            GenerateRequest { size: Some(Size { rows: 2, cols: 2 }), seed: 9, ..GenerateRequest::default() };
        let board = boxes.generate(&request, number, &AtomicBool::new(false)).unwrap();
        let optimum = solve(&*board, "bfs", None, None).cost.unwrap();
        for algorithm in Algorithm::all().filter(|algorithm| !algorithm.info().needs.reversible()) {
            for info in boxes.heuristics() {
                for order in ["plain", "ordered"] {
                    let report = solve(&*board, algorithm.name(), Some(info.name), Some(order));
                    let Some(cost) = report.cost else {
                        if report.stop == Some(Stop::GaveUp) && algorithm.info().complete.starts_with("no") {
                            continue;
                        }
                        // Without a closed list, every order of the arcs is tried.
                        assert_eq!((report.stop, order), (Some(Stop::Nodes), "plain"));
                        continue;
                    };
                    assert!(cost >= optimum);
                    assert!(!report.optimal || cost == optimum, "{algorithm} {} {order}", info.name);
                    if info.promise.admissible && ["astar", "idastar"].contains(&algorithm.name()) {
                        assert!(report.optimal);
                    }
                }
            }
        }
    }
}
