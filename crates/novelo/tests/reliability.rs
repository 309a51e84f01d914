//! What once broke the program, as a person met it: a real process, its exit code and its words.

#![allow(unsafe_code, reason = "sends signals to processes")]
#![cfg(unix)]

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

fn novelo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> Output {
    novelo(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Gives a text on standard input.
fn fed(arguments: &[&str], text: &[u8]) -> Output {
    let mut command = novelo(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || drop(input.write_all(&text)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("novelo-reliability-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Sends a signal after a while, and returns the exit code.
fn signalled(mut child: Child, after: Duration, signal: i32) -> Option<i32> {
    std::thread::sleep(after);
    // SAFETY: signals a child that is not yet waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, signal) };
    child.wait().unwrap().code()
}

#[test]
fn a_board_without_cells_is_no_board() {
    for text in [",", ",,,", ", ,\n,\n", "1\n,\n", "0x0\n,"] {
        for puzzle in ["numbrix", "sliding"] {
            let output = fed(&["solve", "-", "--puzzle", puzzle], text.as_bytes());
            assert_eq!(output.status.code(), Some(2), "{puzzle} {text:?}: {}", stderr(&output));
        }
    }
}

#[test]
fn the_largest_limits_are_limits() {
    let most = u64::MAX.to_string();
    let time = format!("{most}s");
    let boards = [
        "numbrix:3x3:1c5_4b9",
        "sliding:3x3:1,2,3,4,5,6,0,7,8",
        "boxes:2x2:2:a04",
        "mazes:6x6:2xx2/5x/6/6/6/6",
    ];
    for board in boards {
        for algorithm in ["auto", "astar", "idastar", "bfs"] {
            let output = output(&[
                "solve",
                board,
                "-a",
                algorithm,
                "--time-limit",
                &time,
                "--node-limit",
                &most,
                "--memory-limit",
                &most,
                "--depth-limit",
                "4294967295",
            ]);
            assert_eq!(output.status.code(), Some(0), "{board} {algorithm}: {}", stderr(&output));
        }
    }
    for counting in ["--count", "--unique", "--all"] {
        let output = output(&["solve", boards[0], counting, "--time-limit", &time, "--node-limit", &most]);
        assert_eq!(output.status.code(), Some(0), "{counting}: {}", stderr(&output));
    }
}

#[test]
fn the_smallest_limits_are_refused_or_kept() {
    let board = "sliding:3x3:8,6,7,2,5,4,3,0,1";
    let code = |limit: &str, value: &str| {
        output(&["solve", board, "-a", "astar", "-H", "manhattan", limit, value]).status.code().unwrap()
    };
    assert_eq!(code("--time-limit", "0s"), 23);
    assert_eq!(code("--node-limit", "0"), 24);
    assert_eq!(code("--node-limit", "1"), 24);
    assert_eq!(code("--depth-limit", "0"), 24);
    assert_eq!(code("--memory-limit", "0"), 2);
    assert_eq!(code("--memory-limit", "1"), 2);
}

#[test]
fn experiments_are_bounded() {
    let folder = Folder::new("bounded");
    let of = |head: &str, instances: &str, methods: &str| {
        format!("title = \"t\"\n{head}\n[[instances]]\n{instances}\n[[methods]]\n{methods}\n")
    };
    let board = "generate = \"sliding\"\nsize = \"3x3\"";
    let sweeps = "algorithms = [\"wastar:weight={a}\"]\norder = \"{b}{c}\"\n[methods.sweep]\n\
        a = \"1..1000 step 1\"\nb = \"1..1000 step 1\"\nc = \"1..1000 step 1\"";
    let plain = "algorithms = [\"bfs\"]";
    let cases = [
        (of("repeats = 4294967295", board, plain), "this makes 4294967295 runs"),
        (of("threads = 100000", board, plain), "threads: 1 to 1024 are possible"),
        (of("threads = 0", board, plain), "threads: 1 to 1024 are possible"),
        (of("", board, sweeps), "more than 10000 combinations"),
        (of("", &format!("{board}\ncount = 18446744073709551"), plain), "runs"),
    ];
    for (text, message) in cases {
        let file = folder.file("try.toml", &text);
        let output = output(&["experiment", "run", &file, "--dry-run"]);
        assert_eq!(output.status.code(), Some(2), "{text}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{text}: {}", stderr(&output));
    }
}

#[test]
fn one_signal_ends_what_takes_long_to_make() {
    let folder = Folder::new("signals");
    let experiment = |instances: &str| {
        format!("title = \"t\"\n[[instances]]\n{instances}\n[[methods]]\nalgorithms = [\"bfs\"]\n")
    };
    let many = "generate = \"sliding\"\nsize = \"4x4\"\ncount = 999999";
    let many = folder.file("many.toml", &experiment(many));
    let everything = folder.file("everything.toml", &experiment("files = [\"/proc/**/*\"]"));
    for signal in [libc::SIGINT, libc::SIGTERM] {
        for arguments in [
            &["generate", "sliding", "--size", "3x3", "--count", "1000000000"][..],
            &["experiment", "run", &many, "--dry-run"],
            &["experiment", "run", &everything, "--dry-run"],
            &["audit", "boxes", "--heuristic", "relaxation", "--size", "50x50"],
            &["audit", "numbrix", "--heuristic", "openness:prune=all", "--size", "64x64"],
            &["solve", &wide(), "-a", "wastar", "-H", "relaxation"],
        ] {
            let child = novelo(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let code = signalled(child, Duration::from_millis(700), signal);
            // What matches more files than there may be is refused before the signal.
            assert!(code == Some(130) || code == Some(2) && arguments[1] == "run", "{arguments:?}: {code:?}");
        }
    }
}

/// An empty board of boxes, each state of which has thousands of successors.
fn wide() -> String {
    let output = output(&["generate", "boxes", "--size", "50x50", "--seed", "1"]);
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn time_is_kept_within_one_expansion() {
    let arguments = ["-a", "wastar", "-H", "relaxation", "--time-limit", "200ms", "--json"];
    let board = wide();
    let output = output(&[&["solve", board.as_str()], &arguments[..]].concat());
    assert_eq!(output.status.code(), Some(23), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // Estimates of all 3386 successors of the first state alone would take many times as long.
    assert!(report["generated"].as_u64().unwrap() < 3000, "{report}");
}

#[test]
fn a_long_line_is_quoted_in_part() {
    let folder = Folder::new("line");
    let long = "x".repeat(4 << 20);
    for text in
        [format!("3\n1 2 {long} 4\n"), format!("sliding:3x3:{long}"), format!("1 2 3\n4 5 {long}6\n7 8 0\n")]
    {
        let file = folder.file("long.txt", &text);
        for puzzle in ["numbrix", "sliding", "mazes", "boxes"] {
            let output = output(&["solve", &file, "--puzzle", puzzle]);
            assert_eq!(output.status.code(), Some(2));
            assert!(output.stderr.len() < 5000, "{puzzle}: {} bytes", output.stderr.len());
            assert!(stderr(&output).contains("error"), "{}", stderr(&output));
        }
    }
    // The place is still told.
    let zeros = "0 ".repeat(20_000);
    let file = folder.file("numbers.txt", &format!("200\n{zeros}\n{zeros}?{zeros}\n"));
    let output = output(&["solve", &file, "--puzzle", "sliding"]);
    assert!(stderr(&output).contains("numbers.txt"), "{}", stderr(&output));
}

#[test]
fn a_merge_that_fails_says_what_is_safe() {
    let folder = Folder::new("merge");
    let text = "title = \"t\"\nrepeats = 3\n[[instances]]\ngenerate = \"sliding\"\nsize = \"2x2\"\n[[methods]]\nalgorithms = [\"bfs\"]\n";
    folder.file("try.toml", text);
    let run = |arguments: &[&str]| novelo(arguments).current_dir(&folder.0).output().unwrap();
    assert_eq!(run(&["experiment", "run", "try.toml"]).status.code(), Some(0));
    assert_eq!(run(&["experiment", "merge", "all.ndjson", "try.ndjson"]).status.code(), Some(0));
    // Nothing can be written where a folder stands.
    std::fs::create_dir(folder.0.join("all.ndjson.part")).unwrap();
    let failed = run(&["experiment", "merge", "all.ndjson", "try.ndjson"]);
    assert_eq!(failed.status.code(), Some(2));
    assert!(stderr(&failed).contains("the 3 runs in it are safe"), "{}", stderr(&failed));
    std::fs::create_dir(folder.0.join("new.ndjson.part")).unwrap();
    let failed = run(&["experiment", "merge", "new.ndjson", "try.ndjson"]);
    assert!(!stderr(&failed).contains("safe"), "{}", stderr(&failed));
}

#[test]
fn an_audit_keeps_its_limits_and_says_which_ended_it() {
    let audit = |more: &[&str]| {
        let arguments = ["audit", "boxes", "--heuristic", "zero", "--size", "50x50", "--samples", "1"];
        output(&[&arguments, more].concat())
    };
    let timed = audit(&["--time-limit", "1s"]);
    assert_eq!(timed.status.code(), Some(23), "{}", stderr(&timed));
    assert!(!stderr(&timed).contains("20 seconds"), "{}", stderr(&timed));
    let small = audit(&["--memory-limit", "1KiB"]);
    assert_eq!(small.status.code(), Some(2), "{}", stderr(&small));
}

/// Runs under a limit that the shell sets on the address space, in KiB.
fn granted(kib: u64, arguments: &[&str]) -> Output {
    let script = format!("ulimit -v {kib}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_novelo")]).args(arguments);
    command.env("RUST_BACKTRACE", "0").output().unwrap()
}

#[test]
fn where_the_system_refuses_memory_the_end_is_a_clear_one() {
    let tiles = "sliding:4x4:11,15,12,13,14,5,3,8,0,7,6,9,4,2,1,10";
    for mib in [150, 400] {
        for algorithm in ["astar", "bfs", "dfs", "greedy", "idastar", "bidirectional", "auto"] {
            // The time limit ends those that need little memory.
            let arguments = [
                "solve",
                tiles,
                "-a",
                algorithm,
                "--time-limit",
                "5s",
                "--no-cache",
                "--threads",
                "1",
                "--json",
            ];
            let output = granted(mib << 10, &arguments);
            let code = output.status.code();
            let known = [Some(0), Some(12), Some(22), Some(23)].contains(&code);
            assert!(known, "{mib} MiB {algorithm}: {:?} {}", output.status, stderr(&output));
        }
    }
}

#[test]
fn a_reader_who_goes_away_ends_the_program_quietly() {
    let mut child = novelo(&["generate", "sliding", "--size", "3x3", "--count", "1000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}
