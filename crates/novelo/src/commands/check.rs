//! `novelo check`

use serde_json::json;

use super::{number_of_moves, print};
use crate::cli::Check;
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{solution, source};

/// Replays a solution and says what it is worth.
pub fn run(options: &Check) -> Result<Code, UserError> {
    let reading = &options.reading;
    let named = source::read_one(&options.instance, reading.puzzle, reading.goal.as_deref())?;
    let instance = &*named.instance;
    let moves = solution::read(&options.solution, instance)?;
    let verdict = instance.check(&moves);
    let text = if options.json {
        let failure = verdict.failure.as_ref();
        let line = json!({
            "puzzle": instance.puzzle().info().name,
            "instance": instance.id(),
            "legal": failure.is_none(),
            "solved": verdict.is_solution(),
            "cost": verdict.cost,
            "depth": verdict.legal,
            "fails_at": failure.map(|failure| failure.at),
            "move": failure.map(|failure| &failure.text),
            "reason": failure.map(|failure| &failure.reason).or(verdict.missing.as_ref()),
            "final": verdict.end,
        });
        format!("{line}\n")
    } else {
        let legal = number_of_moves(verdict.legal);
        match (&verdict.failure, &verdict.missing) {
            (Some(failure), _) => format!(
                "not legal: move {} of {}, {}: {}\nbefore it {}, cost {}\n",
                failure.at,
                moves.len(),
                failure.text,
                failure.reason,
                legal,
                verdict.cost
            ),
            (None, None) => {
                format!("legal, and ends at the goal: {legal}, cost {}\n", verdict.cost)
            }
            (None, Some(missing)) => format!(
                "legal, but does not end at the goal: {missing}\n{legal}, cost {}, ending at {}\n",
                verdict.cost, verdict.end
            ),
        }
    };
    print(&text)?;
    Ok(if verdict.is_solution() { Code::Success } else { Code::NoSolution })
}
