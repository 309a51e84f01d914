//! novelo: the best solution of a single-player puzzle, the honest numbers
//! behind it, and a look at how the search got there.

mod cache;
mod cli;
mod commands;
mod complaint;
mod exit;
mod interrupt;
mod memory;
mod paint;
mod progress;
mod solution;
mod source;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match commands::run(cli) {
        Ok(code) => code.into(),
        Err(complaint) => {
            eprintln!("{:?}", miette::Report::new(complaint));
            exit::Code::BadInput.into()
        }
    }
}
