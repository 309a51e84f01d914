//! novelo and the general solvers, each run in a process of its own.

#![allow(unsafe_code, reason = "asks the system for the clock of a process")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use novelo_puzzles::{Instance, Request, input};
use novelo_search::{Answer, Control, Meter, Outcome, Solution, Stop};
use serde::{Deserialize, Serialize};

use crate::measure::{clock_time, cpu_time, peak_resident};

/// CPU time that a process may take beyond its limit, to start and to encode.
const START: Duration = Duration::from_secs(6);

/// What came of one run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SolverRun {
    /// `solved`, `unsolvable` or `stopped`.
    pub outcome: String,
    /// CPU seconds from the id of the board to the solution.
    pub seconds: f64,
    /// Those that the solver itself took: all of novelo's, but not a general
    /// solver's encoding in Python.
    pub solving: f64,
    /// The most memory that novelo's process held, in bytes.
    #[serde(default)]
    pub bytes: u64,
    /// CPU seconds of `auto`, which looks for the cheapest path through a maze,
    /// and whether it proved that there is no cheaper one.
    pub cheapest: Option<(f64, bool)>,
    moves: Option<String>,
}

/// Something that solves boards.
#[derive(Debug, Clone)]
pub enum Solver {
    Novelo,
    /// A general solver of the script, by name.
    Peer {
        python: PathBuf,
        name: String,
    },
}

/// CPU time of a process so far; none once it has been waited for.
fn cpu_time_of(child: &Child) -> Duration {
    let mut clock = 0;
    // SAFETY: writes the id of a clock, or says that there is none.
    if unsafe { libc::clock_getcpuclockid(child.id() as libc::pid_t, &raw mut clock) } != 0 {
        return Duration::ZERO;
    }
    clock_time(clock)
}

/// The script that runs the general solvers.
fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/peer.py")
}

impl Solver {
    /// novelo, and the general solvers that an interpreter has.
    pub fn all(python: &Path) -> Vec<Self> {
        let listed = Command::new(python).arg(script()).arg("list").output();
        let names = match listed {
            Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
            _ => String::new(),
        };
        if names.trim().is_empty() {
            println!(
                "left out: CP-SAT, clingo and CaDiCaL ({} has none of the packages ortools, clingo and \
                 python-sat; --python names another)",
                python.display()
            );
        }
        let peer = |name: &str| Self::Peer { python: python.into(), name: name.into() };
        std::iter::once(Self::Novelo).chain(names.split_whitespace().map(peer)).collect()
    }

    /// Its name in the table.
    pub fn name(&self) -> &str {
        match self {
            Self::Novelo => "novelo",
            Self::Peer { name, .. } => name,
        }
    }

    /// Runs it on a board; what it calls a solution must be one.
    pub fn run(&self, board: &dyn Instance, limit: u64) -> SolverRun {
        let mut command = match self {
            Self::Novelo => {
                let mut command = Command::new(std::env::current_exe().expect("this program"));
                command.arg("exact-child");
                command
            }
            Self::Peer { python, name } => {
                let mut command = Command::new(python);
                command.arg(script()).arg(name);
                command
            }
        };
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the solver starts");
        let mut input = child.stdin.take().expect("it is piped");
        writeln!(input, "{}", board.id()).expect("the solver reads its board");
        drop(input);
        let most = Duration::from_secs(limit) + START;
        while cpu_time_of(&child) < most && child.try_wait().expect("the solver can be watched").is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        // Nothing happens to a process that has ended.
        let _ = child.kill();
        let output = child.wait_with_output().expect("the solver ends");
        let Ok(run) = serde_json::from_slice::<SolverRun>(&output.stdout) else {
            assert!(!output.status.success(), "{} printed no result", self.name());
            return SolverRun::stopped(limit);
        };
        if let Some(moves) = &run.moves {
            let moves = board.parse_moves(moves).expect("moves in novelo's words");
            assert!(board.check(&moves).is_solution(), "{} is wrong on {}", self.name(), board.id());
        }
        if run.seconds > limit as f64 { SolverRun::stopped(limit) } else { run }
    }
}

impl SolverRun {
    fn of(answer: &Answer<String>, seconds: f64) -> Self {
        let (outcome, moves) = match answer {
            Answer::Solved(solution) => ("solved", Some(solution.path.join(" "))),
            Answer::Unsolvable => ("unsolvable", None),
            Answer::Stopped(_) => ("stopped", None),
        };
        let bytes = peak_resident();
        Self { outcome: outcome.into(), seconds, solving: seconds, bytes, cheapest: None, moves }
    }

    fn stopped(limit: u64) -> Self {
        Self { bytes: 0, ..Self::of(&Answer::Stopped(Stop::Time), limit as f64) }
    }
}

/// novelo's process: reads a board, prints a run.
///
/// A general solver gives any path through a maze, so that is what is measured;
/// `auto`, which looks for the cheapest, is measured apart.
pub fn child() {
    let mut id = String::new();
    std::io::stdin().read_line(&mut id).expect("a board on standard input");
    let board = input::read(&id, None, None).expect("a well-formed id").remove(0).instance;
    let request = Request { threads: Some(1), ..Request::default() };
    // A small board first: the others have loaded their code, too.
    let example = input::read(board.puzzle().info().example, None, None).expect("a well-formed id");
    auto(&*example[0].instance, &request);
    let run = if board.puzzle().info().name == "mazes" {
        any_path(&*board, &request)
    } else {
        let (seconds, outcome) = auto(&*board, &request);
        SolverRun::of(&outcome.answer, seconds)
    };
    println!("{}", serde_json::to_string(&run).expect("plain data"));
}

fn auto(board: &dyn Instance, request: &Request) -> (f64, Outcome<String>) {
    let start = cpu_time();
    let attempt = board.solve(request, Control::default()).expect("auto can do this");
    (cpu_time().saturating_sub(start).as_secs_f64(), attempt.outcome)
}

fn any_path(board: &dyn Instance, request: &Request) -> SolverRun {
    let start = cpu_time();
    let mut found = board
        .enumerate(1, 1, &Meter::new(request.settings.limits, Control::default()))
        .expect("mazes are enumerated");
    let seconds = cpu_time().saturating_sub(start).as_secs_f64();
    let answer = match (found.solutions.pop(), found.stop) {
        (Some(path), _) => Answer::Solved(Solution { path, cost: 0, optimal: false }),
        (None, Some(stop)) => Answer::Stopped(stop),
        (None, None) => Answer::Unsolvable,
    };
    let (cheapest, outcome) = auto(board, request);
    let proved = outcome.solution().is_some_and(|solution| solution.optimal);
    SolverRun { cheapest: Some((cheapest, proved)), ..SolverRun::of(&answer, seconds) }
}
