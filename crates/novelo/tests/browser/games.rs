//! What a player meets beside the moves: new games, two tabs, notes, the puzzle of the day, a review, boards of one's own.

use serde_json::json;

use crate::chrome::{self, Tab};
use crate::table::{By, solution};

const SLIDING: &str = "sliding:3x3:1,6,2,5,0,3,4,7,8";
const NUMBRIX: &str = "numbrix:4x4:1_2_3_4_12a14_5a16a6_10_9b";

fn hash(tab: &mut Tab) -> String {
    tab.eval("location.hash").as_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs Chromium"]
fn a_new_game_keeps_the_difficulty_and_the_keyboard() {
    let mut tab = chrome::open();
    tab.show(&format!("#/play/{SLIDING}?difficulty=hard"));
    tab.wait("document.querySelector('.playing')");
    tab.click_button("New");
    tab.wait(&format!("!location.hash.includes('{SLIDING}') && document.querySelector('.playing')"));
    tab.settled();
    assert!(hash(&mut tab).ends_with("?difficulty=hard"));
    assert!(tab.text(".heading").contains("hard"));
    // One of two opposite ways is open to every gap.
    tab.key("ArrowUp");
    tab.key("ArrowDown");
    tab.wait("Number(document.querySelector('.stats div:nth-child(2) dd').innerText) > 0");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn undo_waits_for_nobody_who_thinks() {
    let mut tab = chrome::open();
    // Its best solution is not found in the time there is, so the question is still open when the player goes on.
    tab.begin("sliding:5x5:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,0,21,22,23,24,20");
    tab.click_button("Solve");
    tab.wait("document.querySelector('.ending.shown')");
    tab.click_button("Undo");
    tab.wait("document.querySelector('.ending').hidden");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_number_is_written_over_ones_own() {
    let mut tab = chrome::open();
    tab.begin(NUMBRIX);
    // The cursor stands in the first empty cell.
    for key in ["1", "3", "Enter"] {
        tab.key(key);
    }
    tab.wait("document.querySelectorAll('.numbrix text.placed').length === 1");
    for key in ["1", "5", "Enter"] {
        tab.key(key);
    }
    tab.wait("document.querySelector('.numbrix text.placed')?.textContent === '15'");
    assert!(!tab.text(".message").contains('='), "nothing in the words of a command line");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn pencil_marks_are_noted_and_kept() {
    let mut tab = chrome::open();
    tab.begin(NUMBRIX);
    tab.key("m");
    tab.wait("document.querySelector('.pencil').getAttribute('aria-pressed') === 'true'");
    for key in ["1", "3", "Enter", "1", "5", "Enter"] {
        tab.key(key);
    }
    let noted = "[...document.querySelectorAll('.numbrix .noted')].map((text) => text.textContent).join()";
    tab.wait(&format!("{noted} === '13,15'"));
    assert_eq!(tab.text(".stats div:nth-child(2) dd"), "0", "a note is no move");
    tab.reload();
    tab.wait(&format!("{noted} === '13,15'"));
    tab.eval("document.querySelector('.playing').focus()");
    for key in ["1", "3", "Enter"] {
        tab.key(key);
    }
    tab.wait_moves(1);
    tab.wait(&format!("{noted} === ''"));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_clock_that_another_tab_has_stopped_locks_nobody_out() {
    let mut tab = chrome::open();
    tab.begin(SLIDING);
    let token = tab.eval("JSON.parse(localStorage.getItem('novelo.games'))[0].token");
    let path = format!("/api/games/{}", token.as_str().unwrap());
    tab.server.posted(&path, &json!({"do": "pause"}));
    tab.key("ArrowUp");
    tab.wait_moves(1);
    assert_eq!(tab.eval("document.querySelector('.stage').hidden"), false);
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_in_two_tabs_goes_on_when_one_is_left() {
    let mut tab = chrome::open();
    tab.begin(SLIDING);
    let token = tab.eval("JSON.parse(localStorage.getItem('novelo.games'))[0].token");
    let path = format!("/api/games/{}", token.as_str().unwrap());
    // What a tab does that is left: it stops the clock and says so in what the tabs share.
    tab.server.posted(&path, &json!({"do": "pause"}));
    tab.eval(
        "(() => { const games = JSON.parse(localStorage.getItem('novelo.games')); games[0].away = true;
         localStorage.setItem('novelo.games', JSON.stringify(games));
         dispatchEvent(new StorageEvent('storage', { key: 'novelo.games' })); })()",
    );
    tab.wait("!JSON.parse(localStorage.getItem('novelo.games'))[0].away");
    assert_eq!(tab.eval("document.querySelector('.curtain').hidden"), true);
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_that_was_won_is_not_offered_again() {
    let mut tab = chrome::open();
    tab.begin(SLIDING);
    tab.make("sliding", &solution(SLIDING), By::Keyboard, 0);
    tab.wait("document.querySelector('.ending.won')");
    tab.click_button("Undo");
    tab.wait("document.querySelector('.ending').hidden");
    tab.click(".again");
    tab.wait("document.querySelector('.today')");
    assert_eq!(tab.eval("document.querySelectorAll('.resumed, .games a').length"), 0);
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_win_is_felt_and_one_with_a_hint_sets_no_record() {
    let mut tab = chrome::open();
    let moves = solution(SLIDING);
    tab.begin(SLIDING);
    tab.key("h");
    tab.wait("document.querySelector('.message.hinted')");
    tab.make("sliding", &moves, By::Keyboard, 0);
    tab.wait("document.querySelector('.ending.won')?.innerText.includes('The best there is, with 1 hint.')");
    assert!(!tab.text(".ending").contains("best score"), "{}", tab.text(".ending"));
    assert_eq!(
        tab.eval("document.querySelector('.confetti')"),
        serde_json::Value::Null,
        "nothing flies where motion is unwanted"
    );
    // Without a hint it counts, and where motion is welcome it is seen.
    tab.lively();
    tab.eval("localStorage.clear()");
    tab.begin(SLIDING);
    tab.eval("new MutationObserver(() => document.querySelector('.confetti') && (window.flew = true)).observe(document.querySelector('main'), { childList: true, subtree: true })");
    tab.make("sliding", &moves, By::Keyboard, 0);
    tab.wait("document.querySelector('.ending.won')?.innerText.includes('A new best score for 3x3')");
    tab.wait("window.flew");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_win_is_reviewed() {
    let mut tab = chrome::open();
    tab.begin(SLIDING);
    // There and back costs two moves, both of which leave the best line or come back to it.
    let moves = solution(SLIDING);
    let (away, back) = if moves[0] == "U" { ("ArrowDown", "ArrowUp") } else { ("ArrowUp", "ArrowDown") };
    tab.key(away);
    tab.wait_moves(1);
    tab.key("ArrowLeft");
    tab.wait_moves(2);
    tab.key("ArrowRight");
    tab.wait("['1', '3'].includes(document.querySelector('.stats div:nth-child(2) dd').innerText)");
    tab.key(back);
    tab.wait("['0', '4'].includes(document.querySelector('.stats div:nth-child(2) dd').innerText)");
    let before: usize = tab.text(".stats div:nth-child(2) dd").parse().unwrap();
    tab.make("sliding", &moves, By::Keyboard, before);
    tab.wait("document.querySelector('.ending.won')");
    if before > 0 {
        tab.wait("document.querySelector('.ending').innerText.includes('The best solution takes 8 moves')");
    }
    tab.click_button("Review");
    tab.wait("document.querySelector('.ending').innerText.includes('the best line')");
    if before > 0 {
        tab.wait("document.querySelectorAll('.slips li').length > 0");
        assert!(tab.text(".slips").contains("2 moves more"), "{}", tab.text(".slips"));
        // Each shows the board as it was, and says so.
        tab.click(".slips button");
        tab.wait("document.querySelector('.message.hinted')?.innerText.startsWith('The board before move')");
        tab.wait("document.querySelector('.playing .pointed')");
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_aim_stands_above_the_first_game_and_the_rules_are_open() {
    let mut tab = chrome::open();
    tab.begin("boxes:2x2:2:a04");
    assert_eq!(tab.text(".heading .lead"), "Close 2 boxes · 0 arcs so far");
    assert_eq!(tab.eval("document.querySelector('.side details').open"), true);
    let title = tab.eval("document.querySelector('.stats div:last-child').title");
    assert!(title.as_str().unwrap().contains("less is better"), "the score says what it is");
    tab.begin("boxes:2x2:1:a04");
    assert_eq!(
        tab.eval("document.querySelector('.side details').open"),
        false,
        "the second time they are folded"
    );
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_puzzle_of_the_day_is_the_same_for_everyone() {
    let mut tab = chrome::open();
    let mut seen = Vec::new();
    for _ in 0..2 {
        tab.show("#/play");
        tab.wait("document.querySelector('.today')?.href");
        seen.push(tab.eval("document.querySelector('.today').getAttribute('href')"));
        tab.eval("localStorage.clear()");
    }
    assert_eq!(seen[0], seen[1]);
    tab.click(".today");
    tab.wait("document.querySelector('.playing')");
    assert!(tab.text(".heading").contains("puzzle of 2"), "{}", tab.text(".heading"));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn any_size_and_any_number_can_be_asked_for() {
    let mut tab = chrome::open();
    let mut boards = Vec::new();
    for _ in 0..2 {
        tab.show("#/play");
        tab.click("[aria-label='Size, number … of Sliding tiles']");
        tab.wait("document.querySelector('dialog').open");
        let fields = "document.querySelectorAll('dialog input')";
        tab.eval(&format!("{fields}[0].value = 2; {fields}[1].value = 6; {fields}[2].value = 1234"));
        tab.click("dialog .primary");
        tab.wait("document.querySelector('.playing')");
        boards.push(hash(&mut tab));
        assert!(tab.text(".heading").contains("2x6, normal, number 1234"), "{}", tab.text(".heading"));
    }
    assert_eq!(boards[0], boards[1], "a number is a puzzle");
    // A size that there is not is told in the dialog.
    tab.show("#/play");
    tab.click("[aria-label='Size, number … of Sliding tiles']");
    tab.eval("document.querySelectorAll('dialog input')[0].value = 999");
    tab.click("dialog .primary");
    tab.wait("document.querySelector('dialog .problem').innerText.length > 10");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_board_of_ones_own_is_drawn_judged_and_played() {
    let mut tab = chrome::open();
    // A maze: a block more makes another board, and the same again takes it away.
    tab.show("#/edit/mazes:3x3:3/3/3");
    tab.wait("document.querySelector('.mark.yes')");
    let middle = tab.spot(160.0, 160.0);
    tab.press(middle);
    tab.wait("location.hash === '#/edit/mazes:3x3:3/1x1/3'");
    tab.press(middle);
    tab.wait("location.hash === '#/edit/mazes:3x3:3/3/3'");
    // By keyboard, from there and back.
    tab.eval("document.querySelector('.playing').focus()");
    for key in ["ArrowRight", "ArrowLeft", "Enter"] {
        tab.key(key);
    }
    tab.wait("location.hash === '#/edit/mazes:3x3:3/1x1/3'");

    // Numbrix: nothing given has many solutions, four clues have one.
    tab.show("#/edit/numbrix:3x3:1c5_4b9");
    tab.wait("document.querySelector('.judged').innerText.includes('It is the only one.')");
    tab.click_button("Begin anew");
    tab.wait("location.hash === '#/edit/numbrix:3x3:i'");
    tab.wait("document.querySelector('.judged').innerText.includes('It is not the only one')");
    assert!(tab.text(".judged").contains("A* looks at"), "how hard it is");
    tab.eval("document.querySelector('.playing').focus()");
    tab.key("7");
    tab.wait("location.hash === '#/edit/numbrix:3x3:a7g'");

    // Sliding tiles: two that change places make a board without a solution.
    tab.show("#/edit/sliding:2x2:1,2,3,0");
    for x in [64.0, 164.0] {
        let at = tab.spot(x, 64.0);
        tab.press(at);
    }
    tab.wait("location.hash === '#/edit/sliding:2x2:2,1,3,0'");
    tab.wait("document.querySelector('.mark.no')?.innerText.startsWith('No solution')");

    // Boxes: an arc is drawn, and the game on it is played.
    tab.show("#/edit/boxes:1x1:1");
    let above = tab.spot(86.0, 36.0);
    tab.press(above);
    tab.wait("location.hash === '#/edit/boxes:1x1:1:8'");
    tab.wait("document.querySelector('.judged').innerText.includes('the best takes 3 arcs')");
    tab.click_button("Play it");
    tab.wait("document.querySelector('.stats')");
    assert_eq!(hash(&mut tab), "#/play/boxes:1x1:1:8");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_stack_of_ones_own_is_put_together_judged_and_played() {
    let mut tab = chrome::open();
    tab.show("#/play");
    tab.click("a[href='#/edit/pancake:5:3,1,4,2,5']");
    tab.wait("document.querySelector('.judged')?.innerText.includes('the best takes')");
    // The first of two that are chosen can be told from the cursor; with the second they change places.
    let [first, second] = [38.0, 126.0].map(|y| tab.spot(180.0, y));
    tab.press(first);
    tab.wait("document.querySelectorAll('.playing .held').length === 1");
    let colours = tab.eval("['.held', '.cursor:not(.held)'].map((one) => getComputedStyle(document.querySelector('.playing ' + one)).stroke)");
    assert_ne!(colours[0], colours[1]);
    tab.press(second);
    tab.wait("location.hash === '#/edit/pancake:5:4,1,3,2,5'");
    assert_eq!(tab.eval("document.querySelectorAll('.playing .held').length"), 0);
    // By keyboard, too.
    tab.eval("document.querySelector('.playing').focus()");
    for key in ["ArrowDown", "Enter", "ArrowDown", "Enter"] {
        tab.key(key);
    }
    tab.wait("location.hash === '#/edit/pancake:5:4,1,3,5,2'");
    // What a flip costs is kept when another stack is begun.
    tab.eval("(() => { const s = document.querySelector('.editor select'); s.value = 'weighted'; s.dispatchEvent(new Event('change')); })()");
    tab.wait("location.hash === '#/edit/pancake:5:4,1,3,5,2:weighted'");
    assert_eq!(tab.eval("document.querySelectorAll('.editor input').length"), 1, "a stack has one size");
    tab.fill(".editor input", "3");
    tab.click_button("Begin anew");
    tab.wait("location.hash === '#/edit/pancake:3:1,2,3:weighted'");
    let [first, second] = [38.0, 126.0].map(|y| tab.spot(150.0, y));
    tab.press(first);
    tab.press(second);
    tab.wait("document.querySelector('.judged').innerText.includes('the best takes 3 points')");
    tab.click_button("Play it");
    tab.wait("document.querySelector('.stats')");
    assert_eq!(hash(&mut tab), "#/play/pancake:3:3,2,1:weighted");
    tab.finish();
}
