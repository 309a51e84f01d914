//! The commands as a person at a shell meets them.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn novelo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_novelo")).args(arguments).output().unwrap()
}

fn novelo_with_input(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn an_error_that_nobody_reads_is_still_an_error() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
    command.args(["solve", "numbrix:0x3:a"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

/// Each better solution is a line of its own, with what is proved by then; the last of them is the result.
#[test]
fn improvements_are_printed_as_they_come() {
    let board =
        ["solve", "sliding:3x3:8,6,7,2,5,4,3,0,1", "--algorithm", "arastar:weight=10", "--all-improvements"];
    let output = novelo(&[&board[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let mut lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let report = lines.pop().unwrap();
    assert_eq!((report["outcome"].as_str(), report["optimal"].as_bool()), (Some("solved"), Some(true)));
    assert!(lines.len() > 1, "{text}");
    let costs: Vec<_> = lines.iter().map(|line| line["cost"].as_u64().unwrap()).collect();
    assert!(costs.is_sorted_by(|a, b| a > b), "{costs:?}");
    assert_eq!(costs.last().copied(), report["cost"].as_u64());
    for line in &lines {
        assert!(
            line["lower_bound"].as_u64() <= report["cost"].as_u64() && line["seconds"].is_number(),
            "{line}"
        );
        assert_eq!(line["moves"].as_array().unwrap().len() as u64, line["cost"].as_u64().unwrap());
    }
    let told = stdout(&novelo(&board));
    assert_eq!(
        told.lines().filter(|line| line.contains("none costs less than")).count(),
        lines.len(),
        "{told}"
    );
}

#[test]
fn a_result_has_every_field_of_the_contract() {
    let output = novelo(&["solve", "sliding:3x3:8,6,7,2,5,4,3,0,1", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    for field in [
        "puzzle",
        "instance",
        "name",
        "algorithm",
        "method",
        "heuristic",
        "outcome",
        "stop",
        "reason",
        "optimal",
        "cost",
        "depth",
        "moves",
        "expanded",
        "generated",
        "stored_peak",
        "peak_bytes",
        "seconds",
        "penetrance",
        "branching_factor",
        "lower_bound",
        "workers",
        "final",
    ] {
        assert!(report.get(field).is_some(), "{field} is absent");
    }
    assert_eq!(report["cost"], 31);
    assert_eq!(report["optimal"], true);
    assert_eq!(report["final"], "sliding:3x3:1,2,3,4,5,6,7,8,0");
}

fn solved(arguments: &[&str]) -> serde_json::Value {
    let output = novelo(&[&["solve", "--json"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn the_example_of_the_counts_page_is_true() {
    let report = solved(&["sliding:2x2:1,2,0,3", "-a", "bfs"]);
    let figures = ["expanded", "generated", "penetrance"].map(|name| report[name].to_string());
    assert_eq!(figures, ["1", "3", "0.5"]);
    assert!((report["branching_factor"].as_f64().unwrap() - 2.0).abs() < 1e-9);
}

#[test]
fn the_counts_page_and_the_program_explain_the_same_figures() {
    let page = include_str!("../../../docs/counts.md");
    let headings: Vec<_> =
        page.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`')).collect();
    let listed: serde_json::Value =
        serde_json::from_str(&stdout(&novelo(&["list", "counts", "--json"]))).unwrap();
    let names: Vec<_> =
        listed.as_array().unwrap().iter().map(|count| count["name"].as_str().unwrap()).collect();
    assert_eq!(names, headings);
    let report = solved(&["sliding:2x2:1,2,0,3", "-a", "bfs"]);
    assert!(names.iter().all(|name| !report[name].is_null()), "{report}");
}

#[test]
fn parameters_of_an_algorithm_are_part_of_its_name() {
    let board = "sliding:3x3:8,6,7,2,5,4,3,0,1";
    let [plain, twice] = ["wastar", "wastar:weight=2"].map(|name| solved(&[board, "-a", name]));
    assert_eq!(
        (&plain["algorithm"], &plain["method"]),
        (&"wastar:weight=1.5".into(), &"wastar:weight=1.5".into())
    );
    assert_eq!(twice["method"], "wastar:weight=2");
    assert_ne!(plain["expanded"], twice["expanded"]);
    assert_eq!(
        solved(&[board, "-a", "wastar:weight=1"])["expanded"],
        solved(&[board, "-a", "astar"])["expanded"]
    );
    assert_eq!(solved(&["sliding:2x2:1,2,0,3", "-a", "dls:limit=3"])["method"], "dls:limit=3");
    let output = novelo(&["solve", board, "-a", "dls:limit=3", "--json"]);
    assert_eq!(output.status.code(), Some(24), "the depth limit");
}

#[test]
fn what_has_no_effect_is_said_and_does_no_harm() {
    let (board, grid) = ("sliding:2x2:1,2,0,3", "numbrix:3x3:1c5_4b9");
    for (board, arguments, note) in [
        (
            board,
            &["-a", "bfs", "-H", "manhattan"][..],
            "--heuristic manhattan has no effect: bfs uses no heuristic",
        ),
        (board, &["-a", "greedy", "--threads", "2"], "--threads has no effect: greedy runs on one thread"),
        (
            grid,
            &["-a", "propagation", "--shuffle", "1"],
            "--shuffle has no effect: propagation expands no states",
        ),
        (grid, &["-a", "propagation", "-H", "openness"], "propagation uses no heuristic"),
    ] {
        let output = novelo(&[&["solve", board], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(stderr(&output).contains(note), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1);
    }
    for arguments in [
        &["-a", "astar", "-H", "manhattan"][..],
        &["-a", "idastar", "--threads", "2"],
        &["-a", "bfs", "--threads", "2"],
        &[],
    ] {
        assert!(stderr(&novelo(&[&["solve", board], arguments].concat())).is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_dedicated_method_is_called_by_its_name() {
    let report = solved(&["numbrix:3x3:1c5_4b9", "-a", "propagation"]);
    assert_eq!((&report["algorithm"], &report["method"]), (&"propagation".into(), &"propagation".into()));
    assert!(report["expanded"].is_null() && report["penetrance"].is_null(), "it expands no states: {report}");
}

#[test]
fn what_solve_prints_check_accepts() {
    let id = "sliding:4x4:5,1,3,4,2,6,7,8,9,0,10,11,13,14,15,12";
    for algorithm in ["bfs", "astar", "idastar", "greedy", "bidirectional", "auto"] {
        let solved = novelo(&["solve", id, "--algorithm", algorithm, "--json"]);
        assert_eq!(solved.status.code(), Some(0));
        let checked = novelo_with_input(&["check", id, "-"], &stdout(&solved));
        assert_eq!(checked.status.code(), Some(0), "{algorithm}: {}", stdout(&checked));
    }
}

#[test]
fn check_names_the_move_that_fails() {
    let output = novelo(&["check", "sliding:2x2:1,2,0,3", "L"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stdout(&output).contains("move 1 of 1, L: the blank is in the leftmost column"),
        "{}",
        stdout(&output)
    );
    let output = novelo(&["check", "sliding:2x2:1,2,0,3", "U"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("does not end at the goal"));
    assert_eq!(novelo(&["check", "sliding:2x2:1,2,0,3", "R"]).status.code(), Some(0));
}

#[test]
fn unreachable_goals_are_explained() {
    let output = novelo(&["solve", "sliding:4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0"]);
    assert_eq!(output.status.code(), Some(11));
    assert!(stdout(&output).contains("inversions") && stdout(&output).contains("row"), "{}", stdout(&output));
}

#[test]
fn instances_come_from_files_lines_and_standard_input() {
    let folder = std::env::temp_dir().join(format!("novelo-commands-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let set = folder.join("set.txt");
    let text =
        "# two boards\nfirst | 2x2 | 1 2 0 3 | 1 2 3 0 | 1 |\nsecond | 2x2 | 0 3 2 1 | 1 2 3 0 | 6 |\n";
    std::fs::write(&set, text).unwrap();
    let set = set.to_str().unwrap();
    let cost = |argument: &str| -> Vec<u64> {
        let output = novelo(&["solve", argument, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let cost =
            |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["cost"].as_u64().unwrap();
        stdout(&output).lines().map(cost).collect()
    };
    assert_eq!(cost(set), [1, 6]);
    assert_eq!(cost(&format!("{set}#second")), [6]);
    assert_eq!(cost(&format!("{set}#1")), [1]);
    let output = novelo(&["solve", &format!("{set}#third")]);
    assert_eq!(output.status.code(), Some(2));
    let output = novelo_with_input(&["solve", "-"], "1 2\n. 3\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn bad_input_gets_a_sentence_and_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["solve", "sliding:2x2:1,2,3,3"], "tile 3 again"),
        (&["solve", "sliding:2x2:1,2,3"], "has 4 cells"),
        (&["solve", "sliding:2x2:0,1,0,2"], "a second blank"),
        (&["solve", "sliding:0x2:"], "not a board size"),
        (&["solve", "sliding:2x2:1,2,3,99999999999999999999999"], "too large"),
        (&["solve", "sliding:17x2:1"], "too large"),
        (&["solve", "slidng:2x2:1,2,3,0"], "no puzzle 'slidng'"),
        (&["solve", "no-such-file.txt"], "cannot read no-such-file.txt"),
        (&["solve", "sliding:2x2:1,2,3,0", "--algorithm", "best"], "no algorithm 'best'"),
        (
            &["solve", "sliding:2x2:1,2,3,0", "--heuristic", "openness", "--algorithm", "astar"],
            "no heuristic 'openness'",
        ),
        (
            &["solve", "sliding:2x2:1,2,3,0", "--heuristic", "manhattan:x=1", "--algorithm", "astar"],
            "no parameters",
        ),
        (&["solve", "sliding:2x2:1,2,3,0", "--algorithm", "dls"], "needs a depth limit"),
        (&["solve", "sliding:2x2:1,2,3,0", "--time-limit", "soon"], "not a time"),
        (&["solve", "sliding:2x2:1,2,3,0", "--memory-limit", "lots"], "not a size"),
        (&["solve", "sliding:2x2:1,2,3,0", "--memory-limit", "1KiB"], "below"),
        (&["solve", "sliding:2x2:1,2,3,0", "--order", "UUDD"], "not an order of moves"),
        (&["solve", "sliding:2x2:1,2,3,0", "--goal", "4,4,4,4"], "--goal"),
        (&["check", "sliding:2x2:1,2,3,0", "X"], "'X' is not a move"),
        (&["generate", "sliding", "--size", "3x3", "--moves", "32"], "exactly 32 moves"),
        (&["generate", "sliding", "--size", "0x3"], "not a size"),
        (&["generate", "sliding", "--clues", "3"], "clues means nothing to sliding, which takes moves, goal"),
        (&["generate", "chess"], "no puzzle 'chess'"),
        (&["list", "puzzles", "sliding"], "only after algorithms or heuristics"),
        (&["solve", "sliding:2x2:1,2,3,0", "-a", "a*"], "no algorithm 'a*'; did you mean 'astar'?"),
        (
            &["solve", "sliding:2x2:1,2,3,0", "-a", "wastar:weight=0"],
            "weight is a number from 1 to 1000, not '0'",
        ),
        (
            &["solve", "sliding:2x2:1,2,3,0", "-a", "wastar:wieght=2"],
            "no parameter 'wieght'; did you mean 'weight'?",
        ),
        (
            &["solve", "sliding:2x2:1,2,3,0", "-a", "astar:weight=2"],
            "astar has no parameters, but 'weight' was given",
        ),
        (
            &["solve", "sliding:2x2:1,2,3,0", "-a", "wastar", "--weight", "2"],
            "unexpected argument '--weight'",
        ),
        (
            &["solve", "sliding:2x2:1,2,3,0", "numbrix:3x3:1c5_4b9", "-a", "tiles"],
            "tiles is no method of numbrix",
        ),
        (
            &["solve", "sliding:2x2:1,2,3,0", "numbrix:3x3:1c5_4b9", "-a", "astar", "-H", "manhattan"],
            "numbrix has no heuristic 'manhattan'",
        ),
        (&["solve", "sliding:2x2:1,2,3,0", "-H", "manhatan"], "did you mean 'manhattan'?"),
        (&["generate", "numbrx"], "no puzzle 'numbrx'; did you mean 'numbrix'?"),
    ];
    for (arguments, sentence) in cases {
        let output = novelo(arguments);
        // Long sentences are broken over lines.
        let said =
            stderr(&output).split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(sentence), "{arguments:?}: {said}");
        assert!(stdout(&output).is_empty());
    }
    let output = novelo_with_input(&["solve", "-", "--puzzle", "sliding"], "1 2 3\n4 5\n6 7 0\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("this row has 2 cells, the first has 3"));
}

#[test]
fn the_same_seed_makes_the_same_instances() {
    let arguments = ["generate", "sliding", "--size", "4x4", "--seed", "7", "--count", "3"];
    let output = novelo(&arguments);
    assert_eq!(stdout(&output).lines().count(), 3);
    assert_eq!(stdout(&output), stdout(&novelo(&arguments)));
    let solved = novelo_with_input(&["solve", "-", "--json", "--algorithm", "greedy"], &stdout(&output));
    assert_eq!(solved.status.code(), Some(0));
    assert_eq!(stdout(&solved).lines().count(), 3);
}

#[test]
fn list_explains_everything() {
    let text = stdout(&novelo(&["list"]));
    for name in [
        "sliding",
        "bfs",
        "dfs",
        "dls",
        "ids",
        "ucs",
        "greedy",
        "astar",
        "wastar",
        "idastar",
        "bidirectional",
    ] {
        assert!(text.contains(name), "{name}");
    }
    for what in ["puzzles", "algorithms", "heuristics", "counts"] {
        let json: serde_json::Value =
            serde_json::from_str(&stdout(&novelo(&["list", what, "--json"]))).unwrap();
        assert!(!json.as_array().unwrap().is_empty());
    }
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sliding = words(&stdout(&novelo(&["list", "algorithms", "sliding"])));
    assert!(sliding.contains("weight: a number from 1 to 1000, usually 1.5."), "{sliding}");
    assert!(sliding.contains("tiles") && sliding.contains("auto") && !sliding.contains("clause-learning"));
    let listed: serde_json::Value =
        serde_json::from_str(&stdout(&novelo(&["list", "algorithms", "mazes", "--json"]))).unwrap();
    let named = |name: &str| listed.as_array().unwrap().iter().find(|entry| entry["name"] == name);
    assert_eq!(named("clause-learning").unwrap()["puzzle"], "mazes");
    assert_eq!(named("wastar").unwrap()["parameters"][0]["default"], "1.5");
    assert!(named("auto").unwrap()["puzzle"].is_null() && named("tiles").is_none());
}

#[test]
fn the_name_of_an_instance_is_that_of_its_file() {
    let folder = std::env::temp_dir().join(format!("novelo-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let set = folder.join("set.txt");
    std::fs::write(&set, "first | 2x2 | 1 2 0 3 | 1 2 3 0 | 1 |\n").unwrap();
    assert_eq!(solved(&[set.to_str().unwrap()])["name"], "first");
    assert!(solved(&["sliding:2x2:1,2,0,3"])["name"].is_null());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn output_in_a_pipe_is_plain() {
    let output = novelo(&["solve", "sliding:3x3:1,2,3,4,5,6,0,7,8", "--show"]);
    let text = stdout(&output);
    assert!(!text.contains('\u{1b}'));
    assert!(text.contains("start") && text.contains("1. R") && text.contains("2. R"), "{text}");
}

#[test]
fn completions_and_man_pages() {
    let completions = stdout(&novelo(&["shell", "completions", "bash"]));
    for name in ["idastar", "clause-learning", "walking-distance", "numbrix"] {
        assert!(completions.contains(name), "{name}");
    }
    let folder = std::env::temp_dir().join(format!("novelo-man-{}", std::process::id()));
    assert_eq!(novelo(&["shell", "man", folder.to_str().unwrap()]).status.code(), Some(0));
    assert!(folder.join("novelo-solve.1").is_file());
    std::fs::remove_dir_all(folder).unwrap();
}

/// The texts of a file of the puzzles' tests: each after a line `=== what it is`.
fn texts(file: &str) -> Vec<(String, String)> {
    let path = format!("{}/../puzzles/tests/texts/{file}", env!("CARGO_MANIFEST_DIR"));
    let all = std::fs::read_to_string(path).unwrap();
    let parts = all.split("=== ").skip(1).map(|part| part.split_once('\n').unwrap());
    parts.map(|(what, text)| (what.to_owned(), text.to_owned())).collect()
}

/// What a command says to a person, on one line: its lines are wrapped, and drawn beside.
fn said(output: &Output) -> String {
    let text = stderr(output).replace('│', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_format_is_read_as_what_it_is() {
    for (id, text) in texts("formats.txt") {
        let output = novelo_with_input(&["solve", "-", "--json"], &text);
        assert!(matches!(output.status.code(), Some(0 | 11)), "{text}: {}", stderr(&output));
        let first: serde_json::Value = serde_json::from_str(stdout(&output).lines().next().unwrap()).unwrap();
        assert_eq!(first["instance"], id, "{text}");
    }
    let output = novelo_with_input(&["solve", "-"], "8 6 7 2 5 4 3 0 1");
    assert!(stdout(&output).contains("puzzle  sliding 3x3\n"), "{}", stdout(&output));
}

#[test]
fn what_could_be_two_puzzles_is_answered_with_the_choice() {
    for (puzzles, text) in texts("ambiguous.txt") {
        let output = novelo_with_input(&["solve", "-"], &text);
        assert_eq!(output.status.code(), Some(2), "{text}: {}", stdout(&output));
        for name in puzzles.split(' ') {
            assert!(said(&output).contains(&format!("--puzzle {name}")), "{}", said(&output));
        }
    }
    let output = novelo_with_input(&["solve", "-"], "1 2 3\n4 5 6\n7 8 8");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("it was read as sliding"), "{}", said(&output));
    assert!(said(&output).contains("--puzzle says otherwise"), "{}", said(&output));
}
