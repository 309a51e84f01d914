//! A server of its own for each test, and ways to talk to it.

#![allow(unsafe_code, reason = "sends signals to processes")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

pub const EIGHT: &str = "sliding:3x3:8,6,7,2,5,4,3,0,1";
/// 49 moves from its goal: far too many for blind search.
pub const HARD: &str = "sliding:4x4:12,0,15,3,7,11,5,6,4,2,10,14,1,9,13,8";

pub struct Server {
    child: Child,
    pub address: String,
    /// The token in the link that it prints, if there is one.
    pub token: Option<String>,
    folder: PathBuf,
}

impl Server {
    pub fn start() -> Self {
        Self::with(&[])
    }

    pub fn with(options: &[&str]) -> Self {
        let number = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
        let folder = std::env::temp_dir().join(format!("novelo-serve-{}-{number}", std::process::id()));
        let mut child = Command::new(env!("CARGO_BIN_EXE_novelo"))
            .args(["serve", "--port", "0", "--no-open"])
            .args(options)
            .env("NOVELO_CACHE", folder.join("cache"))
            .env("XDG_DATA_HOME", folder.join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
        let token = line.trim().split_once("?token=").map(|(_, token)| token.to_owned());
        Self { child, address, token, folder }
    }

    /// The most memory that the process has held at once, in bytes.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|text| text.trim().strip_suffix(" kB"))
            .map_or(0, |text| text.parse::<u64>().unwrap() << 10)
    }

    /// Bytes in the folder of tables.
    pub fn cache_bytes(&self) -> u64 {
        let files = std::fs::read_dir(self.folder.join("cache")).into_iter().flatten().flatten();
        files.map(|file| file.metadata().map_or(0, |data| data.len())).sum()
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn get(&self, path: &str) -> (u16, Value) {
        answer(minreq::get(self.url(path)))
    }

    pub fn delete(&self, path: &str) -> (u16, Value) {
        answer(minreq::delete(self.url(path)))
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        answer(minreq::post(self.url(path)).with_json(body).unwrap())
    }

    /// What must go well.
    pub fn posted(&self, path: &str, body: &Value) -> Value {
        let (status, value) = self.post(path, body);
        assert!((200..300).contains(&status), "{path} {body}: {status} {value}");
        value
    }

    /// Sends bytes as they are; the status and all that comes back.
    pub fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // A server that refuses a body may close before it has read it.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, text)
    }

    /// A GET with headers of one's own.
    pub fn get_with(&self, path: &str, headers: &str) -> (u16, String) {
        self.raw(&format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"))
    }

    pub fn host(&self) -> String {
        format!("Host: {}\r\n", self.address)
    }

    /// A stream of a job's events.
    pub fn watch(&self, id: &str) -> Events {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let head = format!("GET /api/jobs/{id}/events HTTP/1.1\r\nConnection: close\r\n{}\r\n", self.host());
        stream.write_all(head.as_bytes()).unwrap();
        Events(BufReader::new(stream))
    }

    /// Hands a job in and waits for its end.
    pub fn job(&self, order: &Value) -> Value {
        let id = self.posted("/api/jobs", order)["id"].as_str().unwrap().to_owned();
        self.watch(&id).last().unwrap()
    }

    /// Asks for a job again and again until it is in a state.
    pub fn wait_for(&self, id: &str, state: &str) -> Value {
        loop {
            let (status, job) = self.get(&format!("/api/jobs/{id}"));
            assert_eq!(status, 200, "{job}");
            if job["state"] == state {
                return job;
            }
            assert!(matches!(job["state"].as_str(), Some("queued" | "running")), "{job}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Sends a signal and waits for the end.
    pub fn stop(&mut self) -> std::process::ExitStatus {
        // SAFETY: the process is our own child, not yet waited for.
        unsafe { libc::kill(self.child.id() as i32, libc::SIGTERM) };
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn answer(request: minreq::Request) -> (u16, Value) {
    let response = request.with_timeout(100).send().unwrap();
    let (status, text) = (response.status_code, response.as_str().unwrap());
    let value = if text.is_empty() {
        Value::Null
    } else {
        serde_json::from_str(text).unwrap_or(Value::String(text.to_owned()))
    };
    if status >= 400 {
        assert!(value["error"]["message"].is_string(), "an error is a sentence: {status} {value}");
    }
    (status, value)
}

/// The jobs that a stream of events tells of.
pub struct Events(BufReader<TcpStream>);

impl Iterator for Events {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.0.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some(serde_json::from_str(data).unwrap());
            }
        }
    }
}
