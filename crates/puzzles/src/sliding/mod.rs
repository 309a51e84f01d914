//! The sliding-tile puzzle: the 8-puzzle, the 15-puzzle and all their kin, any
//! start, any goal.

mod board;
mod generate;
pub mod heuristics;
mod instance;
pub mod optimal;
mod parity;
mod rules;
#[cfg(test)]
mod tests;
mod verify;
mod view;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use novelo_search::algorithms::Needs;
use novelo_search::{Algorithm, Answer, Control, Heuristic, Outcome, Search, Settings, Stats, Zero};

use optimal::Guide;

pub use board::{Board, Bytes, Packed64, Packed128};
pub use instance::Tiles;
pub use parity::unreachable;
pub use rules::{Blank, Move, Rules};

use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, HeuristicInfo, Instance, Named, Puzzle, PuzzleInfo, Size};
use crate::request::{Attempt, Choice, HeuristicSpec, Request, RequestError};
use crate::text::ParseError;
use crate::verdict::Verdict;

/// The sliding-tile puzzle in the registry.
#[derive(Debug)]
pub struct Sliding;

impl Puzzle for Sliding {
    fn info(&self) -> &'static PuzzleInfo {
        &PuzzleInfo {
            name: "sliding",
            title: "Sliding tiles",
            about: "Numbered tiles and one blank on a board. A move slides a tile into the blank, at a cost \
                    of 1. Turn the start into the goal. Boards from 1x2 to 16x16, any start, any goal.",
            formats: "rows of numbers with 0, _ or . for the blank, and after an empty line perhaps a goal; \
                      sets with one instance a line: id | RxC | start | goal",
            moves: "U D L R, the way the blank goes",
            example: "sliding:3x3:1,2,3,4,5,6,0,7,8",
            orders: "the order in which the blank's moves are tried, such as ULRD (the default)",
        }
    }

    fn heuristics(&self) -> &'static [HeuristicInfo] {
        heuristics::INFOS
    }

    fn likeness(&self, text: &str) -> u8 {
        instance::likeness(text)
    }

    fn parse(&self, text: &str, goal: Option<&str>) -> Result<Vec<Named>, ParseError> {
        let named = |(name, tiles)| Named { name, instance: Box::new(OneBoard(tiles)) };
        Ok(instance::parse(text, goal)?.into_iter().map(named).collect())
    }

    fn parse_id(&self, body: &str, goal: Option<&str>) -> Result<Box<dyn Instance>, ParseError> {
        Ok(Box::new(OneBoard(Tiles::parse_id(body, goal)?)))
    }

    fn generate(
        &self,
        request: &GenerateRequest,
        number: u64,
        cancel: &AtomicBool,
    ) -> Result<Box<dyn Instance>, RequestError> {
        request.only("sliding", &["--moves", "--goal"])?;
        Ok(Box::new(OneBoard(generate::generate(request, number, cancel)?)))
    }
}

/// A start and a goal.
struct OneBoard(Tiles);

impl Instance for OneBoard {
    fn puzzle(&self) -> &'static dyn Puzzle {
        &Sliding
    }

    fn id(&self) -> String {
        format!("sliding:{}", self.0.id())
    }

    fn solve(&self, request: &Request, control: Control<'_>) -> Result<Attempt, RequestError> {
        let order = match &request.order {
            None => Move::DEFAULT_ORDER,
            Some(text) => Move::order(text).ok_or_else(|| {
                RequestError::Unsupported(format!(
                    "'{text}' is not an order of moves; write each of U, D, L and R once, such as ULRD"
                ))
            })?,
        };
        solve(&self.0, order, request, control)
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<String>, ParseError> {
        let mut moves = Vec::new();
        for (at, c) in text.char_indices() {
            match c.to_ascii_uppercase() {
                way @ ('U' | 'D' | 'L' | 'R') => moves.push(way.to_string()),
                c if c.is_whitespace() || c == ',' => {}
                _ => {
                    return Err(ParseError::at(at..at + c.len_utf8(), format!("'{c}' is not a move"))
                        .help("moves are U, D, L and R, the way the blank goes"));
                }
            }
        }
        Ok(moves)
    }

    fn check(&self, moves: &[String]) -> Verdict {
        verify::check(&self.0, moves)
    }

    fn pictures(&self, moves: &[String]) -> Vec<Picture> {
        view::pictures(&self.0, moves)
    }
}

