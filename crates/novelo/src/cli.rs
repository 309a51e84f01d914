//! The command line.

use std::time::Duration;

use bytesize::ByteSize;
use clap::{Args, Parser, Subcommand, ValueEnum};
use novelo_puzzles::{Choice, PUZZLES, Puzzle, PuzzleInfo, Size};
use novelo_search::parameter::{Spec, nearest};

use crate::names::{algorithms, heuristics, puzzles};
use crate::options::GeneratorOptions;

const EXAMPLES: &str = "\
Examples:
  novelo solve sliding:3x3:8,6,7,2,5,4,3,0,1           the best solution, proved
  novelo solve board.txt --algorithm astar --heuristic manhattan --json
  novelo check board.txt 'U L L D'                     is this a solution?
  novelo generate sliding --size 4x4 --seed 7 | novelo solve -
  novelo play numbrix --difficulty easy
  novelo list algorithms
  novelo serve                                         all of it in a browser

An INSTANCE is a file, one instance of a file (FILE#3 or FILE#name), an id such
as sliding:2x2:3,1,2,0, or - for standard input.

Exit codes: 0 solved or done (a solution that is not proved the best counts: the
result says so, and what ended the proof), 1 a check or an audit failed, 2 usage
or bad input, 11 proved unsolvable, 12 gave up without proof, 22 memory limit, 23 time limit,
24 node or depth limit, 130 interrupted.";

/// The examples of the commands that this build has.
fn examples() -> String {
    let is_there = |line: &&str| match line.split_whitespace().nth(1) {
        Some("play") => cfg!(feature = "play"),
        Some("serve") => cfg!(feature = "serve"),
        _ => true,
    };
    EXAMPLES.lines().filter(is_there).collect::<Vec<_>>().join("\n")
}

/// Solves single-player puzzles: the best solution, and the honest numbers behind it.
#[derive(Debug, Parser)]
#[command(name = "novelo", version, after_help = examples(), max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve an instance, or every instance of a file
    Solve(Solve),
    /// Replay a solution: is every move legal, and does it end at the goal?
    Check(Check),
    /// Draw a board, in the terminal or into a file
    Show(crate::commands::show::ShowOptions),
    /// Make new instances
    Generate(Generate),
    #[cfg(feature = "play")]
    /// Play in the terminal, with hints from the exact solvers
    Play(Play),
    #[cfg(feature = "play")]
    /// Watch a search go, then its solution
    Watch(WatchOptions),
    /// Tell of a search step by step: as text, as lines of JSON, or as a graph
    Trace(crate::commands::trace::TraceOptions),
    /// Explain puzzles, algorithms, heuristics and counts
    List(List),
    /// Manage the pattern databases of sliding tiles
    Pdb(Pdb),
    #[cfg(feature = "serve")]
    /// Open the web page: play, watch, race, compare
    Serve(crate::commands::serve::Serve),
    /// Run every sensible algorithm and heuristic on instances, and print one table
    Compare(crate::commands::compare::Compare),
    /// Do the runs that a file asks for, with results that survive a crash
    Experiment(crate::commands::experiment::Experiment),
    /// Make tables and plots of an experiment's results
    Report(crate::commands::report::ReportOptions),
    /// Check whether a heuristic is admissible and consistent
    Audit(crate::commands::audit::AuditOptions),
    /// One process of a pool
    #[command(hide = true)]
    Worker(crate::commands::worker::Worker),
    /// Print completions for a shell, or man pages
    Shell(Shell),
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  novelo solve sliding:3x3:8,6,7,2,5,4,3,0,1
  novelo solve set.txt#12 --algorithm idastar --heuristic manhattan --time-limit 30s
  novelo solve board.txt --algorithm dfs --shuffle 1 --show
  novelo solve board.txt --algorithm wastar:weight=2
  novelo solve set.txt --json | jq .cost";

/// Options of `solve`.
#[derive(Debug, Args)]
#[command(after_help = SOLVE_EXAMPLES)]
pub struct Solve {
    /// Files, FILE#name, ids, or - for standard input
    #[arg(required = true, value_name = "INSTANCE")]
    pub instances: Vec<String>,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub method: Method,

    #[arg(long, group = "listed", conflicts_with = "unique", help = counting("List all solutions"))]
    pub all: bool,

    #[arg(long, group = "listed", conflicts_with = "unique", help = counting("Count the solutions"))]
    pub count: bool,

    #[arg(long, help = counting("Answer whether there is exactly one solution; show a second if there is one"))]
    pub unique: bool,

    /// With --all or --count: stop after so many solutions
    #[arg(long, value_name = "K", requires = "listed", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,

    /// Print each better solution as it comes, for methods that go on after their first (such as awastar, arastar and cabs)
    #[arg(long, conflicts_with_all = ["all", "count", "unique"])]
    pub all_improvements: bool,

    /// Draw the board after every move
    #[arg(long)]
    pub show: bool,

    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// How to read instances.
#[derive(Debug, Args)]
pub struct Reading {
    /// Which puzzle a file holds, where its looks do not tell
    #[arg(long, value_parser = puzzles(), hide_possible_values = true)]
    pub puzzle: Option<&'static dyn Puzzle>,

    #[arg(long, value_name = "GOAL", help = goals())]
    pub goal: Option<String>,
}

/// How to search.
#[derive(Debug, Args)]
pub struct Method {
    /// The algorithm, with parameters as NAME:key=value,… such as wastar:weight=2; if absent, auto, which takes the
    /// best method there is (watch and trace: astar)
    #[arg(long, short, value_name = "A", value_parser = algorithms(), hide_possible_values = true)]
    pub algorithm: Option<Choice>,

    /// The heuristic, with parameters as NAME:key=value,…
    #[arg(long, short = 'H', value_name = "H", value_parser = heuristics(), hide_possible_values = true)]
    pub heuristic: Option<Spec>,

    /// The order in which actions are tried, in the puzzle's own words
    #[arg(long, value_name = "ORDER")]
    pub order: Option<String>,

    /// Try the actions of each state in a random order, fixed by this seed
    #[arg(long, value_name = "SEED", conflicts_with = "order")]
    pub shuffle: Option<u64>,

    /// Wall-clock time, such as 500ms, 10s or 1m30s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,

    /// Memory of the whole process, such as 300MiB or 2GiB; nine tenths of what is free if absent
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<u64>,

    /// Number of expansions
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,

    /// Number of actions in a path
    #[arg(long, value_name = "N")]
    pub depth_limit: Option<u32>,

    /// Threads of auto, tiles, idastar, astar, ucs, bfs and of tables that are built; if absent, all cores for auto and tables,
    /// else one
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,

    /// Neither read nor keep tables on disk
    #[arg(long)]
    pub no_cache: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  novelo check sliding:2x2:1,2,0,3 R
  novelo solve board.txt --json | novelo check board.txt -";

/// Options of `check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// A file, FILE#name or id
    pub instance: String,

    /// Moves, a file of moves, a result of solve --json, or - for standard input
    #[arg(allow_hyphen_values = true)]
    pub solution: String,

    #[command(flatten)]
    pub reading: Reading,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

const GENERATE_EXAMPLES: &str = "\
Examples:
  novelo generate sliding --size 4x4 --seed 7 --count 3
  novelo generate sliding --size 3x3 --moves 31";

/// Options of `generate`.
#[derive(Debug, Args)]
#[command(after_help = GENERATE_EXAMPLES)]
pub struct Generate {
    /// Which puzzle
    #[arg(value_parser = puzzles(), hide_possible_values = true)]
    pub puzzle: &'static dyn Puzzle,

    /// Rows and columns, such as 4x4, or a number where there are no columns
    #[arg(long)]
    pub size: Option<Size>,

    /// The same seed gives the same instances
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// How many
    #[arg(long, default_value_t = 1)]
    pub count: u64,

    /// easy, normal, hard or expert
    #[arg(long)]
    pub difficulty: Option<String>,

    /// Draw each board under its id
    #[arg(long)]
    pub show: bool,

    #[command(flatten)]
    pub options: GeneratorOptions,
}

const PLAY_EXAMPLES: &str = "\
Examples:
  novelo play                                                    a menu
  novelo play numbrix --size 9x9 --difficulty hard --seed 5
  novelo play sliding:3x3:8,6,7,2,5,4,3,0,1
  novelo play set.txt                                            a board of a file
  novelo play mazes --tell-lost                                  a lost game is told at once
  novelo play saved.game                                         a game kept before

The game in play is kept after every move, best scores after every win: in
$NOVELO_DATA, or else in the folder novelo of the user's data folder.
? shows the keys.";

/// Options of `play`.
#[derive(Debug, Args)]
#[command(after_help = PLAY_EXAMPLES)]
pub struct Play {
    /// A puzzle to make a new board of, an INSTANCE, or a saved game; a menu if absent
    #[arg(value_name = "PUZZLE|INSTANCE|GAME")]
    pub what: Option<String>,

    #[command(flatten)]
    pub reading: Reading,

    /// How large a new board is: rows and columns, such as 4x4, or a number where there are no columns
    #[arg(long, requires = "what")]
    pub size: Option<Size>,

    /// How hard a new board is: easy, normal (the default), hard or expert
    #[arg(long, requires = "what")]
    pub difficulty: Option<String>,

    /// The same seed gives the same board; any if absent
    #[arg(long, requires = "what")]
    pub seed: Option<u64>,

    /// Tell as soon as a position can no longer be won (l, while playing)
    #[arg(long)]
    pub tell_lost: bool,

    /// The name that scores are kept under; the user's if absent
    #[arg(long)]
    pub name: Option<String>,
}

const WATCH_EXAMPLES: &str = "\
Examples:
  novelo watch sliding:3x3:8,6,7,2,5,4,3,0,1 --algorithm ids
  novelo watch board.txt --algorithm idastar --heuristic manhattan --held
  novelo watch board.txt --algorithm auto --pace 2

The search begins slowly and doubles its pace every second up to full speed,
until a key is pressed: space holds it and lets it go on, → does one expansion,
+ and - change the pace, f is full speed. Beside the board stand the node
expanded last (g, h, f) and the fate of each successor; then the solution is
played, by the same keys. --algorithm auto is what solve takes.";

/// Options of `watch`.
#[derive(Debug, Args)]
#[command(after_help = WATCH_EXAMPLES)]
pub struct WatchOptions {
    /// A file, FILE#name or id
    pub instance: String,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub method: Method,

    /// Hold the search before its first node, to be stepped
    #[arg(long)]
    pub held: bool,

    /// Nodes a second
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2048))]
    pub pace: Option<u32>,
}

