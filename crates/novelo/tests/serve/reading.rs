//! The registry, the document, instances read and made, boards along moves.

use serde_json::{Value, json};

use crate::harness::{EIGHT, Server};

#[test]
fn the_registry_has_everything() {
    let server = Server::start();
    let (_, registry) = server.get("/api/registry");
    let names = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    };
    let puzzles: Vec<_> = novelo_puzzles::PUZZLES.iter().map(|puzzle| puzzle.info().name).collect();
    assert_eq!(names(&registry["puzzles"]), puzzles);
    let algorithms = names(&registry["algorithms"]);
    for name in ["auto", "bfs", "dfs", "astar", "idastar", "bidirectional"] {
        assert!(algorithms.iter().any(|known| known == name), "{name}");
    }
    let named = |name: &str| {
        let found = registry["algorithms"].as_array().unwrap().iter().find(|entry| entry["name"] == name);
        found.unwrap_or_else(|| panic!("{name}")).clone()
    };
    let weight = &named("wastar")["parameters"][0];
    assert_eq!((&weight["name"], &weight["kind"]), (&json!("weight"), &json!("number")));
    assert_eq!((&weight["least"], &weight["most"]), (&json!(1.0), &json!(1000.0)));
    assert_eq!((&weight["default"], &weight["required"]), (&json!("1.5"), &json!(false)));
    assert_eq!((&named("tiles")["puzzle"], &named("astar")["puzzle"]), (&json!("sliding"), &Value::Null));
    assert_eq!(named("auto")["optimal"], novelo_puzzles::AUTO.optimal);
    assert_eq!(names(&registry["counts"])[0], "expanded");
    let pdb = &registry["puzzles"][0]["heuristics"].as_array().unwrap().iter().find(|it| it["name"] == "pdb");
    assert!(pdb.unwrap()["parameters"][0]["example"].is_string(), "{pdb:?}");
    for puzzle in registry["puzzles"].as_array().unwrap() {
        assert!(!puzzle["sizes"].as_array().unwrap().is_empty(), "{puzzle}");
        assert!(!puzzle["heuristics"].as_array().unwrap().is_empty());
    }
}

#[test]
fn the_document_lists_every_address() {
    let server = Server::start();
    let (_, document) = server.get("/api/openapi.json");
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    let paths = document["paths"].as_object().unwrap();
    let expected = [
        "/api/health",
        "/api/registry",
        "/api/instances",
        "/api/generate",
        "/api/views",
        "/api/judge",
        "/api/scores",
        "/api/games",
        "/api/games/{token}",
        "/api/jobs",
        "/api/jobs/{id}",
        "/api/jobs/{id}/events",
        "/api/jobs/{id}/files/{name}",
    ];
    for path in expected {
        assert!(paths.contains_key(path), "{path}");
    }
}

#[test]
fn instances_are_read_from_any_format() {
    let server = Server::start();
    let read = |text: &str| server.posted("/api/instances", &json!({"text": text}))["instances"].clone();
    let board = read("1 2 3\n4 5 6\n7 0 8\n");
    assert_eq!(board[0]["puzzle"], "sliding");
    assert_eq!(board[0]["size"], "3x3");
    assert_eq!(board[0]["view"]["cells"].as_array().unwrap().len(), 9);
    let several = read(&format!("{EIGHT}\nnumbrix:3x3:1c5_4b9\n"));
    assert_eq!(several[1]["puzzle"], "numbrix");
    for (puzzle, body) in [("mazes", "mazes:6x6:2xx2/5x/6/6/6/6"), ("boxes", "boxes:2x2:2:a04")] {
        assert_eq!(read(body)[0]["puzzle"], puzzle);
        assert_eq!(read(body)[0]["id"], body);
    }
}

#[test]
fn a_text_is_read_as_the_command_line_reads_it() {
    let server = Server::start();
    let texts = |file: &str| -> Vec<(String, String)> {
        let path = format!("{}/../puzzles/tests/texts/{file}", env!("CARGO_MANIFEST_DIR"));
        let all = std::fs::read_to_string(path).unwrap();
        let parts = all.split("=== ").skip(1).map(|part| part.split_once('\n').unwrap());
        parts.map(|(what, text)| (what.to_owned(), text.to_owned())).collect()
    };
    for (id, text) in texts("formats.txt") {
        let read = server.posted("/api/instances", &json!({"text": text}));
        assert_eq!(read["instances"][0]["id"], id, "{text}");
    }
    for (puzzles, text) in texts("ambiguous.txt") {
        let (status, value) = server.post("/api/instances", &json!({"text": text}));
        assert_eq!(status, 400, "{value}");
        assert_eq!(value["error"]["puzzles"], json!(puzzles.split(' ').collect::<Vec<_>>()), "{text}");
        assert!(value["error"]["help"].as_str().unwrap().contains("choose the puzzle"), "{value}");
    }
}

#[test]
fn bad_text_is_pointed_at() {
    let server = Server::start();
    let text = "sliding:2x2:3,1,2,0\nsliding:2x2:3,1,é,0\n";
    let (status, value) = server.post("/api/instances", &json!({"text": text}));
    assert_eq!(status, 400);
    let place = &value["error"]["where"];
    assert_eq!(place["field"], "text");
    assert_eq!(place["line"], 2);
    let utf16: Vec<u16> = text.encode_utf16().collect();
    let range = place["start"].as_u64().unwrap() as usize..place["end"].as_u64().unwrap() as usize;
    assert_eq!(String::from_utf16(&utf16[range]).unwrap(), "é");
    for (body, field) in [
        (json!({"text": "hello"}), "text"),
        (json!({"text": ""}), "text"),
        (json!({"text": "1", "puzzle": "chess"}), "puzzle"),
        (json!({"text": "sliding:2x2:3,1,2,0\n".repeat(201)}), "text"),
    ] {
        let (status, value) = server.post("/api/instances", &body);
        assert!(matches!(status, 400 | 422), "{value}");
        assert_eq!(value["error"]["where"]["field"], field, "{value}");
    }
}

