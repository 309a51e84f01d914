//! Faults of the world: tables that change under the feet, homes that are missing or full, signals at random moments. What
//! experiments and tables survive is in experiment.rs and pdb.rs.
//!
//! `NOVELO_STRESS=10` tries ten times as often.

#![allow(unsafe_code, reason = "sends signals to processes")]
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

/// A board that is solved with pattern databases, and its optimum.
const BOARD: (&str, u64) = ("sliding:3x3:8,6,7,2,5,4,3,0,1", 31);

fn rounds(usual: u64) -> u64 {
    usual * std::env::var("NOVELO_STRESS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

fn random(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % below
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("novelo-faults-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn novelo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn signal(child: &Child, signal: i32) {
    // SAFETY: signals a child that is not yet waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, signal) };
}

fn solve() -> Command {
    novelo(&["solve", BOARD.0, "-a", "idastar", "-H", "pdb:4-4", "--json"])
}

fn assert_solved(output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text} {} {:?}", String::from_utf8_lossy(&output.stderr), output.status)
    });
    assert_eq!((&report["cost"], &report["optimal"]), (&BOARD.1.into(), &true.into()));
}

/// Changes files in a folder at random until it is told to stop: cuts them, overwrites them, removes them, puts pipes and
/// folders in their place.
fn meddle(folder: &Path, stop: &AtomicBool, mut seed: u64) -> u64 {
    let mut done = 0;
    while !stop.load(Ordering::Relaxed) {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
        for path in files.filter(|path| path.extension().is_some_and(|kind| kind == "pdb")) {
            // Who opens a pipe to write waits for its reader: a pipe is only ever removed.
            let is_file = std::fs::metadata(&path).is_ok_and(|data| data.is_file());
            let _ = match random(&mut seed, 5) {
                _ if !is_file => std::fs::remove_file(&path),
                0 => std::fs::File::options()
                    .write(true)
                    .open(&path)
                    .and_then(|file| file.set_len(random(&mut seed, 5000))),
                1 => std::fs::write(&path, vec![0x5a; random(&mut seed, 20_000) as usize]),
                2 => std::fs::remove_file(&path),
                3 => std::fs::remove_file(&path)
                    .and_then(|()| Command::new("mkfifo").arg(&path).status().map(drop)),
                _ => Ok(()),
            };
            done += 1;
        }
        std::thread::sleep(Duration::from_millis(random(&mut seed, 5)));
    }
    done
}

#[test]
fn tables_that_change_under_the_feet_change_no_result() {
    let folder = Folder::new("feet");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let meddler = scope.spawn(|| meddle(&folder.0, &stop, 1));
        for _ in 0..rounds(25) {
            let output = solve().env("NOVELO_CACHE", &folder.0).output().unwrap();
            assert_solved(&output);
        }
        stop.store(true, Ordering::Relaxed);
        assert!(meddler.join().unwrap() > 0);
    });
}

#[test]
fn a_missing_or_unwritable_home_costs_no_result() {
    for home in ["/nonexistent", "/proc", "/dev/null", ""] {
        let mut command = solve();
        for name in ["NOVELO_CACHE", "XDG_CACHE_HOME", "NOVELO_DATA", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        assert_solved(&command.env("HOME", home).output().unwrap());
    }
    assert_solved(&solve().env_clear().output().unwrap());
}

#[test]
fn sigterm_at_a_random_moment_is_an_orderly_end() {
    let board = "sliding:4x4:11,15,12,13,14,5,3,8,0,7,6,9,4,2,1,10";
    let mut seed = 2;
    for round in 0..rounds(24) {
        let algorithm = ["astar", "idastar", "bfs", "auto"][round as usize % 4];
        let child =
            novelo(&["solve", board, "-a", algorithm, "--no-cache", "--memory-limit", "300MiB", "--json"])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
        std::thread::sleep(Duration::from_millis(random(&mut seed, 400)));
        signal(&child, libc::SIGTERM);
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            // Before the program listens, the signal ends it as it does any.
            None => assert!(output.stdout.is_empty()),
            Some(code) => {
                assert!([0, 22, 130].contains(&code), "{algorithm}: {code}");
                let report: Value = serde_json::from_slice(&output.stdout).unwrap();
                assert_eq!(report["puzzle"], "sliding");
            }
        }
    }
}

