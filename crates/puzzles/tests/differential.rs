//! Random small boards of every puzzle against brute force that is written for this test alone: it knows the rules from their
//! description, reads boards as text, and shares no line with the rules, the solvers or the verifiers.
//!
//! `NOVELO_STRESS=100` tries a hundred times as many.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::AtomicBool;

use novelo_puzzles::{Ending, GenerateRequest, Instance, Report, Request, Size, input};
use novelo_search::{Control, Limits, Meter};

/// How many times as many boards are tried.
fn rounds(usual: u64) -> u64 {
    usual * std::env::var("NOVELO_STRESS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).rev().for_each(|i| items.swap(i, self.below(i + 1)));
    }
}

fn read(id: &str) -> Box<dyn Instance> {
    let mut instances = input::read(id, None, None).unwrap_or_else(|error| panic!("{id}: {error}"));
    instances.remove(0).instance
}

fn solve(id: &str, algorithm: &str) -> Report {
    let instance = read(id);
    let request = Request { algorithm: algorithm.parse().unwrap(), threads: Some(1), ..Request::default() };
    let attempt = instance.solve(&request, Control::default()).unwrap();
    Report::new(&*instance, &request, attempt).unwrap_or_else(|verdict| panic!("{id}: {verdict:?}"))
}

/// What a solver must say where brute force has found an optimum, or that there is no solution.
fn assert_optimum(id: &str, algorithm: &str, optimum: Option<u32>) {
    let report = solve(id, algorithm);
    match optimum {
        Some(cost) => {
            assert_eq!((report.outcome, report.cost), (Ending::Solved, Some(cost)), "{id} by {algorithm}");
            assert!(report.optimal, "{id} by {algorithm}: {cost} is not called optimal");
        }
        None => assert_eq!(report.outcome, Ending::Unsolvable, "{id} by {algorithm}"),
    }
}

fn assert_count(id: &str, count: u64) {
    let meter = Meter::new(Limits::default(), Control::default());
    let found = read(id).enumerate(u64::MAX, 3, &meter).unwrap();
    assert_eq!((found.count, found.exact), (count, true), "{id}");
    assert_eq!(found.solutions.len() as u64, count.min(3), "{id}");
}

fn generate(puzzle: &str, size: &str, seed: u64, options: &[(&str, &str)]) -> Option<String> {
    let puzzle = novelo_puzzles::puzzle(puzzle).unwrap();
    let size: Size = size.parse().unwrap();
    let request = GenerateRequest { size: Some(size), seed, ..GenerateRequest::default() };
    let request = request.with(puzzle, options.iter().copied()).unwrap();
    // Not every seed leads to a board of every kind.
    puzzle.generate(&request, 0, &AtomicBool::new(false)).ok().map(|instance| instance.id())
}

mod tiles {
    use super::*;

    /// The number of moves from every board that can reach the goal, found from the goal backwards: moves can be undone.
    fn distances(rows: usize, cols: usize) -> HashMap<Vec<u8>, u32> {
        let cells = rows * cols;
        let goal: Vec<u8> = (1..cells as u8).chain([0]).collect();
        let mut distances = HashMap::from([(goal.clone(), 0)]);
        let mut queue = VecDeque::from([goal]);
        while let Some(board) = queue.pop_front() {
            let moves = distances[&board];
            let blank = board.iter().position(|&tile| tile == 0).unwrap();
            for cell in 0..cells {
                let (dr, dc) = (blank / cols, blank % cols);
                let apart = dr.abs_diff(cell / cols) + dc.abs_diff(cell % cols);
                if apart == 1 {
                    let mut next = board.clone();
                    next.swap(blank, cell);
                    if !distances.contains_key(&next) {
                        distances.insert(next.clone(), moves + 1);
                        queue.push_back(next);
                    }
                }
            }
        }
        distances
    }

    fn id(rows: usize, cols: usize, board: &[u8]) -> String {
        let tiles: Vec<_> = board.iter().map(u8::to_string).collect();
        format!("sliding:{rows}x{cols}:{}", tiles.join(","))
    }

    #[test]
    fn optima_and_solvability() {
        let mut random = Random(1);
        for (rows, cols, count) in [(2, 2, 24), (2, 3, 60), (3, 2, 60), (1, 4, 24), (2, 4, 40), (3, 3, 40)] {
            let distances = distances(rows, cols);
            for _ in 0..rounds(count) {
                let mut board: Vec<u8> = (0..(rows * cols) as u8).collect();
                random.shuffle(&mut board);
                let optimum = distances.get(&board).copied();
                for algorithm in ["auto", "astar", "idastar", "bidirectional"] {
                    assert_optimum(&id(rows, cols, &board), algorithm, optimum);
                }
            }
        }
    }

