//! Playing and watching in a terminal.

mod board;
mod cursor;
mod job;
mod menu;
mod panel;
mod play;
mod screen;
mod table;
mod watch;
mod words;

pub use play::{Opening, any_seed, play};
pub use watch::watch;
