//! Mazes under the feet of a player.

use crate::Cost;
use novelo_search::Stop;

use super::Walk;
use super::auto::cost;
use super::instance::Maze;
use super::moves::{Move, Way};
use crate::puzzle::Instance;
use crate::session::{
    Arrows, Cell, Check, Game, IllegalMove, Kind, Marks, Oracle, Played, Progress, Status, View,
};

/// A maze with the walk so far.
pub struct MazeGame {
    maze: Maze,
    /// Moves of the instance's own walk.
    given: usize,
    /// The cells walked.
    trail: Vec<usize>,
    /// The lengths of the segments; the last is being walked.
    segments: Vec<usize>,
}

impl MazeGame {
    pub fn new(maze: &Maze) -> Self {
        let fresh = Maze { walked: Vec::new(), ..maze.clone() };
        let mut game = Self { maze: fresh, given: 0, trail: vec![maze.start], segments: Vec::new() };
        maze.walked.iter().for_each(|&made| game.make(made));
        game.given = maze.walked.len();
        game
    }

    fn here(&self) -> usize {
        *self.trail.last().expect("the start")
    }

    fn facing(&self) -> Option<Way> {
        self.maze.walked.last().map(|&(Move::Turn(way) | Move::Step(way))| way)
    }

    fn make(&mut self, made: Move) {
        match made {
            Move::Turn(_) => self.segments.push(0),
            Move::Step(way) => {
                self.trail.push(self.maze.next(self.here(), way).expect("looked at before"));
                *self.segments.last_mut().expect("a turn comes first") += 1;
            }
        }
        self.maze.walked.push(made);
    }

    /// Why the segment being walked must not end here.
    fn must_go_on(&self) -> Option<String> {
        match self.segments[..] {
            [.., 0] => Some("a turn was made already: step on".into()),
            [.., a, b] if a == b => {
                Some(format!("this segment would be as long as the one before it: {b}; step on or go back"))
            }
            _ => None,
        }
    }

    /// The cell a step leads to, or why it cannot be made.
    fn target(&self, way: Way) -> Result<usize, IllegalMove> {
        let Some(next) = self.maze.next(self.here(), way) else {
            return IllegalMove::because("that leads off the board");
        };
        let cols = self.maze.size.cols;
        let place = format!("row {}, column {}", next / cols + 1, next % cols + 1);
        if self.maze.blocked[next] {
            return IllegalMove::because(format!("{place} is blocked"));
        }
        if self.trail.contains(&next) {
            return IllegalMove::because(format!("{place} was visited before"));
        }
        match self.must_go_on().filter(|_| self.facing() != Some(way)) {
            Some(reason) => IllegalMove::because(reason),
            None => Ok(next),
        }
    }

    /// Whether a step leads back to where the player came from.
    fn is_back(&self, way: Way) -> bool {
        self.maze.walked.len() > self.given
            && self.trail.len() > 1
            && self.maze.next(self.here(), way) == Some(self.trail[self.trail.len() - 2])
    }

    fn left(&self) -> usize {
        self.maze.free() - self.trail.len()
    }

    /// The same maze after fewer moves of the walk.
    fn after(&self, made: usize) -> Walk {
        let walked = self.maze.walked[..made].to_vec();
        Walk(Maze { walked, ..self.maze.clone() })
    }
}

impl Game for MazeGame {
    /// `U D L R`, a step; a change of direction is a turn, and a step back
    /// takes the last step back.
    fn play(&mut self, text: &str) -> Result<Played, IllegalMove> {
        let mut letters = text.trim().chars();
        let (Some(way), None) = (letters.next().and_then(Way::of), letters.next()) else {
            return IllegalMove::because(format!("'{text}' is not a move: a step is U, D, L or R"));
        };
        if self.is_back(way) {
            return Ok(Played::Back);
        }
        self.target(way)?;
        if self.facing() != Some(way) {
            self.make(Move::Turn(way));
        }
        self.make(Move::Step(way));
        Ok(Played::Made(way.letter().to_string()))
    }

