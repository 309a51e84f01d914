//! The engine in a browser or in node: a library for `wasm32-unknown-unknown`, which `wasm.mjs` calls.
//!
//! ```sh
//! cargo build --release -p novelo-search --example wasm --target wasm32-unknown-unknown
//! node crates/search/examples/wasm.mjs target/wasm32-unknown-unknown/release/examples/wasm.wasm
//! ```

// The names by which JavaScript calls these functions, and the one by which they ask for the time, are unmangled.
#![allow(unsafe_code)]
#![cfg_attr(not(target_family = "wasm"), allow(dead_code, missing_docs))]

use std::time::Duration;

use novelo_search::{Algorithm, Answer, Limits, Promise, Search, Stop, from_successors};

/// Runs an algorithm, by its place among all, on a grid of 40 x 40 cells from corner to corner around two walls; the cost
/// of the solution, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn solve(place: u32) -> u32 {
    let grid = from_successors(
        (0i32, 0i32),
        |&(x, y)| {
            let cells = [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)];
            let inside = |&(x, y): &(i32, i32)| (0..40).contains(&x) && (0..40).contains(&y);
            let free = |&(x, y): &(i32, i32)| !(x == 13 && y < 30 || x == 26 && y > 9);
            cells.into_iter().filter(move |at| inside(at) && free(at)).map(|at| ((), at, 1u32))
        },
        |&at| at == (39, 39),
    );
    let left = |_: &_, &(x, y): &(i32, i32)| x.abs_diff(39) + y.abs_diff(39);
    let algorithm = Algorithm::all().nth(place as usize).expect("a place among all");
    let outcome = Search::new(&grid).estimate(Promise::CONSISTENT, left).run(algorithm);
    outcome.ok().and_then(|outcome| outcome.solution().map(|solution| solution.cost)).unwrap_or(0)
}

/// Searches without end for so many milliseconds; 1 if the time limit ended it, 2 if it was refused for want of a clock.
#[unsafe(no_mangle)]
pub extern "C" fn search_for(milliseconds: u32) -> u32 {
    let endless = from_successors(0u64, |&n| [((), (n * 5 + 1) % 1_000_003, 1u32)], |_| false);
    let limits = Limits { time: Some(Duration::from_millis(milliseconds.into())), ..Limits::default() };
    match Search::new(&endless).limits(limits).run(Algorithm::Ids) {
        Ok(outcome) => (outcome.answer == Answer::Stopped(Stop::Time)).into(),
        Err(_) => 2,
    }
}

/// Brings the clock of the host.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[unsafe(no_mangle)]
pub extern "C" fn set_clock() {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        safe fn now() -> f64;
    }
    novelo_search::clock::set(|| now());
}
