//! Where tables are kept for the next time.

use std::path::PathBuf;

/// `NOVELO_CACHE`, or `novelo` in the user's cache folder by the XDG rules; `None` where there is no such place.
pub fn folder() -> Option<PathBuf> {
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // By the XDG rules a relative path there counts as unset.
    let user = || given("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let home = || given("HOME").or_else(|| given("USERPROFILE")).map(|home| home.join(".cache"));
    given("NOVELO_CACHE").or_else(|| user().or_else(home).map(|folder| folder.join("novelo")))
}
