//! What there is: puzzles, heuristics, algorithms, and the limits of this server.

use axum::Json;
use axum::extract::State;
use novelo_puzzles::{DIFFICULTIES, PUZZLES, Puzzle};
use novelo_search::stats::COUNTS;
use serde::Serialize;
use utoipa::ToSchema;

use super::api_error::ErrorResponses;
use super::app::Shared;
use super::{instances, jobs};
use crate::entries::{self, AlgorithmEntry, CountEntry, HeuristicEntry, ParameterEntry};

/// All that there is.
#[derive(Serialize, ToSchema)]
pub struct Registry {
    version: &'static str,
    limits: Bounds,
    puzzles: Vec<PuzzleEntry>,
    /// What can be asked for: auto, the engine's algorithms, the methods made for one puzzle.
    algorithms: Vec<AlgorithmEntry>,
    /// What the figures of a result mean.
    counts: Vec<CountEntry>,
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

/// What there is
#[utoipa::path(get, path = "/api/registry", responses((status = 200, body = Registry), ErrorResponses))]
pub async fn registry(State(app): State<Shared>) -> Json<Registry> {
    let limits = &app.limits;
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
        algorithms: entries::algorithms(None),
        counts: COUNTS.iter().map(CountEntry::from).collect(),
    })
}

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
        heuristics: puzzle.heuristics().iter().map(HeuristicEntry::from).collect(),
    }
}
