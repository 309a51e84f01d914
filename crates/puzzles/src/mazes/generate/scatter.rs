//! Boards by blocking cells at random.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::mazes::instance::Maze;
use crate::puzzle::Size;

/// How many blocked cells of each colour of the chessboard leave a board on
/// which a path between the usual corners can alternate: of the start's colour
/// and of the other. `None` if no such numbers make up the total.
pub fn colours(size: Size, blocked: usize) -> Option<(usize, usize)> {
    let maze = Maze::new(size, vec![false; size.rows * size.cols]);
    let cells = maze.blocked.len();
    let like_start = (0..cells).filter(|&cell| colour(size, cell) == colour(size, maze.start)).count();
    let same = usize::from(colour(size, maze.start) == colour(size, maze.end));
    // Of the free cells, as many have the start's colour as the other, or one
    // more if the end has it too.
    (0..=blocked).map(|a| (a, blocked - a)).find(|&(a, b)| {
        a <= like_start && b <= cells - like_start && like_start - a == cells - like_start - b + same
    })
}

fn colour(size: Size, cell: usize) -> usize {
    (cell / size.cols + cell % size.cols) % 2
}

/// A maze with so many blocked cells, balanced between the colours, in which
/// no cell is trapped; `None` if chance did not give one.
pub fn scattered(size: Size, blocked: usize, rng: &mut ChaCha8Rng) -> Option<Maze> {
    let (like_start, unlike) = colours(size, blocked)?;
    let mut maze = Maze::new(size, vec![false; size.rows * size.cols]);
    for (same, count) in [(true, like_start), (false, unlike)] {
        let mut cells: Vec<_> = (0..maze.blocked.len())
            .filter(|&cell| cell != maze.start && cell != maze.end)
            .filter(|&cell| (colour(size, cell) == colour(size, maze.start)) == same)
            .collect();
        if cells.len() < count {
            return None;
        }
        for &cell in cells.partial_shuffle(rng, count).0.iter() {
            maze.blocked[cell] = true;
        }
    }
    let trapped = |cell: &usize| {
        let needs = if *cell == maze.start || *cell == maze.end { 1 } else { 2 };
        !maze.blocked[*cell] && maze.neighbours(*cell).count() < needs
    };
    (!(0..maze.blocked.len()).any(|cell| trapped(&cell))).then_some(maze)
}
