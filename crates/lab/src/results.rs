//! The results file: a header, then one line for every run, appended as soon as the run is over.
//!
//! Append-only NDJSON rather than a database. A line is written by one call, so a process killed at any moment leaves
//! whole lines and at most one torn one at the end, which opening the file again cuts off. Shards are joined by
//! reading them one after the other, any tool reads them, and they work on the network file systems of clusters, where
//! the shared memory of `SQLite`'s write-ahead log does not.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::run::Run;
use crate::task::Task;

/// Time between two flushes to the disk, against power failure; against a killed process every line is safe.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// What the runs after it have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The experiment's title.
    pub experiment: String,
    /// What it shows.
    pub text: String,
    /// The program's version.
    pub version: String,
    /// The commit it was built from, where that is known.
    pub commit: Option<String>,
    /// The machine: processor, cores, memory, system.
    pub machine: String,
    /// Runs done at the same time.
    pub jobs: usize,
    /// The part of the plan that was run, as `k/n`.
    pub shard: Option<String>,
}

/// Why results cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be written; what it held before is still there.
    #[error("cannot write to {}: {source}{}", path.display(), safe(*kept))]
    Write {
        /// The file.
        path: PathBuf,
        /// How many runs it holds.
        kept: usize,
        /// Why.
        source: io::Error,
    },
    /// A line before the last is no record.
    #[error("{}, line {line}: this is no line of a results file ({message})", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// Another process writes to the file.
    #[error("{} is in use by another novelo", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The results of one experiment are to go into the file of another.
    #[error("{} holds results of '{found}', not of '{wanted}'", path.display())]
    Different {
        /// The file.
        path: PathBuf,
        /// The experiment it is of.
        found: String,
        /// The experiment it should be of.
        wanted: String,
    },
}

/// What is left of a file that could not be written to.
fn safe(kept: usize) -> String {
    match kept {
        0 => String::new(),
        1 => "; the run in it is safe".into(),
        kept => format!("; the {kept} runs in it are safe"),
    }
}

/// How every results file begins.
const FIRST: &[u8] = br#"{"header":{"experiment":"#;

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Header { header: Header },
    Run(Box<Run>),
}

/// What a results file holds.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Contents {
    /// The headers: one for each time that it was written to under other circumstances.
    pub headers: Vec<Header>,
    /// The runs.
    pub runs: Vec<Run>,
    /// Bytes of whole lines; what comes after is a torn one.
    whole: u64,
}

/// Reads a results file; a torn line at its end does not count.
pub fn read(path: &Path) -> Result<Contents, ResultsError> {
    let fail = |source| ResultsError::Read { path: path.into(), source };
    let bytes = std::fs::read(path).map_err(fail)?;
    parse(&bytes, path)
}

/// Reads the bytes of a results file; `path` is what errors call it.
pub fn parse(bytes: &[u8], path: &Path) -> Result<Contents, ResultsError> {
    let mut contents = Contents::default();
    for (i, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            // Only what this program began may be taken for a torn line, and so be cut off.
            let ours = FIRST.len().min(line.len());
            if i > 0 || line[..ours] == FIRST[..ours] {
                break;
            }
        }
        match serde_json::from_slice(line) {
            Ok(Line::Header { header }) => contents.headers.push(header),
            Ok(Line::Run(run)) => contents.runs.push(*run),
            // The last line may have been torn by a machine that lost power.
            Err(_) if contents.whole as usize + line.len() == bytes.len() && i > 0 => break,
            Err(_) => {
                let message = what_is_wrong(line);
                return Err(ResultsError::Damaged { path: path.into(), line: i + 1, message });
            }
        }
        contents.whole += line.len() as u64;
    }
    Ok(contents)
}

/// Why a line is no record, in the words of the record that it is most like.
fn what_is_wrong(line: &[u8]) -> String {
    match serde_json::from_slice::<serde_json::Value>(line) {
        Ok(mut value) if value.get("header").is_some() => {
            serde_json::from_value::<Header>(value["header"].take()).err().map(|error| error.to_string())
        }
        Ok(value) if value.is_object() => serde_json::from_value::<Run>(value).err().map(|it| it.to_string()),
        _ => None,
    }
    .unwrap_or_else(|| "novelo experiment run writes such files, a JSON object a line".into())
}

