//! The page in a real browser: headless Chromium, driven over its `DevTools` protocol, against the real program.
//! They need Chromium on the machine, and so are ignored unless they are asked for.

mod accessibility;
mod chrome;
mod games;
#[path = "../serve/harness.rs"]
#[expect(dead_code, reason = "the tests of the server use the rest")]
mod harness;
mod instant;
mod pancake;
mod pasting;
mod phone;
mod play;
mod search;
mod table;
mod trees;
