//! Dots and Boxes for one player: draw as few arcs as possible until enough
//! boxes are closed.

mod bits;
mod cut;
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
use crate::request::{Attempt, Choice, HeuristicSpec, Request, RequestError};
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
        _cancel: &AtomicBool,
    ) -> Result<Box<dyn Instance>, RequestError> {
        request.only("boxes", &["--goal"])?;
        Ok(Box::new(Position(generate::generate(request, number)?)))
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
        match request.order.as_deref() {
            None | Some("plain") => by_size::<false>(&self.0, request, control),
            Some("ordered") => by_size::<true>(&self.0, request, control),
            Some(other) => Err(RequestError::Unsupported(format!(
                "'{other}' is not an order of arcs; there are plain and ordered"
            ))),
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

/// Picks the smallest sets that hold all arcs of a board.
fn by_size<const ORDERED: bool>(
    board: &Board,
    request: &Request,
    control: Control<'_>,
) -> Result<Attempt, RequestError> {
    match board.arcs().count() {
        0..=64 => solve::<1, ORDERED>(board, request, control),
        65..=128 => solve::<2, ORDERED>(board, request, control),
        129..=512 => solve::<8, ORDERED>(board, request, control),
        _ => solve::<80, ORDERED>(board, request, control),
    }
}

fn solve<const W: usize, const ORDERED: bool>(
    board: &Board,
    request: &Request,
    control: Control<'_>,
) -> Result<Attempt, RequestError> {
    let (algorithm, spec) = match request.algorithm {
        Choice::Named(algorithm) => (algorithm, request.heuristic_for(&Boxes)),
        Choice::Auto => (
            Algorithm::AStar,
            request.heuristic.clone().unwrap_or_else(|| HeuristicSpec::plain("relaxation")),
        ),
    };
    spec.info(&Boxes)?;
    spec.no_parameters()?;
    let guided = matches!(algorithm.info().needs, Needs::Heuristic);
    let method = (request.algorithm == Choice::Auto).then(|| algorithm.to_string());
    let heuristic = guided.then(|| spec.to_string());
    if board.goal > board.boxes() {
        let outcome = Outcome { answer: Answer::Unsolvable, lower_bound: None, stats: Stats::default() };
        let reason = format!("the board has {} boxes, so {} cannot be closed", board.boxes(), board.goal);
        return Ok(Attempt { method, heuristic, outcome, reason: Some(reason) });
    }
    let rules = Rules::<W, ORDERED>::new(board);
    let name = if guided { spec.name.as_str() } else { "zero" };
    let guide = Guide::named(name, &rules, board.size).expect("the registry has it");
    let search = Search::new(&rules).heuristic(guide).settings(request.settings).control(control);
    let outcome = search.run(algorithm)?.map(|arc| arc.written(board.size.cols));
    Ok(Attempt { method, heuristic, outcome, reason: None })
}
