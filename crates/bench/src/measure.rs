//! One process a measurement.

#![allow(unsafe_code, reason = "asks the system for clocks and memory")]

use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{boards, novelo_side, pathfinding_side, progress};

/// What a run reports.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Counted {
    pub expanded: u64,
    pub generated: u64,
    pub cost: u32,
}

/// What a process of one or more runs reports.
#[derive(Debug, Serialize, Deserialize)]
struct Measurement {
    run: Counted,
    /// CPU seconds of the best run.
    seconds: f64,
    /// Peak resident bytes above what the process had before the first run.
    bytes: u64,
}

impl Measurement {
    /// Both, one after the other.
    fn and(&self, other: &Self) -> Self {
        let (a, b) = (&self.run, &other.run);
        let run = Counted {
            expanded: a.expanded + b.expanded,
            generated: a.generated + b.generated,
            cost: a.cost + b.cost,
        };
        Self { run, seconds: self.seconds + other.seconds, bytes: self.bytes + other.bytes }
    }
}

/// The states of the 15-puzzle that breadth-first search is given.
pub const BFS_EXPANSIONS: u64 = 8_000_000;
/// The sides take turns, so that both meet the machine in its good moments.
const TURNS: u32 = 4;
const RUNS: u32 = 3;

/// CPU time of this process so far.
pub fn cpu_time() -> Duration {
    clock_time(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// What a clock shows; nothing if there is no such clock.
pub fn clock_time(clock: libc::clockid_t) -> Duration {
    // SAFETY: `clock_gettime` fills the structure it is given.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(clock, &raw mut time);
        time
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// CPU time of the processes that this one has started and waited for.
pub fn cpu_time_of_children() -> Duration {
    // SAFETY: `getrusage` fills the structure it is given.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let of = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
    of(usage.ru_utime) + of(usage.ru_stime)
}

/// The most memory this process has held so far, in bytes; where the system does not tell, what `getrusage` says, which
/// counts what the process had before it ran this program.
pub fn peak_resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    let kibibytes = peak.and_then(|peak| peak.parse::<u64>().ok()).unwrap_or_else(|| {
        // SAFETY: `getrusage` fills the structure it is given.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
            usage
        };
        usage.ru_maxrss as u64
    });
    kibibytes * 1024
}

/// Makes the allocator keep freed memory, so that runs after the first find
/// theirs touched already.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets three tunables of the allocator, which takes any value.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 30);
        libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
        libc::mallopt(libc::M_MMAP_MAX, 0);
    }
}

/// The measuring process: runs, and prints what it measured.
pub fn child(side: &str, algorithm: &str, board: &str, runs: u32) {
    let run = match side {
        "novelo" => novelo_side::run,
        _ => pathfinding_side::run,
    };
    if runs > 1 {
        keep_freed_memory();
    }
    let before = peak_resident();
    let mut best: Option<(f64, Counted)> = None;
    for _ in 0..runs {
        let start = cpu_time();
        let result = run(algorithm, board);
        let seconds = cpu_time().saturating_sub(start).as_secs_f64();
        if best.is_none_or(|(least, _)| seconds < least) {
            best = Some((seconds, result));
        }
    }
    let (seconds, run) = best.expect("at least one run");
    let measurement = Measurement { run, seconds, bytes: peak_resident() - before };
    println!("{}", serde_json::to_string(&measurement).expect("plain data"));
}

fn measure(side: &str, algorithm: &str, board: &str, runs: u32) -> Measurement {
    let program = std::env::current_exe().expect("this program");
    let arguments = ["child", side, algorithm, board, &runs.to_string()];
    let output = Command::new(program).args(arguments).output().expect("the measuring process runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the measuring process prints a measurement")
}

/// Measures both sides on boards of the 15-puzzle and prints speed, memory and ratios; the long one if asked to.
pub fn table(long: bool) {
    println!("\nThe 15-puzzle; speed ratio: novelo's by pathfinding's, above 1 novelo is faster");
    println!("{:14} {:8} {:>25} {:>25} {:>7} {:>7}", "", "", "novelo", "pathfinding", "speed", "memory");
    println!(
        "{:14} {:8} {:>9} {:>15} {:>9} {:>15} {:>7} {:>7}",
        "board", "", "M exp/s", "MB", "M exp/s", "MB", "ratio", "ratio"
    );
    row("first states", "bfs", &best("first states", "bfs", "bfs"));
    let boards = boards::fifteen();
    let mut all: Vec<[Measurement; 2]> = Vec::new();
    for board in boards.iter().chain(long.then(boards::long).as_ref()) {
        let sides = best(&board.name, "astar", &board.id);
        row(&board.name, "astar", &sides);
        all.push(sides);
    }
    if let Some(sides) = all.into_iter().reduce(|[a, b], [c, d]| [a.and(&c), b.and(&d)]) {
        row("all together", "astar", &sides);
    }
    for board in &boards {
        for algorithm in ["idastar", novelo_side::DEDICATED] {
            row(&board.name, algorithm, &best(&board.name, algorithm, &board.id));
        }
    }
    if !long {
        println!("left out: the board of 56 moves (peers --long measures it as well)");
    }
}

/// The best of several runs of both sides, and the memory of a process of one run.
fn best(name: &str, algorithm: &str, board: &str) -> [Measurement; 2] {
    progress::now(&format!("{name}, {algorithm}"));
    let sides = ["novelo", "pathfinding"];
    let mut best = sides.map(|side| measure(side, algorithm, board, RUNS));
    for _ in 1..TURNS {
        for (side, best) in sides.iter().zip(&mut best) {
            let next = measure(side, algorithm, board, RUNS);
            if next.seconds < best.seconds {
                *best = next;
            }
        }
    }
    for (side, best) in sides.iter().zip(&mut best) {
        best.bytes = measure(side, algorithm, board, 1).bytes;
    }
    assert_eq!(best[0].run.cost, best[1].run.cost, "both sides find the same cost on {name}");
    best
}

fn row(name: &str, algorithm: &str, [ours, theirs]: &[Measurement; 2]) {
    let rate = |m: &Measurement| m.run.expanded as f64 / m.seconds / 1e6;
    let mega = |m: &Measurement| m.bytes as f64 / 1e6;
    // Below a few megabytes a process's own needs drown a search's.
    let memory_ratio =
        if mega(theirs) < 4.0 { "-".to_owned() } else { format!("{:.2}", mega(ours) / mega(theirs)) };
    progress::done();
    println!(
        "{name:14} {algorithm:8} {:9.2} {:15.1} {:9.2} {:15.1} {:7.1} {memory_ratio:>7}   {:.1} M generated/s",
        rate(ours),
        mega(ours),
        rate(theirs),
        mega(theirs),
        rate(ours) / rate(theirs),
        ours.run.generated as f64 / ours.seconds / 1e6,
    );
}
