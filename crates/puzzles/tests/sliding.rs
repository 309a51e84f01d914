//! Sliding tiles as a user meets them: published boards and their optima.

mod shared;

use std::path::{Path, PathBuf};

use novelo_puzzles::Cost;
use novelo_puzzles::sliding::heuristics::TileSum;
use novelo_puzzles::sliding::{Move, Packed64, Rules, Tiles};
use novelo_puzzles::{Choice, Ending, Instance, Puzzle as _, Report, Request, sliding::Sliding};
use novelo_search::parameter::Spec;
use novelo_search::{Algorithm, Control, Fate, Limits, Node, Observer, Search, Settings, Stop};

/// A line of a set: its name, the instance, the optimum (`None`: unreachable)
/// and the notes.
struct Known {
    name: String,
    instance: Box<dyn Instance>,
    tiles: Tiles,
    optimum: Option<Cost>,
    notes: String,
}

fn set(file: &str) -> Vec<Known> {
    let folder = shared::folder("sliding");
    read(&folder, file)
}

fn read(folder: &Path, file: &str) -> Vec<Known> {
    let text = std::fs::read_to_string(folder.join(file)).expect("a set");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let instances = Sliding.parse(&text, None).expect("a well-formed set");
    assert_eq!(lines.clone().count(), instances.len());
    lines
        .zip(instances)
        .map(|(line, named)| {
            let fields: Vec<_> = line.split('|').map(str::trim).collect();
            let id = named.instance.id();
            Known {
                name: named.name.expect("sets name their instances"),
                instance: named.instance,
                tiles: Tiles::parse_id(id.strip_prefix("sliding:").unwrap(), None).unwrap(),
                optimum: fields[4].parse().ok(),
                notes: fields[5].to_owned(),
            }
        })
        .collect()
}

/// Solves by the front door; the report has been through the verifier.
fn solve(known: &Known, algorithm: &str, heuristic: Option<&str>, depth: Option<u32>) -> Report {
    let request = Request {
        cache: Some(std::env::temp_dir().join(format!("novelo-test-{}", std::process::id()))),
        algorithm: algorithm.parse::<Choice>().unwrap(),
        heuristic: heuristic.map(|name| name.parse::<Spec>().unwrap()),
        settings: Settings { limits: Limits { depth, ..Limits::default() }, ..Settings::default() },
        ..Request::default()
    };
    let attempt = known.instance.solve(&request, Control::default()).unwrap();
    Report::new(&*known.instance, &request, attempt).expect("the verifier accepts it")
}

fn assert_optimal(known: &Known, algorithm: &str, heuristic: Option<&str>) {
    let report = solve(known, algorithm, heuristic, None);
    let what = format!("{} by {algorithm} with {heuristic:?}", known.name);
    assert_eq!(report.cost, known.optimum, "{what}");
    let outcome = if known.optimum.is_some() { Ending::Solved } else { Ending::Unsolvable };
    assert_eq!((report.outcome, report.optimal), (outcome, known.optimum.is_some()), "{what}");
}

#[test]
#[ignore = "needs published boards"]
fn the_four_boards_of_the_fcup_report() {
    for known in set("fifteen-fcup-2019.txt") {
        for algorithm in ["bfs", "ids", "ucs", "bidirectional", "auto"] {
            assert_optimal(&known, algorithm, None);
        }
        for heuristic in ["hamming", "manhattan", "linear-conflict"] {
            for algorithm in ["astar", "idastar"] {
                assert_optimal(&known, algorithm, Some(heuristic));
            }
        }
        let outcome = if known.optimum.is_some() { Ending::Solved } else { Ending::Unsolvable };
        assert_eq!(solve(&known, "dls", None, Some(20)).outcome, outcome);
        for heuristic in ["hamming", "manhattan"] {
            assert_eq!(solve(&known, "greedy", Some(heuristic), None).outcome, outcome);
        }
    }
}

#[test]
#[ignore = "needs published boards"]
fn the_eight_puzzles() {
    let files = ["eight-ufmg-2018.txt", "eight-graded.txt", "eight-hardest.txt", "eight-any-goal.txt"];
    for known in files.into_iter().flat_map(set) {
        for algorithm in ["bfs", "ucs", "bidirectional", "auto"] {
            assert_optimal(&known, algorithm, None);
        }
        for heuristic in ["hamming", "manhattan", "linear-conflict", "zero"] {
            assert_optimal(&known, "astar", Some(heuristic));
        }
        assert_optimal(&known, "idastar", Some("manhattan"));
        assert_optimal(&known, "idastar", Some("linear-conflict"));
    }
}

