//! What puzzles declare of themselves holds: ids can be read, sizes made, options are understood.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{GenerateRequest, PUZZLES, Request, Size, input};
use novelo_search::parameter::Spec;
use novelo_search::{Answer, Control, Limits, Meter};

#[test]
fn instances_that_are_shown_can_be_read_and_solved() {
    for puzzle in PUZZLES {
        let info = puzzle.info();
        for id in [info.example, info.face, info.lesson] {
            let named = input::read(id, None, None).unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!((named.len(), named[0].instance.id().as_str()), (1, id));
            assert_eq!(named[0].instance.puzzle().info().name, info.name);
            let solved = named[0].instance.solve(&Request::default(), Control::default()).unwrap();
            assert!(matches!(solved.outcome.answer, Answer::Solved(_)), "{id}");
        }
        // The size is the first part of an id after the name; tables of scores and scopes of audits rely on it.
        let size = info.example.split(':').nth(1).and_then(|size| size.parse::<Size>().ok());
        assert!(size.is_some(), "{}", info.example);
    }
}

#[test]
fn sizes_that_are_offered_can_be_made() {
    for puzzle in PUZZLES {
        let info = puzzle.info();
        assert!(!info.sizes.is_empty(), "{}", info.name);
        for size in info.sizes.iter().chain([&info.audit_size]) {
            let request = GenerateRequest { size: Some(size.parse().unwrap()), ..Default::default() };
            let made = puzzle.generate(&request, 0, &AtomicBool::new(false)).unwrap();
            assert!(made.id().starts_with(&format!("{}:{size}:", info.name)), "{}", made.id());
        }
    }
}

#[test]
fn solutions_are_counted_where_a_puzzle_says_so() {
    for puzzle in PUZZLES {
        let info = puzzle.info();
        let instance = puzzle.parse_id(info.lesson.split_once(':').unwrap().1, None).unwrap();
        let counted = instance.enumerate(1, 1, &Meter::new(Limits::default(), Control::default()));
        assert_eq!(counted.is_ok(), info.counts_solutions, "{}", info.name);
    }
}

#[test]
fn options_of_generators_have_defaults_that_they_accept() {
    for puzzle in PUZZLES {
        let info = puzzle.info();
        Spec::plain(info.name).check(info.generator).unwrap();
        for parameter in info.generator {
            assert!(parameter.about.ends_with('.'), "{}: {}", info.name, parameter.name);
            assert!(!["size", "seed", "count", "difficulty"].contains(&parameter.name), "{}", parameter.name);
            let default = parameter.default.map(|default| (parameter.name, default));
            GenerateRequest::default().with(*puzzle, default).unwrap();
        }
    }
}
