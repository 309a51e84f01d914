//! The optimal solver of sliding tiles: builds, searches, threads, large boards.
//!
//! CPU time of the process, all threads together; tables live in a folder that is empty at the start.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use novelo_puzzles::sliding::{Sliding, Tiles, optimal};
use novelo_puzzles::{GenerateRequest, Instance, Puzzle as _, Report, Request, Size};
use novelo_search::{Control, Limits, Settings};

use crate::boards::shared;
use crate::measure::cpu_time;

/// A board of a set: its name, the optimum, and the rest of its line.
struct Known {
    name: String,
    instance: Box<dyn Instance>,
    optimum: Option<u32>,
    notes: String,
}

fn set(file: &str) -> Vec<Known> {
    let Some(text) =
        shared().and_then(|folder| std::fs::read_to_string(folder.join("sliding").join(file)).ok())
    else {
        println!("left out: {file} is not here");
        return vec![];
    };
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let instances = Sliding.parse(&text, None).expect("a well-formed set");
    lines
        .zip(instances)
        .map(|(line, named)| {
            let fields: Vec<_> = line.split('|').map(str::trim).collect();
            Known {
                name: named.name.unwrap_or_default(),
                instance: named.instance,
                optimum: fields.get(4).and_then(|field| field.parse().ok()),
                notes: fields.get(5).copied().unwrap_or_default().into(),
            }
        })
        .collect()
}

/// A folder for tables that is gone in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("novelo-bench-{name}-{}", std::process::id())))
    }

    fn bytes(&self) -> u64 {
        let files = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
    }

    fn request(&self, algorithm: &str, heuristic: Option<&str>, threads: usize) -> Request {
        Request {
            algorithm: algorithm.parse().expect("an algorithm"),
            heuristic: heuristic.map(|name| name.parse().expect("a heuristic")),
            threads: Some(threads),
            cache: Some(self.0.clone()),
            ..Request::default()
        }
    }
}

fn solve(instance: &dyn Instance, request: &Request) -> Report {
    let attempt = instance.solve(request, Control::default()).expect("the request is possible");
    Report::new(instance, request, attempt).expect("the verifier accepts it")
}

/// CPU and wall-clock seconds of some work, beside its result.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64, f64) {
    let (cpu, wall) = (cpu_time(), Instant::now());
    let value = work();
    (value, cpu_time().saturating_sub(cpu).as_secs_f64(), wall.elapsed().as_secs_f64())
}

/// Solves all and checks every cost; the sum of nodes generated and the worst CPU time of one board.
fn all(boards: &[Known], request: &Request) -> (u64, f64) {
    let (mut generated, mut worst) = (0, 0.0f64);
    for known in boards {
        let (report, cpu, _) = timed(|| solve(&*known.instance, request));
        assert_eq!(report.cost, known.optimum, "{}", known.name);
        generated += report.generated;
        worst = worst.max(cpu);
    }
    (generated, worst)
}

fn manhattan() {
    const MOST: u64 = 300_000_000;
    let published = |known: &Known| known.notes.rsplit('=').next().and_then(|n| n.trim().parse::<u64>().ok());
    let mut boards = set("fifteen-korf-001-060.txt");
    boards.retain(|known| published(known).is_some_and(|nodes| nodes <= MOST));
    let folder = Folder::new("manhattan");
    let request = folder.request("idastar", Some("manhattan"), 1);
    let ((generated, _), cpu, _) = timed(|| all(&boards, &request));
    let korf: u64 = boards.iter().filter_map(published).sum();
    assert_eq!(generated, korf, "Korf's counts");
    println!(
        "IDA*, Manhattan: {} boards, {generated} generated (as Korf), {cpu:.2} s, {:.0} M generated/s",
        boards.len(),
        generated as f64 / cpu / 1e6
    );
}

