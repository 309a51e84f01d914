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
        "algorithm",
        "heuristic",
        "outcome",
        "stop",
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
        "final",
    ] {
        assert!(report.get(field).is_some(), "{field} is absent");
    }
    assert_eq!(report["cost"], 31);
    assert_eq!(report["optimal"], true);
    assert_eq!(report["final"], "sliding:3x3:1,2,3,4,5,6,7,8,0");
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
        (&["list", "algorithms", "sliding"], "only after heuristics"),
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
    for what in ["puzzles", "algorithms", "heuristics"] {
        let json: serde_json::Value =
            serde_json::from_str(&stdout(&novelo(&["list", what, "--json"]))).unwrap();
        assert!(!json.as_array().unwrap().is_empty());
    }
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
    assert!(stdout(&novelo(&["shell", "completions", "bash"])).contains("novelo"));
    let folder = std::env::temp_dir().join(format!("novelo-man-{}", std::process::id()));
    assert_eq!(novelo(&["shell", "man", folder.to_str().unwrap()]).status.code(), Some(0));
    assert!(folder.join("novelo-solve.1").is_file());
    std::fs::remove_dir_all(folder).unwrap();
}
