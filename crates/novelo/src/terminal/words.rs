//! What the game says.

use novelo_puzzles::Puzzle;
use novelo_puzzles::session::{Hint, Snapshot};

/// While the clock stands still.
pub const PAUSED: &str = "Paused: p goes on.";
/// Before a game that was begun is left.
pub const ANOTHER: &str = "Leave this game for a new one? n again does, anything else goes on.";

/// As soon as it is known, for who wants to be told.
pub const LOST: &str = "Lost: from here the game can no longer be won. u takes back, h says how far.";
/// After a check, which has no price.
pub const FREE: &str = "A check is free.";

/// Whether lost games are told at once.
pub fn telling(tells: bool) -> &'static str {
    if tells { "A lost game is told at once from now on." } else { "Lost games are no longer told at once." }
}

/// With a capital letter at the beginning and a full stop at the end.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).chain(['.']).collect())
}

/// A hint in words, for a game of a puzzle.
pub fn hint(hint: &Hint, puzzle: &dyn Puzzle) -> String {
    match hint {
        Hint::Play { play: made, left, proved, .. } => {
            let moves = if *left == 1 { "the last move".into() } else { format!("{left} moves to go") };
            let doubt = if *proved { "" } else { ", not proved to be the fewest" };
            format!("Hint: {} ({moves}{doubt}).", puzzle.words(made))
        }
        Hint::TakeBack { moves: 1 } => "Hint: nothing leads on from here; take 1 move back (u).".into(),
        Hint::TakeBack { moves } => {
            format!("Hint: nothing leads on from here; take {moves} moves back (u).")
        }
        Hint::Hopeless => "This board has no solution, whatever is played.".into(),
        Hint::Won => "The game is won: n starts another.".into(),
        Hint::Unknown { stop } => format!("No answer was found within the limit of {stop}."),
    }
}

/// The end of a game that is won.
pub fn won(snapshot: &Snapshot) -> String {
    match snapshot.score {
        Some(score) => format!("Won, with a score of {score}!"),
        None => "Solved by the solver.".into(),
    }
}

/// A place among the best scores.
pub fn place(place: Option<usize>) -> String {
    match place {
        None => String::new(),
        Some(1) => " The best score yet!".into(),
        Some(place) => format!(" Number {place} of the best."),
    }
}

/// A solution being played.
pub fn show(held: bool) -> String {
    let space = if held { "space goes on" } else { "space holds" };
    format!("The solution: {space}, + and - change the pace.")
}

/// A time as minutes and seconds.
pub fn clock(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
