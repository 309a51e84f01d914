use super::heuristics::{CellSum, InverseManhattan};
use super::*;
use crate::puzzle::Size;
use novelo_search::{Cost, Estimate, Limits, Problem};
use proptest::prelude::*;

fn maze(rows: usize, cols: usize, blocked: impl Fn(usize) -> bool) -> Maze {
    Maze::new(Size { rows, cols }, (0..rows * cols).map(blocked).collect())
}

/// Boards with random ends, of all shapes up to a size.
fn mazes(longest: usize, share: f64) -> impl Strategy<Value = Maze> {
    (1..=longest, 1..=longest).prop_flat_map(move |(rows, cols)| {
        let cells = prop::collection::vec(prop::bool::weighted(share), rows * cols);
        (cells, any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
            move |(mut blocked, start, end)| {
                let usual = Maze::usual_end(Size { rows, cols });
                let (start, end) = (start.index(rows * cols), end.index(rows * cols));
                // No text can mark a cell as both ends, or as blocked and the end.
                let end = if start == end { usual } else { end };
                blocked[start] = false;
                blocked[end] &= end == usual;
                Maze { start, end, ..Maze::new(Size { rows, cols }, blocked) }
            },
        )
    })
}

/// All the estimates at a state, whether each is admissible.
struct All {
    turns: Turns<1>,
    twice: CellSum,
    diagonal: CellSum,
    inverse: InverseManhattan,
}

impl All {
    fn new(maze: &Maze) -> Self {
        Self {
            turns: Turns::new(maze),
            twice: CellSum::twice_empty(maze),
            diagonal: CellSum::diagonal_weight(maze),
            inverse: InverseManhattan::new(maze),
        }
    }

    /// A dead end has no way to the goal, and an admissible estimate is not
    /// above the true cost.
    fn judge(&self, rules: &Rules<1>, state: &State<1>, cost: Option<Cost>) {
        let Some(cost) = cost else { return };
        let turns = self.turns.memo(rules, state).expect("the goal can be reached");
        assert!(turns <= cost, "{turns} > {cost} at {state:?}");
        assert!(self.twice.memo(rules, state).is_some());
        assert!(self.diagonal.memo(rules, state).is_some());
        let inverse = self.inverse.memo(rules, state).expect("never a dead end");
        assert!(inverse.to_f64() <= f64::from(cost));
    }
}

/// The cost from a state to the nearest goal, by trying everything; every
/// state on the way is judged.
fn least(rules: &Rules<1>, state: &mut State<1>, all: &All) -> Option<Cost> {
    let mut best = rules.is_goal(state).then_some(0);
    let mut actions = Vec::new();
    rules.actions(state, &mut actions);
    for action in actions {
        let before = *state;
        let (cost, undo) = rules.apply(state, action);
        if let Some(rest) = least(rules, state, all) {
            best = Some(best.map_or(cost + rest, |best| best.min(cost + rest)));
        }
        rules.undo(state, action, undo);
        assert_eq!(*state, before);
    }
    all.judge(rules, state, best);
    best
}

fn exhaust(maze: &Maze) -> Option<Cost> {
    let rules = Rules::<1>::new(maze);
    let best = least(&rules, &mut rules.start(), &All::new(maze));
    if impossible(maze).is_some() {
        assert_eq!(best, None, "{}", maze.id());
    }
    best
}

#[test]
fn no_solvable_state_is_called_dead_on_any_board_up_to_4x4() {
    for (rows, cols) in [(1, 5), (2, 5), (5, 2), (3, 3), (3, 4), (4, 3), (4, 4)] {
        let cells = rows * cols;
        let corner = 1 << Maze::usual_start(Size { rows, cols });
        for pattern in (0..1u32 << cells).filter(|pattern| pattern & corner == 0) {
            exhaust(&maze(rows, cols, |cell| pattern >> cell & 1 != 0));
        }
    }
}

