//! `novelo-mpi`: `novelo solve` over many processes, which `mpirun` starts and MPI connects.

mod ranks;

use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use mpi::traits::Communicator as _;
use novelo_puzzles::Together;

use ranks::Ranks;

fn main() -> ExitCode {
    let Some((universe, _)) = mpi::initialize_with_threading(mpi::Threading::Funneled) else {
        eprintln!("novelo: MPI cannot be initialised");
        return ExitCode::FAILURE;
    };
    let world = universe.world();
    // A process that panics must not leave the others waiting.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        ranks::abort(101);
    }));
    // How Open MPI tells; elsewhere all processes are taken to be on one machine.
    let local = std::env::var("OMPI_COMM_WORLD_LOCAL_SIZE").ok().and_then(|text| text.parse().ok());
    let on_this_machine = local.unwrap_or(world.size() as usize);
    let together = Together(Arc::new(Mutex::new(Ranks::new(&world))));
    match novelo::processes::main(&together, on_this_machine) {
        Ok(code) => code,
        Err(_) => ranks::abort(2),
    }
}
