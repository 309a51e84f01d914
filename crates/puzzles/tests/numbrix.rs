//! Numbrix as a user meets it: every algorithm, every heuristic, the shared
//! boards, the generator.

mod shared;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use novelo_puzzles::{
    Choice, Ending, GenerateRequest, Instance, Puzzle, Report, Request, Size, Style, input, numbrix::Numbrix,
};
use novelo_search::{Algorithm, Control, Limits, Meter, Stop};

/// Name and number of solutions of each shared board.
fn index(folder: &std::path::Path) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(folder.join("INDEX.txt")).expect("an index");
    let line = |line: &str| {
        let fields: Vec<_> = line.split('\t').collect();
        (fields[0].to_owned(), fields[3].parse().expect("a number of solutions"))
    };
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).map(line).collect()
}

fn read(folder: &std::path::Path, name: &str) -> Box<dyn Instance> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.in"))).expect("a board");
    let mut instances = input::read(&text, None, None).unwrap();
    assert_eq!(instances.len(), 1);
    instances.remove(0).instance
}

fn id(id: &str) -> Box<dyn Instance> {
    input::read(id, None, None).unwrap().remove(0).instance
}

fn solve(instance: &dyn Instance, algorithm: Choice, heuristic: Option<&str>) -> Report {
    let mut request =
        Request { algorithm, heuristic: heuristic.map(|h| h.parse().unwrap()), ..Request::default() };
    request.settings.limits.time = Some(Duration::from_secs(60));
    request.settings.limits.memory = Some(1 << 30);
    if algorithm == Choice::from(Algorithm::Dls { limit: None }) {
        request.settings.limits.depth = Some(5000);
    }
    let attempt = instance.solve(&request, Control::default()).unwrap();
    Report::new(instance, &request, attempt).expect("the verifier agrees")
}

const HEURISTICS: &[&str] =
    &["openness", "openness:alpha=2,prune=none", "remaining", "remaining:prune=1,2", "zero"];

#[test]
fn every_algorithm_with_every_heuristic() {
    let boards = [
        ("numbrix:1x1:a", Some(1)),
        ("numbrix:1x1:1", Some(0)),
        ("numbrix:2x2:a1b", Some(3)),
        ("numbrix:3x3:1c5_4b9", Some(5)),
        ("numbrix:3x3:i", Some(9)),
        ("numbrix:1x6:b4c", Some(5)),
        ("numbrix:1x6:b1c", None),
        ("numbrix:3x4:c7h", Some(11)),
        ("numbrix:2x2:1b2", None),
        ("numbrix:2x2:1a3a", None),
        ("numbrix:3x3:a1g", None),
        ("numbrix:4x4:a3m14", Some(14)),
    ];
    for (text, cost) in boards {
        let instance = id(text);
        for algorithm in Algorithm::all() {
            if algorithm.info().needs.reversible() {
                continue;
            }
            for heuristic in HEURISTICS {
                let report = solve(&*instance, Choice::from(algorithm), Some(heuristic));
                let what = format!("{text} {algorithm} {heuristic}");
                if report.stop == Some(Stop::GaveUp) && algorithm.info().complete.starts_with("no") {
                    continue;
                }
                match cost {
                    None => assert_eq!(report.outcome, Ending::Unsolvable, "{what}"),
                    Some(cost) => assert_eq!(report.cost, Some(cost), "{what}"),
                }
            }
        }
    }
}

#[test]
fn only_a_proof_is_called_optimal() {
    let instance = id("numbrix:3x3:1c5_4b9");
    let optimal = |algorithm, heuristic| solve(&*instance, Choice::from(algorithm), Some(heuristic)).optimal;
    assert!(optimal(Algorithm::AStar, "remaining"));
    assert!(optimal(Algorithm::Bfs, "remaining"));
    assert!(!optimal(Algorithm::AStar, "openness"));
    assert!(!optimal(Algorithm::Greedy, "openness"));
}

