//! The template puzzle is a folder, a line of the registry and a file of the page; everything else of the program takes
//! it as it takes the others. Its game in the browser is with those of the others, in `browser/play.rs`.

#[path = "serve/harness.rs"]
#[expect(dead_code, reason = "the tests of the server use the rest")]
mod harness;
#[expect(dead_code, reason = "the tests of the terminal use the rest")]
mod tmux;

use std::process::{Command, Output};

use novelo_puzzles::Puzzle;
use novelo_puzzles::template::Template;
use novelo_search::Algorithm;
use novelo_search::algorithms::Needs;
use serde_json::{Value, json};

use harness::Server;
use tmux::Person;

const BUTTON: &str = "template:1x1:0";

fn novelo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_novelo")).args(arguments).output().unwrap()
}

/// What a command prints that must go well.
fn printed(arguments: &[&str]) -> String {
    let output = novelo(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn it_is_listed() {
    let listed = json_of(&["list", "puzzles"]);
    assert!(listed.as_array().unwrap().iter().any(|puzzle| puzzle["name"] == "template"));
    assert!(printed(&["list", "heuristics", "template"]).contains("1 if the button is up"));
}

#[test]
fn it_is_generated_solved_and_checked() {
    assert_eq!(
        printed(&["generate", "template", "--seed", "3", "--count", "2"]),
        format!("{BUTTON}\n{BUTTON}\n")
    );
    let solved = |arguments: &[&str]| {
        let report = json_of(&[&["solve", BUTTON], arguments].concat());
        assert_eq!((&report["outcome"], &report["cost"]), (&json!("solved"), &json!(1)), "{arguments:?}");
    };
    solved(&[]);
    for algorithm in Algorithm::all() {
        match algorithm.info().needs {
            Needs::Nothing => solved(&["--algorithm", algorithm.name()]),
            Needs::DepthLimit => solved(&["--algorithm", algorithm.name(), "--depth-limit", "5"]),
            Needs::Heuristic => {
                for heuristic in Template.heuristics() {
                    solved(&["--algorithm", algorithm.name(), "--heuristic", heuristic.name]);
                }
            }
            // Like most puzzles, it does not say how it is run backwards.
            Needs::Reversible | Needs::HeuristicBothWays => {
                let output = novelo(&["solve", BUTTON, "--algorithm", algorithm.name()]);
                assert_eq!(output.status.code(), Some(2));
            }
        }
    }
    assert!(printed(&["solve", BUTTON, "--show"]).contains("[x]"));
    printed(&["check", BUTTON, "press"]);
    assert_eq!(novelo(&["check", BUTTON, "press press"]).status.code(), Some(1));
}

#[test]
fn it_is_compared_and_audited() {
    let rows =
        printed(&["compare", BUTTON, "--algorithms", "bfs,astar", "--heuristics", "up,zero", "--json"]);
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() == 3, "{rows:?}");
    assert!(rows.iter().all(|row| row["solved"] == 1), "{rows:?}");
    for heuristic in Template.heuristics() {
        let audit = json_of(&["audit", "template", "--heuristic", heuristic.name]);
        assert_eq!((&audit["exhaustive"], &audit["states"]), (&json!(true), &json!(2)), "{audit}");
        assert_eq!((&audit["admissible"], &audit["consistent"]), (&json!(true), &json!(true)), "{audit}");
    }
}

#[test]
fn an_experiment_is_run_on_it() {
    let folder = std::env::temp_dir().join(format!("novelo-template-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (file, results) = (folder.join("button.toml"), folder.join("button.ndjson"));
    let text = "title = \"a button\"\n[[instances]]\ngenerate = \"template\"\n\
                [[methods]]\nalgorithms = [\"bfs\", \"astar\"]\nheuristics = [\"up\", \"zero\"]\n";
    std::fs::write(&file, text).unwrap();
    printed(&["experiment", "run", file.to_str().unwrap(), "--output", results.to_str().unwrap()]);
    let written = std::fs::read_to_string(&results).unwrap();
    let solved = written.lines().filter(|line| line.contains("\"outcome\":\"solved\"")).count();
    assert_eq!(solved, 3, "{written}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
#[ignore = "needs tmux"]
fn it_is_played_and_watched_in_the_terminal() {
    let person = Person::sits_down("template");
    person.runs("play template");
    person.sees("done  0 of 1");
    person.presses(&["h"]);
    person.sees("Hint: press the button (the last move).");
    person.presses(&["Enter"]);
    person.sees("Won, with a score of");
    person.sees("par  1");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
    person.runs(&format!("watch {BUTTON} --algorithm bfs"));
    person.sees("Solved at cost 1");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
fn it_is_raced_traced_and_played_on_the_server() {
    let server = Server::start();
    let runs = json!([{"algorithm": "bfs"}, {"algorithm": "astar", "heuristic": "up"}]);
    let job = server.job(&json!({"kind": "race", "instance": BUTTON, "runs": runs}));
    assert_eq!(job["state"], "done", "{job}");
    assert!(job["result"]["reports"].as_array().unwrap().iter().all(|report| report["cost"] == 1), "{job}");
    let trace = server.job(&json!({"kind": "trace", "instance": BUTTON, "run": {"algorithm": "bfs"}}));
    assert_eq!(trace["result"]["trace"]["nodes"].as_array().unwrap().len(), 2, "{trace}");
    let token =
        server.posted("/api/games", &json!({"instance": BUTTON}))["token"].as_str().unwrap().to_owned();
    let game = server.posted(&format!("/api/games/{token}"), &json!({"do": "play", "move": "press"}));
    assert_eq!(game["status"]["state"], "won", "{game}");
}