    #[test]
    fn boards_of_an_exact_distance() {
        let distances = distances(3, 3);
        for seed in 0..rounds(10) {
            let moves = seed % 32;
            let board = generate("sliding", "3x3", seed, &[("moves", &moves.to_string())]).unwrap();
            let tiles: Vec<u8> =
                board.rsplit(':').next().unwrap().split(',').map(|tile| tile.parse().unwrap()).collect();
            assert_eq!(distances.get(&tiles).copied(), Some(moves as u32), "{board}");
        }
    }
}

mod numbers {
    use super::*;

    /// How many ways there are to number the cells so that consecutive numbers are neighbours and the given ones stand where
    /// they are.
    fn count(rows: usize, cols: usize, given: &[usize]) -> u64 {
        fn go(
            rows: usize,
            cols: usize,
            given: &[usize],
            used: &mut Vec<bool>,
            cell: usize,
            number: usize,
        ) -> u64 {
            if given[cell] != number && (given[cell] != 0 || given.contains(&number)) {
                return 0;
            }
            if number == rows * cols {
                return 1;
            }
            used[cell] = true;
            let mut ways = 0;
            for next in 0..rows * cols {
                let apart = (cell / cols).abs_diff(next / cols) + (cell % cols).abs_diff(next % cols);
                if apart == 1 && !used[next] {
                    ways += go(rows, cols, given, used, next, number + 1);
                }
            }
            used[cell] = false;
            ways
        }
        (0..rows * cols).map(|start| go(rows, cols, given, &mut vec![false; rows * cols], start, 1)).sum()
    }

    fn id(rows: usize, cols: usize, given: &[usize]) -> String {
        let cells: Vec<_> = given.iter().map(usize::to_string).collect();
        // A comma makes it a list, for a single cell, too.
        format!(
            "numbrix:{rows}x{cols}:{}",
            if cells.len() > 1 { cells.join(",") } else { cells[0].replace('0', "a") }
        )
    }

    #[test]
    fn counts_uniqueness_and_solvability() {
        let mut random = Random(2);
        for _ in 0..rounds(150) {
            let (rows, cols) = (1 + random.below(3), 1 + random.below(4));
            let cells = rows * cols;
            let mut numbers: Vec<usize> = (1..=cells).collect();
            random.shuffle(&mut numbers);
            let clues = random.below(cells + 1).min(random.below(4));
            let mut given = vec![0; cells];
            (0..clues).for_each(|i| given[random.below(cells).max(i % cells)] = numbers[i]);
            let ways = count(rows, cols, &given);
            let id = id(rows, cols, &given);
            let empty = given.iter().filter(|&&number| number == 0).count() as u32;
            for algorithm in ["auto", "dfs", "greedy"] {
                let report = solve(&id, algorithm);
                let found = (ways > 0).then_some(empty);
                let outcome = if ways > 0 { Ending::Solved } else { Ending::Unsolvable };
                assert_eq!((report.outcome, report.cost), (outcome, found), "{id} by {algorithm}");
            }
            if read(&id).impossible().is_none() {
                assert_count(&id, ways);
            } else {
                assert_eq!(ways, 0, "{id} is called impossible");
            }
        }
    }

    /// The numbers of a board's id, as a filled list.
    fn given(board: &str) -> Vec<usize> {
        let mut cells = Vec::new();
        let mut number = 0;
        for c in board.rsplit(':').next().unwrap().chars().chain(['_']) {
            if let Some(digit) = c.to_digit(10) {
                number = number * 10 + digit as usize;
                continue;
            }
            cells.extend((number > 0).then_some(std::mem::take(&mut number)));
            if c.is_ascii_lowercase() {
                cells.extend(vec![0; c as usize - 'a' as usize + 1]);
            }
        }
        cells
    }

    #[test]
    fn generated_boards_have_one_solution() {
        for seed in 0..rounds(12) {
            for kind in ["unique", "minimal"] {
                let Some(board) = generate("numbrix", "4x4", seed, &[(kind, "true")]) else { continue };
                let cells = given(&board);
                assert_eq!(count(4, 4, &cells), 1, "{board}");
                // Of a minimal one, no number can be left out.
                for clue in (0..16).filter(|&cell| kind == "minimal" && cells[cell] > 0) {
                    let mut fewer = cells.clone();
                    fewer[clue] = 0;
                    assert!(count(4, 4, &fewer) > 1, "{board} without cell {clue}");
                }
            }
        }
    }
}

mod walks {
    use super::*;

