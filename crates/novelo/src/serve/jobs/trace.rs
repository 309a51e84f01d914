//! The tree of a small search, with the board of every node.

use std::sync::atomic::Ordering;

use novelo_puzzles::session::{Game, Played, View};
use novelo_puzzles::trace::{Trace, trace};
use novelo_puzzles::{Instance, Report};
use serde::Serialize;

use super::job::Job;
use super::order::Runner;
use super::queue::Task;
use super::solve::{json, report};
use crate::serve::views::Frame;

#[derive(Serialize)]
struct Traced {
    kind: &'static str,
    trace: Trace,
    boards: Boards,
    report: Report,
}

/// The boards of a tree's nodes, as what changes from each to the next.
#[derive(Serialize)]
struct Boards {
    start: View,
    /// What each node's move changes on its parent's board; null where that is not known: below the goal of a search
    /// from both ends, and where the drawing was given up.
    frames: Vec<Option<Frame>>,
}

/// The task of drawing the first `most` nodes of a search.
pub fn task(runner: Runner, most: usize) -> Task {
    let work = move |job: &Job| {
        let (attempt, trace) = trace(&*runner.instance, &runner.request, most, job.cancelled())?;
        let report = report(&runner, attempt)?;
        let boards = boards(&*runner.instance, &trace, || job.cancelled().load(Ordering::Relaxed));
        Ok(json(&Traced { kind: "trace", trace, boards, report }))
    };
    Task { kind: "trace", runs: Vec::new(), work: Box::new(work) }
}

/// A board without what only a player needs.
fn bare(game: &dyn Game) -> View {
    let mut view = game.view();
    for cell in &mut view.cells {
        (cell.last, cell.play) = (false, None);
    }
    for arc in &mut view.arcs {
        (arc.last, arc.play) = (false, String::new());
    }
    view
}

/// Plays to every node, on from its parent where that was the node before it, else from the start.
fn boards(instance: &dyn Instance, trace: &Trace, cancelled: impl Fn() -> bool) -> Boards {
    let mut game = instance.game();
    let start = bare(&*game);
    let mut views: Vec<Option<View>> = Vec::with_capacity(trace.nodes.len());
    let mut frames = Vec::with_capacity(trace.nodes.len());
    let mut latest = None;
    for (number, node) in (0..).zip(&trace.nodes) {
        let view = match node.parent {
            _ if node.backward || cancelled() => None,
            None => {
                game = instance.game();
                Some(start.clone())
            }
            Some(parent) => {
                let moves = if latest == Some(parent) {
                    node.action.iter().cloned().collect()
                } else {
                    game = instance.game();
                    trace.moves_to(number)
                };
                let made = game.continuation(moves);
                let legal = made.iter().all(|made| matches!(game.play(made), Ok(Played::Made(_))));
                legal.then(|| bare(&*game))
            }
        };
        latest = view.is_some().then_some(number);
        let before = node.parent.map_or(Some(&start), |parent| views[parent as usize].as_ref());
        frames.push(view.as_ref().zip(before).map(|(view, before)| Frame::between(before, view)));
        views.push(view);
    }
    Boards { start, frames }
}