#[test]
fn no_solvable_state_is_called_dead_on_5x5_with_up_to_two_blocked() {
    for a in 0..25 {
        for b in (a..25).filter(|&b| a != 20 && b != 20) {
            exhaust(&maze(5, 5, |cell| cell == a || cell == b));
        }
    }
}

#[test]
fn the_open_5x5_board_needs_nine_segments() {
    // Up and down in columns: 24 steps, 9 directions.
    assert_eq!(exhaust(&maze(5, 5, |_| false)), Some(24 + 2 * 9));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_solvable_state_is_called_dead_up_to_5x5(maze in mazes(5, 0.12)) {
        exhaust(&maze);
    }
}

/// Walks at random; what is carried along equals what is computed anew.
fn walk<const W: usize, H: Heuristic<Rules<W>>>(heuristic: &H, maze: &Maze, choices: &[u8]) {
    let rules = Rules::<W>::new(maze);
    let mut state = rules.start();
    let Some(mut memo) = heuristic.memo(&rules, &state) else { return };
    let mut actions = Vec::new();
    for &choice in choices {
        actions.clear();
        rules.actions(&state, &mut actions);
        if actions.is_empty() {
            return;
        }
        let action = actions[choice as usize % actions.len()];
        let before = state;
        let (_, undo) = rules.apply(&mut state, action);
        let mut back = state;
        rules.undo(&mut back, action, undo);
        assert_eq!(back, before);
        let carried = heuristic.child(&rules, &memo, &state, action, &undo);
        let anew = heuristic.memo(&rules, &state);
        assert_eq!(
            carried.as_ref().map(|memo| heuristic.value(memo)),
            anew.map(|memo| heuristic.value(&memo))
        );
        match carried {
            Some(carried) => memo = carried,
            None => return,
        }
        let resumed = heuristic.resume(&rules, &state, heuristic.value(&memo));
        assert_eq!(heuristic.value(&resumed), heuristic.value(&memo));
    }
}

proptest! {
    #[test]
    fn incremental_equals_recomputed(
        maze in mazes(16, 0.1),
        choices in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        walk::<4, _>(&Turns::new(&maze), &maze, &choices);
        walk::<4, _>(&CellSum::twice_empty(&maze), &maze, &choices);
        walk::<16, _>(&CellSum::diagonal_weight(&maze), &maze, &choices);
        walk::<64, _>(&InverseManhattan::new(&maze), &maze, &choices);
    }

    #[test]
    fn the_size_of_the_bitboard_does_not_matter(maze in mazes(8, 0.1)) {
        let small = Turns::<1>::new(&maze);
        let large = Turns::<16>::new(&maze);
        let (a, b) = (Rules::<1>::new(&maze), Rules::<16>::new(&maze));
        prop_assert_eq!(small.memo(&a, &a.start()), large.memo(&b, &b.start()));
    }

    #[test]
    fn reading_an_id_gives_the_same_maze(maze in mazes(12, 0.2), choices in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut maze = maze;
        let rules = Rules::<4>::new(&maze);
        let mut state = rules.start();
        for choice in choices {
            let mut actions = Vec::new();
            rules.actions(&state, &mut actions);
            if actions.is_empty() {
                break;
            }
            let action = actions[choice as usize % actions.len()];
            rules.apply(&mut state, action);
            maze.walked.push(action);
        }
        prop_assert_eq!(Maze::parse_id(&maze.id()), Ok(maze.clone()));
        prop_assert_eq!(Rules::<4>::new(&maze).start(), state);
    }

    #[test]
    fn reading_never_panics(text in "[0189.#SExsUuRr:/ \n]{0,60}") {
        let _ = formats::parse(&text);
        let _ = formats::likeness(&text);
        let _ = Maze::parse_id(&text);
        let _ = moves::parse(&text);
    }
}

