//! Puts the files of the page into the program. Programs built for debugging read them from the source instead, so that a
//! change is seen by loading the page again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let is_debug = env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some();
    if is_debug || env::var_os("CARGO_FEATURE_SERVE").is_none() {
        return Ok(());
    }
    println!("cargo:rerun-if-changed=page");
    let page = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where")).join("page");
    let mut files = Vec::new();
    list(&page, &mut files)?;
    files.sort();
    let mut table = "[\n".to_owned();
    for file in files {
        let name: Vec<_> =
            file.strip_prefix(&page).expect("in it").iter().map(|part| part.to_string_lossy()).collect();
        let path = file.to_string_lossy();
        writeln!(table, "({:?}, include_bytes!({path:?})),", name.join("/")).expect("strings grow");
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").expect("cargo says where");
    fs::write(Path::new(&out).join("page.rs"), table)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { list(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