fn solve(
    tiles: &Tiles,
    order: [Move; 4],
    request: &Request,
    mut control: Control<'_>,
) -> Result<Attempt, RequestError> {
    let (algorithm, spec) = match request.algorithm {
        Choice::Named(algorithm) => (algorithm, request.heuristic_for(&Sliding)),
        Choice::Auto => auto(tiles, request),
    };
    spec.info(&Sliding)?;
    let guide = Guide::named(&spec, tiles)?;
    if guide.is_none() {
        spec.no_parameters()?;
    }
    let guided = matches!(algorithm.info().needs, Needs::Heuristic);
    let method = (request.algorithm == Choice::Auto).then(|| algorithm.to_string());
    let heuristic = guided.then(|| spec.to_string());
    if let Some(reason) = unreachable(tiles) {
        let outcome = Outcome { answer: Answer::Unsolvable, lower_bound: None, stats: Stats::default() };
        return Ok(Attempt { method, heuristic, outcome, reason: Some(reason) });
    }
    if let Some(special) = specialised(tiles, algorithm, guide.as_ref(), &spec, order, request) {
        return Ok(optimal::solve(tiles, special, order, request, &mut control));
    }
    let engine = Engine { algorithm, order, settings: request.settings, control };
    let outcome = match guide {
        Some(guide) if guided => optimal::on_the_engine(tiles, &guide, engine, request),
        _ => {
            let name = if guided { spec.name.as_str() } else { "zero" };
            match tiles.start.len() {
                0..=16 => engine.plain::<Packed64>(tiles, name),
                17..=25 => engine.plain::<Packed128>(tiles, name),
                26..=64 => engine.plain::<Bytes<64>>(tiles, name),
                _ => engine.plain::<Bytes<256>>(tiles, name),
            }
        }
    }?;
    Ok(Attempt { method, heuristic, outcome, reason: None })
}

/// Boards with at most this many cells are quickest by A*.
const SMALL: usize = 9;

/// The guide of the special search, where that is what was asked for: for `auto` on all but small boards, and for IDA*
/// under its own heuristics or as Korf ran it, unless something is asked that only the engine does.
fn specialised<'g>(
    tiles: &Tiles,
    algorithm: Algorithm,
    guide: Option<&'g Guide>,
    spec: &HeuristicSpec,
    order: [Move; 4],
    request: &Request,
) -> Option<&'g Guide> {
    let flat = tiles.size.rows == 1 || tiles.size.cols == 1;
    if algorithm != Algorithm::IdaStar || request.settings.shuffle.is_some() || flat {
        return None;
    }
    if request.algorithm == Choice::Auto && request.heuristic.is_none() {
        return Some(&Guide::Auto);
    }
    let limits = request.settings.limits;
    let korf = spec.name == "manhattan"
        && (tiles.size == Size { rows: 4, cols: 4 })
        && order == Move::DEFAULT_ORDER
        && limits.depth.is_none()
        && limits.nodes.is_none();
    if korf { Some(&Guide::Manhattan) } else { guide }
}

/// The fastest exact method: A* while its memory is small, IDA* beyond.
fn auto(tiles: &Tiles, request: &Request) -> (Algorithm, HeuristicSpec) {
    let algorithm = if tiles.start.len() <= SMALL { Algorithm::AStar } else { Algorithm::IdaStar };
    let spec = request.heuristic.clone().unwrap_or_else(|| HeuristicSpec::plain("linear-conflict"));
    (algorithm, spec)
}

/// A search of the engine that lacks only its board and heuristic.
struct Engine<'c> {
    algorithm: Algorithm,
    order: [Move; 4],
    settings: Settings,
    control: Control<'c>,
}

impl Engine<'_> {
    /// Takes what a heuristic's tables have cost off what the search may use.
    fn take_from_limits(&mut self, bytes: usize, time: Duration) {
        let limits = &mut self.settings.limits;
        limits.memory = limits.memory.map(|most| most.saturating_sub(bytes));
        limits.time = limits.time.map(|most| most.saturating_sub(time));
    }

    /// Searches under a heuristic that needs no tables.
    fn plain<B: Board>(self, tiles: &Tiles, heuristic: &str) -> Result<Outcome<String>, RequestError> {
        match heuristic {
            "manhattan" => self.with::<B, _>(tiles, heuristics::TileSum::manhattan(tiles)),
            "hamming" => self.with::<B, _>(tiles, heuristics::TileSum::hamming(tiles)),
            "linear-conflict" => self.with::<B, _>(tiles, heuristics::LinearConflict::new(tiles)),
            _ => self.with::<B, _>(tiles, Zero),
        }
    }

    fn with<B: Board, H: Heuristic<Rules<B>>>(
        self,
        tiles: &Tiles,
        heuristic: H,
    ) -> Result<Outcome<String>, RequestError> {
        let rules = Rules::<B>::new(tiles, self.order);
        let search = Search::new(&rules).heuristic(heuristic).settings(self.settings).control(self.control);
        Ok(search.run_reversible(self.algorithm)?.map(|way| way.to_string()))
    }
}