#[test]
fn instances_are_made_for_every_puzzle_size_and_difficulty() {
    let server = Server::start();
    let (_, registry) = server.get("/api/registry");
    for puzzle in registry["puzzles"].as_array().unwrap() {
        let size = &puzzle["sizes"][0];
        for difficulty in puzzle["difficulties"].as_array().unwrap() {
            let wish = json!({"puzzle": puzzle["name"], "size": size, "difficulty": difficulty, "seed": 7});
            let made = server.posted("/api/generate", &wish);
            assert_eq!(made["instance"]["size"], *size, "{wish}");
            assert_eq!(server.posted("/api/generate", &wish), made, "the same seed, the same instance");
        }
    }
    let wish = json!({"puzzle": "numbrix", "size": "5x5", "options": {"clues": 9, "pattern": "border"}});
    let made = server.posted("/api/generate", &wish);
    let given =
        made["instance"]["view"]["cells"].as_array().unwrap().iter().filter(|cell| cell["kind"] == "given");
    assert_eq!(given.count(), 9);
    let drawn = || server.posted("/api/generate", &json!({"puzzle": "sliding"}))["seed"].clone();
    assert_ne!(drawn(), drawn());
}

#[test]
fn impossible_wishes_are_refused() {
    let server = Server::start();
    for wish in [
        json!({"puzzle": "chess"}),
        json!({"puzzle": "sliding", "size": "0x0"}),
        json!({"puzzle": "sliding", "size": "1000x1000"}),
        json!({"puzzle": "numbrix", "size": "900x900"}),
        json!({"puzzle": "mazes", "difficulty": "fiendish"}),
        json!({"puzzle": "boxes", "size": "999x999"}),
        json!({"puzzle": "boxes", "options": {"clues": 3}}),
        json!({"puzzle": "boxes", "options": {"goal": [1]}}),
        json!({"puzzle": "numbrix", "options": {"clues": -1}}),
    ] {
        let (status, value) = server.post("/api/generate", &wish);
        assert!(matches!(status, 400 | 422), "{wish}: {status} {value}");
    }
}

#[test]
fn boards_along_a_solution_end_at_the_goal() {
    let server = Server::start();
    for instance in [EIGHT, "numbrix:3x3:1c5_4b9", "mazes:6x6:2xx2/5x/6/6/6/6", "boxes:2x2:2:a04"] {
        let job = server.job(&json!({"kind": "solve", "instance": instance, "run": {"algorithm": "auto"}}));
        let moves = &job["result"]["report"]["moves"];
        let film = server.posted("/api/views", &json!({"instance": instance, "moves": moves}));
        let mut cells = film["start"]["cells"].as_array().unwrap().clone();
        let mut path = film["start"]["path"].as_array().unwrap().clone();
        assert_eq!(film["frames"].as_array().unwrap().len(), film["moves"].as_array().unwrap().len());
        for frame in film["frames"].as_array().unwrap() {
            for change in frame["cells"].as_array().unwrap() {
                cells[change[0].as_u64().unwrap() as usize] = change[1].clone();
            }
            if let Some(keep) = frame["path"]["keep"].as_u64() {
                path.truncate(keep as usize);
                path.extend(frame["path"]["add"].as_array().unwrap().iter().cloned());
            }
        }
        // Play the same moves as a game: it is won, and its board is the same.
        let game = server.posted("/api/games", &json!({"instance": instance}));
        let token = game["token"].as_str().unwrap();
        let mut last = game.clone();
        for made in film["moves"].as_array().unwrap() {
            last = server.posted(&format!("/api/games/{token}"), &json!({"do": "play", "move": made}));
        }
        assert_eq!(last["status"]["state"], "won", "{instance}");
        assert_eq!(last["view"]["cells"], Value::Array(cells), "{instance}");
        assert_eq!(last["view"]["path"], Value::Array(path), "{instance}");
    }
    let (status, value) = server.post("/api/views", &json!({"instance": EIGHT, "moves": ["D"]}));
    assert_eq!(status, 409, "{value}");
    assert_eq!(value["error"]["where"]["field"], "moves");
}

#[test]
fn a_board_of_ones_own_is_judged() {
    let server = Server::start();
    // Four clues of a 3x3 Numbrix leave one way, none leaves many; 1 and 3 are never neighbours' neighbours on a row of two.
    for (id, outcome, unique) in [
        ("numbrix:3x3:1c5_4b9", "solved", json!(true)),
        ("numbrix:3x3:i", "solved", json!(false)),
        ("numbrix:2x2:1_3b", "unsolvable", Value::Null),
        ("sliding:2x2:1,2,0,3", "solved", Value::Null),
    ] {
        let (status, judged) = server.post("/api/judge", &json!({"instance": id}));
        assert_eq!(status, 200, "{judged}");
        assert_eq!((&judged["outcome"], &judged["unique"]), (&json!(outcome), &unique), "{id}: {judged}");
        assert_eq!(judged["complete"], outcome == "solved", "{judged}");
    }
    let (status, _) = server.post("/api/judge", &json!({"instance": "numbrix:3x3:1"}));
    assert_eq!(status, 400);
}