#[test]
fn both_codings_and_the_id_say_the_same() {
    let numbers = formats::parse("# a remark\n0 0 9\n0 0 0\n8 0 0\n").unwrap();
    let picture = formats::parse("# a remark\n..#\n...\nS..\n").unwrap();
    assert_eq!(numbers, picture);
    assert_eq!(numbers[0].id(), "3x3:2x/3/3");
    assert_eq!(Maze::parse_id("3x3:2x/3/3"), Ok(numbers[0].clone()));
    let marked = formats::parse("#.E\n...\n#S.").unwrap();
    assert_eq!((marked[0].start, marked[0].end), (7, 2));
    assert_eq!(marked[0].id(), "3x3:x2/3/xS1");
    assert_eq!(formats::parse("S.\n\n#E\nS.").unwrap().len(), 2);
}

#[test]
fn a_mistake_is_pointed_at() {
    let place = |text: &'static str| {
        let error = formats::parse(text).unwrap_err();
        error.span.map(|span| &text[span])
    };
    assert_eq!(place("0 0\n8 7\n"), Some("7"));
    assert_eq!(place("0 0 0\n8 0\n"), Some("8 0"));
    assert_eq!(place("8 0\n8 0\n"), Some("8"));
    assert_eq!(place("0 0\n9 0\n"), Some("9"));
    assert_eq!(place("..\nS?\n"), Some("?"));
    assert_eq!(place("E.\nSE\n"), Some("E"));
    assert_eq!(place("..\n#.\n"), Some("#"));
    assert_eq!(place(""), None);
    let place = |id: &'static str| {
        let error = Maze::parse_id(id).unwrap_err();
        error.span.map(|span| &id[span])
    };
    assert_eq!(place("3y3:3/3/3"), Some("3y3"));
    assert_eq!(place("0x3:3"), Some("0x3"));
    assert_eq!(place("99x3:3"), Some("99"));
    assert_eq!(place("3x3"), Some("3x3"));
    assert_eq!(place("3x3:3/3"), Some("3/3"));
    assert_eq!(place("2x3:3/3/3"), Some("3"));
    assert_eq!(place("2x3:4/3"), Some("4"));
    assert_eq!(place("2x3:x/3"), Some("x"));
    assert_eq!(place("2x3:1?1/3"), Some("?"));
    assert_eq!(place("2x3:3/3:RRR"), Some("R"));
    assert_eq!(place("2x3:3/3:RuL"), Some("u"));
    assert_eq!(place("2x3:3/3:RRx"), Some("x"));
    assert_eq!(place("2x3:3/3:R:U"), Some("U"));
}

#[test]
fn a_text_is_recognised_by_its_shape() {
    assert_eq!(formats::likeness("0 0\n8 0"), 90);
    assert_eq!(formats::likeness("# text\n..\nS."), 90);
    assert_eq!(formats::likeness("#.#\n...\n#.#"), 90);
    assert_eq!(formats::likeness("1 2\n3 0"), 0);
    assert_eq!(formats::likeness("3\n0 0 0\n0 8 0\n0 0 0"), 0);
    assert_eq!(formats::likeness("rows 3\ncols 3"), 0);
    assert_eq!(formats::likeness("+-+\n| |\n+-+"), 0);
    assert_eq!(formats::likeness("1 2 3\n4 . 5"), 0);
    assert_eq!(formats::likeness(""), 0);
}

fn walk_of(id: &str) -> Walk {
    Walk(Maze::parse_id(id).unwrap())
}

