//! What clients may do to the server: nothing that hurts it or the others.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::harness::{EIGHT, Server};

#[test]
fn an_audit_keeps_to_the_limits_of_a_job() {
    let server = Server::with(&["--job-memory", "64MiB", "--job-time", "20s"]);
    let order = |heuristic: &str| json!({"kind": "audit", "puzzle": "boxes", "heuristic": heuristic, "size": "50x50", "samples": 1});
    let job = server.job(&order("zero"));
    assert!(["done", "failed"].contains(&job["state"].as_str().unwrap()), "{job}");
    assert!(server.peak_memory() < 400 << 20, "{} MiB", server.peak_memory() >> 20);
}

#[test]
fn an_audit_ends_when_it_is_cancelled() {
    let server = Server::with(&["--job-time", "600s"]);
    for (puzzle, heuristic, size) in
        [("boxes", "relaxation", "50x50"), ("numbrix", "openness:prune=all", "64x64")]
    {
        let order =
            json!({"kind": "audit", "puzzle": puzzle, "heuristic": heuristic, "size": size, "samples": 1000});
        let id = server.posted("/api/jobs", &order)["id"].as_str().unwrap().to_owned();
        server.wait_for(&id, "running");
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(server.delete(&format!("/api/jobs/{id}")).0, 200);
        server.wait_for(&id, "cancelled");
    }
}

fn save(instance: &str, moves: &[&str]) -> String {
    let mut text = format!("novelo game 1\ninstance {instance}\nseconds 1\nhints 0\ngave up no\n");
    let _ = writeln!(text, "moves {0}, made {0}", moves.len());
    moves.iter().for_each(|made| {
        let _ = writeln!(text, "{made}");
    });
    text
}

#[test]
fn a_crafted_save_is_refused_at_once() {
    let server = Server::start();
    // Ten thousand moves are a game, one more is none.
    let circle = ["U", "L", "D", "R"];
    let board = "sliding:3x3:1,2,3,4,0,5,6,7,8";
    let moves: Vec<_> = circle.iter().copied().cycle().take(10_001).collect();
    assert_eq!(server.post("/api/games", &json!({"save": save(board, &moves[..10_000])})).0, 201);
    let (status, answer) = server.post("/api/games", &json!({"save": save(board, &moves)}));
    assert_eq!(status, 400, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("at most 10000 moves"), "{message}");
    // A step and a step back, again and again, would be replayed from the start each time.
    let maze = "mazes:6x6:2xx2/5x/6/6/6/6";
    let open = server.posted("/api/games", &json!({"instance": maze}));
    let token = open["token"].as_str().unwrap();
    let plays =
        |way: &str| server.post(&format!("/api/games/{token}"), &json!({"do": "play", "move": way})).0 == 200;
    let (way, back) =
        [("U", "D"), ("R", "L"), ("D", "U"), ("L", "R")].into_iter().find(|(way, _)| plays(way)).unwrap();
    let walk: Vec<_> = [way, back].into_iter().cycle().take(9000).collect();
    let (status, answer) = server.post("/api/games", &json!({"save": save(maze, &walk)}));
    assert_eq!(status, 400, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("line 8: the moves walk back and forth"), "{message}");
}

#[test]
fn clients_do_not_fill_the_disk() {
    let server = Server::with(&["--cache-quota", "20KiB"]);
    let drawings = ["aab/bcc/dd.", "abb/acc/dd.", "abc/abc/dd.", "aaa/bbb/cc.", "aab/abb/cc.", "aaa/abb/bb."];
    for drawing in drawings {
        let order = json!({"kind": "solve", "instance": EIGHT,
            "run": {"algorithm": "idastar", "heuristic": format!("pdb:{drawing}")}});
        let job = server.job(&order);
        assert_eq!(job["result"]["report"]["cost"], 31, "{drawing}: {job}");
    }
    assert!(server.cache_bytes() <= 20 << 10, "{} bytes", server.cache_bytes());
}

