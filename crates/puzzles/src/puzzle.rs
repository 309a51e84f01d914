//! What every puzzle offers to the rest of the program.

use novelo_search::parameter::{Parameter, Spec, Values, nearest};
use novelo_search::{Control, Meter, Stop};
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use crate::formulation::Explorer;
use crate::heuristic::HeuristicInfo;
use crate::method::MethodInfo;
use crate::picture::Picture;
use crate::request::{Attempt, Enumeration, Request, RequestError, checked_heuristic};
use crate::session::Game;
use crate::text::ParseError;
use crate::verdict::Verdict;
use crate::watch::Watcher;

/// What a puzzle is: all that the command line, the lab, the server and the page know of it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PuzzleInfo {
    /// The name it is called by, also the first part of its ids.
    pub name: &'static str,
    /// Its full name.
    pub title: &'static str,
    /// What to do, in a line, for someone who chooses what to play.
    pub line: &'static str,
    /// The rules, in a few sentences.
    pub about: &'static str,
    /// The text formats it reads.
    pub formats: &'static str,
    /// How moves are written.
    pub moves: &'static str,
    /// An instance id, as an example.
    pub example: &'static str,
    /// The id of an instance whose picture shows what the puzzle is like.
    pub face: &'static str,
    /// The id of an instance on which heuristics can be told apart, small enough for its search tree to be seen.
    pub lesson: &'static str,
    /// The values that `--order` takes, if any.
    pub orders: &'static str,
    /// The values that `--goal` takes where instances are read, if any.
    pub goals: &'static str,
    /// Sizes that are good to play, from small to large.
    pub sizes: &'static [&'static str],
    /// The options of its generator, beside size, seed and difficulty.
    pub generator: &'static [Parameter],
    /// The largest size that an audit looks at unless told otherwise.
    pub audit_size: &'static str,
    /// Whether its solutions can be counted: [`Instance::enumerate`].
    pub counts_solutions: bool,
    /// What a cost of one is, and what several are.
    pub unit: [&'static str; 2],
    /// What [`Progress`](crate::session::Progress) counts.
    pub progress: &'static str,
}

/// How hard an instance can be asked to be.
pub const DIFFICULTIES: [&str; 4] = ["easy", "normal", "hard", "expert"];

/// A puzzle: one line of the registry.
pub trait Puzzle: Sync {
    /// What it is, in words.
    fn info(&self) -> &'static PuzzleInfo;

    /// Its heuristics; the first is the default.
    fn heuristics(&self) -> &'static [HeuristicInfo];

    /// The methods made for it alone.
    fn methods(&self) -> &'static [&'static MethodInfo];

    /// How much a text looks like this puzzle's: 0 not at all, 100 certainly.
    /// Judges the shape only, so that a text with a mistake is still recognised.
    fn likeness(&self, text: &str) -> u8;

    /// Reads all instances of a text in any of the puzzle's formats; `goal` is
    /// the value of `--goal`, for puzzles that know goals.
    fn parse(&self, text: &str, goal: Option<&str>) -> Result<Vec<Named>, ParseError>;

    /// Reads what follows the puzzle's name and a colon in an id.
    fn parse_id(&self, body: &str, goal: Option<&str>) -> Result<Box<dyn Instance>, ParseError>;

    /// Makes an instance that has a solution. Asked again with the same
    /// request and number, it makes the same one. Setting `cancel` ends a long
    /// search for one with [`RequestError::Interrupted`].
    fn generate(
        &self,
        request: &GenerateRequest,
        number: u64,
        cancel: &AtomicBool,
    ) -> Result<Box<dyn Instance>, RequestError>;

    /// Instances from which every state of the boards of a size is reached, where there are at most some hundred
    /// thousand; smaller boards come first, unless `only` this size is wanted. An audit looks at all their states.
    fn whole_spaces(&self, _size: Size, _only: bool) -> Option<Vec<Box<dyn Instance>>> {
        None
    }

    /// Whether the last board says all that a solution does, and better than its moves.
    fn solution_is_a_board(&self) -> bool {
        false
    }

    /// A player's move in words that tell someone to make it.
    fn words(&self, play: &str) -> String {
        play.to_owned()
    }
}

/// An instance with the name it has in its file.
pub struct Named {
    /// The name, where the file gives one.
    pub name: Option<String>,
    /// The instance.
    pub instance: Box<dyn Instance>,
}

/// One puzzle to solve.
pub trait Instance: Send + Sync {
    /// The puzzle.
    fn puzzle(&self) -> &'static dyn Puzzle;

    /// The instance on one line that fits in a shell word and a URL; reading it
    /// gives the same instance.
    fn id(&self) -> String;

