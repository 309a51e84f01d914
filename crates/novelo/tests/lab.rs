//! The lab as a person at a shell meets it: comparisons, reports, audits, the ready experiments.

#![allow(unsafe_code, reason = "sends signals to processes")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn novelo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_novelo")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn a_comparison_agrees_with_what_is_known_of_the_eight_puzzle() {
    let set = root().join("instances/sliding/eight-ladder.txt");
    let boards: Vec<_> = [8, 12, 16, 20].map(|n| format!("{}#eight-{n:02}", set.display())).to_vec();
    let options =
        ["--algorithms", "bfs,astar,idastar", "--heuristics", "manhattan,hamming", "--by", "instance,method"];
    let arguments: Vec<&str> =
        ["compare", "--json"].into_iter().chain(boards.iter().map(String::as_str)).collect();
    let rows = objects(&stdout(&novelo(&[&arguments[..], &options].concat())));
    assert_eq!(rows.len(), boards.len() * 5);
    for (n, rows) in [8, 12, 16, 20].iter().zip(rows.chunks(5)) {
        let expanded = |method: &str| {
            let row = rows.iter().find(|row| row["method"] == method).unwrap();
            assert_eq!((&row["cost"], &row["proved"]), (&f64::from(*n).into(), &1.into()), "{row}");
            row["expanded"].as_f64().unwrap()
        };
        assert!(expanded("astar hamming") < expanded("bfs"));
        for algorithm in ["astar", "idastar"] {
            let [manhattan, hamming] =
                ["manhattan", "hamming"].map(|it| expanded(&format!("{algorithm} {it}")));
            // Nothing beats going straight to the goal.
            assert!(manhattan < hamming || hamming <= f64::from(*n));
        }
    }
}

