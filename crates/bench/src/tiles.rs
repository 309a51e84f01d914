//! The optimal solver of sliding tiles: builds, searches, threads, whole processes, large boards.
//!
//! CPU time of the process, all threads together, unless wall time is said; tables live in folders that are empty at
//! the start and gone at the end.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use novelo_puzzles::sliding::{Sliding, Tiles, optimal};
use novelo_puzzles::{GenerateRequest, Instance, Puzzle as _, Request, Size};
use novelo_search::{Control, Limits, Meter, Settings};

use crate::measure::cpu_time_of_children;
use crate::tile_sets::{Folder, Known, all, set, solve, timed};

/// Rounds of which the best counts.
const ROUNDS: usize = 3;

fn manhattan() {
    const MOST: u64 = 300_000_000;
    let mut boards = set("fifteen-korf-001-060.txt");
    boards.retain(|known| published(known).is_some_and(|nodes| nodes <= MOST));
    let request = Folder::new("manhattan").request("idastar", Some("manhattan"), 1);
    let taken = all(&boards, &request, 1);
    let korf: u64 = boards.iter().filter_map(published).sum();
    assert_eq!(taken.generated, korf, "Korf's counts");
    println!(
        "{} boards of at most {} M nodes: {} generated, as Korf; {:.2} s, {:.0} M generated/s (aim 200)",
        boards.len(),
        MOST / 1_000_000,
        taken.generated,
        taken.cpu,
        taken.generated as f64 / taken.cpu / 1e6
    );
}

/// The meter of a run without limits.
fn unlimited() -> Meter<'static> {
    Meter::new(Limits::default(), Control::default())
}

/// Builds the tables of a partition on one thread; the CPU seconds.
fn build(folder: &Folder, goal: &str, name: &str) -> f64 {
    let goal = Tiles::parse_id(goal, None).expect("a board");
    let request = folder.request("auto", None, 1);
    let (built, cpu, wall) = timed(|| optimal::build(&goal, name, &request, &unlimited()));
    built.expect("the build succeeds");
    println!("built in {cpu:.2} s, {wall:.2} s wall; {:.1} MB on disk", folder.bytes() as f64 / 1e6);
    cpu
}

fn fifteen(name: &str, hardest: bool) {
    let folder = Folder::new(name);
    let request = folder.request("tiles", Some(&format!("pdb:{name}")), 1);
    let built = build(&folder, "4x4:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15:blank-first", name);
    let sets = [Some("fifteen-korf-001-060.txt"), hardest.then_some("fifteen-hardest.txt")];
    for file in sets.into_iter().flatten() {
        let boards = set(file);
        let taken = all(&boards, &request, ROUNDS);
        println!(
            "{} boards of {file}: {} generated, {:.3} s, worst {:.3} s; with the build {:.2} s",
            boards.len(),
            taken.generated,
            taken.cpu,
            taken.worst,
            built + taken.cpu
        );
    }
}

/// Random boards of one size, the same in every run.
fn random(side: usize, count: u64) -> impl Iterator<Item = Box<dyn Instance>> {
    (0..count).map(move |number| {
        let size = Some(Size { rows: side, cols: side });
        let request = GenerateRequest { size, seed: 1, ..GenerateRequest::default() };
        Sliding.generate(&request, number, &AtomicBool::new(false)).expect("a board")
    })
}

/// The program itself, from start to exit, where it was built beside this one.
fn processes() {
    const BOARDS: u64 = 20;
    let program = std::env::current_exe().ok().map(|path| path.with_file_name("novelo"));
    let Some(program) = program.filter(|path| path.exists()) else {
        println!("left out: the program is not built (cargo build --release)");
        return;
    };
    let run = |id: &str, cache: &Path| {
        let (cpu, wall) = (cpu_time_of_children(), Instant::now());
        let output = Command::new(&program).args(["solve", id, "--json"]).env("NOVELO_CACHE", cache).output();
        assert!(output.expect("the program starts").status.success(), "{id}");
        (cpu_time_of_children().saturating_sub(cpu).as_secs_f64(), wall.elapsed().as_secs_f64())
    };
    for (what, aim, warm) in [("an empty cache", "1 s", false), ("a warm cache", "50 ms", true)] {
        let shared = Folder::new("warm");
        let (mut cpu, mut wall) = (0.0, 0.0);
        for (number, instance) in random(4, BOARDS).enumerate() {
            let fresh = Folder::new(&format!("cold-{number}"));
            let cache = if warm { &shared } else { &fresh };
            if warm && number == 0 {
                build_quietly(cache, "6-6-3");
            }
            let taken = run(&instance.id(), &cache.0);
            (cpu, wall) = (cpu + taken.0, wall + taken.1);
        }
        let mean = |sum: f64| sum / BOARDS as f64 * 1e3;
        println!(
            "{BOARDS} random boards, {what}: {:.1} ms CPU, {:.1} ms wall each (aim {aim})",
            mean(cpu),
            mean(wall)
        );
    }
}

