//! Work beside the interpreter: it goes on without the lock of the interpreter, in a thread of its own, while the thread that
//! asked for it looks for signals and tells of progress.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use novelo_search::{Control, Frontier, Progress};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How often signals are looked for, and progress is told.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Some searches walk deep.
const STACK: usize = 64 << 20;

/// What came of work, and the exception that ended it if one did: a signal's, or one of whoever was told of progress.
pub struct Watched<T> {
    pub result: T,
    pub raised: Option<PyErr>,
}

/// Ends work, and hears of its progress.
#[derive(Default)]
pub struct Watch {
    pub cancel: AtomicBool,
    latest: Mutex<Option<Progress>>,
}

impl Watch {
    /// What a run under a meter is given.
    pub fn control(&self) -> Control<'_> {
        let progress = move |progress: &Progress| *lock(&self.latest) = Some(*progress);
        Control { cancel: Some(&self.cancel), progress: Some(Box::new(progress)) }
    }
}

/// Locks what no panic leaves in a bad state.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does work while other threads of Python go on; a listener is told of the progress that the watch hears of.
pub fn beside<T: Send>(
    py: Python<'_>,
    watch: &Watch,
    listener: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<Watched<T>> {
    let tell_latest = || {
        let latest = lock(&watch.latest).take();
        listener.zip(latest).map_or(Ok(()), |(listener, progress)| tell(listener, &progress))
    };
    beside_with(py, watch, &tell_latest, work)
}

/// The same, with whatever there is to be done now and then in the thread that asked for the work.
pub fn beside_with<T: Send>(
    py: Python<'_>,
    watch: &Watch,
    now_and_then: &dyn Fn() -> PyResult<()>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<Watched<T>> {
    let (done, changed) = (Mutex::new(false), Condvar::new());
    let wait = || {
        let guard = lock(&done);
        let waited = changed.wait_timeout_while(guard, LOOK_EVERY, |done| !*done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    };
    let mut raised = None;
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("novelo".into()).stack_size(STACK);
        let worker = worker.spawn_scoped(scope, || {
            /// Says that the work is done, whether it ended or panicked.
            struct Done<'d>(&'d Mutex<bool>, &'d Condvar);
            impl Drop for Done<'_> {
                fn drop(&mut self) {
                    *lock(self.0) = true;
                    self.1.notify_all();
                }
            }
            let _done = Done(&done, &changed);
            work()
        })?;
        while !py.detach(wait) {
            if let Err(error) = py.check_signals().and_then(|()| now_and_then()) {
                watch.cancel.store(true, Ordering::Relaxed);
                raised.get_or_insert(error);
            }
        }
        match worker.join() {
            Ok(result) => Ok(Watched { result, raised }),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The turns of other threads of Python, beside a search that holds the interpreter's lock because it asks functions in Python.
#[derive(Default)]
pub struct Turns(AtomicU32);

impl Turns {
    /// To be called where a function need not be asked, because its answer is known. Now and then gives way to other threads
    /// and looks for signals, which Python does by itself only while it runs.
    pub fn answered(&self) -> PyResult<()> {
        const GIVE_WAY_EVERY: u32 = 256;
        if self.0.fetch_add(1, Ordering::Relaxed) % GIVE_WAY_EVERY != GIVE_WAY_EVERY - 1 {
            return Ok(());
        }
        Python::attach(|py| {
            py.detach(|| ());
            py.check_signals()
        })
    }
}

/// Tells of progress: a dictionary with the counts so far.
pub fn tell(listener: &Bound<'_, PyAny>, progress: &Progress) -> PyResult<()> {
    let &Progress { elapsed, expanded, generated, stored, bytes, frontier, .. } = progress;
    let (measure, reached) = match frontier {
        Frontier::Depth(depth) => ("depth", f64::from(depth)),
        Frontier::Bound(bound) => ("bound", bound),
        Frontier::Cost(cost) => ("cost", cost),
        Frontier::Share(share) => ("share", share),
        Frontier::F(f) => ("f", f),
    };
    let told = PyDict::new(listener.py());
    told.set_item("seconds", elapsed.as_secs_f64())?;
    told.set_item("expanded", expanded)?;
    told.set_item("generated", generated)?;
    told.set_item("stored", stored)?;
    told.set_item("bytes", bytes)?;
    told.set_item("measure", measure)?;
    told.set_item("reached", reached)?;
    listener.call1((told,)).map(drop)
}