#[test]
fn a_comparison_comes_in_every_form() {
    let board = "sliding:3x3:1,2,3,4,5,6,0,7,8";
    let compare = |form: &[&str]| stdout(&novelo(&[&["compare", board, "-a", "bfs,astar"], form].concat()));
    assert!(compare(&[]).lines().any(|line| line.contains('*')), "the best are marked");
    assert!(compare(&["--markdown"]).starts_with("| method |"));
    assert!(compare(&["--csv"]).starts_with("method,solved,cost,proved,expanded"));
    assert_eq!(objects(&compare(&["--json", "--repeat", "2"])).len(), 5);
    let folder = std::env::temp_dir().join(format!("novelo-forms-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (svg, html) = (folder.join("a.svg"), folder.join("a.html"));
    compare(&["--svg", svg.to_str().unwrap(), "--html", html.to_str().unwrap()]);
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("novelo solve sliding:3x3:1,2,3,4,5,6,0,7,8 --algorithm bfs"));
    assert!(!page.contains("src=") && !page.contains("href=\"http"), "it needs nothing else");
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_comparison_that_is_interrupted_shows_what_it_has() {
    let boards =
        ["sliding:3x3:1,2,3,4,5,6,0,7,8", "sliding:4x4:15,14,8,12,10,11,9,13,2,6,5,1,3,7,4,0:blank-first"];
    // The first run takes no time and the second all it is given; how soon the first is done depends on the machine.
    let rows = [1, 4, 16, 64].into_iter().find_map(|seconds| {
        let child = Command::new(env!("CARGO_BIN_EXE_novelo"))
            .args(["compare", boards[0], boards[1], "--algorithms", "ids", "--by", "instance", "--json"])
            .args(["--time-limit", "300s"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        // SAFETY: sends a signal to a child of this process.
        unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert!(String::from_utf8_lossy(&output.stderr).contains("of 2 runs were done"));
        let rows = objects(std::str::from_utf8(&output.stdout).unwrap());
        (!rows.is_empty()).then_some(rows)
    });
    let rows = rows.expect("a board two moves from its goal is solved");
    assert_eq!((rows.len(), &rows[0]["solved"]), (1, &Value::from(1)));
}

#[test]
fn a_comparison_leaves_out_what_does_not_apply_and_refuses_what_does_not_exist() {
    let output = novelo(&["compare", "boxes:2x2:2", "--json", "--algorithms", "astar,bidirectional"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("bidirectional is left out"));
    assert!(objects(&stdout(&output)).iter().all(|row| row["solved"] == 1));
    for wrong in [["--algorithms", "best"], ["--heuristics", "manhattan"], ["--time-limit", "soon"]] {
        let output = novelo(&[&["compare", "boxes:2x2:2"], &wrong[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn algorithms_of_a_comparison_have_their_parameters() {
    let board = "sliding:3x3:1,2,3,4,0,6,7,5,8";
    let algorithms = "wastar:weight=2,dls:limit=20,astar";
    let rows = objects(&stdout(&novelo(&["compare", board, "--json", "-a", algorithms, "-H", "manhattan"])));
    let methods: Vec<_> = rows.iter().map(|row| row["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["wastar:weight=2 manhattan", "dls:limit=20", "astar manhattan"]);
    for (wrong, sentence) in [
        ("wastar:weight=0", "weight is a number from 1 to 1000"),
        ("astar,a*", "did you mean 'astar'?"),
        ("bfs,dls", "dls needs a depth limit"),
        ("clause-learning", "clause-learning is no method of sliding"),
    ] {
        let output = novelo(&["compare", board, "-a", wrong]);
        let said = String::from_utf8_lossy(&output.stderr).replace('│', " ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(2), "{wrong}: {said}");
        assert!(said.contains(sentence), "{wrong}: {said}");
    }
}

/// The rows of a comparison as they are printed in Markdown, by method: the cells, the best of which are bold.
fn starred(arguments: &[&str]) -> std::collections::HashMap<String, Vec<String>> {
    let text = stdout(&novelo(&[&["compare", "--markdown"], arguments].concat()));
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches(['|', ' ']).split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    text.lines().skip(2).map(cells).map(|row| (row[0].clone(), row)).collect()
}

#[test]
fn a_worse_solution_gets_no_star_for_its_nodes_and_what_does_not_apply_none_at_all() {
    let board = root().join("instances/sliding/eight-ladder.txt");
    let board = format!("{}#eight-20", board.display());
    let rows = starred(&[&board, "-a", "greedy,astar,bfs,dfs", "-H", "manhattan"]);
    let cost = |method: &str| rows[method][2].replace("**", "").replace(',', "").parse::<u32>().unwrap();
    let [expanded, penetrance, factor] = [4, 9, 10];
    let (greedy, best) = (&rows["greedy manhattan"], &rows["astar manhattan"]);
    assert!(cost("greedy manhattan") > cost("astar manhattan"), "{rows:?}");
    for column in [expanded, penetrance, factor] {
        assert!(!greedy[column].starts_with("**"), "{greedy:?}");
        assert!(best[column].starts_with("**"), "{best:?}");
    }
    // The method of boxes searches among something else than states, and its single node is no feat.
    let rows = starred(&["boxes:2x2:2", "-a", "auto,bfs,astar", "-H", "shared-arcs"]);
    assert_eq!(
        [expanded, penetrance, factor].map(|column| rows["auto"][column].as_str()),
        ["–"; 3],
        "{rows:?}"
    );
}

#[test]
fn rows_on_different_instances_are_not_rivals() {
    let boards = ["sliding:3x3:1,2,3,4,5,6,0,7,8", "sliding:3x3:8,6,7,2,5,4,3,0,1"];
    let text = stdout(&novelo(&[
        "compare",
        boards[0],
        boards[1],
        "-a",
        "astar",
        "-H",
        "manhattan",
        "--by",
        "instance",
    ]));
    let rows: String = text.lines().skip(1).collect();
    assert!(!rows.contains('*'), "one row an instance, nothing to compare: {text}");
}

/// The runs that each ready experiment of a folder would do.
fn planned(folder: &Path) -> Vec<usize> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let experiments = files.filter(|path| path.extension().is_some_and(|kind| kind == "toml"));
    let plan = |path: PathBuf| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
        command.args(["experiment", "run", path.to_str().unwrap(), "--dry-run"]);
        let runs = stdout(&command.env_remove("NOVELO_INSTANCES").output().unwrap()).lines().count();
        assert!(runs >= 20, "{}", path.display());
        runs
    };
    experiments.map(plan).collect()
}

#[test]
fn the_ready_experiments_can_be_run_with_the_shared_boards_and_without() {
    assert!(planned(&root().join("experiments")).len() >= 7);
    // A copy has no collection beside it.
    let copy = std::env::temp_dir().join(format!("novelo-alone-{}", std::process::id()));
    for folder in
        ["experiments", "instances/sliding", "instances/numbrix", "instances/mazes", "instances/boxes"]
    {
        std::fs::create_dir_all(copy.join("project").join(folder)).unwrap();
        for entry in std::fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), copy.join("project").join(folder).join(entry.file_name())).unwrap();
        }
    }
    assert!(planned(&copy.join("project/experiments")).len() >= 7);
    std::fs::remove_dir_all(copy).unwrap();
}

fn audit(arguments: &[&str]) -> Value {
    let output = novelo(&[&["audit", "--json"], arguments].concat());
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn consistent_heuristics_are_acquitted_on_every_state_of_the_eight_puzzle() {
    let mut errors = Vec::new();
    for heuristic in ["hamming", "manhattan", "linear-conflict", "walking-distance", "pdb:4-4"] {
        let audit = audit(&["sliding", "--heuristic", heuristic]);
        assert_eq!(audit["states"], 181_440, "{heuristic}");
        assert_eq!((&audit["admissible"], &audit["consistent"]), (&true.into(), &true.into()), "{audit}");
        errors.push(audit["mean_error"].as_f64().unwrap());
    }
    // Positions are 21.97 moves from the goal on average (Reinefeld 1993), their Manhattan distance is 14; each of the
    // first three heuristics is nowhere below the one before it.
    assert!((errors[1] - 7.97).abs() < 0.01);
    assert!(errors[0] > errors[1] && errors[1] > errors[2]);
}

#[test]
fn heuristics_that_overestimate_are_convicted_with_a_board_that_shows_it() {
    for arguments in [
        ["boxes", "--heuristic", "corners"],
        ["boxes", "--heuristic", "boxes-left"],
        ["numbrix", "--heuristic", "openness"],
        ["mazes", "--heuristic", "twice-empty"],
    ] {
        let audit = audit(&arguments);
        assert_eq!(audit["admissible"], false, "{audit}");
        let smallest = &audit["smallest"];
        let instance = smallest["instance"].as_str().unwrap();
        let solved = &objects(&stdout(&novelo(&["solve", instance, "--json"])))[0];
        assert_eq!((&solved["optimal"], &solved["cost"]), (&true.into(), &smallest["cost"]), "{audit}");
        assert!(smallest["h"].as_f64().unwrap() > solved["cost"].as_f64().unwrap());
    }
}

#[test]
fn admissible_heuristics_of_the_other_puzzles_are_acquitted() {
    for (puzzle, heuristic) in [
        ("boxes", "shared-arcs"),
        ("numbrix", "remaining"),
        ("mazes", "turns"),
        ("mazes", "inverse-manhattan"),
    ] {
        let audit = audit(&[puzzle, "--heuristic", heuristic, "--samples", "30"]);
        assert_eq!(audit["admissible"], true, "{audit}");
        assert!(audit["compared"].as_u64().unwrap() > 100, "{audit}");
    }
}
