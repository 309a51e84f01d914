//! Limits over commands, puzzles and algorithms at random, for the record in docs/reliability.md: how far beyond its time and
//! its memory a process of the release build goes.
//!
//!     cargo build --release && NOVELO=target/release/novelo cargo test -p novelo --test matrix -- --ignored --nocapture
//!
//! `NOVELO_STRESS=10` tries ten times as many. A machine that is busy with other things makes times longer.

#![allow(unsafe_code, reason = "asks the system about processes")]
#![cfg(target_os = "linux")]

use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

/// What a process may exceed its time by: this or a twentieth.
const GRACE: f64 = 0.3;
/// The resident memory over the limit.
const MOST: f64 = 1.15;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

fn program() -> PathBuf {
    std::env::var_os("NOVELO").map_or_else(
        || env!("CARGO_BIN_EXE_novelo").into(),
        |path| {
            let path = PathBuf::from(path);
            let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
            if path.is_absolute() { path } else { root.join(path) }
        },
    )
}

struct Ended {
    status: ExitStatus,
    seconds: f64,
    resident: u64,
    words: String,
}

#[allow(clippy::zombie_processes, reason = "it is waited for by wait4, which tells what it used")]
fn run(arguments: &[String], folder: &std::path::Path) -> Ended {
    use std::os::unix::process::ExitStatusExt as _;
    let started = Instant::now();
    let mut command = Command::new(program());
    command.args(arguments).current_dir(folder).env("NOVELO_CACHE", folder.join("cache"));
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut words = Vec::new();
    child.stderr.take().unwrap().take(10_000).read_to_end(&mut words).unwrap();
    let mut status = 0;
    // SAFETY: waits for the child started above, which nobody else waits for; both pointers are to live values.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(
            libc::wait4(child.id() as libc::pid_t, &raw mut status, 0, &raw mut usage),
            child.id() as libc::pid_t
        );
        usage
    };
    Ended {
        status: ExitStatus::from_raw(status),
        seconds: started.elapsed().as_secs_f64(),
        resident: usage.ru_maxrss as u64 * 1024,
        words: String::from_utf8_lossy(&words).into_owned(),
    }
}

const ALGORITHMS: [&str; 14] = [
    "auto",
    "auto",
    "bfs",
    "dfs",
    "ids",
    "ucs",
    "greedy",
    "astar",
    "astar",
    "wastar:weight=2",
    "idastar",
    "bidirectional",
    "awastar",
    "dls:limit=30",
];

/// Boards of a puzzle from small to far too large, with the heuristics that it has.
const PUZZLES: [(&str, &[&str], &[&str]); 4] = [
    ("sliding", &["3x3", "4x4", "5x5", "8x8", "16x16"], &["manhattan", "linear-conflict", "zero"]),
    ("numbrix", &["5x5", "9x9", "20x20", "40x40"], &["openness", "zero"]),
    ("mazes", &["6x6", "10x10", "20x20"], &["zero"]),
    ("boxes", &["3x3", "8x8", "20x20", "50x50"], &["shared-arcs", "relaxation", "zero", "corners"]),
];

