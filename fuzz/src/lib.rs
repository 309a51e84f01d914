//! What must hold for any input whatever: one function a fuzz target. Each returns, or it has found a fault.

use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use novelo_lab::experiment;
use novelo_lab::report::Report as LabReport;
use novelo_lab::results;
use novelo_lab::summary::Field;
use novelo_puzzles::session::Session;
use novelo_puzzles::{
    Choice, Ending, GenerateRequest, Instance, PUZZLES, Puzzle, Report, Request, Size, input,
};
use novelo_search::{Algorithm, Control, Limits, Settings};

/// A property of any input.
pub type Property = fn(&[u8]);

/// All of them, by name.
pub const PROPERTIES: [(&str, Property); 7] = [
    ("parse_then_print_is_identity", parse_then_print_is_identity),
    ("solution_is_verified", solution_is_verified),
    ("check_never_panics", check_never_panics),
    ("save_roundtrip", save_roundtrip),
    ("experiment_file", experiment_file),
    ("results_file", results_file),
    ("api_body", api_body),
];

/// The longest an input may take before the flag that ends it is raised.
const PATIENCE: Duration = Duration::from_millis(500);
/// Cells of boards that are searched.
const SMALL: usize = 16;

/// A flag that is raised when the input in hand takes too long, by one thread for all inputs.
fn patience() -> &'static AtomicBool {
    static FLAG: AtomicBool = AtomicBool::new(false);
    static BEGUN: AtomicU64 = AtomicU64::new(0);
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        std::thread::spawn(|| {
            let mut last = (0, Instant::now());
            loop {
                std::thread::sleep(PATIENCE / 10);
                let begun = BEGUN.load(Relaxed);
                if begun != last.0 {
                    last = (begun, Instant::now());
                } else if last.1.elapsed() > PATIENCE {
                    FLAG.store(true, Relaxed);
                }
            }
        });
    });
    BEGUN.fetch_add(1, Relaxed);
    FLAG.store(false, Relaxed);
    &FLAG
}

/// What is read can be printed, and what is printed is read as the same, whatever the format it came in.
pub fn parse_then_print_is_identity(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let goal = [None, Some("blank-first"), Some("blank-last")][text.len() % 3];
    let mut known = Vec::new();
    for named in input::read(text, None, goal).into_iter().flatten() {
        reads_as_itself(&*named.instance, &mut known);
    }
    for puzzle in PUZZLES {
        let _ = puzzle.likeness(text);
        for named in puzzle.parse(text, None).into_iter().flatten() {
            reads_as_itself(&*named.instance, &mut known);
        }
        if let Ok(instance) = puzzle.parse_id(text, None) {
            reads_as_itself(&*instance, &mut known);
        }
    }
}

/// What holds for an instance, unless it is known already.
fn reads_as_itself(instance: &dyn Instance, known: &mut Vec<String>) {
    let id = instance.id();
    if known.contains(&id) {
        return;
    }
    let again = input::read(&id, None, None).unwrap_or_else(|error| panic!("{id} is not read: {error}"));
    assert_eq!(again.len(), 1, "{id}");
    assert_eq!(again[0].instance.id(), id);
    assert_eq!(again[0].instance.puzzle().info().name, instance.puzzle().info().name);
    let cells = cells(instance);
    // Everything that is asked of a board at sight.
    let _ = instance.impossible();
    if cells <= SMALL {
        let _ = instance.game().view();
        let _ = instance.pictures(&[]);
    }
    known.push(id);
}

/// How large a board is: at least one cell, or one thing where there are no columns.
fn cells(instance: &dyn Instance) -> usize {
    let id = instance.id();
    let size = id.split(':').nth(1).and_then(|size| size.parse::<Size>().ok());
    let size = size.unwrap_or_else(|| panic!("{id} begins with no size"));
    assert!(size.rows >= 1, "{id}");
    assert_eq!(size.cols == 0, !id.contains(&format!(":{}x", size.rows)), "{id}");
    size.rows * size.cols.max(1)
}

