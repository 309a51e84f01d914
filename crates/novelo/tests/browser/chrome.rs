//! As much of the `DevTools` protocol as the tests need. The crates that cover all of it generate so much code that they
//! would take longer to compile than the tests take to run.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::harness::Server;

const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one tab, and the server whose page it shows.
pub struct Tab {
    pub server: Server,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    calls: u64,
    /// Every address asked for.
    pub requests: Vec<String>,
    /// What went wrong in the page's scripts.
    pub faults: Vec<String>,
    child: Child,
    folder: PathBuf,
}

/// Tells the browsers of one test process apart.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A fresh browser before a fresh server.
pub fn open() -> Tab {
    let program = chromium().expect("there is no chromium on this machine");
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("novelo-browser-{}-{number}", std::process::id()));
    let child = Command::new(program)
        .args(["--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        // Containers run tests as root, where Chromium's sandbox cannot start.
        .args([
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--remote-debugging-port=0",
            "--window-size=1280,800",
        ])
        .arg(format!("--user-data-dir={}", folder.display()))
        .arg("about:blank")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let address = debugger(&folder);
    let (mut socket, _) = tungstenite::connect(address).unwrap();
    if let MaybeTlsStream::Plain(stream) = socket.get_mut() {
        stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    }
    let server = Server::with(&[]);
    let mut tab = Tab { server, socket, calls: 0, requests: Vec::new(), faults: Vec::new(), child, folder };
    for domain in ["Page", "Runtime", "Network", "Log"] {
        tab.call(&format!("{domain}.enable"), json!({}));
    }
    let still = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    tab.call("Emulation.setEmulatedMedia", still);
    tab
}

fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// Where the first tab of a browser that has just been started listens.
fn debugger(folder: &Path) -> String {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if let Ok(text) = std::fs::read_to_string(folder.join("DevToolsActivePort"))
            && let Some(port) = text.lines().next()
            && let Ok(answer) = minreq::get(format!("http://127.0.0.1:{port}/json")).send()
        {
            let tabs: Value = answer.json().unwrap();
            if let Some(tab) = tabs.as_array().unwrap().iter().find(|tab| tab["type"] == "page") {
                return tab["webSocketDebuggerUrl"].as_str().unwrap().to_owned();
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("chromium did not start");
}

impl Tab {
    /// Calls a method of the protocol and waits for its answer.
    #[allow(clippy::needless_pass_by_value, reason = "callers write the parameters in place")]
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let text = json!({"id": id, "method": method, "params": parameters}).to_string();
        self.socket.send(Message::text(text)).unwrap();
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let Some(message) = self.receive() else { continue };
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
        panic!("{method} was not answered");
    }

    /// The next message, if one comes soon; events are noted.
    fn receive(&mut self) -> Option<Value> {
        let text = match self.socket.read() {
            Ok(Message::Text(text)) => text,
            Ok(_) => return None,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
            {
                return None;
            }
            Err(error) => panic!("the browser is gone: {error}"),
        };
        let message: Value = serde_json::from_str(&text).unwrap();
        match message["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                self.requests.push(message["params"]["request"]["url"].as_str().unwrap().to_owned());
            }
            Some("Runtime.exceptionThrown") => {
                self.faults.push(message["params"]["exceptionDetails"].to_string());
            }
            Some("Log.entryAdded") if message["params"]["entry"]["source"] == "security" => {
                self.faults.push(message["params"]["entry"]["text"].to_string());
            }
            _ => {}
        }
        Some(message)
    }

    /// The value of an expression in the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let began = Instant::now();
        while self.eval(&format!("Boolean({expression})")) != true {
            if began.elapsed() > PATIENCE {
                let text = self.eval("location.href + '\\n' + document.body.innerText");
                panic!("still not so: {expression}\n{}\n{:?}", text.as_str().unwrap(), self.faults);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Shows a view of the page, from scratch, and waits until it is there.
    pub fn show(&mut self, hash: &str) {
        let url = format!("http://{}/{hash}", self.server.address);
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.call("Page.navigate", json!({"url": url}));
        self.settled();
    }

    pub fn reload(&mut self) {
        self.eval("window.old = true");
        self.call("Page.reload", json!({}));
        self.wait("window.old === undefined");
        self.settled();
    }

    pub fn settled(&mut self) {
        self.wait("document.querySelector('main .view') && !document.querySelector('main [aria-busy]')");
    }

    /// The text of the first element that a selector finds.
    pub fn text(&mut self, selector: &str) -> String {
        let found = self.eval(&format!("document.querySelector({})?.innerText ?? ''", json!(selector)));
        found.as_str().unwrap().to_owned()
    }

    /// Clicks the middle of an element, as a mouse does.
    pub fn click(&mut self, selector: &str) {
        let quoted = json!(selector);
        self.wait(&format!("document.querySelector({quoted}) && !document.querySelector({quoted}).disabled"));
        let place = self.eval(&format!(
            "(() => {{ const element = document.querySelector({quoted}); element.scrollIntoView({{block: 'center'}});
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        self.press([place[0].as_f64().unwrap(), place[1].as_f64().unwrap()]);
    }

    /// Clicks the button that says a word.
    pub fn click_button(&mut self, word: &str) {
        let word = json!(word);
        self.wait(&format!(
            "[...document.querySelectorAll('main button')].some((b) => b.innerText.trim() === {word})"
        ));
        self.eval(&format!(
            "[...document.querySelectorAll('main button')].find((b) => b.innerText.trim() === {word}).dataset.wanted = ''"
        ));
        self.click("[data-wanted]");
        self.eval("document.querySelectorAll('[data-wanted]').forEach((b) => delete b.dataset.wanted)");
    }

    pub fn press(&mut self, at: [f64; 2]) {
        self.mouse("mouseMoved", at, 0);
        self.mouse("mousePressed", at, 1);
        self.mouse("mouseReleased", at, 0);
    }

    /// One event of the mouse, with its left button down or not.
    pub fn mouse(&mut self, kind: &str, [x, y]: [f64; 2], buttons: u8) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event =
            json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// From now on the page is seen on a phone, under a finger.
    pub fn be_a_phone(&mut self) {
        let screen = json!({"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true});
        self.call("Emulation.setDeviceMetricsOverride", screen);
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
    }

    /// From now on the page may move by itself.
    pub fn lively(&mut self) {
        let moving = json!({"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]});
        self.call("Emulation.setEmulatedMedia", moving);
    }

    /// One event of a finger: touchStart, touchMove or touchEnd.
    pub fn touch(&mut self, kind: &str, [x, y]: [f64; 2]) {
        let points = if kind == "touchEnd" { json!([]) } else { json!([{"x": x, "y": y}]) };
        self.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
    }

    /// Presses and releases a key by its name in DOM events.
    pub fn key(&mut self, key: &str) {
        let mut event = json!({"type": "keyDown", "key": key});
        if key.len() == 1 {
            event["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", event);
        self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key}));
    }

    /// Replaces what a text field holds, as typing does.
    pub fn fill(&mut self, selector: &str, text: &str) {
        let quoted = json!(selector);
        self.eval(&format!(
            "(document.querySelector({quoted}).focus(), document.querySelector({quoted}).select())"
        ));
        self.call("Input.insertText", json!({"text": text}));
    }

    /// What must hold after every visit: no script failed, nothing was asked of any other machine.
    pub fn finish(mut self) {
        self.eval("0");
        assert_eq!(self.faults, Vec::<String>::new());
        let home = format!("http://{}/", self.server.address);
        let away =
            |url: &&String| !["about:", "blob:", "data:", &home].iter().any(|start| url.starts_with(start));
        assert_eq!(self.requests.iter().find(away), None, "a request left the machine");
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
