//! Experiments survive what can happen to them: every run is recorded exactly once.

#![allow(unsafe_code, reason = "sends signals to processes and asks the system about them")]
#![cfg(unix)]

use std::collections::HashSet;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A folder of its own for each test, removed at its end.
struct Lab(PathBuf);

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Lab {
    fn new(name: &str, experiment: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("novelo-lab-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("try.toml"), experiment).unwrap();
        Self(folder)
    }

    fn novelo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
        command.args(arguments).current_dir(&self.0);
        command
    }

    fn start(&self, more: &[&str]) -> Command {
        self.novelo(&[&["experiment", "run", "try.toml"], more].concat())
    }

    fn finish(&self, more: &[&str]) {
        let output = self.start(more).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn results(&self) -> PathBuf {
        self.0.join("try.ndjson")
    }
}

fn runs(path: &Path) -> Vec<Value> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let whole = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let values = whole.map(|line| serde_json::from_slice::<Value>(line).unwrap());
    values.filter(|value| value.get("header").is_none()).collect()
}

fn assert_each_once(path: &Path, count: usize) {
    let runs = runs(path);
    let keys = ["instance", "algorithm", "heuristic", "repeat"];
    let tasks: HashSet<String> =
        runs.iter().map(|run| keys.map(|key| run[key].to_string()).join(" ")).collect();
    assert_eq!((runs.len(), tasks.len()), (count, count));
    assert!(runs.iter().all(|run| run["outcome"] == "solved"));
}

fn stderr(output: &Output) -> String {
    // The message may be broken over lines, with a bar before each.
    String::from_utf8_lossy(&output.stderr).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Ten boards, two methods, ten repeats.
const SHORT: &str = r#"
title = "two hundred short runs"
repeats = 10
time-limit = "30s"
memory-limit = "500MiB"
[[instances]]
generate = "sliding"
size = "3x3"
moves = 16
count = 10
[[methods]]
algorithms = ["astar"]
heuristics = ["manhattan", "hamming"]
"#;

#[test]
fn killed_at_any_moment_no_run_is_lost_and_none_done_twice() {
    let lab = Lab::new("killed", SHORT);
    let mut seed = 20_261_116_u64;
    let mut chance = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut finished = 0;
    for kill in 1..=20 {
        let quiet = || Stdio::null();
        let mut child = lab.start(&["--jobs", "2"]).stdout(quiet()).stderr(quiet()).spawn().unwrap();
        // Some more runs, at most nine tenths of its share, and then any moment of the next: however fast the machine
        // is, all kills come while there are runs to do.
        let enough = finished + chance(10) as usize;
        while runs(&lab.results()).len() < enough.min(9 * kill) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(chance(3_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = runs(&lab.results()).len();
        assert!(now >= finished, "finished runs are not lost");
        finished = now;
    }
    assert!(finished > 0, "it was killed in the midst of runs");
    lab.finish(&[]);
    assert_each_once(&lab.results(), 200);
    lab.finish(&["--resume"]);
    assert_each_once(&lab.results(), 200);
}

/// The processes whose parent is another.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<i32> {
    let parent_of = |id: i32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|&id| parent_of(id) == Some(parent)).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_scheduler_that_ends_workers_before_their_experiment_leaves_no_failed_run() {
    let lab = Lab::new("scheduler", SHORT);
    for end in 1..=10 {
        let quiet = || Stdio::null();
        let mut child = lab.start(&["--jobs", "2"]).stdout(quiet()).stderr(quiet()).spawn().unwrap();
        while runs(&lab.results()).len() < 15 * end && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        for id in children(child.id()).into_iter().chain([child.id() as i32]) {
            // SAFETY: sends a signal to a process of this test.
            unsafe { libc::kill(id, libc::SIGTERM) };
        }
        child.wait().unwrap();
        assert!(runs(&lab.results()).iter().all(|run| run["outcome"] == "solved"));
    }
    lab.finish(&[]);
    assert_each_once(&lab.results(), 200);
}

#[test]
fn a_truncated_file_is_recovered_up_to_its_last_whole_record() {
    let lab = Lab::new("truncated", &SHORT.replace("repeats = 10", "repeats = 2"));
    lab.finish(&[]);
    let whole = std::fs::read(lab.results()).unwrap();
    for cut in [0, 1, 200, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        std::fs::write(lab.results(), &whole[..cut]).unwrap();
        let kept = runs(&lab.results()).len();
        lab.finish(&[]);
        assert_each_once(&lab.results(), 40);
        let again = std::fs::read(lab.results()).unwrap();
        let last = whole[..cut].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        assert!(again.starts_with(&whole[..last]), "the {kept} whole records are as they were");
    }
}

#[test]
fn a_file_that_is_something_else_is_left_alone() {
    let lab = Lab::new("else", SHORT);
    for other in ["my diary, without a line end", "one\ntwo\n", "{\"header\":1}\n{}\n"] {
        std::fs::write(lab.results(), other).unwrap();
        let output = lab.start(&[]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("no line of a results file"), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(lab.results()).unwrap(), other);
    }
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let lab = Lab::new("full", SHORT);
    let mut command = lab.start(&[]);
    // SAFETY: between fork and exec only async-signal-safe calls are made.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit { rlim_cur: 20_000, rlim_max: 20_000 };
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0);
            Ok(())
        });
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let kept = runs(&lab.results()).len();
    assert!(kept > 5);
    let complaint = stderr(&output);
    assert!(
        complaint.contains("cannot write") && complaint.contains(&format!("the {kept} runs in it are safe"))
    );
    let before = std::fs::read(lab.results()).unwrap();
    assert!(before.ends_with(b"\n"), "no torn line is left");
    lab.finish(&[]);
    assert!(std::fs::read(lab.results()).unwrap().starts_with(&before));
    assert_each_once(&lab.results(), 200);
}

