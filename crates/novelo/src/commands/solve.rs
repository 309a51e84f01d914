//! `novelo solve`

use std::fmt::Write as _;

use bytesize::ByteSize;
use indicatif::HumanCount;
use novelo_lab::plan;
use novelo_puzzles::{Choice, Ending, Instance, Method as Runnable, Named, Report, Request, Verdict};
use novelo_search::{Limits, Settings, Stop};

use super::{number_of_moves, print};
use crate::cli::{Method, Solve};
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{folders, interrupt, memory, paint, progress, source};

/// Solves every instance given, printing each result as it comes.
pub fn run(options: &Solve) -> Result<Code, UserError> {
    let mut instances = Vec::new();
    for argument in &options.instances {
        let reading = &options.reading;
        instances.extend(source::read(argument, reading.puzzle, reading.goal.as_deref())?);
    }
    let request = request(&options.method, Choice::Auto)?;
    // What is wrong is said before anything runs.
    for Named { instance, .. } in &instances {
        plan::check(&request, instance.puzzle())?;
    }
    tell_without_effect(&options.method, request.algorithm);
    let several = instances.len() > 1;
    let mut code = Code::Success;
    for Named { name, instance } in instances {
        if interrupt::requested() {
            return Ok(Code::Interrupted);
        }
        let instance = &*instance;
        let result = if options.all || options.count || options.unique {
            super::solve_all::run(instance, &request, options, &name.unwrap_or_default())?
        } else {
            one(instance, &request, options, name.as_deref(), several)?
        };
        code = code.and(result);
    }
    Ok(code)
}

/// Says which options have no effect on what is to be run.
pub fn tell_without_effect(options: &Method, algorithm: Choice) {
    let name = algorithm.info().name;
    let dedicated = matches!(algorithm, Choice::Method(Runnable::Dedicated(_)));
    // These have no states whose actions could be tried in one order or another.
    let stateless = matches!(algorithm, Choice::Method(method) if !method.searches_states());
    let blind = !algorithm.takes_heuristic();
    let note = |option: &str, reason: &str| notice(&format!("note: {option} has no effect: {name} {reason}"));
    if let (true, Some(heuristic)) = (blind, &options.heuristic) {
        note(&format!("--heuristic {heuristic}"), "uses no heuristic");
    }
    if stateless && options.order.is_some() {
        note("--order", "expands no states");
    }
    if stateless && options.shuffle.is_some() {
        note("--shuffle", "expands no states");
    }
    if !dedicated && blind && options.threads.is_some() {
        note("--threads", "runs on one thread");
    }
}

/// What the options ask for; without an algorithm, the usual one.
pub fn request(method: &Method, usual: Choice) -> Result<Request, UserError> {
    let limits = Limits {
        time: method.time_limit,
        memory: Some(memory::for_search(method.memory_limit)?),
        nodes: method.node_limit,
        depth: method.depth_limit,
    };
    Ok(Request {
        algorithm: method.algorithm.unwrap_or(usual),
        heuristic: method.heuristic.clone(),
        order: method.order.clone(),
        settings: Settings { limits, shuffle: method.shuffle, ..Settings::default() },
        threads: method.threads,
        cache: if method.no_cache { None } else { folders::cache() },
        notice: Some(notice),
    })
}

/// Tells the user what takes long, or what went wrong without doing harm.
pub fn notice(text: &str) {
    crate::tell::line(format_args!("novelo: {text}"));
}

fn one(
    instance: &dyn Instance,
    request: &Request,
    options: &Solve,
    name: Option<&str>,
    several: bool,
) -> Result<Code, UserError> {
    let label = name.filter(|_| several).unwrap_or_default();
    let attempt = instance.solve(request, progress::control(label))?;
    let mut report =
        Report::new(instance, request, attempt).map_err(|verdict| refused(instance, &verdict))?;
    report.name = name.map(str::to_owned);
    if options.json {
        let line = serde_json::to_string(&report).expect("a report is plain data");
        print(&format!("{line}\n"))?;
    } else {
        let mut text = summary(&report, label);
        if options.show {
            text.push_str(&boards(instance, report.moves.as_deref().unwrap_or_default()));
        }
        print(&text)?;
    }
    Ok(Code::of(&report))
}