#[test]
fn limits_end_a_run_with_their_reason() {
    let instance = id("numbrix:9x9:zzzc");
    let mut request = Request { algorithm: Choice::from(Algorithm::Bfs), ..Request::default() };
    request.settings.limits.nodes = Some(1000);
    let attempt = instance.solve(&request, Control::default()).unwrap();
    let report = Report::new(&*instance, &request, attempt).unwrap();
    assert_eq!(
        (report.outcome, report.stop, report.expanded),
        (Ending::Stopped, Some(Stop::Nodes), Some(1000))
    );
    request.algorithm = Choice::from(Algorithm::Dls { limit: None });
    request.settings.limits = novelo_search::Limits { depth: Some(5), ..Default::default() };
    let attempt = instance.solve(&request, Control::default()).unwrap();
    assert_eq!(Report::new(&*instance, &request, attempt).unwrap().stop, Some(Stop::Depth));
}

#[test]
#[ignore = "needs published boards"]
fn the_course_boards_in_their_published_counts() {
    let folder = shared::folder("numbrix");
    let published = [5, 516, 32, 118, 107, 112, 365, 380, 380, 215];
    for (i, published) in published.into_iter().enumerate() {
        let board = read(&folder, &format!("ist-{:02}", i + 1));
        let greedy = solve(&*board, Choice::from(Algorithm::Greedy), Some("openness:alpha=1.4"));
        assert_eq!(greedy.outcome, Ending::Solved);
        let expanded = greedy.expanded.unwrap();
        assert!(expanded * 2 <= published * 3, "board {}: {expanded}", i + 1);
        for algorithm in [Algorithm::AStar, Algorithm::Dfs, Algorithm::Bfs] {
            assert_eq!(solve(&*board, Choice::from(algorithm), None).outcome, Ending::Solved);
        }
    }
}

#[test]
#[ignore = "needs published boards"]
fn the_shared_boards() {
    let folder = shared::folder("numbrix");
    for (name, solutions) in index(&folder) {
        let board = read(&folder, &name);
        let mut request = Request { algorithm: Choice::from(Algorithm::Greedy), ..Request::default() };
        request.settings.limits.nodes = Some(20_000);
        let attempt = board.solve(&request, Control::default()).unwrap();
        let report = Report::new(&*board, &request, attempt).expect("the verifier agrees");
        let expected = if solutions == 0 { Ending::Unsolvable } else { Ending::Solved };
        assert!(report.outcome == expected || report.stop == Some(Stop::Nodes), "{name}: {}", report.outcome);
        if let Ok(text) = std::fs::read_to_string(folder.join(format!("{name}.out"))) {
            let moves = board.parse_moves(&text).unwrap();
            assert!(board.check(&moves).is_solution(), "{name}");
        }
    }
}

#[test]
fn generated_boards_are_solvable_and_the_same_each_time() {
    let cancel = AtomicBool::new(false);
    for (rows, cols) in [(1, 1), (1, 7), (3, 3), (4, 6), (8, 8)] {
        let request =
            GenerateRequest { size: Some(Size { rows, cols }), seed: 5, ..GenerateRequest::default() };
        for number in 0..10 {
            let board = Numbrix.generate(&request, number, &cancel).unwrap();
            assert_eq!(board.id(), Numbrix.generate(&request, number, &cancel).unwrap().id());
            assert_eq!(id(&board.id()).id(), board.id());
            assert_eq!(solve(&*board, Choice::Auto, None).outcome, Ending::Solved, "{}", board.id());
        }
    }
}

/// The number of solutions up to a bound, and whether it is exact.
fn count(instance: &dyn Instance, most: u64) -> (u64, bool) {
    let all = instance.enumerate(most, 2, &Meter::new(Limits::default(), Control::default())).unwrap();
    assert_eq!(all.solutions.len() as u64, all.count.min(2));
    assert!(all.solutions.iter().all(|moves| instance.check(moves).is_solution()));
    (all.count, all.exact)
}

