//! Whole games from text scripts: what a player does, and what must come of it.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use novelo_puzzles::Request;
use novelo_puzzles::session::{Hint, Session, Snapshot, Status};

static NEVER: AtomicBool = AtomicBool::new(false);

fn numbers(list: &[usize]) -> String {
    list.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

/// What a line of a script asks to see, in the script's own words.
fn seen(session: &mut Session, what: &str) -> String {
    let snapshot = session.snapshot();
    match what {
        "status" => match snapshot.status {
            Status::Playing => "playing".into(),
            Status::Won => "won".into(),
            Status::Lost { reason } => format!("lost: {reason}"),
        },
        "progress" => format!("{} of {}", snapshot.progress.done, snapshot.progress.total),
        "cost" => snapshot.cost.to_string(),
        "last" => snapshot.last.unwrap_or_default(),
        "par" => {
            let par = session.adviser().par(&Request::default(), &NEVER).unwrap().unwrap();
            assert!(par.proved);
            par.cost.to_string()
        }
        "hint" => match session.hint(&Request::default(), &NEVER) {
            Hint::Play { play, left, proved: true, .. } => format!("{play} {left} left"),
            Hint::TakeBack { moves } => format!("take back {moves}"),
            Hint::Hopeless => "hopeless".into(),
            other => format!("{other:?}"),
        },
        "check" => {
            let wrong = session.check(&Request::default(), &NEVER).unwrap().wrong;
            match (&wrong.cells[..], &wrong.arcs[..]) {
                ([], []) => "nothing".into(),
                (cells, []) => {
                    let mut cells = cells.to_vec();
                    cells.sort_unstable();
                    format!("wrong cells {}", numbers(&cells))
                }
                (_, arcs) => format!("wrong arcs {}", numbers(arcs)),
            }
        }
        other => panic!("'{other}' is no word of a script"),
    }
}

/// Undone to the start and made again to the end, a game goes through the same
/// positions; saved and loaded, it is the same game.
fn there_and_back(session: &mut Session) {
    let still = |session: &Session| Snapshot { seconds: 0, score: None, ..session.snapshot() };
    session.mark(&novelo_puzzles::session::Check::nothing(""));
    let mut states = vec![still(session)];
    while session.undo() {
        states.push(still(session));
    }
    assert_eq!(states.len(), states[0].moves + 1);
    let fresh = Session::new(session.instance().clone());
    assert_eq!(still(session).view, fresh.snapshot().view);
    let mut loaded = Session::load(&session.save()).unwrap();
    for state in states.iter().rev() {
        let shown = |state: &Snapshot| (state.view.clone(), state.status.clone(), state.cost, state.progress);
        assert_eq!(shown(&still(session)), shown(state));
        assert_eq!(still(&loaded), still(session));
        assert_eq!(Session::load(&loaded.save()).unwrap().save(), loaded.save());
        assert_eq!(loaded.redo(), session.redo());
    }
}

fn run(script: &Path) {
    let text = fs::read_to_string(script).unwrap();
    let mut session: Option<Session> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = format!("{}, line {}: {line}", script.display(), number + 1);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "instance" {
            session.iter_mut().for_each(there_and_back);
            session = Some(Session::from_id(rest).unwrap_or_else(|error| panic!("{place}: {error}")));
            continue;
        }
        let game = session.as_mut().expect("a script begins with an instance");
        match word {
            "play" => game.play(rest).unwrap_or_else(|refusal| panic!("{place}: {refusal}")),
            "refuse" => {
                let (made, reason) = rest.split_once(": ").unwrap();
                let before = game.snapshot();
                let refusal = game.play(made).expect_err(&place);
                assert_eq!(refusal.to_string(), reason, "{place}");
                assert_eq!(game.snapshot().view, before.view, "{place}");
            }
            "undo" => assert!(game.undo(), "{place}"),
            "redo" => assert!(game.redo(), "{place}"),
            "restart" => game.restart(),
            word => assert_eq!(seen(game, word), rest, "{place}"),
        }
    }
    session.iter_mut().for_each(there_and_back);
}

