//! What outlives the program: the games in play and the best scores.

mod games;
mod scores;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub use scores::Score;

use crate::folders;

/// The user's data folder; without one nothing is kept.
#[derive(Debug, Clone)]
pub struct Keep(Option<PathBuf>);

impl Keep {
    /// Of the user who runs the program.
    pub fn open() -> Self {
        Self(folders::data())
    }

    /// Of nobody: nothing is kept.
    #[cfg(feature = "serve")]
    pub fn none() -> Self {
        Self(None)
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        self.0.as_ref().map(|folder| folder.join(name))
    }
}

/// Replaces a file as a whole: whenever the program is killed, either the old
/// or the new text is there.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let temporary = path.with_extension(format!("{}.new", std::process::id()));
    let write = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        // The error to report is the first one, not that the clean-up failed as well.
        let _ = fs::remove_file(&temporary);
    })
}

/// Gives a damaged file another name, so that it is neither lost nor in the
/// way; says what was done.
fn set_aside(path: &Path, what: &str, error: &str) -> String {
    let named = |number: u32| path.with_extension(format!("damaged-{number}"));
    let mut number = 1;
    while named(number).exists() {
        number += 1;
    }
    let aside = named(number);
    match fs::rename(path, &aside) {
        Ok(()) => format!("{what} damaged ({error}) and set aside as {}", aside.display()),
        Err(_) => format!("{what} damaged ({error}): {}", path.display()),
    }
}