    struct Maze {
        rows: usize,
        cols: usize,
        blocked: Vec<bool>,
    }

    impl Maze {
        /// The number of solutions, and the least cost of one.
        fn solutions(&self) -> (u64, Option<u32>) {
            let start = (self.rows - 1) * self.cols;
            let mut used = self.blocked.clone();
            used[start] = true;
            let mut found = (0, None);
            self.go(start, &mut used, &mut Vec::new(), &mut found);
            found
        }

        /// Goes on from a cell in every way; `steps` are the ways taken so far.
        fn go(
            &self,
            cell: usize,
            used: &mut Vec<bool>,
            steps: &mut Vec<(i32, i32)>,
            found: &mut (u64, Option<u32>),
        ) {
            if used.iter().all(|&used| used) {
                if cell == self.cols - 1
                    && let Some(cost) = cost(steps)
                {
                    found.0 += 1;
                    found.1 = Some(found.1.map_or(cost, |best: u32| best.min(cost)));
                }
                return;
            }
            let (row, col) = ((cell / self.cols) as i32, (cell % self.cols) as i32);
            for (dr, dc) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let (r, c) = (row + dr, col + dc);
                if r < 0 || c < 0 || r >= self.rows as i32 || c >= self.cols as i32 {
                    continue;
                }
                let next = r as usize * self.cols + c as usize;
                if !used[next] {
                    used[next] = true;
                    steps.push((dr, dc));
                    self.go(next, used, steps, found);
                    steps.pop();
                    used[next] = false;
                }
            }
        }

        fn text(&self) -> String {
            let start = (self.rows - 1) * self.cols;
            let cell = |i: usize| {
                if i == start {
                    '8'
                } else if self.blocked[i] {
                    '9'
                } else {
                    '0'
                }
            };
            let row = |r: usize| {
                (0..self.cols).map(|c| cell(r * self.cols + c).to_string()).collect::<Vec<_>>().join(" ")
            };
            (0..self.rows).map(row).collect::<Vec<_>>().join("\n")
        }
    }

    /// What a walk costs, if no two consecutive segments are equally long.
    fn cost(steps: &[(i32, i32)]) -> Option<u32> {
        let mut segments: Vec<((i32, i32), u32)> = Vec::new();
        for &way in steps {
            match segments.last_mut() {
                Some((before, length)) if *before == way => *length += 1,
                _ => segments.push((way, 1)),
            }
        }
        let unequal = segments.windows(2).all(|pair| pair[0].1 != pair[1].1);
        unequal.then_some(steps.len() as u32 + 2 * segments.len() as u32)
    }

    #[test]
    fn optima_counts_and_solvability() {
        let mut random = Random(3);
        let mut solved = 0;
        for _ in 0..rounds(150) {
            let (rows, cols) = (2 + random.below(3), 2 + random.below(3));
            let cells = rows * cols;
            let mut blocked = vec![false; cells];
            for _ in 0..random.below(cells / 3 + 1) {
                let cell = random.below(cells);
                blocked[cell] = cell != cols - 1 && cell != (rows - 1) * cols;
            }
            let maze = Maze { rows, cols, blocked };
            let (ways, least) = maze.solutions();
            solved += u64::from(ways > 0);
            let puzzle = novelo_puzzles::puzzle("mazes").unwrap();
            let text = maze.text();
            let mut read = puzzle.parse(&text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
            let id = read.remove(0).instance.id();
            for algorithm in ["auto", "ucs", "dfs"] {
                let report = solve(&id, algorithm);
                let outcome = if ways > 0 { Ending::Solved } else { Ending::Unsolvable };
                assert_eq!(report.outcome, outcome, "{id} by {algorithm}");
                if report.optimal {
                    assert_eq!(report.cost, least, "{id} by {algorithm}");
                }
                assert!(report.cost >= least, "{id} by {algorithm}");
            }
            if self::read_impossible(&id) {
                assert_eq!(ways, 0, "{id} is called impossible");
            } else {
                assert_count(&id, ways);
            }
        }
        assert!(solved > 10, "only {solved} boards had a solution");
    }

    fn read_impossible(id: &str) -> bool {
        super::read(id).impossible().is_some()
    }

    #[test]
    fn generated_mazes_have_one_solution() {
        let mut tried = 0;
        for seed in 0..rounds(8) {
            let Some(id) = generate("mazes", "5x5", seed, &[("unique", "true")]) else { continue };
            let rows: Vec<&str> = id.rsplit(':').next().unwrap().split('/').collect();
            let mut blocked = Vec::new();
            for row in rows {
                let mut number = 0;
                for c in row.chars().chain([' ']) {
                    if let Some(digit) = c.to_digit(10) {
                        number = number * 10 + digit as usize;
                        continue;
                    }
                    blocked.extend(vec![false; std::mem::take(&mut number)]);
                    blocked.extend((c == 'x').then_some(true));
                }
            }
            assert_eq!(blocked.len(), 25, "{id}");
            assert_eq!(Maze { rows: 5, cols: 5, blocked }.solutions().0, 1, "{id}");
            tried += 1;
        }
        assert!(tried > 0);
    }
}

