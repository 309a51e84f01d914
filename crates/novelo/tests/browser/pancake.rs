//! Pancakes on the page: a stack is sorted by clicks, by the spatula and by numbers.

use crate::chrome::{self, Tab};
use crate::table::solution;

const STACK: &str = "pancake:8:4,6,1,8,3,7,2,5";

/// Clicks the lowest of the pancakes to flip.
fn click_pancake(tab: &mut Tab, turned: &str) {
    let row = turned.parse::<f64>().unwrap() - 0.5;
    let at = tab.spot(200.0, 16.0 + 44.0 * row);
    tab.press(at);
}

fn is_won(tab: &mut Tab) {
    tab.wait("document.querySelector('.ending.won')");
    assert!(tab.text(".ending").contains("Solved!"));
    tab.wait("document.querySelector('.ending').innerText.includes('Nobody can do better')");
}

/// The pancakes as they are drawn, from the top.
fn drawn(tab: &mut Tab) -> String {
    let expression = "[...document.querySelectorAll('.playing .cake')]
        .map((cake) => [Number(cake.style.transform.match(/[-\\d.]+/g)[1]), cake.textContent])
        .sort(([a], [b]) => a - b).map(([, value]) => value).join()";
    tab.eval(expression).as_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs Chromium"]
fn a_stack_is_sorted_by_mouse() {
    let mut tab = chrome::open();
    tab.begin(STACK);
    assert_eq!(drawn(&mut tab), "4,6,1,8,3,7,2,5");
    for (made, turned) in solution(STACK).iter().enumerate() {
        click_pancake(&mut tab, turned);
        tab.wait_moves(made + 1);
    }
    is_won(&mut tab);
    assert_eq!(drawn(&mut tab), "1,2,3,4,5,6,7,8");
    tab.finish();
}

#[test]
#[ignore = "needs Chromium"]
fn a_stack_is_sorted_by_keyboard_with_a_hint() {
    let mut tab = chrome::open();
    let moves = solution(STACK);
    tab.begin(STACK);
    tab.key("h");
    let hint = format!("Next: flip the top {}.", moves[0]);
    tab.wait(&format!("document.querySelector('.message.hinted')?.innerText.startsWith('{hint}')"));
    tab.wait("document.querySelector('.playing .cake.pointed')");
    // Half by numbers, half by the spatula, which begins under the second pancake.
    let (numbers, spatula) = moves.split_at(moves.len() / 2);
    for (made, turned) in numbers.iter().enumerate() {
        tab.key(turned);
        tab.wait_moves(made + 1);
    }
    let mut under = 2;
    for (made, turned) in spatula.iter().enumerate() {
        let turned: usize = turned.parse().unwrap();
        for _ in 0..turned.abs_diff(under) {
            tab.key(if turned < under { "ArrowUp" } else { "ArrowDown" });
        }
        under = turned;
        tab.key("Enter");
        tab.wait_moves(numbers.len() + made + 1);
    }
    tab.wait("document.querySelector('.ending.won')");
    assert_eq!(drawn(&mut tab), "1,2,3,4,5,6,7,8");
    tab.finish();
}

/// Numbers of two digits wait for Enter or the second digit; the note says what flips cost.
#[test]
#[ignore = "needs Chromium"]
fn a_large_weighted_stack_is_played_by_numbers() {
    let mut tab = chrome::open();
    tab.begin("pancake:12:12,11,10,9,8,7,6,5,4,3,1,2:weighted");
    tab.key("1");
    tab.key("2");
    tab.wait_moves(1);
    tab.key("1");
    tab.key("Enter");
    tab.key("3");
    tab.wait_moves(2);
    assert!(tab.text(".message").contains("9 of 12 pancakes in place · A flip costs as much as it turns"));
    tab.finish();
}
