//! Numbrix: fill a grid with the numbers from 1 on, so that consecutive ones
//! are neighbours.

mod dead_ends;
mod exact;
mod game;
mod generate;
mod grid;
pub mod heuristics;
mod instance;
mod path;
mod rules;
#[cfg(test)]
mod tests;
mod verify;
mod view;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use novelo_search::algorithms::Needs;
use novelo_search::{AlgorithmInfo, Answer, Meter, Outcome, Solution, Stop};

use exact::SatLimits;

pub use dead_ends::DeadEnds;
pub use grid::Grid;
pub use instance::Board;
pub use rules::{Before, DEFAULT_ORDER, Gap, Rules, State, Write};

use crate::formulation::{Explorer, Visitor};
use crate::heuristic::HeuristicInfo;
use crate::method::{Method, MethodInfo};
use crate::picture::Picture;
use crate::puzzle::{GenerateRequest, Instance, Named, Puzzle, PuzzleInfo};
use crate::request::{Attempt, Enumeration, KeptSolutions, Request, RequestError};
use crate::session::Game;
use crate::solver::{ChosenHeuristic, Solver};
use crate::text::{ParseError, Piece};
use crate::verdict::Verdict;
use crate::watch::Watcher;

/// Numbrix in the registry.
#[derive(Debug)]
pub struct Numbrix;

impl Puzzle for Numbrix {
    fn info(&self) -> &'static PuzzleInfo {
        &PuzzleInfo {
            name: "numbrix",
            title: "Numbrix",
            line: "Thread the numbers from first to last.",
            about: "Some of the numbers from 1 to R·C stand in a grid of R rows and C columns. Write the \
                    others, at a cost of 1 each, so that consecutive numbers are neighbours: up, down, left \
                    or right. As a search problem, the lowest run of consecutive numbers is extended at its \
                    upper end, and when that has reached R·C, downwards. Boards from 1x1 to 64x64.",
            formats: "rows of numbers with 0, _ or . for an empty cell, perhaps after a line with the size (9 or \
                      8x9); all on one line where they make a square",
            moves: "r,c=v: the number v into row r, column c; or a filled board",
            example: "numbrix:3x3:1c5_4b9",
            face: "numbrix:4x4:1_2_3_4_12a14_5a16a6_10_9b",
            lesson: "numbrix:3x3:1c5_4b9",
            orders: "the order in which a number's neighbours are tried, such as ULRD (the default)",
            goals: "",
            sizes: &["5x5", "7x7", "9x9"],
            generator: generate::OPTIONS,
            audit_size: "4x4",
            counts_solutions: true,
            unit: ["number", "numbers"],
            progress: "numbers written",
        }
    }

    fn heuristics(&self) -> &'static [HeuristicInfo] {
        heuristics::INFOS
    }

    fn methods(&self) -> &'static [&'static MethodInfo] {
        static METHODS: [&MethodInfo; 1] = [&PROPAGATION];
        &METHODS
    }

    fn likeness(&self, text: &str) -> u8 {
        instance::likeness(text)
    }

    fn parse(&self, text: &str, goal: Option<&str>) -> Result<Vec<Named>, ParseError> {
        no_goal(goal)?;
        Ok(vec![Named { name: None, instance: Box::new(Clues(instance::parse(text)?)) }])
    }

    fn parse_id(&self, body: &str, goal: Option<&str>) -> Result<Box<dyn Instance>, ParseError> {
        no_goal(goal)?;
        Ok(Box::new(Clues(Board::parse_id(body)?)))
    }

    fn generate(
        &self,
        request: &GenerateRequest,
        number: u64,
        cancel: &AtomicBool,
    ) -> Result<Box<dyn Instance>, RequestError> {
        Ok(Box::new(Clues(generate::generate(request, number, cancel)?)))
    }

    fn solution_is_a_board(&self) -> bool {
        true
    }

    fn words(&self, play: &str) -> String {
        let parts = play.split_once('=').and_then(|(place, value)| Some((place.split_once(',')?, value)));
        match parts {
            Some(((row, col), value)) => format!("write {value} in row {row}, column {col}"),
            None => play.to_owned(),
        }
    }
}