/// A command line, and the limits that it has: seconds and bytes.
fn command(
    random: &mut Random,
    boards: &mut impl FnMut(&str, &str, usize) -> String,
) -> (Vec<String>, Option<f64>, Option<u64>) {
    let (puzzle, sizes, heuristics) = PUZZLES[random.below(PUZZLES.len())];
    let size = random.of(sizes);
    let seed = 1 + random.below(3);
    // Always a time: what needs no memory would not end by it.
    let time = Some(random.of(&[0.05, 0.1, 0.2, 0.5, 1.0, 2.0]));
    let memory = (random.below(3) > 0).then(|| random.of(&[24, 32, 64, 128, 256_u64]) << 20);
    let limit = |arguments: &mut Vec<String>| {
        if let Some(seconds) = time {
            arguments.extend(["--time-limit".into(), format!("{}ms", (seconds * 1000.0) as u64)]);
        }
        if let Some(bytes) = memory {
            arguments.extend(["--memory-limit".into(), bytes.to_string()]);
        }
    };
    let mut arguments: Vec<String> = match random.below(8) {
        0 => {
            let heuristic = random.of(heuristics);
            let list = ["audit", puzzle, "-H", heuristic, "--size", size, "--samples", "50"];
            list.map(str::to_owned).to_vec()
        }
        1 => {
            let list = ["pdb", "build", random.of(&["4-4", "5-5-5", "6-6-3"])];
            let mut arguments = list.map(str::to_owned).to_vec();
            arguments.extend(memory.map(|bytes| format!("--memory-limit={bytes}")));
            return (arguments, None, memory);
        }
        kind => {
            let board = boards(puzzle, size, seed);
            let algorithm = random.of(&ALGORITHMS);
            let command = if kind == 2 { "trace" } else { "solve" };
            let mut arguments: Vec<String> =
                [command, &board, "-a", algorithm, "-H", random.of(heuristics)].map(str::to_owned).to_vec();
            if kind == 3 && ["numbrix", "mazes"].contains(&puzzle) {
                arguments = ["solve", &board, random.of(&["--count", "--unique", "--all"])]
                    .map(str::to_owned)
                    .to_vec();
            }
            if random.below(4) == 0 {
                arguments.extend([
                    "--node-limit".into(),
                    random.of(&["0", "1", "1000", "18446744073709551615"]).into(),
                ]);
            }
            arguments
        }
    };
    limit(&mut arguments);
    (arguments, time, memory)
}

#[test]
#[ignore = "takes minutes, and needs the release build and a quiet machine"]
fn limits_over_commands_and_puzzles() {
    let rounds: usize =
        std::env::var("NOVELO_STRESS").ok().and_then(|text| text.parse().ok()).unwrap_or(1) * 100;
    let folder = std::env::temp_dir().join(format!("novelo-matrix-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut known = std::collections::HashMap::new();
    let mut boards = |puzzle: &str, size: &str, seed: usize| -> String {
        known
            .entry((puzzle.to_owned(), size.to_owned(), seed))
            .or_insert_with(|| {
                let arguments = ["generate", puzzle, "--size", size, "--seed", &seed.to_string()];
                let output = Command::new(program()).args(arguments).output().unwrap();
                String::from_utf8(output.stdout).unwrap().trim().to_owned()
            })
            .clone()
    };
    let mut random =
        Random(std::env::var("NOVELO_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1));
    let (mut timed, mut late, mut worst_late) = (0, 0, 0.0_f64);
    let (mut bounded, mut large, mut worst_large, mut refused) = (0, 0, 0.0_f64, 0);
    let mut faults = Vec::new();
    for _ in 0..rounds {
        let (arguments, time, memory) = command(&mut random, &mut boards);
        let ended = run(&arguments, &folder);
        let line: String =
            arguments.iter().map(|word| word.chars().take(60).collect::<String>() + " ").collect();
        match ended.status.code() {
            Some(0 | 1 | 2 | 11 | 12 | 22 | 23 | 24) => {}
            code => faults.push(format!("{code:?}: {line}: {}", ended.words)),
        }
        if ended.status.code() == Some(2) {
            refused += 1;
            continue;
        }
        if let Some(limit) = time {
            timed += 1;
            let over = ended.seconds - limit;
            worst_late = worst_late.max(over);
            if over > GRACE.max(limit / 20.0) {
                late += 1;
                println!("{over:.2} s over: {line}");
            }
        }
        if let Some(limit) = memory {
            bounded += 1;
            let share = ended.resident as f64 / limit as f64;
            worst_large = worst_large.max(share);
            if share > MOST {
                large += 1;
                println!("{share:.2} of its memory: {line}");
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{rounds} runs, {refused} refused at the start");
    println!("{timed} within a time: {late} more than 0.3 s or 5 % over, {worst_late:.2} s at most");
    println!("{bounded} within a memory: {large} above 1.15, {worst_large:.2} at most");
    println!("{} ended in no known way", faults.len());
    faults.iter().for_each(|fault| println!("{fault}"));
    assert!(faults.is_empty());
}
