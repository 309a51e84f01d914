//! `novelo shell`: completions and man pages, for packagers.

use std::io;
use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man;

use super::print;
use crate::cli::{Cli, Shell, ShellCommand};
use crate::exit::Code;
use crate::user_error::UserError;

/// Prints completions, or writes man pages.
pub fn run(options: &Shell) -> Result<Code, UserError> {
    match &options.what {
        ShellCommand::Completions { shell } => {
            let mut out = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "novelo", &mut out);
            print(&String::from_utf8_lossy(&out))?;
        }
        ShellCommand::Man { directory } => {
            let mut command = Cli::command().disable_help_subcommand(true);
            command.build();
            let written = std::fs::create_dir_all(directory).and_then(|()| write_pages(&command, directory));
            let failed = |error| UserError::new(format!("cannot write to {}: {error}", directory.display()));
            written.map_err(failed)?;
        }
    }
    Ok(Code::Success)
}

/// Writes the man pages of a command and of its parts.
fn write_pages(command: &clap::Command, directory: &Path) -> io::Result<()> {
    let shown = command.get_subcommands().filter(|part| !part.is_hide_set());
    for part in shown {
        write_pages(part, directory)?;
    }
    let page = Man::new(command.clone()).source(concat!("novelo ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text)?;
    // Examples are tables, which must not be filled.
    let text = String::from_utf8_lossy(&text).replace(".SH EXTRA\n", ".SH EXAMPLES\n.nf\n");
    std::fs::write(directory.join(page.get_filename()), text)
}
