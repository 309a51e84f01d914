use novelo_search::{Algorithm, Problem, Search};

/// Two jugs of 5 and 3 litres, a tap and a drain: measure exactly 4 litres.
struct Jugs;

const SIZE: [u8; 2] = [5, 3];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Fill(usize),
    Empty(usize),
    Pour(usize),
}

impl Problem for Jugs {
    type State = [u8; 2];
    type Action = Action;
    type Undo = [u8; 2];
    type Cost = u32;

    fn start(&self) -> [u8; 2] {
        [0, 0]
    }
    fn is_goal(&self, jugs: &[u8; 2]) -> bool {
        jugs.contains(&4)
    }
    fn actions(&self, jugs: &[u8; 2], out: &mut Vec<Action>) {
        for i in 0..2 {
            out.extend((jugs[i] < SIZE[i]).then_some(Action::Fill(i)));
            out.extend((jugs[i] > 0).then_some(Action::Empty(i)));
            out.extend((jugs[i] > 0 && jugs[1 - i] < SIZE[1 - i]).then_some(Action::Pour(i)));
        }
    }
    fn apply(&self, jugs: &mut [u8; 2], action: Action) -> (u32, [u8; 2]) {
        let before = *jugs;
        match action {
            Action::Fill(i) => jugs[i] = SIZE[i],
            Action::Empty(i) => jugs[i] = 0,
            Action::Pour(i) => {
                let litres = jugs[i].min(SIZE[1 - i] - jugs[1 - i]);
                jugs[i] -= litres;
                jugs[1 - i] += litres;
            }
        }
        (1, before)
    }
    fn undo(&self, jugs: &mut [u8; 2], _: Action, before: [u8; 2]) {
        *jugs = before;
    }
    fn unit_cost(&self) -> bool {
        true
    }
}

fn main() {
    let outcome = Search::new(&Jugs).run(Algorithm::Bfs).expect("bfs needs nothing");
    let solution = outcome.solution().expect("four litres can be measured");
    println!("{:?}", solution.path);
    assert_eq!((solution.cost, solution.optimal), (6, true));
    assert!(outcome.stats.expanded < 16);
}
