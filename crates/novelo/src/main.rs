//! novelo: the best solution of a single-player puzzle, the honest numbers
//! behind it, and a look at how the search got there.

mod cli;
mod commands;
mod entries;
mod exit;
mod folders;
mod interrupt;
mod keep;
mod memory;
mod names;
mod options;
mod paint;
mod progress;
mod runs;
mod serve;
mod solution;
mod source;
mod tell;
mod terminal;
mod user_error;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match commands::run(cli) {
        Ok(code) => code.into(),
        Err(user_error) => {
            tell::line(format_args!("{:?}", miette::Report::new(user_error)));
            exit::Code::BadInput.into()
        }
    }
}