#[test]
#[ignore = "needs published boards"]
fn rectangular_boards_and_any_goal() {
    for known in ["rectangular.txt", "fifteen-any-goal.txt"].into_iter().flat_map(set) {
        assert_optimal(&known, "astar", Some("manhattan"));
        assert_optimal(&known, "bidirectional", None);
        assert_optimal(&known, "auto", None);
    }
}

/// Korf's published counts: every node his IDA* generated, to the last.
#[test]
#[ignore = "needs published boards"]
fn korf_counts_of_idastar() {
    let mut boards = set("fifteen-korf-001-060.txt");
    let nodes = |known: &Known| -> u64 {
        let note = known.notes.split_whitespace().find_map(|note| note.strip_prefix("idastar_nodes="));
        note.expect("the set notes the nodes").parse().unwrap()
    };
    boards.sort_by_key(nodes);
    for known in boards.iter().take(10) {
        let report = solve(known, "idastar", Some("manhattan"), None);
        assert_eq!((report.generated, report.cost), (Some(nodes(known)), known.optimum), "{}", known.name);
        assert_optimal(known, "astar", Some("manhattan"));
        assert_optimal(known, "auto", None);
    }
}

/// Counts states by depth.
#[derive(Default)]
struct Levels(Vec<u64>);

impl Observer<Rules<Packed64>> for Levels {
    fn generated(&mut self, _: Node<'_, Packed64>, _: &Move, child: Node<'_, Packed64>, fate: Fate) {
        if fate == Fate::New {
            let depth = child.g as usize;
            self.0.resize(self.0.len().max(depth + 1), 0);
            self.0[depth] += 1;
        }
    }
}

/// The number of states at each distance from the goal, by breadth-first
/// search for a board that cannot be reached.
fn levels(id: &str, depth: Option<u32>) -> Vec<u64> {
    let tiles = Tiles::parse_id(id, None).unwrap();
    let rules = Rules::<Packed64>::new(&tiles, Move::DEFAULT_ORDER);
    let mut levels = Levels(vec![1]);
    let limits = Limits { depth, ..Limits::default() };
    Search::new(&rules).limits(limits).observer(&mut levels).run(Algorithm::Bfs).unwrap();
    levels.0
}

/// Korf and Schultze (2005), OEIS A089484; 8-puzzle by complete enumeration.
#[test]
#[ignore = "needs published boards"]
fn perft() {
    let folder = shared::folder("sliding");
    let text = std::fs::read_to_string(folder.join("depth-counts.txt")).unwrap();
    let column = |column: usize| -> Vec<u64> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map_while(|line| line.split_whitespace().nth(column)?.parse().ok()).collect()
    };
    assert_eq!(levels("3x3:1,2,3,4,5,6,7,8,0:1,2,3,4,5,6,8,7,0", None), column(1));
    let fifteen =
        levels("4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0:1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0", Some(24));
    assert_eq!(fifteen, column(2)[..25]);
}

/// Manhattan distance as the sets' authors computed it.
#[test]
#[ignore = "needs published boards"]
fn manhattan_distances_of_the_sets() {
    use novelo_search::{Heuristic as _, Problem as _};
    for known in
        ["fifteen-korf-001-060.txt", "fifteen-any-goal.txt", "eight-graded.txt"].into_iter().flat_map(set)
    {
        let rules = Rules::<Packed64>::new(&known.tiles, Move::DEFAULT_ORDER);
        let manhattan = TileSum::manhattan(&known.tiles).memo(&rules, &rules.start()).unwrap();
        assert!(known.notes.starts_with(&format!("manhattan={manhattan}")), "{}", known.name);
    }
}

