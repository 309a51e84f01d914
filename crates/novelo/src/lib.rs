//! novelo: the best solution of a single-player puzzle, the honest numbers
//! behind it, and a look at how the search got there.
//!
//! The program is all of this crate; what is public is for the programs that start it.

mod cli;
mod commands;
mod entries;
mod exit;
mod folders;
mod interrupt;
#[cfg(any(feature = "play", feature = "serve"))]
mod keep;
mod memory;
mod names;
mod options;
mod paint;
#[cfg(feature = "processes")]
pub mod processes;
mod progress;
mod runs;
#[cfg(feature = "serve")]
mod serve;
mod solution;
mod source;
mod tell;
#[cfg(feature = "play")]
mod terminal;
mod user_error;

use std::process::ExitCode;

use clap::Parser as _;

#[cfg(feature = "serve")]
#[doc(hidden)]
pub use serve::answer;

/// The exit code of a process to which the system refuses memory.
pub const REFUSED_MEMORY: i32 = exit::Code::Memory as i32;

/// Does what the command line says.
pub fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match commands::run(cli) {
        Ok(code) => code.into(),
        Err(user_error) => {
            tell::line(user_error.render());
            exit::Code::BadInput.into()
        }
    }
}
