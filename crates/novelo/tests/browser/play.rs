//! Play: whole games by mouse and by keyboard, and what may happen in between.

use novelo_puzzles::PUZZLES;

use crate::chrome;
use crate::table::{By, solution};

const SLIDING: &str = "sliding:3x3:1,6,2,5,0,3,4,7,8";
const GAMES: &[(&str, &str)] = &[
    ("sliding", SLIDING),
    ("numbrix", "numbrix:4x4:1_2_3_4_12a14_5a16a6_10_9b"),
    ("mazes", "mazes:5x5:3x1/1x1x1/1x1x1/1x1x1/1x3"),
    ("boxes", "boxes:2x2:2:a04"),
    ("template", "template:1x1:0"),
];

fn win_all(by: By) {
    let mut tab = chrome::open();
    for &(puzzle, instance) in GAMES {
        tab.begin(instance);
        tab.make(puzzle, &solution(instance), by, 0);
        tab.wait("document.querySelector('.ending.won')");
        assert!(tab.text(".ending").contains("Solved!"), "{puzzle} {by:?}");
        // Nobody does better than the solver, whose moves these are.
        tab.wait("document.querySelector('.ending').innerText.includes('Nobody can do better')");
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn every_puzzle_is_won_by_mouse() {
    win_all(By::Mouse);
}

#[test]
#[ignore = "needs Chromium"]
fn every_puzzle_is_won_by_keyboard() {
    win_all(By::Keyboard);
}

#[test]
#[ignore = "needs Chromium"]
fn hint_undo_reload_and_pause_keep_the_game() {
    let mut tab = chrome::open();
    let moves = solution(SLIDING);
    tab.begin(SLIDING);
    tab.make("sliding", &moves[..3], By::Keyboard, 0);
    tab.key("h");
    tab.wait("document.querySelector('.message.hinted')?.innerText.startsWith('Next: gap')");
    tab.wait("document.querySelector('.playing .pointed')");
    tab.key("u");
    tab.wait_moves(2);
    tab.reload();
    tab.wait_moves(2);
    assert!(!tab.eval("document.querySelector('[title^=Redo]').disabled").as_bool().unwrap());
    tab.key("Tab");
    tab.eval("document.querySelector('.playing').focus()");
    tab.key("r");
    tab.wait_moves(3);
    let wide = |selector: &str| format!("document.querySelector('{selector}').getBoundingClientRect().width");
    let board = tab.eval(&wide(".playing"));
    tab.click_button("Pause");
    tab.wait("document.querySelector('.stage').hidden");
    assert_eq!(tab.eval(&wide(".curtain")), board, "what hides the board is as large");
    tab.click_button("Go on");
    tab.wait("!document.querySelector('.stage').hidden");
    tab.make("sliding", &moves[3..], By::Mouse, 3);
    tab.wait("document.querySelector('.ending.won')");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_link_shows_the_same_board() {
    let mut tab = chrome::open();
    tab.show("#/play");
    assert_eq!(tab.eval("document.querySelectorAll('.card').length"), PUZZLES.len());
    tab.click(".card .primary");
    tab.wait("document.querySelector('.playing')");
    let link = tab.eval("location.hash").as_str().unwrap().to_owned();
    assert!(link.starts_with("#/play/sliding:"), "{link}");
    let board = "[...document.querySelectorAll('.playing .tile')].map((t) => t.textContent + t.style.transform).join()";
    let seen = tab.eval(board);
    tab.show("#/learn");
    tab.eval("localStorage.clear()");
    tab.show(&link);
    tab.wait("document.querySelector('.playing')");
    assert_eq!(tab.eval(board), seen);
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_move_that_is_refused_says_why() {
    let mut tab = chrome::open();
    // From the corner the thread cannot leave the board.
    tab.begin("mazes:5x5:3x1/1x1x1/1x1x1/1x1x1/1x3");
    tab.key("ArrowDown");
    tab.wait("document.querySelector('.message.refused')?.innerText.length > 10");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn solving_shows_the_way_and_can_be_undone() {
    let mut tab = chrome::open();
    tab.begin("boxes:2x2:2:a04");
    tab.click_button("Solve");
    tab.wait("document.querySelector('.ending.shown')");
    tab.click_button("Undo");
    tab.wait("document.querySelector('.ending').hidden");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_lost_game_is_still_helped() {
    let mut tab = chrome::open();
    tab.begin("mazes:3x3:3/3/3");
    for way in ["ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp"] {
        tab.key(way);
    }
    tab.wait("document.querySelector('.ending.lost')");
    assert!(tab.text(".ending").contains("The end is reached, but 4 cells are not visited."));
    tab.click_button("Hint");
    tab.wait("document.querySelector('.message')?.innerText.includes('Take back 1 move.')");
    tab.click_button("Undo");
    tab.wait("document.querySelector('.ending').hidden");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_left_for_another_view_is_offered_again() {
    let mut tab = chrome::open();
    tab.begin(SLIDING);
    tab.make("sliding", &solution(SLIDING)[..2], By::Keyboard, 0);
    tab.click(".again");
    tab.wait("document.querySelector('.resumed')");
    assert!(tab.text(".resumed").contains("3x3, 2 moves"));
    tab.click(".resumed");
    tab.wait("document.querySelector('.playing')");
    tab.wait_moves(2);
    assert_eq!(tab.eval("document.querySelector('.stage').hidden"), false, "the clock runs on by itself");
    tab.finish();
}

/// What may be wrong with each puzzle's text, and what the page says of it.
const BAD: [(&str, &str); 21] = [
    ("", "There is nothing to read yet. Paste an instance above."),
    ("chess:8x8:1", "This does not look like any puzzle. Choose the puzzle: sliding, numbrix, mazes, boxes"),
    ("sliding:3x3:1,2,3,4,5,6,7,8,9", "Tile 9 is too large, the largest here is 8."),
    ("sliding:3x3:1,2,3", "A 3x3 board has 9 cells, but there are 3 here. Missing: 0, 4, 5, 6, 7, 8."),
    ("sliding:99x99:1", "Number of rows 99 is too large, the largest here is 16."),
    ("1 2 3\n4 5 6\n7 8", "This row has 2 cells, the first has 3. All rows of a board are equally long"),
    ("1 2 3\n4 5 5\n7 8 0", "Tile 5 again: it is in row 2, column 2 already."),
    ("numbrix:3x3:1c5_4b99", "Number 99 is too large, the largest here is 9."),
    ("numbrix:3x3:1c1_4b9", "1 again: it is in row 1, column 1 already."),
    ("numbrix:3x3:1c5?4b9", "'?' does not belong in an id."),
    ("numbrix:3x3:1", "A 3x3 board has 9 cells, but there are 1 here."),
    ("mazes:6x6:2xx2/5x/6/6/6", "There are 5 rows, but the size says 6."),
    ("mazes:6x6:2xx2/5x/6/6/6/7", "Row 6 has more than the 6 cells that the size says."),
    ("mazes:6x6:2xx2/5x/6/6/6/6:RZ", "'Z' is not a step."),
    ("mazes:3x3:3/3/x2", "The path starts at the bottom left, but that cell is blocked."),
    ("S..\n.?.\n..E", "'?' is not a cell. In a picture . is an empty cell, # a blocked one"),
    ("boxes:2x2:2:zz", "'z' is not a hexadecimal digit."),
    ("boxes:2x2:x:a04", "'x' is not a number of boxes to close."),
    ("boxes:2x2:2:fffff", "A 2x2 board has 12 arcs and so 3 digits, but there are 5 here."),
    ("numbrix:3x3:<b>1</b>", "'<' does not belong in an id."),
    ("<img src=x onerror=alert(1)>", "This does not look like any puzzle."),
];

#[test]
#[ignore = "needs Chromium"]
fn bad_input_is_answered_next_to_the_text() {
    let mut tab = chrome::open();
    tab.show("#/play");
    for (text, words) in BAD {
        tab.fill(".paste textarea", text);
        if text.is_empty() {
            tab.eval("document.querySelector('.paste textarea').value = ''");
        }
        tab.eval("document.querySelector('.paste .problem').textContent = ''");
        tab.click_button("Play it");
        tab.wait("document.querySelector('.paste .problem').innerText.length > 10");
        let message = tab.text(".paste .problem");
        assert!(message.contains(words), "{text:?}: {message}");
        assert_eq!(tab.eval("document.querySelectorAll('main img').length"), 0);
    }
    tab.fill(".paste textarea", "1 2 3\n4 x 6\n7 8 0");
    tab.eval("document.querySelector('.paste select').value = 'sliding'");
    tab.click_button("Play it");
    tab.wait("document.querySelector('.paste .problem').innerText.includes(\"'x'\")");
    let marked = "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))";
    assert_eq!(tab.eval(&format!("{marked}(document.querySelector('.paste textarea'))")), "x");
    tab.show("#/play/nonsense:1");
    tab.wait("document.querySelector('.problem.unloaded')?.innerText.length > 10");
    tab.click("main a.button");
    let puzzles = novelo_puzzles::PUZZLES.len();
    tab.wait(&format!("document.querySelectorAll('.card').length === {puzzles}"));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn hostile_text_stays_text() {
    let mut tab = chrome::open();
    let evil = "<img src=x onerror=window.hacked=1>";
    let sent = evil.replace('<', "%3C").replace('>', "%3E").replace(' ', "%20");
    for view in ["play", "watch", "race", "learn"] {
        tab.show(&format!("#/{view}/{sent}"));
        tab.wait("document.querySelector('.problem.unloaded')?.innerText.length > 10");
    }
    assert!(tab.text(".problem").contains(evil), "Learn repeats what it was asked for");
    tab.show(&format!("#/compare?instances={sent}&runs={sent}"));
    tab.wait("document.querySelector('.problem.unloaded')?.innerText.length > 10");
    // The name of an instance is text of its file, and is shown.
    tab.show("#/compare");
    tab.click("details summary");
    tab.fill(".changing textarea", &format!("{evil} | 3x3 | 1 2 3 4 5 6 7 0 8"));
    tab.click_button("Add them");
    tab.wait("document.querySelectorAll('.picked li').length === 4");
    assert_eq!(tab.text(".picked li:last-child code"), evil);
    // Markup in a heuristic's parameters comes back in the complaint.
    tab.show(&format!("#/watch/{SLIDING}?run=astar@manhattan:{sent}"));
    tab.wait("document.querySelector('form .problem')?.innerText.length > 10 || document.querySelector('.verdict')");
    assert_eq!(tab.eval("window.hacked === undefined && !document.querySelector('img[src=x]')"), true);
    tab.finish();
}
