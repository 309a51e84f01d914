use novelo_search::parts::{Arrival, Found, HeapQueue, NodeStore, OpenList};
use novelo_search::{Control, Cost, Estimate, Frontier, Held, Limits, Meter, Problem, Stop, from_successors};

/// What the search holds, for the memory limit and the statistics.
struct Lists<'s, P: Problem> {
    store: NodeStore<'s, P>,
    open: HeapQueue<P::Cost, u32>,
}

impl<P: Problem> Held for Lists<'_, P> {
    fn nodes(&self) -> u64 {
        self.store.nodes()
    }
    fn bytes(&self) -> usize {
        self.store.bytes() + self.open.bytes()
    }
}

/// Uniform cost search that expands, of equally cheap states, the one first met: an algorithm of one's own, with the
/// engine's limits, counts and packed nodes.
fn first_come<P: Problem>(problem: &P, meter: &Meter<'_>) -> Result<Option<Vec<P::Action>>, Stop> {
    let store = NodeStore::new(problem, meter.budget()).with_costs();
    let mut lists = Lists { store, open: HeapQueue::default() };
    let mut counter = meter.counter();
    let mut actions = Vec::new();
    meter.note_root();
    lists.store.insert_root(problem.start());
    lists.open.push(P::Cost::ZERO, 0, 0);
    while let Some((key, _, node)) = lists.open.pop() {
        let g = lists.store.cost(node);
        if g < key {
            continue; // It was reached at a lower cost since.
        }
        let state = lists.store.state(node).clone();
        if problem.is_goal(&state) {
            counter.finish(&lists);
            return Ok(Some(lists.store.path(node)));
        }
        counter.expand(&lists, Frontier::Cost(g.to_f64()))?;
        actions.clear();
        problem.actions(&state, &mut actions);
        for action in &actions {
            let (child, cost, _) = problem.successor(&state, action);
            let cost = g.checked_add(cost).ok_or(Stop::Overflow)?;
            counter.generated += 1;
            let hash = lists.store.hash(&child, node);
            let arrival = Arrival { parent: node, action, cost };
            match lists.store.insert(&child, hash, arrival)? {
                Found::New(child) => lists.open.push(cost, child, child),
                Found::Old(child) if cost < lists.store.cost(child) => {
                    lists.store.improve(child, arrival);
                    lists.open.push(cost, child, child);
                }
                Found::Old(_) => {}
            }
        }
    }
    Ok(None)
}

fn main() {
    // To 1000 by doubling at the price of 3 and adding one at the price of 1.
    let count = from_successors(1u32, |&n| [("double", 2 * n, 3u32), ("add", n + 1, 1)], |&n| n == 1000);
    let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
    let meter = Meter::new(limits, Control::default());
    let path = first_come(&count, &meter).expect("within its limits").expect("1000 can be reached");
    let cost: u32 = path.iter().map(|step| step.cost).sum();
    println!("cost {cost}: {:?}", path.iter().map(|step| step.action).collect::<Vec<_>>());
    println!("{} expanded, {} stored", meter.stats().expanded, meter.stats().stored_peak);
    assert_eq!(cost, 30);
}
