//! Ctrl-C: the first ends the work in hand, which then prints what it has; the
//! second ends the program.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static CANCEL: AtomicBool = AtomicBool::new(false);
static INSTALLED: OnceLock<()> = OnceLock::new();

/// The flag that Ctrl-C sets.
pub fn flag() -> &'static AtomicBool {
    INSTALLED.get_or_init(|| {
        let handler = || {
            if CANCEL.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        // Without a handler Ctrl-C still ends the program, only less gently.
        let _ = ctrlc::set_handler(handler);
    });
    &CANCEL
}

/// Whether Ctrl-C was pressed.
pub fn requested() -> bool {
    flag().load(Ordering::Relaxed)
}
