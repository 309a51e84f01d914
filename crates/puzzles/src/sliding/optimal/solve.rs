//! The methods for sliding tiles: `tiles`, which proves its solutions shortest, and `windows`, which finds good ones.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use novelo_search::algorithms::Needs;
use novelo_search::deepening::BoundedSearch;
use novelo_search::{
    Algorithm, AlgorithmInfo, Answer, Budget, Control, Limits, Meter, Outcome, Solution, Stop,
};

use super::anytime::{Anytime, anytime, lower_bound};
use super::bound::{self, LowerBound};
use super::cache::Cache;
use super::databases::TableSource;
use super::ida::{
    AdditivePdb, Deepening, FifteenManhattan, InterleavedSearch, Manhattan, PlainSearch, deepen,
};
use super::machine::MoveMachine;
use super::partition::Partition;
use super::position::Position;
use super::shape::{MAX_MASK_CELLS, Shape};
use super::walking::WalkingDistance;
use crate::method::{Method, MethodInfo};
use crate::request::{Attempt, Improvements, Request, RequestError, Together};
use crate::sliding::instance::Tiles;
use crate::sliding::rules::Move;
use crate::solver::ChosenHeuristic;

/// The exact method for sliding tiles.
pub static TILES: MethodInfo = MethodInfo {
    about: AlgorithmInfo {
        name: "tiles",
        title: "IDA* made for sliding tiles",
        about: "Iterative deepening A* whose moves pass a finite-state machine that leaves out strings of moves with a \
                shorter or earlier twin (Taylor and Korf, 1993), and which searches the subtrees that came nearest to the \
                goal first. It takes the heuristics manhattan, pdb (also reflected in the diagonal, where the goal allows \
                it) and walking-distance; without one it tries easy boards without tables and takes the best tables \
                that fit for the others. Boards of up to 32 cells with two rows and columns or more.",
        complete: "yes",
        optimal: "yes",
        time: "O(b^d) at worst, with a b that the machine makes smaller; far less with pattern databases",
        space: "O(d) for each thread, and the tables of the heuristic",
        needs: Needs::Nothing,
        parameters: &[],
        lesson: None,
    },
    searches_states: true,
    takes_heuristic: true,
    takes_order: true,
    uses_threads: true,
    over_processes: true,
};

/// The method for boards beyond optimal reach.
pub static WINDOWS: MethodInfo = MethodInfo {
    about: AlgorithmInfo {
        name: "windows",
        title: "Beam search and windows",
        about: "A first solution, made tile by tile, is shortened until time is up: by beam searches of doubling width \
                over the whole board, by optimal search over short windows of the solution and by beams over long ones. \
                Without a time limit it takes up to ten seconds. Boards of any size with two rows and columns or more.",
        complete: "yes",
        optimal: "no; proved only where the solution is as short as Manhattan distance with linear conflicts",
        time: "what it is given; the first solution takes milliseconds",
        space: "the widest beam times the length of the solution, within the memory limit",
        needs: Needs::Nothing,
        parameters: &[],
        lesson: None,
    },
    searches_states: true,
    takes_heuristic: false,
    takes_order: false,
    uses_threads: false,
    over_processes: false,
};

/// `auto` proves solutions shortest on boards of up to so many cells.
const MOST_CELLS: usize = 25;
/// How long `windows` works when no limit on time is set.
const DEFAULT_TIME: Duration = Duration::from_secs(10);
/// The most bytes of tables that are chosen without being named.
const TABLE_BYTES: u64 = 256 << 20;
/// Expansions to try without tables before any are built: easy boards need none.
const QUICK: u64 = 300_000;
/// Reading and checking tables of more bytes takes longer than most searches with smaller ones.
const HEAVY: u64 = 16 << 20;
/// Expansions to try with small tables before large ones are read.
const LIGHT: u64 = 2_000_000;

/// The side of the square board that the name of a partition is for.
pub fn side_of_partition(name: &str) -> Option<usize> {
    Partition::side_of(name).map(usize::from)
}

