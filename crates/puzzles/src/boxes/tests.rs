use novelo_search::{Heuristic, Problem};
use proptest::prelude::*;

use super::heuristics::{BoxesHeuristic, SharedArcs};
use super::relaxation::Relaxed;
use super::*;
use crate::bits::Bits;
use crate::puzzle::Size;

const NAMES: [&str; 6] = ["shared-arcs", "relaxation", "boxes-left", "corners", "corners:clamped", "zero"];

pub(super) fn boards(longest: usize) -> impl Strategy<Value = Board> {
    (1..=longest, 1..=longest, 0u8..=100).prop_flat_map(|(rows, cols, share)| {
        let arcs = rows * (cols + 1) + cols * (rows + 1);
        let drawn = prop::collection::vec((0u8..100).prop_map(move |x| x < share), arcs);
        (drawn, 0..=rows * cols + 1).prop_map(move |(drawn, goal)| {
            let mut board = Board::empty(Size { rows, cols }, goal);
            board.arcs_mut().zip(drawn).for_each(|(arc, drawn)| *arc = drawn);
            board
        })
    })
}

proptest! {
    #[test]
    fn an_id_reads_back(board in boards(9)) {
        prop_assert_eq!(Board::parse_id(&board.id(), None).unwrap(), board);
    }

    #[test]
    fn a_picture_reads_back(board in boards(9)) {
        let picture = view::pictures(&board, &[])[0].plain();
        let text = format!("goal {}\n{picture}\n", board.goal);
        prop_assert!(formats::likeness(&text) == 95);
        prop_assert_eq!(formats::parse(&text, None).unwrap(), vec![(None, board)]);
    }

    #[test]
    fn lists_and_files_read_back(board in boards(6)) {
        let bit = |&drawn: &bool| if drawn { "1" } else { "0" };
        let horizontal: Vec<String> =
            board.horizontal.iter().map(|line| line.iter().map(bit).collect::<Vec<_>>().join(" ")).collect();
        let column = |c: usize| board.vertical.iter().map(|line| bit(&line[c])).collect::<Vec<_>>().join(" ");
        let vertical: Vec<String> = (0..=board.size.cols).map(column).collect();
        let file = format!("name x\ngoal {}\nH\n{}\nV\n{}", board.goal, horizontal.join("\n"), vertical.join("\n"));
        prop_assert!(formats::likeness(&file) == 95);
        prop_assert_eq!(formats::parse(&file, None).unwrap(), vec![(Some("x".into()), board.clone())]);
        let list = format!("((({})) (({}))) goal {}", horizontal.join(") ("), vertical.join(")("), board.goal);
        prop_assert!(formats::likeness(&list) == 95);
        prop_assert_eq!(formats::parse(&list, None).unwrap(), vec![(None, board)]);
    }

    #[test]
    fn undo_takes_back_and_estimates_carry(board in boards(7), choices in prop::collection::vec(any::<u8>(), 0..40)) {
        walk::<false>(&board, &choices);
        walk::<true>(&board, &choices);
    }

    #[test]
    fn nothing_panics(text in "[-+|HV01 ()x:\n]{0,60}", prefix in "(goal 2\n|rows 1\n|H\n|\\(\\(|\\+-\\+\n|2x2:1:)?") {
        let text = prefix + &text;
        let _ = formats::parse(&text, None);
        let _ = formats::likeness(&text);
        let _ = Board::parse_id(&text, None);
        let _ = moves::parse(&text);
    }
}

fn named<const W: usize, const O: bool>(name: &str, rules: &Rules<W, O>, size: Size) -> BoxesHeuristic<W> {
    match name {
        "shared-arcs" => BoxesHeuristic::SharedArcs(SharedArcs::new(rules, size)),
        "relaxation" => BoxesHeuristic::Relaxation(Box::new(Relaxed::new(rules, size))),
        "boxes-left" => BoxesHeuristic::BoxesLeft,
        "corners" => BoxesHeuristic::Corners,
        "corners:clamped" => BoxesHeuristic::CornersClamped,
        _ => BoxesHeuristic::Zero,
    }
}

fn walk<const O: bool>(board: &Board, choices: &[u8]) {
    let rules = Rules::<2, O>::new(board);
    let guides = NAMES.map(|name| named(name, &rules, board.size));
    let mut arcs = rules.start();
    let mut actions = Vec::new();
    for &choice in choices {
        actions.clear();
        rules.actions(&arcs, &mut actions);
        if actions.is_empty() {
            break;
        }
        let action = actions[choice as usize % actions.len()];
        let before = arcs;
        rules.apply(&mut arcs, action);
        let mut back = arcs;
        rules.undo(&mut back, action, ());
        assert_eq!(back, before);
        for guide in &guides {
            let parent = guide.memo(&rules, &before);
            let anew = guide.memo(&rules, &arcs);
            if let Some(parent) = parent {
                assert_eq!(guide.child(&rules, &parent, &arcs, &action, &()), anew);
            }
            if Heuristic::<Rules<2, O>>::promise(guide).consistent
                && let Some(h) = anew
            {
                assert!(parent.unwrap() <= 1 + h, "consistent");
            }
        }
    }
}

