//! The 2x2x2 cube, one corner held fast: three faces turn, by one, two or three quarters.

use std::cell::Cell;

use novelo_search::parts::Random;
use novelo_search::{Algorithm, Problem, Reversible, Search};
use pathfinding::prelude::bfs_bidirectional;

use super::{Total, row};

/// The seven corners that move, a byte each: three times its number, plus its twist.
type State = u64;

const SOLVED: State = 0x12_0F_0C_09_06_03_00;

/// Where each place takes its corner from, and how far that is twisted on the way.
type Turn = [(u8, u8); 7];

struct Cube {
    start: State,
    turns: [Turn; 9],
    /// Every corner, twisted by so much.
    twisted: [[u8; 32]; 3],
}

/// The places that a face's corners go through, and their twists on leaving each. Places: 0 URF, 1 UFL, 2 ULB, 3 UBR,
/// 4 DFR, 5 DRB, 6 DLF; DBL stays.
const CYCLES: [([usize; 4], [u8; 4]); 3] =
    [([0, 1, 2, 3], [0, 0, 0, 0]), ([0, 3, 5, 4], [1, 2, 1, 2]), ([0, 4, 6, 1], [2, 1, 2, 1])];

impl Cube {
    fn solved() -> Self {
        let still: Turn = std::array::from_fn(|place| (place as u8, 0));
        let mut turns = [still; 9];
        for (face, (cycle, twists)) in CYCLES.iter().enumerate() {
            let mut quarter = still;
            for i in 0..4 {
                quarter[cycle[(i + 1) % 4]] = (cycle[i] as u8, twists[i]);
            }
            let mut turn = still;
            for quarters in 0..3 {
                turn = quarter.map(|(from, twist)| {
                    let (first, before) = turn[from as usize];
                    (first, (before + twist) % 3)
                });
                turns[3 * face + quarters] = turn;
            }
        }
        let twisted = std::array::from_fn(|twist| {
            std::array::from_fn(|corner| (corner / 3 * 3 + (corner % 3 + twist) % 3) as u8)
        });
        Self { start: SOLVED, turns, twisted }
    }

    /// A cube after sixty random turns.
    fn scrambled(random: &mut Random) -> Self {
        let mut cube = Self::solved();
        for _ in 0..60 {
            cube.start = cube.turned(cube.start, random.below(9) as u8);
        }
        cube
    }

    #[inline]
    fn turned(&self, state: State, turn: u8) -> State {
        let mut next = 0;
        for (place, &(from, twist)) in self.turns[turn as usize % 9].iter().enumerate() {
            let corner = (state >> (8 * from)) as u8 % 32;
            next |= u64::from(self.twisted[twist as usize % 3][corner as usize]) << (8 * place);
        }
        next
    }
}

/// The turn that takes another back.
#[inline]
fn inverse(turn: u8) -> u8 {
    turn / 3 * 3 + (2 - turn % 3)
}

impl Problem for Cube {
    type State = State;
    type Action = u8;
    type Undo = ();
    type Cost = u32;

    const BACK: Option<()> = Some(());

    fn start(&self) -> State {
        self.start
    }

    #[inline]
    fn is_goal(&self, state: &State) -> bool {
        *state == SOLVED
    }

    #[inline]
    fn actions(&self, _: &State, out: &mut Vec<u8>) {
        out.extend(0..9);
    }

    #[inline]
    fn apply(&self, state: &mut State, turn: u8) -> (u32, ()) {
        *state = self.turned(*state, turn);
        (1, ())
    }

    #[inline]
    fn undo(&self, state: &mut State, turn: u8, (): ()) {
        *state = self.turned(*state, inverse(turn));
    }

    #[inline]
    fn reverses(&self, turn: &u8, previous: &u8) -> bool {
        *turn == inverse(*previous)
    }

    fn unit_cost(&self) -> bool {
        true
    }
}

impl Reversible for Cube {
    fn goals(&self) -> Vec<State> {
        vec![SOLVED]
    }

    #[inline]
    fn actions_into(&self, _: &State, out: &mut Vec<u8>) {
        out.extend(0..9);
    }

    #[inline]
    fn retract(&self, state: &mut State, turn: u8) -> u32 {
        *state = self.turned(*state, inverse(turn));
        1
    }
}

fn novelo(cube: &Cube) -> Total {
    let outcome = Search::new(cube).run_reversible(Algorithm::Bidirectional).expect("nothing more is needed");
    Total::of(&outcome)
}

fn pathfinding(cube: &Cube) -> Total {
    let expanded = Cell::new(0);
    let next = |&state: &State| {
        expanded.set(expanded.get() + 1);
        (0..9).map(move |turn| cube.turned(state, turn))
    };
    let path = bfs_bidirectional(&cube.start, &SOLVED, next, next).expect("solvable");
    Total { cost: path.len() as u64 - 1, expanded: expanded.get() }
}

/// Forty scrambled cubes, searched from both ends.
pub fn rows() {
    let mut random = Random::new(5);
    let cubes: Vec<_> = (0..40).map(|_| Cube::scrambled(&mut random)).collect();
    row(
        "cube 2x2x2",
        Algorithm::Bidirectional.name(),
        || cubes.iter().map(novelo).sum(),
        || cubes.iter().map(pathfinding).sum(),
        None,
    );
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The known numbers of positions at each distance.
    #[test]
    fn positions_by_distance() {
        let cube = Cube::solved();
        let (mut met, mut layer) = (HashSet::from([SOLVED]), vec![SOLVED]);
        for positions in [1, 9, 54, 321, 1847, 9992, 50136] {
            assert_eq!(layer.len(), positions);
            let next = layer.iter().flat_map(|&state| (0..9).map(move |turn| (state, turn)));
            layer = next.map(|(state, turn)| cube.turned(state, turn)).filter(|&s| met.insert(s)).collect();
        }
    }
}