mod arcs {
    use super::*;

    /// A board as a list of drawn arcs: first the horizontal lines from the top, then the vertical ones from the left.
    struct Board {
        rows: usize,
        cols: usize,
        goal: usize,
        drawn: Vec<bool>,
    }

    impl Board {
        /// The sides of a box.
        fn sides(&self, r: usize, c: usize) -> [usize; 4] {
            let across = (self.rows + 1) * self.cols;
            let down = |line: usize| across + line * self.rows + r;
            [r * self.cols + c, (r + 1) * self.cols + c, down(c), down(c + 1)]
        }

        /// The fewest arcs that close as many boxes as are asked for: by every set of boxes.
        fn optimum(&self) -> Option<u32> {
            let boxes: Vec<_> =
                (0..self.rows * self.cols).map(|i| self.sides(i / self.cols, i % self.cols)).collect();
            let sets = (0..1_u32 << boxes.len()).filter(|set| set.count_ones() as usize >= self.goal);
            sets.map(|set| {
                let chosen = boxes.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
                let mut missing: Vec<_> =
                    chosen.flat_map(|(_, sides)| sides).filter(|&&arc| !self.drawn[arc]).collect();
                missing.sort_unstable();
                missing.dedup();
                missing.len() as u32
            })
            .min()
        }

        fn text(&self) -> String {
            let across = (self.rows + 1) * self.cols;
            let bits = |arcs: &[bool]| {
                arcs.iter().map(|&arc| if arc { "1" } else { "0" }).collect::<Vec<_>>().join(" ")
            };
            let lines =
                |arcs: &[bool], length: usize| arcs.chunks(length).map(bits).collect::<Vec<_>>().join("\n");
            format!(
                "rows {}\ncols {}\ngoal {}\nH\n{}\nV\n{}\n",
                self.rows,
                self.cols,
                self.goal,
                lines(&self.drawn[..across], self.cols),
                lines(&self.drawn[across..], self.rows)
            )
        }
    }

    #[test]
    fn optima() {
        let mut random = Random(4);
        for _ in 0..rounds(120) {
            let (rows, cols) = (1 + random.below(3), 1 + random.below(3));
            let arcs = (rows + 1) * cols + (cols + 1) * rows;
            let goal = random.below(rows * cols + 2);
            let share = 1 + random.below(4);
            let drawn = (0..arcs).map(|_| random.below(5) >= share).collect();
            let board = Board { rows, cols, goal, drawn };
            let puzzle = novelo_puzzles::puzzle("boxes").unwrap();
            let text = board.text();
            let mut read = puzzle.parse(&text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
            let id = read.remove(0).instance.id();
            assert_optimum(&id, "auto", board.optimum());
            if board.optimum().is_none_or(|cost| cost <= 4) {
                assert_optimum(&id, "astar", board.optimum());
                assert_optimum(&id, "bfs", board.optimum());
            }
        }
    }

    /// The board of an id of 3x3 boxes: four arcs a hexadecimal digit, a horizontal line and the vertical arcs below it in turn.
    fn of_id(id: &str) -> Board {
        let parts: Vec<&str> = id.split(':').collect();
        let digits = parts.get(3).copied().unwrap_or_default().chars().map(|c| c.to_digit(16).unwrap());
        let mut bits = digits.flat_map(|digit| (0..4).map(move |bit| digit >> (3 - bit) & 1 == 1));
        let mut drawn = vec![false; 24];
        for row in 0..4 {
            (0..3).for_each(|col| drawn[row * 3 + col] = bits.next().unwrap_or(false));
            (0..4)
                .filter(|_| row < 3)
                .for_each(|line| drawn[12 + line * 3 + row] = bits.next().unwrap_or(false));
        }
        Board { rows: 3, cols: 3, goal: parts[2].parse().unwrap(), drawn }
    }

    #[test]
    fn boards_of_an_exact_par() {
        for seed in 0..rounds(10) {
            let par = 1 + seed % 8;
            let id = generate("boxes", "3x3", seed, &[("moves", &par.to_string())]).unwrap();
            assert_eq!(of_id(&id).optimum(), Some(par as u32), "{id}");
        }
    }
}