#[test]
fn a_reader_may_go_away_at_any_moment() {
    let mut seed = 3;
    for _ in 0..rounds(12) {
        let mut child = novelo(&["generate", "numbrix", "--size", "4x4", "--count", "1000000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut some = vec![0; 1 + random(&mut seed, 2000) as usize];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A server that does not outlive its test.
#[cfg(feature = "serve")]
struct Server(Child);

#[cfg(feature = "serve")]
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server whose data are in a folder, and its address.
#[cfg(feature = "serve")]
fn server(data: &Path) -> (Server, String) {
    let mut child = novelo(&["serve", "--port", "0", "--no-open"])
        .env("NOVELO_DATA", data)
        .env("NOVELO_CACHE", data)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    (Server(child), address)
}

#[cfg(feature = "serve")]
fn post(address: &str, path: &str, body: &Value) -> Option<Value> {
    let request = minreq::post(format!("http://{address}{path}")).with_json(body).ok()?.with_timeout(20);
    let response = request.send().ok()?;
    serde_json::from_str(response.as_str().ok()?).ok()
}

#[test]
#[cfg(feature = "serve")]
fn scores_survive_a_killed_server_and_a_saved_game_goes_on() {
    let folder = Folder::new("scores");
    let mut seed = 4;
    let mut save = None;
    for round in 0..rounds(10) {
        let (mut child, address) = server(&folder.0);
        if let Some(save) = save.take() {
            let game = post(&address, "/api/games", &json!({"save": save})).unwrap();
            assert_eq!(game["moves"], 1, "the page's text of the game is enough: {game}");
        }
        let game = post(&address, "/api/games", &json!({"instance": "sliding:2x2:1,2,0,3"})).unwrap();
        let token = game["token"].as_str().unwrap();
        let won =
            post(&address, &format!("/api/games/{token}"), &json!({"do": "play", "move": "R"})).unwrap();
        assert_eq!(won["status"]["state"], "won", "{won}");
        let other = post(&address, "/api/games", &json!({"instance": BOARD.0})).unwrap();
        let token = other["token"].as_str().unwrap();
        let moved = post(&address, &format!("/api/games/{token}"), &json!({"do": "play", "move": "R"}));
        save = moved.map(|game| game["save"].as_str().unwrap().to_owned());
        // More games are won while it is killed.
        let killer = {
            let (pid, wait) = (child.0.id(), random(&mut seed, 30));
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(wait));
                // SAFETY: the child is waited for only after this thread has ended.
                unsafe { libc::kill(pid as libc::pid_t, libc::SIGKILL) };
            })
        };
        for _ in 0..20 {
            let Some(game) = post(&address, "/api/games", &json!({"instance": "sliding:2x2:1,2,0,3"})) else {
                break;
            };
            let Some(token) = game["token"].as_str() else { break };
            if post(&address, &format!("/api/games/{token}"), &json!({"do": "play", "move": "R"})).is_none() {
                break;
            }
        }
        killer.join().unwrap();
        child.0.wait().unwrap();
        let text = std::fs::read_to_string(folder.0.join("scores.json")).unwrap();
        let scores: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let kept = scores["sliding 2x2"].as_array().unwrap().len() as u64;
        assert!(kept > round.min(9), "of {} games that were won, {kept} are kept", round + 1);
    }
}

/// A file system of its own, small; unmounted at the end.
struct Small(PathBuf);

impl Small {
    fn new(folder: &Path, size: &str) -> Option<Self> {
        let options = format!("size={size}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "novelo-test"]).arg(folder).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then(|| Self(folder.to_owned()))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_disk_that_fills_up_loses_nothing() {
    let folder = Folder::new("disk");
    let Some(_disk) = Small::new(&folder.0, "32k") else {
        eprintln!("left out: only root can mount a small file system");
        return;
    };
    let text = "title = \"t\"\nrepeats = 400\n[[instances]]\ngenerate = \"sliding\"\nsize = \"2x2\"\n[[methods]]\nalgorithms = [\"bfs\"]\n";
    std::fs::write(folder.0.join("try.toml"), text).unwrap();
    let run = || novelo(&["experiment", "run", "try.toml"]).current_dir(&folder.0).output().unwrap();
    let full = run();
    let words = String::from_utf8_lossy(&full.stderr).into_owned();
    assert_eq!(full.status.code(), Some(2), "{words}");
    let kept: usize = words
        .split("; the ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .and_then(|count| count.parse().ok())
        .unwrap_or_else(|| panic!("{words}"));
    let runs = || {
        let bytes = std::fs::read(folder.0.join("try.ndjson")).unwrap();
        let lines =
            bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        lines.filter(|line| line.get("header").is_none()).count()
    };
    assert_eq!(runs(), kept);
    // With room it goes on.
    let grown = Command::new("mount").args(["-o", "remount,size=4m"]).arg(&folder.0).status().unwrap();
    assert!(grown.success());
    assert_eq!(run().status.code(), Some(0));
    assert_eq!(runs(), 400);
}