/// A results file that is being written.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    file: File,
    length: u64,
    kept: usize,
    flushed: Instant,
}

impl Results {
    /// Opens a file for the runs of an experiment: a new one, or one that holds some of them already. Also says what
    /// it holds.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Contents), ResultsError> {
        let fail = |source| ResultsError::Read { path: path.into(), source };
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(fail)?;
        if fs4::FileExt::try_lock(&file).is_err() {
            return Err(ResultsError::Locked { path: path.into() });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fail)?;
        let contents = parse(&bytes, path)?;
        if let Some(other) = contents.headers.iter().find(|other| other.experiment != header.experiment) {
            let (found, wanted) = (other.experiment.clone(), header.experiment.clone());
            return Err(ResultsError::Different { path: path.into(), found, wanted });
        }
        let (length, kept) = (contents.whole, contents.runs.len());
        let mut results = Self { path: path.into(), file, length, kept, flushed: Instant::now() };
        results.cut().map_err(|source| results.unwritten(source))?;
        if contents.headers.last() != Some(header) {
            results.write(&Line::Header { header: header.clone() })?;
        }
        Ok((results, contents))
    }

    /// Adds a run. If that fails, the file is as it was before.
    pub fn append(&mut self, run: &Run) -> Result<(), ResultsError> {
        self.write(&Line::Run(Box::new(run.clone())))?;
        self.kept += 1;
        if self.flushed.elapsed() >= FLUSH_EVERY {
            self.flush()?;
        }
        Ok(())
    }

    /// Flushes everything to the disk.
    pub fn flush(&mut self) -> Result<(), ResultsError> {
        self.flushed = Instant::now();
        self.file.sync_data().map_err(|source| self.unwritten(source))
    }

    fn write(&mut self, line: &Line) -> Result<(), ResultsError> {
        let mut bytes = serde_json::to_vec(line).expect("a record is plain data");
        bytes.push(b'\n');
        if let Err(source) = self.file.write_all(&bytes) {
            // Opening the file cuts a torn line too, should this fail.
            let _ = self.cut();
            return Err(self.unwritten(source));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Cuts off what follows the last whole line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length)).map(drop)
    }

    fn unwritten(&self, source: io::Error) -> ResultsError {
        ResultsError::Write { path: self.path.clone(), kept: self.kept, source }
    }
}

/// Joins results files into one; runs that several hold are taken once. Returns how many runs it has.
pub fn merge(into: &Path, parts: &[PathBuf]) -> Result<usize, ResultsError> {
    let mut merged = Vec::new();
    let mut seen = HashSet::<Task>::new();
    let mut experiment: Option<String> = None;
    for path in parts {
        let contents = read(path)?;
        for header in contents.headers {
            let wanted = experiment.get_or_insert_with(|| header.experiment.clone());
            if *wanted != header.experiment {
                let (found, wanted) = (header.experiment, wanted.clone());
                return Err(ResultsError::Different { path: path.clone(), found, wanted });
            }
            merged.push(Line::Header { header });
        }
        let new = contents.runs.into_iter().filter(|run| seen.insert(run.task.clone()));
        merged.extend(new.map(|run| Line::Run(Box::new(run))));
    }
    let mut bytes = Vec::new();
    for line in &merged {
        serde_json::to_writer(&mut bytes, line).expect("a record is plain data");
        bytes.push(b'\n');
    }
    let kept = seen.len();
    let fail = |source| {
        let kept = read(into).map_or(0, |contents| contents.runs.len());
        ResultsError::Write { path: into.into(), kept, source }
    };
    let mut beside = into.as_os_str().to_owned();
    beside.push(".part");
    // Renamed when whole: a merge that fails leaves what was there.
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_data()
    });
    written.and_then(|()| std::fs::rename(&beside, into)).map_err(|source| {
        // The error to report is the first one, not that the clean-up failed as well.
        let _ = std::fs::remove_file(&beside);
        fail(source)
    })?;
    Ok(kept)
}
