//! What a class sees of the program is true: names, refusals, what ended a run, orders, tables.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("novelo-class-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn novelo(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
        command.args(arguments).current_dir(&self.0).env("NOVELO_DATA", &self.0);
        command.output().unwrap()
    }

    fn told(&self, arguments: &[&str]) -> String {
        let output = self.novelo(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_format_is_read_as_what_it_is_and_what_could_be_two_things_is_asked() {
    let folder = Folder::new("formats");
    let texts = |file: &str| -> Vec<(String, String)> {
        let path = format!("{}/../puzzles/tests/texts/{file}", env!("CARGO_MANIFEST_DIR"));
        let all = std::fs::read_to_string(path).unwrap();
        let parts = all.split("=== ").skip(1).map(|part| part.split_once('\n').unwrap());
        parts.map(|(what, text)| (what.to_owned(), text.to_owned())).collect()
    };
    for (id, text) in texts("formats.txt") {
        folder.write("board.txt", &text);
        let told = folder.told(&["show", "board.txt"]);
        // Where a file has several, each begins with its name.
        assert_eq!(told.lines().next().unwrap().split_whitespace().last(), Some(&*id), "{text}");
    }
    for (puzzles, text) in texts("ambiguous.txt") {
        folder.write("board.txt", &text);
        let output = folder.novelo(&["solve", "board.txt"]);
        let said = stderr(&output);
        assert_eq!((output.status.code(), &*stdout(&output)), (Some(2), ""), "{text}");
        let choice: Vec<_> = puzzles.split(' ').map(|puzzle| format!("--puzzle {puzzle}")).collect();
        assert!(said.contains(&format!("say which: {}", choice.join(" or "))), "{text}: {said}");
    }
}

#[test]
fn equal_boards_of_different_files_keep_their_names() {
    let folder = Folder::new("names");
    let board = "1 2 3\n4 5 6\n0 7 8\n";
    for name in ["one.txt", "two.txt", "again/one.txt"] {
        folder.write(name, board);
    }
    folder.write("set.txt", "near | 3x3 | 1 2 3 4 5 6 7 0 8 | blank-last | 1 |\n");
    let files = ["one.txt", "two.txt", "again/one.txt", "set.txt"];
    let compare = [&["compare"], &files[..], &["-a", "bfs,ucs", "--json"]].concat();
    let rows = objects(&folder.told(&compare));
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row["solved"] == 4), "all four files count");
    let rows = objects(&folder.told(&[&compare[..], &["--by", "instance"]].concat()));
    let names: Vec<_> = rows.iter().map(|row| row["instance"].as_str().unwrap()).collect();
    assert_eq!(names, ["one", "two", "one (2)", "near"]);
    let solved = objects(&folder.told(&[&["solve", "--json"], &files[..]].concat()));
    let names: Vec<_> = solved.iter().map(|run| run["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["one", "two", "one", "near"]);
    assert_eq!(objects(&folder.told(&["solve", "--json", "sliding:2x2:1,2,0,3"]))[0]["name"], Value::Null);
    // An experiment on the same files.
    folder.write(
        "try.toml",
        "title = \"names\"\n[[instances]]\nfiles = [\"one.txt\", \"two.txt\"]\n[[methods]]\nalgorithms = [\"bfs\"]\n",
    );
    folder.told(&["experiment", "run", "try.toml"]);
    let report = folder.told(&["report", "try.ndjson", "--by", "instance", "--csv"]);
    let names: Vec<_> = report.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(names, ["one", "two"]);
}

#[test]
fn the_id_of_a_large_board_does_not_break_a_table() {
    let folder = Folder::new("ids");
    let id = "sliding:4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,0,15";
    let table =
        folder.told(&["compare", id, "-a", "bfs,astar", "-H", "manhattan", "--by", "instance,method"]);
    assert_eq!(table.lines().count(), 3, "{table}");
}

#[test]
fn an_experiment_is_refused_before_its_first_run_with_the_line() {
    let instances = "title = \"x\"\n[[instances]]\ngenerate = \"numbrix\"\nsize = \"3x3\"\n";
    for (wrong, line, message) in [
        (
            "[[methods]]\nalgorithms = [\"bfs\"]\n[[methods]]\nalgorithms = [\"astar\"]\nheuristics = [\"opennes\"]\n",
            9,
            "'openness'",
        ),
        ("[[methods]]\nalgorithms = [\"bfs\", \"atsar\"]\n", 6, "'astar'"),
        ("[[methods]]\nalgorithms = [\"dfs\"]\norder = \"ULRX\"\n", 7, "'ULRX' is not an order"),
        ("[[methods]]\nalgorithms = [\"bfs\", \"bidirectional\"]\n", 6, "can be run backwards"),
        (
            "[[methods]]\nalgorithms = [\"bfs\"]\nheuristics = [\"openness\"]\n",
            7,
            "no algorithm here takes one",
        ),
        (
            "[[instances]]\nfiles = [\"boards.txt\"]\npick = [\"1\", \"no-such\"]\n",
            7,
            "no instance called no-such",
        ),
        ("[[instances]]\nfiles = [\"nowhere.txt\"]\n", 6, "NOVELO_INSTANCES"),
    ] {
        let folder = Folder::new("refused");
        folder.write("boards.txt", "1 2 3\n4 5 6\n7 0 8\n");
        folder.write("try.toml", &format!("{instances}{wrong}"));
        let output = folder.novelo(&["experiment", "run", "try.toml"]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        let said = stderr(&output);
        assert!(said.contains(message) && said.contains(&format!("try.toml:{line}:")), "{wrong}: {said}");
        assert!(!folder.0.join("try.ndjson").exists(), "{wrong}");
    }
}

#[test]
fn a_method_is_asked_of_the_puzzles_that_have_it() {
    let folder = Folder::new("mixed");
    folder.write(
        "try.toml",
        "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\nsize = \"2x2\"\n[[instances]]\ngenerate = \"boxes\"\n\
         size = \"2x2\"\n[[methods]]\nalgorithms = [\"astar\"]\nheuristics = [\"hamming\", \"corners\"]\n",
    );
    let planned = folder.told(&["experiment", "run", "try.toml", "--dry-run"]);
    assert_eq!(
        planned.lines().map(|line| line.split("  ").nth(1).unwrap()).collect::<Vec<_>>(),
        ["astar hamming", "astar corners"]
    );
}

#[test]
fn what_ended_a_proof_is_said_and_a_solution_is_a_success() {
    let folder = Folder::new("ended");
    let board = folder.told(&["generate", "sliding", "--size", "6x6", "--seed", "3"]);
    let output = folder.novelo(&["solve", board.trim(), "--time-limit", "3s", "--json", "--threads", "1"]);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(
        (report["outcome"].as_str(), report["stop"].as_str()),
        (Some("solved"), Some("time")),
        "{report}"
    );
    assert_eq!((report["optimal"].as_bool(), output.status.code()), (Some(false), Some(0)));
    let said = folder.told(&["solve", board.trim(), "--time-limit", "3s", "--threads", "1"]);
    assert!(said.contains("not proved optimal: stopped by the time limit"), "{said}");
    assert!(folder.told(&["--help"]).contains("a solution that is not proved the best counts"));
    // Its own ten seconds are no limit that anybody has set; the room that a beam did not find is.
    let said = folder.told(&["solve", board.trim(), "--memory-limit", "48MiB"]);
    assert!(said.contains("not proved optimal: stopped by the memory limit"), "{said}");
    // Nothing ended a search that ends at its first solution.
    let greedy = folder.told(&["solve", "sliding:3x3:8,6,7,2,5,4,3,0,1", "-a", "greedy", "--json"]);
    assert_eq!(objects(&greedy)[0]["stop"], Value::Null);
}

#[test]
fn why_a_board_has_no_solution_is_part_of_the_result() {
    let folder = Folder::new("reason");
    for (board, reason) in [
        ("sliding:2x2:2,1,3,0", "inversion"),
        ("boxes:1x2:3", "2 boxes"),
        ("numbrix:2x2:1b2", "only 1 step leads from one to the other"),
    ] {
        let output = folder.novelo(&["solve", board, "--json"]);
        assert_eq!(output.status.code(), Some(11), "{board}: {}", stderr(&output));
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert!(report["reason"].as_str().is_some_and(|it| it.contains(reason)), "{report}");
    }
}

#[test]
fn small_penetrance_is_not_nothing_and_a_move_stays_on_its_line() {
    let folder = Folder::new("shape");
    let told = folder.told(&["solve", "sliding:3x3:8,6,7,2,5,4,3,0,1", "-a", "bfs"]);
    let shape = told.lines().find(|line| line.contains("penetrance")).unwrap();
    assert!(!shape.contains("0.0000") && shape.contains("e-"), "{shape}");
    let told = folder.told(&["solve", "boxes:6x6:24:100300000a00084809814"]);
    let moves =
        told.lines().skip_while(|line| !line.contains("moves  ")).take_while(|line| !line.contains("method"));
    for line in moves {
        assert!(!line.ends_with(" h") && !line.ends_with(" v"), "{told}");
        let first = line.trim_start().trim_start_matches("moves").trim_start();
        assert!(first.starts_with(['h', 'v']), "{told}");
    }
}

#[test]
fn a_file_that_is_no_results_file_is_told_in_words() {
    let folder = Folder::new("wrong");
    folder.write("board.txt", "1 2 3\n4 5 6\n7 0 8\n");
    folder.write("object.ndjson", "{\"a\": 1}\n{\"b\": 2}\n");
    for file in ["board.txt", "object.ndjson"] {
        let output = folder.novelo(&["report", file]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2));
        assert!(said.contains(&format!("{file}, line 1: this is no line of a results file")), "{said}");
        assert!(!said.contains("untagged") && !said.contains("enum"), "{said}");
    }
}

#[test]
fn advice_on_partitions_can_be_followed() {
    let folder = Folder::new("partitions");
    let said = stderr(&folder.novelo(&["pdb", "build", "9-9"]));
    assert!(said.contains("4-4 for 3x3") && !said.contains("add --size 4x4"), "{said}");
    let cache = folder.0.join("cache");
    let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
    command.args(["pdb", "build", "4-4"]).env("NOVELO_CACHE", &cache);
    assert!(command.output().unwrap().status.success());
}

#[test]
fn the_usual_order_of_the_mazes_operators_can_be_spelt_out() {
    let folder = Folder::new("order");
    let solve = |order: &[&str]| {
        let asked = [&["solve", "mazes:4x5:5/5/5/1xxxx", "-a", "dfs", "--json"], order].concat();
        let run = objects(&folder.told(&asked)).remove(0);
        (run["expanded"].clone(), run["moves"].clone())
    };
    assert_eq!(solve(&["--order", "UDLRudlr"]), solve(&[]));
}

#[test]
fn orders_are_compared_and_wrong_ones_refused() {
    let folder = Folder::new("orders");
    let mazes = "mazes:4x5:5/5/5/1xxxx";
    let expanded = |order: &str| {
        let rows = objects(&folder.told(&["compare", mazes, "-a", "dfs", "--order", order, "--json"]));
        assert_eq!(rows[0]["method"], format!("dfs {order}"));
        rows[0]["expanded"].as_f64().unwrap()
    };
    assert!((expanded("UDLRudlr") - expanded("rludRLUD")).abs() > 0.0);
    for wrong in ["UDLR", "UDLRudlx", "UUDLRudlr"] {
        let said = stderr(&folder.novelo(&["solve", mazes, "-a", "dfs", "--order", wrong]));
        assert!(
            said.contains("is not an order of the eight operators") && said.contains("UDLRudlr"),
            "{said}"
        );
    }
    let said = stderr(&folder.novelo(&["compare", "sliding:2x2:1,2,0,3", "-a", "bfs", "--order", "XY"]));
    assert!(said.contains("'XY' is not an order of moves"), "{said}");
}

#[test]
fn a_board_is_drawn_in_the_terminal_and_into_files() {
    let folder = Folder::new("show");
    let told = folder.told(&["show", "sliding:3x3:1,2,3,4,5,6,0,7,8", "--after", "R R"]);
    assert!(told.starts_with("sliding:3x3:1,2,3,4,5,6,7,8,0\n") && told.lines().count() > 3, "{told}");
    for board in [
        "sliding:3x3:1,2,3,4,5,6,0,7,8",
        "numbrix:3x3:1b6b7b",
        "mazes:5x5:5/5/x4/x4/5:RRRRULLLURRR",
        "boxes:3x3:4:ddb900",
    ] {
        folder.told(&["show", board, "--svg", "board.svg", "--png", "board.png"]);
        let drawn = std::fs::read_to_string(folder.0.join("board.svg")).unwrap();
        assert!(drawn.starts_with("<svg viewBox") && drawn.contains("</svg>"), "{board}");
        let pixels = std::fs::read(folder.0.join("board.png")).unwrap();
        assert!(pixels.starts_with(b"\x89PNG") && pixels.len() > 500, "{board}");
    }
    // What was given stays apart from what was written since, and pancakes are as wide as they are large.
    folder.told(&["show", "numbrix:3x3:1b6b7b", "--after", "1,2=2 1,3=3", "--svg", "after.svg"]);
    let drawn = std::fs::read_to_string(folder.0.join("after.svg")).unwrap();
    assert_eq!((drawn.matches("<text").count(), drawn.matches("bold").count()), (5, 3), "{drawn}");
    folder.told(&["show", "pancake:3:3,1,2", "--svg", "stack.svg"]);
    let drawn = std::fs::read_to_string(folder.0.join("stack.svg")).unwrap();
    let widths = drawn.split("<rect x=").skip(1).map(|rect| {
        rect.split("width=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().parse::<f64>().unwrap()
    });
    let widths: Vec<_> = widths.collect();
    assert!(widths.len() == 3 && widths[1] < widths[2] && widths[2] < widths[0], "{widths:?}");
    // Moves of solve --json are moves, and an illegal one is told.
    let solved = folder.told(&["solve", "numbrix:3x3:1b6b7b", "--json"]);
    folder.write("solved.json", &solved);
    let told = folder.told(&["show", "numbrix:3x3:1b6b7b", "--after", "solved.json"]);
    assert!(told.contains('9') && told.contains('4'), "{told}");
    let said = stderr(&folder.novelo(&["show", "sliding:2x2:1,2,3,0", "--after", "D"]));
    assert!(said.contains("move 1, D"), "{said}");
    let shown = folder.told(&["generate", "boxes", "--size", "2x2", "--show", "--count", "2"]);
    assert!(
        shown.lines().filter(|line| line.starts_with("boxes:2x2:")).count() == 2
            && shown.lines().count() > 10
    );
}

#[test]
fn a_solved_numbrix_prints_its_grid() {
    let folder = Folder::new("grid");
    let told = folder.told(&["solve", "numbrix:3x3:1b6b7b"]);
    let row = |wanted: [&str; 3]| {
        told.lines().any(|line| {
            let numbers: Vec<_> =
                line.split(|letter: char| !letter.is_ascii_digit()).filter(|it| !it.is_empty()).collect();
            numbers == wanted
        })
    };
    assert!(row(["1", "2", "3"]) && row(["6", "5", "4"]) && row(["7", "8", "9"]), "{told}");
}

#[test]
fn tables_come_as_latex() {
    let folder = Folder::new("latex");
    let board = "sliding:3x3:1,2,3,4,5,6,0,7,8";
    let table = folder.told(&["compare", board, "-a", "bfs,astar", "-H", "manhattan", "--latex"]);
    assert!(table.starts_with("\\begin{tabular}{lrrr") && table.ends_with("\\end{tabular}\n"), "{table}");
    assert!(table.contains("\\textbf{") && table.contains("b$^*$"), "{table}");
    assert_eq!(table.lines().filter(|line| line.ends_with("\\\\")).count(), 3, "{table}");
    folder.write(
        "try.toml",
        "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\nsize = \"2x2\"\n[[methods]]\nalgorithms = [\"bfs\"]\n",
    );
    folder.told(&["experiment", "run", "try.toml"]);
    assert!(folder.told(&["report", "try.ndjson", "--latex"]).contains("% 2x2 #1\n\\begin{tabular}"));
}

#[test]
fn an_experiment_copied_elsewhere_finds_its_boards_beside_the_program() {
    let folder = Folder::new("copied");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    folder
        .write("copy.toml", &std::fs::read_to_string(root.join("experiments/fifteen-puzzle.toml")).unwrap());
    // As it is unpacked or built, wherever that is: the program in a folder beside the boards or below them.
    let program = folder.0.join("unpacked/bin/novelo");
    std::fs::create_dir_all(program.parent().unwrap()).unwrap();
    let built = env!("CARGO_BIN_EXE_novelo");
    std::fs::hard_link(built, &program).or_else(|_| std::fs::copy(built, &program).map(drop)).unwrap();
    let boards = folder.0.join("unpacked/instances/sliding");
    std::fs::create_dir_all(&boards).unwrap();
    std::fs::copy(root.join("instances/sliding/fifteen-course.txt"), boards.join("fifteen-course.txt"))
        .unwrap();
    let mut command = Command::new(program);
    command.args(["experiment", "run", "copy.toml", "--dry-run"]).current_dir(&folder.0);
    let output = command.env_remove("NOVELO_INSTANCES").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    for name in ["fcup-conf1", "fcup-conf2", "fcup-conf3", "fcup-conf4"] {
        assert!(stdout(&output).contains(name), "{}", stdout(&output));
    }
}

#[test]
fn the_ready_experiments_have_what_the_courses_ran() {
    let folder = Folder::new("ready");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, methods) in [
        ("boxes", &["bfs", "dfs", "dls:limit=30", "astar boxes-left", "astar corners"][..]),
        (
            "mazes",
            &["bfs", "dfs", "dls:limit=80", "ids", "ucs", "greedy twice-empty", "idastar inverse-manhattan"],
        ),
        ("fifteen-puzzle", &["bfs", "dls:limit=20", "ids", "astar hamming", "greedy manhattan"]),
    ] {
        let file = root.join(format!("experiments/{name}.toml"));
        let planned = folder.told(&["experiment", "run", file.to_str().unwrap(), "--dry-run"]);
        for method in methods {
            assert!(planned.lines().any(|line| line.split("  ").nth(1) == Some(method)), "{name}: {method}");
        }
    }
}

#[test]
fn a_sweep_has_a_plot_for_each_algorithm_with_a_curve_for_each_board() {
    let folder = Folder::new("sweep");
    folder.write(
        "try.toml",
        "title = \"x\"\n[[instances]]\ngenerate = \"numbrix\"\nsize = \"4x4\"\ncount = 3\nseed = 5\n[[methods]]\n\
         algorithms = [\"greedy\", \"astar\"]\nheuristics = [\"openness:alpha={alpha}\"]\nsweep.alpha = \"1.0..2.0 step 0.5\"\n",
    );
    folder.told(&["experiment", "run", "try.toml"]);
    folder.told(&["report", "try.ndjson", "--plots", "plots"]);
    for algorithm in ["greedy", "astar"] {
        let plot = folder.0.join(format!("plots/alpha-nodes-expanded-{algorithm}-openness-alpha-boards.svg"));
        let drawn = std::fs::read_to_string(&plot).unwrap_or_else(|_| {
            panic!("{:?}", std::fs::read_dir(folder.0.join("plots")).unwrap().collect::<Vec<_>>())
        });
        assert!((1..=3).all(|number| drawn.contains(&format!("4x4 #{number}"))), "a curve a board");
        assert!(drawn.contains(">1.5<"), "ticks at the values that were swept");
    }
}

#[test]
fn shells_and_help_know_the_names() {
    let folder = Folder::new("names-known");
    assert!(folder.told(&["--help"]).lines().any(|line| line.trim_start().starts_with("shell ")));
    let completions = folder.told(&["shell", "completions", "fish"]);
    for name in ["greedy", "manhattan", "openness", "mazes"] {
        assert!(completions.contains(name), "{name}");
    }
    for (wrong, right) in
        [(["-a", "a*"], "astar"), (["-H", "manhatan"], "manhattan"), (["--puzzle", "slidin"], "sliding")]
    {
        let said = stderr(&folder.novelo(&["solve", "sliding:2x2:1,2,0,3", wrong[0], wrong[1]]));
        assert!(said.contains(&format!("did you mean '{right}'?")), "{said}");
    }
}

#[test]
fn tables_that_fit_no_board_are_refused_before_the_first_run() {
    let folder = Folder::new("tables");
    let experiment = |heuristics: &str| {
        format!(
            "title = \"x\"\n[[instances]]\ngenerate = \"sliding\"\nsize = \"2x2\"\n[[instances]]\nfiles = [\"b.txt\"]\n\
             [[methods]]\nalgorithms = [\"astar\"]\nheuristics = [{heuristics}]\n"
        )
    };
    folder.write("b.txt", "1 2 3\n4 5 6\n7 0 8\n");
    folder.write("try.toml", &experiment("\"manhattan\", \"pdb:9-9\""));
    let output = folder.novelo(&["experiment", "run", "try.toml"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no partition is called \"9-9\"") && said.contains("try.toml:9:"), "{said}");
    assert!(!folder.0.join("try.ndjson").exists());
    // One that fits some of the boards is asked of those.
    folder.write("try.toml", &experiment("\"pdb:4-4\""));
    let planned = folder.told(&["experiment", "run", "try.toml", "--dry-run"]);
    assert_eq!(planned.lines().count(), 1, "{planned}");
}

#[test]
fn what_makes_a_row_is_known_or_refused() {
    let folder = Folder::new("fields");
    folder.write(
        "try.toml",
        "title = \"x\"\n[[instances]]\ngenerate = \"numbrix\"\nsize = \"3x3\"\n[[methods]]\nalgorithms = [\"greedy\"]\n\
         heuristics = [\"openness:alpha={alpha}\"]\nsweep.alpha = \"1, 2\"\n",
    );
    folder.told(&["experiment", "run", "try.toml"]);
    assert_eq!(folder.told(&["report", "try.ndjson", "--by", "alpha", "--csv"]).lines().count(), 3);
    for asked in
        [&["report", "try.ndjson", "--by", "alhpa"][..], &["compare", "boxes:2x2:1:000", "--by", "sizes"]]
    {
        let output = folder.novelo(asked);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("there is no field") && said.contains("did you mean"), "{said}");
    }
}

#[test]
fn options_without_effect_are_said_to_have_none() {
    let folder = Folder::new("without-effect");
    let (tiles, numbers) = ("sliding:3x3:1,2,3,4,5,6,0,7,8", "numbrix:3x3:1b6b7b");
    for (asked, option) in [
        (&["solve", numbers, "-H", "openness"][..], "--heuristic openness"),
        (&["solve", numbers, "--order", "LRUD"], "--order"),
        (&["solve", numbers, "--count", "-a", "astar"], "--algorithm"),
        (&["solve", tiles, "-a", "bfs", "--all-improvements"], "--all-improvements"),
        (&["solve", tiles, "--json", "--show"], "--show"),
        (&["solve", tiles, "-a", "windows", "--order", "LRUD"], "--order"),
        (&["solve", tiles, "-a", "windows", "--threads", "2"], "--threads"),
        (&["solve", numbers, "--threads", "2"], "--threads"),
        (&["compare", numbers, "-a", "propagation,dfs", "--threads", "2"], "--threads"),
        (&["trace", tiles, "--threads", "2"], "--threads"),
        (&["compare", tiles, "-a", "bfs", "-H", "manhattan"], "--heuristics"),
        (&["compare", tiles, "-a", "bfs", "--depth-limit", "5"], "--depth-limit"),
        (&["compare", tiles, "-a", "dfs", "--threads", "2"], "--threads"),
    ] {
        let output = folder.novelo(asked);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{asked:?}: {said}");
        assert!(said.contains(&format!("note: {option} has no effect")), "{asked:?}: {said}");
    }
    for effective in [
        &["solve", tiles, "-H", "manhattan", "--order", "LRUD"][..],
        &["solve", tiles, "-a", "awastar", "--all-improvements"],
        &["solve", numbers, "--all", "--limit", "1", "--show"],
        &["compare", tiles, "-a", "bfs,dls", "-H", "manhattan", "--depth-limit", "5", "--threads", "2"],
    ] {
        let said = stderr(&folder.novelo(effective));
        assert!(effective[0] == "compare" || !said.contains("no effect"), "{effective:?}: {said}");
    }
    // What can be refused is.
    for (asked, said) in [
        (&["solve", tiles, "--limit", "3"][..], "--all"),
        (&["solve", numbers, "--all", "--count"], "cannot be used with"),
        (&["play", tiles, "--size", "4x4"], "--size is for new boards"),
        (&["play", "--difficulty", "hard"], "required"),
    ] {
        let output = folder.novelo(asked);
        assert_eq!(output.status.code(), Some(2), "{asked:?}");
        assert!(stderr(&output).contains(said), "{asked:?}: {}", stderr(&output));
    }
}

#[test]
fn a_puzzle_misspelt_where_a_file_may_stand_is_suggested() {
    let folder = Folder::new("near");
    for asked in [&["play", "slidng"][..], &["solve", "slidng:2x2:1,2,0,3"]] {
        let said = stderr(&folder.novelo(asked));
        assert!(said.contains("did you mean 'sliding'?"), "{said}");
    }
    folder.write("empty.txt", "\n\n");
    let said = stderr(&folder.novelo(&["solve", "empty.txt"]));
    assert!(said.contains("there is nothing in it") && !said.contains("--puzzle"), "{said}");
}

/// Holds every table of a page of docs/ that stands under a command to what the command prints; the tables.
fn tables_of(page: &str) -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs").join(page)).unwrap();
    let mut tables = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(asked) = line.strip_prefix("    novelo ") else { continue };
        let mut asked = asked.to_owned();
        while asked.ends_with('\\') {
            asked.pop();
            asked.push_str(lines.next().unwrap().trim());
        }
        if lines.next() != Some("") || lines.peek().is_none_or(|line| !line.starts_with('|')) {
            continue;
        }
        let mut table = String::new();
        while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
            table.push_str(row);
            table.push('\n');
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
        command.args(asked.split_whitespace()).current_dir(&root).env_remove("NOVELO_INSTANCES");
        assert_eq!(stdout(&command.output().unwrap()), table, "novelo {asked}");
        tables.push(table);
    }
    tables
}

#[test]
fn the_figures_of_the_courses_page_are_those_of_its_commands() {
    assert_eq!(tables_of("courses.md").len(), 5, "one for each course");
}

/// So are those of the page of algorithms, and the first has them all.
#[test]
fn the_page_of_algorithms_has_them_all_on_one_board() {
    let tables = tables_of("algorithms.md");
    for algorithm in novelo_search::Algorithm::all() {
        let row = |line: &str| line.split([' ', ':']).nth(1) == Some(algorithm.name());
        assert!(tables[0].lines().any(row), "{algorithm}");
    }
}