#[test]
#[ignore = "needs published boards"]
fn the_shared_boards_have_as_many_solutions_as_known() {
    let folder = shared::folder("numbrix");
    for (name, solutions) in index(&folder) {
        let board = read(&folder, &name);
        assert_eq!(count(&*board, 1000), (solutions, true), "{name}");
        let outcome = solve(&*board, Choice::Auto, None).outcome;
        assert_eq!(outcome, if solutions == 0 { Ending::Unsolvable } else { Ending::Solved }, "{name}");
    }
}

#[test]
fn counting_up_to_a_bound() {
    assert_eq!(count(&*id("numbrix:3x3:i"), 100), (40, true));
    // Whether that is all may have come out by then, or not.
    assert_eq!(count(&*id("numbrix:3x3:i"), 40).0, 40);
    assert_eq!(count(&*id("numbrix:3x3:i"), 7), (7, false));
    assert_eq!(count(&*id("numbrix:2x2:1b2"), 7), (0, true));
    assert_eq!(count(&*id("numbrix:1x1:a"), 7), (1, true));
}

/// Whether the textbook search finds exactly one solution, dead ends included.
fn has_one_by_the_book(board: &dyn Instance) -> bool {
    use novelo_puzzles::numbrix::{Board, DEFAULT_ORDER, DeadEnds, Rules, State};
    use novelo_search::Problem;
    fn solutions(rules: &Rules<1>, state: &mut State<1>) -> u32 {
        if rules.is_goal(state) {
            return 1;
        }
        if DeadEnds::ALL.reject(rules, state) {
            return 0;
        }
        let mut actions = Vec::new();
        rules.actions(state, &mut actions);
        let mut total = 0;
        for action in actions {
            let (_, undo) = rules.apply(state, action);
            total += solutions(rules, state);
            rules.undo(state, action, undo);
        }
        total
    }
    let id = board.id();
    let rules =
        Rules::<1>::new(&Board::parse_id(id.strip_prefix("numbrix:").unwrap()).unwrap(), DEFAULT_ORDER);
    solutions(&rules, &mut rules.start()) == 1
}

fn make(request: &GenerateRequest, number: u64) -> Box<dyn Instance> {
    Numbrix.generate(request, number, &AtomicBool::new(false)).unwrap()
}

fn clues(board: &dyn Instance) -> usize {
    board.pictures(&[])[0].lines.iter().flatten().filter(|(style, _)| *style == Style::Given).count()
}

#[test]
fn generated_boards_have_one_solution_where_asked() {
    let size = Some(Size { rows: 6, cols: 6 });
    let unique = |more: &[(&'static str, &'static str)]| {
        let request = GenerateRequest { size, seed: 3, ..Default::default() };
        request.with(&Numbrix, [("unique", "true")].iter().chain(more).copied()).unwrap()
    };
    let requests = [
        unique(&[]),
        unique(&[("minimal", "true")]),
        unique(&[("clues", "12")]),
        unique(&[("pattern", "border")]),
        unique(&[("pattern", "symmetric")]),
        GenerateRequest { difficulty: Some("easy".into()), ..unique(&[]) },
        GenerateRequest { difficulty: Some("expert".into()), ..unique(&[]) },
    ];
    for request in &requests {
        for number in 0..8 {
            let board = make(request, number);
            assert!(has_one_by_the_book(&*board), "{}", board.id());
            assert_eq!(board.id(), make(request, number).id());
            if let Some(wanted) = request.options.number("clues") {
                assert_eq!(clues(&*board), wanted);
            }
        }
    }
}

#[test]
fn a_minimal_board_needs_every_clue() {
    let request = GenerateRequest { size: Some(Size { rows: 6, cols: 6 }), seed: 1, ..Default::default() };
    let request = request.with(&Numbrix, [("minimal", "true")]).unwrap();
    for number in 0..5 {
        let id_text = make(&request, number).id();
        let board =
            novelo_puzzles::numbrix::Board::parse_id(id_text.strip_prefix("numbrix:").unwrap()).unwrap();
        for cell in (0..board.last()).filter(|&cell| board.cells[cell] != 0) {
            let mut fewer = board.clone();
            fewer.cells[cell] = 0;
            assert_eq!(count(&*id(&format!("numbrix:{}", fewer.id())), 2).0, 2, "{id_text} {cell}");
        }
    }
}

