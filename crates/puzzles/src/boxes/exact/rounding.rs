//! Good sets of boxes of the size asked for.

use super::grid::{Grid, Set};

/// Adds the cheapest open boxes to a set, or drops the dearest, one at a time,
/// until it has a number of boxes.
pub fn to_size(grid: &Grid, mut set: Set, boxes: usize) -> Set {
    let mut size = set.iter().filter(|&&inside| inside).count();
    while size < boxes {
        let open = (0..set.len()).filter(|&cell| !set[cell] && grid.lacks[cell] != 0);
        let cell = open.min_by_key(|&cell| grid.alone(cell, &set)).expect("there are enough open boxes");
        set[cell] = true;
        size += 1;
    }
    while size > boxes {
        let members = (0..set.len()).filter(|&cell| set[cell]);
        let cell = members.max_by_key(|&cell| grid.alone(cell, &set)).expect("the set is not empty");
        set[cell] = false;
        size -= 1;
    }
    set
}

/// Every compact rectangle of open boxes, in every place that has no closed
/// ones: the best there is on an empty board.
pub fn rectangles(grid: &Grid, boxes: usize, mut found: impl FnMut(Set)) {
    let size = grid.size();
    let shapes = (1..=size.rows).map(|rows| (rows, boxes.div_ceil(rows)));
    let shapes: Vec<_> = shapes.filter(|&(_, cols)| cols <= size.cols).collect();
    let least = shapes.iter().map(|(rows, cols)| rows + cols).min().unwrap_or(0);
    for (rows, cols) in shapes.into_iter().filter(|(rows, cols)| rows + cols == least) {
        for (top, left) in places(size.rows - rows, size.cols - cols) {
            let mut set = grid.none();
            let inside = places(rows - 1, cols - 1).map(|(r, c)| (top + r) * size.cols + left + c);
            let open = inside.filter(|&cell| grid.lacks[cell] != 0).take(boxes);
            if open.map(|cell| set[cell] = true).count() == boxes {
                found(set);
            }
        }
    }
}

fn places(rows: usize, cols: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..=rows).flat_map(move |r| (0..=cols).map(move |c| (r, c)))
}
