//! The verifier: replays flips on a plain list. It shares no code with the rules or the solvers.

use super::instance::Stack;
use crate::verdict::{Failure, Verdict};

/// Replays moves from the start of an instance.
pub fn check(stack: &Stack, moves: &[String]) -> Verdict {
    let mut list = stack.pancakes.clone();
    let (mut legal, mut cost) = (0, 0);
    let mut failure = None;
    for text in moves {
        match turned(text, list.len()) {
            Ok(turned) => {
                let top: Vec<u8> = list.drain(..turned).collect();
                for pancake in top {
                    list.insert(0, pancake);
                }
                legal += 1;
                cost += if stack.weighted { turned as u32 } else { 1 };
            }
            Err(reason) => {
                failure = Some(Failure { at: legal + 1, text: text.clone(), reason });
                break;
            }
        }
    }
    let misplaced = list.iter().zip(1..).filter(|&(&pancake, place)| pancake != place).count();
    Verdict {
        legal,
        cost,
        failure,
        solved: misplaced == 0,
        missing: (misplaced > 0).then(|| format!("{misplaced} pancakes are not in their places")),
        end: format!("pancake:{}", Stack { pancakes: list, ..stack.clone() }.id()),
    }
}

/// How many pancakes a move turns, or why it cannot be made.
fn turned(text: &str, size: usize) -> Result<usize, String> {
    match text.parse::<usize>() {
        Err(_) => Err("a move is the number of pancakes that are flipped".into()),
        Ok(0 | 1) => Err("a flip turns two pancakes at least".into()),
        Ok(turned) if turned > size => Err(format!("there are only {size} pancakes")),
        Ok(turned) => Ok(turned),
    }
}
