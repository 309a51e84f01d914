//! The native module of the Python package: the engine, the puzzles and the lab, as few plain functions and classes. What users
//! see is the package around it, in `python/novelo`.

mod amount;
mod bytes;
mod json;
mod lab;
mod map;
mod options;
mod problem;
mod puzzles;
mod report;
mod space;
mod tree;
mod watch;

/// The native module of novelo: use the package `novelo`.
#[pyo3::pymodule]
mod _novelo {
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::lab::{audit, charts, read_experiment, run_tasks, serve_worker, summary, tasks};
    #[pymodule_export]
    use super::map::{Graph, Grid};
    #[pymodule_export]
    use super::problem::{check_problem, solve_problem};
    #[pymodule_export]
    use super::puzzles::{Instance, algorithms, counts, generate, heuristics, puzzles, read};
}
