//! Whether a heuristic is what it promises to be.

use novelo_lab::Environment;
use novelo_lab::audit::{Audit, Question, audit};
use novelo_puzzles::checked_heuristic;
use novelo_search::parameter::ParameterError;
use serde::Serialize;

use super::files::File;
use super::job::Job;
use super::queue::Task;
use super::solve::json;
use crate::folders;
use crate::serve::api_error::ApiError;
use crate::serve::app::Limits;
use crate::serve::instances;

/// Instances looked at where not all states can be.
const SAMPLES: u64 = 20;
const MOST_SAMPLES: u64 = 1000;

#[derive(Serialize)]
struct Audited {
    kind: &'static str,
    audit: Verdict,
    files: Vec<File>,
}

#[derive(Serialize)]
struct Verdict {
    #[serde(flatten)]
    audit: Audit,
    admissible: bool,
    consistent: bool,
    text: String,
    counterexample: Option<Counterexample>,
}

#[derive(Serialize)]
struct Counterexample {
    id: String,
    h: Option<f64>,
    cost: u32,
    text: String,
}

/// The task of an audit.
pub fn task(
    puzzle: &str,
    heuristic: &str,
    size: Option<&str>,
    samples: Option<u64>,
    limits: &Limits,
) -> Result<Task, ApiError> {
    let puzzle = instances::puzzle(puzzle)?;
    let wrong = |error: ParameterError| ApiError::bad(error.to_string()).field("heuristic");
    let heuristic = heuristic.parse().map_err(wrong)?;
    checked_heuristic(&heuristic, puzzle)?;
    let size = size.map(str::parse).transpose();
    let size = size.map_err(|message: String| ApiError::bad(message).field("size"))?;
    let samples = samples.unwrap_or(SAMPLES);
    if !(1..=MOST_SAMPLES).contains(&samples) {
        let message = format!("samples: 1 to {MOST_SAMPLES} are possible, not {samples}");
        return Err(ApiError::bad(message).field("samples"));
    }
    let environment =
        Environment { memory: Some(limits.memory), cache: folders::cache(), cache_quota: Some(limits.cache) };
    let question =
        Question { puzzle, heuristic, size, samples, seed: 1, time: Some(limits.time), environment };
    let work = move |job: &Job| {
        let told = |done: u64, total: u64| job.step(done as usize, total as usize, None);
        let audit = audit(&question, job.cancelled(), told)?;
        let files = File::charts("estimates", &audit.chart()).to_vec();
        job.keep(files.clone());
        Ok(json(&Audited { kind: "audit", audit: verdict(audit), files }))
    };
    Ok(Task { kind: "audit", runs: Vec::new(), work: Box::new(work) })
}

fn verdict(audit: Audit) -> Verdict {
    let (admissible, consistent) = (audit.admissible(), audit.consistent());
    let found = match (admissible, consistent) {
        (_, true) => "Nothing speaks against it: it is admissible and consistent",
        (true, false) => "It is admissible, but not consistent",
        (false, _) => "It is not admissible",
    };
    let strength = if audit.exhaustive { "" } else { " as far as was looked" };
    let text = format!("{found}{strength}: {}.", audit.scope);
    let counterexample = audit.smallest.as_ref().map(|smallest| Counterexample {
        id: smallest.instance.clone(),
        h: smallest.h,
        cost: smallest.cost,
        text: match smallest.h {
            Some(h) => format!("It estimates {h} where {} suffices.", smallest.cost),
            None => format!("It sees a dead end where {} suffices.", smallest.cost),
        },
    });
    Verdict { audit, admissible, consistent, text, counterexample }
}
