//! The verifier: replays moves on a plain board. It shares no code with the rules or the solvers.

use super::instance::Button;
use crate::verdict::{Failure, Verdict};

/// Replays moves from the start of an instance.
pub fn check(button: Button, moves: &[String]) -> Verdict {
    let mut end = button;
    let mut legal = 0;
    let mut failure = None;
    for text in moves {
        let reason = match text.as_str() {
            "press" if !end.pressed => None,
            "press" => Some("the button is down already"),
            _ => Some("the only move is press"),
        };
        if let Some(reason) = reason {
            failure = Some(Failure { at: legal + 1, text: text.clone(), reason: reason.into() });
            break;
        }
        end.pressed = true;
        legal += 1;
    }
    Verdict {
        legal,
        cost: legal as u32,
        failure,
        solved: end.pressed,
        missing: (!end.pressed).then(|| "the button is up".into()),
        end: format!("template:{}", end.id()),
    }
}
