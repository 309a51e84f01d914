//! The front: any board, any goal, the best method that fits.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use novelo_search::{Answer, Control, Outcome, Solution, Stats, Stop};

use super::anytime::{anytime, lower_bound};
use super::cache::Cache;
use super::guide::{Guide, named_partition};
use super::ida::{Deepening, FifteenManhattan, Limits, NoLane, PlainSearch, TurnSearch, deepen};
use super::kit::{Supply, all_cores};
use super::machine::MoveMachine;
use super::partition::Partition;
use super::position::Position;
use super::shape::Shape;
use super::walking::WalkingLane;
use super::watch::{Tally, Watch, attended};
use crate::request::{Attempt, Choice, HeuristicSpec, Request, RequestError};
use crate::sliding::instance::Tiles;
use crate::sliding::rules::Move;

/// Boards of more cells are beyond optimal search.
const MOST_CELLS: usize = 25;
/// How long boards beyond optimal reach are worked on when no limit is set.
const DEFAULT_TIME: Duration = Duration::from_secs(10);
/// The most bytes of tables that are chosen without being named.
const BUDGET: u64 = 256 << 20;
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

/// Makes sure that the tables of a partition for the instance's board and goal are in the request's cache; their files.
pub fn build(
    tiles: &Tiles,
    name: &str,
    request: &Request,
    control: &mut Control<'_>,
) -> Result<Vec<PathBuf>, RequestError> {
    let spec = HeuristicSpec { name: "pdb".into(), parameters: vec![(String::new(), name.into())] };
    let Some(Guide::Pdb(partition)) = Guide::named(&spec, tiles)? else {
        return Err(RequestError::Unsupported(format!("'{name}' is not a partition")));
    };
    let (tally, cancel) = (Tally::default(), control.cancel);
    let watch = Watch::of(&request.settings, cancel, &tally);
    let supply = Supply::of(request, watch);
    attended(control, &tally, || supply.stock(&partition)).map_err(|stop| match stop {
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
    let partition = named_partition(&Position::of(tiles), partition).ok()?;
    let tally = Tally::default();
    let watch = Watch { cancel: Some(cancel), ..Watch::idle(&tally) };
    let supply = Supply { cache: None, notice: None, threads: all_cores(), watch };
    let (limits, order) = (Limits::default(), Move::DEFAULT_ORDER);
    let solver = Solver { start: Position::of(tiles), supply, limits, order };
    solver.with_partition(&partition, limits, watch).path.ok().map(|(path, _)| path)
}

/// What a search came to.
struct Found {
    heuristic: String,
    method: &'static str,
    /// A solution and whether it is proved to be shortest, or what ended the search.
    path: Result<(Vec<Move>, bool), Stop>,
    lower_bound: u32,
}

/// Solves an instance that can be solved.
pub fn solve(
    tiles: &Tiles,
    guide: &Guide,
    order: [Move; 4],
    request: &Request,
    control: &mut Control<'_>,
) -> Attempt {
    let started = Instant::now();
    let (tally, cancel) = (Tally::default(), control.cancel);
    let watch = Watch::of(&request.settings, cancel, &tally);
    // A named algorithm counts the same in every run; only threads asked for may change that.
    let auto = request.algorithm == Choice::Auto;
    let threads = request.threads.unwrap_or_else(|| if auto { all_cores() } else { 1 });
    let limits = Limits { nodes: None, depth: request.settings.limits.depth, threads };
    let solver = Solver { start: Position::of(tiles), supply: Supply::of(request, watch), limits, order };
    let found = attended(control, &tally, || solver.run(guide));
    let stats = Stats {
        expanded: tally.expanded.load(Ordering::Relaxed),
        generated: 1 + tally.generated.load(Ordering::Relaxed),
        stored_peak: u64::from(tally.bound.load(Ordering::Relaxed)) + 1,
        peak_bytes: tally.peak(),
        elapsed: started.elapsed(),
    };
    let answer = match found.path {
        Ok((path, optimal)) => {
            let cost = path.len() as u32;
            Answer::Solved(Solution { path: path.iter().map(Move::to_string).collect(), cost, optimal })
        }
        Err(stop) => Answer::Stopped(stop),
    };
    let outcome = Outcome { answer, lower_bound: Some(found.lower_bound), stats }.proved_by_bound();
    let method = auto.then(|| found.method.to_owned());
    let heuristic = request.heuristic.as_ref().map_or(found.heuristic, ToString::to_string);
    Attempt { method, heuristic: Some(heuristic), outcome, reason: None }
}

struct Solver<'a> {
    start: Position,
    supply: Supply<'a>,
    limits: Limits,
    order: [Move; 4],
}

impl Solver<'_> {
    fn run(&self, guide: &Guide) -> Found {
        let watch = self.supply.watch;
        match guide {
            Guide::Auto => self.auto(),
            Guide::Manhattan => {
                let search = FifteenManhattan::new(&self.start).expect("a 4x4 board");
                found("manhattan".into(), deepen(&search, self.limits, watch))
            }
            Guide::Pdb(partition) => self.with_partition(partition, self.limits, watch),
            Guide::Walking | Guide::WalkingAndConflicts => self.walking(watch),
        }
    }

    /// Up to 25 cells the shortest solution; beyond that, or when time runs out, a good one.
    fn auto(&self) -> Found {
        let watch = self.supply.watch;
        if self.start.shape().cells() > MOST_CELLS {
            let deadline = watch.deadline.or_else(|| Instant::now().checked_add(DEFAULT_TIME));
            return self.good(Watch { deadline, ..watch }, None);
        }
        // What is kept back of the time is for a solution that is merely good.
        let now = Instant::now();
        let share = |deadline: Instant| {
            let time = deadline.saturating_duration_since(now);
            now + if self.start.shape().cells() <= 16 { time / 10 * 9 } else { time / 2 }
        };
        let exact = self.exact(Watch { deadline: watch.deadline.map(share), ..watch });
        if exact.path.as_ref().err() == Some(&Stop::Time) { self.good(watch, Some(exact)) } else { exact }
    }

    /// The shortest solution, by cheap means first where better ones must be fetched.
    fn exact(&self, watch: Watch<'_>) -> Found {
        let partitions: Vec<_> =
            self.partitions().filter(|partition| self.supply.has_room(partition)).collect();
        let mut steps = Vec::new();
        match partitions.first() {
            Some(best) if !self.supply.has(best) => steps.push((None, Some(QUICK))),
            Some(best) if best.about_bytes() > HEAVY && !Supply::in_memory(best) => {
                let light = |p: &&Partition| p.about_bytes() <= HEAVY && self.supply.has(p);
                steps.extend(partitions.iter().find(light).map(|light| (Some(light), Some(LIGHT))));
            }
            _ => {}
        }
        steps.extend(partitions.iter().map(|partition| (Some(partition), None)));
        steps.push((None, None));
        let mut proved = lower_bound(&self.start);
        let mut last = None;
        for (partition, nodes) in steps {
            let limits = Limits { nodes, ..self.limits };
            let mut found = match partition {
                Some(partition) => self.with_partition(partition, limits, watch),
                None => self.without_tables(limits, watch),
            };
            proved = proved.max(found.lower_bound);
            found.lower_bound = proved;
            match found.path {
                Err(Stop::Nodes) if nodes.is_some() && !watch.over() => {}
                // The estimate was too low; a smaller partition may do.
                Err(Stop::Memory) => {}
                _ => return found,
            }
            last = Some(found);
        }
        last.expect("the last step needs no tables")
    }

    fn without_tables(&self, limits: Limits, watch: Watch<'_>) -> Found {
        let machine = MoveMachine::new(self.start.shape(), 8);
        let search = PlainSearch::new(&self.start, [NoLane], &machine).with_order(self.order);
        found("manhattan".into(), deepen(&search, limits, watch))
    }

    /// The partitions to try, best first: the largest that is at hand, the usual one, then ever smaller ones.
    fn partitions(&self) -> impl Iterator<Item = Partition> {
        let canonical = self.start.image(self.start.canonical_symmetry());
        let (shape, blank) = (canonical.shape(), canonical.goal_blank());
        let named = move |name: &str| Partition::parse(shape, blank, name).ok();
        let names = Partition::names(shape).into_iter().rev();
        let at_hand = names.filter_map(named).filter(|partition| self.supply.has(partition));
        // 7-8 pays only once it is built.
        let usual = if shape == Shape::new(4, 4) { named("6-6-3") } else { None };
        let budgets =
            std::iter::successors(Some(if usual.is_some() { 1 << 20 } else { BUDGET }), |b| Some(b / 4));
        let smaller = budgets.take(8).filter_map(move |budget| Partition::automatic(shape, blank, budget));
        at_hand.chain(usual).chain(smaller)
    }

    fn with_partition(&self, partition: &Partition, limits: Limits, watch: Watch<'_>) -> Found {
        let heuristic = format!("pdb:{partition}");
        let kit = Supply { watch, ..self.supply.clone() }.kit(partition);
        let kit = kit.and_then(|kit| watch.reserve(kit.bytes()).map(|held| (kit, held)));
        let (kit, _held) = match kit {
            Ok(kit) => kit,
            Err(stop) => return self.stopped(heuristic, stop),
        };
        let symmetry = self.start.canonical_symmetry();
        let start = self.start.image(symmetry);
        let lanes = kit.lanes();
        let order = self.order.map(|step| symmetry.image_of_move(step));
        let mut deepening = match lanes.as_slice() {
            [direct, reflected] => {
                let lanes = [direct, reflected];
                deepen(&TurnSearch::new(&start, lanes, &kit.machine).with_order(order), limits, watch)
            }
            [direct, ..] => {
                deepen(&TurnSearch::new(&start, [direct], &kit.machine).with_order(order), limits, watch)
            }
            [] => unreachable!("a partition gives a lane"),
        };
        for step in deepening.found.iter_mut().flatten() {
            *step = symmetry.preimage_of_move(*step);
        }
        found(heuristic, deepening)
    }

    /// What is known when a search could not begin.
    fn stopped(&self, heuristic: String, stop: Stop) -> Found {
        Found { heuristic, method: "idastar", path: Err(stop), lower_bound: lower_bound(&self.start) }
    }

    fn walking(&self, watch: Watch<'_>) -> Found {
        let heuristic = "walking-distance".to_owned();
        let lane = match WalkingLane::new(self.start.shape(), self.start.goal_blank(), watch) {
            Ok(lane) => lane,
            Err(stop) => return self.stopped(heuristic, stop),
        };
        let Ok(_held) = watch.reserve(lane.bytes()) else { return self.stopped(heuristic, Stop::Memory) };
        let machine = MoveMachine::new(self.start.shape(), 10);
        let search = PlainSearch::new(&self.start, [&lane], &machine).with_order(self.order);
        found(heuristic, deepen(&search, self.limits, watch))
    }

    /// A good solution, improved until the watch says stop.
    fn good(&self, watch: Watch<'_>, before: Option<Found>) -> Found {
        let solution = anytime(&self.start, watch);
        let proved = before.map_or(0, |found| found.lower_bound).max(solution.lower_bound);
        let length = solution.path.len() as u32;
        let most = self.limits.depth.unwrap_or(u32::MAX);
        let path = if watch.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Err(Stop::Interrupted)
        } else if proved > most {
            Err(Stop::Depth)
        } else if length > most {
            Err(watch.stop().unwrap_or(Stop::GaveUp))
        } else {
            Ok((solution.path, length == proved))
        };
        let heuristic = "manhattan and linear conflicts".to_owned();
        Found { heuristic, method: "beam search and windows", path, lower_bound: proved }
    }
}

fn found(heuristic: String, deepening: Deepening) -> Found {
    let Deepening { found, lower_bound, .. } = deepening;
    Found { heuristic, method: "idastar", path: found.map(|path| (path, true)), lower_bound }
}
