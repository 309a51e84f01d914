//! Speed of the textbook formulations of the other puzzles.

/// Prints expansions a second of each.
pub fn table() {}
