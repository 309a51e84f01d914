//! Boards by a path that is grown: what it does not cover is blocked.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::mazes::instance::Maze;
use crate::mazes::moves::Way;
use crate::puzzle::Size;

/// Attempts to bulge the path per cell of the board.
const PATIENCE: usize = 200;
/// Pairs of cells that could not be freed before a maze is given up.
const GIVE_UP: usize = 60;

/// A maze with a solution in which at least so many cells are blocked, and
/// often no more.
pub fn grown(size: Size, blocked: usize, rng: &mut ChaCha8Rng) -> Maze {
    let path = grow(size, size.rows * size.cols - blocked, rng);
    Maze::new(size, cover(&path, size).iter().map(|&covered| !covered).collect())
}

/// Frees blocked cells two by two, while the maze stays solvable, until so many
/// are left; `None` if chance did not find the way there.
pub fn freed(
    mut maze: Maze,
    blocked: usize,
    rng: &mut ChaCha8Rng,
    solvable: impl Fn(&Maze) -> bool,
) -> Option<Maze> {
    let mut walls: Vec<_> = (0..maze.blocked.len()).filter(|&cell| maze.blocked[cell]).collect();
    let mut failures = 0;
    while walls.len() > blocked {
        if failures == GIVE_UP {
            return None;
        }
        // Two neighbours have both colours, so the balance is kept.
        let first = rng.random_range(0..walls.len());
        let near = |&other: &usize| Way::ALL.iter().any(|&way| maze.next(walls[first], way) == Some(other));
        let beside: Vec<_> = (0..walls.len()).filter(|&i| near(&walls[i])).collect();
        if beside.is_empty() {
            failures += 1;
            continue;
        }
        let second = beside[rng.random_range(0..beside.len())];
        let pair = [walls[first], walls[second]];
        for cell in pair {
            maze.blocked[cell] = false;
        }
        if solvable(&maze) {
            walls.retain(|cell| !pair.contains(cell));
            failures = 0;
        } else {
            for cell in pair {
                maze.blocked[cell] = true;
            }
            failures += 1;
        }
    }
    Some(maze)
}

type Cell = (usize, usize);

/// A random path from bottom left to top right that keeps the rule of unequal
/// lengths and covers much of the board, but at most so many cells.
fn grow(size: Size, most: usize, rng: &mut ChaCha8Rng) -> Vec<Cell> {
    let mut path = seed(size, rng);
    let mut used = cover(&path, size);
    for _ in 0..PATIENCE * used.len() {
        if path.len() == most {
            break;
        }
        if let Some(longer) = bulge(&path, &used, size, rng).filter(|longer| longer.len() <= most) {
            path = longer;
            used = cover(&path, size);
        }
    }
    path
}

/// Which cells a path covers.
fn cover(path: &[Cell], size: Size) -> Vec<bool> {
    let mut covered = vec![false; size.rows * size.cols];
    for &(row, col) in path {
        covered[row * size.cols + col] = true;
    }
    covered
}

/// A path with at most three segments to begin with.
fn seed(size: Size, rng: &mut ChaCha8Rng) -> Vec<Cell> {
    let (up, right) = (size.rows - 1, size.cols - 1);
    let mut path = Vec::new();
    if up != right || up == 0 {
        if rng.random_bool(0.5) {
            path.extend((0..up).map(|i| (up - i, 0)));
            path.extend((0..=right).map(|col| (0, col)));
        } else {
            path.extend((0..right).map(|col| (up, col)));
            path.extend((0..=up).map(|i| (up - i, right)));
        }
        return path;
    }
    // On a square the two sides are equal; one step short of the corner they
    // are not.
    let turned = rng.random_bool(0.5);
    path.extend((1..=up).rev().map(|row| (row, 0)));
    path.extend((1..=right).map(|col| (1, col)));
    path.push((0, right));
    if turned { path.iter().rev().map(|&(row, col)| (up - row, right - col)).collect() } else { path }
}

/// Pushes a straight part of the path out sideways, if the cells are unused
/// and the lengths still differ.
fn bulge(path: &[Cell], used: &[bool], size: Size, rng: &mut ChaCha8Rng) -> Option<Vec<Cell>> {
    let from = rng.random_range(0..path.len() - 1);
    let step = difference(path[from], path[from + 1]);
    let longest = path[from..].windows(2).take_while(|pair| difference(pair[0], pair[1]) == step).count();
    let width = rng.random_range(1..=longest);
    let deepest = if rng.random_bool(0.7) { 3 } else { size.rows.max(size.cols) };
    let depth = rng.random_range(1..=deepest) as isize;
    let side = if rng.random_bool(0.5) { 1 } else { -1 };
    let moved = |(row, col): Cell, by: isize| {
        let row = row.checked_add_signed(step.1 * side * by).filter(|&row| row < size.rows)?;
        let col = col.checked_add_signed(step.0 * side * by).filter(|&col| col < size.cols)?;
        (!used[row * size.cols + col]).then_some((row, col))
    };
    let to = from + width;
    let out = (1..=depth).map(|by| moved(path[from], by));
    let over = path[from + 1..to].iter().map(|&cell| moved(cell, depth));
    let back = (1..=depth).rev().map(|by| moved(path[to], by));
    let detour: Vec<Cell> = out.chain(over).chain(back).collect::<Option<_>>()?;
    let longer = [&path[..=from], &detour, &path[to..]].concat();
    unequal(&longer).then_some(longer)
}

fn difference(a: Cell, b: Cell) -> (isize, isize) {
    (b.0 as isize - a.0 as isize, b.1 as isize - a.1 as isize)
}

/// Whether no two consecutive segments of a path have the same length.
fn unequal(path: &[Cell]) -> bool {
    let mut lengths: [usize; 2] = [0, 0];
    let mut upright = None;
    for pair in path.windows(2) {
        let vertical = pair[0].1 == pair[1].1;
        if upright == Some(vertical) {
            lengths[1] += 1;
        } else {
            if lengths[0] == lengths[1] && upright.is_some() {
                return false;
            }
            lengths = [lengths[1], 1];
            upright = Some(vertical);
        }
    }
    lengths[0] != lengths[1]
}