/// A solver's result that the verifier does not accept is a fault of the
/// program, and said so; it is never printed as a result.
pub fn refused(instance: &dyn Instance, verdict: &Verdict) -> UserError {
    UserError::new(format!(
        "internal error: the verifier refused the solution found for {}: {verdict:?}",
        instance.id()
    ))
    .help("please report this with the instance and the options used")
}

/// The boards along a solution.
pub fn boards(instance: &dyn Instance, moves: &[String]) -> String {
    let pictures = instance.pictures(moves);
    let captions: Vec<_> = std::iter::once("start".to_owned())
        .chain(moves.iter().enumerate().map(|(i, text)| format!("{}. {text}", i + 1)))
        .take(pictures.len())
        .collect();
    format!("\n{}", paint::gallery(&pictures, &captions, textwrap::termwidth().min(160)))
}

fn summary(report: &Report, label: &str) -> String {
    let mut text = String::new();
    if !label.is_empty() {
        let _ = write!(text, "{label}: ");
    }
    text.push_str(&headline(report));
    text.push('\n');
    let mut line = |name: &str, value: String| {
        let indent = " ".repeat(12);
        let options = textwrap::Options::new(textwrap::termwidth().clamp(40, 110)).subsequent_indent(&indent);
        let wrapped = textwrap::fill(&format!("{name:>10}  {value}"), options);
        let _ = writeln!(text, "{wrapped}");
    };
    if let Some(reason) = &report.reason {
        line("because", reason.clone());
    }
    if let Some(moves) = &report.moves {
        let separator = if moves.iter().all(|text| text.len() == 1) { " " } else { ", " };
        line("moves", moves.join(separator));
    }
    let algorithm = match report.algorithm {
        Choice::Auto => format!("auto: {}", report.method),
        Choice::Method(method) => method.to_string(),
    };
    let guided = report.heuristic.as_ref().map(|name| format!(" with {name}")).unwrap_or_default();
    line("method", format!("{algorithm}{guided}"));
    if let (Some(expanded), Some(generated), Some(stored)) =
        (report.expanded, report.generated, report.stored_peak)
    {
        let [expanded, generated, stored] = [expanded, generated, stored].map(HumanCount);
        line("nodes", format!("{expanded} expanded, {generated} generated, {stored} stored"));
    }
    let rate = report.expanded.filter(|_| report.seconds > 0.01).map_or(String::new(), |expanded| {
        format!(", {} expanded a second", HumanCount((expanded as f64 / report.seconds) as u64))
    });
    let memory = report.peak_bytes.map_or(String::new(), |bytes| format!(", {}", ByteSize(bytes as u64)));
    line("used", format!("{}{memory}{rate}", time(report.seconds)));
    if let (Some(penetrance), factor) = (report.penetrance, report.branching_factor) {
        let factor = factor.map_or("none".into(), |factor| format!("{factor:.4}"));
        line("shape", format!("penetrance {penetrance:.4}, effective branching factor {factor}"));
    }
    if let (false, Some(bound)) = (report.optimal, report.lower_bound) {
        line("bound", format!("no solution costs less than {bound}"));
    }
    text
}

/// Seconds, in the unit that reads best.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

fn headline(report: &Report) -> String {
    match (report.outcome, report.depth, report.cost) {
        (Ending::Solved, Some(depth), Some(cost)) => {
            let moves = number_of_moves(depth);
            let cost = if cost as usize == depth { String::new() } else { format!(" at cost {cost}") };
            let proof = if report.optimal { "optimal, proved" } else { "not proved optimal" };
            format!("solved in {moves}{cost} ({proof})")
        }
        (Ending::Unsolvable, ..) => "unsolvable: there is no solution, proved".into(),
        _ => match report.stop {
            Some(Stop::Time) => "stopped by the time limit".into(),
            Some(Stop::Memory) => "stopped by the memory limit".into(),
            Some(Stop::Nodes) => "stopped by the node limit".into(),
            Some(Stop::Depth) => "stopped: no solution within the depth limit".into(),
            Some(Stop::Interrupted) => "interrupted".into(),
            Some(Stop::Overflow) => "gave up: a path costs more than can be counted".into(),
            Some(Stop::GaveUp) | None => "gave up without a solution or a proof that there is none".into(),
        },
    }
}
