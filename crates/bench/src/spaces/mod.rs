//! The engine beside the pathfinding crate on spaces of other shapes than the 15-puzzle's: grids, short queries, the
//! 2x2x2 cube, pancakes. Both sides share the rules, and pathfinding's nodes carry along what novelo's do.

mod cube;
mod grid;
mod pancake;
mod strict;
mod ways;

use novelo_search::Outcome;

use crate::measure::{cpu_time, keep_freed_memory};
use crate::progress;

/// What the searches of a row report together.
#[derive(Debug, Default, Clone, Copy)]
struct Total {
    cost: u64,
    expanded: u64,
}

impl Total {
    /// What one search of novelo reports.
    fn of<A>(outcome: &Outcome<A>) -> Self {
        let solution = outcome.solution().expect("it can be solved");
        Self { cost: solution.cost.into(), expanded: outcome.stats.expanded }
    }
}

impl std::iter::Sum for Total {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            cost: sum.cost + one.cost,
            expanded: sum.expanded + one.expanded,
        })
    }
}

/// A row has at least so many rounds, in each of which either side has its turn,
const ROUNDS: u32 = 5;
/// and more until so many seconds are spent.
const SECONDS: f64 = 1.5;

/// Measures all rows and prints times, their ratio and expansions: of both sides, and of A* in strict order. Unlike
/// boards of the 15-puzzle, these are too quick for a process each: the sides take turns in this one, which keeps the
/// memory that either frees.
pub fn table() {
    keep_freed_memory();
    println!("Everyday spaces; ratio: novelo's time by pathfinding's, below 1 novelo is faster");
    header("novelo", "pathfinding");
    ways::across();
    ways::short();
    cube::rows();
    pancake::rows();
    println!(
        "\nA problem by functions (from_successors) beside one that implements the trait, both novelo's"
    );
    header("functions", "trait");
    ways::by_functions();
}

fn header(ours: &str, theirs: &str) {
    println!("{:48} {:>23} {:>22}", "", "ms", "expansions");
    println!(
        "{:26} {:13} {:>7} {ours:>11} {theirs:>11} {ours:>10} {theirs:>11} {:>9}",
        "space", "", "ratio", "strict"
    );
}

/// Measures a row and prints it: the best of each side, and the expansions of A* in strict order where they are known.
fn row(
    name: &str,
    algorithm: &str,
    ours: impl Fn() -> Total,
    theirs: impl Fn() -> Total,
    strict: Option<u64>,
) {
    progress::now(&format!("{name}, {algorithm}"));
    let sides: [&dyn Fn() -> Total; 2] = [&ours, &theirs];
    let (mut best, mut totals) = ([f64::INFINITY; 2], [Total::default(); 2]);
    let (mut rounds, mut spent) = (0, 0.0);
    while rounds < ROUNDS || spent < SECONDS {
        for (side, run) in sides.iter().enumerate() {
            let start = cpu_time();
            totals[side] = run();
            let seconds = cpu_time().saturating_sub(start).as_secs_f64();
            best[side] = best[side].min(seconds);
            spent += seconds;
        }
        rounds += 1;
    }
    let [ours, theirs] = totals;
    assert_eq!(ours.cost, theirs.cost, "both sides find the same cost on {name}");
    progress::done();
    println!(
        "{name:26} {algorithm:13} {:7.2} {:11.3} {:11.3} {:10} {:11} {:>9}",
        best[0] / best[1],
        best[0] * 1e3,
        best[1] * 1e3,
        ours.expanded,
        theirs.expanded,
        strict.map_or_else(|| "-".to_owned(), |strict| strict.to_string()),
    );
}
