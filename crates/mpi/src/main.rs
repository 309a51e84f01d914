//! `novelo-mpi`: `novelo solve` over many processes, which `mpirun` starts and MPI connects.

mod ranks;

use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use mpi::traits::Communicator as _;
use novelo_puzzles::Together;

use ranks::Ranks;

/// Whether Open MPI gives the processor away whenever it looks for messages and finds none. It does so by itself where ranks
/// outnumber processors; a rank that searches, and looks for messages again and again, would hardly ever run.
const YIELDS: &str = "OMPI_MCA_mpi_yield_when_idle";

/// Has a rank give its processor away only when it has nothing to do ([`Ranks`] sees to that), unless the user wants it otherwise.
#[allow(unsafe_code, reason = "changes the environment while there is one thread")]
fn keep_the_processor() {
    if std::env::var_os(YIELDS).is_none() {
        // SAFETY: nothing has been started that could read the environment at the same time.
        unsafe { std::env::set_var(YIELDS, "0") };
    }
}

fn main() -> ExitCode {
    keep_the_processor();
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
        Err(code) => ranks::abort(code.into()),
    }
}
