//! Budgeted tree search keeps its promise where IDA* has none: an 8-puzzle in which every tile costs something else.

use novelo_search::parts::Random;
use novelo_search::{Algorithm, Heuristic, Observer, Problem, Promise, Search};

/// The least common multiple of the numbers to 9: moving tile t costs 1 + 1/(t + 1) of it.
const ONE: u32 = 2520;

fn price(tile: u8) -> u32 {
    ONE + ONE / (u32::from(tile) + 1)
}

struct Tiles([u8; 9]);

fn blank(board: &[u8; 9]) -> usize {
    board.iter().position(|&tile| tile == 0).expect("there is a blank")
}

impl Problem for Tiles {
    type State = [u8; 9];
    /// Where the tile comes from that moves to the blank.
    type Action = usize;
    type Undo = usize;
    type Cost = u32;

    fn start(&self) -> [u8; 9] {
        self.0
    }
    fn is_goal(&self, board: &[u8; 9]) -> bool {
        *board == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    }
    fn actions(&self, board: &[u8; 9], out: &mut Vec<usize>) {
        let blank = blank(board);
        let is_beside = |&cell: &usize| (cell / 3).abs_diff(blank / 3) + (cell % 3).abs_diff(blank % 3) == 1;
        out.extend((0..9).filter(is_beside));
    }
    fn apply(&self, board: &mut [u8; 9], from: usize) -> (u32, usize) {
        let blank = blank(board);
        board.swap(from, blank);
        (price(board[blank]), blank)
    }
    fn undo(&self, board: &mut [u8; 9], from: usize, blank: usize) {
        board.swap(from, blank);
    }
}

/// Manhattan distance, each step at what its tile costs.
struct Manhattan;

impl Heuristic<Tiles> for Manhattan {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }
    fn memo(&self, _: &Tiles, board: &[u8; 9]) -> Option<u32> {
        let steps = |cell: usize, home: usize| (cell / 3).abs_diff(home / 3) + (cell % 3).abs_diff(home % 3);
        let tiles = board.iter().enumerate().filter(|&(_, &tile)| tile != 0);
        Some(tiles.map(|(cell, &tile)| steps(cell, usize::from(tile) - 1) as u32 * price(tile)).sum())
    }
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }
}

/// The paths on which no board comes twice and f does not exceed a bound, but for those to the goal: what must be expanded
/// to know that there is nothing cheaper.
fn paths_within(tiles: &Tiles, path: &mut Vec<[u8; 9]>, g: u32, bound: u32) -> u64 {
    let board = path[path.len() - 1];
    let mut actions = Vec::new();
    tiles.actions(&board, &mut actions);
    let mut count = 1;
    for action in actions {
        let (next, cost, _) = tiles.successor(&board, &action);
        let f = g + cost + Manhattan.memo(tiles, &next).expect("no dead ends");
        if f <= bound && !path.contains(&next) && !tiles.is_goal(&next) {
            path.push(next);
            count += paths_within(tiles, path, g + cost, bound);
            path.pop();
        }
    }
    count
}

/// Counts iterations.
struct Iterations(u64);

impl Observer<Tiles> for Iterations {
    fn iteration(&mut self, _: f64) {
        self.0 += 1;
    }
}

#[test]
fn ibex_takes_a_logarithm_where_idastar_takes_a_square() {
    // Wherever some hundred random moves lead, if it is neither near nor far.
    let mut random = Random::new(7);
    let boards = std::iter::repeat_with(|| {
        let mut board = [1, 2, 3, 4, 5, 6, 7, 8, 0];
        for _ in 0..300 {
            let mut actions = Vec::new();
            Tiles(board).actions(&board, &mut actions);
            Tiles(board).apply(&mut board, actions[random.below(actions.len())]);
        }
        board
    });
    let cost = |&board: &[u8; 9]| {
        let outcome = Search::new(&Tiles(board)).heuristic(Manhattan).run(Algorithm::AStar).unwrap();
        outcome.solution().expect("moves can be taken back").cost
    };
    let boards = boards.filter(|board| (22 * ONE..28 * ONE).contains(&cost(board))).take(6);
    let (mut by_ibex, mut by_idastar, mut most_iterations) = (0, 0, 0);
    for board in boards {
        let tiles = Tiles(board);
        let search = || Search::new(&tiles).heuristic(Manhattan);
        let optimum = cost(&board);
        let ibex = search().run(Algorithm::Ibex).unwrap();
        assert!(ibex.solution().is_some_and(|found| found.optimal && found.cost == optimum), "{board:?}");
        // At most n expansions for each of the bounds that are whole searches, of which all but the last take at most half
        // as many as the next; and for each of these at most eight times as many for each of the tries at the next bound,
        // which are as many as doubling from one to the optimum, and halving, take.
        let n = paths_within(&tiles, &mut vec![board], 0, optimum);
        let tries = 2 * (u64::from(optimum.ilog2()) + 1);
        println!(
            "{board:?}: cost {optimum}, {n} paths, {} expanded, {}",
            ibex.stats.expanded,
            n * (5 + 16 * tries)
        );
        assert!(ibex.stats.expanded <= n * (5 + 16 * tries), "{board:?}: {}", ibex.stats.expanded);
        let mut iterations = Iterations(0);
        let idastar = search().observer(&mut iterations).run(Algorithm::IdaStar).unwrap();
        println!("IDA*: {} expanded, {} iterations", idastar.stats.expanded, iterations.0);
        assert_eq!(idastar.solution().unwrap().cost, optimum);
        by_ibex += ibex.stats.expanded;
        by_idastar += idastar.stats.expanded;
        most_iterations = most_iterations.max(iterations.0);
    }
    println!("{by_ibex} against {by_idastar}, up to {most_iterations} iterations");
    assert!(by_idastar > 10 * by_ibex, "{by_ibex} against {by_idastar}");
}
