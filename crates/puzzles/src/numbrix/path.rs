//! Random paths through every cell of a grid, by backbite moves.

use rand::{Rng, RngExt};

use crate::puzzle::Size;

/// Moves made for each cell. Mixing needs a number that grows with the board;
/// ten for each cell leave no trace of the first path (Oberdorf, Ferguson,
/// Jacobsen and Kondev, 2006).
const MOVES: usize = 10;

/// A random path through every cell, as cells in order.
///
/// A backbite move joins an end of the path to a neighbour that lies elsewhere
/// on the path, and cuts the loop open on the other side of that neighbour:
/// the stretch between is turned around.
pub fn random(size: Size, rng: &mut impl Rng) -> Vec<u16> {
    let (rows, cols) = (size.rows, size.cols);
    let count = rows * cols;
    let snake = |i: usize| {
        let (row, col) = (i / cols, i % cols);
        row * cols + if row % 2 == 0 { col } else { cols - 1 - col }
    };
    let mut path: Vec<u16> = (0..count).map(|i| snake(i) as u16).collect();
    let mut place = vec![0; count];
    path.iter().enumerate().for_each(|(i, &cell)| place[cell as usize] = i);
    let turn = |path: &mut [u16], place: &mut [usize], from: usize, to: usize| {
        path[from..to].reverse();
        (from..to).for_each(|i| place[path[i] as usize] = i);
    };
    for _ in 0..MOVES * count {
        let at_end = rng.random_bool(0.5);
        let end = if at_end { path[count - 1] } else { path[0] } as usize;
        let (row, col) = (end / cols, end % cols);
        let neighbour = match rng.random_range(0..4) {
            0 if row > 0 => end - cols,
            1 if row + 1 < rows => end + cols,
            2 if col > 0 => end - 1,
            3 if col + 1 < cols => end + 1,
            _ => continue,
        };
        let i = place[neighbour];
        if at_end {
            turn(&mut path, &mut place, i + 1, count);
        } else {
            turn(&mut path, &mut place, 0, i);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn every_path_visits_every_cell() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for (rows, cols) in [(1, 1), (1, 6), (5, 1), (2, 2), (3, 7), (10, 10), (20, 15)] {
            let path = random(Size { rows, cols }, &mut rng);
            let mut cells = path.clone();
            cells.sort_unstable();
            assert!(cells.iter().enumerate().all(|(i, &cell)| i == cell as usize));
            assert_eq!(cells.len(), rows * cols);
            let near = |pair: &[u16]| {
                let [(ra, ca), (rb, cb)] = [pair[0], pair[1]].map(|c| (c as usize / cols, c as usize % cols));
                ra.abs_diff(rb) + ca.abs_diff(cb) == 1
            };
            assert!(path.windows(2).all(near));
        }
    }
}
