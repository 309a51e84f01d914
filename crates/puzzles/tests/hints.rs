//! Hints are never wrong: followed from any position that can be solved they
//! win, and in any other they name the fewest moves to take back.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::session::{Hint, Session, Status};
use novelo_puzzles::{GenerateRequest, PUZZLES, Request, Size, puzzle};
use proptest::prelude::*;

static NEVER: AtomicBool = AtomicBool::new(false);

fn tries(session: &Session) -> Vec<String> {
    session.snapshot().view.unwrap().tries()
}

/// Plays some moves by chance; each number picks one of those there are.
fn wander(session: &mut Session, picks: &[usize]) {
    for pick in picks {
        let moves = tries(session);
        if let Some(made) = moves.get(pick % moves.len().max(1)) {
            // A number that is on the board already is refused; then nothing happens.
            let _ = session.play(made);
        }
    }
}

/// Whether some sequence of moves wins, found by trying them all. Taking back
/// is left to the search; a number is written where it can only be, beside the
/// one below it.
fn can_be_won(session: &mut Session) -> bool {
    match session.status() {
        Status::Won => return true,
        Status::Lost { .. } => return false,
        Status::Playing => {}
    }
    let view = session.snapshot().view.unwrap();
    let on_board = |value: usize| view.cells.iter().any(|cell| cell.value.map(usize::from) == Some(value));
    let next = (1..=view.cells.len()).find(|&value| !on_board(value)).unwrap_or(0);
    let suffix = format!("={next}");
    for made in tries(session) {
        if made.contains('=') && (!made.ends_with(&suffix) || made.ends_with("==")) {
            continue;
        }
        let before = session.moves().len();
        if session.play(&made).is_err() || session.moves().len() <= before {
            // Refused, or a step back; that one is to be made again.
            if session.moves().len() < before {
                session.redo();
            }
            continue;
        }
        let won = can_be_won(session);
        session.undo();
        if won {
            return true;
        }
    }
    false
}

fn made(name: &str, size: Size, seed: u64) -> Session {
    let request = GenerateRequest { size: Some(size), seed, ..GenerateRequest::default() };
    Session::new(puzzle(name).unwrap().generate(&request, 0, &NEVER).unwrap())
}

/// Follows hints to the win; where the position is dead, as many moves as the
/// hint says are taken back first, and every one of them was needed.
fn follow(session: &mut Session, exhaustive: bool) {
    let mut asked = 0;
    loop {
        match session.hint(&Request::default(), &NEVER) {
            Hint::Won => break,
            Hint::Play { play, left, .. } => {
                session.play(&play).unwrap();
                asked += 1;
                assert!(left + asked < 500, "the hints lead in circles");
            }
            Hint::TakeBack { moves } => {
                assert_eq!(asked, 0, "a hint has led astray");
                for _ in 0..moves {
                    if exhaustive {
                        assert!(!can_be_won(session), "the hint takes back too much");
                    }
                    assert!(session.undo());
                }
                if exhaustive {
                    assert!(can_be_won(session), "the hint takes back too little");
                }
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(session.status(), Status::Won);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn sliding(seed in 0..1000u64, picks in prop::collection::vec(0..64usize, 0..30)) {
        let mut session = made("sliding", Size { rows: 3, cols: 3 }, seed);
        wander(&mut session, &picks);
        follow(&mut session, false);
    }

    #[test]
    fn numbrix(seed in 0..1000u64, picks in prop::collection::vec(0..1000usize, 0..6)) {
        let mut session = made("numbrix", Size { rows: 3, cols: 3 }, seed);
        wander(&mut session, &picks);
        follow(&mut session, true);
    }

    #[test]
    fn larger_numbrix(seed in 0..1000u64, picks in prop::collection::vec(0..10_000usize, 0..12)) {
        let mut session = made("numbrix", Size { rows: 6, cols: 6 }, seed);
        wander(&mut session, &picks);
        follow(&mut session, false);
    }

    #[test]
    fn mazes(seed in 0..1000u64, picks in prop::collection::vec(0..64usize, 0..16)) {
        let mut session = made("mazes", Size { rows: 4, cols: 5 }, seed);
        wander(&mut session, &picks);
        follow(&mut session, true);
    }

    #[test]
    fn boxes(seed in 0..1000u64, picks in prop::collection::vec(0..64usize, 0..6)) {
        let mut session = made("boxes", Size { rows: 3, cols: 3 }, seed);
        let par = session.adviser().par(&Request::default(), &NEVER).unwrap().unwrap();
        wander(&mut session, &picks);
        follow(&mut session, false);
        if picks.is_empty() {
            prop_assert_eq!(session.snapshot().cost, par.cost);
        }
    }

    #[test]
    fn pancakes(seed in 0..1000u64, picks in prop::collection::vec(0..64usize, 0..12)) {
        let mut session = made("pancake", Size::line(8), seed);
        wander(&mut session, &picks);
        follow(&mut session, false);
    }

    /// Every position that a game goes through comes again in undoing and redoing.
    #[test]
    fn undone_and_made_again(which in 0..PUZZLES.len(), seed in 0..1000u64, picks in prop::collection::vec(0..1000usize, 0..25)) {
        let info = PUZZLES[which].info();
        let mut session = made(info.name, info.sizes[0].parse().unwrap(), seed);
        let mut views = vec![session.snapshot().view];
        for pick in picks {
            wander(&mut session, &[pick]);
            views.truncate(session.moves().len());
            views.push(session.snapshot().view);
        }
        for view in views.iter().rev().skip(1) {
            prop_assert!(session.undo());
            prop_assert_eq!(&session.snapshot().view, view);
        }
        prop_assert!(!session.undo());
        for view in views.iter().skip(1) {
            prop_assert!(session.redo());
            prop_assert_eq!(&session.snapshot().view, view);
        }
        prop_assert_eq!(Session::load(&session.save()).unwrap().save(), session.save());
    }
}
