//! The page in a real browser: headless Chromium, driven over its `DevTools` protocol, against the real program.
//! Without Chromium on the machine these tests say that they are left out.

mod accessibility;
mod chrome;
#[path = "../serve/harness.rs"]
#[expect(dead_code, reason = "the tests of the server use the rest")]
mod harness;
mod play;
mod search;
mod table;
