use novelo_search::{Algorithm, Promise, Search, from_successors};

/// The cheapest way between two corners of a map, of `.` for free and `@` for blocked cells, in the format of the public
/// grid benchmarks. Straight steps cost 10, diagonal ones 14, and do not cut corners.
fn main() {
    let file = std::env::args().nth(1);
    let file = file.unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/rooms.map").into());
    let text = std::fs::read_to_string(file).expect("a map");
    let map: Vec<&[u8]> = text.lines().skip_while(|&line| line != "map").skip(1).map(str::as_bytes).collect();
    let (width, height) = (map[0].len() as i32, map.len() as i32);
    let free = |x: i32, y: i32| {
        (0..width).contains(&x) && (0..height).contains(&y) && map[y as usize][x as usize] == b'.'
    };
    let goal = (width - 2, height - 2);
    let grid = from_successors(
        (1, 1),
        |&(x, y)| {
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
            let open =
                around.filter(move |&(dx, dy)| free(x + dx, y) && free(x, y + dy) && free(x + dx, y + dy));
            open.map(move |(dx, dy)| ((dx, dy), (x + dx, y + dy), if dx * dy == 0 { 10u32 } else { 14 }))
        },
        |&at| at == goal,
    );
    let octile = |_: &_, &(x, y): &(i32, i32)| {
        let (dx, dy) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
        10 * dx.max(dy) + 4 * dx.min(dy)
    };
    let outcome = Search::new(&grid).estimate(Promise::CONSISTENT, octile).run(Algorithm::AStar);
    let outcome = outcome.expect("it has a heuristic");
    match outcome.solution() {
        Some(way) => println!(
            "cost {} in {} steps, {} cells expanded",
            way.cost,
            way.path.len(),
            outcome.stats.expanded
        ),
        None => println!("there is no way from {:?} to {goal:?}", (1, 1)),
    }
}