fn no_goal(goal: Option<&str>) -> Result<(), ParseError> {
    match goal {
        None => Ok(()),
        Some(_) => Err(ParseError::whole("--goal means nothing to numbrix: every board has the same goal")),
    }
}

/// A board to fill.
struct Clues(Board);

impl Instance for Clues {
    fn puzzle(&self) -> &'static dyn Puzzle {
        &Numbrix
    }

    fn id(&self) -> String {
        format!("numbrix:{}", self.0.id())
    }

    fn run(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError> {
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
        let board = &self.0;
        let mut counter = meter.counter();
        let (mut kept, mut full, mut count) = (KeptSolutions::new(meter.budget()), None, 0);
        let all = if impossible(board).is_some() || most == 0 {
            Ok(most > 0)
        } else {
            exact::enumerate(board, SatLimits::new(meter), &mut counter, |cells| {
                count += 1;
                if kept.solutions.len() < keep {
                    full = kept.keep(moves_to(board, &Board { size: board.size, cells })).err();
                }
                count < most && full.is_none()
            })
        };
        let (exact, stop) = (all == Ok(true), full.or(all.err()));
        drop(counter);
        Ok(Enumeration { solutions: kept.solutions, count, exact, stop, stats: meter.stats() })
    }

    fn game(&self) -> Box<dyn Game> {
        Box::new(game::NumbrixGame::new(&self.0))
    }

    fn parse_moves(&self, text: &str) -> Result<Vec<String>, ParseError> {
        if text.contains('=') {
            return Piece::new(text).words().map(|word| read_move(word, &self.0)).collect();
        }
        filled(text, &self.0)
    }

    fn check(&self, moves: &[String]) -> Verdict {
        verify::check(&self.0, moves)
    }

    fn pictures(&self, moves: &[String]) -> Vec<Picture> {
        view::pictures(&self.0, moves)
    }
}

fn read_move(word: Piece<'_>, board: &Board) -> Result<String, ParseError> {
    let help = "moves are row,column=number, such as 1,2=7";
    let parts = word.split_once('=').and_then(|(place, value)| Some((place.split_once(',')?, value)));
    let Some(((row, col), value)) = parts else {
        return Err(word.error(format!("'{}' is not a move", word.text)).help(help));
    };
    let read = |piece: Piece<'_>, what, most| piece.number(what, most).map_err(|error| error.help(help));
    let row = read(row, "row", board.size.rows)?;
    let col = read(col, "column", board.size.cols)?;
    Ok(format!("{row},{col}={}", read(value, "number", board.last())?))
}

/// The moves that fill a board as another is filled.
fn filled(text: &str, board: &Board) -> Result<Vec<String>, ParseError> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let full = instance::parse(text)?;
    if full.size != board.size {
        return Err(ParseError::whole(format!(
            "this board is {}, the instance is {}",
            full.size, board.size
        )));
    }
    if let Some(cell) = (0..board.last()).find(|&c| board.cells[c] != 0 && board.cells[c] != full.cells[c]) {
        let (row, col) = board.place(cell);
        return Err(ParseError::whole(format!(
            "row {row}, column {col} is {} here, but {} is given there",
            full.cells[cell], board.cells[cell]
        )));
    }
    Ok(moves_to(board, &full))
}

/// The moves that write what a fuller board has and this one lacks.
fn moves_to(board: &Board, full: &Board) -> Vec<String> {
    let written = full.by_value().into_iter().filter(|&(_, cell)| board.cells[cell] == 0);
    written.map(|(value, cell)| written_move(board, cell, value)).collect()
}

/// A move in its written form.
fn written_move(board: &Board, cell: usize, value: usize) -> String {
    let (row, col) = board.place(cell);
    format!("{row},{col}={value}")
}