/// A board of some bytes: what they say, or one that is generated from them.
fn board(data: &[u8]) -> Option<Box<dyn Instance>> {
    if let Some((name, body)) = std::str::from_utf8(data).ok().and_then(|text| text.trim().split_once(':'))
        && let Some(puzzle) = novelo_puzzles::puzzle(name)
    {
        return puzzle.parse_id(body, None).ok();
    }
    let &[which, rows, cols, seed, ..] = data else { return None };
    let puzzle: &dyn Puzzle = PUZZLES[usize::from(which) % PUZZLES.len()];
    let size = Size { rows: 2 + usize::from(rows) % 3, cols: 2 + usize::from(cols) % 3 };
    let request = GenerateRequest { size: Some(size), seed: seed.into(), ..GenerateRequest::default() };
    puzzle.generate(&request, 0, patience()).ok()
}

fn is_small(instance: &dyn Instance) -> bool {
    cells(instance) <= SMALL
}

/// Whatever solves a small board, within whatever limits: its solution is accepted by the verifier, and what is proved by one
/// is not contradicted by another.
pub fn solution_is_verified(data: &[u8]) {
    let &[algorithm, heuristic, nodes, shuffle, ref rest @ ..] = data else { return };
    let Some(instance) = board(rest).filter(|instance| is_small(&**instance)) else { return };
    let all: Vec<Algorithm> = Algorithm::all().collect();
    let choice = match usize::from(algorithm) % (all.len() + 1) {
        0 => Choice::Auto,
        n => Choice::from(all[n - 1]),
    };
    let heuristics = instance.puzzle().heuristics();
    let heuristic = heuristics[usize::from(heuristic) % heuristics.len()];
    let heuristic = (!heuristic.needs_parameters()).then(|| heuristic.name.parse().expect("a name"));
    let limits = Limits {
        time: Some(PATIENCE / 2),
        memory: Some(64 << 20),
        nodes: Some(u64::from(nodes) * 20),
        depth: (choice.info().name == "dls").then_some(12),
    };
    let shuffle = (shuffle % 2 == 1).then_some(shuffle.into());
    let request = |algorithm, heuristic, shuffle| Request {
        algorithm,
        heuristic,
        settings: Settings { limits, shuffle, ..Settings::default() },
        threads: Some(1),
        ..Request::default()
    };
    let run = |request: &Request| {
        let attempt = instance.solve(request, Control::cancelled_by(patience())).ok()?;
        let report = Report::new(&*instance, request, attempt);
        Some(report.unwrap_or_else(|verdict| panic!("{}: refused: {verdict:?}", instance.id())))
    };
    let Some(one) = run(&request(choice, heuristic, shuffle)) else { return };
    if let (Some(cost), Some(bound)) = (one.cost, one.lower_bound) {
        assert!(bound <= cost, "{}: a bound of {bound} above {cost}", instance.id());
    }
    let Some(other) = run(&request(Choice::Auto, None, None)) else { return };
    let name = instance.id();
    match (one.outcome, other.outcome) {
        (Ending::Solved, Ending::Unsolvable) | (Ending::Unsolvable, Ending::Solved) => {
            panic!("{name}: {choice} and auto disagree whether there is a solution")
        }
        (Ending::Solved, Ending::Solved) => {
            let (a, b) = (one.cost.expect("solved"), other.cost.expect("solved"));
            assert!(!one.optimal || a <= b, "{name}: {choice} calls {a} optimal, auto has {b}");
            assert!(!other.optimal || b <= a, "{name}: auto calls {b} optimal, {choice} has {a}");
        }
        _ => {}
    }
}

