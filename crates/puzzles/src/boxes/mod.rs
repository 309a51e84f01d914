//! Dots and Boxes for one player: draw as few arcs as possible until enough
//! boxes are closed.

mod bits;
mod cut;
mod exact;
mod formats;
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

use std::sync::atomic::AtomicBool;

use novelo_search::algorithms::Needs;
use novelo_search::{Algorithm, Answer, Control, Outcome, Search, Stats};

pub use bits::Bits;
use heuristics::Guide;
pub use instance::Board;
pub use isoperimetric::fewest_arcs;
pub use rules::{Arc, Rules};

use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, HeuristicInfo, Instance, Named, Puzzle, PuzzleInfo};
use crate::request::{Attempt, Choice, Request, RequestError};
use crate::text::ParseError;
use crate::verdict::Verdict;

/// Dots and Boxes in the registry.
#[derive(Debug)]
pub struct Boxes;

impl Puzzle for Boxes {
    fn info(&self) -> &'static PuzzleInfo {
        &PuzzleInfo {
            name: "boxes",
            title: "Dots and Boxes, one player",
            about: "A board of boxes, some of whose sides (arcs) are drawn. A move draws one more, at a cost \
                    of 1. Go on until at least as many boxes are closed as the goal asks for. Boards from \
                    1x1 to 50x50 boxes.",
            formats: "files with rows, cols, goal and the arcs, 1 or 0, after H (one line a horizontal grid \
                      line) and V (one line a vertical grid line); lists ((h…)(v…)) with goal N; pictures \
                      with + - | and goal N",
            moves: "h r,c and v r,c, the arc above and left of the box in row r, column c, one past the \
                    last for the far side",
            example: "boxes:2x2:2:a04",
            orders: "ordered draws arcs in reading order only, so that each set of arcs is generated once; \
                     plain (the default) draws them in any order",
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
        request.only("boxes", &["--goal", "--moves", "--difficulty"])?;
        Ok(Box::new(Position(generate::generate(request, number, cancel)?)))
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
        let ordered = match request.order.as_deref() {
            None | Some("plain") => false,
            Some("ordered") => true,
            Some(other) => {
                return Err(RequestError::Unsupported(format!(
                    "'{other}' is not an order of arcs; there are plain and ordered"
                )));
            }
        };
        match request.algorithm {
            Choice::Auto => {
                request.heuristic_for(&Boxes).info(&Boxes)?;
                Ok(auto(&self.0, request, control))
            }
            Choice::Named(algorithm) if ordered => by_size::<true>(&self.0, algorithm, request, control),
            Choice::Named(algorithm) => by_size::<false>(&self.0, algorithm, request, control),
        }
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

/// The answer for a goal beyond the board, if it is.
fn beyond(board: &Board) -> Option<(Outcome<String>, String)> {
    let outcome = Outcome { answer: Answer::Unsolvable, lower_bound: None, stats: Stats::default() };
    let reason = format!("the board has {} boxes, so {} cannot be closed", board.boxes(), board.goal);
    (board.goal > board.boxes()).then_some((outcome, reason))
}

/// Solves exactly by the methods made for boxes.
fn auto(board: &Board, request: &Request, control: Control<'_>) -> Attempt {
    if let Some((outcome, reason)) = beyond(board) {
        return Attempt { method: Some("counting".into()), heuristic: None, outcome, reason: Some(reason) };
    }
    let exact = exact::solve(board, request.settings.limits, control);
    let outcome = exact.outcome.map(|arc| arc.written(board.size.cols));
    Attempt { method: Some(exact.method.into()), heuristic: None, outcome, reason: None }
}

/// Picks the smallest sets that hold all arcs of a board.
fn by_size<const ORDERED: bool>(
    board: &Board,
    algorithm: Algorithm,
    request: &Request,
    control: Control<'_>,
) -> Result<Attempt, RequestError> {
    match board.arcs().count() {
        0..=64 => search::<1, ORDERED>(board, algorithm, request, control),
        65..=128 => search::<2, ORDERED>(board, algorithm, request, control),
        129..=512 => search::<8, ORDERED>(board, algorithm, request, control),
        _ => search::<80, ORDERED>(board, algorithm, request, control),
    }
}

fn search<const W: usize, const ORDERED: bool>(
    board: &Board,
    algorithm: Algorithm,
    request: &Request,
    control: Control<'_>,
) -> Result<Attempt, RequestError> {
    let spec = request.heuristic_for(&Boxes);
    spec.info(&Boxes)?;
    spec.no_parameters()?;
    let guided = matches!(algorithm.info().needs, Needs::Heuristic);
    let heuristic = guided.then(|| spec.to_string());
    if let Some((outcome, reason)) = beyond(board) {
        return Ok(Attempt { method: None, heuristic, outcome, reason: Some(reason) });
    }
    let rules = Rules::<W, ORDERED>::new(board);
    let name = if guided { spec.name.as_str() } else { "zero" };
    let guide = Guide::named(name, &rules, board.size).expect("the registry has it");
    let search = Search::new(&rules).heuristic(guide).settings(request.settings).control(control);
    let outcome = search.run(algorithm)?.map(|arc| arc.written(board.size.cols));
    Ok(Attempt { method: None, heuristic, outcome, reason: None })
}
