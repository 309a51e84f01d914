//! Ctrl-C: the first ends the work in hand, which then prints what it has; the
//! second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use crate::exit::Code;

/// Those that ask the program to end.
#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

static CANCEL: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
    let cancel = Arc::new(AtomicBool::new(false));
    for signal in SIGNALS {
        // In this order, the second signal finds what the first has set. Without them a signal still ends the program,
        // only less gently.
        let _ = register_conditional_shutdown(signal, Code::Interrupted as i32, Arc::clone(&cancel));
        let _ = register(signal, Arc::clone(&cancel));
    }
    cancel
});

/// The flag that Ctrl-C sets.
pub fn flag() -> &'static AtomicBool {
    &CANCEL
}

/// Whether Ctrl-C was pressed.
pub fn requested() -> bool {
    flag().load(Ordering::Relaxed)
}