#[test]
fn harder_levels_take_the_textbook_search_longer() {
    let mut before = 0;
    for level in ["easy", "normal", "hard", "expert"] {
        let request = GenerateRequest {
            size: Some(Size { rows: 7, cols: 7 }),
            difficulty: Some(level.into()),
            ..Default::default()
        };
        let mut expanded: Vec<_> = (0..200)
            .map(|number| {
                let board = make(&request, number);
                let mut request = Request { algorithm: Choice::from(Algorithm::Dfs), ..Request::default() };
                request.settings.limits.nodes = Some(200_000);
                board.solve(&request, Control::default()).unwrap().outcome.stats.expanded
            })
            .collect();
        expanded.sort_unstable();
        let median = expanded[100];
        assert!(median > before, "{level}: {median} after {before}");
        before = median;
    }
}

#[test]
fn what_cannot_be_generated() {
    let cancel = AtomicBool::new(false);
    let refused = |request: &GenerateRequest| Numbrix.generate(request, 0, &cancel).unwrap_err().to_string();
    let size = Some(Size { rows: 3, cols: 3 });
    let with = |name, value| GenerateRequest { size, ..Default::default() }.with(&Numbrix, [(name, value)]);
    assert_eq!(
        refused(&with("clues", "10").unwrap()),
        "10 numbers cannot be given on a 3x3 board, which has 9 cells"
    );
    assert_eq!(
        refused(&GenerateRequest { size: Some(Size { rows: 65, cols: 3 }), ..Default::default() }),
        "a board of 65x3 cannot be made; boards go from 1x1 to 64x64"
    );
    assert!(with("blocked", "3").unwrap_err().to_string().contains("blocked means nothing to numbrix"));
    assert_eq!(
        with("pattern", "spiral").unwrap_err().to_string(),
        "numbrix: pattern is random, border or symmetric, not 'spiral'"
    );
}

#[test]
fn moves_as_text() {
    let board = id("numbrix:2x2:1c");
    assert_eq!(board.parse_moves("1,2=2 2,2=3\n2,1=4").unwrap(), ["1,2=2", "2,2=3", "2,1=4"]);
    assert_eq!(board.parse_moves("1 2\n4 3\n").unwrap(), ["1,2=2", "2,2=3", "2,1=4"]);
    let error = board.parse_moves("1,2=2 2,9=3").unwrap_err();
    assert_eq!(
        (error.message.as_str(), error.span),
        ("column 9 is too large, the largest here is 2", Some(8..9))
    );
    let error = board.parse_moves("1,2=2 hello").unwrap_err();
    assert_eq!((error.message.as_str(), error.span), ("'hello' is not a move", Some(6..11)));
    assert_eq!(
        board.parse_moves("2 1\n3 4\n").unwrap_err().message,
        "row 1, column 1 is 2 here, but 1 is given there"
    );
    let pictures = board.pictures(&["1,2=2".into(), "2,2=3".into()]);
    assert_eq!(pictures.last().unwrap().plain(), "1 2\n· 3");
    assert_eq!(pictures.len(), 3);
}

#[test]
fn a_time_limit_beyond_the_clock_is_no_limit() {
    let board = input::read("numbrix:3x3:1c5_4b9", None, None).unwrap().remove(0).instance;
    let mut request = Request::default();
    request.settings.limits.time = Some(std::time::Duration::MAX);
    let attempt = board.solve(&request, Control::default()).unwrap();
    assert_eq!(Report::new(&*board, &request, attempt).unwrap().outcome, Ending::Solved);
    let meter = Meter::new(request.settings.limits, Control::default());
    assert_eq!(board.enumerate(10, 1, &meter).unwrap().count, 1);
}
