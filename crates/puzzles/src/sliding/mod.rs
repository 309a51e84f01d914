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

use novelo_search::parameter::Spec;
use novelo_search::{Algorithm, Meter, Stop};

use instance::blank_last;
use optimal::{TILES, WINDOWS, all_cores};

pub use board::{Board, Bytes, Packed64, Packed128};
pub use instance::Tiles;
pub use parity::unreachable;
pub use rules::{Blank, Move, Rules};

use crate::formulation::{Explorer, Visitor};
use crate::heuristic::HeuristicInfo;
use crate::method::{Method, MethodInfo};
use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, Instance, Named, Puzzle, PuzzleInfo, Size};
use crate::request::{Attempt, Request, RequestError, checked_heuristic};
use crate::session::Game;
use crate::solver::{ChosenHeuristic, Solver};
use crate::text::ParseError;
use crate::verdict::Verdict;
use crate::watch::Watcher;

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
            formats: "rows of numbers with 0, _ or . for the blank, perhaps after a line with the size (4 or 3x4), \
                      and after an empty line perhaps a goal; all on one line where they make a square; \
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

    fn methods(&self) -> &'static [&'static MethodInfo] {
        static METHODS: [&MethodInfo; 2] = [&TILES, &WINDOWS];
        &METHODS
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

    fn run(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        if request.algorithm == Algorithm::IdaStar.into()
            && watcher.is_none()
            && let Some(attempt) = self.fifteen(request, request.threads.unwrap_or(1), meter)?
        {
            return Ok(attempt);
        }
        self.carry_out(request, meter, watcher)
    }

    fn impossible(&self) -> Option<String> {
        unreachable(&self.0)
    }

    /// Tables belong to a size.
    fn check_heuristic(&self, spec: &Spec) -> Result<(), RequestError> {
        let (info, values) = checked_heuristic(spec, &Sliding)?;
        match (info.name, values.text("partition")) {
            ("pdb", Some(text)) => optimal::partition(&self.0, text).map(drop),
            ("walking-distance", _) => optimal::needs_two_lines(&self.0, info.name),
            _ => Ok(()),
        }
    }

    fn explore(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        explorer: Explorer<'_>,
    ) -> Result<ControlFlow<Stop>, RequestError> {
        self.untyped(request, meter, explorer)
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

impl Solver for OneBoard {
    fn formulate<V: Visitor>(
        &self,
        guide: &ChosenHeuristic,
        request: &Request,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        let (tiles, order) = (&self.0, read_order(request)?);
        heuristics::visit(guide.name, &guide.values, tiles, order, request, meter, visitor)
    }

    /// A* on small boards, where it is quickest; the engine's IDA* where the methods made for tiles do not apply.
    fn auto(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        let (tiles, order) = (&self.0, read_order(request)?);
        let threads = request.threads.unwrap_or_else(all_cores);
        let is_small = tiles.start.len() <= 9;
        let is_flat = tiles.size.rows == 1 || tiles.size.cols == 1;
        if !is_small && !is_flat && request.settings.shuffle.is_none() {
            if request.heuristic.is_none() {
                return optimal::auto(tiles, order, threads, request, meter);
            }
            let guide = self.guide(request)?;
            if matches!(guide.name, "pdb" | "walking-distance") && guide.values.text("with").is_none() {
                return optimal::tiles(tiles, Some(&guide), order, threads, request, meter);
            }
            if watcher.is_none()
                && let Some(attempt) = self.fifteen(request, request.threads.unwrap_or(1), meter)?
            {
                return Ok(attempt);
            }
        }
        let heuristic = request.heuristic.clone().unwrap_or_else(|| Spec::plain("linear-conflict"));
        let request = Request { heuristic: Some(heuristic), ..request.clone() };
        let algorithm = if is_small { Algorithm::AStar } else { Algorithm::IdaStar };
        self.search(algorithm, self.guide(&request)?, &request, meter, watcher)
    }

    fn dedicated(
        &self,
        method: &'static MethodInfo,
        request: &Request,
        meter: &Meter<'_>,
    ) -> Result<Attempt, RequestError> {
        let order = read_order(request)?;
        if Method::Dedicated(method) == Method::Dedicated(&WINDOWS) {
            return optimal::windows(&self.0, request, meter);
        }
        if request.settings.shuffle.is_some() {
            let message = "tiles tries the moves of every board in the same order; it cannot shuffle them";
            return Err(RequestError::Unsupported(message.into()));
        }
        let guide = request.heuristic.is_some().then(|| self.guide(request)).transpose()?;
        optimal::tiles(&self.0, guide.as_ref(), order, request.threads.unwrap_or(1), request, meter)
    }
}

impl OneBoard {
    /// The loop that stands in for the engine's IDA* where it does the same, node for node: with Manhattan distance on
    /// boards of 4x4, in the usual order, with nobody watching.
    fn fifteen(
        &self,
        request: &Request,
        threads: usize,
        meter: &Meter<'_>,
    ) -> Result<Option<Attempt>, RequestError> {
        let same = self.guide(request)?.spec == Spec::plain("manhattan")
            && read_order(request)? == Move::DEFAULT_ORDER
            && request.settings.shuffle.is_none()
            && self.impossible().is_none();
        if same { optimal::fifteen(&self.0, threads, request, meter) } else { Ok(None) }
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