#[test]
fn a_short_text_has_no_answer_of_a_hundred_megabytes() {
    let server = Server::start();
    let made = server.posted("/api/generate", &json!({"puzzle": "boxes", "size": "50x50", "seed": 1}));
    let id = made["instance"]["id"].as_str().unwrap();
    let text = format!("{id}\n").repeat(200);
    let (status, answer) = server.post("/api/instances", &json!({"text": text}));
    assert_eq!(status, 400, "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("20000 are the most"), "{answer}");
    let small = format!("{EIGHT}\n").repeat(200);
    let read = server.posted("/api/instances", &json!({"text": small}));
    assert_eq!(read["instances"].as_array().unwrap().len(), 200);
}

#[test]
fn a_body_that_drips_is_not_waited_for() {
    let server = Server::start();
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let head = format!(
        "POST /api/games HTTP/1.1\r\n{}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n",
        server.host()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    for _ in 0..120 {
        let _ = stream.write_all(b" ");
        let mut part = [0; 1024];
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(length) => answer.extend(&part[..length]),
            Err(_) => {}
        }
        if answer.ends_with(b"}") {
            break;
        }
    }
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[test]
fn idle_connections_keep_nobody_out() {
    const IDLE: usize = 4300;
    if rlimit::increase_nofile_limit(1 << 14).is_ok_and(|most| most < IDLE as u64 + 100) {
        eprintln!("left out: this system allows too few open files");
        return;
    }
    let server = Server::start();
    let mut idle: Vec<_> = (0..IDLE).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    write!(stream, "GET /api/health HTTP/1.1\r\nConnection: close\r\n{}\r\n", server.host()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    // The one that waited longest has made room.
    assert_eq!(idle[0].read(&mut [0; 16]).unwrap_or(0), 0);
}

#[test]
fn the_longest_time_of_a_job_is_one() {
    let server = Server::with(&["--job-time", "18446744073709551615s"]);
    let order = json!({"kind": "compare", "instances": ["numbrix:3x3:1c5_4b9"],
        "runs": [{"algorithm": "dfs"}, {"algorithm": "greedy"}]});
    assert_eq!(server.job(&order)["state"], "done");
    // Whoever ends abandoned jobs is alive.
    let order = json!({"kind": "audit", "puzzle": "boxes", "heuristic": "relaxation", "size": "50x50"});
    let id = server.posted("/api/jobs", &order)["id"].as_str().unwrap().to_owned();
    std::thread::sleep(Duration::from_secs(13));
    server.wait_for(&id, "cancelled");
}

#[test]
fn other_machines_are_asked_for_a_token() {
    let server = Server::with(&["--bind", "0.0.0.0"]);
    let token = server.token.clone().expect("it is printed");
    let get = |path: &str, headers: &str| server.get_with(path, &format!("{}{headers}", server.host()));
    for path in ["/", "/api/health", "/api/registry", "/main.js"] {
        assert_eq!(get(path, "").0, 401, "{path}");
        assert_eq!(get(path, "Novelo-Token: 0123\r\n").0, 401, "{path}");
        assert_eq!(get(path, &format!("Novelo-Token: {token}\r\n")).0, 200, "{path}");
        assert_eq!(get(path, &format!("Cookie: a=b; novelo-token={token}\r\n")).0, 200, "{path}");
    }
    let (status, text) = get(&format!("/?token={token}"), "");
    assert_eq!(status, 200);
    let cookie = format!("set-cookie: novelo-token={token}; Path=/; HttpOnly; SameSite=Strict");
    assert!(text.to_lowercase().contains(&cookie.to_lowercase()), "{text}");
    assert!(Server::start().token.is_none(), "nothing is asked on this machine alone");
}

#[test]
fn a_second_origin_is_looked_at() {
    let server = Server::start();
    let own = format!("{}Origin: http://{}\r\n", server.host(), server.address);
    assert_eq!(server.get_with("/api/health", &own).0, 200);
    assert_eq!(server.get_with("/api/health", &format!("{own}Origin: http://evil.example\r\n")).0, 403);
}