#[test]
fn two_at_once_on_the_same_file_is_refused() {
    let lab = Lab::new("lock", &SHORT.replace("repeats = 10", "repeats = 1000"));
    let mut first = lab.start(&[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while runs(&lab.results()).is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = lab.start(&[]).output().unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(stderr(&second).contains("in use"));
}

#[test]
fn shards_merged_are_the_whole() {
    let lab = Lab::new("shards", &SHORT.replace("repeats = 10", "repeats = 1"));
    for shard in ["1/3", "2/3", "3/3"] {
        lab.finish(&["--shard", shard]);
    }
    let parts = ["try.1-of-3.ndjson", "try.2-of-3.ndjson", "try.3-of-3.ndjson"];
    // A part given twice counts once.
    let arguments = [&["experiment", "merge", "try.ndjson"], &parts[..], &parts[..1]].concat();
    assert_eq!(lab.novelo(&arguments).output().unwrap().status.code(), Some(0));
    assert_each_once(&lab.results(), 20);
    lab.finish(&[]);
    assert_each_once(&lab.results(), 20);
    for wrong in ["0/3", "4/3", "x", "1/0"] {
        assert_eq!(lab.start(&["--shard", wrong]).output().unwrap().status.code(), Some(2), "{wrong}");
    }
}

#[cfg(debug_assertions)]
/// One board under several names; in test builds the names make trouble.
fn troubled(names: &[&str]) -> String {
    let line = |name: &&str| format!("{name} | 3x3 | 8 6 7 2 5 4 3 0 1 | 1 2 3 4 5 6 7 8 0 | 31 |\n");
    names.iter().map(line).collect()
}

/// Does one run for each name and returns them.
#[cfg(debug_assertions)]
fn troubles(lab: &str, time: &str, names: &[&str]) -> Vec<Value> {
    let experiment = r#"
title = "trouble"
time-limit = "TIME"
memory-limit = "500MiB"
[[instances]]
files = ["boards.txt"]
[[methods]]
algorithms = ["astar"]
heuristics = ["manhattan"]
"#;
    let lab = Lab::new(lab, &experiment.replace("TIME", time));
    std::fs::write(lab.0.join("boards.txt"), troubled(names)).unwrap();
    let status = lab.start(&["--jobs", "2"]).env("NOVELO_MISBEHAVE", "1").output().unwrap().status;
    assert_eq!(status.code(), Some(0));
    let report = lab.novelo(&["report", "try.ndjson"]).output().unwrap();
    assert!(String::from_utf8_lossy(&report.stdout).contains("astar manhattan"));
    let runs = runs(&lab.results());
    assert_eq!(runs.len(), names.len());
    let fine = runs.iter().filter(|run| run["name"].as_str().unwrap().starts_with("fine"));
    assert!(fine.clone().count() >= 2 && fine.into_iter().all(|run| run["cost"] == 31));
    runs
}

#[cfg(debug_assertions)]
fn assert_ended(runs: &[Value], name: &str, outcome: &str, stop: &str, reason: &str) {
    let run = runs.iter().find(|run| run["name"] == name).unwrap();
    assert_eq!((&run["outcome"], &run["stop"]), (&outcome.into(), &stop.into()), "{run}");
    assert!(run["reason"].as_str().unwrap().contains(reason), "{run}");
}

#[test]
#[cfg(debug_assertions)]
fn a_run_that_goes_wrong_costs_only_itself() {
    let runs =
        troubles("wrong", "120s", &["fine-1", "panics", "fine-2", "aborts", "fine-3", "devours", "fine-4"]);
    assert_ended(&runs, "panics", "failed", "panic", "as the test wants it");
    assert_ended(&runs, "aborts", "failed", "killed", "signal: 6");
    assert_ended(&runs, "devours", "stopped", "memory", "under a limit of 500");
}

#[test]
#[cfg(debug_assertions)]
fn a_run_that_does_not_end_is_ended() {
    let runs = troubles("endless", "2s", &["fine-1", "hangs", "fine-2"]);
    assert_ended(&runs, "hangs", "stopped", "time", "did not end by itself");
}

#[test]
fn limits_end_searches_with_their_counts() {
    let board = "sliding:4x4:0,12,9,13,15,11,10,14,3,7,2,5,4,8,6,1";
    let experiment = |limits: &str, algorithm: &str| {
        format!(
            "title = \"limits\"\n{limits}\n[[instances]]\nfiles = [\"boards.txt\"]\n[[methods]]\nalgorithms = [\"{algorithm}\"]\n"
        )
    };
    for (limits, algorithm, stop) in [
        ("time-limit = \"60s\"\nmemory-limit = \"100MiB\"", "bfs", "memory"),
        ("time-limit = \"60s\"\nmemory-limit = \"100MiB\"", "ucs", "memory"),
        ("time-limit = \"300ms\"\nmemory-limit = \"1GiB\"", "ids", "time"),
        ("node-limit = 1000", "bfs", "nodes"),
    ] {
        let lab = Lab::new(&format!("{stop}-{algorithm}"), &experiment(limits, algorithm));
        std::fs::write(lab.0.join("boards.txt"), board).unwrap();
        lab.finish(&[]);
        let runs = runs(&lab.results());
        assert_eq!((&runs[0]["outcome"], &runs[0]["stop"]), (&"stopped".into(), &stop.into()));
        assert!(runs[0]["expanded"].as_u64().unwrap() > 0, "the counts so far are given");
    }
}

#[test]
fn mistakes_in_an_experiment_are_pointed_at() {
    for (wrong, message) in [
        ("title = 3", "invalid type"),
        ("title = \"x\"\ntime-limit = \"soon\"", "not a time"),
        ("title = \"x\"\nrepeat = 3", "unknown field"),
        ("title = \"x\"\n[[instances]]\nfiles = [\"nowhere.txt\"]", "none of nowhere.txt"),
        ("title = \"x\"\n[[instances]]\ngenerate = \"chess\"", "no puzzle 'chess'"),
        ("title = \"x\"\n[[instances]]\ngenerate = \"numbrix\"\ncleus = 3", "did you mean clues?"),
        (
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\nunique = true",
            "unique means nothing to sliding",
        ),
        ("title = \"x\"\n[[instances]]\ngenerate = \"numbrix\"\nclues = \"few\"", "clues is a whole number"),
        (
            "title = \"x\"\n[[instances]]\nfiles = [\"a.txt\"]\nclues = 3",
            "clues means nothing without generate",
        ),
        (
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\n[[methods]]\nalgorithms = [\"best\"]",
            "no algorithm 'best'",
        ),
        (
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\n[[methods]]\nalgorithms = [\"wastar\"]\nsweep.w = \"1..2\"",
            "neither a range",
        ),
        (
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\n[[methods]]\nalgorithms = [\"astar\"]\nsweep.weight = \"1, 2\"",
            "sweep.weight changes nothing",
        ),
        (
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\n[[methods]]\nalgorithms = [\"wastar\"]\nsweep.weight = \"0, 2\"",
            "weight is a number from 1 to 1000, not '0'",
        ),
        (
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\n[[methods]]\nalgorithms = [\"astar\"]\nheuristics = [\"manhatan\"]",
            "did you mean 'manhattan'?",
        ),
        (
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\n[[methods]]\nalgorithms = [\"wastar\"]\nweight = \"2\"",
            "unknown field `weight`",
        ),
        (
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\n[[methods]]\nalgorithms = [\"propagation\"]",
            "propagation is no method of sliding",
        ),
        (
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\n[[methods]]\nalgorithms = [\"dls\"]",
            "dls needs a depth limit",
        ),
    ] {
        let lab = Lab::new("mistakes", wrong);
        let output = lab.start(&[]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(stderr(&output).contains(message), "{wrong}: {}", stderr(&output));
        assert!(!lab.results().exists());
    }
}

/// The methods of the runs that an experiment would do.
fn planned(name: &str, methods: &str) -> Vec<String> {
    let text = format!(
        "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\nsize = \"2x2\"\n[[methods]]\n{methods}"
    );
    let lab = Lab::new(name, &text);
    let output = lab.start(&["--dry-run"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split("  ").nth(1).unwrap().to_owned()).collect()
}

#[test]
fn swept_values_go_where_they_are_declared() {
    let weights = ["wastar:weight=1 manhattan", "wastar:weight=2.5 manhattan"];
    let heuristics = "heuristics = [\"manhattan\"]\nsweep.weight = \"1, 2.5\"";
    assert_eq!(planned("declared", &format!("algorithms = [\"wastar\"]\n{heuristics}")), weights);
    assert_eq!(
        planned("written", &format!("algorithms = [\"wastar:weight={{weight}}\"]\n{heuristics}")),
        weights
    );
    // What does not have the parameter is run once, and what is given one keeps it.
    let mixed = "algorithms = [\"bfs\", \"wastar\", \"wastar:weight=3\"]";
    let mixed = planned("mixed", &format!("{mixed}\n{heuristics}"));
    assert_eq!(mixed, ["bfs", weights[0], "wastar:weight=3 manhattan", weights[1]]);
}

#[test]
fn a_sweep_of_an_algorithm_is_run_and_reported() {
    let lab = Lab::new(
        "weights",
        "title = \"weights\"\n[[instances]]\ngenerate = \"sliding\"\nsize = \"3x3\"\nmoves = 20\n\
         [[methods]]\nalgorithms = [\"wastar\"]\nheuristics = [\"manhattan\"]\nsweep.weight = \"1, 3\"\n",
    );
    lab.finish(&[]);
    let runs = runs(&lab.results());
    let expanded: Vec<_> = runs.iter().map(|run| run["expanded"].as_u64().unwrap()).collect();
    assert_eq!(runs.len(), 2);
    assert_eq!(
        (&runs[1]["algorithm"], &runs[1]["parameters"]["weight"]),
        (&"wastar:weight=3".into(), &"3".into())
    );
    assert_ne!(expanded[0], expanded[1], "the weight is in effect");
    let board = runs[0]["instance"].as_str().unwrap();
    let alone =
        lab.novelo(&["solve", board, "-a", "wastar:weight=3", "-H", "manhattan", "--json"]).output().unwrap();
    let alone: Value = serde_json::from_slice(&alone.stdout).unwrap();
    assert_eq!(alone["expanded"], expanded[1], "the same run as solve's");
    let report = lab.novelo(&["report", "try.ndjson", "--by", "weight"]).output().unwrap();
    assert!(String::from_utf8_lossy(&report.stdout).contains("weight"));
}

#[test]
fn results_of_older_versions_are_read() {
    let lab = Lab::new("older", SHORT);
    let run = |weight: &str, stop: &str, outcome: &str| {
        format!(
            "{{\"name\":\"a\",\"instance\":\"sliding:2x2:1,2,0,3\",\"algorithm\":\"wastar\",\"heuristic\":\"manhattan\",\
             \"weight\":{weight},\"order\":null,\"shuffle\":null,\"depth_limit\":null,\"time_limit_ms\":null,\
             \"memory_limit\":null,\"node_limit\":null,\"threads\":1,\"repeat\":1,\"outcome\":\"{outcome}\",\
             \"stop\":{stop},\"reason\":null,\"chosen\":null,\"optimal\":true,\"cost\":1,\"depth\":1,\"expanded\":1,\
             \"generated\":3,\"stored_peak\":3,\"peak_bytes\":100,\"seconds\":0.1,\"penetrance\":0.3,\
             \"branching_factor\":3.0,\"lower_bound\":1}}\n"
        )
    };
    let text = [
        run("\"2\"", "null", "solved"),
        run("null", "\"memory\"", "stopped"),
        run("\"1.0\"", "\"killed\"", "failed"),
    ];
    std::fs::write(lab.results(), text.concat()).unwrap();
    let report = lab.novelo(&["report", "try.ndjson", "--csv"]).output().unwrap();
    let table = String::from_utf8(report.stdout).unwrap();
    for method in ["wastar:weight=2 manhattan", "wastar manhattan", "wastar:weight=1 manhattan"] {
        assert!(table.contains(method), "{table}");
    }
}

/// `solve`, `compare` and an experiment run the same search: on easy and hard boards of every puzzle, with limits that
/// bind and limits that do not.
#[test]
fn solve_compare_and_experiments_count_the_same() {
    const BOARDS: [&str; 6] = [
        "sliding:3x3:8,6,7,2,5,4,3,0,1",
        "sliding:4x4:15,13,10,7,2,1,6,3,9,11,0,12,5,4,8,14",
        "numbrix:3x3:1c5_4b9",
        "mazes:6x6:2xx2/5x/6/6/6/6",
        "boxes:2x2:2:a04",
        "boxes:3x3:4:ddb900",
    ];
    let algorithms = "bfs,dfs,dls:limit=9,ids,ucs,greedy,astar,wastar:weight=2,idastar";
    let quoted: Vec<_> = algorithms.split(',').map(|name| format!("{name:?}")).collect();
    for board in BOARDS {
        let file = format!(
            "title = \"Try\"\nnode-limit = 2000\n[[instances]]\nfiles = [\"board.txt\"]\n[[methods]]\nalgorithms = [{}]\n",
            quoted.join(", ")
        );
        let lab = Lab::new("same", &file);
        std::fs::write(lab.0.join("board.txt"), format!("{board}\n")).unwrap();
        lab.finish(&[]);
        let recorded = runs(&lab.results());
        let output = lab
            .novelo(&["compare", "board.txt", "--algorithms", algorithms, "--node-limit", "2000", "--json"])
            .args(["--heuristics", &usual_heuristic(&lab, board)])
            .output()
            .unwrap();
        let compared: Vec<Value> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for algorithm in algorithms.split(',') {
            for ample in [&[][..], &["--time-limit", "1h", "--memory-limit", "4GiB"]] {
                let output = lab
                    .novelo(&["solve", "board.txt", "-a", algorithm, "--node-limit", "2000", "--json"])
                    .args(ample)
                    .output()
                    .unwrap();
                let solved: Value = serde_json::from_slice(&output.stdout).unwrap();
                let run = recorded.iter().find(|run| run["algorithm"] == algorithm).unwrap();
                for count in ["expanded", "generated", "stored_peak", "cost", "depth", "penetrance"] {
                    assert_eq!(run[count], solved[count], "{board} {algorithm} {count}");
                }
                // A comparison has means, and only of runs that were answered.
                let row = compared.iter().find(|row| {
                    row["method"].as_str().unwrap().split(' ').next()
                        == Some(algorithm.trim_end_matches(":weight=1.5"))
                });
                let row = row.unwrap_or_else(|| panic!("{algorithm} is compared: {compared:?}"));
                if let (Some(mean), Some(count)) = (row["expanded"].as_f64(), solved["expanded"].as_f64()) {
                    assert!((mean - count).abs() < 1e-9, "{board} {algorithm}");
                }
            }
        }
    }
}

/// The heuristic that a puzzle takes when none is named.
fn usual_heuristic(lab: &Lab, board: &str) -> String {
    let puzzle = board.split(':').next().unwrap();
    let output = lab.novelo(&["list", "heuristics", puzzle, "--json"]).output().unwrap();
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    list[0]["name"].as_str().unwrap().to_owned()
}
