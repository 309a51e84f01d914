//! The rules as a search problem: turn, then step on.

use crate::Cost;
use novelo_search::Problem;

use super::instance::Maze;
use super::moves::{Move, Order, Way};
use crate::bits::Bits;

/// What a step costs.
pub const STEP: Cost = 1;
/// What a turn costs, the first one included.
pub const TURN: Cost = 2;

/// No cell: off the board, or blocked.
const NOWHERE: u16 = u16::MAX;

/// Where a walk has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State<const W: usize> {
    /// The free cells not visited.
    pub empty: Bits<W>,
    /// The current cell.
    pub cell: u16,
    /// How many free cells are not visited.
    pub left: u16,
    /// The direction walked; none before the first turn.
    pub facing: Option<Way>,
    /// Steps of the current segment.
    pub length: u8,
    /// Steps of the segment before it; 0 if there is none.
    pub previous: u8,
}

novelo_search::wire_fields!([const W: usize] State<W> {
    empty: Bits<W>,
    cell: u16,
    left: u16,
    facing: Option<Way>,
    length: u8,
    previous: u8,
});

impl<const W: usize> State<W> {
    /// Whether the current segment may end here.
    #[inline]
    pub fn may_turn(&self) -> bool {
        self.length != 0 && self.length != self.previous
    }
}

/// What a move overwrites.
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    facing: Option<Way>,
    previous: u8,
    /// The cell that was left.
    pub cell: u16,
}

/// A maze on boards of up to 64·W cells.
#[derive(Debug, Clone)]
pub struct Rules<const W: usize> {
    start: State<W>,
    end: u16,
    /// By cell and direction.
    next: Vec<[u16; 4]>,
    /// In which order actions are tried, if not in the usual one.
    order: Option<Order>,
}

impl<const W: usize> Rules<W> {
    /// The rules for a maze, starting where its walk has come to.
    pub fn new(maze: &Maze) -> Self {
        let cells = maze.blocked.len();
        let next = |cell| {
            Way::ALL.map(|way| match maze.next(cell, way) {
                Some(next) if !maze.blocked[next] => next as u16,
                _ => NOWHERE,
            })
        };
        let mut empty: Bits<W> = (0..cells).filter(|&cell| !maze.blocked[cell]).collect();
        empty.remove(maze.start);
        let start = State {
            empty,
            cell: maze.start as u16,
            left: empty.count() as u16,
            facing: None,
            length: 0,
            previous: 0,
        };
        let mut rules =
            Self { start, end: maze.end as u16, next: (0..cells).map(next).collect(), order: None };
        for &made in &maze.walked {
            let mut state = rules.start;
            rules.apply(&mut state, made);
            rules.start = state;
        }
        rules
    }

    /// The same rules, with actions tried in an order.
    #[must_use]
    pub fn ordered(self, order: Option<Order>) -> Self {
        Self { order, ..self }
    }

    /// The cell where the path must end.
    #[inline]
    pub fn end(&self) -> u16 {
        self.end
    }

    /// The free cell next to another, if there is one.
    #[inline]
    pub fn next(&self, cell: u16, way: Way) -> Option<u16> {
        let next = self.next[cell as usize][way as usize];
        (next != NOWHERE).then_some(next)
    }
}

impl<const W: usize> Problem for Rules<W> {
    type State = State<W>;
    type Action = Move;
    type Undo = Undo;
    type Cost = Cost;

    /// Each walk is a node. Two walks can cover the same cells and end alike;
    /// they are not merged, as in the course's formulation, whose counts this
    /// one reproduces.
    const TREE: bool = true;

    fn start(&self) -> State<W> {
        self.start
    }

    #[inline]
    fn is_goal(&self, state: &State<W>) -> bool {
        state.left == 0 && state.cell == self.end && (state.facing.is_none() || state.may_turn())
    }

    #[inline]
    fn actions(&self, state: &State<W>, out: &mut Vec<Move>) {
        let first = out.len();
        if let Some(facing) = state.facing {
            if let Some(next) = self.next(state.cell, facing)
                && state.empty.has(next as usize)
            {
                out.push(Move::Step(facing));
            }
            if state.may_turn() {
                out.extend_from_slice(&facing.across().map(Move::Turn));
            }
        } else {
            out.extend(Way::ALL.map(Move::Turn));
        }
        if let Some(order) = self.order {
            out[first..].sort_unstable_by_key(|&made| order.place(made));
        }
    }

    #[inline]
    fn apply(&self, state: &mut State<W>, action: Move) -> (Cost, Undo) {
        let undo = Undo { facing: state.facing, previous: state.previous, cell: state.cell };
        match action {
            Move::Step(way) => {
                state.cell = self.next[state.cell as usize][way as usize];
                state.empty.remove(state.cell as usize);
                state.left -= 1;
                state.length += 1;
                (STEP, undo)
            }
            Move::Turn(way) => {
                state.facing = Some(way);
                state.previous = state.length;
                state.length = 0;
                (TURN, undo)
            }
        }
    }

    #[inline]
    fn undo(&self, state: &mut State<W>, action: Move, undo: Undo) {
        match action {
            Move::Step(_) => {
                state.empty.insert(state.cell as usize);
                state.cell = undo.cell;
                state.left += 1;
                state.length -= 1;
            }
            Move::Turn(_) => {
                state.length = state.previous;
                state.previous = undo.previous;
                state.facing = undo.facing;
            }
        }
    }
}

impl<const W: usize> crate::formulation::Rules for Rules<W> {
    fn written(&self, made: Move) -> String {
        made.to_string()
    }
}
