//! What is pasted and what links ask for: told apart, chosen from, warned of; and what is odd about a board is shown.

use crate::chrome::{self, Tab};

fn paste(tab: &mut Tab, text: &str) {
    tab.show("#/play");
    tab.fill(".paste textarea", text);
    tab.click_button("Play it");
}

#[test]
#[ignore = "needs Chromium"]
fn a_start_and_a_goal_are_sliding_tiles_and_the_goal_is_shown() {
    let mut tab = chrome::open();
    paste(&mut tab, "1 2 3\n4 5 6\n7 0 8\n\n1 2 3\n4 5 6\n0 7 8\n");
    tab.wait("document.querySelector('.playing .tile')");
    assert_eq!(
        tab.eval("document.querySelectorAll('.aimed .tile').length"),
        8,
        "the goal is not the usual one"
    );
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_board_without_a_solution_is_warned_of() {
    let mut tab = chrome::open();
    paste(&mut tab, "sliding:3x3:2,1,3,4,5,6,7,8,0");
    tab.wait(
        "document.querySelector('.choice .problem')?.innerText.startsWith('This board has no solution')",
    );
    tab.click_button("Play it all the same");
    tab.wait("document.querySelector('.playing')");
    assert!(tab.text(".side .problem").starts_with("This board has no solution"));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_address_of_the_page_itself_is_read() {
    let mut tab = chrome::open();
    let address = format!("http://{}/#/watch/sliding:2x2:1,2,0,3?run=bfs", tab.server.address);
    paste(&mut tab, &address);
    tab.wait("location.hash === '#/play/sliding:2x2:1,2,0,3'");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn of_several_boards_one_is_chosen() {
    let mut tab = chrome::open();
    paste(&mut tab, "sliding:2x2:1,2,0,3\nsliding:2x2:1,0,3,2\n");
    tab.wait("document.querySelectorAll('.choice button').length === 2");
    // Each is seen, within its button.
    let within = tab.eval(
        "[...document.querySelectorAll('.choice button')].every((button) => {
           const [outer, inner] = [button, button.querySelector('.board')].map((one) => one.getBoundingClientRect());
           return inner.width > 20 && inner.left >= outer.left && inner.right <= outer.right;
         })",
    );
    assert_eq!(within, true);
    tab.click(".choice li:last-child button");
    tab.wait("location.hash === '#/play/sliding:2x2:1,0,3,2'");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn what_can_be_pasted_is_listed() {
    let mut tab = chrome::open();
    tab.show("#/play");
    tab.click(".paste summary");
    let puzzles = novelo_puzzles::PUZZLES.len();
    tab.wait(&format!("document.querySelectorAll('.formats dt').length === {puzzles}"));
    assert!(tab.text(".formats").contains("sliding:3x3:"));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_link_that_asks_for_what_there_is_not_says_so() {
    let mut tab = chrome::open();
    for view in [
        "watch/sliding:2x2:1,2,0,3?run=nothing",
        "race/sliding:2x2:1,2,0,3?runs=bfs;astar@nothing",
        "compare?runs=bfs:width=3",
        "watch/sliding:2x2:1,2,0,3?run=wastar:weight=heavy@manhattan",
        "watch/boxes:1x1:1:0?run=astar@corners:clamped=perhaps",
        "watch/sliding:2x2:1,2,0,3?run=bfs&nodes=few",
        "watch/sliding:2x2:1,2,0,3?run=bfs&seconds=1000000",
        "race/sliding:2x2:1,2,0,3?runs=bfs",
        "race/sliding:2x2:1,2,0,3?runs=bfs;dfs;bfs;dfs;bfs;dfs;bfs",
    ] {
        tab.show(&format!("#/{view}"));
        tab.wait("document.querySelector('form .problem')?.innerText.startsWith('The link asks for')");
    }
    // A limit that no field offers is kept all the same, and what is as it should be is no cause for complaint.
    tab.show("#/watch/boxes:1x1:1:0?run=astar@corners:clamped=true&seconds=7&nodes=9");
    tab.wait("document.querySelector('.outcome .verdict')?.innerText.startsWith('Solved')");
    assert_eq!(tab.eval("document.querySelector('form .problem').hidden"), true);
    let hash = tab.eval("location.hash");
    assert!(hash.as_str().unwrap().ends_with("run=astar@corners:clamped=true&seconds=7&nodes=9"), "{hash}");
    tab.finish();
}
