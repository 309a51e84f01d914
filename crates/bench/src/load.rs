//! `novelo serve` under load, on this machine: players who wait for their moves beside solves that run, many idle
//! streams of events, many jobs at once, clients that are slow or vanish, and games without end.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const PLAYERS: usize = 200;
const MOVES: usize = 30;
const STREAMS: usize = 1000;
const JOBS: usize = 500;
const STRANGERS: usize = 1500;
const GAMES: usize = 20_000;
/// 49 moves from its goal: blind search runs until its time is over.
const HARD: &str = "sliding:4x4:12,0,15,3,7,11,5,6,4,2,10,14,1,9,13,8";
const BOARD: &str = "sliding:4x4:1,2,3,4,5,0,7,8,9,10,11,12,13,14,15,6";

/// Measures and prints everything.
pub fn table() {
    let server = Server::start();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        println!("resident at the start: {} MiB", server.resident());
        let solves = solves(&server.address).await;
        players(&server.address).await;
        println!("resident after the players: {} MiB", server.resident());
        streams(&server).await;
        jobs(&server).await;
        strangers(&server.address).await;
        games(&server).await;
        for id in solves {
            let (status, job) = call(&server.address, "DELETE", &format!("/api/jobs/{id}"), None).await;
            assert_eq!(status, 200, "{job}");
        }
        println!("resident at the end: {} MiB", server.resident());
    });
}

/// Games at a low rate for so many minutes: some are put away, the others rest until they are forgotten. Prints what the
/// server holds every five minutes.
pub fn long(minutes: u64) {
    let server = Server::start();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut client = Client::open(&server.address).await;
        let mut beat = tokio::time::interval(Duration::from_millis(80));
        let (start, mut printed) = (Instant::now(), 0);
        for number in 1_u64.. {
            beat.tick().await;
            let (status, game) = client.call("POST", "/api/games", Some(&json!({"instance": BOARD}))).await;
            assert_eq!(status, 201, "{game}");
            let path = format!("/api/games/{}", game["token"].as_str().expect("a game"));
            for made in ["U", "L", "D", "R"].into_iter().take(1 + number as usize % 4) {
                client.call("POST", &path, Some(&json!({"do": "play", "move": made}))).await;
            }
            if !number.is_multiple_of(3) {
                client.call("DELETE", &path, None).await;
            }
            let passed = start.elapsed().as_secs() / 60;
            if passed >= printed {
                println!("after {passed} minutes and {number} games: {} MiB resident", server.resident());
                printed = passed + 5;
            }
            if passed >= minutes {
                break;
            }
        }
    });
}

/// A server of its own, ended with this.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
        let program = std::env::current_exe().expect("this program").with_file_name("novelo");
        let mut child = Command::new(program)
            .args(["serve", "--port", "0", "--no-open", "--max-jobs", "2", "--job-time", "10m"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("novelo stands beside this program; build it with cargo build --release");
        let mut line = String::new();
        let output = child.stdout.as_mut().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("the address");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        Self { address: address.expect("an address").to_owned(), child }
    }

    /// Resident memory of the server in MiB.
    fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One connection that is kept.
struct Client {
    stream: BufStream<TcpStream>,
    address: String,
}

impl Client {
    async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        Self { stream: BufStream::new(stream), address: address.to_owned() }
    }

    async fn send(&mut self, method: &str, path: &str, body: Option<&Value>) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        self.stream.write_all((head + &body).as_bytes()).await.expect("the server reads");
        self.stream.flush().await.expect("the server reads");
    }

    /// The status, and how long the body is.
    async fn head(&mut self) -> (u16, usize) {
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await.expect("the server answers");
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest[..3].parse().expect("a status");
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().expect("a length");
            } else if line.is_empty() {
                return (status, length);
            }
        }
    }

    async fn call(&mut self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        self.send(method, path, body).await;
        let (status, length) = self.head().await;
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await.expect("a whole answer");
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }
}

async fn call(address: &str, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
    Client::open(address).await.call(method, path, body).await
}

fn hopeless() -> Value {
    json!({"kind": "solve", "instance": HARD, "run": {"algorithm": "ids"}})
}

async fn submit(address: &str) -> String {
    let (status, job) = call(address, "POST", "/api/jobs", Some(&hopeless())).await;
    assert_eq!(status, 202, "{job}");
    job["id"].as_str().expect("an id").to_owned()
}

/// A client that watches a job and reads what comes.
async fn watch(address: &str, id: &str) -> Client {
    let mut client = Client::open(address).await;
    client.send("GET", &format!("/api/jobs/{id}/events"), None).await;
    assert_eq!(client.head().await.0, 200);
    client
}

/// Two solves that somebody watches.
async fn solves(address: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..2 {
        let id = submit(address).await;
        let mut client = watch(address, &id).await;
        tokio::spawn(async move {
            let mut line = String::new();
            while client.stream.read_line(&mut line).await.is_ok_and(|read| read > 0) {
                line.clear();
            }
        });
        ids.push(id);
    }
    ids
}

