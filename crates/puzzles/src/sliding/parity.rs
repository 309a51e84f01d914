//! Which boards can be turned into which.

use super::instance::Tiles;

/// Why the goal cannot be reached from the start, in a sentence; `None` if it
/// can.
///
/// On a board of at least two rows and columns exactly half of the positions
/// can be reached (Johnson and Story, 1879). Number the tiles by their places
/// in the goal. A horizontal move leaves the order of the tiles, read row by
/// row, as it is; a vertical one carries a tile past `cols - 1` others. So the
/// parity of the inversions, plus the rows between the blank's two places if
/// `cols` is even, never changes, and it is even at the goal. On a single row
/// or column the tiles never pass each other at all.
pub fn unreachable(tiles: &Tiles) -> Option<String> {
    let (rows, cols) = (tiles.size.rows, tiles.size.cols);
    let mut place = vec![0; tiles.goal.len()];
    let order = tiles.goal.iter().filter(|&&tile| tile != 0);
    order.enumerate().for_each(|(i, &tile)| place[tile as usize] = i);
    let places: Vec<usize> = tiles.start.iter().filter(|&&t| t != 0).map(|&t| place[t as usize]).collect();
    if rows == 1 || cols == 1 {
        if places.is_sorted() {
            return None;
        }
        let line = if rows == 1 { "row" } else { "column" };
        return Some(format!(
            "on a single {line} tiles cannot pass each other, and the goal has them in another order"
        ));
    }
    let inversions: usize =
        (0..places.len()).map(|i| places[i + 1..].iter().filter(|&&p| p < places[i]).count()).sum();
    let row = |board: &[u8]| board.iter().position(|&tile| tile == 0).expect("a blank") / cols;
    let (from, to) = (row(&tiles.start), row(&tiles.goal));
    let apart = from.abs_diff(to);
    let found = if inversions == 1 { "1 inversion".into() } else { format!("{inversions} inversions") };
    if cols % 2 == 1 {
        (inversions % 2 == 1).then(|| {
            format!(
                "the start has {found} against the goal, an odd number; with {cols} columns, \
                 an odd number, no move changes whether it is odd, and at the goal there are none"
            )
        })
    } else {
        ((inversions + apart) % 2 == 1).then(|| {
            format!(
                "the start has {found} against the goal and its blank is in row {}, the goal's in \
                 row {}; with {cols} columns, an even number, the inversions plus the rows between stay \
                 odd ({}) whatever is moved, and at the goal they are 0",
                from + 1,
                to + 1,
                inversions + apart,
            )
        })
    }
}