#[test]
fn the_verifier_says_what_is_wrong() {
    let walk = walk_of("3x3:3/3/3");
    let moves = walk.parse_moves("UURDDRUU").unwrap();
    let verdict = walk.check(&moves);
    assert!(verdict.is_solution());
    assert_eq!((verdict.legal, verdict.cost), (13, 18));
    assert_eq!(verdict.end, "mazes:3x3:3/3/3:UURDDRUU");
    let reason = |text: &str| {
        let moves: Vec<_> = text.split(',').map(str::to_owned).collect();
        let failure = walk.check(&moves).failure.unwrap();
        (failure.at, failure.reason)
    };
    assert_eq!(reason("U").1, "the first move is a turn, which chooses a direction");
    assert_eq!(reason("turn U,turn R").1, "a turn right after a turn: the segment has no step");
    assert_eq!(reason("turn U,U,turn D").1, "a turn from up to down is not a right angle");
    assert_eq!(reason("turn U,R").1, "a step right, but the direction is up: turn first");
    assert_eq!(
        reason("turn U,U,turn R,R,turn U"),
        (5, "this segment is as long as the one before it: 1".into())
    );
    assert_eq!(reason("turn D,D").1, "that leads off the board");
    assert_eq!(reason("jump").1, "a move is 'turn U' or 'U', with U, D, L or R");
    let missing = |path: &str| walk.check(&walk.parse_moves(path).unwrap()).missing.unwrap();
    assert_eq!(missing("UU"), "6 cells are not visited");
    let blocked = walk_of("2x2:2/1x");
    assert_eq!(
        blocked.check(&["turn R".into(), "R".into()]).failure.unwrap().reason,
        "row 2, column 2 is blocked"
    );
    let equal = walk_of("2x2:2/1x");
    assert_eq!(
        equal.check(&equal.parse_moves("UR").unwrap()).missing.unwrap(),
        "the last two segments are equally long: 1"
    );
}

#[test]
fn a_walk_in_an_id_is_gone_on_with() {
    let walk = walk_of("3x3:3/3/3:UUr");
    let verdict = walk.check(&["R".into()]);
    assert_eq!((verdict.legal, verdict.cost), (1, 1));
    assert_eq!(verdict.end, "mazes:3x3:3/3/3:UUR");
    let attempt = walk.solve(&Request::default(), Control::default()).unwrap();
    let solution = attempt.outcome.solution().unwrap();
    assert_eq!(solution.cost, 18 - 6);
    assert!(walk.check(&solution.path).is_solution());
}

#[test]
fn pictures_show_the_line() {
    let walk = walk_of("3x3:3/3/1x1");
    let pictures = walk.pictures(&["turn U".into(), "U".into(), "turn R".into(), "R".into()]);
    let plain: Vec<_> = pictures.iter().map(Picture::plain).collect();
    assert_eq!(plain.len(), 5);
    assert_eq!(plain[0], "· · E\n· · ·\nS █ ·");
    assert_eq!(plain[4], "· · E\n┌─▶ ·\nS █ ·");
}

/// All solutions as moves, by trying every path of steps and looking at its
/// lengths only at the end.
fn all_solutions(maze: &Maze) -> Vec<Vec<Move>> {
    fn go(maze: &Maze, visited: &mut [bool], cell: usize, steps: &mut Vec<Way>, out: &mut Vec<Vec<Move>>) {
        if steps.len() + 1 == maze.free() {
            let mut lengths: Vec<_> = steps.chunk_by(|a, b| a == b).map(<[Way]>::len).collect();
            let before = lengths.len();
            lengths.dedup();
            if cell == maze.end && lengths.len() == before {
                out.push(moves::of_steps(steps.iter().copied()));
            }
            return;
        }
        for way in Way::ALL {
            let Some(next) = maze.next(cell, way) else { continue };
            if maze.blocked[next] || visited[next] {
                continue;
            }
            visited[next] = true;
            steps.push(way);
            go(maze, visited, next, steps, out);
            steps.pop();
            visited[next] = false;
        }
    }
    let mut visited = vec![false; maze.blocked.len()];
    visited[maze.start] = true;
    let mut out = Vec::new();
    go(maze, &mut visited, maze.start, &mut Vec::new(), &mut out);
    out
}