/// `tiles` under every heuristic that it takes, and the engine under the same.
#[test]
#[ignore = "needs published boards"]
fn tables_and_walking_distance_on_8_puzzles_and_rectangles() {
    let eights = ["eight-graded.txt", "eight-hardest.txt", "eight-any-goal.txt"];
    for known in eights.into_iter().flat_map(set) {
        for heuristic in ["pdb:4-4", "walking-distance", "walking-distance:linear-conflict"] {
            for algorithm in ["idastar", "astar", "auto"] {
                assert_optimal(&known, algorithm, Some(heuristic));
            }
        }
        for heuristic in [None, Some("manhattan"), Some("pdb:4-4"), Some("walking-distance")] {
            assert_optimal(&known, "tiles", heuristic);
        }
    }
    for known in set("rectangular.txt") {
        assert_optimal(&known, "tiles", Some("walking-distance"));
        assert_optimal(&known, "auto", None);
    }
}

#[test]
#[ignore = "needs published boards"]
fn fifteen_puzzles_under_every_partition_and_any_goal() {
    let files = ["fifteen-graded.txt", "fifteen-any-goal.txt", "fifteen-fcup-2019.txt"];
    for heuristic in [None, Some("pdb:6-6-3"), Some("pdb:5-5-5")] {
        for known in files.into_iter().flat_map(set) {
            assert_optimal(&known, if heuristic.is_some() { "tiles" } else { "auto" }, heuristic);
        }
    }
    for known in
        set("fifteen-any-goal.txt").into_iter().filter(|known| known.optimum.is_some_and(|cost| cost < 46))
    {
        assert_optimal(&known, "tiles", Some("walking-distance"));
        assert_optimal(&known, "idastar", Some("pdb:6-6-3"));
        assert_optimal(&known, "astar", Some("pdb:6-6-3"));
    }
}

#[test]
#[ignore = "needs published boards"]
fn all_korf_boards() {
    for known in set("fifteen-korf-001-060.txt") {
        assert_optimal(&known, "auto", None);
    }
}

fn instance(id: &str) -> Box<dyn Instance> {
    Sliding.parse_id(id, None).unwrap()
}

fn report(instance: &dyn Instance, request: &Request) -> Report {
    let attempt = instance.solve(request, Control::default()).unwrap();
    Report::new(instance, request, attempt).expect("the verifier accepts it")
}

/// The last board of `instances/sliding/fifteen-ladder.txt`: 66 moves.
const HARD: &str = "4x4:11,15,12,13,14,5,3,8,0,7,6,9,4,2,1,10";

fn limited(algorithm: &str, heuristic: Option<&str>, limits: Limits) -> Request {
    Request {
        algorithm: algorithm.parse().unwrap(),
        heuristic: heuristic.map(|name| name.parse().unwrap()),
        settings: Settings { limits, ..Settings::default() },
        ..Request::default()
    }
}

#[test]
fn limits_hold_for_every_search_of_tiles() {
    let hard = instance(HARD);
    let nodes = Limits { nodes: Some(12_345), ..Limits::default() };
    for (algorithm, heuristic) in
        [("auto", None), ("tiles", Some("walking-distance")), ("tiles", None), ("idastar", Some("manhattan"))]
    {
        let report = report(&*hard, &limited(algorithm, heuristic, nodes));
        assert_eq!(
            (report.outcome, report.stop, report.expanded),
            (Ending::Stopped, Some(Stop::Nodes), Some(12_345))
        );
        assert!(report.lower_bound.is_some_and(|bound| bound <= 66));
    }
    let depth = Limits { depth: Some(40), ..Limits::default() };
    for (algorithm, heuristic) in [("auto", None), ("tiles", Some("walking-distance"))] {
        assert_eq!(report(&*hard, &limited(algorithm, heuristic, depth)).stop, Some(Stop::Depth));
    }
    // Too little for any table of a named partition, or for one of six tiles.
    let memory = Limits { memory: Some(1 << 20), nodes: Some(300_000), ..Limits::default() };
    for algorithm in ["tiles", "idastar", "astar"] {
        let report = report(&*hard, &limited(algorithm, Some("pdb:7-8"), memory));
        assert_eq!((report.stop, report.lower_bound.is_some()), (Some(Stop::Memory), true), "{algorithm}");
    }
    let small = report(&*hard, &limited("auto", None, memory));
    assert_eq!(small.stop, Some(Stop::Nodes));
    assert!(small.peak_bytes.is_some_and(|bytes| bytes <= 1 << 20), "{:?}", small.peak_bytes);
}

