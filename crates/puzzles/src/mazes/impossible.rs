//! Reasons that a maze has no solution, seen before any search.

use super::instance::Maze;

/// Why no path can exist, if one of the simple reasons holds.
pub fn impossible(maze: &Maze) -> Option<String> {
    let free = maze.free();
    let place =
        |cell: usize| format!("row {}, column {}", cell / maze.size.cols + 1, cell % maze.size.cols + 1);
    if maze.blocked[maze.end] {
        return Some("the end cell is blocked".into());
    }
    if maze.start == maze.end && free > 1 {
        return Some("the path starts at its end, but there are other cells to visit".into());
    }
    let mut reached = vec![false; maze.blocked.len()];
    reached[maze.start] = true;
    let mut queue = vec![maze.start];
    while let Some(cell) = queue.pop() {
        for next in maze.neighbours(cell) {
            if !std::mem::replace(&mut reached[next], true) {
                queue.push(next);
            }
        }
    }
    if let Some(cell) = (0..reached.len()).find(|&cell| !maze.blocked[cell] && !reached[cell]) {
        return Some(format!("{} cannot be reached from the start", place(cell)));
    }
    // Every step goes from one colour of the chessboard to the other.
    let colour = |cell: usize| (cell / maze.size.cols + cell % maze.size.cols) % 2;
    let like_start =
        (0..reached.len()).filter(|&c| !maze.blocked[c] && colour(c) == colour(maze.start)).count();
    let alternating = free - like_start + usize::from(colour(maze.start) == colour(maze.end));
    (like_start != alternating).then(|| {
        format!(
            "on a chessboard {like_start} free cells have the start's colour and {} the other; a path \
             alternates between them, so it cannot visit all and end at {}",
            free - like_start,
            place(maze.end)
        )
    })
}
