//! Where things are kept for the next time.

use std::path::PathBuf;

/// Tables: `NOVELO_CACHE`, or `novelo` in the user's cache folder; `None` where there is no such place.
pub fn cache() -> Option<PathBuf> {
    user("NOVELO_CACHE", "XDG_CACHE_HOME", ".cache")
}

/// Games and scores: `NOVELO_DATA`, or `novelo` in the user's data folder.
#[cfg(any(feature = "play", feature = "serve"))]
pub fn data() -> Option<PathBuf> {
    user("NOVELO_DATA", "XDG_DATA_HOME", ".local/share")
}

/// A folder that is named by a variable of ours, or that the XDG rules give.
fn user(own: &str, standard: &str, usual: &str) -> Option<PathBuf> {
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // By the XDG rules a relative path there counts as unset.
    let user = || given(standard).filter(|path| path.is_absolute());
    let home = || given("HOME").or_else(|| given("USERPROFILE")).map(|home| home.join(usual));
    given(own).or_else(|| user().or_else(home).map(|folder| folder.join("novelo")))
}
