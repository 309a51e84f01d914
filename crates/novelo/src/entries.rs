//! What the registries hold, as plain data for `list --json` and the server.

use novelo_puzzles::{AUTO, Choice, HeuristicInfo, Method, PUZZLES, Puzzle};
use novelo_search::algorithms::{Lesson, Needs};
use novelo_search::parameter::{Kind, Parameter};
use novelo_search::stats::CountInfo;
use novelo_search::{Algorithm, AlgorithmInfo};
use serde::Serialize;
#[cfg(feature = "serve")]
use utoipa::ToSchema;

/// A parameter as its owner declares it.
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(ToSchema))]
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

/// A heuristic.
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(ToSchema))]
pub struct HeuristicEntry {
    name: &'static str,
    parameters: Vec<ParameterEntry>,
    about: &'static str,
    admissible: bool,
    consistent: bool,
    why: &'static str,
}

impl From<&HeuristicInfo> for HeuristicEntry {
    fn from(info: &HeuristicInfo) -> Self {
        Self {
            name: info.name,
            parameters: info.parameters.iter().map(ParameterEntry::from).collect(),
            about: info.about,
            admissible: info.promise.admissible,
            consistent: info.promise.consistent,
            why: info.why,
        }
    }
}

/// An algorithm of the engine, a method made for one puzzle, or auto.
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(ToSchema))]
pub struct AlgorithmEntry {
    name: &'static str,
    /// The puzzle it was made for; null if it runs on any.
    puzzle: Option<&'static str>,
    title: &'static str,
    about: &'static str,
    complete: &'static str,
    optimal: &'static str,
    time: &'static str,
    space: &'static str,
    /// nothing, heuristic, depth-limit or reversible.
    needs: &'static str,
    /// Whether a heuristic can be named for it.
    takes_heuristic: bool,
    parameters: Vec<ParameterEntry>,
    lesson: Option<LessonEntry>,
}

/// How an algorithm goes, for who watches it.
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(ToSchema))]
pub struct LessonEntry {
    /// Which node of the frontier is expanded next: oldest, newest, or the one with the least g, h or f.
    next: &'static str,
    pseudocode: Vec<LineEntry>,
}

/// A line of pseudocode.
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(ToSchema))]
pub struct LineEntry {
    text: &'static str,
    /// The events of a search that it is.
    events: Vec<&'static str>,
}

impl From<&Lesson> for LessonEntry {
    fn from(lesson: &Lesson) -> Self {
        let lines = lesson.lines().map(|(text, events)| LineEntry { text, events });
        Self { next: lesson.next.name(), pseudocode: lines.collect() }
    }
}

impl AlgorithmEntry {
    fn new(info: &'static AlgorithmInfo, puzzle: Option<&'static str>, takes_heuristic: bool) -> Self {
        Self {
            name: info.name,
            puzzle,
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
                Needs::HeuristicBothWays => "heuristic-both-ways",
            },
            takes_heuristic,
            parameters: info.parameters.iter().map(ParameterEntry::from).collect(),
            lesson: info.lesson.map(LessonEntry::from),
        }
    }
}

/// All that can be asked for: auto, the engine's algorithms, and the methods made for one puzzle, or for any.
pub fn algorithms(only: Option<&dyn Puzzle>) -> Vec<AlgorithmEntry> {
    let engine = Algorithm::INFOS.iter().map(|info| AlgorithmEntry::new(info, None, info.needs.heuristic()));
    let wanted = |name: &str| only.is_none_or(|only| only.info().name == name);
    let own = PUZZLES.iter().filter(|puzzle| wanted(puzzle.info().name)).flat_map(|puzzle| {
        let name = puzzle.info().name;
        puzzle.methods().iter().map(move |method| {
            let takes = Choice::Method(Method::Dedicated(method)).takes_heuristic();
            AlgorithmEntry::new(&method.about, Some(name), takes)
        })
    });
    let auto = AlgorithmEntry::new(&AUTO, None, Choice::Auto.takes_heuristic());
    std::iter::once(auto).chain(engine).chain(own).collect()
}

/// A figure of a result.
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(ToSchema))]
pub struct CountEntry {
    name: &'static str,
    definition: &'static str,
    /// When it is null.
    absent: &'static str,
}

impl From<&CountInfo> for CountEntry {
    fn from(&CountInfo { name, definition, absent, .. }: &CountInfo) -> Self {
        Self { name, definition, absent }
    }
}
