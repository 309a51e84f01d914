//! The commands, one file each.

pub mod audit;
mod check;
pub mod compare;
pub mod experiment;
mod generate;
mod list;
mod pdb;
#[cfg(feature = "play")]
mod play;
pub mod report;
#[cfg(feature = "serve")]
pub mod serve;
mod shell;
pub mod show;
pub mod solve;
mod solve_all;
pub mod trace;
pub mod worker;

use std::io::Write as _;

use crate::cli::{Cli, Command};
use crate::exit::Code;
use crate::user_error::UserError;

/// Runs a command to its exit code.
pub fn run(cli: Cli) -> Result<Code, UserError> {
    match cli.command {
        Command::Solve(options) => solve::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Show(options) => show::run(&options),
        Command::Generate(options) => generate::run(options),
        #[cfg(feature = "play")]
        Command::Play(options) => play::run(&options),
        #[cfg(feature = "play")]
        Command::Watch(options) => play::watch(&options),
        Command::Trace(options) => trace::run(&options),
        Command::List(options) => list::run(&options),
        Command::Pdb(options) => pdb::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Experiment(options) => experiment::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Audit(options) => audit::run(&options),
        Command::Worker(options) => Ok(worker::run(&options)),
        #[cfg(feature = "serve")]
        Command::Serve(options) => serve::run(options),
        Command::Shell(options) => shell::run(&options),
    }
}

/// Writes to standard output, in colour where that is a terminal. A reader who
/// has gone away ends the program quietly, as it does every filter.
fn print(text: &str) -> Result<(), UserError> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(UserError::new(format!("cannot write the output: {error}"))),
    }
}

/// Writes a file whole.
fn write_file(path: &std::path::Path, bytes: &[u8]) -> Result<(), UserError> {
    std::fs::write(path, bytes)
        .map_err(|error| UserError::new(format!("cannot write {}: {error}", path.display())))
}

/// A number of moves in words.
fn number_of_moves(moves: usize) -> String {
    if moves == 1 { "1 move".into() } else { format!("{moves} moves") }
}
