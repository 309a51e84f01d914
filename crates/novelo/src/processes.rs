//! `solve` over several processes, for a program that connects them.

use std::cell::Cell;
use std::process::ExitCode;
use std::sync::PoisonError;
use std::time::Duration;

use clap::{Parser, Subcommand};
use novelo_puzzles::{Choice, Method, RequestError, Together};
use novelo_search::parallel::conclude;
use novelo_search::{Algorithm, Control};

use crate::cli::Solve;
use crate::commands::solve;
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{interrupt, progress, tell};

/// Solves puzzles as novelo does, by many processes that search together
#[derive(Debug, Parser)]
#[command(name = "novelo-mpi", version)]
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
/// is an error, with the code that all must be ended with.
pub fn main(together: &Together, on_this_machine: usize) -> Result<ExitCode, u8> {
    let (rank, count) = {
        let processes = together.0.lock().unwrap_or_else(PoisonError::into_inner);
        (processes.rank(), processes.count())
    };
    let cli = match Processes::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if rank == 0 {
                // Nothing is lost if this cannot be written.
                let _ = error.print();
            }
            // Help that was asked for is no error.
            let code = error.exit_code() as u8;
            return if code == 0 { Ok(ExitCode::SUCCESS) } else { Err(code) };
        }
    };
    let Command::Solve(options) = cli.command;
    let ended = Cell::new(Code::BadInput);
    let and_all = |code| {
        let mut processes = together.0.lock().unwrap_or_else(PoisonError::into_inner);
        conclude(&mut *processes).map(|()| code).map_err(|error| UserError::new(error.to_string()))
    };
    let ran = run(&options, together, (rank, count), on_this_machine, &ended).and_then(and_all);
    ran.map(ExitCode::from).map_err(|error| {
        if rank > 0 {
            // What is wrong for all is said by the first.
            std::thread::sleep(Duration::from_secs(1));
            tell::line(format_args!("novelo: this is process {rank} of {count}"));
        }
        tell::line(error.render());
        ended.get() as u8
    })
}

/// Solves what is to be solved. Where something has ended the run before a search began, while the others wait for this
/// process, that is an error, and the code says what it was.
fn run(
    options: &Solve,
    together: &Together,
    (rank, count): (usize, usize),
    on_this_machine: usize,
    ended: &Cell<Code>,
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
    limits.nodes = limits.nodes.map(|nodes| share(nodes, rank as u64, count as u64));
    if options.method.memory_limit.is_none() {
        limits.memory = limits.memory.map(|bytes| bytes / on_this_machine.max(1));
    }
    request.processes = Some(together.clone());
    if rank == 0 {
        solve::tell_without_effect(&options.method, request.algorithm);
        let one_thread = matches!(
            request.algorithm,
            Choice::Method(Method::Engine(Algorithm::AStar | Algorithm::Ucs | Algorithm::Bfs))
        );
        if one_thread && options.method.threads.is_some_and(|threads| threads > 1) {
            let name = request.algorithm.info().name;
            solve::notice(&format!(
                "note: --threads has no effect: over processes, {name} runs on one thread in each"
            ));
        }
    } else {
        request.notice = None;
    }
    solve::run_by(options, &request, &|instance, request, label| {
        let control =
            if rank == 0 { progress::control(label) } else { Control::cancelled_by(interrupt::flag()) };
        let solved = instance.solve(request, control).map(|attempt| (rank == 0).then_some(attempt));
        ended.set(match &solved {
            Err(RequestError::Limit(stop)) => Code::of_stop(*stop),
            Err(RequestError::Interrupted) => Code::Interrupted,
            _ => Code::BadInput,
        });
        solved
    })
}

/// One part of so many expansions that are dealt out among processes; all parts together are as many.
fn share(nodes: u64, rank: u64, count: u64) -> u64 {
    nodes / count + u64::from(rank < nodes % count)
}