    fn status(&self) -> Status {
        let lost = |reason: String| Status::Lost { reason };
        let at_end = self.here() == self.maze.end;
        match (self.left(), at_end) {
            (0, true) if self.trail.len() == 1 => Status::Won,
            (0, true) => match self.must_go_on() {
                None => Status::Won,
                Some(_) => lost("the last two segments are equally long".into()),
            },
            (1, true) => lost("the end is reached, but 1 cell is not visited".into()),
            (left, true) => lost(format!("the end is reached, but {left} cells are not visited")),
            (_, false) if Way::ALL.into_iter().any(|way| self.target(way).is_ok()) => Status::Playing,
            (_, false) => lost("there is no step to make from here".into()),
        }
    }

    fn progress(&self) -> Progress {
        Progress { done: self.trail.len(), total: self.maze.free() }
    }

    fn cost(&self) -> Cost {
        cost(&self.maze.walked[self.given..])
    }

    fn view(&self) -> View {
        let mut walked = vec![false; self.maze.blocked.len()];
        self.trail.iter().for_each(|&cell| walked[cell] = true);
        let play = |cell: usize| {
            let leads = |way: &Way| self.maze.next(self.here(), *way) == Some(cell);
            let way = Way::ALL.into_iter().find(leads)?;
            (self.is_back(way) || self.target(way).is_ok()).then(|| way.letter().to_string())
        };
        let cell = |cell: usize| {
            let kind = match cell {
                _ if self.maze.blocked[cell] => Kind::Wall,
                _ if cell == self.maze.start => Kind::Start,
                _ if cell == self.maze.end => Kind::End,
                _ if walked[cell] => Kind::Walked,
                _ => Kind::Empty,
            };
            let last = self.maze.walked.len() > self.given && cell == self.here();
            Cell { last, play: play(cell), ..Cell::new(kind, None) }
        };
        let note = match self.segments[..] {
            [] => String::new(),
            [first] => format!("first segment: {first}"),
            [.., before, now] => format!("this segment: {now}, the one before: {before}"),
        };
        View {
            rows: self.maze.size.rows,
            cols: self.maze.size.cols,
            cells: (0..self.maze.blocked.len()).map(cell).collect(),
            path: self.trail.clone(),
            arcs: Vec::new(),
            arrows: Arrows::Move,
            bars: false,
            note,
        }
    }

    fn position(&self) -> Box<dyn Instance> {
        Box::new(self.after(self.maze.walked.len()))
    }

    /// Turns are implied by the steps.
    fn continuation(&self, solution: Vec<String>) -> Vec<String> {
        solution.into_iter().filter(|made| !made.starts_with("turn")).collect()
    }

    /// Marks the part of the walk after which no way leads to the end.
    fn check(&self, oracle: &Oracle<'_>) -> Result<Check, Stop> {
        let made = self.maze.walked.len();
        if oracle.can_be_solved(&self.after(made))? {
            return Ok(Check::nothing("all is well so far"));
        }
        if !oracle.can_be_solved(&self.after(self.given))? {
            return Ok(Check::nothing("this maze has no solution"));
        }
        let (mut alive, mut dead) = (self.given, made);
        while alive + 1 < dead {
            let middle = usize::midpoint(alive, dead);
            if oracle.can_be_solved(&self.after(middle))? { alive = middle } else { dead = middle }
        }
        let is_step = |made: &&Move| matches!(made, Move::Step(_));
        let right = 1 + self.maze.walked[..alive].iter().filter(is_step).count();
        let cells = self.trail[right.min(self.trail.len())..].to_vec();
        let words = match cells.len() {
            1 => "the last step is wrong".into(),
            n => format!("the last {n} steps are wrong"),
        };
        Ok(Check { wrong: Marks { cells, arcs: Vec::new() }, words })
    }
}
