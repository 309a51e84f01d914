//! Words for the user beside the results.

use std::fmt::Display;
use std::io::Write as _;

/// Writes a line to stderr. Somebody who has stopped reading, as `2>&1 | head` does, is no reason to panic.
pub fn line(words: impl Display) {
    let _ = writeln!(std::io::stderr(), "{words}");
}