#[test]
fn scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games");
    let scripts: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(scripts.len() >= 4);
    scripts.iter().for_each(|script| run(script));
}

#[test]
fn damaged_games_say_what_is_wrong_and_where() {
    let mut session = Session::from_id("sliding:3x3:1,2,3,4,5,6,0,7,8").unwrap();
    session.play("R").unwrap();
    session.play("R").unwrap();
    session.undo();
    let whole = session.save();
    let wrong = |text: &str| Session::load(text).unwrap_err().to_string();
    assert_eq!(wrong(""), "line 1: the file ends before the first line");
    assert_eq!(wrong("hello"), "line 1: this is no saved game, which begins with 'novelo game 1'");
    let change = |from: &str, to: &str| wrong(&whole.replacen(from, to, 1));
    assert_eq!(
        change("5,6", "5,5"),
        "line 2: the instance cannot be read: tile 5 again: it is in row 2, column 2 already"
    );
    assert_eq!(
        change("instance ", ""),
        "line 2: 'instance …' should stand here, not 'sliding:3x3:1,2,3,4,5,6,0,7,8'"
    );
    assert_eq!(change("hints 0", "hints none"), "line 4: 'none' is not a number of hints");
    assert_eq!(change("up no", "up maybe"), "line 5: 'maybe' is neither yes nor no");
    assert_eq!(change("made 1", "made 3"), "line 6: '2, made 3' is not of the form '5, made 3'");
    assert_eq!(
        change("\nR", "\nL"),
        "line 7: 'L' cannot be played: the gap is at the edge: it cannot go that way"
    );
    let cut = whole.strip_suffix("R\n").unwrap();
    assert_eq!(wrong(cut), "line 8: the file ends before move 2 of 2");
    assert_eq!(wrong(&format!("{whole}U\n")), "line 9: 'U' stands after the last of 2 moves");
}

#[test]
fn a_pause_hides_the_board_and_stops_play() {
    let mut session = Session::from_id("boxes:2x2:2").unwrap();
    session.play("h 1,1").unwrap();
    session.pause();
    assert!(session.snapshot().paused && session.snapshot().view.is_none());
    assert_eq!(session.play("h 1,2").unwrap_err().to_string(), "the game is paused");
    assert!(!session.undo());
    session.resume();
    assert!(session.undo());
}

#[test]
fn a_solve_finishes_the_game_without_a_score_and_can_be_undone() {
    for (id, moves) in [
        ("sliding:3x3:8,6,7,2,5,4,3,0,1", &[][..]),
        ("numbrix:3x3:1b6b7b", &["3,3=8", "2,2=5"]),
        ("mazes:4x4:4/1xxx/4/4", &["R", "U"]),
        ("boxes:2x2:2", &["h 3,1"]),
    ] {
        let mut session = Session::from_id(id).unwrap();
        moves.iter().for_each(|made| session.play(made).unwrap());
        let played = session.solve(&Request::default(), &NEVER).unwrap().unwrap();
        assert_eq!(session.status(), Status::Won, "{id}");
        assert_eq!(session.snapshot().score, None);
        played.iter().for_each(|_| assert!(session.undo()));
        assert_eq!(session.status(), Status::Playing);
        assert!(session.snapshot().gave_up);
    }
}

#[test]
fn a_solve_after_the_win_takes_no_score_away() {
    let mut session = Session::from_id("sliding:2x2:1,2,0,3").unwrap();
    session.play("R").unwrap();
    assert_eq!(session.solve(&Request::default(), &NEVER), Ok(Some(Vec::new())));
    assert!(session.snapshot().score.is_some());
}

#[test]
fn hints_cost_twenty_seconds_each() {
    let mut session = Session::from_id("sliding:3x3:8,6,7,2,5,4,3,0,1").unwrap();
    let Hint::Play { left: 31, .. } = session.hint(&Request::default(), &NEVER) else { panic!() };
    session.hint(&Request::default(), &NEVER);
    let snapshot = session.snapshot();
    assert_eq!((snapshot.hints, snapshot.score), (2, Some(snapshot.seconds + 40)));
}