/// Options of `list`.
#[derive(Debug, Args)]
pub struct List {
    /// What to explain
    #[arg(value_enum)]
    pub what: Option<What>,

    /// With algorithms or heuristics: of which puzzle
    #[arg(value_parser = puzzles(), hide_possible_values = true)]
    pub puzzle: Option<&'static dyn Puzzle>,

    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// What `list` explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// The puzzles
    Puzzles,
    /// The algorithms, and the methods made for one puzzle
    Algorithms,
    /// The heuristics
    Heuristics,
    /// The figures of a result
    Counts,
}

const PDB_EXAMPLES: &str = "\
Examples:
  novelo pdb build 7-8                       for the 15-puzzle, blank last
  novelo pdb build 6-6-6-6 --goal blank-first
  novelo pdb build .aabb/aabbc/dddcc/ddeee --size 4x5 --goal blank-first
  novelo pdb list

They live in $NOVELO_CACHE, or else in the folder novelo of the user's cache
folder. solve builds what it needs by itself, and takes what was built here
beforehand.";

/// Options of `pdb`.
#[derive(Debug, Args)]
#[command(after_help = PDB_EXAMPLES)]
pub struct Pdb {
    #[command(subcommand)]
    pub command: PdbCommand,
}

/// What to do with pattern databases.
#[derive(Debug, Subcommand)]
pub enum PdbCommand {
    /// Build the tables of a partition, unless they are there
    Build(PdbBuild),
    /// Say what is there
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Check every table against its checksum
    Verify,
    /// Remove tables
    Remove {
        /// Files, as list names them
        names: Vec<String>,
        /// All of them
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
}

/// Options of `pdb build`.
#[derive(Debug, Args)]
pub struct PdbBuild {
    /// 4-4, 5-5-5, 6-6-3, 7-8, 6-6-6-6, or a drawing: a letter for each tile, . for the blank
    pub partition: String,

