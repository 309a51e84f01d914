//! `novelo shell`: completions and man pages, for packagers.

use clap::CommandFactory as _;

use super::print;
use crate::cli::{Cli, Shell, ShellCommand};
use crate::complaint::Complaint;
use crate::exit::Code;

/// Prints completions, or writes man pages.
pub fn run(options: &Shell) -> Result<Code, Complaint> {
    match &options.what {
        ShellCommand::Completions { shell } => {
            let mut out = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "novelo", &mut out);
            print(&String::from_utf8_lossy(&out))?;
        }
        ShellCommand::Man { directory } => {
            let written = std::fs::create_dir_all(directory)
                .and_then(|()| clap_mangen::generate_to(Cli::command(), directory));
            let failed = |error| Complaint::new(format!("cannot write to {}: {error}", directory.display()));
            written.map_err(failed)?;
        }
    }
    Ok(Code::Success)
}
