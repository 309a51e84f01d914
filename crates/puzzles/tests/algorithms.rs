//! What each algorithm of the registry says of its solutions, held against A* on hundreds of small boards of every puzzle.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{
    Choice, Ending, GenerateRequest, HeuristicInfo, Instance, PUZZLES, Puzzle, Report, Request, RequestError,
    Size,
};
use novelo_search::algorithms::Needs;
use novelo_search::parameter::Spec;
use novelo_search::{Algorithm, CannotRun, Control, Stop};

/// Expansions after which a run is ended.
const NODES: u64 = 20_000;
/// Boards of each puzzle, where it makes so many.
const BOARDS: u64 = 200;

/// Small boards, each another.
fn boards(puzzle: &dyn Puzzle) -> Vec<Box<dyn Instance>> {
    let mut boards: Vec<Box<dyn Instance>> = Vec::new();
    let sizes = [(3, 3), (4, 4), (2, 3), (2, 2), (1, 1)].map(|(rows, cols)| Size { rows, cols });
    for size in sizes.into_iter().chain([8, 7, 6].map(Size::line)) {
        let request = GenerateRequest { size: Some(size), seed: 5, ..GenerateRequest::default() };
        for number in 0..BOARDS {
            let Ok(board) = puzzle.generate(&request, number, &AtomicBool::new(false)) else { break };
            if boards.iter().all(|known| known.id() != board.id()) {
                boards.push(board);
            }
        }
        if boards.len() as u64 >= BOARDS {
            break;
        }
    }
    boards
}

fn run(instance: &dyn Instance, algorithm: Algorithm, heuristic: &HeuristicInfo) -> Option<Report> {
    let mut request = Request {
        algorithm: Choice::from(algorithm),
        heuristic: Some(Spec::plain(heuristic.name)),
        ..Request::default()
    };
    request.settings.limits.nodes = Some(NODES);
    if algorithm.info().needs == Needs::DepthLimit {
        request.settings.limits.depth = Some(30);
    }
    match instance.solve(&request, Control::default()) {
        Ok(attempt) => Some(Report::new(instance, &request, attempt).expect("the verifier accepts it")),
        Err(RequestError::CannotRun(
            CannotRun::NeedsReversible(_) | CannotRun::NeedsTowardStart(_) | CannotRun::NeedsConsistent(_),
        )) => None,
        Err(error) => panic!("{} {algorithm}: {error}", instance.id()),
    }
}

/// The factor within which an algorithm's solutions are, as it declares it.
fn factor(algorithm: Algorithm) -> Option<f64> {
    let spec: Spec = algorithm.to_string().parse().unwrap();
    let within = algorithm.info().optimal.contains("within a factor of");
    let value = spec.given.iter().find(|(name, _)| ["bound", "weight"].contains(&name.as_str()));
    value.filter(|_| within).map(|(_, value)| value.parse().unwrap())
}

#[test]
fn every_algorithm_keeps_its_word() {
    for puzzle in PUZZLES {
        let name = puzzle.info().name;
        let usual = |info: &&&HeuristicInfo| !info.needs_parameters();
        let heuristics: Vec<&HeuristicInfo> =
            puzzle.heuristics().iter().filter(|info| usual(&info)).collect();
        let admissible = heuristics.iter().find(|info| info.promise.admissible && info.name != "zero");
        let admissible = *admissible.or(heuristics.iter().find(|info| info.name == "zero")).unwrap();
        let mut guides = vec![heuristics[0], admissible];
        guides.dedup_by_key(|info| info.name);
        let (mut solved, mut proved) = (0, 0);
        for board in boards(*puzzle) {
            let id = board.id();
            let best = run(&*board, Algorithm::AStar, admissible).unwrap();
            let Some(optimum) = best.cost.filter(|_| best.optimal) else { continue };
            for algorithm in Algorithm::all() {
                let info = algorithm.info();
                for &guide in guides.iter().take(if info.needs.heuristic() { 2 } else { 1 }) {
                    let Some(report) = run(&*board, algorithm, guide) else { continue };
                    let label = format!("{id} {algorithm} {}", guide.name);
                    assert!(report.lower_bound.is_none_or(|bound| bound <= optimum), "{label}");
                    let Some(cost) = report.cost else {
                        // Every board has a solution.
                        assert_eq!(report.outcome, Ending::Stopped, "{label}");
                        let stops = [Stop::Nodes, Stop::Depth, Stop::Memory, Stop::GaveUp];
                        assert!(report.stop.is_some_and(|stop| stops.contains(&stop)), "{label}");
                        // Only those give up that never said they were complete, or were given too few nodes.
                        let gave_up = report.stop == Some(Stop::GaveUp);
                        assert!(!gave_up || !info.complete.starts_with("yes"), "{label}");
                        continue;
                    };
                    solved += 1;
                    proved += u32::from(report.optimal);
                    assert!(cost >= optimum, "{label}: {cost}");
                    assert!(!report.optimal || cost == optimum, "{label}: {cost}, not {optimum}");
                    let promised = guide.promise.admissible;
                    let always = info.optimal == "always" || info.optimal.starts_with("always:");
                    let ended = report.expanded < Some(NODES);
                    if ended
                        && (always || promised && info.optimal.starts_with("if the heuristic is admissible"))
                    {
                        assert!(report.optimal && cost == optimum, "{label}: {cost}, not {optimum}");
                    }
                    if let (true, Some(factor)) = (promised, factor(algorithm)) {
                        assert!(f64::from(cost) <= factor * f64::from(optimum) + 1e-9, "{label}: {cost}");
                        let bound = report.lower_bound.map(f64::from).expect("it proves its bound");
                        assert!(f64::from(cost) <= factor * bound + 1e-9, "{label}: {cost}, {bound}");
                    }
                }
            }
        }
        println!("{name}: {solved} solutions, {proved} proved optimal");
        assert!(proved > 0 || name == "template", "{name}");
    }
}
