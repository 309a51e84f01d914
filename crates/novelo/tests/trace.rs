//! A search told step by step: what the text says adds up to what `solve` counts.

use std::process::{Command, Output};

const LESSON: &str = "sliding:3x3:1,2,3,0,4,6,7,5,8";

fn novelo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_novelo")).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn errors(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap().replace('│', "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The counts of `solve --json`.
fn solved(instance: &str, method: &[&str]) -> (u64, u64, u64) {
    let output = novelo(&[&["solve", instance, "--json"], method].concat());
    let report: serde_json::Value = serde_json::from_str(&text(&output)).unwrap();
    let count = |name: &str| report[name].as_u64().unwrap();
    (count("expanded"), count("generated"), count("stored_peak"))
}

const METHODS: &[&[&str]] = &[
    &["-a", "bfs"],
    &["-a", "dfs"],
    &["-a", "dls:limit=8"],
    &["-a", "ids"],
    &["-a", "ucs"],
    &["-a", "greedy", "-H", "manhattan"],
    &["-a", "astar", "-H", "hamming"],
    &["-a", "wastar:weight=2", "-H", "manhattan"],
    &["-a", "idastar", "-H", "manhattan"],
    &["-a", "bidirectional"],
];

#[test]
fn the_text_of_a_trace_adds_up_to_the_counts_of_solve() {
    // Depth-first search without a limit goes deep: a board whose positions are few.
    let small = "sliding:2x3:1,2,3,4,0,5";
    let boards = [LESSON, small, "mazes:4x4:4/1xxx/4/4", "boxes:2x2:1:a04", "numbrix:3x3:1b6b7b"];
    for board in boards {
        for &method in METHODS {
            let deep = board == LESSON && method[1] == "dfs";
            let only_tiles = board.starts_with("sliding") || !["bidirectional"].contains(&method[1]);
            if deep || !only_tiles {
                continue;
            }
            let method: Vec<_> = match method {
                [a, name, ..] if !board.starts_with("sliding") => vec![*a, *name],
                all => all.to_vec(),
            };
            let output = novelo(&[&["trace", board, "--steps", "all"], &method[..]].concat());
            let told = text(&output);
            let what = format!("{board} {method:?}\n{told}{}", errors(&output));
            let lines = |begins: &str| told.lines().filter(|line| line.starts_with(begins)).count() as u64;
            let successors =
                |line: &&str| line.starts_with("    ") && (line.contains(" -> ") || line.contains(" <- "));
            let generated = told.lines().filter(successors).count() as u64 + 1;
            let (expanded, all, stored) = solved(board, &method);
            assert_eq!((lines("step "), generated), (expanded, all), "{what}");
            // Searches that hold lists say so at every step; the others hold a path.
            let lists = (lines("  open "), lines("  closed "), lines("  path "));
            assert!(lists == (expanded, expanded, 0) || lists == (0, 0, expanded), "{what}");
            assert!(told.contains(&format!("{expanded} expanded")), "{what}");
            assert!(told.trim_end().ends_with("stored") && stored > 0, "{what}");
        }
    }
}

#[test]
fn the_steps_of_a_star_are_those_done_by_hand() {
    let told = text(&novelo(&["trace", LESSON, "-a", "astar", "-H", "manhattan"]));
    let steps = "\
astar with manhattan on sliding:3x3:1,2,3,0,4,6,7,5,8

step 1: expand 0 (the start)  g 0  h 3  f 3
    U -> 1    g 1  h 4  f 5  new
    R -> 2    g 1  h 2  f 3  new
    D -> 3    g 1  h 4  f 5  new
  open    2 f3 h2, 3 f5 h4, 1 f5 h4
  closed  0

step 2: expand 2 (R from 0)  g 1  h 2  f 3
";
    assert!(told.starts_with(steps), "{told}");
    assert!(told.contains("solved in 3 moves (optimal, proved)\n  moves   R D R\n"), "{told}");
    assert!(told.contains("repeated 0\n"), "the way back is known: {told}");
}

#[test]
fn iterative_deepening_tells_its_bounds_and_what_exceeds_them() {
    let told = text(&novelo(&["trace", "sliding:3x3:2,0,3,1,4,6,7,5,8", "-a", "idastar", "-H", "hamming"]));
    let bounds: Vec<f64> = told
        .lines()
        .filter_map(|line| line.strip_prefix("iteration ")?.split_once(": bound ")?.1.parse().ok())
        .collect();
    assert!(bounds.is_sorted() && !bounds.is_empty(), "{told}");
    assert!(told.contains(&format!("cut: over {}", bounds[0])), "{told}");
    let ids = text(&novelo(&["trace", LESSON, "-a", "ids"]));
    for depth in 1..=3 {
        assert!(ids.contains(&format!("iteration {depth}: bound {depth}\n")), "{ids}");
    }
}

