//! Whole games in a terminal: a scripted person plays, looks and leaves.

mod tmux;

use std::fs;
use std::process::Command;

use tmux::Person;

#[test]
#[ignore = "needs tmux"]
fn sliding_tiles_are_played_to_a_win() {
    let person = Person::sits_down("sliding");
    person.runs("play sliding:3x3:1,2,3,4,5,6,0,7,8");
    person.sees("done  6 of 8");
    person.presses(&["h"]);
    person.sees("Hint: go right (2 moves to go).");
    person.sees("hints  1");
    person.presses(&["Right"]);
    person.sees("done  7 of 8");
    person.presses(&["u"]);
    person.sees("done  6 of 8");
    person.presses(&["r"]);
    person.sees("moves  1");
    person.resizes(80, 24);
    person.presses(&["Down"]);
    person.sees("The gap is at the edge");
    person.clicks(" 8 ");
    person.sees("Won, with a score of");
    person.sees("par  2");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn numbrix_is_played_to_a_win() {
    let person = Person::sits_down("numbrix");
    person.runs("play numbrix:3x3:1b6b7b");
    person.sees("done  0 of 6");
    person.presses(&["3"]);
    person.sees("done  1 of 6");
    person.presses(&["c"]);
    person.sees("1 number is wrong.");
    person.presses(&["h"]);
    person.sees("take 1 move back (u).");
    person.presses(&["u"]);
    person.sees("done  0 of 6");
    person.presses(&["h"]);
    person.sees("Hint: write 2 in row 1, column 2 (6 moves to go).");
    person.presses(&["2", "Right", "3", "Down"]);
    person.sees("done  2 of 6");
    person.resizes(80, 24);
    // A number over another replaces it.
    person.presses(&["8", "4", "Left", "5", "Down", "8", "Right", "9"]);
    person.sees("Won, with a score of");
    person.sees("par  6");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn mazes_are_played_to_a_win() {
    let person = Person::sits_down("mazes");
    person.runs("play mazes:4x4:4/1xxx/4/4");
    person.sees("done  1 of 13");
    person.presses(&["Right", "Up"]);
    person.sees("There is no step to make from here: u takes back");
    person.presses(&["h"]);
    person.sees("take 1 move back (u).");
    // Walking back is another way to take back.
    person.presses(&["Down"]);
    person.sees("done  2 of 13");
    person.presses(&["h"]);
    person.sees("Hint: go right (11 moves to go).");
    person.resizes(80, 24);
    person.presses(&["Right", "Right", "Up", "Left", "Left", "Left", "Up", "Up", "Right", "Right", "Right"]);
    person.sees("Won, with a score of");
    person.sees("par  22");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn boxes_are_played_to_a_win() {
    let person = Person::sits_down("boxes");
    person.runs("play boxes:2x2:1:a04");
    person.sees("done  0 of 1");
    person.presses(&["Enter"]);
    person.sees("This arc is drawn already");
    person.presses(&["Down", "Down", "Enter"]);
    person.sees("moves  1");
    person.presses(&["u"]);
    person.sees("moves  0");
    person.presses(&["r"]);
    person.sees("moves  1");
    person.presses(&["h"]);
    person.sees("Hint: draw v 1,2 (the last move).");
    person.resizes(80, 24);
    person.presses(&["Up", "Right", "Enter"]);
    person.sees("Won, with a score of");
    person.sees("par  2");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn the_menu_makes_games_the_solver_plays_them_and_they_go_on_later() {
    let person = Person::sits_down("menu");
    person.runs("play");
    person.sees("the ball of thread");
    person.presses(&["Left", "Enter"]);
    person.sees("Sliding tiles 3x3");
    person.presses(&["?"]);
    person.sees("Keys");
    person.presses(&["Enter", "p"]);
    person.sees("Paused: p goes on.");
    person.presses(&["p", "s"]);
    person.sees("The solution: space holds");
    person.presses(&["Space"]);
    person.sees("space goes on");
    person.presses(&["m"]);
    person.sees("c continues the last game");
    person.presses(&["c"]);
    person.sees("gave up");
    person.presses(&["+", "+", "+", "s"]);
    person.sees("Solved by the solver.");
    person.resizes(30, 6);
    person.sees("needs more room");
    person.resizes(80, 24);
    person.presses(&["C-c"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn a_game_survives_being_killed_and_the_terminal_a_termination() {
    let person = Person::sits_down("killed");
    person.runs("play sliding:3x3:8,6,7,2,5,4,3,0,1");
    person.sees("moves  0");
    person.presses(&["Up", "Left"]);
    person.sees("moves  2");
    person.signals("-KILL");
    let saved = person.folder.join("data/games/sliding.game");
    let text = fs::read_to_string(&saved).unwrap();
    assert!(text.ends_with("moves 2, made 2\nU\nL\n"), "{text}");
    person.takes_a_new_terminal();
    person.runs(&format!("play {}", saved.display()));
    person.sees("moves  2");
    person.signals("-TERM");
    person.is_back_at_the_shell();
    person.runs("play sliding:2x2:1,2,0,3");
    person.presses(&["Right"]);
    person.sees("The best score yet!");
    person.signals("-KILL");
    let scores = fs::read_to_string(person.folder.join("data/scores.json")).unwrap();
    assert!(scores.contains("\"sliding 2x2\""), "{scores}");
}

#[test]
#[ignore = "needs tmux"]
fn a_game_that_was_begun_is_not_left_by_one_key_nor_played_in_a_pause() {
    let person = Person::sits_down("begun");
    person.runs("play sliding:3x3:8,6,7,2,5,4,3,0,1");
    person.presses(&["Up"]);
    person.sees("moves  1");
    person.presses(&["p", "u"]);
    person.sees("Paused: p goes on.");
    person.presses(&["p", "n"]);
    person.sees("Leave this game for a new one?");
    person.presses(&["Left"]);
    person.sees("moves  2");
    person.presses(&["n", "n"]);
    person.sees("moves  0");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn a_comparison_of_every_method_fits_eighty_columns() {
    let person = Person::sits_down("compared");
    // High enough for every method to stay in sight.
    person.resizes(80, 200);
    for repeat in ["1", "2"] {
        person.runs(&format!("compare mazes:4x4:4/1xxx/4/4 --repeat {repeat}"));
        person.sees("ready>");
        let screen = person.screen();
        let rows: Vec<_> = screen.lines().take_while(|line| !line.starts_with("ready>")).collect();
        assert!(rows[0].starts_with("method") && rows[0].ends_with("b*"), "{screen}");
        let is_whole = |row: &&str| row.contains(" yes ") || row.contains(" quit ");
        assert!(rows[1..].iter().all(is_whole), "one line a method: {screen}");
    }
}

#[test]
#[ignore = "needs tmux"]
#[cfg(debug_assertions)]
fn after_a_panic_the_terminal_is_as_before_and_the_message_on_it() {
    let person = Person::sits_down("panic");
    person.types("export NOVELO_MISBEHAVE=1");
    person.presses(&["Enter"]);
    person.runs("play sliding:2x2:1,2,0,3");
    person.sees("moves  0");
    person.presses(&["!"]);
    person.sees("as the test wants it");
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn damaged_files_are_set_aside_with_a_message() {
    let person = Person::sits_down("damaged");
    let data = person.folder.join("data");
    fs::create_dir_all(data.join("games")).unwrap();
    fs::write(data.join("scores.json"), "{ not json").unwrap();
    fs::write(data.join("games/mazes.game"), "novelo game 1\ninstance mazes:2x2:2/9\n").unwrap();
    person.runs("play");
    person.sees("the saved game of mazes is damaged (line 2");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
    person.runs("play sliding:2x2:1,2,0,3");
    person.sees("the file of scores is damaged");
    person.presses(&["Right"]);
    person.sees("The best score yet!");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
    let scores = fs::read_to_string(data.join("scores.json")).unwrap();
    assert!(scores.contains("\"sliding 2x2\""));
    assert_eq!(fs::read_to_string(data.join("scores.damaged-1")).unwrap(), "{ not json");
    assert!(data.join("games/mazes.damaged-1").exists());
}

#[test]
#[ignore = "needs tmux"]
fn a_search_is_watched_and_its_solution_played() {
    let person = Person::sits_down("watched");
    person.runs("watch sliding:3x3:8,6,7,2,5,4,3,0,1 --algorithm bfs");
    person.sees("Solved at cost 31 in 31 moves (optimal, proved)");
    person.presses(&["+", "+", "+", "+"]);
    person.sees("31 of 31");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn a_search_is_stepped_from_its_first_node_held_slowed_and_resumed() {
    let person = Person::sits_down("stepped");
    person.runs("watch sliding:3x3:1,2,3,0,4,6,7,5,8 -a astar -H manhattan --held");
    person.sees("astar with manhattan on sliding:3x3:1,2,3,0,4,6,7,5,8");
    person.sees("Held before the first expansion");
    person.presses(&["Right"]);
    person.sees("Held after 1 expansion:");
    person.sees("depth 0  g 0 h 3 f 3");
    person.sees("R  g 1 h 2 f 3  new");
    person.sees("open  3");
    person.presses(&["Right"]);
    person.sees("depth 1  g 1 h 2 f 3");
    person.sees("L  g 2 h 3 f 5  repeated");
    // The third expansion is the last, and is seen before the solution.
    person.presses(&["Right"]);
    person.sees("Held after 3 expansions");
    person.sees("R  g 3 h 0 f 3  new");
    person.presses(&["Right"]);
    person.sees("Solved at cost 3 in 3 moves (optimal, proved): 3 expanded, 11 generated");
    person.sees("0 of 3");
    person.presses(&["Right"]);
    person.sees("1 of 3");
    person.presses(&["q"]);
    person.is_back_at_the_shell();

    // A long one, slowly; its bound is that of the iteration.
    person.runs("watch sliding:3x3:8,6,7,2,5,4,3,0,1 -a idastar -H manhattan --pace 1");
    person.sees("Searching: one node a second");
    person.sees("bound  21");
    person.presses(&["+"]);
    person.sees("Searching: 2 nodes a second");
    person.presses(&["-", "Space"]);
    person.sees("Held after");
    person.presses(&["Space"]);
    person.sees("Searching: one node a second");
    person.presses(&["f"]);
    person.sees("Solved at cost 31 in 31 moves (optimal, proved)");
    // What stands beside the board is of the whole search.
    person.sees("bound  31");
    person.sees("expanded  14,964");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn auto_is_watched_as_it_is_solved_and_named() {
    let person = Person::sits_down("auto");
    person.runs("watch sliding:3x3:1,2,3,0,4,6,7,5,8 --algorithm auto");
    person.sees("auto: astar with linear-conflict on sliding");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
    person.runs("watch numbrix:3x3:1b6b7b --algorithm auto");
    person.sees("auto: propagation on numbrix");
    person.sees("no states that could be shown");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn a_lost_maze_is_told_at_once_where_the_player_wants_that() {
    let person = Person::sits_down("lost");
    // There are steps to make after this one, but none of them leads to the end over all cells.
    person.runs("play mazes:4x4:4/1xxx/4/4 --tell-lost");
    person.sees("done  1 of 13");
    person.presses(&["Up"]);
    person.sees("Lost: from here the game can no longer be won.");
    // Whatever is told after that, it stays in sight until it is so no more.
    person.presses(&["Left"]);
    person.sees("That leads off the board.");
    person.sees("lost  u undoes");
    person.presses(&["u", "Right"]);
    person.sees("done  2 of 13");
    assert!(!person.screen().contains("lost  u"), "{}", person.screen());
    person.presses(&["l"]);
    person.sees("Lost games are no longer told at once.");
    person.presses(&["c"]);
    person.sees("A check is free.");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn a_board_of_a_set_is_chosen_from_the_menu_or_the_command() {
    let person = Person::sits_down("set");
    let set = person.folder.join("set.txt");
    let boards = "near | 3x3 | 1 2 3 4 5 6 7 0 8 | blank-last | 1 |\nother | 3x3 | 1 2 0 3 4 5 6 7 8 | blank-first | 2 |\n";
    fs::write(&set, boards).unwrap();
    person.runs("play");
    person.sees("f a board of a file");
    person.presses(&["f"]);
    person.sees("File: _");
    person.types(&set.display().to_string());
    person.presses(&["Enter"]);
    person.sees("set.txt: 2 boards");
    person.sees("▸ near");
    person.presses(&["Down"]);
    person.sees("▸ other");
    person.presses(&["Enter"]);
    person.sees("sliding:3x3:1,2,0,3,4,5,6,7,8:blank-first");
    // Its goal is not the usual one, so it is shown.
    person.sees("the goal");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
    person.runs(&format!("play {} --name Ada", set.display()));
    person.sees("▸ near");
    person.presses(&["Enter", "Right"]);
    person.sees("The best score yet!");
    person.presses(&["m", "b"]);
    person.sees("Ada");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
#[ignore = "needs tmux"]
fn the_menu_offers_sizes_and_difficulties_and_scores_are_kept_by_them() {
    let person = Person::sits_down("sizes");
    person.runs("play");
    person.sees("◂ normal ▸   - 3x3 +");
    person.presses(&["+", "Left"]);
    person.sees("◂ easy ▸   - 4x4 +");
    person.presses(&["Right", "Right", "Right"]);
    person.sees("◂ expert ▸   - 4x4 +");
    person.presses(&["-", "Left", "Left", "Left", "Enter"]);
    person.sees("Sliding tiles 3x3");
    person.presses(&["q"]);
    person.is_back_at_the_shell();
}

#[test]
fn without_a_terminal_there_is_nothing_to_watch_in() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_novelo")).args(["watch", "sliding:2x2:1,2,0,3"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("needs a terminal to watch a search in") && text.contains("novelo trace"),
        "{text}"
    );
}

#[test]
fn without_a_terminal_there_is_nothing_to_play_in() {
    let novelo =
        |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_novelo")).args(arguments).output().unwrap();
    let output = novelo(&["play", "sliding:2x2:1,2,0,3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("needs a terminal"));
    let damaged = std::env::temp_dir().join(format!("novelo-damaged-{}.game", std::process::id()));
    fs::write(&damaged, "novelo game 1\ninstance sliding:2x2:1,2,0,3\nseconds x\n").unwrap();
    let output = novelo(&["play", damaged.to_str().unwrap()]);
    fs::remove_file(&damaged).unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr)
        .unwrap()
        .replace('│', "")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(text.contains("'x' is not a number of seconds"), "{text}");
}
