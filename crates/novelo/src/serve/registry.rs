//! What there is: puzzles, heuristics, algorithms, and the limits of this server.

use axum::Json;
use axum::extract::State;
use novelo_puzzles::{DIFFICULTIES, HeuristicInfo, PUZZLES, Puzzle};
use novelo_search::Algorithm;
use novelo_search::algorithms::Needs;
use novelo_search::parameter::{Kind, Parameter};
use serde::Serialize;
use utoipa::ToSchema;

use super::app::Shared;
use super::refusal::Refused;
use super::{instances, jobs};

/// All that there is.
#[derive(Serialize, ToSchema)]
pub struct Registry {
    version: &'static str,
    limits: Bounds,
    puzzles: Vec<PuzzleEntry>,
    algorithms: Vec<AlgorithmEntry>,
}

/// What this server allows.
#[derive(Serialize, ToSchema)]
struct Bounds {
    job_seconds: f64,
    job_bytes: u64,
    max_jobs: usize,
    max_queue: usize,
    race_runs: usize,
    compare_runs: usize,
    compare_instances: usize,
    repeat: usize,
    trace_nodes: usize,
    instances: usize,
}

#[derive(Serialize, ToSchema)]
struct PuzzleEntry {
    name: &'static str,
    title: &'static str,
    /// What to do, in a line.
    line: &'static str,
    about: &'static str,
    formats: &'static str,
    moves: &'static str,
    example: &'static str,
    /// An instance whose picture shows what the puzzle is like.
    face: &'static str,
    /// An instance on which heuristics can be told apart.
    lesson: &'static str,
    orders: &'static str,
    goals: &'static str,
    /// Sizes that are good to play.
    sizes: &'static [&'static str],
    difficulties: [&'static str; 4],
    /// The options of its generator, beside size, seed and difficulty.
    generator: Vec<ParameterEntry>,
    counts_solutions: bool,
    /// What a cost of one is, and what several are.
    unit: [&'static str; 2],
    /// What the progress of a game counts.
    progress: &'static str,
    /// The first is the default.
    heuristics: Vec<HeuristicEntry>,
}

/// A parameter as its owner declares it.
#[derive(Serialize, ToSchema)]
pub struct ParameterEntry {
    name: &'static str,
    /// integer, number, flag, word or text.
    kind: &'static str,
    /// The smallest number.
    least: Option<f64>,
    /// The largest number, if there is one.
    most: Option<f64>,
    /// The words it can be.
    words: Option<&'static [&'static str]>,
    /// A text it can be.
    example: Option<&'static str>,
    default: Option<&'static str>,
    required: bool,
    about: &'static str,
}

impl From<&Parameter> for ParameterEntry {
    fn from(&Parameter { name, kind, default, required, about }: &Parameter) -> Self {
        let (least, most) = match kind {
            Kind::Integer { least, most: u64::MAX } => (Some(least as f64), None),
            Kind::Integer { least, most } => (Some(least as f64), Some(most as f64)),
            Kind::Number { least, most } => (Some(least), Some(most)),
            Kind::Flag | Kind::Word(_) | Kind::Text(_) => (None, None),
        };
        let words = if let Kind::Word(words) = kind { Some(words) } else { None };
        let example = if let Kind::Text(example) = kind { Some(example) } else { None };
        Self { name, kind: kind.name(), least, most, words, example, default, required, about }
    }
}

#[derive(Serialize, ToSchema)]
struct HeuristicEntry {
    name: &'static str,
    parameters: &'static str,
    about: &'static str,
    admissible: bool,
    consistent: bool,
    why: &'static str,
}

#[derive(Serialize, ToSchema)]
struct AlgorithmEntry {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    complete: &'static str,
    optimal: &'static str,
    time: &'static str,
    space: &'static str,
    needs: &'static str,
}

/// What there is
#[utoipa::path(get, path = "/api/registry", responses((status = 200, body = Registry), Refused))]
pub async fn registry(State(app): State<Shared>) -> Json<Registry> {
    let limits = &app.limits;
    let algorithms = Algorithm::ALL.iter().map(|&algorithm| algorithm_entry(algorithm));
    Json(Registry {
        version: env!("CARGO_PKG_VERSION"),
        limits: Bounds {
            job_seconds: limits.time.as_secs_f64(),
            job_bytes: limits.memory as u64,
            max_jobs: limits.jobs,
            max_queue: jobs::QUEUE,
            race_runs: jobs::RACE_RUNS,
            compare_runs: jobs::COMPARE_RUNS,
            compare_instances: jobs::COMPARE_INSTANCES,
            repeat: jobs::REPEAT,
            trace_nodes: jobs::TRACE_NODES,
            instances: instances::MOST,
        },
        puzzles: PUZZLES.iter().map(|&puzzle| puzzle_entry(puzzle)).collect(),
        algorithms: std::iter::once(AUTO).chain(algorithms).collect(),
    })
}

const AUTO: AlgorithmEntry = AlgorithmEntry {
    name: "auto",
    title: "Automatic",
    about: "The best exact method there is for the puzzle and the instance: pattern databases and parallel IDA* \
            for sliding tiles, propagation and clause learning for Numbrix and mazes, branch and bound for boxes.",
    complete: "yes",
    optimal: "yes, proved, unless a limit ends it",
    time: "depends on the method",
    space: "depends on the method",
    needs: "nothing",
};

fn puzzle_entry(puzzle: &dyn Puzzle) -> PuzzleEntry {
    let info = puzzle.info();
    PuzzleEntry {
        name: info.name,
        title: info.title,
        line: info.line,
        about: info.about,
        formats: info.formats,
        moves: info.moves,
        example: info.example,
        face: info.face,
        lesson: info.lesson,
        orders: info.orders,
        goals: info.goals,
        sizes: info.sizes,
        difficulties: DIFFICULTIES,
        generator: info.generator.iter().map(ParameterEntry::from).collect(),
        counts_solutions: info.counts_solutions,
        unit: info.unit,
        progress: info.progress,
        heuristics: puzzle.heuristics().iter().map(heuristic_entry).collect(),
    }
}

fn heuristic_entry(info: &HeuristicInfo) -> HeuristicEntry {
    HeuristicEntry {
        name: info.name,
        parameters: info.parameters,
        about: info.about,
        admissible: info.promise.admissible,
        consistent: info.promise.consistent,
        why: info.why,
    }
}

fn algorithm_entry(algorithm: Algorithm) -> AlgorithmEntry {
    let info = algorithm.info();
    AlgorithmEntry {
        name: info.name,
        title: info.title,
        about: info.about,
        complete: info.complete,
        optimal: info.optimal,
        time: info.time,
        space: info.space,
        needs: match info.needs {
            Needs::Nothing => "nothing",
            Needs::Heuristic => "heuristic",
            Needs::DepthLimit => "depth-limit",
            Needs::Reversible => "reversible",
        },
    }
}
