//! The boards to measure on.

use std::path::PathBuf;

use novelo_puzzles::{GenerateRequest, Puzzle as _, Size, sliding};

/// A board with a name.
pub struct Board {
    pub name: String,
    pub id: String,
}

/// Where the shared instance sets are, if they are here.
pub fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("NOVELO_INSTANCES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/instances"),
        PathBuf::from,
    );
    folder.is_dir().then_some(folder)
}

/// A board of our own generator: at exactly so many moves, or the one of this number among random ones.
fn own(seed: u64, moves: Option<u32>, number: u64) -> String {
    let size = Some(Size { rows: 4, cols: 4 });
    let request = GenerateRequest { size, seed, ..GenerateRequest::default() };
    let moves = moves.map(|moves| ("moves", moves.to_string()));
    let request = request.with(&sliding::Sliding, moves).expect("an option of the generator");
    let never = std::sync::atomic::AtomicBool::new(false);
    sliding::Sliding.generate(&request, number, &never).expect("boards of 48 moves can be made").id()
}

/// Boards of our own generator at 44 and 48 moves; with the shared sets, three of Korf's (1985) from easy to hard.
pub fn fifteen() -> Vec<Board> {
    let mut boards = vec![
        Board { name: "own 44 moves".into(), id: own(1, Some(44), 0) },
        Board { name: "own 48 moves".into(), id: own(5, Some(48), 0) },
    ];
    let Some(folder) = shared() else {
        println!(
            "left out: Korf's boards (no ../shared/instances, and NOVELO_INSTANCES does not point there)"
        );
        return boards;
    };
    let text =
        std::fs::read_to_string(folder.join("sliding/fifteen-korf-001-060.txt")).expect("the Korf set");
    let instances = sliding::Sliding.parse(&text, None).expect("the Korf set is well formed");
    for number in [31, 6, 25] {
        let id = instances[number - 1].instance.id();
        boards.push(Board { name: format!("Korf {number}"), id });
    }
    boards
}

/// A random board of 52 moves, on which A* expands 729,180 states.
pub fn short() -> Board {
    Board { name: "own 52 moves".into(), id: own(67, None, 4) }
}

/// A random board of 56 moves, chosen for its size: A* expands 8.4 million states, and iterative deepening with Manhattan
/// distance is not soon done with it.
pub fn long() -> Board {
    Board { name: "own 56 moves".into(), id: own(67, None, 6) }
}

/// Random boards of 63 moves, chosen for their size: A* expands 26 and more than 45 million states.
pub fn of_seconds() -> [Board; 2] {
    [33, 16].map(|number| Board { name: "own 63 moves".into(), id: own(68, None, number) })
}
