//! Which puzzle is this text? Every documented format of every puzzle is read as what it is; what could be two things
//! is answered with the choice.

use novelo_puzzles::{PUZZLES, input, puzzle};

/// The texts of a file under `tests/texts`: each after a line `=== what it is`.
fn texts(file: &str) -> Vec<(String, String)> {
    let path = format!("{}/tests/texts/{file}", env!("CARGO_MANIFEST_DIR"));
    let all = std::fs::read_to_string(path).unwrap();
    let parts = all.split("=== ").skip(1).map(|part| part.split_once('\n').unwrap());
    parts.map(|(what, text)| (what.to_owned(), text.to_owned())).collect()
}

#[test]
fn every_format_is_read_as_what_it_is() {
    let texts = texts("formats.txt");
    assert!(texts.len() >= 20);
    for (id, text) in texts {
        let instances = input::read(&text, None, None).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(instances[0].instance.id(), id, "{text}");
        // Being told which puzzle it is changes nothing.
        let known = puzzle(id.split(':').next().unwrap());
        assert_eq!(input::read(&text, known, None).unwrap()[0].instance.id(), id, "{text}");
    }
}

#[test]
fn what_could_be_two_things_is_not_guessed() {
    let texts = texts("ambiguous.txt");
    assert!(texts.len() >= 5);
    for (choice, text) in texts {
        let error = input::read(&text, None, None).unwrap_err();
        assert_eq!(error.taken_for.join(" "), choice, "{text}: {error:?}");
    }
}

#[test]
fn no_proof_is_given_of_one_reading_where_another_may_have_a_solution() {
    // The goal that many textbooks have, which no moves turn into the usual one, is Numbrix with its 9 missing.
    let board = "1 2 3\n8 0 4\n7 6 5\n";
    let error = input::read(board, None, None).unwrap_err();
    assert_eq!(error.message, "this could be sliding or numbrix");
    let help = error.help.unwrap();
    assert!(help.starts_with("read as sliding it has no solution: the start has 7 inversions"), "{help}");
    let read = |text: &str, goal| input::read(text, None, goal).unwrap()[0].instance.id();
    assert_eq!(read(board, Some("1,2,3,8,4,0,7,6,5")), "sliding:3x3:1,2,3,8,0,4,7,6,5:1,2,3,8,4,0,7,6,5");
    // Where no other reading has one either, the likeliest is proved to have none.
    assert_eq!(read("1 2 3\n4 5 6\n8 7 0", None), "sliding:3x3:1,2,3,4,5,6,8,7,0");
}

#[test]
fn the_mark_that_some_editors_begin_a_file_with_is_no_part_of_the_text() {
    let read = |text: &str| input::read(text, None, None);
    assert_eq!(
        read("\u{feff}1 2 3\n4 5 6\n7 0 8").unwrap()[0].instance.id(),
        "sliding:3x3:1,2,3,4,5,6,7,0,8"
    );
    let text = "\u{feff}1 2 3\n4 5 6\n7 8 8";
    let place = read(text).unwrap_err().span.unwrap();
    assert_eq!(place, text.len() - 1..text.len(), "errors point into the text as it was given");
}

#[test]
fn cells_on_one_line_that_make_several_sizes_are_not_guessed() {
    let error = input::read("1 2 3 4 5 6 0 7", None, None).unwrap_err();
    assert_eq!(error.message, "8 cells on one line could be a board of 1x8, 2x4 or 4x2");
    assert_eq!(error.help.unwrap(), "write the size on a line above them: 1x8, 2x4 or 4x2");
    let read = |text: &str| input::read(text, None, None).unwrap()[0].instance.id();
    assert_eq!(read("2x4\n1 2 3 4 5 6 0 7"), "sliding:2x4:1,2,3,4,5,6,0,7");
    assert_eq!(read("1 2 3 0 4"), "sliding:1x5:1,2,3,0,4", "a prime number of cells is a row");
}

#[test]
fn an_error_names_the_guess() {
    let error = input::read("1 2 3\n4 5 6\n7 8 8", None, None).unwrap_err();
    assert_eq!(error.taken_for, ["sliding"]);
    assert_eq!(error.message, "tile 8 again: it is in row 3, column 2 already");
    let error = input::read("1 2 3\n4 5 6\n7 8 8", puzzle("sliding"), None).unwrap_err();
    assert!(error.taken_for.is_empty(), "nothing was guessed");
    let error = input::read("hello", None, None).unwrap_err();
    assert_eq!(error.taken_for, PUZZLES.iter().map(|puzzle| puzzle.info().name).collect::<Vec<_>>());
}
