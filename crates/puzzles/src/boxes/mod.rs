//! Dots and Boxes for one player: draw as few arcs as possible until enough
//! boxes are closed.

mod cut;
mod exact;
mod formats;
mod game;
mod generate;
pub mod heuristics;
mod instance;
mod isoperimetric;
mod moves;
mod relaxation;
mod rules;
#[cfg(test)]
mod tests;
mod verify;
mod view;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use novelo_search::{Answer, Control, Outcome, Stats};

use heuristics::Guide;
pub use instance::Board;
pub use isoperimetric::fewest_arcs;
pub use rules::{Arc, Rules};

use crate::formulation::{Explorer, Visitor};
use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, HeuristicInfo, Instance, Named, Puzzle, PuzzleInfo, Size};
use crate::request::{Attempt, Choice, HeuristicSpec, Request, RequestError};
use crate::session::Game;
use crate::text::ParseError;
use crate::textbook::{Means, Textbook};
use crate::verdict::Verdict;

/// Dots and Boxes in the registry.
#[derive(Debug)]
pub struct Boxes;

impl Puzzle for Boxes {
    fn info(&self) -> &'static PuzzleInfo {
        &PuzzleInfo {
            name: "boxes",
            title: "Dots and Boxes, one player",
            line: "Close enough boxes, drawing little.",
            about: "A board of boxes, some of whose sides (arcs) are drawn. A move draws one more, at a cost \
                    of 1. Go on until at least as many boxes are closed as the goal asks for. Boards from \
                    1x1 to 50x50 boxes.",
            formats: "files with rows, cols, goal and the arcs, 1 or 0, after H (one line a horizontal grid \
                      line) and V (one line a vertical grid line); lists ((h…)(v…)) with goal N; pictures \
                      with + - | and goal N",
            moves: "h r,c and v r,c, the arc above and left of the box in row r, column c, one past the \
                    last for the far side",
            example: "boxes:2x2:2:a04",
            face: "boxes:3x3:4:ddb900",
            lesson: "boxes:2x2:2:a04",
            orders: "ordered draws arcs in reading order only, so that each set of arcs is generated once; \
                     plain (the default) draws them in any order",
            goals: "how many boxes are to be closed",
            sizes: &["3x3", "4x4", "5x5"],
            generator: generate::OPTIONS,
            audit_size: "2x3",
            counts_solutions: false,
            unit: ["arc", "arcs"],
            progress: "boxes closed",
        }
    }

    fn heuristics(&self) -> &'static [HeuristicInfo] {
        heuristics::INFOS
    }

    fn likeness(&self, text: &str) -> u8 {
        formats::likeness(text)
    }

    fn parse(&self, text: &str, goal: Option<&str>) -> Result<Vec<Named>, ParseError> {
        let named = |(name, board)| Named { name, instance: Box::new(Position(board)) };
        Ok(formats::parse(text, goal)?.into_iter().map(named).collect())
    }

    fn parse_id(&self, body: &str, goal: Option<&str>) -> Result<Box<dyn Instance>, ParseError> {
        Ok(Box::new(Position(Board::parse_id(body, goal)?)))
    }

    fn generate(
        &self,
        request: &GenerateRequest,
        number: u64,
        cancel: &AtomicBool,
    ) -> Result<Box<dyn Instance>, RequestError> {
        Ok(Box::new(Position(generate::generate(request, number, cancel)?)))
    }

    /// The empty grid for each number of boxes to close, where there are at most 2^17 ways to draw its arcs.
    fn whole_spaces(&self, size: Size, only: bool) -> Option<Vec<Box<dyn Instance>>> {
        let Size { rows, cols } = size;
        if rows * (cols + 1) + cols * (rows + 1) > 17 {
            return None;
        }
        let upto = (1..=rows).flat_map(|rows| (1..=cols).map(move |cols| Size { rows, cols }));
        let mut sizes: Vec<_> = upto.filter(|smaller| !only || *smaller == size).collect();
        sizes.sort_by_key(|size| size.rows * size.cols);
        let goals = |size: Size| (1..=size.rows * size.cols).map(move |goal| Board::empty(size, goal));
        let boards = sizes.into_iter().flat_map(goals);
        Some(boards.map(|board| Box::new(Position(board)) as Box<dyn Instance>).collect())
    }

    fn words(&self, play: &str) -> String {
        format!("draw {play}")
    }
}

