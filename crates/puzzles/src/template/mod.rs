//! The template of a puzzle: a button that is to be pressed. One cell, one move, and everything a puzzle needs.
//!
//! To make a puzzle of your own, copy this folder and give it a line of the registry in `lib.rs`; CONTRIBUTING.md walks
//! through it. The feature `template` puts this one into the registry, which only tests ask for.

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

use novelo_search::{Meter, Stop};

pub use instance::Button;
pub use rules::{Press, Rules};

use crate::formulation::{Explorer, Visitor};
use crate::heuristic::HeuristicInfo;
use crate::method::MethodInfo;
use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, Instance, Named, Puzzle, PuzzleInfo, Size};
use crate::request::{Attempt, Request, RequestError};
use crate::session::Game;
use crate::solver::{ChosenHeuristic, Solver};
use crate::text::{ParseError, Piece};
use crate::verdict::Verdict;
use crate::watch::Watcher;

/// The template in the registry.
#[derive(Debug)]
pub struct Template;

impl Puzzle for Template {
    // All that the command line, the lab, the server and the page know of the puzzle. `name` is also the first part of
    // its ids, the name of this folder, and that of its file in `crates/novelo/page/boards/`.
    fn info(&self) -> &'static PuzzleInfo {
        &PuzzleInfo {
            name: "template",
            title: "Template",
            line: "Press the button.",
            about: "A button that is up or down. A move presses it, at a cost of 1. It is to be down. There is \
                    one board, 1x1.",
            formats: "'button up' or 'button down'",
            moves: "press",
            example: "template:1x1:0",
            face: "template:1x1:0",
            lesson: "template:1x1:0",
            orders: "",
            goals: "",
            sizes: &["1x1"],
            generator: generate::OPTIONS,
            audit_size: "1x1",
            counts_solutions: false,
            unit: ["press", "presses"],
            progress: "buttons pressed",
        }
    }

    fn heuristics(&self) -> &'static [HeuristicInfo] {
        heuristics::INFOS
    }

    // Solvers made for this puzzle alone, which `auto` may choose and users call by name; see `numbrix` for one.
    fn methods(&self) -> &'static [&'static MethodInfo] {
        &[]
    }

    fn likeness(&self, text: &str) -> u8 {
        instance::likeness(text)
    }

    fn parse(&self, text: &str, goal: Option<&str>) -> Result<Vec<Named>, ParseError> {
        no_goal(goal)?;
        Ok(vec![Named { name: None, instance: Box::new(OneButton(instance::parse(text)?)) }])
    }

    fn parse_id(&self, body: &str, goal: Option<&str>) -> Result<Box<dyn Instance>, ParseError> {
        no_goal(goal)?;
        Ok(Box::new(OneButton(Button::parse_id(body)?)))
    }

    fn generate(
        &self,
        request: &GenerateRequest,
        _number: u64,
        _cancel: &AtomicBool,
    ) -> Result<Box<dyn Instance>, RequestError> {
        Ok(Box::new(OneButton(generate::generate(request)?)))
    }

    // Leave this out where there are too many states; an audit then looks at generated instances.
    fn whole_spaces(&self, size: Size, _only: bool) -> Option<Vec<Box<dyn Instance>>> {
        let all: Vec<Box<dyn Instance>> = vec![Box::new(OneButton(Button { pressed: false }))];
        (size == instance::SIZE).then_some(all)
    }

    fn words(&self, _play: &str) -> String {
        "press the button".into()
    }
}

fn no_goal(goal: Option<&str>) -> Result<(), ParseError> {
    match goal {
        None => Ok(()),
        Some(_) => Err(ParseError::whole("--goal means nothing to template: the button is to be down")),
    }
}

/// A button to press.
struct OneButton(Button);

impl Instance for OneButton {
    fn puzzle(&self) -> &'static dyn Puzzle {
        &Template
    }

    fn id(&self) -> String {
        format!("template:{}", self.0.id())
    }

    fn run(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
        if let Some(order) = &request.order {
            return Err(RequestError::Unsupported(format!(
                "template knows no --order, but '{order}' was given"
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
        Box::new(game::TemplateGame::new(self.0))
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<String>, ParseError> {
        let read = |word: Piece<'_>| match word.text {
            "press" => Ok("press".to_owned()),
            other => Err(word.error(format!("'{other}' is not a move")).help("the only move is press")),
        };
        Piece::new(text).items().map(read).collect()
    }

    fn check(&self, moves: &[String]) -> Verdict {
        verify::check(self.0, moves)
    }

    fn pictures(&self, moves: &[String]) -> Vec<Picture> {
        view::pictures(self.0, moves)
    }
}

impl Solver for OneButton {
    fn formulate<V: Visitor>(
        &self,
        guide: &ChosenHeuristic,
        _: &Request,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        heuristics::visit(guide.name, Rules::new(self.0), meter, visitor)
    }
}
