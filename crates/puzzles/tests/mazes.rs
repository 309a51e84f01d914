//! Unequal Length Mazes as a user meets them: published boards, every
//! algorithm with every heuristic, the generator.

mod shared;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use novelo_puzzles::{
    Choice, Ending, GenerateRequest, Instance, Report, Request, Size, input, mazes, puzzle,
};
use novelo_search::parameter::Spec;
use novelo_search::{Algorithm, CannotRun, Control, Heuristic, Limits, Meter, Problem, Stop};

/// A line of the index of instances with known answers.
struct Known {
    name: String,
    solutions: u64,
    exact: bool,
    depth: Option<usize>,
    cost: Option<u32>,
    path: Option<String>,
    instance: Box<dyn Instance>,
}

/// The instances with known answers, if they are there.
fn known() -> Vec<Known> {
    let folder = shared::folder("unequal-length-mazes");
    let index = std::fs::read_to_string(folder.join("INDEX.txt")).unwrap();
    let mut all = Vec::new();
    for line in index.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let fields: Vec<_> = line.split_whitespace().collect();
        let text = std::fs::read_to_string(folder.join(format!("{}.txt", fields[0]))).unwrap();
        let mut instances = input::read(&text, None, None).unwrap();
        assert_eq!(instances.len(), 1);
        let instance = instances.remove(0).instance;
        assert_eq!(instance.puzzle().info().name, "mazes");
        all.push(Known {
            name: fields[0].into(),
            solutions: fields[4].trim_end_matches('+').parse().unwrap(),
            exact: !fields[4].ends_with('+'),
            depth: fields[7].parse().ok(),
            cost: fields[8].parse().ok(),
            path: (fields[9] != "-").then(|| fields[9].into()),
            instance,
        });
    }
    all
}

fn request(algorithm: &str, heuristic: Option<&str>) -> Request {
    let mut request = Request {
        algorithm: algorithm.parse::<Choice>().unwrap(),
        heuristic: heuristic.map(Spec::plain),
        ..Request::default()
    };
    request.settings.limits.time = Some(Duration::from_secs(20));
    request
}

/// Solves and replays; a result that the verifier refuses fails the test.
fn run(instance: &dyn Instance, request: &Request) -> Report {
    let attempt = instance.solve(request, Control::default()).unwrap();
    Report::new(instance, request, attempt).unwrap()
}

#[test]
#[ignore = "needs published boards"]
fn known_paths_are_solutions_of_the_known_cost() {
    for known in known() {
        let Some(path) = &known.path else { continue };
        let verdict = known.instance.check(&known.instance.parse_moves(path).unwrap());
        assert!(verdict.is_solution(), "{}: {verdict:?}", known.name);
        if let (Some(depth), Some(cost)) = (known.depth, known.cost) {
            assert_eq!((verdict.legal, verdict.cost), (depth, cost), "{}", known.name);
        }
        assert!(input::read(&verdict.end, None, None).is_ok());
    }
}

#[test]
#[ignore = "needs published boards"]
fn the_published_boards_are_solved_as_published() {
    for known in known().iter().filter(|known| known.name.starts_with("board-")) {
        for (algorithm, heuristic) in
            [("dfs", None), ("astar", Some("twice-empty")), ("astar", Some("turns"))]
        {
            let report = run(&*known.instance, &request(algorithm, heuristic));
            assert_eq!(report.outcome, Ending::Solved, "{} {algorithm}", known.name);
            assert_eq!((known.solutions, known.exact), (1, true));
            assert_eq!((report.depth, report.cost), (known.depth, known.cost));
            let moves = known.instance.parse_moves(known.path.as_ref().unwrap()).unwrap();
            assert_eq!(report.moves, Some(moves));
            assert_eq!(report.optimal, heuristic == Some("turns"));
        }
    }
}

#[test]
#[ignore = "needs published boards"]
fn breadth_first_search_visits_what_the_course_counted() {
    // The measurements published with the boards: 43619 nodes on board 0.
    for known in known().iter().filter(|known| known.name == "board-00") {
        assert_eq!(run(&*known.instance, &request("bfs", None)).generated, Some(43619));
    }
}

#[test]
#[ignore = "needs published boards"]
fn every_known_board_has_as_many_solutions_as_known() {
    for known in known() {
        let report = run(&*known.instance, &request("auto", None));
        assert_eq!(
            report.outcome,
            if known.solutions > 0 { Ending::Solved } else { Ending::Unsolvable },
            "{}",
            known.name
        );
        if known.exact {
            let most = known.solutions + 1;
            let found = known
                .instance
                .enumerate(most, 1, &Meter::new(Limits::default(), Control::default()))
                .unwrap();
            assert_eq!((found.count, found.exact), (known.solutions, true), "{}", known.name);
            assert!(report.optimal || known.solutions == 0, "{}", known.name);
        }
        if known.solutions == 1 && known.exact {
            let path = known.instance.parse_moves(known.path.as_ref().unwrap()).unwrap();
            assert_eq!(report.moves, Some(path));
        }
    }
}

