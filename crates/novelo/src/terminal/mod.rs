//! Playing and watching in a terminal.

mod board;
mod cursor;
mod job;
mod menu;
mod pace;
mod panel;
mod play;
mod screen;
mod set;
mod table;
mod watch;
mod words;

pub use pace::Pace;
pub use play::{Opening, any_seed, play};
pub use set::Set;
pub use table::House;
pub use watch::{Watching, watch};