/// The partitions that have a name, and the side of the square board that each is for.
pub fn named_partitions() -> impl Iterator<Item = (&'static str, u8)> {
    Partition::named()
}

/// Makes sure that the tables of a partition for the instance's board and goal are in the request's cache; their files.
pub fn build(
    tiles: &Tiles,
    name: &str,
    request: &Request,
    meter: &Meter<'_>,
) -> Result<Vec<PathBuf>, RequestError> {
    let partition = bound::partition(tiles, name)?;
    TableSource::of(request, meter.budget()).stock(&partition).map_err(|stop| match stop {
        Stop::Interrupted => RequestError::Interrupted,
        stop => RequestError::Limit(stop),
    })?;
    let cache = request.cache.as_ref().map(Cache::new);
    let Some(cache) = cache.filter(|cache| partition.tables().iter().all(|&key| cache.contains(key))) else {
        return Err(RequestError::Unsupported("the tables were built but could not be kept".into()));
    };
    Ok(partition.tables().into_iter().map(|key| cache.path(key)).collect())
}

/// A shortest solution under a partition's tables, on one thread: the same in every run. `None` when it was cancelled.
pub fn shortest(tiles: &Tiles, partition: &str, cancel: &AtomicBool) -> Option<Vec<Move>> {
    let partition = bound::partition(tiles, partition).ok()?;
    let meter = Meter::new(Limits::default(), Control::cancelled_by(cancel));
    let solver = Solver::new(tiles, Move::DEFAULT_ORDER, 1, &Request::default(), &meter);
    solver.with_partition(&partition, meter.budget()).ok()?.path.ok().map(|(path, _)| path)
}

/// What a search came to.
struct Found {
    method: Method,
    heuristic: Option<String>,
    /// A solution and whether it is proved to be shortest, or what ended the search.
    path: Result<(Vec<Move>, bool), Stop>,
    /// What ended the search for a shorter one.
    stop: Option<Stop>,
    lower_bound: u32,
}

impl Found {
    fn by_tiles(heuristic: impl Into<String>, deepening: Deepening) -> Self {
        let Deepening { found, lower_bound, .. } = deepening;
        // Only solvable positions are searched: without a limit, one of the iterations finds a solution.
        let path = found.and_then(|path| path.map(|path| (path, true)).ok_or(Stop::GaveUp));
        Self {
            method: Method::Dedicated(&TILES),
            heuristic: Some(heuristic.into()),
            path,
            stop: None,
            lower_bound,
        }
    }

    fn attempt(self, meter: &Meter<'_>) -> Attempt {
        let Self { method, heuristic, path, stop, lower_bound } = self;
        let answer = match path {
            Ok((path, optimal)) => {
                let cost = path.len() as u32;
                Answer::Solved(Solution { path: path.iter().map(Move::to_string).collect(), cost, optimal })
            }
            Err(stop) => Answer::Stopped(stop),
        };
        let outcome = Outcome { answer, lower_bound: Some(lower_bound), stop, stats: meter.stats() };
        Attempt { method, heuristic, outcome: outcome.proved_by_bound(), reason: None, searched: true }
    }
}

/// The method `tiles`, on a board that can be solved; under the best bound there is if no heuristic is given.
pub fn tiles(
    tiles: &Tiles,
    guide: Option<&ChosenHeuristic>,
    order: [Move; 4],
    threads: usize,
    request: &Request,
    meter: &Meter<'_>,
) -> Result<Attempt, RequestError> {
    bound::needs_two_lines(tiles, TILES.about.name)?;
    let bound = guide.map(|guide| LowerBound::of(guide, tiles)).transpose()?;
    if tiles.start.len() > MAX_MASK_CELLS {
        return Err(RequestError::Unsupported(format!(
            "tiles searches boards of at most {MAX_MASK_CELLS} cells; windows finds good solutions of larger ones"
        )));
    }
    meter.note_root();
    let solver = Solver::new(tiles, order, threads, request, meter);
    let budget = meter.budget();
    let mut found = match bound {
        // What is at hand, and what there is room for, need not be the same everywhere.
        None if request.processes.is_some() => {
            return Err(RequestError::Unsupported(
                "over several processes tiles must be told its heuristic: manhattan, walking-distance or pdb, as in \
                 --heuristic pdb:6-6-3"
                    .into(),
            ));
        }
        None => solver.exact(budget),
        Some(LowerBound::Manhattan) => solver.without_tables(budget),
        Some(LowerBound::PatternDatabases(partition)) => solver.with_partition(&partition, budget),
        Some(LowerBound::WalkingDistance) => solver.with_walking_distance(budget),
    }?;
    if let Some(guide) = guide {
        found.heuristic = Some(guide.spec.to_string());
    }
    Ok(found.attempt(meter))
}

