//! `novelo-mpi` as `mpirun` starts it.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn mpirun(ranks: usize, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command
        .args(["--oversubscribe", "--allow-run-as-root", "-n"])
        .arg(ranks.to_string())
        .arg(env!("CARGO_BIN_EXE_novelo-mpi"))
        .args(arguments);
    command
}

fn run(ranks: usize, arguments: &[&str]) -> Output {
    mpirun(ranks, arguments).output().expect("mpirun is there, or this could not have been built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The reports of a run, a line each.
fn reports(output: &Output) -> Vec<serde_json::Value> {
    let lines = text(&output.stdout);
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    lines.lines().map(read).collect()
}

/// 80 moves: too many for what these tests allow.
const HARD: &str = "sliding:4x4:0,12,9,13,15,11,10,14,3,7,2,5,4,8,6,1";

/// 31 moves, fewer, and a puzzle whose default heuristic is not admissible.
const BOARDS: [&str; 3] = ["sliding:3x3:8,6,7,2,5,4,3,0,1", "sliding:2x3:5,4,3,2,1,0", "numbrix:3x3:1c5_4b9"];

#[test]
fn any_number_of_ranks_gives_the_same_costs_proved() {
    for algorithm in ["astar", "ucs", "bfs"] {
        let costs = [1, 2, 4].map(|ranks| {
            let output = run(ranks, &[&["solve", "--json", "-a", algorithm][..], &BOARDS].concat());
            assert!(output.status.success(), "{}", text(&output.stderr));
            let reports = reports(&output);
            assert_eq!(reports.len(), BOARDS.len(), "rank 0 alone prints");
            for report in &reports {
                assert_eq!(report["workers"]["count"], ranks);
            }
            reports
                .iter()
                .map(|report| (report["cost"].as_u64(), report["optimal"].as_bool()))
                .collect::<Vec<_>>()
        });
        assert_eq!(costs[0][0], (Some(31), Some(true)));
        assert!(costs.iter().all(|other| *other == costs[0]), "{algorithm}: {costs:?}");
    }
}

/// 48 moves.
const FIFTEEN: &str = "sliding:4x4:2,5,13,12,1,0,3,15,9,7,14,6,10,11,8,4";

/// What comes of one board.
fn report(ranks: usize, arguments: &[&str]) -> serde_json::Value {
    let output = run(ranks, &[&["solve", "--json"][..], arguments].concat());
    assert!(matches!(output.status.code(), Some(0 | 24)), "{}", text(&output.stderr));
    reports(&output).remove(0)
}

#[test]
fn iterative_deepening_gives_the_same_costs_over_any_number_of_ranks() {
    for method in [
        &["-a", "idastar"][..],
        &["-a", "idastar", "-H", "linear-conflict"],
        &["-a", "tiles", "-H", "pdb:5-5-5"],
    ] {
        let arguments = [&[FIFTEEN, "--no-cache"][..], method].concat();
        let alone = report(1, &arguments);
        let cost = alone["cost"].as_u64().expect("it is solved");
        assert_eq!(alone["optimal"], true);
        // Within a depth less, all iterations are searched to their end: every count is the same.
        let short = (cost - 1).to_string();
        let in_vain = |ranks, threads| {
            let limits = ["--depth-limit", &short, "--threads", threads];
            let report = report(ranks, &[&arguments[..], &limits].concat());
            assert_eq!(report["stop"], "depth", "{method:?}");
            ["expanded", "generated", "lower_bound"].map(|count| report[count].clone())
        };
        let counts = in_vain(1, "1");
        for ranks in [2, 4] {
            let together = report(ranks, &arguments);
            assert_eq!((&together["cost"], &together["optimal"]), (&alone["cost"], &alone["optimal"]));
            assert_eq!(together["workers"]["count"], ranks);
            assert_eq!(in_vain(ranks, "1"), counts, "{method:?} over {ranks} ranks");
        }
        assert_eq!(in_vain(2, "2"), counts, "{method:?} over two ranks of two threads");
    }
}

#[test]
fn a_search_that_a_limit_has_ended_leaves_nothing_behind_for_the_next() {
    let boards = [HARD, BOARDS[0], HARD, BOARDS[0]];
    let output =
        run(3, &[&["solve", "--json", "-a", "astar", "--node-limit", "600000"][..], &boards].concat());
    let ends: Vec<_> =
        reports(&output).iter().map(|report| (report["stop"].clone(), report["cost"].clone())).collect();
    let (stopped, solved) = (("nodes".into(), ().into()), (().into(), 31.into()));
    assert_eq!(ends, [stopped.clone(), solved.clone(), stopped, solved]);
    assert_eq!(output.status.code(), Some(24), "{}", text(&output.stderr));
}

#[test]
fn an_unsolvable_board_and_memory_are_told_by_their_codes() {
    let output = run(2, &["solve", "sliding:3x3:2,1,3,4,5,6,7,8,0", "--json"]);
    assert_eq!(output.status.code(), Some(11), "{}", text(&output.stderr));
    let output = run(2, &["solve", HARD, "--json", "--memory-limit", "64MiB"]);
    assert_eq!(output.status.code(), Some(22), "{}", text(&output.stderr));
    assert_eq!(reports(&output)[0]["stop"], "memory");
}

#[test]
fn a_node_limit_holds_for_all_ranks_together() {
    for limit in [0, 1, 3, 1001] {
        for algorithm in ["astar", "idastar"] {
            let report = report(4, &[HARD, "-a", algorithm, "--node-limit", &limit.to_string()]);
            assert_eq!(report["stop"], "nodes");
            assert!(report["expanded"].as_u64().expect("a count") <= limit, "{limit}: {report}");
        }
    }
}

#[test]
fn a_limit_that_is_met_while_tables_are_built_is_told_by_its_code() {
    for algorithm in ["astar", "idastar", "tiles"] {
        let method = ["-a", algorithm, "-H", "pdb:7-8", "--no-cache", "--time-limit", "1ms"];
        let output = run(2, &[&["solve", FIFTEEN][..], &method].concat());
        let message = text(&output.stderr);
        assert!(message.contains("ended by the time limit"), "{message}");
        assert_eq!(output.status.code(), Some(23), "{message}");
    }
}

#[test]
fn help_is_no_error() {
    for arguments in [&["--help"][..], &["solve", "--help"], &["--version"]] {
        let output = run(2, arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("novelo-mpi"), "{}", text(&output.stdout));
    }
}

#[test]
fn what_cannot_be_run_over_ranks_is_refused_with_what_can() {
    let output = run(2, &["solve", BOARDS[0], "-a", "dfs"]);
    assert!(!output.status.success());
    let several = "astar, ucs, bfs and idastar run over several";
    assert!(text(&output.stderr).contains(several), "{}", text(&output.stderr));
    for (method, why) in [("auto", "auto runs in one process"), ("tiles", "must be told its heuristic")] {
        let output = run(2, &["solve", FIFTEEN, "-a", method]);
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    }
    let output = run(2, &["solve", "-"]);
    assert!(text(&output.stderr).contains("standard input reaches one process only"));
}

#[test]
fn ranks_that_were_given_different_boards_or_heuristics_say_so() {
    let program = env!("CARGO_BIN_EXE_novelo-mpi");
    let one = ["solve", FIFTEEN, "-a"];
    for (first, second) in [
        (vec![one[0], one[1], one[2], "astar"], vec!["solve", HARD, "-a", "astar"]),
        (vec![one[0], one[1], one[2], "astar"], vec![one[0], one[1], one[2], "astar", "-H", "hamming"]),
        (vec![one[0], one[1], one[2], "idastar"], vec!["solve", HARD, "-a", "idastar"]),
    ] {
        let mut command = Command::new("mpirun");
        command.args(["--oversubscribe", "--allow-run-as-root", "-n", "1", program]).args(&first);
        let output = command.args([":", "-n", "1", program]).args(&second).output().expect("mpirun is there");
        assert!(!output.status.success());
        let message = text(&output.stderr);
        assert!(message.contains("must run the same program on the same board"), "{second:?}: {message}");
    }
}

#[test]
fn ranks_that_were_given_more_boards_than_others_do_not_wait_for_them() {
    let program = env!("CARGO_BIN_EXE_novelo-mpi");
    for algorithm in ["astar", "idastar"] {
        let mut command = Command::new("mpirun");
        command.args(["--oversubscribe", "--allow-run-as-root", "-n", "1", program]);
        command.args(["solve", BOARDS[0], FIFTEEN, "-a", algorithm]);
        command.args([":", "-n", "1", program, "solve", BOARDS[0], "-a", algorithm]);
        let output = command.output().expect("mpirun is there");
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    }
}

/// The processes whose parent is another.
fn children(parent: u32) -> Vec<u32> {
    let of = |id: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let ids = std::fs::read_dir("/proc").expect("/proc is there").flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|&id| of(id) == Some(parent)).collect()
}

#[test]
fn a_rank_that_is_killed_ends_the_run_with_a_message() {
    for algorithm in ["astar", "idastar"] {
        kill_one(algorithm);
    }
}

/// Kills a rank in the middle of a search.
fn kill_one(algorithm: &str) {
    let hard = "sliding:5x5:14,5,9,2,18,8,23,19,12,17,15,0,10,20,4,6,11,21,1,7,24,3,16,22,13";
    let mut child = mpirun(4, &["solve", hard, "-a", algorithm, "--memory-limit", "1GiB"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mpirun is there");
    let until = Instant::now() + Duration::from_secs(60);
    let ranks = loop {
        let ranks = children(child.id());
        if ranks.len() == 4 || Instant::now() > until {
            break ranks;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(ranks.len(), 4, "mpirun has started its ranks");
    // Into the search.
    std::thread::sleep(Duration::from_secs(1));
    let killed = Command::new("kill").args(["-9", &ranks[2].to_string()]).status().expect("kill is there");
    assert!(killed.success());
    let until = Instant::now() + Duration::from_secs(10);
    let ended = loop {
        if let Some(ended) = child.try_wait().expect("it is ours") {
            break Some(ended);
        }
        if Instant::now() > until {
            break None;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    if ended.is_none() {
        let _ = child.kill();
    }
    let message = text(&child.wait_with_output().expect("it has ended").stderr);
    let ended = ended.expect("it ends within ten seconds");
    assert!(!ended.success());
    assert!(message.contains("signal 9"), "{message}");
}