fn fifteen(name: &str, hardest: bool) {
    let folder = Folder::new(name);
    let goal =
        Tiles::parse_id("4x4:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15:blank-first", None).expect("a board");
    let request = folder.request("idastar", Some(&format!("pdb:{name}")), 1);
    let (built, cpu, wall) = timed(|| optimal::build(&goal, name, &request, &mut Control::default()));
    built.expect("the build succeeds");
    println!(
        "{name}: built in {cpu:.2} s CPU, {wall:.2} s wall, one thread; {:.1} MB on disk",
        mega(folder.bytes())
    );
    let korf = set("fifteen-korf-001-060.txt");
    let ((generated, worst), cpu, _) = timed(|| all(&korf, &request));
    println!("{name}: {} Korf boards, {generated} generated, {cpu:.2} s, worst {worst:.3} s", korf.len());
    if hardest {
        let boards = set("fifteen-hardest.txt");
        let ((generated, worst), cpu, _) = timed(|| all(&boards, &request));
        println!(
            "{name}: {} boards of 80 moves, {generated} generated, {cpu:.2} s, worst {worst:.2} s",
            boards.len()
        );
    }
}

fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn twenty_four() {
    let folder = Folder::new("6-6-6-6");
    let boards = set("twentyfour-korf-01-25.txt");
    let Some(known) = boards.iter().find(|known| known.optimum == Some(81)) else { return };
    let id = known.instance.id();
    let goal = Tiles::parse_id(id.trim_start_matches("sliding:"), None).expect("a board");
    let request = folder.request("auto", None, 1);
    let (built, cpu, wall) = timed(|| optimal::build(&goal, "6-6-6-6", &request, &mut Control::default()));
    built.expect("the build succeeds");
    println!(
        "6-6-6-6: built in {cpu:.2} s CPU, {wall:.2} s wall, one thread; {:.1} MB on disk",
        mega(folder.bytes())
    );
    for threads in [1, 2] {
        let (report, cpu, wall) = timed(|| solve(&*known.instance, &folder.request("auto", None, threads)));
        assert_eq!(report.cost, known.optimum);
        println!(
            "{}, {threads} threads: {} generated, {cpu:.2} s CPU, {wall:.2} s wall",
            known.name, report.generated
        );
    }
}

fn large() {
    let never = AtomicBool::new(false);
    for side in 6..=10 {
        for (seconds, boards) in [(1, 5), (10, 5)] {
            let (mut ratio, mut slowest) = (0.0, 0.0f64);
            for number in 0..boards {
                let size = Some(Size { rows: side, cols: side });
                let request = GenerateRequest { size, seed: 1, ..GenerateRequest::default() };
                let instance = Sliding.generate(&request, number, &never).expect("a board");
                let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
                let settings = Settings { limits, ..Settings::default() };
                let request = Request { settings, ..Request::default() };
                let (report, _, wall) = timed(|| solve(&*instance, &request));
                let cost = report.cost.expect("a solution");
                ratio += f64::from(cost) / f64::from(manhattan_of(&*instance)) / boards as f64;
                slowest = slowest.max(wall);
            }
            println!(
                "{side}x{side}: {ratio:.3} times Manhattan after {seconds} s ({slowest:.2} s wall at most)"
            );
        }
    }
}

/// Manhattan distance, by a greedy search that may expand nothing.
fn manhattan_of(instance: &dyn Instance) -> u32 {
    let limits = Limits { nodes: Some(0), ..Limits::default() };
    let request = Request {
        algorithm: "astar".parse().expect("an algorithm"),
        heuristic: Some("manhattan".parse().expect("a heuristic")),
        settings: Settings { limits, ..Settings::default() },
        ..Request::default()
    };
    let attempt = instance.solve(&request, Control::default()).expect("the request is possible");
    attempt.outcome.lower_bound.expect("the root's estimate")
}

/// Prints all figures of the optimal solver.
pub fn table() {
    manhattan();
    fifteen("6-6-3", false);
    fifteen("7-8", true);
    twenty_four();
    large();
}
