//! `novelo solve`

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytesize::ByteSize;
use indicatif::HumanCount;
use novelo_lab::plan;
use novelo_lab::table::units::three_figures;
use novelo_puzzles::{
    Attempt, Choice, Ending, Improved, Improvements, Instance, Method as Runnable, Named, Report, Request,
    RequestError, Verdict,
};
use novelo_search::{Limits, Settings, Stop};

use super::{number_of_moves, print};
use crate::cli::{Method, Solve};
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{folders, interrupt, memory, paint, progress, source};

/// Carries a request out, under a label; nothing where the result is another process's to report.
pub type Carry<'c> = &'c dyn Fn(&dyn Instance, &Request, &str) -> Result<Option<Attempt>, RequestError>;

/// Solves every instance given, printing each result as it comes.
pub fn run(options: &Solve) -> Result<Code, UserError> {
    let request = request(&options.method, Choice::Auto)?;
    if options.all || options.count || options.unique {
        tell_without_effect_on_counting(&options.method);
    } else {
        tell_without_effect(&options.method, request.algorithm);
    }
    if options.json && options.show {
        notice("note: --show has no effect: --json prints moves, and no boards");
    }
    run_by(options, &request, &|instance, request, label| {
        instance.solve(request, progress::control(label)).map(Some)
    })
}

/// The same by whatever carries requests out.
pub fn run_by(options: &Solve, request: &Request, carry: Carry<'_>) -> Result<Code, UserError> {
    let mut instances = Vec::new();
    for argument in &options.instances {
        let reading = &options.reading;
        instances.extend(source::read(argument, reading.puzzle, reading.goal.as_deref())?);
    }
    // What is wrong is said before anything runs.
    for Named { instance, .. } in &instances {
        plan::check(request, instance.puzzle())?;
    }
    let several = instances.len() > 1;
    let mut code = Code::Success;
    let mut taken = Vec::new();
    for Named { name, instance } in instances {
        if interrupt::requested() {
            return Ok(Code::Interrupted);
        }
        let instance = &*instance;
        let result = if options.all || options.count || options.unique {
            super::solve_all::run(instance, request, options, name.as_deref(), several)?
        } else {
            one(instance, request, options, name.as_deref(), several, &mut taken, carry)?
        };
        code = code.and(result);
    }
    Ok(code)
}

/// Says which options have no effect on what is to be run.
pub fn tell_without_effect(options: &Method, algorithm: Choice) {
    tell_without_effect_on(options, algorithm, algorithm.info().name);
}

/// The same of options that say how to search, where solutions are counted.
fn tell_without_effect_on_counting(options: &Method) {
    for (option, given) in [
        ("--algorithm", options.algorithm.is_some()),
        ("--heuristic", options.heuristic.is_some()),
        ("--order", options.order.is_some()),
        ("--shuffle", options.shuffle.is_some()),
        ("--threads", options.threads.is_some()),
    ] {
        if given {
            notice(&format!("note: {option} has no effect: solutions are counted in one way"));
        }
    }
}

/// The same for a search that is looked at node by node.
pub fn tell_without_effect_on_watched(options: &Method) {
    if options.threads.is_some_and(|threads| threads > 1) {
        notice("note: --threads has no effect: a search that is looked at runs on one thread");
    }
}

/// The same once auto has taken a method.
fn tell_without_effect_on(options: &Method, algorithm: Choice, name: &str) {
    let blind = !algorithm.takes_heuristic();
    let note = |option: &str, reason: &str| notice(&format!("note: {option} has no effect: {name} {reason}"));
    if let (true, Some(heuristic)) = (blind, &options.heuristic) {
        note(&format!("--heuristic {heuristic}"), "uses no heuristic");
    }
    let own_order = match algorithm {
        Choice::Method(method) if !method.searches_states() => Some("expands no states"),
        Choice::Method(Runnable::Dedicated(method)) if !method.takes_order => {
            Some("tries moves in an order of its own")
        }
        _ => None,
    };
    for (option, given) in [("--order", options.order.is_some()), ("--shuffle", options.shuffle.is_some())] {
        if let (true, Some(reason)) = (given, own_order) {
            note(option, reason);
        }
    }
    let one_thread = matches!(algorithm, Choice::Method(method) if !method.uses_threads());
    if one_thread && options.threads.is_some_and(|threads| threads > 1) {
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
        ..Request::default()
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
    taken: &mut Vec<Runnable>,
    carry: Carry<'_>,
) -> Result<Code, UserError> {
    let label = name.filter(|_| several).unwrap_or_default();
    let wrong = Arc::new(Mutex::new(None));
    let improved = Arc::new(AtomicBool::new(false));
    let mut request = request.clone();
    if options.all_improvements {
        request.improvements = Some(improvements(instance, options.json, label, &wrong, &improved)?);
    }
    let request = &request;
    let Some(attempt) = carry(instance, request, label)? else { return Ok(Code::Success) };
    if let Some(wrong) = wrong.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(wrong);
    }
    // What auto takes is known when it has, and said once.
    let first = attempt.searched && !taken.contains(&attempt.method);
    if first && request.algorithm == Choice::Auto {
        let name = format!("auto takes {} here, which", attempt.method);
        tell_without_effect_on(&options.method, Choice::Method(attempt.method), &name);
    }
    if first && options.all_improvements && !improved.load(Ordering::Relaxed) {
        let method = attempt.method;
        notice(&format!(
            "note: --all-improvements has no effect: {method} has told of no solution but its last"
        ));
    }
    if first {
        taken.push(attempt.method);
    }
    let mut report =
        Report::new(instance, request, attempt).map_err(|verdict| refused(instance, &verdict))?;
    report.name = name.map(str::to_owned);
    if options.json {
        let line = serde_json::to_string(&report).expect("a report is plain data");
        print(&format!("{line}\n"))?;
    } else {
        let mut text = summary(&report, label);
        if let (true, false, Some(moves)) =
            (instance.puzzle().solution_is_a_board(), options.show, &report.moves)
        {
            let board = paint::position(instance, moves).map(|picture| paint::indented(&picture, 12));
            text.push_str(&board.unwrap_or_default());
        }
        if options.show {
            text.push_str(&boards(instance, report.moves.as_deref().unwrap_or_default()));
        }
        print(&text)?;
    }
    Ok(Code::of(&report))
}

