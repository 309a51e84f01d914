//! Limits hold in fact: a real process, its exit code, its time, its memory.

#![allow(unsafe_code, reason = "sends signals to processes and asks the system about them")]

use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The last board of `instances/sliding/fifteen-ladder.txt`, 66 moves from its goal: A* with a plain heuristic
/// cannot finish it in any memory this test would give it.
const HARD: &str = "sliding:4x4:11,15,12,13,14,5,3,8,0,7,6,9,4,2,1,10";

/// These tests measure time and memory: one at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn novelo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
    command.args(arguments);
    command
}

fn report(output: &Output) -> serde_json::Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn assert_statistics(report: &serde_json::Value) {
    assert_eq!(report["outcome"], "stopped");
    for field in ["expanded", "generated", "stored_peak", "peak_bytes"] {
        assert!(report[field].as_u64().unwrap() > 0, "{field}");
    }
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    assert!(report["cost"].is_null() && report["moves"].is_null());
}

/// What a process took of the machine.
#[cfg(target_os = "linux")]
struct Taken {
    /// Peak resident size, in bytes.
    peak: u64,
    /// Time of the processor, for the program and for the system on its behalf.
    processor: Duration,
}

/// Runs to the end and returns what it took beside the output.
#[cfg(target_os = "linux")]
fn run_measured(command: &mut Command) -> (Output, Taken) {
    use std::os::unix::process::ExitStatusExt as _;
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = child.id() as libc::pid_t;
    let output = std::thread::spawn(move || {
        use std::io::Read as _;
        let mut child = child;
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        child.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
        child.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
        (stdout, stderr)
    })
    .join()
    .unwrap();
    let mut status = 0;
    // SAFETY: waits for the child started above, whose handle is gone; both
    // pointers are to live values.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::wait4(pid, &raw mut status, 0, &raw mut usage), pid);
        usage
    };
    let status = std::process::ExitStatus::from_raw(status);
    let output = Output { status, stdout: output.0, stderr: output.1 };
    let span = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    let processor = span(usage.ru_utime) + span(usage.ru_stime);
    (output, Taken { peak: usage.ru_maxrss as u64 * 1024, processor })
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_limit_holds() {
    let _alone = alone();
    for algorithm in ["astar", "bfs", "dfs"] {
        let arguments = [
            "solve",
            HARD,
            "--algorithm",
            algorithm,
            "--heuristic",
            "manhattan",
            "--memory-limit",
            "300MiB",
            "--json",
        ];
        let (output, Taken { peak, .. }) = run_measured(&mut novelo(&arguments));
        assert_eq!(output.status.code(), Some(22), "{algorithm}");
        let report = report(&output);
        assert_statistics(&report);
        assert_eq!(report["stop"], "memory");
        assert!(peak <= 345 << 20, "{algorithm}: {} MiB resident", peak >> 20);
        assert!(peak >= 150 << 20, "{algorithm} must use what it is given: {} MiB", peak >> 20);
    }
}

/// Subtrees that wait for threads, and solutions that are printed, are held like anything else.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_limit_holds_beside_the_search() {
    let _alone = alone();
    let generate = |puzzle, size| {
        let output = novelo(&["generate", puzzle, "--size", size, "--seed", "1"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let (tiles, maze) = (generate("sliding", "5x5"), generate("mazes", "20x20"));
    for arguments in [&["solve", &tiles, "--time-limit", "2s"][..], &["solve", &maze, "--all", "--json"]] {
        for limit in [24, 32_u64] {
            let mut command = novelo(arguments);
            let (output, Taken { peak, .. }) =
                run_measured(command.args(["--memory-limit", &format!("{limit}MiB")]));
            assert!(!output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(peak * 100 <= (limit << 20) * 115, "{arguments:?}: {} KiB of {limit} MiB", peak >> 10);
        }
    }
}

/// A search of one thread works no longer than its limit. What it waits for the processor, on a machine that is busy with
/// other things, is not its own doing.
#[test]
#[cfg(target_os = "linux")]
fn the_time_limit_holds() {
    let _alone = alone();
    for algorithm in ["astar", "idastar", "ids", "bidirectional"] {
        let start = Instant::now();
        let arguments = [
            "solve",
            HARD,
            "--algorithm",
            algorithm,
            "--heuristic",
            "manhattan",
            "--time-limit",
            "1s",
            "--json",
        ];
        let (output, Taken { processor, .. }) = run_measured(&mut novelo(&arguments));
        let elapsed = start.elapsed();
        assert_eq!(output.status.code(), Some(23), "{algorithm}");
        let report = report(&output);
        assert_statistics(&report);
        assert_eq!(report["stop"], "time");
        assert!(elapsed >= Duration::from_secs(1), "{algorithm}: {elapsed:?}");
        assert!(processor <= Duration::from_millis(1300), "{algorithm}: {processor:?}");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_says_what_it_has_counted() {
    let _alone = alone();
    for algorithm in ["astar", "idastar", "bfs"] {
        let arguments = ["solve", HARD, "--algorithm", algorithm, "--heuristic", "manhattan", "--json"];
        let child = novelo(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(500));
        // SAFETY: signals the child started above, which is not yet waited for.
        unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{algorithm}");
        let report = report(&output);
        assert_statistics(&report);
        assert_eq!(report["stop"], "interrupted");
    }
}

#[test]
fn node_and_depth_limits_hold() {
    let arguments = ["solve", HARD, "--algorithm", "bfs", "--node-limit", "1000", "--json"];
    let output = novelo(&arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(24));
    let report_nodes = report(&output);
    assert_eq!((&report_nodes["stop"], &report_nodes["expanded"]), (&"nodes".into(), &1000.into()));
    let arguments = ["solve", HARD, "--algorithm", "dls", "--depth-limit", "9", "--json"];
    let output = novelo(&arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(24));
    assert_eq!(report(&output)["stop"], "depth");
}

/// A board on which the SAT solver is asked soon. With fewer clues it thinks longer, with more it holds more.
fn sparse_numbrix(clues: &str) -> String {
    let arguments = ["generate", "numbrix", "--size", "50x50", "--clues", clues, "--seed", "1"];
    String::from_utf8(novelo(&arguments).output().unwrap().stdout).unwrap().trim().to_owned()
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_limit_holds_in_the_sat_solver() {
    let _alone = alone();
    let arguments = ["solve", &sparse_numbrix("340"), "--memory-limit", "70MiB", "--json"];
    let (output, Taken { peak, .. }) = run_measured(&mut novelo(&arguments));
    let report = report(&output);
    assert_eq!((output.status.code(), &report["stop"]), (Some(22), &"memory".into()));
    assert!(report["peak_bytes"].as_u64().unwrap() > 30 << 20, "{report}");
    assert!(peak <= 120 << 20, "{} MiB resident", peak >> 20);
}

#[test]
#[cfg(unix)]
fn time_and_ctrl_c_end_the_sat_solver() {
    let _alone = alone();
    let board = sparse_numbrix("300");
    let output = novelo(&["solve", &board, "--time-limit", "4s", "--json"]).output().unwrap();
    assert_eq!((output.status.code(), &report(&output)["stop"]), (Some(23), &"time".into()));
    let child =
        novelo(&["solve", &board, "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(4));
    // SAFETY: signals the child started above, which is not yet waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &report(&output)["stop"]), (Some(130), &"interrupted".into()));
}
