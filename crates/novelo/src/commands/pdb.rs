//! `novelo pdb`

use std::fmt::Write as _;

use bytesize::ByteSize;
use novelo_puzzles::sliding::Tiles;
use novelo_puzzles::sliding::optimal::{self, Cache, CacheError, Entry};
use novelo_puzzles::{Request, RequestError, Size};
use novelo_search::{Limits, Meter, Settings};
use serde_json::{Value, json};

use super::{print, solve};
use crate::cli::{Pdb, PdbBuild, PdbCommand};
use crate::exit::Code;
use crate::user_error::UserError;
use crate::{folders, memory, progress};

/// Builds, lists, verifies or removes pattern databases.
pub fn run(options: &Pdb) -> Result<Code, UserError> {
    let folder = folders::cache().ok_or_else(|| {
        UserError::new("there is no cache folder: neither NOVELO_CACHE, XDG_CACHE_HOME nor HOME is set")
    })?;
    let cache = Cache::new(folder);
    match &options.command {
        PdbCommand::Build(options) => build(&cache, options),
        PdbCommand::List { json } => list(&cache, *json),
        PdbCommand::Verify => verify(&cache),
        PdbCommand::Remove { names, all } => remove(&cache, names, *all),
    }
}

fn build(cache: &Cache, options: &PdbBuild) -> Result<Code, UserError> {
    let usual = optimal::side_of_partition(&options.partition).map(|side| Size { rows: side, cols: side });
    let size = options.size.or(usual).ok_or_else(|| {
        let named = optimal::named_partitions().map(|(name, side)| format!("{name} for {side}x{side}"));
        let named = named.collect::<Vec<_>>().join(", ");
        let message = format!("'{}' is none of the partitions that have a name: {named}", options.partition);
        UserError::new(message).help(
            "a drawing needs --size too: a letter for each tile, . for the blank, / between rows, such as \
             .aabb/aabbc/dddcc/ddeee --size 4x5",
        )
    })?;
    let tiles: Vec<_> = (0..size.rows * size.cols).map(|tile| tile.to_string()).collect();
    let goal = options.goal.as_deref();
    let tiles = Tiles::parse_id(&format!("{size}:{}", tiles.join(",")), goal.or(Some("blank-last")))
        .map_err(|error| UserError::new(error.message))?;
    let limits = Limits { memory: Some(memory::for_search(options.memory_limit)?), ..Limits::default() };
    let request = Request {
        settings: Settings { limits, ..Settings::default() },
        threads: options.threads,
        cache: Some(cache.folder().to_owned()),
        notice: Some(solve::notice),
        improvements: None,
        ..Request::default()
    };
    let meter = Meter::new(limits, progress::control(""));
    match optimal::build(&tiles, &options.partition, &request, &meter) {
        Ok(files) => {
            let lines: Vec<_> = files.iter().map(|file| format!("{}\n", file.display())).collect();
            print(&lines.concat())?;
            Ok(Code::Success)
        }
        Err(RequestError::Interrupted) => Ok(Code::Interrupted),
        Err(error @ RequestError::Limit(stop)) => {
            crate::tell::line(format!("novelo: {error}"));
            Ok(Code::of_stop(stop))
        }
        Err(error) => Err(error.into()),
    }
}

fn entries(cache: &Cache) -> Result<Vec<Entry>, UserError> {
    cache.sweep();
    cache.list().map_err(cache_error)
}

fn list(cache: &Cache, as_json: bool) -> Result<Code, UserError> {
    let entries = entries(cache)?;
    if as_json {
        let value = |entry: &Entry| {
            json!({
                "file": entry.path, "bytes": entry.bytes, "tiles": entry.key.map(|key| key.tiles()),
                "pattern": entry.key.map(|key| key.to_string()),
            })
        };
        let values = Value::Array(entries.iter().map(value).collect());
        print(&format!("{values}\n"))?;
        return Ok(Code::Success);
    }
    let mut text = format!("{}\n", cache.folder().display());
    for entry in &entries {
        let what = entry.key.map_or("not a pattern database of this version".into(), |key| key.to_string());
        let size = ByteSize(entry.bytes).to_string();
        let _ = writeln!(text, "  {:<32} {size:>10}  {what}", name(entry));
    }
    let total: u64 = entries.iter().map(|entry| entry.bytes).sum();
    let _ = writeln!(text, "{} tables, {}", entries.len(), ByteSize(total));
    print(&text)?;
    Ok(Code::Success)
}

fn verify(cache: &Cache) -> Result<Code, UserError> {
    let mut code = Code::Success;
    for entry in entries(cache)? {
        match cache.verify(&entry) {
            Ok(()) => print(&format!("{}: sound\n", name(&entry)))?,
            Err(error) => {
                code = Code::NoSolution;
                print(&format!("{error}; it will not be used\n"))?;
            }
        }
    }
    Ok(code)
}

fn remove(cache: &Cache, names: &[String], all: bool) -> Result<Code, UserError> {
    let entries = entries(cache)?;
    if let Some(unknown) = names.iter().find(|wanted| entries.iter().all(|entry| name(entry) != **wanted)) {
        let message = format!("{} holds no '{unknown}'", cache.folder().display());
        return Err(UserError::new(message).help("novelo pdb list names what it holds"));
    }
    if names.is_empty() && !all {
        return Err(UserError::new("which pattern databases?").help("name them, or write --all"));
    }
    let wanted = |entry: &&Entry| all || names.contains(&name(entry));
    for entry in entries.iter().filter(wanted) {
        cache.remove(entry).map_err(cache_error)?;
        print(&format!("removed {}\n", name(entry)))?;
    }
    Ok(Code::Success)
}

fn name(entry: &Entry) -> String {
    entry.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[allow(clippy::needless_pass_by_value)]
fn cache_error(error: CacheError) -> UserError {
    UserError::new(error.to_string())
}