#[test]
#[ignore = "needs published boards"]
fn ids_give_the_same_instances() {
    for known in known() {
        let id = known.instance.id();
        let again = input::read(&id, None, None).unwrap().remove(0).instance;
        assert_eq!(again.id(), id);
    }
}

fn instance(id: &str) -> Box<dyn Instance> {
    input::read(id, None, None).unwrap().remove(0).instance
}

/// Small boards with their cheapest cost, if they have a solution.
const SMALL: &[(&str, Option<u32>)] = &[
    ("mazes:1x1:1", Some(0)),
    ("mazes:1x2:2", Some(3)),
    ("mazes:1x5:5", Some(6)),
    ("mazes:2x2:2/2", None),
    ("mazes:3x3:3/3/3", Some(18)),
    ("mazes:3x3:2x/3/3", None),
    ("mazes:4x4:4/1xxx/4/4", Some(22)),
    ("mazes:3x4:E3/4/3S", Some(21)),
    ("mazes:2x3:3/3", None),
    ("mazes:3x2:2/2/2", None),
];

#[test]
fn every_algorithm_with_every_heuristic_agrees() {
    let mazes = puzzle("mazes").unwrap();
    for &(id, cost) in SMALL {
        let instance = instance(id);
        for algorithm in Algorithm::all() {
            for heuristic in mazes.heuristics() {
                let mut request = request(algorithm.name(), Some(heuristic.name));
                request.settings.limits.depth = (algorithm == Algorithm::Dls { limit: None }).then_some(40);
                let attempt = match instance.solve(&request, Control::default()) {
                    Err(error) => {
                        let backwards = CannotRun::NeedsReversible(algorithm).into();
                        assert_eq!(error, backwards, "{algorithm}");
                        continue;
                    }
                    Ok(attempt) => attempt,
                };
                let report = Report::new(&*instance, &request, attempt).unwrap();
                let guided = algorithm.info().needs.heuristic();
                if report.stop == Some(Stop::GaveUp) && algorithm.info().complete.starts_with("no") {
                    continue;
                }
                assert_eq!(
                    report.outcome,
                    if cost.is_some() { Ending::Solved } else { Ending::Unsolvable },
                    "{id}"
                );
                assert!(report.cost >= cost);
                if report.optimal {
                    assert_eq!(report.cost, cost, "{id} {algorithm} {}", heuristic.name);
                }
                let proves = matches!(algorithm, Algorithm::AStar | Algorithm::IdaStar) && guided;
                if cost.is_some() && (algorithm == Algorithm::Ucs || proves && heuristic.promise.admissible) {
                    assert!(report.optimal, "{id} {algorithm} {}", heuristic.name);
                }
            }
        }
    }
}

#[test]
fn limits_end_a_run_with_their_reason() {
    let instance = instance("mazes:9x9:9/9/9/9/9/9/9/9/9");
    let stop = |request: &Request| run(&*instance, request).stop;
    let mut limited = request("ucs", None);
    limited.settings.limits.nodes = Some(1000);
    assert_eq!(stop(&limited), Some(Stop::Nodes));
    let mut limited = request("dls", None);
    limited.settings.limits.depth = Some(8);
    assert_eq!(stop(&limited), Some(Stop::Depth));
    let mut limited = request("ids", None);
    limited.settings.limits.depth = Some(8);
    assert_eq!(stop(&limited), Some(Stop::Depth));
    let mut limited = request("bfs", None);
    limited.settings.limits.memory = Some(1 << 20);
    assert_eq!(stop(&limited), Some(Stop::Memory));
}

#[test]
#[ignore = "needs published boards"]
fn uniform_cost_and_the_admissible_estimate_agree() {
    for known in
        known().iter().filter(|known| known.name.starts_with("edge") || known.name.starts_with("random-0"))
    {
        let ucs = run(&*known.instance, &request("ucs", None));
        let astar = run(&*known.instance, &request("astar", Some("turns")));
        assert_eq!((ucs.outcome, ucs.cost, ucs.optimal), (astar.outcome, astar.cost, astar.optimal));
        assert_eq!(ucs.outcome == Ending::Solved, known.solutions > 0, "{}", known.name);
        assert!(astar.expanded <= ucs.expanded);
    }
}

