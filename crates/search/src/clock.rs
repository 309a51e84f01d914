//! The clock that runs are timed by.
//!
//! It is the system's, but in a browser: `wasm32-unknown-unknown` has none, so there the program around brings one with
//! `clock::set`. Until it does, time stands still, and runs with a time limit are refused.
//!
//! ```
//! use novelo_search::clock::Instant;
//!
//! let start = Instant::now();
//! assert!(Instant::now().saturating_duration_since(start) <= start.elapsed());
//! ```

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    pub use std::time::Instant;

    /// Whether time goes on.
    pub(crate) fn goes() -> bool {
        true
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod system {
    use std::ops::Sub;
    use std::sync::OnceLock;
    use std::time::Duration;

    static NOW: OnceLock<fn() -> f64> = OnceLock::new();

    /// Has runs timed by a function that tells the milliseconds since some moment, as `performance.now` does. The first
    /// call counts.
    pub fn set(now: fn() -> f64) {
        _ = NOW.set(now);
    }

    /// Whether time goes on.
    pub(crate) fn goes() -> bool {
        NOW.get().is_some()
    }

    /// A moment, as [`std::time::Instant`] is where there is a system.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Self {
            let milliseconds = NOW.get().map_or(0.0, |now| now());
            Self(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default())
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Self::now() - *self
        }

        /// A later moment, if it can be told.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }

        /// The time since an earlier moment; none since a later one.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}

pub use system::*;