/// The method `windows`, on a board that can be solved.
pub fn windows(tiles: &Tiles, request: &Request, meter: &Meter<'_>) -> Result<Attempt, RequestError> {
    bound::needs_two_lines(tiles, WINDOWS.about.name)?;
    meter.note_root();
    Ok(Solver::new(tiles, Move::DEFAULT_ORDER, 1, request, meter).good(0).attempt(meter))
}

/// The best of the two methods, on a board of two rows and columns or more that can be solved: up to 25 cells the shortest
/// solution; beyond that, or when its share of the time is used up, a good one.
pub fn auto(
    tiles: &Tiles,
    order: [Move; 4],
    threads: usize,
    request: &Request,
    meter: &Meter<'_>,
) -> Result<Attempt, RequestError> {
    meter.note_root();
    let solver = Solver::new(tiles, order, threads, request, meter);
    let (cells, budget) = (tiles.start.len(), meter.budget());
    if cells > MOST_CELLS {
        return Ok(solver.good(0).attempt(meter));
    }
    // The rest of the time is for a solution that is merely good.
    let now = Instant::now();
    let share = |deadline: Instant| {
        let time = deadline.saturating_duration_since(now);
        budget.until(now + if cells <= 16 { time / 10 * 9 } else { time / 2 })
    };
    let exact = solver.exact(budget.deadline().map_or(budget, share))?;
    let found = if exact.path == Err(Stop::Time) { solver.good(exact.lower_bound) } else { exact };
    Ok(found.attempt(meter))
}

/// What the engine's IDA* with Manhattan distance does on a 4x4 board that can be solved, at about three times the speed:
/// every count is the same, whatever the limits. `None` on other boards, and where the limit on memory is so small that it
/// may matter in which structures the two keep their paths.
pub fn fifteen(
    tiles: &Tiles,
    threads: usize,
    request: &Request,
    meter: &Meter<'_>,
) -> Result<Option<Attempt>, RequestError> {
    const LITTLE: usize = 1 << 20;
    let limits = meter.limits();
    let search = FifteenManhattan::new(&Position::of(tiles), limits.depth);
    let Some(search) = search.filter(|_| limits.memory.is_none_or(|most| most >= LITTLE)) else {
        return Ok(None);
    };
    meter.note_root();
    let solver = Solver::new(tiles, Move::DEFAULT_ORDER, threads, request, meter);
    let found = Found::by_tiles("manhattan", solver.deepen(&search, meter.budget())?);
    Ok(Some(Found { method: Method::Engine(Algorithm::IdaStar), ..found }.attempt(meter)))
}

struct Solver<'m> {
    start: Position,
    source: TableSource<'m>,
    order: [Move; 4],
    threads: usize,
    depth_limit: Option<u32>,
    improvements: Option<Improvements>,
    processes: Option<Together>,
}

impl<'m> Solver<'m> {
    fn new(tiles: &Tiles, order: [Move; 4], threads: usize, request: &Request, meter: &'m Meter<'_>) -> Self {
        let source = TableSource::of(request, meter.budget());
        let depth_limit = meter.limits().depth;
        let (improvements, processes) = (request.improvements.clone(), request.processes.clone());
        Self { start: Position::of(tiles), source, order, threads, depth_limit, improvements, processes }
    }

