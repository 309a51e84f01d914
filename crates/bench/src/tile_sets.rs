//! Sets of sliding-tile boards with known optima, and how long it takes to solve them.

use std::path::PathBuf;
use std::time::Instant;

use novelo_puzzles::sliding::Sliding;
use novelo_puzzles::{Instance, Puzzle as _, Report, Request};
use novelo_search::Control;

use crate::boards::shared;
use crate::measure::cpu_time;

/// A board of a set: its name, the optimum, and the rest of its line.
pub struct Known {
    pub name: String,
    pub instance: Box<dyn Instance>,
    pub optimum: Option<u32>,
    pub notes: String,
}

pub fn set(file: &str) -> Vec<Known> {
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
pub struct Folder(pub PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    pub fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("novelo-bench-{name}-{}", std::process::id())))
    }

    pub fn bytes(&self) -> u64 {
        let files = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
    }

    pub fn request(&self, algorithm: &str, heuristic: Option<&str>, threads: usize) -> Request {
        Request {
            algorithm: algorithm.parse().expect("an algorithm"),
            heuristic: heuristic.map(|name| name.parse().expect("a heuristic")),
            threads: Some(threads),
            cache: Some(self.0.clone()),
            ..Request::default()
        }
    }
}

pub fn solve(instance: &dyn Instance, request: &Request) -> Report {
    let attempt = instance.solve(request, Control::default()).expect("the request is possible");
    Report::new(instance, request, attempt).expect("the verifier accepts it")
}

/// CPU and wall-clock seconds of some work, beside its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64, f64) {
    let (cpu, wall) = (cpu_time(), Instant::now());
    let value = work();
    (value, cpu_time().saturating_sub(cpu).as_secs_f64(), wall.elapsed().as_secs_f64())
}

/// What solving a set took: nodes generated in all, and the CPU seconds of all and of the worst board.
pub struct Taken {
    pub generated: u64,
    pub cpu: f64,
    pub worst: f64,
}

/// Solves all and checks every cost; the least CPU time of several rounds for each board.
pub fn all(boards: &[Known], request: &Request, rounds: usize) -> Taken {
    let mut taken = Taken { generated: 0, cpu: 0.0, worst: 0.0 };
    for known in boards {
        let mut best = f64::INFINITY;
        for round in 0..rounds {
            let (report, cpu, _) = timed(|| solve(&*known.instance, request));
            assert_eq!(report.cost, known.optimum, "{}", known.name);
            best = best.min(cpu);
            taken.generated += if round == 0 { report.generated.unwrap_or(0) } else { 0 };
        }
        taken.cpu += best;
        taken.worst = taken.worst.max(best);
    }
    taken
}