/// A board and its goal.
struct Position(Board);

impl Instance for Position {
    fn puzzle(&self) -> &'static dyn Puzzle {
        &Boxes
    }

    fn id(&self) -> String {
        format!("boxes:{}", self.0.id())
    }

    fn solve(&self, request: &Request, control: Control<'_>) -> Result<Attempt, RequestError> {
        match request.algorithm {
            Choice::Named(algorithm) => self.search(algorithm, request, control),
            Choice::Auto => {
                ordered(request)?;
                request.heuristic_for(&Boxes).info(&Boxes)?;
                Ok(auto(&self.0, request, control))
            }
        }
    }

    fn game(&self) -> Box<dyn Game> {
        Box::new(game::BoxesGame::new(&self.0))
    }

    fn impossible(&self) -> Option<String> {
        beyond(&self.0)
    }

    fn explore(
        &self,
        request: &Request,
        control: Control<'_>,
        explorer: Explorer<'_>,
    ) -> Result<ControlFlow<Outcome<String>>, RequestError> {
        self.untyped(request, control, explorer)
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<String>, ParseError> {
        moves::parse(text)
    }

    fn check(&self, moves: &[String]) -> Verdict {
        verify::check(&self.0, moves)
    }

    fn pictures(&self, moves: &[String]) -> Vec<Picture> {
        view::pictures(&self.0, moves)
    }
}

/// Why a goal is beyond the board, if it is.
fn beyond(board: &Board) -> Option<String> {
    (board.goal > board.boxes())
        .then(|| format!("the board has {} boxes, so {} cannot be closed", board.boxes(), board.goal))
}

/// Solves exactly by the methods made for boxes.
fn auto(board: &Board, request: &Request, control: Control<'_>) -> Attempt {
    if let Some(reason) = beyond(board) {
        let outcome = Outcome { answer: Answer::Unsolvable, lower_bound: None, stats: Stats::default() };
        return Attempt { method: Some("counting".into()), heuristic: None, outcome, reason: Some(reason) };
    }
    let exact = exact::solve(board, request.settings.limits, control);
    let outcome = exact.outcome.map(|arc| arc.written(board.size.cols));
    Attempt { method: Some(exact.method.into()), heuristic: None, outcome, reason: None }
}

impl Textbook for Position {
    fn formulate<V: Visitor>(
        &self,
        heuristic: &HeuristicSpec,
        request: &Request,
        means: Means<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        if ordered(request)? {
            by_size::<true, V>(&self.0, heuristic, means, visitor)
        } else {
            by_size::<false, V>(&self.0, heuristic, means, visitor)
        }
    }
}

/// Whether arcs are drawn in reading order only.
fn ordered(request: &Request) -> Result<bool, RequestError> {
    match request.order.as_deref() {
        None | Some("plain") => Ok(false),
        Some("ordered") => Ok(true),
        Some(other) => Err(RequestError::Unsupported(format!(
            "'{other}' is not an order of arcs; there are plain and ordered"
        ))),
    }
}

/// Picks the smallest sets that hold all arcs of a board.
fn by_size<const ORDERED: bool, V: Visitor>(
    board: &Board,
    heuristic: &HeuristicSpec,
    means: Means<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    match board.arcs().count() {
        0..=64 => formulate::<1, ORDERED, V>(board, heuristic, means, visitor),
        65..=128 => formulate::<2, ORDERED, V>(board, heuristic, means, visitor),
        129..=512 => formulate::<8, ORDERED, V>(board, heuristic, means, visitor),
        _ => formulate::<80, ORDERED, V>(board, heuristic, means, visitor),
    }
}

fn formulate<const W: usize, const ORDERED: bool, V: Visitor>(
    board: &Board,
    heuristic: &HeuristicSpec,
    means: Means<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    let rules = Rules::<W, ORDERED>::new(board);
    let guide = Guide::named(&heuristic.name, &rules, board.size).expect("the registry has it");
    visitor.visit(rules, guide, means)
}
