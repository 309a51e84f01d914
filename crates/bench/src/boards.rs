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

/// Boards of our own generator at 44 and 48 moves; with the shared sets, three
/// of Korf's (1985) from easy to hard.
pub fn fifteen() -> Vec<Board> {
    let mut boards = Vec::new();
    for (moves, seed) in [(44, 1), (48, 5)] {
        let request = GenerateRequest {
            size: Some(Size { rows: 4, cols: 4 }),
            seed,
            moves: Some(moves),
            ..GenerateRequest::default()
        };
        let never = std::sync::atomic::AtomicBool::new(false);
        let instance =
            sliding::Sliding.generate(&request, 0, &never).expect("boards of 48 moves can be made");
        boards.push(Board { name: format!("own {moves} moves"), id: instance.id() });
    }
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