/// A solution whose search was ended by a limit says by which, also where that has let go of what it held.
#[test]
fn a_solution_that_memory_ended_the_search_beyond_says_so() {
    let hard = instance(HARD);
    let within = |memory| Limits { memory: Some(memory), ..Limits::default() };
    for (algorithm, heuristic, limits) in [
        ("windows", None, within(300_000)),
        ("awastar:weight=5", Some("manhattan"), within(4 << 20)),
        ("arastar:weight=5", Some("manhattan"), within(4 << 20)),
        ("cabs", Some("manhattan"), within(2 << 20)),
    ] {
        let report = report(&*hard, &limited(algorithm, heuristic, limits));
        assert_eq!(
            (report.outcome, report.optimal, report.stop),
            (Ending::Solved, false, Some(Stop::Memory)),
            "{algorithm}"
        );
    }
    // Nothing ended these: the first solution is all they look for, and a proof needs no more.
    for (algorithm, heuristic) in
        [("greedy", "manhattan"), ("wastar:weight=5", "manhattan"), ("idastar", "pdb:6-6-3")]
    {
        let limits = Limits { time: Some(std::time::Duration::from_secs(600)), ..Limits::default() };
        assert_eq!(report(&*hard, &limited(algorithm, Some(heuristic), limits)).stop, None, "{algorithm}");
    }
}

#[test]
fn a_depth_limit_is_named_only_where_it_is_proved_too_small() {
    let request = novelo_puzzles::GenerateRequest {
        size: Some("6x6".parse().unwrap()),
        seed: 3,
        difficulty: Some("easy".into()),
        ..Default::default()
    };
    let board = Sliding.generate(&request, 0, &std::sync::atomic::AtomicBool::new(false)).unwrap();
    let bound =
        report(&*board, &limited("auto", None, Limits { nodes: Some(1), ..Limits::default() })).lower_bound;
    let bound = bound.expect("a bound");
    let at_depth = |depth| {
        let limits = Limits { nodes: Some(1), depth: Some(depth), ..Limits::default() };
        report(&*board, &limited("auto", None, limits)).stop
    };
    assert_eq!(at_depth(bound - 2), Some(Stop::Depth));
    assert_eq!(at_depth(bound), Some(Stop::Nodes));
}

#[test]
fn times_without_end_are_no_limit() {
    let easy = instance("4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,0,14,15");
    let limits = Limits { time: Some(std::time::Duration::MAX), ..Limits::default() };
    assert_eq!(report(&*easy, &limited("auto", None, limits)).cost, Some(2));
    let limits = Limits { time: Some(std::time::Duration::from_secs(3_000_000_000_000_000_000)), ..limits };
    assert_eq!(report(&*easy, &limited("auto", None, limits)).cost, Some(2));
}

#[test]
fn what_ran_is_said_with_any_heuristic() {
    let board = instance("4x4:15,13,10,7,2,1,6,3,9,11,0,12,5,4,8,14");
    for (algorithm, heuristic, method) in [
        ("auto", None, "tiles"),
        ("auto", Some("manhattan"), "idastar"),
        ("auto", Some("walking-distance"), "tiles"),
        ("auto", Some("pdb:6-6-3"), "tiles"),
        ("idastar", Some("pdb:6-6-3"), "idastar"),
        ("tiles", Some("manhattan"), "tiles"),
    ] {
        let report = report(&*board, &limited(algorithm, heuristic, Limits::default()));
        assert_eq!(report.method.to_string(), method, "{algorithm} {heuristic:?}");
        assert!(heuristic.is_none() || report.heuristic.as_deref() == heuristic);
        assert_eq!((report.cost, report.optimal), (Some(48), true));
    }
}

/// The machine of `tiles` and its reflected tables prune; the engine's IDA* counts as A* and the page's tree do.
#[test]
fn the_engine_runs_under_its_names_whatever_the_heuristic() {
    let board = instance("3x3:8,6,7,2,5,4,3,0,1");
    for (heuristic, engine) in [("pdb:4-4", 268), ("walking-distance", 3515)] {
        let expanded =
            |algorithm| report(&*board, &limited(algorithm, Some(heuristic), Limits::default())).expanded;
        assert_eq!(expanded("idastar"), Some(engine), "{heuristic}");
        assert!(expanded("tiles") < expanded("idastar"), "{heuristic}");
    }
}

