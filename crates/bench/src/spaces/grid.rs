//! Ways across a map of free and blocked cells, in four directions or in eight.

use std::collections::HashMap;

use novelo_search::Problem;
use novelo_search::parts::Random;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    pub x: u16,
    pub y: u16,
}

/// A map: what it costs to enter each cell, 0 for those that are blocked. A border of blocked cells surrounds it, so
/// that every free cell has eight neighbours.
pub struct Map {
    width: u16,
    height: u16,
    cells: Vec<u8>,
    /// Whether every free cell costs 1.
    uniform: bool,
}

impl Map {
    /// A map whose inner cells are free where a function says so.
    fn new(size: u16, mut free: impl FnMut(u16, u16) -> bool) -> Self {
        let inner = 1..size - 1;
        let places = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        let cells = places.map(|(x, y)| (inner.contains(&x) && inner.contains(&y) && free(x, y)).into());
        Self { width: size, height: size, cells: cells.collect(), uniform: true }
    }

    /// Some cells of a hundred blocked at random.
    pub fn scattered(size: u16, blocked: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        Self::new(size, |_, _| random.below(100) >= blocked)
    }

    /// Rooms of 15 by 15 cells with a door two cells wide in most walls.
    pub fn rooms(size: u16, seed: u64) -> Self {
        const ROOM: u16 = 16;
        let mut random = Random::new(seed);
        let mut doors = HashMap::new();
        Self::new(size, |x, y| {
            let (along, upright) = match (x % ROOM, y % ROOM) {
                (0, 0) => return false,
                (0, along) => (along, true),
                (along, 0) => (along, false),
                _ => return true,
            };
            let door = doors.entry((x / ROOM, y / ROOM, upright)).or_insert_with(|| {
                let place = (random.below(100) < 85).then(|| 1 + random.below(14) as u16);
                place.map_or(0..0, |place| place..place + 2)
            });
            door.contains(&along)
        })
    }

    /// The same map with random costs from 1 to `most`.
    pub fn with_costs(mut self, most: u8, seed: u64) -> Self {
        let mut random = Random::new(seed);
        for cell in self.cells.iter_mut().filter(|cell| **cell != 0) {
            *cell = 1 + random.below(most.into()) as u8;
        }
        self.uniform = false;
        self
    }

    #[inline]
    fn place(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// What it costs to enter a cell; 0 if it is blocked.
    #[inline]
    pub fn entry(&self, cell: Cell) -> u8 {
        self.cells[self.place(cell)]
    }

    /// A cell near the first corner and one near the last, both free.
    pub fn corners(&self) -> (Cell, Cell) {
        let free_from = |mut cell: Cell| {
            while self.entry(cell) == 0 {
                cell.x += 1;
            }
            cell
        };
        let far = Cell { x: self.width - 12, y: self.height - 12 };
        (free_from(Cell { x: 10, y: 10 }), free_from(far))
    }
}

/// Clockwise from north, the straight ones even, the diagonal ones odd.
pub type Direction = u8;

const STEPS: [(i16, i16); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

#[inline]
fn opposite(direction: Direction) -> Direction {
    direction ^ 4
}

/// The cell a step leads to.
#[inline]
pub fn neighbour(cell: Cell, direction: Direction) -> Cell {
    let (dx, dy) = STEPS[direction as usize % 8];
    Cell { x: cell.x.wrapping_add_signed(dx), y: cell.y.wrapping_add_signed(dy) }
}

/// A set of directions, a bit each, taken out one by one.
#[derive(Clone)]
pub struct Directions(u8);

impl Iterator for Directions {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        let first = (self.0 != 0).then(|| self.0.trailing_zeros() as Direction)?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

/// The way from one cell of a map to another. In four directions a step costs what the cell it enters says; with
/// diagonals it costs 10, or 14 for a diagonal one.
pub struct Way<'m, const DIAGONAL: bool> {
    map: &'m Map,
    pub from: Cell,
    pub to: Cell,
}

impl<'m, const DIAGONAL: bool> Way<'m, DIAGONAL> {
    const STRAIGHT: u32 = 10;
    const SLANTED: u32 = 14;

    pub fn new(map: &'m Map, (from, to): (Cell, Cell)) -> Self {
        Self { map, from, to }
    }

    /// The directions that are free. A diagonal step needs both straight ones beside it.
    #[inline]
    pub fn free(&self, cell: Cell) -> Directions {
        let (at, width) = (self.map.place(cell), self.map.width as usize);
        let three = |from: usize| -> [bool; 3] {
            let cells: [u8; 3] = self.map.cells[from..from + 3].try_into().expect("three");
            cells.map(|cost| cost != 0)
        };
        let [north_west, north, north_east] = three(at - width - 1);
        let [west, _, east] = three(at - 1);
        let [south_west, south, south_east] = three(at + width - 1);
        let bit = |free: bool, direction: Direction| u8::from(free) << direction;
        let straight = bit(north, 0) | bit(east, 2) | bit(south, 4) | bit(west, 6);
        if !DIAGONAL {
            return Directions(straight);
        }
        let diagonal = bit(north_east, 1) | bit(south_east, 3) | bit(south_west, 5) | bit(north_west, 7);
        Directions(straight | diagonal & straight.rotate_left(1) & straight.rotate_right(1))
    }

    /// What a step costs.
    #[inline]
    pub fn cost(&self, direction: Direction, into: Cell) -> u32 {
        if !DIAGONAL {
            self.map.entry(into).into()
        } else if direction.is_multiple_of(2) {
            Self::STRAIGHT
        } else {
            Self::SLANTED
        }
    }

    /// The cost of the way were no cell blocked, and every one cost 1 in four directions.
    #[inline]
    pub fn estimate(&self, cell: Cell) -> u32 {
        let (dx, dy) = (u32::from(cell.x.abs_diff(self.to.x)), u32::from(cell.y.abs_diff(self.to.y)));
        if DIAGONAL { Self::STRAIGHT * dx.abs_diff(dy) + Self::SLANTED * dx.min(dy) } else { dx + dy }
    }
}

impl<const DIAGONAL: bool> Problem for Way<'_, DIAGONAL> {
    type State = Cell;
    type Action = Direction;
    type Undo = ();
    type Cost = u32;

    const BACK: Option<()> = Some(());

    fn start(&self) -> Cell {
        self.from
    }

    #[inline]
    fn is_goal(&self, cell: &Cell) -> bool {
        *cell == self.to
    }

    #[inline]
    fn actions(&self, cell: &Cell, out: &mut Vec<Direction>) {
        out.extend(self.free(*cell));
    }

    #[inline]
    fn actions_after(&self, cell: &Cell, previous: &Direction, out: &mut Vec<Direction>) -> usize {
        // The way back is free: a step can be taken in both directions.
        out.extend(Directions(self.free(*cell).0 & !(1 << opposite(*previous))));
        1
    }

    #[inline]
    fn reverses(&self, direction: &Direction, previous: &Direction) -> bool {
        *direction == opposite(*previous)
    }

    #[inline]
    fn apply(&self, cell: &mut Cell, direction: Direction) -> (u32, ()) {
        *cell = neighbour(*cell, direction);
        (self.cost(direction, *cell), ())
    }

    #[inline]
    fn undo(&self, cell: &mut Cell, direction: Direction, (): ()) {
        *cell = neighbour(*cell, opposite(direction));
    }

    fn unit_cost(&self) -> bool {
        !DIAGONAL && self.map.uniform
    }
}