/// A move a second each.
async fn players(address: &str) {
    let mut players = JoinSet::new();
    for number in 0..PLAYERS {
        let address = address.to_owned();
        players.spawn(async move {
            let mut client = Client::open(&address).await;
            let (_, game) = client.call("POST", "/api/games", Some(&json!({"instance": BOARD}))).await;
            let path = format!("/api/games/{}", game["token"].as_str().expect("a game"));
            tokio::time::sleep(Duration::from_millis(number as u64 * 1000 / PLAYERS as u64)).await;
            let mut beat = tokio::time::interval(Duration::from_secs(1));
            let mut times = Vec::new();
            for made in ["U", "L", "D", "R"].iter().cycle().take(MOVES) {
                beat.tick().await;
                let start = Instant::now();
                let (status, _) =
                    client.call("POST", &path, Some(&json!({"do": "play", "move": made}))).await;
                times.push((start.elapsed(), status));
            }
            times
        });
    }
    let answers: Vec<_> = players.join_all().await.into_iter().flatten().collect();
    let errors = answers.iter().filter(|(_, status)| *status != 200).count();
    let times = answers.into_iter().map(|(time, _)| time).collect();
    println!("{PLAYERS} players, {MOVES} moves each, beside 2 solves: {}, {errors} errors", spread(times));
}

/// Streams of a job that waits.
async fn streams(server: &Server) {
    let id = submit(&server.address).await;
    let before = server.resident();
    let mut held = Vec::new();
    for _ in 0..STREAMS {
        held.push(watch(&server.address, &id).await);
    }
    tokio::time::sleep(Duration::from_secs(20)).await;
    let health = health(&server.address).await;
    let mut alive = 0;
    for client in &mut held {
        let mut line = String::new();
        alive += usize::from(client.stream.read_line(&mut line).await.is_ok_and(|read| read > 0));
    }
    let grown = server.resident().saturating_sub(before);
    println!(
        "{STREAMS} idle streams: {alive} alive after 20 s, {grown} MiB more; health in {}",
        spread(health)
    );
}

/// Many jobs at once.
async fn jobs(server: &Server) {
    let mut submissions = JoinSet::new();
    for _ in 0..JOBS {
        let address = server.address.clone();
        submissions.spawn(async move {
            let start = Instant::now();
            let (status, job) = call(&address, "POST", "/api/jobs", Some(&hopeless())).await;
            (start.elapsed(), status, job["id"].as_str().map(str::to_owned))
        });
    }
    let answers = submissions.join_all().await;
    let health = health(&server.address).await;
    let count = |wanted: u16| answers.iter().filter(|(_, status, _)| *status == wanted).count();
    let (taken, refused) = (count(202), count(429));
    println!(
        "{JOBS} jobs at once: {taken} queued, {refused} refused with 429, {} other; each in {}; health in {}",
        JOBS - taken - refused,
        spread(answers.iter().map(|(time, ..)| *time).collect()),
        spread(health)
    );
    for id in answers.into_iter().filter_map(|(_, _, id)| id) {
        call(&server.address, "DELETE", &format!("/api/jobs/{id}"), None).await;
    }
}

/// Clients of three kinds, who never finish: half a head, a body that drips, a long answer that is not read.
async fn strangers(address: &str) {
    let large = json!({"puzzle": "boxes", "size": "50x50", "seed": 1}).to_string();
    let post = |body: &str, length: usize| {
        format!(
            "POST /api/generate HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    };
    let heads = ["GET /api/health HTTP/1.1\r\nHost: ".to_owned(), post("{", 1000), post(&large, large.len())];
    let mut held = Vec::new();
    for head in heads.iter().cycle().take(STRANGERS) {
        let Ok(mut stream) = TcpStream::connect(address).await else { continue };
        let _ = stream.write_all(head.as_bytes()).await;
        held.push(stream);
    }
    for stream in held.iter_mut().skip(1).step_by(3) {
        let _ = stream.write_all(b" ").await;
    }
    let beside = health(address).await;
    drop(held);
    let after = health(address).await;
    println!(
        "{STRANGERS} clients that never finish: health in {} beside them; in {} after they vanished",
        spread(beside),
        spread(after)
    );
}

/// Games that are opened, played and put away, one after another.
async fn games(server: &Server) {
    let mut client = Client::open(&server.address).await;
    let mut resident = Vec::new();
    for number in 0..GAMES {
        let (status, game) = client.call("POST", "/api/games", Some(&json!({"instance": BOARD}))).await;
        assert_eq!(status, 201, "{game}");
        let path = format!("/api/games/{}", game["token"].as_str().expect("a game"));
        client.call("POST", &path, Some(&json!({"do": "play", "move": "U"}))).await;
        client.call("DELETE", &path, None).await;
        if number % (GAMES / 4) == GAMES / 4 - 1 {
            resident.push(server.resident());
        }
    }
    println!("{GAMES} games opened, played and put away: {resident:?} MiB resident after each quarter");
}

async fn health(address: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..50 {
        let start = Instant::now();
        assert_eq!(call(address, "GET", "/api/health", None).await.0, 200);
        times.push(start.elapsed());
    }
    times
}

/// The median, the 99th percentile and the worst.
fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
    format!("median {:.1} ms, 99 % within {:.1} ms, worst {:.1} ms", at(0.5), at(0.99), at(1.0))
}
