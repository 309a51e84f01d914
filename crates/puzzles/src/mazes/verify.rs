//! The verifier: walks the moves on a plain grid. It shares no code with the
//! rules or the solvers.

use super::instance::Maze;
use super::moves::{Move, Way};
use crate::verdict::{Failure, Verdict};

/// A walk as it is replayed: every cell visited, every segment's length.
struct Walk<'m> {
    maze: &'m Maze,
    trail: Vec<(usize, usize)>,
    direction: Option<&'static str>,
    segments: Vec<usize>,
}

/// Replays moves from where the maze's own walk has come to.
pub fn check(maze: &Maze, moves: &[String]) -> Verdict {
    let width = maze.size.cols;
    let mut walk = Walk {
        maze,
        trail: vec![(maze.start / width, maze.start % width)],
        direction: None,
        segments: Vec::new(),
    };
    let mut failure = None;
    for made in &maze.walked {
        let made = made.to_string();
        if let Err(reason) = walk.go(&made) {
            failure = Some(Failure { at: 0, text: made, reason });
        }
    }
    let (mut legal, mut cost) = (0, 0);
    for (i, text) in moves.iter().enumerate() {
        match walk.go(text) {
            Ok(price) if failure.is_none() => {
                legal += 1;
                cost += price;
            }
            Ok(_) => break,
            Err(reason) => {
                failure = Some(Failure { at: i + 1, text: text.clone(), reason });
                break;
            }
        }
    }
    let missing = walk.missing();
    let mut end = maze.clone();
    end.walked.extend(moves[..legal].iter().filter_map(|text| read(text)));
    Verdict { legal, cost, failure, solved: missing.is_none(), missing, end: format!("mazes:{}", end.id()) }
}

/// The move of a text that was found legal.
fn read(text: &str) -> Option<Move> {
    match text.strip_prefix("turn ") {
        Some(way) => Way::of(way.chars().next()?).map(Move::Turn),
        None => Way::of(text.chars().next()?).map(Move::Step),
    }
}

impl Walk<'_> {
    /// Makes a move and says what it costs, or why it cannot be made.
    fn go(&mut self, text: &str) -> Result<u32, String> {
        let (turning, way) = match text.strip_prefix("turn ") {
            Some(way) => (true, way),
            None => (false, text),
        };
        let way = match way {
            "U" => "up",
            "D" => "down",
            "L" => "left",
            "R" => "right",
            _ => return Err("a move is 'turn U' or 'U', with U, D, L or R".into()),
        };
        if turning { self.turn(way).map(|()| 2) } else { self.step(way).map(|()| 1) }
    }

    fn turn(&mut self, way: &'static str) -> Result<(), String> {
        if let Some(direction) = self.direction {
            let upright = |way| way == "up" || way == "down";
            if upright(way) == upright(direction) {
                return Err(format!("a turn from {direction} to {way} is not a right angle"));
            }
            match self.segments[..] {
                [.., 0] => return Err("a turn right after a turn: the segment has no step".into()),
                [.., a, b] if a == b => {
                    return Err(format!("this segment is as long as the one before it: {b}"));
                }
                _ => {}
            }
        }
        self.direction = Some(way);
        self.segments.push(0);
        Ok(())
    }

    fn step(&mut self, way: &'static str) -> Result<(), String> {
        match self.direction {
            None => return Err("the first move is a turn, which chooses a direction".into()),
            Some(direction) if direction != way => {
                return Err(format!("a step {way}, but the direction is {direction}: turn first"));
            }
            Some(_) => {}
        }
        let &(row, col) = self.trail.last().expect("the start");
        let next = match way {
            "up" => row.checked_sub(1).map(|row| (row, col)),
            "down" => Some((row + 1, col)),
            "left" => col.checked_sub(1).map(|col| (row, col)),
            _ => Some((row, col + 1)),
        };
        let (height, width) = (self.maze.size.rows, self.maze.size.cols);
        let Some((row, col)) = next.filter(|&(row, col)| row < height && col < width) else {
            return Err("that leads off the board".into());
        };
        let place = format!("row {}, column {}", row + 1, col + 1);
        if self.maze.blocked[row * width + col] {
            return Err(format!("{place} is blocked"));
        }
        if self.trail.contains(&(row, col)) {
            return Err(format!("{place} was visited before"));
        }
        self.trail.push((row, col));
        *self.segments.last_mut().expect("a direction has a segment") += 1;
        Ok(())
    }

    /// What is missing to the goal.
    fn missing(&self) -> Option<String> {
        let free = self.maze.blocked.iter().filter(|&&blocked| !blocked).count();
        let width = self.maze.size.cols;
        let end = (self.maze.end / width, self.maze.end % width);
        match free - self.trail.len() {
            0 => {}
            1 => return Some("1 cell is not visited".into()),
            n => return Some(format!("{n} cells are not visited")),
        }
        if self.trail.last() != Some(&end) {
            return Some("the path does not end at the end cell".into());
        }
        match self.segments[..] {
            [.., 0] => Some("the path ends with a turn".into()),
            [.., a, b] if a == b => Some(format!("the last two segments are equally long: {a}")),
            _ => None,
        }
    }
}