#[test]
fn what_iterations_are_is_told_in_the_words_of_the_algorithm() {
    let trace = |algorithm: &str, more: &[&str]| {
        let board = "sliding:3x3:8,6,7,2,5,4,3,0,1";
        text(&novelo(&[&["trace", board, "-a", algorithm, "-H", "manhattan"], more].concat()))
    };
    // A beam has no room for what it cuts; nothing of it is beyond a bound.
    let cabs = trace("cabs", &["--steps", "200"]);
    for word in ["iteration 1: width 1\n", "iteration 2: width 2\n", "  cut\n"] {
        assert!(cabs.contains(word), "{cabs}");
    }
    assert!(!cabs.contains("bound") && !cabs.contains("cut: over"), "{cabs}");
    let climb = trace("hillclimb:restarts=3", &["--steps", "all"]);
    assert!(climb.contains("iteration 3: restart 3\n"), "{climb}");
    let json = trace("cabs", &["--steps", "200", "--json"]);
    let second = r#"{"kind":"iteration","number":2,"measure":"width","value":2.0,"bound":null}"#;
    assert!(json.lines().any(|line| line == second), "{json}");
    let json = trace("ibex", &["--json"]);
    let first = r#"{"kind":"iteration","number":1,"measure":"bound","value":21.0,"bound":21.0}"#;
    assert!(json.lines().any(|line| line == first), "{json}");
}

#[test]
fn both_sides_of_bidirectional_search_are_told_of() {
    let told = text(&novelo(&["trace", LESSON, "-a", "bidirectional"]));
    assert!(told.contains("(the start)") && told.contains("(the goal)"), "{told}");
    assert!(told.contains("open    from the start") && told.contains("; from the goal"), "{told}");
}

#[test]
fn a_long_search_is_cut_with_a_word_about_the_rest() {
    let board = "sliding:3x3:8,6,7,2,5,4,3,0,1";
    let told = text(&novelo(&["trace", board, "-a", "astar", "-H", "manhattan"]));
    assert_eq!(told.lines().filter(|line| line.starts_with("step ")).count(), 40, "{told}");
    assert!(told.contains("more steps follow: --steps 41-80 tells of the next"), "{told}");
    assert!(told.contains("solved in 31 moves (optimal, proved)"), "{told}");
    let later = text(&novelo(&["trace", board, "-a", "astar", "-H", "manhattan", "--steps", "30-40"]));
    let steps = told[told.find("step 30:").unwrap()..].to_owned();
    let steps = &steps[..steps.find("\n\n").unwrap()];
    assert!(later.contains(steps), "{later}");
    let output = novelo(&["trace", board, "--steps", "some"]);
    assert!(errors(&output).contains("write 20, 101-120 or all"), "{}", errors(&output));
}

#[test]
fn lines_of_json_hold_the_lists_and_the_result() {
    let output = novelo(&["trace", LESSON, "-a", "greedy", "-H", "manhattan", "--json"]);
    let told = text(&output);
    let lines: Vec<serde_json::Value> =
        told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["kind"], &lines[0]["heuristic"]), (&"search".into(), &"manhattan".into()));
    let steps: Vec<_> = lines.iter().filter(|line| line["kind"] == "step").collect();
    assert_eq!(steps[0]["node"]["fate"], "root");
    for pair in steps.windows(2) {
        assert_eq!(pair[0]["open"][0], pair[1]["node"]["number"], "the first of the open list comes next");
    }
    let result = lines.last().unwrap();
    assert_eq!((&result["kind"], &result["outcome"]), (&"result".into(), &"solved".into()));
    assert_eq!(result["expanded"], steps.len());
    assert_eq!(result["path"].as_array().unwrap().len(), result["moves"].as_array().unwrap().len() + 1);
}

#[test]
fn a_graph_has_a_node_for_each_and_boards_in_them() {
    let told = text(&novelo(&["trace", LESSON, "-a", "astar", "-H", "manhattan", "--dot"]));
    assert!(told.starts_with("digraph search {") && told.trim_end().ends_with('}'), "{told}");
    let (_, generated, _) = solved(LESSON, &["-a", "astar", "-H", "manhattan"]);
    let nodes = told
        .lines()
        .filter(|line| line.starts_with("  n") && line.contains(" [label=\"") && !line.contains("->"));
    assert_eq!(nodes.count() as u64, generated, "{told}");
    let edges = told.lines().filter(|line| line.contains(" -> n"));
    assert_eq!(edges.count() as u64, generated - 1, "{told}");
    assert!(told.contains("1 2 3") || told.contains("1  2  3") || told.contains("│ 1"), "boards: {told}");
}

#[test]
fn a_method_without_steps_is_refused_with_what_would_do() {
    let numbrix = "numbrix:3x3:1b6b7b";
    for method in [&["-a", "propagation"][..], &["-a", "auto"]] {
        let output = novelo(&[&["trace", numbrix], method].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(errors(&output).contains("--algorithm astar"), "{}", errors(&output));
    }
    // On small boards auto is a search of the engine, the one that solve takes.
    let output = novelo(&["trace", LESSON, "-a", "auto"]);
    assert!(text(&output).starts_with("astar with linear-conflict on"), "{}", text(&output));
}
