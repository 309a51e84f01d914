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

use crate::Cost;
use novelo_search::algorithms::Needs;
use novelo_search::parameter::Spec;
use novelo_search::{AlgorithmInfo, Control, Meter, Problem, Stop};

pub use impossible::impossible;
pub use instance::Maze;
pub use moves::{Move, Way};

use moves::Order;
pub use rules::{Rules, State, Undo};
pub use turns::Turns;

use crate::formulation::{Explorer, Visitor};
use crate::heuristic::HeuristicInfo;
use crate::method::{Method, MethodInfo};
use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, Instance, Named, Puzzle, PuzzleInfo};
use crate::request::{Attempt, Enumeration, Request, RequestError};
use crate::session::Game;
use crate::solver::{ChosenHeuristic, Solver};
use crate::text::ParseError;
use crate::verdict::Verdict;
use crate::watch::Watcher;

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
                      an empty line between several; numbers all on one line, where a row begins at the 8",
            moves: "'turn U' and 'U' (a step), with U, D, L or R; solutions may also be given by their \
                    steps alone, such as UURR",
            example: "mazes:6x6:2xx2/5x/6/6/6/6",
            face: "mazes:5x5:5/5/x4/x4/5:RRRRULLLURRR",
            lesson: "mazes:4x5:5/5/5/1xxxx",
            orders: "the order in which the eight operators are tried, a capital for a step and a small letter for a \
                     turn, such as UDLRudlr (the default)",
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

    fn methods(&self) -> &'static [&'static MethodInfo] {
        static METHODS: [&MethodInfo; 1] = [&CLAUSE_LEARNING];
        &METHODS
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

    fn solution_is_a_board(&self) -> bool {
        true
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

    fn run(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        read_order(request)?;
        self.carry_out(request, meter, watcher)
    }

    fn impossible(&self) -> Option<String> {
        impossible(&self.0)
    }

    fn explore(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        explorer: Explorer<'_>,
    ) -> Result<ControlFlow<Stop>, RequestError> {
        self.untyped(request, meter, explorer)
    }

    fn enumerate(&self, most: u64, keep: usize, meter: &Meter<'_>) -> Result<Enumeration, RequestError> {
        Ok(auto::enumerate(&self.0, most, keep, meter))
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
        let request = Request { heuristic: Some(Spec::plain("turns")), ..Request::default() };
        let meter = Meter::new(request.settings.limits, Control::default());
        let mut bound = None;
        let explored = self.explore(&request, &meter, &mut |formulation| {
            bound = formulation.estimate(&formulation.start());
        })?;
        debug_assert!(explored.is_continue(), "turns are counted without tables");
        Ok(bound.map(|bound| bound as Cost))
    }
}

impl Solver for Walk {
    fn formulate<V: Visitor>(
        &self,
        guide: &ChosenHeuristic,
        request: &Request,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        let order = read_order(request)?;
        match self.0.blocked.len() {
            0..=64 => formulate::<1, V>(&self.0, order, guide, meter, visitor),
            65..=256 => formulate::<4, V>(&self.0, order, guide, meter, visitor),
            _ => formulate::<64, V>(&self.0, order, guide, meter, visitor),
        }
    }

    fn dedicated(
        &self,
        method: &'static MethodInfo,
        _: &Request,
        meter: &Meter<'_>,
    ) -> Result<Attempt, RequestError> {
        let (outcome, reason) = auto::solve(&self.0, self.lower_bound()?, meter);
        let method = Method::Dedicated(method);
        Ok(Attempt { method, heuristic: None, outcome, reason, searched: true })
    }
}

/// The exact method for mazes.
static CLAUSE_LEARNING: MethodInfo = MethodInfo {
    about: AlgorithmInfo {
        name: "clause-learning",
        title: "Clause learning over joins of cells",
        about: "A SAT solver of its own decides which neighbouring cells the path joins; a theory beside it sees to it \
                that the joins make one path. It finds a path, then asks for one with fewer turns until there is none.",
        complete: "yes",
        optimal: "if it is settled, with the effort it makes, that no path has fewer turns; the result says so",
        time: "exponential at worst; generated boards of 24x24 take it a few hundred conflicts",
        space: "the clauses learned",
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

/// The order that a request asks for, if it asks for one.
fn read_order(request: &Request) -> Result<Option<Order>, RequestError> {
    let read = |text: &String| {
        Order::parse(text).ok_or_else(|| {
            RequestError::Unsupported(format!(
                "'{text}' is not an order of the eight operators; write each of U, D, L and R (steps) and u, d, l and r \
                 (turns) once, such as {}",
                Order::USUAL
            ))
        })
    };
    request.order.as_ref().map(read).transpose()
}

fn formulate<const W: usize, V: Visitor>(
    maze: &Maze,
    order: Option<Order>,
    guide: &ChosenHeuristic,
    meter: &Meter<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    heuristics::visit(guide.name, maze, Rules::<W>::new(maze).ordered(order), meter, visitor)
}
