//! The pancake puzzle: a stack is to be sorted by turning over some pancakes from the top.

mod exact;
mod game;
mod generate;
pub mod heuristics;
mod instance;
mod rules;
#[cfg(test)]
mod tests;
mod verify;
mod view;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use novelo_search::{Algorithm, Meter, Stop};

pub use instance::Stack;
pub use rules::{Flip, Pancakes, Rules};

use crate::formulation::{Explorer, Visitor};
use crate::heuristic::HeuristicInfo;
use crate::method::{Method, MethodInfo};
use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, Instance, Named, Puzzle, PuzzleInfo, Size};
use crate::request::{Attempt, Request, RequestError};
use crate::session::Game;
use crate::solver::{ChosenHeuristic, Solver};
use crate::text::{ParseError, Piece};
use crate::verdict::Verdict;
use crate::watch::Watcher;

/// Bytes of a state, the plate included: those of stacks that can be searched with a closed list, and all others. Each is
/// a type of its own, for which every algorithm is compiled.
const SMALL: usize = 24;
const LARGE: usize = instance::LARGEST + 1;

/// The largest stack of which all states are looked at.
const ALL_STATES: usize = 9;

/// The pancake puzzle in the registry.
#[derive(Debug)]
pub struct Pancake;

impl Puzzle for Pancake {
    fn info(&self) -> &'static PuzzleInfo {
        &PuzzleInfo {
            name: "pancake",
            title: "Pancakes",
            line: "Flip the stack into order, the smallest on top.",
            about: "A stack of pancakes of sizes 1 to n, 2 to 127 of them. A move flips the topmost k over, at a cost of \
                    1, or of k in the weighted variant. Sort the stack, the smallest on top.",
            formats: "'pancakes 3 1 2' from the top, one stack a line, or 'pancakes weighted 3 1 2' where a flip costs as \
                      much as it turns pancakes",
            moves: "the number of pancakes flipped, such as 5",
            example: "pancake:8:4,6,1,8,3,7,2,5",
            face: "pancake:5:3,1,4,2,5",
            lesson: "pancake:5:5,2,4,1,3",
            orders: "",
            goals: "",
            sizes: &["5", "8", "12"],
            generator: generate::OPTIONS,
            audit_size: "7",
            counts_solutions: false,
            unit: ["point", "points"],
            progress: "pancakes in place",
        }
    }

    fn heuristics(&self) -> &'static [HeuristicInfo] {
        heuristics::INFOS
    }

    fn methods(&self) -> &'static [&'static MethodInfo] {
        static METHODS: [&MethodInfo; 1] = [&exact::GAPS];
        &METHODS
    }

    fn likeness(&self, text: &str) -> u8 {
        instance::likeness(text)
    }

    fn parse(&self, text: &str, goal: Option<&str>) -> Result<Vec<Named>, ParseError> {
        no_goal(goal)?;
        let named = |stack| Named { name: None, instance: Box::new(OneStack(stack)) };
        Ok(instance::parse(text)?.into_iter().map(named).collect())
    }

    fn parse_id(&self, body: &str, goal: Option<&str>) -> Result<Box<dyn Instance>, ParseError> {
        no_goal(goal)?;
        Ok(Box::new(OneStack(Stack::parse_id(body)?)))
    }

    fn generate(
        &self,
        request: &GenerateRequest,
        number: u64,
        cancel: &AtomicBool,
    ) -> Result<Box<dyn Instance>, RequestError> {
        Ok(Box::new(OneStack(generate::generate(request, number, cancel)?)))
    }

    /// Every stack is reached from the sorted one. Both variants are looked at.
    fn whole_spaces(&self, size: Size, only: bool) -> Option<Vec<Box<dyn Instance>>> {
        if size != Size::line(size.rows) || !(2..=ALL_STATES).contains(&size.rows) {
            return None;
        }
        let sizes = if only { size.rows } else { 2 }..=size.rows;
        let both = |count| [false, true].map(|weighted| Stack::sorted(count, weighted));
        Some(sizes.flat_map(both).map(|stack| Box::new(OneStack(stack)) as Box<dyn Instance>).collect())
    }

    fn words(&self, play: &str) -> String {
        format!("flip the top {play}")
    }
}

fn no_goal(goal: Option<&str>) -> Result<(), ParseError> {
    match goal {
        None => Ok(()),
        Some(_) => Err(ParseError::whole("--goal means nothing to pancake: the smallest is to be on top")),
    }
}

/// A stack to sort.
struct OneStack(Stack);

impl Instance for OneStack {
    fn puzzle(&self) -> &'static dyn Puzzle {
        &Pancake
    }

    fn id(&self) -> String {
        format!("pancake:{}", self.0.id())
    }

    fn run(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        if let Some(order) = &request.order {
            return Err(RequestError::Unsupported(format!(
                "pancake knows no --order, but '{order}' was given"
            )));
        }
        self.carry_out(request, meter, watcher)
    }

    fn impossible(&self) -> Option<String> {
        None
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
        Box::new(game::PancakeGame::new(&self.0))
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<String>, ParseError> {
        let read = |word: Piece<'_>| {
            let help = "a move is the number of pancakes that are flipped, such as 5";
            let turned = word.number("flip", self.0.pancakes.len()).map_err(|error| error.help(help))?;
            Ok(turned.to_string())
        };
        Piece::new(text).items().map(read).collect()
    }

    fn check(&self, moves: &[String]) -> Verdict {
        verify::check(&self.0, moves)
    }

    fn pictures(&self, moves: &[String]) -> Vec<Picture> {
        view::pictures(&self.0, moves)
    }
}

impl Solver for OneStack {
    fn formulate<V: Visitor>(
        &self,
        guide: &ChosenHeuristic,
        _: &Request,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        let Self(stack) = self;
        if stack.pancakes.len() < SMALL {
            heuristics::visit::<SMALL, V>(guide.name, &guide.values, stack, meter, visitor)
        } else {
            heuristics::visit::<LARGE, V>(guide.name, &guide.values, stack, meter, visitor)
        }
    }

    /// The method made for pancakes; the engine's IDA* on small stacks, where it is as quick and can be looked at, where
    /// flips cost what they turn, and under a heuristic that was asked for.
    fn auto(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        let small = self.0.pancakes.len() <= ALL_STATES;
        if small || self.0.weighted || request.heuristic.is_some() || request.settings.shuffle.is_some() {
            return self.search(Algorithm::IdaStar, self.guide(request)?, request, meter, watcher);
        }
        self.dedicated(&exact::GAPS, request, meter)
    }

    fn dedicated(
        &self,
        method: &'static MethodInfo,
        request: &Request,
        meter: &Meter<'_>,
    ) -> Result<Attempt, RequestError> {
        let refuse = |message: &str| Err(RequestError::Unsupported(message.into()));
        if self.0.weighted {
            return refuse(
                "gaps solves stacks whose flips cost the same; idastar and astar solve weighted ones",
            );
        }
        if request.settings.shuffle.is_some() {
            return refuse("gaps tries the flips of every stack in the same order; it cannot shuffle them");
        }
        let (method, outcome) = (Method::Dedicated(method), exact::solve(&self.0, meter));
        Ok(Attempt { method, heuristic: None, outcome, reason: None, searched: true })
    }
}