#[test]
fn windows_finds_a_solution_of_any_board() {
    for id in ["2x2:3,1,2,0", "3x3:8,6,7,2,5,4,3,0,1", HARD] {
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let report = report(&*instance(id), &limited("windows", None, limits));
        assert_eq!((report.outcome, report.method.to_string().as_str()), (Ending::Solved, "windows"), "{id}");
        assert!(report.expanded.is_some_and(|expanded| expanded <= 200_000), "{id}: {:?}", report.expanded);
    }
}

#[test]
fn what_a_method_cannot_do_is_refused_in_a_sentence() {
    let refused = |id: &str, algorithm: &str, heuristic: Option<&str>, shuffle: Option<u64>| {
        let mut request = limited(algorithm, heuristic, Limits::default());
        request.settings.shuffle = shuffle;
        instance(id).solve(&request, Control::default()).unwrap_err().to_string()
    };
    for heuristic in ["hamming", "linear-conflict", "walking-distance:linear-conflict"] {
        let error = refused(HARD, "tiles", Some(heuristic), None);
        assert_eq!(
            error,
            format!("tiles takes manhattan, pdb or walking-distance as its heuristic, not {heuristic}")
        );
    }
    assert!(refused("1x3:1,0,2", "tiles", None, None).contains("two rows and two columns"));
    assert!(refused("3x1:1,0,2", "windows", None, None).contains("two rows and two columns"));
    assert!(refused(HARD, "tiles", None, Some(1)).contains("cannot shuffle"));
    let large = "6x6:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,0,35";
    assert!(refused(large, "tiles", None, None).contains("at most 32 cells"));
    assert!(refused(large, "astar", Some("walking-distance"), None).contains("only the algorithm tiles"));
}

#[test]
fn boards_beyond_reach_get_a_good_solution_and_a_bound() {
    let nodes = Limits { nodes: Some(100_000), ..Limits::default() };
    // Boards of 5x5 are searched for an optimum first, and get a good solution in what time is left.
    let time = Limits { time: Some(std::time::Duration::from_secs(5)), ..Limits::default() };
    for (rows, cols, limits) in [(5, 5, time), (6, 6, nodes), (3, 10, nodes), (16, 16, nodes), (2, 16, nodes)]
    {
        let request = novelo_puzzles::GenerateRequest {
            size: Some(novelo_puzzles::Size { rows, cols }),
            seed: 4,
            ..Default::default()
        };
        let instance = Sliding.generate(&request, 0, &std::sync::atomic::AtomicBool::new(false)).unwrap();
        let report = report(&*instance, &limited("auto", None, limits));
        assert_eq!((report.outcome, report.optimal), (Ending::Solved, false), "{rows}x{cols}");
        assert!(report.lower_bound <= report.cost && report.lower_bound > Some(0));
    }
}

#[test]
fn beams_are_as_wide_as_the_memory_allows() {
    const MOST: usize = 32 << 20;
    let board = instance(
        "6x6:35,34,33,32,31,30,29,28,27,26,25,24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,1,2,0",
    );
    let limits =
        Limits { memory: Some(MOST), time: Some(std::time::Duration::from_secs(1)), ..Limits::default() };
    let report = report(&*board, &limited("auto", None, limits));
    assert_eq!((report.outcome, report.method.to_string().as_str()), (Ending::Solved, "windows"));
    // Only beams hold that much.
    let bytes = report.peak_bytes.expect("beams reserve their bytes");
    assert!((1 << 22..=MOST).contains(&bytes), "{bytes}");
}

