//! Pancakes in the terminal and on the command line.

#[expect(dead_code, reason = "the tests of the terminal use the rest")]
mod tmux;

use std::process::Command;

use serde_json::{Value, json};

use tmux::Person;

/// What a command prints that must go well.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_novelo")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[arguments, &["--json"]].concat())).unwrap()
}

#[test]
#[ignore = "needs tmux"]
fn a_stack_is_sorted_in_the_terminal() {
    let person = Person::sits_down("pancake");
    person.runs("play pancake:5:3,1,4,2,5");
    person.sees("Pancakes 5");
    person.sees("done  1 of 5");
    person.sees("(====2====)");
    person.presses(&["1"]);
    person.sees("A flip turns two pancakes at least.");
    person.presses(&["h"]);
    person.sees("Hint: flip the top 2 (4 moves to go).");
    // By its number, by the arrows, by a click on the lowest of them, and by its number again.
    person.presses(&["3"]);
    person.sees("moves  1");
    person.presses(&["u"]);
    person.sees("moves  0");
    person.presses(&["r", "Down", "Down", "Down", "Enter"]);
    person.sees("moves  2");
    person.resizes(80, 24);
    person.clicks("=3=");
    person.sees("moves  3");
    person.presses(&["3"]);
    person.sees("Won, with a score of");
    person.sees("par  4");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn numbers_of_two_digits_are_typed_and_entered() {
    let person = Person::sits_down("pancake-twelve");
    person.runs("play pancake:12:11,12,10,9,8,7,6,5,4,3,2,1");
    person.sees("Pancakes 12");
    person.presses(&["2", "Enter"]);
    person.sees("moves  1");
    person.presses(&["1", "2"]);
    person.sees("Won, with a score of");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn searches_are_watched() {
    let person = Person::sits_down("pancake-watch");
    person.runs("watch pancake:5:3,1,4,2,5 --algorithm astar");
    person.sees("Solved at cost 4");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
fn stacks_are_generated_solved_and_checked() {
    let made = printed(&["generate", "pancake", "--size", "12", "--moves", "11", "--seed", "3"]);
    let report = json_of(&["solve", made.trim()]);
    assert_eq!((&report["cost"], &report["optimal"]), (&json!(11), &json!(true)));
    assert_eq!(report["final"], "pancake:12:1,2,3,4,5,6,7,8,9,10,11,12");
    let moves: Vec<_> =
        report["moves"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    printed(&["check", made.trim(), &moves.join(" ")]);
    let weighted = printed(&["generate", "pancake", "--size", "6", "--weighted"]);
    assert!(weighted.starts_with("pancake:6:") && weighted.trim().ends_with(":weighted"), "{weighted}");
    assert!(printed(&["solve", "pancake:3,1,2", "--show"]).contains("(==2==)"));
}

#[test]
fn gaps_are_acquitted_by_an_audit() {
    for heuristic in ["gap", "gap:skip=2"] {
        let audit = json_of(&["audit", "pancake", "--heuristic", heuristic]);
        // Both variants of all stacks of 2 to 7 pancakes.
        assert_eq!((&audit["exhaustive"], &audit["states"]), (&json!(true), &json!(2 * 5912)), "{audit}");
        assert_eq!((&audit["admissible"], &audit["consistent"]), (&json!(true), &json!(true)), "{audit}");
    }
}