/// Prints each better solution as it comes, if the verifier accepts it; otherwise the run ends, and `wrong` is why.
fn improvements(
    instance: &dyn Instance,
    json: bool,
    label: &str,
    wrong: &Arc<Mutex<Option<UserError>>>,
    improved: &Arc<AtomicBool>,
) -> Result<Improvements, UserError> {
    // The listener outlives this borrow of the instance: it has one of its own.
    let own = source::read(&instance.id(), None, None)?.remove(0).instance;
    let (label, wrong, improved) = (label.to_owned(), wrong.clone(), improved.clone());
    Ok(Improvements::new(move |better: Improved| {
        improved.store(true, Ordering::Relaxed);
        let verdict = own.check(&better.moves);
        let told = if verdict.is_solution() && verdict.cost == better.cost {
            let text = if json {
                serde_json::to_string(&better).expect("an improvement is plain data")
            } else {
                improvement(&better, &label)
            };
            progress::above(|| print(&format!("{text}\n")))
        } else {
            Err(refused(&*own, &verdict))
        };
        match told {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *wrong.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                ControlFlow::Break(())
            }
        }
    }))
}

/// An improvement in a line.
fn improvement(better: &Improved, label: &str) -> String {
    let label = if label.is_empty() { String::new() } else { format!("{label}: ") };
    let bound =
        better.lower_bound.map_or("nothing proved".into(), |bound| format!("none costs less than {bound}"));
    let moves = number_of_moves(better.moves.len());
    format!("{label}{:>10}  cost {}, {moves} ({bound})", time(better.seconds), better.cost)
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
        let wrapped = textwrap::fill(&format!("{name:>10}  {value}"), options).replace('\u{a0}', " ");
        let _ = writeln!(text, "{wrapped}");
    };
    line("puzzle", report.board());
    if let Some(reason) = &report.reason {
        line("because", reason.clone());
    }
    if let Some(moves) = &report.moves {
        // A move is not broken over two lines.
        let separator = if moves.iter().all(|text| text.len() == 1) { " " } else { ", " };
        let moves: Vec<_> = moves.iter().map(|made| made.replace(' ', "\u{a0}")).collect();
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
    if let Some(workers) = report.workers {
        let (count, sent) = (workers.count, 100.0 * workers.share_sent);
        let messages = HumanCount(workers.messages);
        let idle = time(workers.idle_seconds / count.max(1) as f64);
        line(
            "workers",
            format!("{count}, {sent:.1} % of successors sent in {messages} messages, {idle} idle each"),
        );
    }
    if let (Some(penetrance), factor) = (report.penetrance, report.branching_factor) {
        let factor = factor.map_or("none".into(), |factor| format!("{factor:.4}"));
        let penetrance = three_figures(penetrance);
        line("shape", format!("penetrance {penetrance}, effective branching factor {factor}"));
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

/// How a run ended, in a line.
pub fn headline(report: &Report) -> String {
    match (report.outcome, report.depth, report.cost) {
        (Ending::Solved, Some(depth), Some(cost)) => {
            let moves = number_of_moves(depth);
            let cost = if cost as usize == depth { String::new() } else { format!(" at cost {cost}") };
            let proof = match report.stop {
                _ if report.optimal => "optimal, proved".into(),
                Some(stop) => format!("not proved optimal: {}", ended_by(stop)),
                None => "not proved optimal".into(),
            };
            format!("solved in {moves}{cost} ({proof})")
        }
        (Ending::Unsolvable, ..) => "unsolvable: there is no solution, proved".into(),
        _ => ended_by(report.stop.unwrap_or(Stop::GaveUp)).into(),
    }
}

/// What ended a run before it was done.
fn ended_by(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "stopped by the time limit",
        Stop::Memory => "stopped by the memory limit",
        Stop::Nodes => "stopped by the node limit",
        Stop::Depth => "stopped: no solution within the depth limit",
        Stop::Interrupted => "interrupted",
        Stop::Overflow => "gave up: a path costs more than can be counted",
        Stop::GaveUp => "gave up without a solution or a proof that there is none",
    }
}
