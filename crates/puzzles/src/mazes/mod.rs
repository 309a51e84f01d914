//! Unequal Length Mazes: a path through every free cell whose neighbouring
//! segments differ in length.

mod auto;
mod bits;
pub mod exact;
mod formats;
mod generate;
pub mod heuristics;
mod impossible;
mod instance;
mod moves;
mod rules;
#[cfg(test)]
mod tests;
mod turns;
mod verify;
mod view;

use std::sync::atomic::AtomicBool;

use novelo_search::algorithms::Needs;
use novelo_search::{Algorithm, Answer, Control, Heuristic, Outcome, Search, Settings, Stats, Zero};

pub use bits::Bits;
pub use impossible::impossible;
pub use instance::Maze;
pub use moves::{Move, Way};
pub use rules::{Rules, State, Undo};
pub use turns::Turns;

use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, HeuristicInfo, Instance, Named, Puzzle, PuzzleInfo};
use crate::request::{Attempt, Choice, Enumeration, Request, RequestError};
use crate::text::ParseError;
use crate::verdict::Verdict;

/// Unequal Length Mazes in the registry.
#[derive(Debug)]
pub struct Mazes;

impl Puzzle for Mazes {
    fn info(&self) -> &'static PuzzleInfo {
        &PuzzleInfo {
            name: "mazes",
            title: "Unequal Length Mazes",
            about: "A grid with blocked cells. Walk from the start, bottom left, to the end, top right, \
                    through every free cell exactly once. The path is made of straight segments at right \
                    angles, and no two consecutive segments have the same length. A step costs 1, a turn \
                    2, the first choice of a direction included. Boards up to 64x64.",
            formats: "rows of 0 (empty), 8 (start) and 9 (blocked), with # remarks; pictures with . # S E; \
                      an empty line between several",
            moves: "'turn U' and 'U' (a step), with U, D, L or R; solutions may also be given by their \
                    steps alone, such as UURR",
            example: "mazes:6x6:2xx2/5x/6/6/6/6",
            orders: "",
        }
    }

    fn heuristics(&self) -> &'static [HeuristicInfo] {
        heuristics::INFOS
    }

    fn likeness(&self, text: &str) -> u8 {
        formats::likeness(text)
    }

    fn parse(&self, text: &str, goal: Option<&str>) -> Result<Vec<Named>, ParseError> {
        no_goal(goal)?;
        let named = |maze| Named { name: None, instance: Box::new(Walk(maze)) as Box<dyn Instance> };
        Ok(formats::parse(text)?.into_iter().map(named).collect())
    }

    fn parse_id(&self, body: &str, goal: Option<&str>) -> Result<Box<dyn Instance>, ParseError> {
        no_goal(goal)?;
        Ok(Box::new(Walk(Maze::parse_id(body)?)))
    }

    fn generate(
        &self,
        request: &GenerateRequest,
        number: u64,
        cancel: &AtomicBool,
    ) -> Result<Box<dyn Instance>, RequestError> {
        request.only("mazes", &["--blocked", "--unique", "--difficulty"])?;
        Ok(Box::new(Walk(generate::generate(request, number, cancel)?)))
    }
}

fn no_goal(goal: Option<&str>) -> Result<(), ParseError> {
    match goal {
        None => Ok(()),
        Some(_) => {
            Err(ParseError::whole("mazes take no --goal").help("mark the end cell with E in a picture"))
        }
    }
}

/// A maze and the walk so far.
struct Walk(Maze);

impl Instance for Walk {
    fn puzzle(&self) -> &'static dyn Puzzle {
        &Mazes
    }

    fn id(&self) -> String {
        format!("mazes:{}", self.0.id())
    }

    fn solve(&self, request: &Request, control: Control<'_>) -> Result<Attempt, RequestError> {
        if let Some(order) = &request.order {
            return Err(RequestError::Unsupported(format!("mazes know no --order, but '{order}' was given")));
        }
        let maze = &self.0;
        match maze.blocked.len() {
            0..=64 => solve::<1>(maze, request, control),
            65..=128 => solve::<2>(maze, request, control),
            129..=256 => solve::<4>(maze, request, control),
            257..=1024 => solve::<16>(maze, request, control),
            _ => solve::<64>(maze, request, control),
        }
    }

    fn enumerate(
        &self,
        most: u64,
        keep: usize,
        request: &Request,
        control: Control<'_>,
    ) -> Result<Enumeration, RequestError> {
        Ok(auto::enumerate(&self.0, most, keep, request, control))
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<String>, ParseError> {
        Ok(moves::parse(text)?.iter().map(Move::to_string).collect())
    }

    fn check(&self, moves: &[String]) -> Verdict {
        verify::check(&self.0, moves)
    }

    fn pictures(&self, moves: &[String]) -> Vec<Picture> {
        view::pictures(&self.0, moves)
    }
}

fn solve<const W: usize>(
    maze: &Maze,
    request: &Request,
    control: Control<'_>,
) -> Result<Attempt, RequestError> {
    let spec = request.heuristic_for(&Mazes);
    spec.info(&Mazes)?;
    spec.no_parameters()?;
    let Choice::Named(algorithm) = request.algorithm else {
        return Ok(auto::solve::<W>(maze, request, control));
    };
    let guided = matches!(algorithm.info().needs, Needs::Heuristic);
    let heuristic = guided.then(|| spec.to_string());
    if let Some(reason) = impossible(maze) {
        let outcome = Outcome { answer: Answer::Unsolvable, lower_bound: None, stats: Stats::default() };
        return Ok(Attempt { method: None, heuristic, outcome, reason: Some(reason) });
    }
    let run = Run { rules: Rules::<W>::new(maze), algorithm, settings: request.settings, control };
    let outcome = match spec.name.as_str() {
        "turns" if guided => run.with(Turns::new(maze)),
        "twice-empty" if guided => run.with(heuristics::CellSum::twice_empty(maze)),
        "diagonal-weight" if guided => run.with(heuristics::CellSum::diagonal_weight(maze)),
        "inverse-manhattan" if guided => run.with(heuristics::InverseManhattan::new(maze)),
        _ => run.with(Zero),
    }?;
    Ok(Attempt { method: None, heuristic, outcome, reason: None })
}

/// A search that lacks only its heuristic.
struct Run<'c, const W: usize> {
    rules: Rules<W>,
    algorithm: Algorithm,
    settings: Settings,
    control: Control<'c>,
}

impl<const W: usize> Run<'_, W> {
    fn with<H: Heuristic<Rules<W>>>(self, heuristic: H) -> Result<Outcome<String>, RequestError> {
        let search =
            Search::new(&self.rules).heuristic(heuristic).settings(self.settings).control(self.control);
        Ok(search.run(self.algorithm)?.map(|made| made.to_string()))
    }
}
