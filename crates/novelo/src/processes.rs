//! `solve` over several processes, for a program that connects them.

use std::process::ExitCode;
use std::sync::PoisonError;
use std::time::Duration;

use clap::{Parser, Subcommand};
use novelo_puzzles::{Choice, Together};
use novelo_search::{Algorithm, Control};

use crate::cli::Solve;
use crate::commands::solve;
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{interrupt, progress, tell};

/// The command line of a program that runs in many copies, which search together
#[derive(Debug, Parser)]
#[command(version)]
struct Processes {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve puzzle instances by astar, ucs, bfs, idastar or tiles over all processes; limits on memory are for each of them
    Solve(Solve),
}

/// Does what the command line says, as one of several processes, of which so many are on this machine. Where it cannot, that
/// is an error, and the others must be ended.
pub fn main(together: &Together, on_this_machine: usize) -> Result<ExitCode, ExitCode> {
    let (rank, count) = {
        let processes = together.0.lock().unwrap_or_else(PoisonError::into_inner);
        (processes.rank(), processes.count())
    };
    let cli = Processes::try_parse().map_err(|error| {
        if rank == 0 {
            // Nothing is lost if this cannot be written.
            let _ = error.print();
        }
        ExitCode::from(error.exit_code() as u8)
    })?;
    let Command::Solve(options) = cli.command;
    run(&options, together, rank, count, on_this_machine).map(ExitCode::from).map_err(|error| {
        if rank > 0 {
            // What is wrong for all is said by the first.
            std::thread::sleep(Duration::from_secs(1));
            tell::line(format_args!("novelo: this is process {rank} of {count}"));
        }
        tell::line(error.render());
        Code::BadInput.into()
    })
}

fn run(
    options: &Solve,
    together: &Together,
    rank: usize,
    count: usize,
    on_this_machine: usize,
) -> Result<Code, UserError> {
    if options.instances.iter().any(|argument| argument == "-") {
        return Err(
            UserError::new("standard input reaches one process only").help("write the board to a file")
        );
    }
    if options.all || options.count || options.unique {
        return Err(UserError::new("solutions are counted in one process: use novelo solve"));
    }
    let mut request = solve::request(&options.method, Choice::from(Algorithm::AStar))?;
    let limits = &mut request.settings.limits;
    limits.nodes = limits.nodes.map(|nodes| nodes.div_ceil(count as u64));
    if options.method.memory_limit.is_none() {
        limits.memory = limits.memory.map(|bytes| bytes / on_this_machine.max(1));
    }
    request.processes = Some(together.clone());
    if rank == 0 {
        solve::tell_without_effect(&options.method, request.algorithm);
    } else {
        request.notice = None;
    }
    solve::run_by(options, &request, &|instance, request, label| {
        let control =
            if rank == 0 { progress::control(label) } else { Control::cancelled_by(interrupt::flag()) };
        instance.solve(request, control).map(|attempt| (rank == 0).then_some(attempt))
    })
}