fn generate(request: &GenerateRequest, number: u64) -> Box<dyn Instance> {
    puzzle("mazes").unwrap().generate(request, number, &AtomicBool::new(false)).unwrap()
}

#[test]
fn generated_mazes_are_solved_and_come_again() {
    for (rows, cols) in [(1, 2), (2, 3), (3, 3), (4, 5), (5, 5), (6, 4), (6, 6), (7, 7)] {
        for number in 0..5 {
            let request = GenerateRequest { size: Some(Size { rows, cols }), seed: 7, ..Default::default() };
            let instance = generate(&request, number);
            assert_eq!(instance.id(), generate(&request, number).id());
            let report = run(&*instance, &self::request("greedy", Some("turns")));
            assert_eq!(report.outcome, Ending::Solved, "{}", instance.id());
        }
    }
}

/// Counts solutions by the textbook formulation: depth-first search with the
/// dead ends of an estimate, which the generator does not use.
fn solutions(maze: &mazes::Maze) -> usize {
    fn go(
        rules: &mazes::Rules<2>,
        estimate: &mazes::heuristics::CellSum,
        state: &mut mazes::State<2>,
        found: &mut usize,
    ) {
        if rules.is_goal(state) {
            *found += 1;
            return;
        }
        let mut actions = Vec::new();
        rules.actions(state, &mut actions);
        for action in actions {
            let (_, undo) = rules.apply(state, action);
            if estimate.memo(rules, state).is_some() {
                go(rules, estimate, state, found);
            }
            rules.undo(state, action, undo);
        }
    }
    let rules = mazes::Rules::<2>::new(maze);
    let mut found = 0;
    go(&rules, &mazes::heuristics::CellSum::twice_empty(maze), &mut rules.start(), &mut found);
    found
}

#[test]
fn mazes_made_to_have_one_solution_have_one() {
    let maze = |instance: &dyn Instance| {
        mazes::Maze::parse_id(instance.id().strip_prefix("mazes:").unwrap()).unwrap()
    };
    for (rows, cols, blocked) in [(5, 5, None), (5, 6, None), (6, 6, Some(3)), (7, 7, None), (7, 7, Some(8))]
    {
        let request = GenerateRequest { size: Some(Size { rows, cols }), ..Default::default() };
        let blocks = blocked.map(|blocked| ("blocked", blocked.to_string()));
        let options = std::iter::once(("unique", "true".to_owned())).chain(blocks);
        let request = request.with(puzzle("mazes").unwrap(), options).unwrap();
        for number in 0..4 {
            let maze = maze(&*generate(&request, number));
            assert_eq!(solutions(&maze), 1, "{}", maze.id());
            assert!(blocked.is_none_or(|blocked| maze.free() + blocked == rows * cols));
        }
    }
    for difficulty in ["easy", "normal", "hard", "expert"] {
        let request = GenerateRequest { difficulty: Some(difficulty.into()), seed: 3, ..Default::default() };
        assert_eq!(solutions(&maze(&*generate(&request, 0))), 1);
    }
}

#[test]
fn what_cannot_be_generated_is_refused() {
    let with = |request: GenerateRequest, name: &str, value: &str| {
        request.with(puzzle("mazes").unwrap(), [(name, value)])
    };
    let refuse = |request: &GenerateRequest| {
        puzzle("mazes").unwrap().generate(request, 0, &AtomicBool::new(false)).unwrap_err().to_string()
    };
    let size = |rows, cols| GenerateRequest { size: Some(Size { rows, cols }), ..Default::default() };
    assert_eq!(refuse(&size(2, 2)), "no 2x2 maze has a solution");
    assert!(refuse(&size(65, 2)).contains("64x64"));
    assert!(refuse(&size(1, 1)).contains("1x1"));
    assert_eq!(
        with(size(7, 7), "clues", "3").unwrap_err().to_string(),
        "the option clues means nothing to mazes, which takes blocked, unique, size, seed, difficulty"
    );
    assert_eq!(
        with(size(7, 7), "blokced", "3").unwrap_err().to_string(),
        "the option blokced means nothing to mazes; did you mean blocked?"
    );
    assert_eq!(
        with(size(7, 7), "blocked", "many").unwrap_err().to_string(),
        "mazes: blocked is a whole number from 0 to 4096, not 'many'"
    );
    let blocked = |blocked| with(size(7, 7), "blocked", blocked).unwrap();
    assert!(refuse(&blocked("3")).contains("an even number"));
    assert!(refuse(&blocked("40")).contains("at most 36"));
    let level = GenerateRequest { difficulty: Some("fiendish".into()), ..Default::default() };
    assert!(refuse(&level).contains("easy, normal, hard and expert"));
}
