//! The sliding-tile puzzle: the 8-puzzle, the 15-puzzle and all their kin, any
//! start, any goal.

mod board;
mod game;
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

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use novelo_search::{Algorithm, Control, Outcome, Zero};

use instance::blank_last;
use optimal::Guide;

pub use board::{Board, Bytes, Packed64, Packed128};
pub use instance::Tiles;
pub use parity::unreachable;
pub use rules::{Blank, Move, Rules};

use crate::formulation::{Explorer, Visitor};
use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, HeuristicInfo, Instance, Named, Puzzle, PuzzleInfo, Size};
use crate::request::{Attempt, Choice, HeuristicSpec, Request, RequestError};
use crate::session::Game;
use crate::text::ParseError;
use crate::textbook::{Means, Textbook};
use crate::verdict::Verdict;

/// The sliding-tile puzzle in the registry.
#[derive(Debug)]
pub struct Sliding;

impl Puzzle for Sliding {
    fn info(&self) -> &'static PuzzleInfo {
        &PuzzleInfo {
            name: "sliding",
            title: "Sliding tiles",
            line: "Push the tiles back into order.",
            about: "Numbered tiles and one blank on a board. A move slides a tile into the blank, at a cost \
                    of 1. Turn the start into the goal. Boards from 1x2 to 16x16, any start, any goal.",
            formats: "rows of numbers with 0, _ or . for the blank, and after an empty line perhaps a goal; \
                      sets with one instance a line: id | RxC | start | goal",
            moves: "U D L R, the way the blank goes",
            example: "sliding:3x3:1,2,3,4,5,6,0,7,8",
            face: "sliding:3x3:1,2,3,4,0,6,7,5,8",
            lesson: "sliding:3x3:1,6,2,5,0,3,4,7,8",
            orders: "the order in which the blank's moves are tried, such as ULRD (the default)",
            goals: "blank-last (the default), blank-first, or a board",
            sizes: &["3x3", "4x4", "5x5"],
            generator: generate::OPTIONS,
            audit_size: "3x3",
            counts_solutions: false,
            unit: ["move", "moves"],
            progress: "tiles in place",
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
        Ok(Box::new(OneBoard(generate::generate(request, number, cancel)?)))
    }

    /// The solved board of up to nine cells: half of all permutations are reached from it.
    fn whole_spaces(&self, size: Size, _: bool) -> Option<Vec<Box<dyn Instance>>> {
        let cells = size.rows * size.cols;
        let solved = Tiles { size, start: blank_last(cells), goal: blank_last(cells) };
        (2..=9).contains(&cells).then(|| vec![Box::new(OneBoard(solved)) as Box<dyn Instance>])
    }

    fn words(&self, play: &str) -> String {
        crate::text::way_in_words(play)
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

    fn solve(&self, request: &Request, mut control: Control<'_>) -> Result<Attempt, RequestError> {
        let tiles = &self.0;
        if let Some(guide) = specialised(tiles, request)? {
            return Ok(optimal::solve(tiles, &guide, read_order(request)?, request, &mut control));
        }
        match request.algorithm {
            Choice::Named(algorithm) => self.search(algorithm, request, control),
            Choice::Auto => {
                let algorithm = if is_small(tiles) { Algorithm::AStar } else { Algorithm::IdaStar };
                let heuristic =
                    request.heuristic.clone().unwrap_or_else(|| HeuristicSpec::plain("linear-conflict"));
                self.search(algorithm, &Request { heuristic: Some(heuristic), ..request.clone() }, control)
            }
        }
    }

    fn impossible(&self) -> Option<String> {
        unreachable(&self.0)
    }

    fn explore(
        &self,
        request: &Request,
        control: Control<'_>,
        explorer: Explorer<'_>,
    ) -> Result<ControlFlow<Outcome<String>>, RequestError> {
        self.untyped(request, control, explorer)
    }

    fn game(&self) -> Box<dyn Game> {
        Box::new(game::SlidingGame::new(&self.0))
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

impl Textbook for OneBoard {
    fn formulate<V: Visitor>(
        &self,
        heuristic: &HeuristicSpec,
        request: &Request,
        means: Means<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        let (tiles, order) = (&self.0, read_order(request)?);
        if let Some(guide) = Guide::named(heuristic, tiles)? {
            return optimal::with_tables(tiles, &guide, order, request, means, visitor);
        }
        match tiles.start.len() {
            0..=16 => formulate::<Packed64, V>(tiles, order, heuristic, means, visitor),
            17..=25 => formulate::<Packed128, V>(tiles, order, heuristic, means, visitor),
            26..=64 => formulate::<Bytes<64>, V>(tiles, order, heuristic, means, visitor),
            _ => formulate::<Bytes<256>, V>(tiles, order, heuristic, means, visitor),
        }
    }
}

/// Hands over a heuristic that needs no tables.
fn formulate<B: Board, V: Visitor>(
    tiles: &Tiles,
    order: [Move; 4],
    heuristic: &HeuristicSpec,
    means: Means<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    let rules = Rules::<B>::new(tiles, order);
    match heuristic.name.as_str() {
        "manhattan" => visitor.visit(rules, heuristics::TileSum::manhattan(tiles), means),
        "hamming" => visitor.visit(rules, heuristics::TileSum::hamming(tiles), means),
        "linear-conflict" => visitor.visit(rules, heuristics::LinearConflict::new(tiles), means),
        _ => visitor.visit(rules, Zero, means),
    }
}

fn read_order(request: &Request) -> Result<[Move; 4], RequestError> {
    let Some(text) = &request.order else { return Ok(Move::DEFAULT_ORDER) };
    Move::order(text).ok_or_else(|| {
        RequestError::Unsupported(format!(
            "'{text}' is not an order of moves; write each of U, D, L and R once, such as ULRD"
        ))
    })
}

/// Whether A* is the quickest way to an optimal solution.
fn is_small(tiles: &Tiles) -> bool {
    tiles.start.len() <= 9
}

/// The guide of the special search, where that is what was asked for: for `auto` on all but small boards, and for IDA*
/// under its own heuristics or as Korf ran it, unless something is asked that only the engine does.
fn specialised(tiles: &Tiles, request: &Request) -> Result<Option<Guide>, RequestError> {
    let deepening = match request.algorithm {
        Choice::Named(algorithm) => algorithm == Algorithm::IdaStar,
        Choice::Auto => !is_small(tiles),
    };
    let flat = tiles.size.rows == 1 || tiles.size.cols == 1;
    if !deepening || request.settings.shuffle.is_some() || flat || unreachable(tiles).is_some() {
        return Ok(None);
    }
    if request.algorithm == Choice::Auto && request.heuristic.is_none() {
        return Ok(Some(Guide::Auto));
    }
    let spec = request.heuristic_for(&Sliding);
    let limits = request.settings.limits;
    let korf = spec == HeuristicSpec::plain("manhattan")
        && (tiles.size == Size { rows: 4, cols: 4 })
        && read_order(request)? == Move::DEFAULT_ORDER
        && limits.depth.is_none()
        && limits.nodes.is_none();
    if korf {
        return Ok(Some(Guide::Manhattan));
    }
    Ok(Guide::named(&spec, tiles)?.filter(|guide| !matches!(guide, Guide::WalkingAndConflicts)))
}