/// The exact solver, brute force and uniform cost agree on how many solutions
/// there are and what the cheapest costs.
fn agree(maze: &Maze) {
    let walked = maze.walked.len();
    let mut expected: Vec<Vec<String>> = all_solutions(maze)
        .into_iter()
        .filter(|moves| moves.starts_with(&maze.walked))
        .map(|moves| moves[walked..].iter().map(Move::to_string).collect())
        .collect();
    let walk = Walk(maze.clone());
    let request = Request::default();
    let mut found = walk.enumerate(u64::MAX, usize::MAX, &request, Control::default()).unwrap();
    assert!(found.exact);
    assert_eq!(found.count, expected.len() as u64, "{}", maze.id());
    found.solutions.sort();
    expected.sort();
    assert_eq!(found.solutions, expected, "{}", maze.id());
    let cheapest = expected.iter().map(|moves| walk.check(moves).cost).min();
    let attempt = walk.solve(&request, Control::default()).unwrap();
    let solution = attempt.outcome.solution();
    assert_eq!(solution.map(|solution| (solution.cost, solution.optimal)), cheapest.map(|cost| (cost, true)));
    let uniform = Request { algorithm: Choice::Named(Algorithm::Ucs), ..Request::default() };
    let attempt = walk.solve(&uniform, Control::default()).unwrap();
    assert_eq!(attempt.outcome.solution().map(|solution| solution.cost), cheapest);
}

#[test]
fn solvers_agree_on_every_board_up_to_3x4() {
    for (rows, cols) in [(1, 4), (2, 4), (3, 3), (3, 4), (4, 3)] {
        let corner = 1 << Maze::usual_start(Size { rows, cols });
        for pattern in (0..1u32 << (rows * cols)).filter(|pattern| pattern & corner == 0) {
            agree(&maze(rows, cols, |cell| pattern >> cell & 1 != 0));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn solvers_agree_on_random_boards(maze in mazes(5, 0.1)) {
        agree(&maze);
    }

    #[test]
    fn solvers_agree_on_boards_with_few_blocked(a in 0..30usize, b in 0..30usize, c in 0..30usize) {
        agree(&maze(5, 6, |cell| cell != 24 && [a, b, c].contains(&cell)));
    }

    #[test]
    fn solvers_agree_after_a_walk(maze in mazes(5, 0.05), choices in prop::collection::vec(any::<u8>(), 0..9)) {
        let mut maze = maze;
        let rules = Rules::<1>::new(&maze);
        let mut state = rules.start();
        for choice in choices {
            let mut actions = Vec::new();
            rules.actions(&state, &mut actions);
            if actions.is_empty() {
                break;
            }
            let action = actions[choice as usize % actions.len()];
            rules.apply(&mut state, action);
            maze.walked.push(action);
        }
        agree(&maze);
    }
}

#[test]
fn counting_stops_where_it_is_told() {
    let walk = walk_of("5x5:5/5/5/5/5");
    let request = Request::default();
    let found = walk.enumerate(7, 3, &request, Control::default()).unwrap();
    assert_eq!((found.count, found.exact, found.stop, found.solutions.len()), (7, false, None, 3));
    let found = walk.enumerate(20, 0, &request, Control::default()).unwrap();
    assert_eq!((found.count, found.exact), (20, false));
    let found = walk.enumerate(21, 0, &request, Control::default()).unwrap();
    assert_eq!((found.count, found.exact), (20, true));
}

#[test]
fn limits_hold_in_the_exact_solver() {
    use novelo_search::Stop;
    let open =
        walk_of(&format!("20x20:{}", ["20"; 20].join("/").replacen("20", "19x", 1).replace("19x", "18x1")));
    let run = |limits: Limits, cancel: Option<&AtomicBool>| {
        let mut request = Request::default();
        request.settings.limits = limits;
        open.enumerate(u64::MAX, 0, &request, Control { cancel, progress: None }).unwrap().stop
    };
    assert_eq!(run(Limits { nodes: Some(50), ..Limits::default() }, None), Some(Stop::Nodes));
    assert_eq!(run(Limits { memory: Some(1 << 16), ..Limits::default() }, None), Some(Stop::Memory));
    let time = Some(std::time::Duration::from_millis(20));
    assert_eq!(run(Limits { time, ..Limits::default() }, None), Some(Stop::Time));
    assert_eq!(run(Limits::default(), Some(&AtomicBool::new(true))), Some(Stop::Interrupted));
    let mut request = Request::default();
    request.settings.limits.depth = Some(12);
    let attempt = walk_of("3x3:3/3/3").solve(&request, Control::default()).unwrap();
    assert_eq!(attempt.outcome.answer, Answer::Stopped(Stop::Depth));
}