/// Why a board has no solution, where two clues alone show it.
pub fn impossible(board: &Board) -> Option<String> {
    for pair in board.by_value().windows(2) {
        let [(a, a_cell), (b, b_cell)] = [pair[0], pair[1]];
        let (steps, distance) = (b - a, board.distance(a_cell, b_cell));
        if distance > steps {
            let steps = if steps == 1 { "1 step leads".into() } else { format!("{steps} steps lead") };
            return Some(format!(
                "{a} and {b} are {distance} steps apart, but only {steps} from one to the other"
            ));
        }
        if (distance + steps) % 2 == 1 {
            return Some(format!(
                "{a} and {b} stand on cells of {} colour of the chequerboard, but {steps} steps lead to {} colour",
                if distance % 2 == 0 { "the same" } else { "different" },
                if steps % 2 == 0 { "the same" } else { "the other" },
            ));
        }
    }
    None
}

fn read_order(order: Option<&str>) -> Result<[u8; 4], RequestError> {
    let Some(text) = order else { return Ok(DEFAULT_ORDER) };
    let letters: Option<[u8; 4]> = text.to_ascii_uppercase().into_bytes().try_into().ok();
    letters.filter(|letters| DEFAULT_ORDER.iter().all(|letter| letters.contains(letter))).ok_or_else(|| {
        RequestError::Unsupported(format!(
            "'{text}' is not an order of neighbours; write each of U, D, L and R once, such as ULRD"
        ))
    })
}

/// The moves from a board to a solution, which are as few as there can be.
fn exact_solution(board: &Board, cells: Vec<u16>) -> Solution<String> {
    let path = moves_to(board, &Board { size: board.size, cells });
    Solution { cost: path.len() as u32, path, optimal: true }
}

impl Solver for Clues {
    fn formulate<V: Visitor>(
        &self,
        guide: &ChosenHeuristic,
        request: &Request,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        let order = read_order(request.order.as_deref())?;
        match self.0.last() {
            0..=128 => formulate(Rules::<2>::new(&self.0, order), guide, meter, visitor),
            129..=512 => formulate(Rules::<8>::new(&self.0, order), guide, meter, visitor),
            _ => formulate(Rules::<64>::new(&self.0, order), guide, meter, visitor),
        }
    }

    fn dedicated(
        &self,
        method: &'static MethodInfo,
        _: &Request,
        meter: &Meter<'_>,
    ) -> Result<Attempt, RequestError> {
        let board = &self.0;
        // Every solution writes all the numbers that are missing.
        let least = (board.last() - board.clues()) as u32;
        let too_deep = meter.limits().depth.is_some_and(|depth| least > depth);
        let answer = match exact::solve(board, SatLimits::new(meter), &mut meter.counter()) {
            Ok(None) => Answer::Unsolvable,
            Ok(Some(_)) if too_deep => Answer::Stopped(Stop::Depth),
            Ok(Some(cells)) => Answer::Solved(exact_solution(board, cells)),
            Err(stop) => Answer::Stopped(stop),
        };
        let lower_bound = Some(least).filter(|_| answer != Answer::Unsolvable);
        let outcome = Outcome { answer, lower_bound, stop: None, stats: meter.stats() };
        let method = Method::Dedicated(method);
        Ok(Attempt { method, heuristic: None, outcome, reason: None, searched: true })
    }
}

/// The exact method for Numbrix.
static PROPAGATION: MethodInfo = MethodInfo {
    about: AlgorithmInfo {
        name: "propagation",
        title: "Propagation and clause learning",
        about: "Keeps for each number the cells where it can still be, and settles what follows; where nothing does, it \
                tries, with restarts. Where that takes long, a SAT solver (CaDiCaL) starts from what propagation left, and \
                the two take turns.",
        complete: "yes",
        optimal: "yes: every solution writes the same number of numbers",
        time: "exponential at worst; milliseconds on nearly every board with one solution",
        space: "the domains, and the clauses learned",
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

fn formulate<const F: usize, V: Visitor>(
    rules: Rules<F>,
    guide: &ChosenHeuristic,
    meter: &Meter<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    heuristics::visit(guide.name, rules, &guide.values, meter, visitor)
}