    /// Does what a request asks for, under a meter; whoever watches is told of every node that the engine expands and
    /// generates. Everything that solves an instance comes through here, so a name is one program whoever calls it.
    fn run(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Attempt, RequestError>;

    /// Searches for a solution within the limits of a request.
    fn solve(&self, request: &Request, control: Control<'_>) -> Result<Attempt, RequestError> {
        self.run(request, &Meter::new(request.settings.limits, control), None)
    }

    /// Why there is no solution, where that is seen without a search.
    fn impossible(&self) -> Option<String>;

    /// Whether a heuristic can guide a search here, as far as that is seen without making its tables.
    fn check_heuristic(&self, spec: &Spec) -> Result<(), RequestError> {
        checked_heuristic(spec, self.puzzle()).map(drop)
    }

    /// Lends the search problem and the heuristic that a request would run on, to be looked at state by state.
    ///
    /// The meter's limits hold for making the heuristic's tables. Where one of them, or the caller, ends that, nothing
    /// is lent, and the break says what it was.
    fn explore(
        &self,
        request: &Request,
        meter: &Meter<'_>,
        explorer: Explorer<'_>,
    ) -> Result<ControlFlow<Stop>, RequestError>;

    /// Counts the solutions up to `most`, and keeps the first `keep` of them.
    fn enumerate(&self, _most: u64, _keep: usize, _meter: &Meter<'_>) -> Result<Enumeration, RequestError> {
        let name = self.puzzle().info().name;
        Err(RequestError::Unsupported(format!(
            "the solutions of {name} are not counted: every detour makes another"
        )))
    }

    /// The instance under the hands of a player.
    fn game(&self) -> Box<dyn Game>;

    /// Splits the text of a solution into moves, as [`check`](Instance::check)
    /// takes them.
    fn parse_moves(&self, text: &str) -> Result<Vec<String>, ParseError>;

    /// Replays moves by code that no solver shares.
    fn check(&self, moves: &[String]) -> Verdict;

    /// The board after each of the first n legal moves, from the start on.
    fn pictures(&self, moves: &[String]) -> Vec<Picture>;
}

impl fmt::Debug for dyn Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

impl fmt::Debug for dyn Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

impl fmt::Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").field("name", &self.name).field("instance", &self.instance).finish()
    }
}

/// What kind of instance to make.
#[derive(Debug, Clone, Default)]
pub struct GenerateRequest {
    /// How large; the puzzle's usual size if absent.
    pub size: Option<Size>,
    /// The seed.
    pub seed: u64,
    /// How hard: one of [`DIFFICULTIES`].
    pub difficulty: Option<String>,
    /// The options of the puzzle's generator, checked: [`with`](GenerateRequest::with).
    pub options: Values,
}

impl GenerateRequest {
    /// With options, names and values, checked against those that a puzzle's generator declares.
    pub fn with<N: AsRef<str>, V: AsRef<str>>(
        self,
        puzzle: &dyn Puzzle,
        options: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, RequestError> {
        let PuzzleInfo { name, generator, .. } = puzzle.info();
        let owned = |(name, value): (N, V)| (name.as_ref().to_owned(), value.as_ref().to_owned());
        let given: Vec<_> = options.into_iter().map(owned).collect();
        if let Some(unknown) = given.iter().find_map(|(option, _)| not_among(option, name, generator)) {
            return Err(RequestError::Unsupported(unknown));
        }
        let checked = Spec { name: (*name).into(), given }.check(generator);
        let options = checked.map_err(|error| RequestError::Unsupported(error.to_string()))?;
        Ok(Self { options, ..self })
    }
}

/// Says that an option is not among those a generator has, if it is not.
fn not_among(option: &str, puzzle: &str, generator: &[Parameter]) -> Option<String> {
    let names = generator.iter().map(|parameter| parameter.name);
    if names.clone().any(|name| name == option) {
        return None;
    }
    let beside = ["size", "seed", "difficulty"];
    if let Some(near) = nearest(option, names.clone().chain(beside)) {
        return Some(format!("the option {option} means nothing to {puzzle}; did you mean {near}?"));
    }
    let takes = names.chain(beside).collect::<Vec<_>>().join(", ");
    Some(format!("the option {option} means nothing to {puzzle}, which takes {takes}"))
}

/// Rows and columns, written `4x4`, or one number, written `10`, where there are no columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Rows.
    pub rows: usize,
    /// Columns; 0 for what has none, such as a stack.
    pub cols: usize,
}

impl Size {
    /// The size of so many things without columns.
    pub const fn line(count: usize) -> Self {
        Self { rows: count, cols: 0 }
    }

    /// How many places there are.
    pub const fn cells(self) -> usize {
        if self.cols == 0 { self.rows } else { self.rows * self.cols }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { rows, cols: 0 } => rows.fmt(f),
            Self { rows, cols } => write!(f, "{rows}x{cols}"),
        }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| part.parse().ok().filter(|&n| (1..=1000).contains(&n));
        let size = match text.split_once(['x', 'X', '×']) {
            Some((rows, cols)) => number(rows).zip(number(cols)).map(|(rows, cols)| Self { rows, cols }),
            None => number(text).map(Self::line),
        };
        size.ok_or_else(|| {
            let line = "or a number, such as 10, where there are no columns";
            format!("'{text}' is not a size; write rows x columns, such as 4x4, {line}")
        })
    }
}