/// The true cost from every set of arcs on a small empty board, by working
/// backwards from the full one; `u32::MAX` where the goal cannot be reached.
fn distances<const O: bool>(rules: &Rules<1, O>, arcs: usize) -> Vec<(Bits<1>, u32)> {
    let set = |number: usize| (0..arcs).filter(|arc| number >> arc & 1 == 1).collect::<Bits<1>>();
    let mut distance: Vec<(Bits<1>, u32)> =
        (0..1usize << arcs).map(|number| (set(number), u32::MAX)).collect();
    for number in (0..1usize << arcs).rev() {
        let state = distance[number].0;
        let next = rules.drawable(&state).iter().map(|arc| distance[number | 1 << arc].1.saturating_add(1));
        distance[number].1 = if rules.is_goal(&state) { 0 } else { next.min().unwrap_or(u32::MAX) };
    }
    distance
}

fn bounds_hold<const O: bool>(size: Size) {
    for goal in 0..=size.rows * size.cols {
        let board = Board::empty(size, goal);
        let rules = Rules::<1, O>::new(&board);
        let guides = ["shared-arcs", "relaxation"].map(|name| named(name, &rules, size));
        for (state, distance) in distances(&rules, board.arcs().count()) {
            for guide in &guides {
                match guide.memo(&rules, &state) {
                    Some(h) => assert!(h <= distance, "{size} goal {goal}: {h} > {distance}"),
                    None => assert_eq!(distance, u32::MAX, "a dead end is dead"),
                }
            }
        }
    }
}

#[test]
fn bounds_never_exceed_the_truth_on_all_small_boards() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 4), (3, 1), (2, 2), (2, 3)] {
        bounds_hold::<false>(Size { rows, cols });
        bounds_hold::<true>(Size { rows, cols });
    }
}

#[test]
fn the_course_heuristics_can_exceed_the_truth() {
    // Two boxes that lack only the arc between them.
    let (_, board) = formats::parse("goal 2\n+-+-+\n|   |\n+-+-+", None).unwrap().pop().unwrap();
    let rules = Rules::<1, false>::new(&board);
    let value = |name| named(name, &rules, board.size).memo(&rules, &rules.start());
    assert_eq!(value("boxes-left"), Some(2));
    assert_eq!(value("corners"), Some(4));
    assert_eq!(value("corners:clamped"), Some(4));
    assert_eq!(value("shared-arcs"), Some(1));
    assert_eq!(value("relaxation"), Some(1));
}

#[test]
fn corners_go_on_ordering_where_the_course_s_number_is_below_zero() {
    // One of three boxes is asked for, so twice four is added to the course's number.
    let of = |text: &str| {
        let (_, board) = formats::parse(text, None).unwrap().pop().unwrap();
        let rules = Rules::<1, false>::new(&board);
        ["corners", "corners:clamped"]
            .map(|name| named(name, &rules, board.size).memo(&rules, &rules.start()))
    };
    assert_eq!(of("goal 1\n+-+-+-+\n|     |\n+ + + +"), [Some(4 - 2 + 8), Some(4 - 2)]);
    assert_eq!(of("goal 1\n+-+-+-+\n| | | |\n+ + + +"), [Some(8 + 4 - 6), Some(0)]);
    assert_eq!(of("goal 1\n+-+-+-+\n| | | |\n+ + +-+"), [Some(8 + 4 - 8), Some(0)]);
}

#[test]
fn an_arc_is_written_as_the_arc_above_or_left_of_a_box() {
    let written = |arc: Arc| arc.written(4);
    assert_eq!(written(Arc::horizontal(4, 0, 0)), "h 1,1");
    assert_eq!(written(Arc::horizontal(4, 3, 2)), "h 4,3");
    assert_eq!(written(Arc::vertical(4, 2, 4)), "v 3,5");
}

#[test]
fn moves_are_read_in_any_spacing() {
    assert_eq!(moves::parse("h 1,2 V3 , 4;h1,1\n, v 2,2").unwrap(), ["h 1,2", "v 3,4", "h 1,1", "v 2,2"]);
    assert_eq!(moves::parse("h 1 2").unwrap_err().span, Some(4..5));
    assert_eq!(moves::parse("x 1,2").unwrap_err().span, Some(0..1));
    assert_eq!(moves::parse("h 1,").unwrap_err().span, Some(4..4));
}
