//! Words for the user beside the results.

use std::fmt::Display;
use std::io::Write as _;

/// Writes a line to stderr. Somebody who has stopped reading, as `2>&1 | head` does, is no reason to panic;
/// colours reach a terminal only.
pub fn line(words: impl Display) {
    let _ = writeln!(anstream::stderr(), "{words}");
}
