//! Classes of boards, made by novelo's own generators from a seed.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{GenerateRequest, Instance, RequestError, Size, puzzle};

/// Boards of one kind and size.
#[derive(Debug, Clone)]
pub struct Class {
    pub puzzle: &'static str,
    kind: Kind,
    pub side: usize,
    /// Whether it is in the short run.
    pub usual: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Numbrix: one solution, and every clue is needed.
    Minimal,
    /// Numbrix: so many percent of the numbers given, at random.
    Clues(usize),
    /// Numbrix: all numbers on the border given.
    Border,
    /// Mazes: one solution.
    Unique,
    /// Mazes: so many percent of the cells blocked.
    Blocked(usize),
}

/// All classes, in the order of the table.
pub fn all() -> Vec<Class> {
    let mut classes = Vec::new();
    let mut add = |puzzle, kind, sides: &[usize], usual: &[usize]| {
        classes.extend(sides.iter().map(|side| Class {
            puzzle,
            kind,
            side: *side,
            usual: usual.contains(side),
        }));
    };
    let sides = [10, 15, 20, 30, 40, 50];
    add("numbrix", Kind::Minimal, &[9, 12, 15, 20, 30], &[9, 12, 15]);
    add("numbrix", Kind::Clues(40), &sides, &[50]);
    add("numbrix", Kind::Clues(30), &sides, &[50]);
    add("numbrix", Kind::Clues(20), &sides, &[20, 30, 50]);
    add("numbrix", Kind::Clues(15), &sides, &[20, 30]);
    add("numbrix", Kind::Clues(10), &sides[..4], &[15, 20]);
    add("numbrix", Kind::Border, &[9, 12, 15, 20], &[12, 15]);
    add("mazes", Kind::Unique, &[7, 8, 9, 10, 12], &[7, 9, 12]);
    add("mazes", Kind::Blocked(18), &[8, 10, 12, 15, 20], &[12, 15]);
    add("mazes", Kind::Blocked(25), &[8, 12, 16, 20, 24], &[16, 20, 24]);
    classes
}

impl Class {
    /// Its name in the table.
    pub fn name(&self) -> String {
        let side = self.side;
        match self.kind {
            Kind::Minimal => format!("numbrix min {side}"),
            Kind::Clues(percent) => format!("numbrix {percent}% {side}"),
            Kind::Border => format!("numbrix border {side}"),
            Kind::Unique => format!("mazes unique {side}"),
            Kind::Blocked(percent) => format!("mazes {percent}% {side}"),
        }
    }

    /// The share of the best peer's time that novelo should need at most.
    pub fn aim(&self) -> f64 {
        if self.side <= 15 { 0.1 } else { 0.5 }
    }

    /// A board; the same for the same seed and number.
    pub fn board(&self, seed: u64, number: u64) -> Box<dyn Instance> {
        let cells = self.side * self.side;
        let puzzle = puzzle(self.puzzle).expect("a puzzle of the registry");
        let generate = |option: &str, value: &str| {
            let size = Some(Size { rows: self.side, cols: self.side });
            let request = GenerateRequest { size, seed, ..GenerateRequest::default() };
            puzzle.generate(&request.with(puzzle, [(option, value)])?, number, &AtomicBool::new(false))
        };
        let made = match self.kind {
            Kind::Minimal => generate("minimal", "true"),
            Kind::Clues(percent) => generate("clues", &(cells * percent / 100).to_string()),
            Kind::Border => generate("pattern", "border"),
            Kind::Unique => generate("unique", "true"),
            Kind::Blocked(percent) => {
                let blocked = cells * percent / 100;
                match generate("blocked", &blocked.to_string()) {
                    // The colours of the chessboard allow only every other number.
                    Err(RequestError::Unsupported(_)) => generate("blocked", &(blocked + 1).to_string()),
                    made => made,
                }
            }
        };
        made.expect("the generator can do this")
    }
}
