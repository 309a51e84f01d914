//! The commands, one file each.

mod check;
mod generate;
mod list;
mod pdb;
mod shell;
mod solve;
mod solve_all;

use std::io::Write as _;

use crate::cli::{Cli, Command};
use crate::complaint::Complaint;
use crate::exit::Code;

/// Runs a command to its exit code.
pub fn run(cli: Cli) -> Result<Code, Complaint> {
    match cli.command {
        Command::Solve(options) => solve::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Generate(options) => generate::run(options),
        Command::List(options) => list::run(&options),
        Command::Pdb(options) => pdb::run(&options),
        Command::Shell(options) => shell::run(&options),
    }
}

/// Writes to standard output, in colour where that is a terminal. A reader who
/// has gone away ends the program quietly, as it does every filter.
fn print(text: &str) -> Result<(), Complaint> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Complaint::new(format!("cannot write the output: {error}"))),
    }
}
