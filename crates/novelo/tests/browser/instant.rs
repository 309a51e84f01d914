//! Instant to the finger: strokes arrive whole however slow the answers are, and what is moved is drawn at once.

use serde_json::json;

use crate::chrome::{self, Tab};

/// A stroke along a row of 21 cells: the board, and where in its picture the stroke begins.
const STROKES: [(&str, f64, f64); 3] = [
    ("numbrix:2x21:1t_42t", 60.0, 60.0),
    ("mazes:2x21:21/21", 60.0, 160.0),
    ("boxes:1x20:20:0000000000000000", 36.0, 36.0),
];

fn slow_down(tab: &mut Tab) {
    tab.call(
        "Network.emulateNetworkConditions",
        json!({"offline": false, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}),
    );
}

#[test]
#[ignore = "needs Chromium"]
fn a_quick_stroke_over_20_cells_arrives_whole() {
    let mut tab = chrome::open();
    for (instance, x, y) in STROKES {
        tab.begin(instance);
        slow_down(&mut tab);
        let start = tab.spot(x, y);
        tab.mouse("mouseMoved", start, 0);
        tab.mouse("mousePressed", start, 1);
        // A hand is quicker than the browser tells: two events for the whole row.
        for far in [10.0, 20.0] {
            let at = tab.spot(x + 100.0 * far, y);
            tab.mouse("mouseMoved", at, 1);
        }
        let end = tab.spot(x + 2000.0, y);
        tab.mouse("mouseReleased", end, 0);
        tab.wait_moves(20);
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_finger_draws_as_a_mouse_does() {
    let mut tab = chrome::open();
    tab.be_a_phone();
    for (instance, x, y) in STROKES {
        tab.begin(instance);
        slow_down(&mut tab);
        let start = tab.spot(x, y);
        tab.touch("touchStart", start);
        for far in [1.0, 10.0, 20.0] {
            let at = tab.spot(x + 100.0 * far, y);
            tab.touch("touchMove", at);
        }
        tab.touch("touchEnd", start);
        tab.wait_moves(20);
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_tile_follows_the_finger_at_once() {
    let mut tab = chrome::open();
    tab.begin("sliding:3x3:1,6,2,5,0,3,4,7,8");
    slow_down(&mut tab);
    let tile = "[...document.querySelectorAll('.playing .tile')].find((tile) => tile.textContent === '6').style.transform";
    let before = tab.eval(tile);
    let [start, on, far] = [(164.0, 64.0), (164.0, 94.0), (164.0, 160.0)].map(|(x, y)| tab.spot(x, y));
    tab.mouse("mouseMoved", start, 0);
    tab.mouse("mousePressed", start, 1);
    tab.mouse("mouseMoved", on, 1);
    tab.mouse("mouseMoved", on, 1);
    assert_ne!(tab.eval(tile), before, "it moves with the hand");
    tab.mouse("mouseMoved", far, 1);
    tab.mouse("mouseReleased", far, 0);
    assert_eq!(
        tab.eval(tile),
        "translate(114px, 114px)",
        "and lies in the gap before the server has answered"
    );
    assert_eq!(tab.text(".stats div:nth-child(2) dd"), "0");
    tab.wait_moves(1);
    tab.finish();
}
