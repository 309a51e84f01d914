//! Games over HTTP.

use serde_json::{Value, json};

use crate::harness::{EIGHT, Server};

struct Game<'s> {
    server: &'s Server,
    path: String,
    now: Value,
}

impl<'s> Game<'s> {
    fn open(server: &'s Server, opening: &Value) -> Self {
        let now = server.posted("/api/games", opening);
        let path = format!("/api/games/{}", now["token"].as_str().unwrap());
        Self { server, path, now }
    }

    fn of(server: &'s Server, instance: &str) -> Self {
        Self::open(server, &json!({"instance": instance}))
    }

    fn act(&mut self, deed: &str) -> &Value {
        self.now = self.server.posted(&self.path, &json!({"do": deed}));
        &self.now
    }

    fn play(&mut self, text: &str) -> &Value {
        self.now = self.server.posted(&self.path, &json!({"do": "play", "move": text}));
        &self.now
    }

    fn refused(&self, body: &Value) -> String {
        let (status, value) = self.server.post(&self.path, body);
        assert_eq!(status, 409, "{body}: {value}");
        value["error"]["message"].as_str().unwrap().to_owned()
    }
}

#[test]
fn a_game_of_each_puzzle_is_won_by_hints() {
    let server = Server::start();
    for instance in [
        "sliding:3x3:1,2,3,4,0,6,7,5,8",
        "numbrix:3x3:1c5_4b9",
        "mazes:6x6:2xx2/5x/6/6/6/6",
        "boxes:2x2:2:a04",
    ] {
        let mut game = Game::of(&server, instance);
        while game.now["status"]["state"] == "playing" {
            let hint = game.act("hint")["hint"].clone();
            assert_eq!(hint["hint"], "play", "{instance}: {hint}");
            game.play(hint["play"].as_str().unwrap());
        }
        assert_eq!(game.now["status"]["state"], "won", "{instance}");
        let par = game.act("par")["par"].clone();
        assert_eq!(par["proved"], true);
        assert_eq!(par["cost"], game.now["cost"], "{instance}: proved hints lead to the optimum");
    }
}

#[test]
fn undo_redo_restart_and_their_refusals() {
    let server = Server::start();
    let mut game = Game::of(&server, EIGHT);
    let start = game.now["view"].clone();
    assert!(!game.refused(&json!({"do": "undo"})).is_empty());
    game.play("U");
    let after = game.now["view"].clone();
    assert_ne!(after, start);
    assert_eq!(game.act("undo")["view"], start);
    assert_eq!(game.act("redo")["view"]["cells"][4]["value"], after["cells"][4]["value"]);
    assert_eq!(game.act("restart")["view"], start);
    assert_eq!(game.now["can_redo"], true);
    assert!(game.refused(&json!({"do": "play", "move": "D"})).len() > 5);
    assert!(game.refused(&json!({"do": "play", "move": "<script>"})).contains("<script>"));
    assert!(!game.refused(&json!({"do": "par"})).is_empty(), "par is not given away");
}

#[test]
fn a_pause_hides_the_board() {
    let server = Server::start();
    let mut game = Game::of(&server, EIGHT);
    assert_eq!(game.act("pause")["view"], Value::Null);
    for deed in ["play", "undo", "hint", "check", "solve"] {
        let body = if deed == "play" { json!({"do": deed, "move": "U"}) } else { json!({"do": deed}) };
        game.refused(&body);
    }
    assert!(game.act("resume")["view"].is_object());
}

#[test]
fn a_game_lives_on_in_its_text() {
    let server = Server::start();
    let mut game = Game::of(&server, EIGHT);
    game.play("U");
    game.play("U");
    game.act("undo");
    let save = game.now["save"].clone();
    let other = Server::start();
    assert_eq!(other.get(&game.path).0, 404);
    let mut again = Game::open(&other, &json!({"save": save}));
    assert_eq!(again.now["view"]["cells"], game.now["view"]["cells"]);
    assert_eq!(again.act("redo")["moves"], 2);
    let (status, value) = other.post("/api/games", &json!({"save": "novelo game 1\ninstance x\n"}));
    assert_eq!(status, 400);
    assert_eq!(value["error"]["where"]["field"], "save");
}

#[test]
fn a_lost_maze_is_taken_back() {
    let server = Server::start();
    let mut game = Game::of(&server, "mazes:3x3:3/3/3");
    for way in ["R", "R", "U", "U"] {
        game.play(way);
    }
    assert_eq!(game.now["status"]["state"], "lost", "the end is reached, and four cells are not visited");
    assert_eq!(game.act("check")["check"]["wrong"]["cells"], json!([2]), "only the last step is wrong");
    let hint = game.act("hint")["hint"].clone();
    assert_eq!(hint, json!({"hint": "take-back", "moves": 1}));
    game.act("undo");
    assert_eq!(game.act("hint")["hint"]["hint"], "play");
}

#[test]
fn solving_gives_up_the_score() {
    let server = Server::start();
    let mut game = Game::of(&server, EIGHT);
    game.play("U");
    let solved = game.act("solve").clone();
    assert_eq!(solved["status"]["state"], "won");
    assert_eq!(solved["gave_up"], true);
    assert_eq!(solved["score"], Value::Null);
    assert!(solved["solution"].as_array().unwrap().len() > 10);
}

#[test]
fn games_can_be_put_away() {
    let server = Server::start();
    let game = Game::of(&server, EIGHT);
    assert_eq!(server.delete(&game.path).0, 204);
    assert_eq!(server.get(&game.path).0, 404);
    assert_eq!(server.delete(&game.path).0, 404);
    let (status, _) = server.post("/api/games", &json!({"instance": "sliding:3x3:1"}));
    assert_eq!(status, 400);
    let (status, _) = server.post("/api/games", &json!({"instance": EIGHT, "save": ""}));
    assert_eq!(status, 400);
}

#[test]
fn a_win_is_kept_among_the_best() {
    let server = Server::start();
    assert_eq!(server.get("/api/scores").1["scores"], json!([]));
    let mut game = Game::of(&server, "sliding:3x3:1,2,3,4,5,6,7,0,8");
    game.play("8");
    assert_eq!(game.now["status"]["state"], "won");
    assert_eq!(game.now["record"], true);
    assert_eq!(game.now["best"]["score"], game.now["score"]);
    game.act("undo");
    assert_eq!(game.play("8")["record"], false, "a game counts once");
    let (_, scores) = server.get("/api/scores");
    assert_eq!(scores["scores"].as_array().unwrap().len(), 1);
    assert_eq!(scores["scores"][0]["puzzle"], "sliding");
    assert_eq!(scores["scores"][0]["size"], "3x3");
}