#[test]
fn partitions_that_do_not_fit_are_refused_in_a_sentence() {
    let board = instance("3x3:8,6,7,2,5,4,3,0,1");
    for (heuristic, word) in [
        ("pdb:6-6-3", "known are 4-4"),
        ("pdb", "pdb needs its partition"),
        ("pdb:aab/aab/ccb.", "letters"),
        ("pdb:.ab/aab/abb", "row 3, column 3"),
        ("walking-distance:3", "linear-conflict"),
    ] {
        let error = board.solve(&limited("idastar", Some(heuristic), Limits::default()), Control::default());
        let error = error.unwrap_err().to_string();
        assert!(error.contains(word), "{heuristic}: {error}");
    }
    let drawn = report(&*board, &limited("idastar", Some("pdb:aab/aab/bb."), Limits::default()));
    assert_eq!((drawn.cost, drawn.heuristic.as_deref()), (Some(31), Some("pdb:aab/aab/bb.")));
    let fine = instance("4x5:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,0,19");
    for (algorithm, heuristic, word) in [
        ("astar", "pdb:abcde/fghij/klmno/pqrs.", "19 patterns"),
        ("idastar", "pdb:aaaaa/aaabb/bbbbb/cccc.", "2^32 bits"),
        ("idastar", "pdb:7-8", "draw one"),
    ] {
        let error = fine.solve(&limited(algorithm, Some(heuristic), Limits::default()), Control::default());
        let error = error.unwrap_err().to_string();
        assert!(error.contains(word), "{heuristic}: {error}");
    }
    let row = instance("1x4:1,2,0,3");
    let request = limited("idastar", Some("walking-distance"), Limits::default());
    assert!(row.solve(&request, Control::default()).is_err());
}

/// The four boards of a course report and the optima it gives, from the repository itself.
#[test]
fn the_four_boards_of_a_course() {
    let boards = read(&own(), "fifteen-course.txt");
    let names: Vec<_> = boards.iter().map(|known| known.name.as_str()).collect();
    assert_eq!(names, ["fcup-conf1", "fcup-conf2", "fcup-conf3", "fcup-conf4"]);
    assert!(boards.iter().map(|known| known.optimum).eq([12, 13, 10, 12].map(Some)));
    for known in &boards {
        for (algorithm, heuristic) in [
            ("auto", None),
            ("bfs", None),
            ("ids", None),
            ("astar", Some("hamming")),
            ("astar", Some("manhattan")),
        ] {
            assert_optimal(known, algorithm, heuristic);
        }
        // A move changes the parity of the permutation: every solution is as even or odd as the shortest.
        let limited = solve(known, "dls", None, Some(20));
        assert_eq!(limited.cost.map(|cost| cost % 2), known.optimum.map(|cost| cost % 2), "{}", known.name);
    }
}

/// Korf (1985): the nodes that his IDA* generated on four of his boards, to the last, from the repository itself.
#[test]
fn korf_counts_of_four_boards() {
    let boards = read(&own(), "fifteen-korf.txt");
    let published = [(45, 546_344), (42, 877_823), (41, 927_212), (46, 1_280_495)];
    assert_eq!(boards.len(), published.len());
    for (known, (optimum, nodes)) in boards.iter().zip(published) {
        assert_eq!(known.notes, format!("idastar_nodes={nodes}"));
        let instance = &known.instance;
        let mut request = limited("idastar", Some("manhattan"), Limits::default());
        request.order = Some("ULRD".into());
        let report = report(&**instance, &request);
        assert_eq!((report.cost, report.generated), (Some(optimum), Some(nodes)), "{}", known.name);
        assert!(report.optimal);
    }
}

/// Positions at each depth from a goal with the blank in a corner: all of the 8-puzzle, by complete enumeration, and the
/// first of the 15-puzzle, by Korf and Schultze (2005).
#[test]
fn positions_by_depth() {
    let eight = [
        1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878,
        16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
    ];
    assert_eq!(eight.iter().sum::<u64>(), 181_440);
    assert_eq!(levels("3x3:1,2,3,4,5,6,7,8,0:1,2,3,4,5,6,8,7,0", None), eight);
    let fifteen = [
        1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842, 119_000, 231_844,
        447_342, 859_744,
    ];
    let counted =
        levels("4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0:1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0", Some(19));
    assert_eq!(counted, fifteen);
}

/// The project's own boards.
fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/sliding")
}

/// The project's own boards: every length is there, and a sample of the optima is what the files say.
#[test]
#[ignore = "needs published boards"]
fn the_ladders() {
    let folder = own();
    let eight = read(&folder, "eight-ladder.txt");
    assert!(eight.iter().map(|known| known.optimum).eq((0..=31).map(Some)));
    let fifteen = read(&folder, "fifteen-ladder.txt");
    assert!(fifteen.iter().map(|known| known.optimum).eq((10..=66).map(Some)));
    let twenty_four = read(&folder, "twentyfour-ladder.txt");
    for known in eight.iter().chain(fifteen.iter().step_by(4)).chain(twenty_four.iter().take(1)) {
        assert_optimal(known, "auto", None);
    }
}
