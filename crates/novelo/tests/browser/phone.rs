//! The page under a thumb, and before a room.

use serde_json::json;

use crate::chrome::{self, Tab};
use crate::table::{By, solution};

const GAMES: [&str; 4] = [
    "sliding:3x3:1,6,2,5,0,3,4,7,8",
    "numbrix:5x5:21b12c18b23c9a3a5f",
    "mazes:5x5:3x1/1x1x1/1x1x1/1x1x1/1x3",
    "boxes:2x2:2:a04",
];

fn phone() -> Tab {
    let mut tab = chrome::open();
    tab.be_a_phone();
    tab
}

/// Whether the middle of the button with a word can be touched as the page lies: in sight, and under nothing else.
fn touchable(tab: &mut Tab, word: &str) -> bool {
    let at = tab.eval(&format!(
        "(() => {{ const button = [...document.querySelectorAll('main button')].find((b) => b.innerText.trim() === {});
         const box = button.getBoundingClientRect();
         return button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }})()",
        json!(word)
    ));
    at == true
}

#[test]
#[ignore = "needs Chromium"]
fn undo_and_hint_are_under_the_thumb() {
    let mut tab = phone();
    for game in GAMES {
        tab.show(&format!("#/play/{game}"));
        tab.wait("document.querySelector('.playing')");
        assert!(touchable(&mut tab, "Undo") && touchable(&mut tab, "Hint"), "{game}");
        let wide = tab.eval("document.documentElement.scrollWidth <= 390");
        assert_eq!(wide, true, "{game} is no wider than the screen");
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_finger_that_scrolls_over_numbrix_writes_nothing() {
    let mut tab = phone();

    tab.show("#/play/numbrix:5x5:21b12c18b23c9a3a5f");
    tab.wait("document.querySelector('.playing')");
    // From an empty cell in the middle of the board upwards.
    let from = tab.spot(160.0, 460.0);
    tab.eval("scrollTo(0, 0)");
    tab.touch("touchStart", from);
    for i in 1..=10 {
        tab.touch("touchMove", [from[0], from[1] - 25.0 * f64::from(i)]);
    }
    tab.touch("touchEnd", from);
    tab.wait("scrollY > 0");
    assert_eq!(tab.text(".stats div:nth-child(2) dd"), "0");
    assert_eq!(tab.eval("document.querySelectorAll('.numbrix text.placed').length"), 0);
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn after_a_win_the_next_game_can_be_touched() {
    let mut tab = phone();
    let game = GAMES[0];
    tab.begin(game);
    tab.make("sliding", &solution(game), By::Keyboard, 0);
    tab.wait("document.querySelector('.ending.won')");
    tab.wait("document.querySelector('.ending').innerText.includes('Nobody can do better')");
    assert!(touchable(&mut tab, "New game"));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn what_flies_after_a_win_moves_nothing_out_of_the_screen() {
    let mut tab = phone();
    tab.lively();
    tab.begin("sliding:3x3:1,2,3,4,5,6,7,0,8");
    tab.eval(
        "(() => { window.widest = 0; const look = () => { widest = Math.max(widest, innerWidth); requestAnimationFrame(look); }; look(); })()",
    );
    tab.key("ArrowRight");
    tab.wait("document.querySelector('.confetti')");
    tab.wait("!document.querySelector('.confetti')");
    assert_eq!(tab.eval("widest"), 390);
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_nodes_of_a_tree_are_large_enough_for_a_finger() {
    let mut tab = phone();
    tab.show("#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=bfs&show=tree");
    tab.click("[aria-label='After the last expansion']");
    tab.wait("document.querySelectorAll('.forest .node').length > 20");
    let least = tab.eval("Math.min(...[...document.querySelectorAll('.forest .node.frontier .halo, .forest .node.expanded .halo')].map((halo) => halo.getBoundingClientRect().width))");
    assert!(least.as_f64().unwrap() >= 44.0, "{least}");
    // And the player is right below the picture.
    let gap = tab.eval("document.querySelector('.tree .transport').getBoundingClientRect().top - document.querySelector('.forest').getBoundingClientRect().bottom");
    assert!((0.0..100.0).contains(&gap.as_f64().unwrap()), "{gap}");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn neither_overview_nor_buttons_lie_over_the_node_in_hand() {
    let mut tab = phone();
    tab.show("#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=astar@manhattan&show=tree");
    tab.wait("document.querySelector('.forest .node')");
    let covered = tab.eval(
        "(() => {
           const slider = document.querySelector('.transport input[type=range]');
           const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
           const over = (a, b) => b && a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
           return Array.from({ length: Number(slider.max) }, (_, i) => i + 1).filter((at) => {
             slider.value = at;
             slider.dispatchEvent(new Event('input'));
             const node = box('.forest .node.current');
             return over(node, box('.map:not([hidden])')) || over(node, box('.zoom')) || !over(node, box('.forest'));
           });
         })()",
    );
    assert_eq!(covered, json!([]));
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn two_searches_and_what_plays_them_are_on_one_screen() {
    let mut tab = phone();
    tab.show("#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=astar@manhattan&with=bfs&show=beside");
    tab.wait("document.querySelectorAll('.besides .forest .node').length > 1");
    let heights = tab.eval(
        "(() => { const [first, second] = [...document.querySelectorAll('.besides .forest')].map((one) => one.getBoundingClientRect());
         const top = document.querySelector('.segments').getBoundingClientRect().top;
         const nav = document.querySelector('.top nav').getBoundingClientRect();
         return [second.bottom - top, innerHeight - nav.height, first.height]; })()",
    );
    let [used, screen, tree] = [0_usize, 1, 2].map(|i| heights[i].as_f64().unwrap());
    assert!(used <= screen, "{used} of {screen}");
    assert!(tree >= 180.0, "{tree}");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_room_sees_large_type_over_the_whole_width() {
    let mut tab = chrome::open();
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        json!({"width": 1920, "height": 1080, "deviceScaleFactor": 1, "mobile": false}),
    );
    tab.show("#/compare");
    let wide = "document.querySelector('main').getBoundingClientRect().width";
    let narrow = tab.eval(wide).as_f64().unwrap();
    tab.click("#present");
    assert_eq!(tab.eval("getComputedStyle(document.documentElement).fontSize"), "22px");
    assert!(tab.eval(wide).as_f64().unwrap() > narrow + 300.0);
    tab.click_button("Compare");
    tab.wait("document.querySelector('.charts img')?.naturalWidth > 0");
    assert!(
        tab.eval("document.querySelector('.charts img').getBoundingClientRect().width").as_f64().unwrap()
            > 1200.0
    );
    tab.reload();
    assert_eq!(tab.eval("document.getElementById('present').getAttribute('aria-pressed')"), "true");
    tab.click("#present");
    assert_eq!(tab.eval("getComputedStyle(document.documentElement).fontSize"), "16px");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_board_is_no_larger_than_comfortable() {
    let mut tab = chrome::open();
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        json!({"width": 1920, "height": 1080, "deviceScaleFactor": 1, "mobile": false}),
    );
    for (game, most) in [(GAMES[0], 340.0), (GAMES[1], 580.0)] {
        tab.begin(game);
        let wide = tab.eval("document.querySelector('.playing').getBoundingClientRect().width");
        assert!(wide.as_f64().unwrap() <= most, "{game}: {wide}");
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn no_view_is_wider_than_its_window() {
    let mut tab = chrome::open();
    let tree = "watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=astar@manhattan&show=tree";
    let game = format!("play/{}", GAMES[2]);
    for width in [320, 641, 768, 901, 1280] {
        let window = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        tab.call("Emulation.setDeviceMetricsOverride", window);
        for view in ["play", &game, tree, "race", "compare", "learn"] {
            tab.show(&format!("#/{view}"));
            let wide =
                tab.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(wide, 0, "{view} in {width} pixels");
        }
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn no_table_of_a_comparison_is_clipped() {
    let mut tab = chrome::open();
    tab.show("#/compare");
    tab.click_button("Compare");
    tab.wait("document.querySelectorAll('.scroll').length === 2");
    let clipped =
        "[...document.querySelectorAll('.scroll')].filter((it) => it.scrollWidth > it.clientWidth).length";
    assert_eq!(tab.eval(clipped), 0);
    tab.click("#present");
    assert_eq!(tab.eval(clipped), 0, "nor in large type");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn charts_fit_the_screen_with_letters_that_can_be_read() {
    let mut tab = phone();
    for (view, button) in [("race", "Start"), ("compare", "Compare"), ("learn/sliding/hamming", "Audit it")] {
        tab.show(&format!("#/{view}"));
        tab.click_button(button);
        tab.wait("document.querySelector('.charts img')");
        tab.wait("[...document.querySelectorAll('.charts img')].every((img) => img.naturalWidth > 0)");
        let charts = tab.eval(
            "[...document.querySelectorAll('.charts figure')].map((figure) => {
               const img = figure.querySelector('img');
               return [figure.scrollWidth - figure.clientWidth, img.getBoundingClientRect().width / img.naturalWidth];
             })",
        );
        for chart in charts.as_array().unwrap() {
            assert_eq!(chart[0], 0, "{view}: nothing lies beyond the edge");
            assert!(chart[1].as_f64().unwrap() > 0.7, "{view}: drawn at {} of its size", chart[1]);
        }
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn what_changes_the_board_opens_right_below_it() {
    let mut tab = phone();
    // A link without a run searches nothing yet, so that nothing moves.
    for view in ["race", "watch/sliding:3x3:1,6,2,5,0,3,4,7,8"] {
        tab.show(&format!("#/{view}"));
        tab.click_button("Change");
        tab.wait("document.querySelector('.changing textarea')");
        let gap = tab.eval(
            "document.querySelector('.others').getBoundingClientRect().top - document.querySelector('.chosen').getBoundingClientRect().bottom",
        );
        assert!((0.0..60.0).contains(&gap.as_f64().unwrap()), "{view}: {gap}");
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_warning_of_the_board_has_the_width_of_its_panel() {
    let mut tab = chrome::open();
    for phone in [false, true] {
        if phone {
            tab.be_a_phone();
        }
        tab.show("#/watch/sliding:3x3:1,2,3,4,5,6,8,7,0");
        tab.wait("document.querySelector('.chosen .problem')");
        let share = tab.eval(
            "document.querySelector('.chosen .problem').getBoundingClientRect().width / document.querySelector('.chosen').getBoundingClientRect().width",
        );
        assert!(share.as_f64().unwrap() > 0.99, "{share}");
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn the_picture_stays_where_it_is_when_a_prediction_is_judged() {
    let mut tab = phone();
    tab.show("#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=astar@manhattan&show=predict");
    tab.wait("document.querySelector('.predict .strip button')");
    let top = "document.querySelector('.forest').getBoundingClientRect().top + scrollY";
    let before = tab.eval(top);
    tab.eval("document.querySelector('.predict .strip button').click()");
    tab.wait("document.querySelector('.told')");
    assert_eq!(tab.eval(top), before);
    let told = tab.eval("document.querySelector('.told').getBoundingClientRect().top - document.querySelector('.forest').getBoundingClientRect().bottom");
    assert!((0.0..60.0).contains(&told.as_f64().unwrap()), "what came of it is right below: {told}");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn nothing_shows_between_the_bars() {
    let mut tab = phone();
    tab.begin(GAMES[0]);
    let gap = tab.eval("document.querySelector('.top nav').getBoundingClientRect().top - document.querySelector('.actions.main').getBoundingClientRect().bottom");
    assert!(gap.as_f64().unwrap().abs() < 1.0, "{gap}");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn on_its_side_a_phone_shows_the_whole_board_and_its_buttons_beside_it() {
    let mut tab = chrome::open();
    let screen = json!({"width": 844, "height": 390, "deviceScaleFactor": 2, "mobile": true});
    tab.call("Emulation.setDeviceMetricsOverride", screen);
    for game in GAMES {
        tab.begin(game);
        let lowest = tab.eval("document.querySelector('.playing').getBoundingClientRect().bottom + scrollY");
        assert!(lowest.as_f64().unwrap() <= 390.0, "{game}: {lowest}");
        let beside = tab.eval("document.querySelector('.side').getBoundingClientRect().left >= document.querySelector('.playing').getBoundingClientRect().right");
        assert_eq!(beside, true, "{game}");
    }
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn what_plays_two_searches_has_room_on_a_tablet() {
    let mut tab = chrome::open();
    let screen = json!({"width": 768, "height": 1024, "deviceScaleFactor": 1, "mobile": false});
    tab.call("Emulation.setDeviceMetricsOverride", screen);
    tab.show("#/watch/sliding:3x3:1,6,2,5,0,3,4,7,8?run=astar@manhattan&with=bfs&show=beside");
    tab.wait("document.querySelectorAll('.besides .forest .node').length > 1");
    let slider =
        tab.eval("document.querySelector('.besides input[type=range]').getBoundingClientRect().width");
    assert!(slider.as_f64().unwrap() > 300.0, "{slider}");
    let tops = tab.eval(
        "[...document.querySelectorAll('.besides .forest')].map((one) => one.getBoundingClientRect().top)",
    );
    assert_eq!(tops[0], tops[1], "the trees stand side by side");
    tab.finish();
}
