//! Unequal Length Mazes: a path through every free cell whose neighbouring
//! segments differ in length.

mod auto;
pub mod exact;
mod formats;
mod game;
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

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use novelo_search::{Control, Cost, Outcome, Problem, Zero};

pub use impossible::impossible;
pub use instance::Maze;
pub use moves::{Move, Way};
pub use rules::{Rules, State, Undo};
pub use turns::Turns;

use crate::formulation::{Explorer, Visitor};
use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, HeuristicInfo, Instance, Named, Puzzle, PuzzleInfo};
use crate::request::{Attempt, Choice, Enumeration, HeuristicSpec, Request, RequestError};
use crate::session::Game;
use crate::text::ParseError;
use crate::textbook::{Means, Textbook};
use crate::verdict::Verdict;

/// Unequal Length Mazes in the registry.
#[derive(Debug)]
pub struct Mazes;

impl Puzzle for Mazes {
    fn info(&self) -> &'static PuzzleInfo {
        &PuzzleInfo {
            name: "mazes",
            title: "Unequal Length Mazes",
            line: "Fill the maze in pieces of changing length.",
            about: "A grid with blocked cells. Walk from the start, bottom left, to the end, top right, \
                    through every free cell exactly once. The path is made of straight segments at right \
                    angles, and no two consecutive segments have the same length. A step costs 1, a turn \
                    2, the first choice of a direction included. Boards up to 64x64.",
            formats: "rows of 0 (empty), 8 (start) and 9 (blocked), with # remarks; pictures with . # S E; \
                      an empty line between several",
            moves: "'turn U' and 'U' (a step), with U, D, L or R; solutions may also be given by their \
                    steps alone, such as UURR",
            example: "mazes:6x6:2xx2/5x/6/6/6/6",
            face: "mazes:5x5:5/1x3/5/3x1/5:RRULLUUU",
            lesson: "mazes:4x4:4/4/1x2/4",
            orders: "",
            goals: "",
            sizes: &["6x6", "7x7", "8x8"],
            generator: generate::OPTIONS,
            audit_size: "5x5",
            counts_solutions: true,
            unit: ["point", "points"],
            progress: "cells walked",
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
        Ok(Box::new(Walk(generate::generate(request, number, cancel)?)))
    }

    fn words(&self, play: &str) -> String {
        crate::text::way_in_words(play)
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
        match request.algorithm {
            Choice::Named(algorithm) => self.search(algorithm, request, control),
            Choice::Auto => {
                request.heuristic_for(&Mazes).info(&Mazes)?;
                Ok(auto::solve(&self.0, self.lower_bound()?, request, control))
            }
        }
    }

    fn impossible(&self) -> Option<String> {
        impossible(&self.0)
    }

    fn explore(
        &self,
        request: &Request,
        control: Control<'_>,
        explorer: Explorer<'_>,
    ) -> Result<ControlFlow<Outcome<String>>, RequestError> {
        self.untyped(request, control, explorer)
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

    fn game(&self) -> Box<dyn Game> {
        Box::new(game::MazeGame::new(&self.0))
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

impl Walk {
    /// What every solution costs at least; none where that is seen to be impossible.
    fn lower_bound(&self) -> Result<Option<Cost>, RequestError> {
        let request = Request { heuristic: Some(HeuristicSpec::plain("turns")), ..Request::default() };
        let mut bound = None;
        let explored = self.explore(&request, Control::default(), &mut |formulation, _| {
            bound = formulation.estimate(&formulation.start());
        })?;
        debug_assert!(explored.is_continue(), "turns are counted without tables");
        Ok(bound.map(|bound| bound as Cost))
    }
}

impl Textbook for Walk {
    fn formulate<V: Visitor>(
        &self,
        heuristic: &HeuristicSpec,
        _: &Request,
        means: Means<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        match self.0.blocked.len() {
            0..=64 => formulate::<1, V>(&self.0, heuristic, means, visitor),
            65..=128 => formulate::<2, V>(&self.0, heuristic, means, visitor),
            129..=256 => formulate::<4, V>(&self.0, heuristic, means, visitor),
            257..=1024 => formulate::<16, V>(&self.0, heuristic, means, visitor),
            _ => formulate::<64, V>(&self.0, heuristic, means, visitor),
        }
    }
}

fn formulate<const W: usize, V: Visitor>(
    maze: &Maze,
    heuristic: &HeuristicSpec,
    means: Means<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    let rules = Rules::<W>::new(maze);
    match heuristic.name.as_str() {
        "turns" => visitor.visit(rules, Turns::new(maze), means),
        "twice-empty" => visitor.visit(rules, heuristics::CellSum::twice_empty(maze), means),
        "diagonal-weight" => visitor.visit(rules, heuristics::CellSum::diagonal_weight(maze), means),
        "inverse-manhattan" => visitor.visit(rules, heuristics::InverseManhattan::new(maze), means),
        _ => visitor.visit(rules, Zero, means),
    }
}