fn build_quietly(folder: &Folder, name: &str) {
    let goal = Tiles::parse_id("4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0", None).expect("a board");
    let request = folder.request("auto", None, 2);
    optimal::build(&goal, name, &request, &unlimited()).expect("the build succeeds");
}

fn twenty_four() {
    let boards = set("twentyfour-korf-01-25.txt");
    // The board of 81 moves, and one that takes a thread more than five seconds.
    let named = |name: &str| boards.iter().find(|known| known.name == name);
    let (Some(short), Some(long)) = (named("korf24-25"), named("korf24-22")) else { return };
    let folder = Folder::new("6-6-6-6");
    build(&folder, short.instance.id().trim_start_matches("sliding:"), "6-6-6-6");
    let best = |known: &Known, threads| {
        let mut best = (f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            let request = folder.request("auto", None, threads);
            let (report, cpu, wall) = timed(|| solve(&*known.instance, &request));
            assert_eq!(report.cost, known.optimum);
            println!(
                "{}, {threads} threads: {} generated, {cpu:.2} s, {wall:.2} s wall",
                known.name,
                report.generated.unwrap_or(0)
            );
            best = (best.0.min(cpu), best.1.min(wall));
        }
        best
    };
    best(short, 1);
    let [one, two] = [1, 2].map(|threads| best(long, threads));
    println!(
        "two threads against one: {:.2} times by wall time, {:.2} were both cores free (aim 1.7)",
        one.1 / two.1,
        one.0 / (two.0 / 2.0)
    );
}

/// The count of nodes at the end of a board's notes.
fn published(known: &Known) -> Option<u64> {
    known.notes.rsplit('=').next()?.trim().parse().ok()
}

/// Every shared 24-puzzle, those with the smallest published counts first, as far as each is solved within the limit.
fn long_table(limit: Duration) {
    /// For boards that took Korf and Felner more nodes, the proof alone takes more than the 20 G that two threads generate
    /// in ten minutes (docs/performance.md).
    const HOPELESS: u64 = 400_000_000_000;
    let folder = Folder::new("table");
    let mut boards: Vec<_> =
        ["twentyfour-clausecker.txt", "twentyfour-korf-01-25.txt"].into_iter().flat_map(set).collect();
    boards.sort_by_key(published);
    let (boards, left_out): (Vec<_>, Vec<_>) =
        boards.into_iter().partition(|known| published(known).is_none_or(|nodes| nodes <= HOPELESS));
    for known in &boards {
        let limits = Limits { time: Some(limit), ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        let request = Request { settings, ..folder.request("tiles", Some("pdb:6-6-6-6"), 2) };
        let (report, cpu, wall) = timed(|| solve(&*known.instance, &request));
        assert!(report.cost.is_none() || report.cost == known.optimum, "{}", known.name);
        let cost = report.cost.map_or("-".to_owned(), |cost| cost.to_string());
        println!("| {} | {cost} | {} | {cpu:.1} | {wall:.1} |", known.name, report.generated.unwrap_or(0));
    }
    let names: Vec<_> = left_out.iter().map(|known| &*known.name).collect();
    println!("left out, with published counts above {} G: {}", HOPELESS / 1_000_000_000, names.join(", "));
}

fn large() {
    const BOARDS: u64 = 3;
    for side in 6..=10 {
        for seconds in [1, 10] {
            let (mut ratio, mut slowest) = (0.0, 0.0f64);
            for instance in random(side, BOARDS) {
                let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
                let settings = Settings { limits, ..Settings::default() };
                let (report, _, wall) =
                    timed(|| solve(&*instance, &Request { settings, ..Request::default() }));
                let cost = report.cost.expect("a solution");
                ratio += f64::from(cost) / f64::from(manhattan_of(&*instance)) / BOARDS as f64;
                slowest = slowest.max(wall);
            }
            println!(
                "{side}x{side}: {ratio:.3} times Manhattan after {seconds} s ({slowest:.2} s wall at most)"
            );
        }
    }
}

/// Manhattan distance, by a search that may expand nothing.
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

/// Prints all figures of the optimal solver; about five minutes on a free machine.
pub fn table() {
    let parts: [(&str, fn()); 6] = [
        ("IDA* with Manhattan distance, no pruning machine, one thread", manhattan),
        ("6-6-3 from nothing, one thread (aim: 2.5 s and 30 MB)", || fifteen("6-6-3", false)),
        ("the program from start to exit", processes),
        ("7-8, one thread (aim: built in 70 s and 600 MB, 0.4 s for Korf's, 1 s for the worst)", || {
            fifteen("7-8", true);
        }),
        ("6-6-6-6, the board of 81 moves (aim: built in 90 s and 520 MB, 10 s)", twenty_four),
        ("boards beyond optimal reach (aim: a solution within 1 s, 6x6 at 1.5 after 10 s)", large),
    ];
    for (title, part) in parts {
        println!("\n{title}");
        part();
    }
}

/// Prints the table of the shared 24-puzzles, each given `seconds` on two threads.
pub fn long(seconds: u64) {
    println!("| board | cost | generated | CPU s | wall s |\n|---|---|---|---|---|");
    long_table(Duration::from_secs(seconds));
}