    /// Rows and columns, for drawings
    #[arg(long)]
    pub size: Option<Size>,

    /// The goal: blank-last (usual), blank-first, or a board
    #[arg(long, value_name = "GOAL")]
    pub goal: Option<String>,

    /// Threads; all cores if absent
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,

    /// Memory of the whole process, such as 300MiB or 2GiB; nine tenths of what is free if absent
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<u64>,
}

/// Options of `shell`.
#[derive(Debug, Args)]
pub struct Shell {
    #[command(subcommand)]
    pub what: ShellCommand,
}

/// What `shell` prints.
#[derive(Debug, Subcommand)]
pub enum ShellCommand {
    /// Completions for a shell, on standard output
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Man pages, into a directory
    Man {
        /// The directory
        directory: std::path::PathBuf,
    },
}

/// What a puzzle says of something, for each puzzle that has something to say: `sliding 3x3, boxes 2x3`.
pub fn of_each(text: impl Fn(&'static PuzzleInfo) -> &'static str, separator: &str) -> String {
    let infos = PUZZLES.iter().map(|puzzle| puzzle.info()).filter(|info| !text(info).is_empty());
    infos.map(|info| format!("{} {}", info.name, text(info))).collect::<Vec<_>>().join(separator)
}

/// The help of an option for the puzzles whose solutions can be counted.
fn counting(help: &str) -> String {
    let infos = PUZZLES.iter().map(|puzzle| puzzle.info()).filter(|info| info.counts_solutions);
    format!("{help} ({})", infos.map(|info| info.name).collect::<Vec<_>>().join(", "))
}

/// The help of the goal, for the puzzles that know goals.
fn goals() -> String {
    let infos = PUZZLES.iter().map(|puzzle| puzzle.info()).filter(|info| !info.goals.is_empty());
    let each = infos.map(|info| format!("{} ({})", info.goals, info.name));
    format!("The goal: {}", each.collect::<Vec<_>>().join("; "))
}

/// The puzzle of a name.
pub fn puzzle(name: &str) -> Result<&'static dyn Puzzle, String> {
    novelo_puzzles::puzzle(name).ok_or_else(|| {
        let names: Vec<_> = PUZZLES.iter().map(|puzzle| puzzle.info().name).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => format!("there is no puzzle '{name}'; did you mean '{near}'?"),
            None => format!("there is no puzzle '{name}'; there are {}", names.join(", ")),
        }
    })
}

/// A time, such as 10s.
pub fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| format!("'{text}' is not a time; write 500ms, 10s or 1m30s"))
}

/// A size, such as 2GiB.
pub fn bytes(text: &str) -> Result<u64, String> {
    let size = text.parse::<ByteSize>();
    size.map(|size| size.0).map_err(|_| format!("'{text}' is not a size; write 300MiB or 2GiB"))
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1024).contains(number));
    number.ok_or_else(|| format!("'{text}' is not a number of threads; write one from 1 to 1024"))
}
