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

use novelo_search::algorithms::Needs;
use novelo_search::{AlgorithmInfo, Meter, Stop};

pub use instance::Board;
pub use isoperimetric::fewest_arcs;
pub use rules::{Arc, Rules};

use crate::formulation::{Explorer, Visitor};
use crate::heuristic::HeuristicInfo;
use crate::method::{Method, MethodInfo};
use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, Instance, Named, Puzzle, PuzzleInfo, Size};
use crate::request::{Attempt, Request, RequestError};
use crate::session::Game;
use crate::solver::{ChosenHeuristic, Solver};
use crate::text::ParseError;
use crate::verdict::Verdict;
use crate::watch::Watcher;

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

    fn methods(&self) -> &'static [&'static MethodInfo] {
        static METHODS: [&MethodInfo; 1] = [&BOUNDS];
        &METHODS
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
        if cols == 0 || rows * (cols + 1) + cols * (rows + 1) > 17 {
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

    fn run(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        ordered(request)?;
        self.carry_out(request, meter, watcher)
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
        meter: &Meter<'_>,
        explorer: Explorer<'_>,
    ) -> Result<ControlFlow<Stop>, RequestError> {
        self.untyped(request, meter, explorer)
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

impl Solver for Position {
    fn formulate<V: Visitor>(
        &self,
        guide: &ChosenHeuristic,
        request: &Request,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        // Every algorithm is compiled for each of these: few sizes, those of boards that can be searched through exactly.
        let board = &self.0;
        match (board.arcs().count(), ordered(request)?) {
            (0..=64, false) => formulate::<1, false, V>(board, guide, meter, visitor),
            (65..=256, false) => formulate::<4, false, V>(board, guide, meter, visitor),
            (_, false) => formulate::<80, false, V>(board, guide, meter, visitor),
            (0..=256, true) => formulate::<4, true, V>(board, guide, meter, visitor),
            (_, true) => formulate::<80, true, V>(board, guide, meter, visitor),
        }
    }

    fn dedicated(
        &self,
        method: &'static MethodInfo,
        _: &Request,
        meter: &Meter<'_>,
    ) -> Result<Attempt, RequestError> {
        let outcome = exact::solve(&self.0, meter).map(|arc| arc.written(self.0.size.cols));
        let method = Method::Dedicated(method);
        Ok(Attempt { method, heuristic: None, outcome, reason: None, searched: true })
    }
}

/// The exact method for boxes.
static BOUNDS: MethodInfo = MethodInfo {
    about: AlgorithmInfo {
        name: "bounds",
        title: "Bounds that meet",
        about: "The linear relaxation and the isoperimetric inequality bound the cost from below, sets of boxes rounded \
                from the relaxation from above. Where the two do not meet, branch and bound or dynamic programming over \
                profiles of the board closes the gap.",
        complete: "yes",
        optimal: "yes",
        time: "on most boards that of the relaxation; at worst exponential in the narrower side",
        space: "a table of profiles at worst, exponential in the narrower side",
        needs: Needs::Nothing,
        parameters: &[],
        lesson: None,
    },
    searches_states: false,
    takes_heuristic: false,
    takes_order: false,
    uses_threads: false,
    over_processes: false,
};

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

fn formulate<const W: usize, const ORDERED: bool, V: Visitor>(
    board: &Board,
    guide: &ChosenHeuristic,
    meter: &Meter<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    let rules = Rules::<W, ORDERED>::new(board);
    heuristics::visit(guide.name, rules, board.size, &guide.values, meter, visitor)
}
