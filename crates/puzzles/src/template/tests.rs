//! What every puzzle's tests must show: print and parse agree, apply and undo agree, errors point, and the number of
//! states is right.

use novelo_search::Problem;

use super::*;

#[test]
fn reading_what_was_printed_gives_the_same() {
    for pressed in [false, true] {
        let button = Button { pressed };
        assert_eq!(Button::parse_id(&button.id()), Ok(button));
    }
    assert_eq!(instance::parse("button up\n"), Ok(Button { pressed: false }));
    assert_eq!(instance::parse("button  down"), Ok(Button { pressed: true }));
}

#[test]
fn errors_point_at_the_place() {
    assert_eq!(Button::parse_id("1x1:2").unwrap_err().span, Some(4..5));
    assert_eq!(Button::parse_id("2x2:0").unwrap_err().span, Some(0..3));
    assert_eq!(Button::parse_id("1x1").unwrap_err().span, Some(0..3));
    assert_eq!(instance::parse("button sideways").unwrap_err().span, Some(7..15));
}

#[test]
fn an_action_taken_back_leaves_no_trace() {
    let rules = Rules::new(Button { pressed: false });
    let (mut state, mut actions) = (rules.start(), Vec::new());
    rules.actions(&state, &mut actions);
    assert_eq!(actions, [Press]);
    let (cost, undo) = rules.apply(&mut state, Press);
    assert_eq!((cost, rules.is_goal(&state)), (1, true));
    rules.undo(&mut state, Press, undo);
    assert_eq!(state, rules.start());
}

#[test]
fn the_verifier_accepts_the_solution_and_nothing_else() {
    let check = |moves: &[&str]| {
        verify::check(Button { pressed: false }, &moves.iter().map(|&it| it.into()).collect::<Vec<_>>())
    };
    assert!(check(&["press"]).is_solution());
    assert!(!check(&[]).is_solution());
    assert_eq!(check(&["press", "press"]).failure.unwrap().at, 2);
    assert_eq!(check(&["pull"]).failure.unwrap().reason, "the only move is press");
}
