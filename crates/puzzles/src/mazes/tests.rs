use super::heuristics::{CellSum, InverseManhattan};
use super::*;
use crate::puzzle::Size;
use novelo_search::Heuristic;
use proptest::prelude::*;

pub(super) fn maze(rows: usize, cols: usize, blocked: impl Fn(usize) -> bool) -> Maze {
    Maze::new(Size { rows, cols }, (0..rows * cols).map(blocked).collect())
}

/// Boards with random ends, of all shapes up to a size.
pub(super) fn mazes(longest: usize, share: f64) -> impl Strategy<Value = Maze> {
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

/// A maze in which a walk was gone on with, one way or another, and where it has come to.
pub(super) fn gone_on(mut maze: Maze, choices: &[u8]) -> (Maze, State<4>) {
    let rules = Rules::<4>::new(&maze);
    let mut state = rules.start();
    for &choice in choices {
        let mut actions = Vec::new();
        rules.actions(&state, &mut actions);
        if actions.is_empty() {
            break;
        }
        let action = actions[choice as usize % actions.len()];
        rules.apply(&mut state, action);
        maze.walked.push(action);
    }
    (maze, state)
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
        assert!(inverse.get() <= f64::from(cost));
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

/// Calls `found` with the steps and cells of every walk to the end that visits no cell twice.
fn every_walk(
    maze: &Maze,
    steps: &mut Vec<Way>,
    cells: &mut Vec<usize>,
    found: &mut impl FnMut(&[Way], &[usize]),
) {
    let here = cells[cells.len() - 1];
    if here == maze.end {
        return found(steps, cells);
    }
    for way in Way::ALL {
        let Some(next) = maze.next(here, way).filter(|next| !cells.contains(next)) else { continue };
        steps.push(way);
        cells.push(next);
        every_walk(maze, steps, cells, found);
        steps.pop();
        cells.pop();
    }
}

#[test]
fn no_solvable_state_is_called_dead_on_any_5x5_board() {
    // A board that can be solved has the cells of a walk free and the others blocked, and a state that can be solved
    // is the beginning of such a walk: so all walks from end to end make all of them.
    let open = maze(5, 5, |_| false);
    let mut all = 0;
    every_walk(&open, &mut Vec::new(), &mut vec![open.start], &mut |steps, cells| {
        all += 1;
        let lengths: Vec<_> = steps.chunk_by(|a, b| a == b).map(<[Way]>::len).collect();
        if lengths.windows(2).any(|pair| pair[0] == pair[1]) {
            return;
        }
        let maze = maze(5, 5, |cell| !cells.contains(&cell));
        assert_eq!(impossible(&maze), None, "{}", maze.id());
        let rules = Rules::<1>::new(&maze);
        let mut state = rules.start();
        let mut states = vec![(state, 0)];
        let mut cost = 0;
        for action in moves::of_steps(steps.iter().copied()) {
            cost += rules.apply(&mut state, action).0;
            states.push((state, cost));
        }
        assert!(rules.is_goal(&state), "{}", maze.id());
        let estimates = All::new(&maze);
        states.iter().for_each(|(state, so_far)| estimates.judge(&rules, state, Some(cost - so_far)));
    });
    // Self-avoiding walks between opposite corners of 5x5 cells: OEIS A007764.
    assert_eq!(all, 8512);
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
        let carried = heuristic.child(&rules, &memo, &state, &action, &undo);
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
        let (maze, state) = gone_on(maze, &choices);
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

pub(super) fn walk_of(id: &str) -> Walk {
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