    /// Goes through the bounds of a search, together with the other processes if there are any.
    #[cfg_attr(
        not(feature = "processes"),
        expect(clippy::unnecessary_wraps, reason = "only other processes can fail")
    )]
    fn deepen<S>(&self, search: &S, budget: Budget<'_>) -> Result<Deepening, RequestError>
    where
        S: BoundedSearch<Action = Move, Bound = u32, Worker = ()>,
    {
        #[cfg(feature = "processes")]
        if let Some(together) = &self.processes
            && search.estimate(&search.root()) > 0
        {
            return together.deepen(search, self.threads, budget);
        }
        Ok(deepen(search, self.threads, budget))
    }

    /// The shortest solution, by cheap means first where better ones must be fetched.
    fn exact(&self, budget: Budget<'_>) -> Result<Found, RequestError> {
        let partitions: Vec<_> =
            self.partitions().filter(|partition| self.source.has_room(partition)).collect();
        let mut steps = Vec::new();
        match partitions.first() {
            Some(best) if !self.source.has(best) => steps.push((None, Some(QUICK))),
            Some(best) if best.about_bytes() > HEAVY && !TableSource::in_memory(best) => {
                let light = |p: &&Partition| p.about_bytes() <= HEAVY && self.source.has(p);
                steps.extend(partitions.iter().find(light).map(|light| (Some(light), Some(LIGHT))));
            }
            _ => {}
        }
        steps.extend(partitions.iter().map(|partition| (Some(partition), None)));
        steps.push((None, None));
        let mut proved = lower_bound(&self.start);
        let mut last = None;
        for (partition, nodes) in steps {
            let part = budget.with_nodes(nodes);
            let mut found = match partition {
                Some(partition) => self.with_partition(partition, part),
                None => self.without_tables(part),
            }?;
            proved = proved.max(found.lower_bound);
            found.lower_bound = proved;
            match found.path {
                Err(Stop::Nodes) if nodes.is_some() && !budget.over() => {}
                // The estimate was too low; a smaller partition may do.
                Err(Stop::Memory) => {}
                _ => return Ok(found),
            }
            last = Some(found);
        }
        Ok(last.expect("the last step needs no tables"))
    }

    fn without_tables(&self, budget: Budget<'_>) -> Result<Found, RequestError> {
        let machine = match MoveMachine::within(self.start.shape(), 8, budget) {
            Ok(machine) => machine,
            Err(stop) => return self.stopped("manhattan", stop),
        };
        let search = PlainSearch::new(&self.start, [Manhattan], &machine).with_order(self.order);
        let search = search.with_depth_limit(self.depth_limit);
        Ok(Found::by_tiles("manhattan", self.deepen(&search, budget)?))
    }

    /// The partitions to try, best first: the largest that is at hand, the usual one, then ever smaller ones.
    fn partitions(&self) -> impl Iterator<Item = Partition> {
        let canonical = self.start.image(self.start.canonical_symmetry());
        let (shape, blank) = (canonical.shape(), canonical.goal_blank());
        let named = move |name: &str| Partition::parse(shape, blank, name).ok();
        let names = Partition::names(shape).into_iter().rev();
        let at_hand = names.filter_map(named).filter(|partition| self.source.has(partition));
        // 7-8 pays only once it is built.
        let usual = if shape == Shape::new(4, 4) { named("6-6-3") } else { None };
        let sizes =
            std::iter::successors(Some(if usual.is_some() { 1 << 20 } else { TABLE_BYTES }), |b| Some(b / 4));
        let smaller = sizes.take(8).filter_map(move |bytes| Partition::automatic(shape, blank, bytes));
        at_hand.chain(usual).chain(smaller)
    }

    fn with_partition(&self, partition: &Partition, budget: Budget<'_>) -> Result<Found, RequestError> {
        let heuristic = format!("pdb:{partition}");
        let made = TableSource { budget, ..self.source.clone() }.databases(partition);
        let held = made.and_then(|databases| Ok((budget.reserve(databases.bytes())?, databases)));
        let (_held, databases) = match held {
            Ok(held) => held,
            Err(stop) => return self.stopped(heuristic, stop),
        };
        let symmetry = self.start.canonical_symmetry();
        let start = self.start.image(symmetry);
        let order = self.order.map(|step| symmetry.image_of_move(step));
        let (heuristics, machine) = (databases.heuristics(), &databases.machine);
        let mut deepening = match heuristics.as_slice() {
            [direct, reflected] => self.interleaved(&start, [direct, reflected], machine, order, budget),
            [direct, ..] => self.interleaved(&start, [direct], machine, order, budget),
            [] => unreachable!("a partition makes a heuristic"),
        }?;
        for step in deepening.found.iter_mut().flatten().flatten() {
            *step = symmetry.preimage_of_move(*step);
        }
        Ok(Found::by_tiles(heuristic, deepening))
    }

    fn interleaved<const N: usize>(
        &self,
        start: &Position,
        heuristics: [&AdditivePdb<'_>; N],
        machine: &MoveMachine,
        order: [Move; 4],
        budget: Budget<'_>,
    ) -> Result<Deepening, RequestError> {
        let search = InterleavedSearch::new(start, heuristics, machine).with_order(order);
        self.deepen(&search.with_depth_limit(self.depth_limit), budget)
    }

    fn with_walking_distance(&self, budget: Budget<'_>) -> Result<Found, RequestError> {
        const HEURISTIC: &str = "walking-distance";
        let made = WalkingDistance::new(self.start.shape(), self.start.goal_blank(), budget);
        let held = made.and_then(|walking| Ok((budget.reserve(walking.bytes())?, walking)));
        let (_held, walking) = match held {
            Ok(held) => held,
            Err(stop) => return self.stopped(HEURISTIC, stop),
        };
        let machine = match MoveMachine::within(self.start.shape(), 10, budget) {
            Ok(machine) => machine,
            Err(stop) => return self.stopped(HEURISTIC, stop),
        };
        let search = PlainSearch::new(&self.start, [&walking], &machine).with_order(self.order);
        Ok(Found::by_tiles(HEURISTIC, self.deepen(&search.with_depth_limit(self.depth_limit), budget)?))
    }

    /// What is known when a search could not begin; an error where other processes wait for this one to begin.
    fn stopped(&self, heuristic: impl Into<String>, stop: Stop) -> Result<Found, RequestError> {
        if self.processes.is_some() {
            return Err(RequestError::Limit(stop));
        }
        let lower_bound = lower_bound(&self.start);
        Ok(Found::by_tiles(heuristic, Deepening { found: Err(stop), lower_bound, iterations: vec![] }))
    }

    /// A good solution, improved until the budget is used up; no solution is shorter than `proved`.
    fn good(&self, proved: u32) -> Found {
        let asked = self.source.budget;
        let budget = asked.deadline().map_or_else(|| asked.until(Instant::now() + DEFAULT_TIME), |_| asked);
        let Anytime { path, lower_bound, stop } = anytime(&self.start, self.improvements.as_ref(), budget);
        let lower_bound = proved.max(lower_bound);
        // Its own time is no limit that anybody has set.
        let stop = stop.filter(|&stop| stop != Stop::Time || asked.deadline().is_some());
        let most = self.depth_limit.unwrap_or(u32::MAX);
        let path = match (budget.stop(), path) {
            (Some(Stop::Interrupted), _) => Err(Stop::Interrupted),
            _ if lower_bound > most => Err(Stop::Depth),
            (_, Some(path)) if path.len() as u32 <= most => {
                let optimal = path.len() as u32 == lower_bound;
                Ok((path, optimal))
            }
            (stop, _) => Err(stop.unwrap_or(Stop::GaveUp)),
        };
        Found { method: Method::Dedicated(&WINDOWS), heuristic: None, path, stop, lower_bound }
    }
}
