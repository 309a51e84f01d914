//! Estimates for mazes: the course's three, and what the registry says of all.

use novelo_search::{Either, Heuristic, Meter, Promise, Real, Zero};

use super::instance::Maze;
use super::moves::{Move, Way};
use super::rules::{Rules, State, Undo};
use super::turns::Turns;
use crate::formulation::Visitor;
use crate::heuristic::{HeuristicInfo, ZERO, heuristics};
use crate::request::RequestError;

heuristics! {
    visit[const W: usize, V: Visitor](
        name: &str,
        maze: &Maze,
        rules: Rules<W>,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        HeuristicInfo {
            name: "turns",
            parameters: &[],
            about: "The steps left, plus twice a bound on the turns left: the larger of the cells that can only \
                    be passed by turning, after all forced joins of cells are drawn, and the segments that \
                    rows and columns need. Dead ends: a cell that cannot be passed, one that must be joined \
                    three ways, cells that cannot be reached, an end visited too early, and two segments of \
                    length 1 in a row.",
            promise: Promise::ADMISSIBLE,
            why: "The steps left are exact. A turn happens at one cell, so cells that must turn are counted \
                  once each. A run of cells in a row is either touched by a horizontal segment or crossed by \
                  as many vertical ones as it has cells; horizontal and vertical segments alternate.",
        } => visitor.visit(rules, Whole::<W>::First(Turns::new(maze)), meter),
        HeuristicInfo {
            name: "twice-empty",
            parameters: &[],
            about: "Twice the number of empty cells, the end cell excluded. Dead ends: an empty cell other \
                    than the end with fewer than two empty neighbours, the current cell counting as empty.",
            promise: Promise::NONE,
            why: "Not admissible: on a straight corridor, once the direction is chosen, each cell costs 1 and \
                  is estimated at 2. The dead ends are sound: a path enters and leaves every such cell.",
        } => visitor.visit(rules, Whole::<W>::Second(Either::First(CellSum::twice_empty(maze))), meter),
        HeuristicInfo {
            name: "diagonal-weight",
            parameters: &[],
            about: "The sum over empty cells of |row - column|. Dead ends as for twice-empty.",
            promise: Promise::NONE,
            why: "Not admissible: a cell six columns off the diagonal counts 6, but visiting it may cost 1.",
        } => visitor.visit(rules, Whole::<W>::Second(Either::First(CellSum::diagonal_weight(maze))), meter),
        HeuristicInfo {
            name: "inverse-manhattan",
            parameters: &[],
            about: "1 / distance to the end cell in rows and columns, 0 at the end.",
            promise: Promise::CONSISTENT,
            why: "It is never above 1, away from the end at least one step is left, and no move costs less \
                  than 1. It says almost nothing.",
        } => visitor.visit(rules, InverseManhattan::new(maze), meter),
        ZERO => visitor.visit(rules, Whole::<W>::Second(Either::Second(Zero)), meter),
    }
}

/// Those whose values are whole numbers, as one type.
type Whole<const W: usize> = Either<Turns<W>, Either<CellSum, Zero>>;

/// One over the distance to the end.
#[derive(Debug, Clone)]
pub struct InverseManhattan {
    /// By cell.
    table: Vec<Real>,
}

impl InverseManhattan {
    /// For the end of a maze.
    pub fn new(maze: &Maze) -> Self {
        let cols = maze.size.cols;
        let value = |cell: usize| {
            let end = maze.end;
            match (cell / cols).abs_diff(end / cols) + (cell % cols).abs_diff(end % cols) {
                0 => Real::new(0.0),
                distance => Real::new(1.0 / distance as f64),
            }
        };
        Self { table: (0..maze.blocked.len()).map(value).collect() }
    }
}

impl<const W: usize> Heuristic<Rules<W>> for InverseManhattan {
    type Memo = Real;
    type Value = Real;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    #[inline]
    fn memo(&self, _: &Rules<W>, state: &State<W>) -> Option<Real> {
        Some(self.table[state.cell as usize])
    }

    #[inline]
    fn value(&self, memo: &Real) -> Real {
        *memo
    }
}

/// A sum over the empty cells of a weight, with dead ends for trapped cells.
#[derive(Debug, Clone)]
pub struct CellSum {
    /// By cell.
    weights: Vec<u32>,
}

impl CellSum {
    /// Twice the number of empty cells, the end excluded.
    pub fn twice_empty(maze: &Maze) -> Self {
        Self { weights: (0..maze.blocked.len()).map(|cell| if cell == maze.end { 0 } else { 2 }).collect() }
    }

    /// Cells count by their distance from the diagonal.
    pub fn diagonal_weight(maze: &Maze) -> Self {
        let cols = maze.size.cols;
        Self {
            weights: (0..maze.blocked.len()).map(|cell| (cell / cols).abs_diff(cell % cols) as u32).collect(),
        }
    }
}

/// Whether a cell is empty, not the end, and has fewer than two neighbours
/// that are empty or the current cell: no path can enter and leave it.
#[inline]
fn is_trapped<const W: usize>(rules: &Rules<W>, state: &State<W>, cell: u16) -> bool {
    if cell == rules.end() || !state.empty.has(cell as usize) {
        return false;
    }
    let open = |way: &Way| {
        rules.next(cell, *way).is_some_and(|next| next == state.cell || state.empty.has(next as usize))
    };
    Way::ALL.iter().filter(|way| open(way)).count() < 2
}

impl<const W: usize> Heuristic<Rules<W>> for CellSum {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::NONE
    }

    fn memo(&self, rules: &Rules<W>, state: &State<W>) -> Option<u32> {
        let cells = 0..self.weights.len();
        if cells.clone().any(|cell| is_trapped(rules, state, cell as u16)) {
            return None;
        }
        Some(cells.filter(|&cell| state.empty.has(cell)).map(|cell| self.weights[cell]).sum())
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    /// Only the neighbours of the cell that was left can be trapped anew.
    #[inline]
    fn child(
        &self,
        rules: &Rules<W>,
        parent: &u32,
        state: &State<W>,
        &action: &Move,
        undo: &Undo,
    ) -> Option<u32> {
        if matches!(action, Move::Turn(_)) {
            return Some(*parent);
        }
        for way in Way::ALL {
            if rules.next(undo.cell, way).is_some_and(|cell| is_trapped(rules, state, cell)) {
                return None;
            }
        }
        Some(parent - self.weights[state.cell as usize])
    }

    #[inline]
    fn resume(&self, _: &Rules<W>, _: &State<W>, value: u32) -> u32 {
        value
    }
}
