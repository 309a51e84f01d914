//! Who is let in, with what, and how it ends.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{HARD, Server};

#[test]
fn other_hosts_and_other_pages_are_refused() {
    let server = Server::start();
    let own = server.host();
    let port = server.address.rsplit(':').next().unwrap();
    let get = |headers: &str| server.get_with("/api/health", headers).0;
    assert_eq!(get(&own), 200);
    assert_eq!(get(&format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n")), 200);
    assert_eq!(get(&format!("Host: evil.example:{port}\r\n")), 403);
    assert_eq!(get(&format!("Host: 127.0.0.1.evil.example:{port}\r\n")), 403);
    assert_eq!(get(&format!("{own}Host: evil.example\r\n")), 403);
    assert_eq!(get(&format!("{own}Origin: http://evil.example\r\n")), 403);
    assert_eq!(get(&format!("{own}Origin: null\r\n")), 403);
    assert_eq!(get(&format!("{own}Sec-Fetch-Site: cross-site\r\n")), 403);
    // What a form on another page could send changes nothing either.
    let body = r#"{"instance":"sliding:2x2:3,1,2,0"}"#;
    let post = |headers: &str| {
        let length = body.len();
        let head = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
        server
            .raw(&format!("POST /api/games HTTP/1.1\r\nConnection: close\r\n{own}{head}{headers}\r\n{body}"))
            .0
    };
    assert_eq!(post(""), 201);
    assert_eq!(post("Origin: http://evil.example\r\n"), 403);
    assert_eq!(post("Sec-Fetch-Site: cross-site\r\n"), 403);
    // A link from elsewhere may lead to the page, but not past it.
    assert_eq!(server.get_with("/", &format!("{own}Sec-Fetch-Site: cross-site\r\n")).0, 200);
    assert_eq!(server.get_with("/", &format!("Host: evil.example:{port}\r\n")).0, 403);
    assert!(matches!(server.get_with("/", "").0, 400 | 403));
}

#[test]
fn a_name_given_on_the_command_line_is_served() {
    let server = Server::with(&["--host", "class.example"]);
    assert_eq!(server.get_with("/api/health", "Host: class.example:1\r\n").0, 200);
    assert_eq!(server.get_with("/api/health", "Host: other.example:1\r\n").0, 403);
}

#[test]
fn every_answer_carries_the_policy() {
    let server = Server::start();
    for path in ["/", "/api/health", "/api/nothing", "/nothing"] {
        let (_, text) = server.get_with(path, &server.host());
        let text = text.to_lowercase();
        assert!(
            text.contains("content-security-policy: default-src 'none'; script-src 'self'"),
            "{path}: {text}"
        );
        assert!(!text.contains("unsafe-inline"), "{path}");
        assert!(text.contains("x-content-type-options: nosniff"), "{path}");
    }
}

#[test]
fn paths_stay_within_the_page() {
    let server = Server::start();
    let tricks = [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/./../../etc/passwd",
        "//etc/passwd",
        "/..\\..\\Cargo.toml",
        "/index.html/../../Cargo.toml",
        "/api/jobs/../../Cargo.toml",
        "/api/jobs/x/files/..%2f..%2fCargo.toml",
        "/%00",
    ];
    for path in tricks {
        let (status, text) = server.get_with(path, &server.host());
        assert!(matches!(status, 400 | 404), "{path}: {text}");
        assert!(!text.contains("[package]") && !text.contains("root:"), "{path}");
    }
}

#[test]
fn the_page_is_sent_once() {
    let server = Server::start();
    let (status, first) = server.get_with("/", &server.host());
    assert_eq!(status, 200);
    assert!(first.contains("content-type: text/html; charset=utf-8"), "{first}");
    let tag = first.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = server.get_with("/", &format!("{}If-None-Match: {tag}\r\n", server.host()));
    assert_eq!(again.0, 304, "{}", again.1);
    assert_eq!(server.post("/", &json!({})).0, 405);
}

#[test]
fn bodies_are_bounded_and_must_be_what_is_asked_for() {
    let server = Server::start();
    let post = |path: &str, kind: &str, body: &str| {
        let host = server.host();
        let length = body.len();
        server.raw(&format!(
            "POST {path} HTTP/1.1\r\nConnection: close\r\n{host}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    };
    let json_kind = "application/json";
    assert_eq!(post("/api/instances", json_kind, r#"{"text":"sliding:2x2:3,1,2,0"}"#).0, 200);
    assert_eq!(post("/api/instances", "text/plain", r#"{"text":"sliding:2x2:3,1,2,0"}"#).0, 415);
    assert_eq!(post("/api/instances", json_kind, r#"{"text":"a","more":1}"#).0, 400);
    assert_eq!(post("/api/instances", json_kind, "{").0, 400);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(post("/api/instances", json_kind, &deep).0, 400);
    let deep = format!(r#"{{"kind":"solve","run":{}"#, r#"{"run":"#.repeat(100_000));
    assert_eq!(post("/api/jobs", json_kind, &deep).0, 400);
    let long = format!(r#"{{"text":"{}"}}"#, "1 ".repeat(1 << 20));
    assert_eq!(post("/api/instances", json_kind, &long).0, 413);
    assert_eq!(server.get("/api/health").0, 200);
}

#[test]
fn unknown_addresses_and_methods_are_said_so() {
    let server = Server::start();
    assert_eq!(server.get("/api/nothing").0, 404);
    assert_eq!(server.get("/api").0, 404);
    assert_eq!(server.delete("/api/registry").0, 405);
    assert_eq!(server.get("/api/jobs/0").0, 404);
    assert_eq!(server.get("/api/games/0").0, 404);
}

#[test]
fn a_port_in_use_is_said_so() {
    let server = Server::start();
    let port = server.address.rsplit(':').next().unwrap();
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_novelo"));
    let output = program.args(["serve", "--no-open", "--port", port]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--port 0"));
}

#[test]
fn the_end_is_graceful_in_the_middle_of_work() {
    let mut server = Server::start();
    let order = json!({"kind": "solve", "instance": HARD, "run": {"algorithm": "ids"}});
    let id = server.posted("/api/jobs", &order)["id"].as_str().unwrap().to_owned();
    server.wait_for(&id, "running");
    let events = server.watch(&id);
    let start = Instant::now();
    let status = server.stop();
    assert_eq!(status.code(), Some(0), "{status}");
    assert!(start.elapsed() < Duration::from_secs(30), "it ended at all");
    assert!(events.count() < 1000, "the stream ended too");
}

#[test]
fn a_server_that_has_said_where_it_is_can_be_told_to_end() {
    for _ in 0..10 {
        let status = Server::start().stop();
        assert_eq!(status.code(), Some(0), "{status}");
    }
}

/// The files of the page, by their paths below its folder.
fn page() -> BTreeMap<String, String> {
    fn walk(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, files);
            } else {
                let parts = path.strip_prefix(root).unwrap().iter().map(|part| part.to_str().unwrap());
                files.insert(parts.collect::<Vec<_>>().join("/"), std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let mut files = BTreeMap::new();
    walk(&root, &root, &mut files);
    files
}

/// A program that was built for release holds the page within it: what it sends is what lies in the folder.
#[test]
fn every_file_of_the_page_is_sent_as_it_lies_in_its_folder() {
    let server = Server::start();
    for (path, text) in page() {
        let (status, answer) = server.get_with(&format!("/{path}"), &server.host());
        assert_eq!(status, 200, "{path}");
        let kind = match path.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => panic!("what is {path}?"),
        };
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-type: {kind}\r\n")), "{path}: {head}");
        assert!(body == text, "{path} is not what lies in the folder");
    }
}

/// Texts in quotes that look like addresses of files lead to files of the page; those that scripts put together are left out.
#[test]
fn every_file_that_the_page_refers_to_is_there() {
    let files = page();
    let mut links = 0;
    for (path, text) in &files {
        for quoted in text.split(['"', '`', '\'']) {
            let quoted = quoted.split('#').next().unwrap();
            let Some(kind) = quoted.rsplit('.').next() else { continue };
            let is_link = quoted.starts_with('/') || quoted.starts_with("./") || quoted.starts_with("../");
            if !is_link || !["js", "css", "svg", "html"].contains(&kind) || quoted.contains(['$', ' ']) {
                continue;
            }
            let mut place: Vec<&str> = path.split('/').collect();
            place.pop();
            if quoted.starts_with('/') {
                place.clear();
            }
            for part in quoted.split('/') {
                match part {
                    "" | "." => {}
                    ".." => assert!(place.pop().is_some(), "{path}: {quoted}"),
                    part => place.push(part),
                }
            }
            assert!(files.contains_key(&place.join("/")), "{path} refers to {quoted}, which is not there");
            links += 1;
        }
    }
    assert!(links > 100, "{links} links were found");
}