/// A solution may be any text, and is judged.
pub fn check_never_panics(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (first, moves) = text.split_once('\n').unwrap_or((text, ""));
    let Some(instance) = board(first.as_bytes()) else { return };
    let words: Vec<_> = match instance.parse_moves(moves) {
        Ok(moves) => moves,
        Err(_) => moves.lines().map(str::to_owned).collect(),
    };
    let verdict = instance.check(&words);
    assert_eq!(verdict, instance.check(&words));
    let end = input::read(&verdict.end, None, None);
    assert_eq!(end.map(|end| end.len()).ok(), Some(1), "the end of {} is an instance", instance.id());
    if words.len() <= 64 && is_small(&*instance) {
        let _ = instance.pictures(&words);
    }
    let mut game = instance.game();
    for word in words.iter().take(64) {
        let _ = game.play(word);
        let _ = (game.status(), game.progress(), game.cost());
    }
}

/// The text of a game without its clock, which runs.
fn without_clock(save: &str) -> String {
    save.lines().filter(|line| !line.starts_with("seconds ")).collect::<Vec<_>>().join("\n")
}

/// A game that is saved is the same when it is loaded; any other text is refused.
pub fn save_roundtrip(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut session = if let Ok(session) = Session::load_at_most(text, 1000, patience()) {
        session
    } else {
        let Some(instance) = board(text.lines().next().unwrap_or_default().as_bytes()) else { return };
        Session::new(instance)
    };
    for word in text.lines().skip(1).take(100) {
        match word {
            "undo" => drop(session.undo()),
            "redo" => drop(session.redo()),
            "restart" => session.restart(),
            "pause" => session.pause(),
            "resume" => session.resume(),
            word => drop(session.play(word)),
        }
    }
    let save = session.save();
    let again = Session::load(&save).unwrap_or_else(|error| panic!("{save}\nis not loaded: {error}"));
    assert_eq!(without_clock(&again.save()), without_clock(&save));
    assert_eq!((again.moves(), again.status()), (session.moves(), session.status()));
    assert!(again.bytes() > 0);
}

/// A file that asks for runs is laid out within bounds, or refused.
pub fn experiment_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // What files there are is no part of the property.
    if text.contains("files") {
        return;
    }
    if let Ok(experiment) = experiment::parse(text, Path::new("fuzz.toml"), patience()) {
        assert!(experiment.tasks.len() <= experiment::MOST_RUNS);
        for task in experiment.tasks.iter().take(10) {
            let instance = task.subject.read().expect("instances are written as they are read");
            assert_eq!(instance.id(), task.subject.instance);
            let written = serde_json::to_string(task).expect("a task is plain data");
            let read = serde_json::from_str::<novelo_lab::Task>(&written).expect("what is written is read");
            assert_eq!(&read, task);
        }
    }
}

/// Results are read as they are written, and any that are read can be reported on.
pub fn results_file(data: &[u8]) {
    let Ok(contents) = results::parse(data, Path::new("fuzz.ndjson")) else { return };
    for run in contents.runs.iter().take(20) {
        let written = serde_json::to_string(run).expect("a run is plain data");
        serde_json::from_str::<novelo_lab::Run>(&written).expect("what is written is read");
        let _ = run.task.command();
    }
    if contents.runs.len() <= 20 {
        let report = LabReport::new(&contents.headers, &contents.runs, vec![Field::Method]);
        let _ = (report.summary().csv(), report.instances());
    }
}

/// Whatever is posted to an address of the server gets an answer that is no fault of the server.
pub fn api_body(data: &[u8]) {
    let Some((&address, body)) = data.split_first() else { return };
    let addresses = ["/api/instances", "/api/generate", "/api/views", "/api/games", "/api/jobs"];
    let address = addresses[usize::from(address) % addresses.len()];
    let (status, answer) = novelo::answer(address, body);
    assert!(status < 500, "{address}: {status} {}", String::from_utf8_lossy(&answer));
    assert!(answer.len() < 16 << 20, "{address}: an answer of {} bytes", answer.len());
    serde_json::from_slice::<serde_json::Value>(&answer).expect("every answer is JSON");
}
