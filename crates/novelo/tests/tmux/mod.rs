//! A person at a terminal, by way of tmux.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to look for something before it is said to be missing.
const PATIENCE: Duration = Duration::from_secs(60);

const SHELL: &str = "env PS1='ready> ' sh";

/// A terminal with a shell in it, and a data folder of its own.
pub struct Person {
    socket: String,
    pub folder: PathBuf,
}

impl Person {
    /// Sits down at a terminal.
    pub fn sits_down(name: &str) -> Self {
        let socket = format!("novelo-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(&socket);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let person = Self { socket, folder };
        person.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", SHELL]);
        person.sees("ready>");
        person
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-u", "-L", &self.socket]).args(arguments);
        command.env_remove("TMUX").env("LC_ALL", "C.UTF-8");
        command.env("NOVELO_DATA", self.folder.join("data")).env("NOVELO_CACHE", self.folder.join("cache"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// Leaves a terminal that a killed program has not put in order.
    pub fn takes_a_new_terminal(&self) {
        self.tmux(&["respawn-pane", "-k", SHELL]);
        self.sees("ready>");
    }

    /// Starts the program; its process goes by the number it leaves in a file.
    pub fn runs(&self, arguments: &str) {
        let program = env!("CARGO_BIN_EXE_novelo");
        let process = self.folder.join("process");
        let _ = fs::remove_file(&process);
        let line = format!("clear; sh -c 'echo $$ > {}; exec {program} {arguments}'", process.display());
        self.types(&line);
        self.presses(&["Enter"]);
        // From then on, all there is to see is the program's.
        self.until(|| process.exists(), "the program never started");
    }

    /// The program's process.
    pub fn process(&self) -> String {
        fs::read_to_string(self.folder.join("process")).unwrap().trim().into()
    }

    /// Sends a signal to the program.
    pub fn signals(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.process()]).status().unwrap();
        assert!(status.success());
    }

    /// Types a text as it is.
    pub fn types(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    /// Presses keys by their names.
    pub fn presses(&self, keys: &[&str]) {
        for key in keys {
            self.tmux(&["send-keys", key]);
        }
    }

    /// Clicks on a character of the screen.
    pub fn clicks(&self, text: &str) {
        let screen = self.screen();
        let found = screen.lines().enumerate().find_map(|(y, line)| line.find(text).map(|x| (y, &line[..x])));
        let (y, before) = found.unwrap_or_else(|| panic!("there is no '{text}' on the screen:\n{screen}"));
        self.types(&format!("\x1b[<0;{};{}M", before.chars().count() + 1, y + 1));
    }

    /// Changes the size of the window.
    pub fn resizes(&self, columns: u16, rows: u16) {
        self.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    /// What is on the screen.
    pub fn screen(&self) -> String {
        String::from_utf8(self.tmux(&["capture-pane", "-p"]).stdout).unwrap()
    }

    /// Looks until a text is on the screen.
    pub fn sees(&self, text: &str) {
        self.until(|| self.screen().contains(text), &format!("'{text}' never came up"));
    }

    fn until(&self, is_so: impl Fn() -> bool, otherwise: &str) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < PATIENCE, "{otherwise}:\n{}", self.screen());
            sleep(Duration::from_millis(20));
        }
    }

    /// The program is gone, and the terminal as it was before.
    pub fn is_back_at_the_shell(&self) {
        self.sees("ready>");
        let flags = self.tmux(&["display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"]);
        assert_eq!(String::from_utf8(flags.stdout).unwrap().trim(), "0 0 1");
        self.types("stty -a | tr ';' ' ' | tr ' ' '\\n' | grep -x -e icanon -e echo | tr '\\n' '.'");
        self.presses(&["Enter"]);
        self.sees("icanon.echo.");
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        // All of it is this test's own; there is nothing to do where it is gone already.
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
