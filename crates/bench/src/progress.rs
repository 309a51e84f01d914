//! What is being measured, on a terminal: rows may take minutes.

use std::io::{IsTerminal as _, Write as _, stderr};

/// Says that a row is being measured, until [`done`].
pub fn now(what: &str) {
    if stderr().is_terminal() {
        _ = write!(stderr(), "\r\x1b[K... {what}");
    }
}

/// Makes room for what was measured.
pub fn done() {
    if stderr().is_terminal() {
        _ = write!(stderr(), "\r\x1b[K");
    }
}
