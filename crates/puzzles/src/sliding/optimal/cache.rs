//! Pattern tables on disk: one file a table, in a folder the caller names.
//!
//! A file is written under a temporary name, forced to disk and renamed, so that under its proper name there is never
//! a half-made one, and two processes that build the same table each put a whole file in place. What is read is
//! believed only when the header fits and the checksum of all bits is right; anything else is built anew. A file is read
//! into memory and then verified, not mapped: whoever cuts or overwrites it later changes no search that goes on. The
//! checksum costs under a millisecond for 6-6-3 and some tens of milliseconds for 7-8, on all cores by blocks.

use crate::sliding::optimal::pdb::{HugeBytes, PatternTable, PlacementIndex, TableKey};
use crate::sliding::optimal::shape::Shape;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"NOVELOPD";
/// Raised whenever the meaning of the bits changes.
const VERSION: u32 = 1;
const HEADER: usize = 64;
/// How the names of files begin and end; all others are somebody else's.
const PREFIX: &str = "sliding-";
const EXTENSION: &str = "pdb";
const TEMPORARY: &str = "tmp";
/// A temporary file that nobody has written to for so long is nobody's.
const ABANDONED: Duration = Duration::from_secs(600);
const BLOCK: usize = 1 << 20;

/// A folder of pattern tables.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    /// The most bytes that its files may come to.
    quota: Option<u64>,
}

/// Why a file in the cache is not used.
#[derive(Debug, Error)]
pub enum CacheError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is of another version, of another table, too short or too long.
    #[error("{0} is not a pattern database of this version")]
    Foreign(PathBuf),
    /// The bits are not those that were written.
    #[error("{0} is damaged: its checksum is wrong")]
    Damaged(PathBuf),
    /// Another table would be more than the folder may hold.
    #[error("{folder} holds as much as it may, {quota} bytes")]
    Full {
        /// The folder.
        folder: PathBuf,
        /// What it may hold.
        quota: u64,
    },
}

/// A file of the cache.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// The table it holds, if its header can be read.
    pub key: Option<TableKey>,
}

impl Cache {
    /// The cache in a folder, which is made when first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), quota: None }
    }

    /// The same, in which nothing is kept that would make it larger than so many bytes.
    #[must_use]
    pub fn with_quota(self, quota: Option<u64>) -> Self {
        Self { quota, ..self }
    }

    /// The file of a table.
    pub fn path(&self, key: TableKey) -> PathBuf {
        let TableKey { shape, pattern, region } = key;
        self.folder.join(format!("{PREFIX}{shape}-{pattern:x}-{region:x}.{EXTENSION}"))
    }

    /// Whether a file for the table exists; it may still turn out to be damaged.
    pub fn contains(&self, key: TableKey) -> bool {
        self.path(key).is_file()
    }

    /// The table from the cache, verified.
    pub fn open(&self, key: TableKey, index: Arc<PlacementIndex>) -> Result<PatternTable, CacheError> {
        let path = self.path(key);
        let (header, bits) = read(&path, |_| key.bytes(&index))?;
        check(&path, &header, &bits, key, key.bytes(&index))?;
        Ok(PatternTable::new(key, index, bits))
    }

    /// Writes a table to its file.
    pub fn save(&self, table: &PatternTable) -> Result<(), CacheError> {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        let target = self.path(table.key());
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let temporary = target.with_extension(format!("{}-{serial}.{TEMPORARY}", std::process::id()));
        let bits = &table.bits()[..table.key().bytes(table.index())];
        if let Some(quota) = self.quota {
            let held: u64 = self.list()?.iter().map(|entry| entry.bytes).sum();
            if held.saturating_add((HEADER + bits.len()) as u64) > quota {
                return Err(CacheError::Full { folder: self.folder.clone(), quota });
            }
        }
        let write = || {
            fs::create_dir_all(&self.folder)?;
            let mut file = File::create(&temporary)?;
            file.write_all(&header(table.key(), bits))?;
            file.write_all(bits)?;
            file.sync_all()?;
            fs::rename(&temporary, &target)
        };
        self.sweep();
        write().map_err(|source| {
            // The error to report is the first one, not that the clean-up failed as well.
            let _ = fs::remove_file(&temporary);
            CacheError::Io { path: target.clone(), source }
        })
    }

    /// Removes what killed builds have left: temporary files whose process is gone, or which nobody writes to any more.
    pub fn sweep(&self) {
        let Ok(files) = fs::read_dir(&self.folder) else { return };
        for path in files.filter_map(|file| Some(file.ok()?.path())) {
            if writer(&path).is_some_and(|process| is_abandoned(&path, process)) {
                // Another process may have been quicker.
                let _ = fs::remove_file(path);
            }
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files of the cache, in the order of their names.
    pub fn list(&self) -> Result<Vec<Entry>, CacheError> {
        let failed = |source| CacheError::Io { path: self.folder.clone(), source };
        let files = match fs::read_dir(&self.folder) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
            Err(error) => return Err(failed(error)),
        };
        let mut entries = Vec::new();
        for file in files {
            let path = file.map_err(failed)?.path();
            let Some((_, EXTENSION)) = own_name(&path) else { continue };
            // A file may go between being listed and being looked at, and a folder is no table.
            let Some(data) = fs::metadata(&path).ok().filter(fs::Metadata::is_file) else { continue };
            let key = open(&path).and_then(|(_, header)| read_key(&header));
            entries.push(Entry { path, bytes: data.len(), key });
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(entries)
    }

    /// Verifies one file of the cache.
    pub fn verify(&self, entry: &Entry) -> Result<(), CacheError> {
        let (header, bits) = read(&entry.path, |key| key.bytes(&key.index()))?;
        let key = read_key(&header).ok_or_else(|| CacheError::Foreign(entry.path.clone()))?;
        check(&entry.path, &header, &bits, key, key.bytes(&key.index()))
    }

    /// Removes one file of the cache.
    pub fn remove(&self, entry: &Entry) -> Result<(), CacheError> {
        fs::remove_file(&entry.path).map_err(|source| CacheError::Io { path: entry.path.clone(), source })
    }
}

/// The name of a file without and with its extension, if it is one that the cache gives.
fn own_name(path: &Path) -> Option<(&str, &str)> {
    path.file_name()?.to_str()?.strip_prefix(PREFIX)?.rsplit_once('.')
}

/// The process that writes a temporary file `sliding-….PID-SERIAL.tmp`.
fn writer(path: &Path) -> Option<u32> {
    let (stem, TEMPORARY) = own_name(path)? else { return None };
    let (process, serial) = stem.rsplit_once('.')?.1.split_once('-')?;
    serial.parse::<u64>().ok()?;
    process.parse().ok()
}

/// Whether nobody writes to a temporary file any more.
fn is_abandoned(path: &Path, process: u32) -> bool {
    let age = fs::metadata(path).and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
    // Where processes cannot be looked up, age alone decides.
    age.is_some_and(|age| age > ABANDONED)
        || Path::new("/proc/self").exists() && !Path::new("/proc").join(process.to_string()).exists()
}

/// Opens a file and reads its header. What is no file, such as a pipe, is not waited for.
fn open(path: &Path) -> Option<(File, [u8; HEADER])> {
    let mut options = File::options();
    // Whatever takes the file's place at the last moment, opening it does not wait for who may write to it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let mut file = options.read(true).open(path).ok()?;
    file.metadata().ok().filter(fs::Metadata::is_file)?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header).ok()?;
    Some((file, header))
}

/// Reads a file: its header, and the bits, of which there must be so many as the table of its header has.
fn read(path: &Path, bytes: impl Fn(TableKey) -> usize) -> Result<([u8; HEADER], HugeBytes), CacheError> {
    let failed = |source| CacheError::Io { path: path.into(), source };
    let foreign = || CacheError::Foreign(path.into());
    let (mut file, header) = open(path).ok_or_else(foreign)?;
    let length = file.metadata().map_err(failed)?.len();
    let bytes = bytes(read_key(&header).ok_or_else(foreign)?);
    if length != (HEADER + bytes) as u64 {
        return Err(foreign());
    }
    let mut bits = HugeBytes::zeroed(bytes).map_err(failed)?;
    file.read_exact(&mut bits).map_err(failed)?;
    Ok((header, bits))
}

/// Magic, version, shape, pattern, region, length, checksum of the bits, checksum of all before.
fn header(key: TableKey, bits: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..14].copy_from_slice(&[key.shape.rows, key.shape.cols]);
    header[16..20].copy_from_slice(&key.pattern.to_le_bytes());
    header[20..24].copy_from_slice(&key.region.to_le_bytes());
    header[24..32].copy_from_slice(&(bits.len() as u64).to_le_bytes());
    header[32..40].copy_from_slice(&checksum(bits).to_le_bytes());
    let own = xxh3_64(&header[..40]);
    header[40..48].copy_from_slice(&own.to_le_bytes());
    header
}

/// The checksum of the checksums of the blocks, which are taken in parallel.
fn checksum(bits: &[u8]) -> u64 {
    let blocks: Vec<[u8; 8]> = bits.par_chunks(BLOCK).map(|block| xxh3_64(block).to_le_bytes()).collect();
    xxh3_64(blocks.as_flattened())
}

fn read_key(file: &[u8; HEADER]) -> Option<TableKey> {
    let number = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?));
    let own = u64::from_le_bytes(file.get(40..48)?.try_into().ok()?);
    let sound = file.get(..8)? == MAGIC && number(8)? == VERSION && xxh3_64(&file[..40]) == own;
    let key = TableKey { shape: Shape::new(file[12], file[13]), pattern: number(16)?, region: number(20)? };
    (sound && key.is_valid()).then_some(key)
}

fn check(
    path: &Path,
    read: &[u8; HEADER],
    bits: &[u8],
    key: TableKey,
    bytes: usize,
) -> Result<(), CacheError> {
    if read_key(read) != Some(key) || bits.len() != bytes {
        return Err(CacheError::Foreign(path.into()));
    }
    if header(key, bits) != *read {
        return Err(CacheError::Damaged(path.into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding::optimal::pdb::build;
    use crate::sliding::optimal::tests::unlimited;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("novelo-cache-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn key() -> TableKey {
        TableKey::new(Shape::new(3, 3), 0b000_011_110, 0)
    }

    fn built() -> PatternTable {
        build(key(), key().index(), unlimited().budget()).unwrap()
    }

    #[test]
    fn a_table_comes_back_as_it_was() {
        let folder = folder("same");
        let cache = Cache::new(&folder);
        let built = built();
        assert!(cache.open(key(), key().index()).is_err());
        cache.save(&built).unwrap();
        let cached = cache.open(key(), key().index()).unwrap();
        assert_eq!(built.bits(), cached.bits());
        let entries = cache.list().unwrap();
        assert_eq!(entries.iter().map(|e| e.key).collect::<Vec<_>>(), [Some(key())]);
        cache.verify(&entries[0]).unwrap();
        cache.remove(&entries[0]).unwrap();
        assert!(cache.list().unwrap().is_empty());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn flipped_bits_and_cut_ends_are_noticed() {
        let folder = folder("damage");
        let cache = Cache::new(&folder);
        cache.save(&built()).unwrap();
        let path = cache.path(key());
        let whole = fs::read(&path).unwrap();
        let mut seed = 1u64;
        for round in 0..200 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (seed >> 33) as usize % whole.len();
            let mut bytes = whole.clone();
            if round % 2 == 0 {
                bytes[at] ^= 1 << (seed >> 30 & 7);
            } else {
                bytes.truncate(at);
            }
            fs::write(&path, bytes).unwrap();
            assert!(cache.open(key(), key().index()).is_err(), "byte {at}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_changes_under_its_reader_changes_no_table() {
        let folder = folder("feet");
        let cache = Cache::new(&folder);
        let built = built();
        cache.save(&built).unwrap();
        let (cut, overwritten) = (cache.open(key(), key().index()).unwrap(), cache.path(key()));
        File::options().write(true).open(&overwritten).unwrap().set_len(HEADER as u64).unwrap();
        assert_eq!(built.bits(), cut.bits());
        cache.save(&built).unwrap();
        let open = cache.open(key(), key().index()).unwrap();
        fs::write(&overwritten, vec![0x55; HEADER + built.bits().len()]).unwrap();
        assert_eq!(built.bits(), open.bits());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_in_place_of_a_table_keeps_nobody_waiting() {
        let folder = folder("pipe");
        let cache = Cache::new(&folder);
        fs::create_dir_all(&folder).unwrap();
        let path = cache.path(key());
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(cache.open(key(), key().index()).is_err());
        assert!(cache.list().unwrap().is_empty());
        // A table takes its place.
        cache.save(&built()).unwrap();
        assert!(cache.open(key(), key().index()).is_ok());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_quota_is_kept() {
        let folder = folder("quota");
        let built = built();
        let bytes = (HEADER + built.bits().len()) as u64;
        let small = Cache::new(&folder).with_quota(Some(bytes - 1));
        assert!(matches!(small.save(&built), Err(CacheError::Full { .. })));
        assert!(small.list().unwrap().is_empty());
        let enough = Cache::new(&folder).with_quota(Some(bytes));
        enough.save(&built).unwrap();
        let other = TableKey::new(Shape::new(3, 3), 0b111_100_000, 0);
        let another = build(other, other.index(), unlimited().budget()).unwrap();
        assert!(matches!(enough.save(&another), Err(CacheError::Full { .. })));
        assert_eq!(enough.list().unwrap().len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let folder = folder("file");
        fs::write(&folder, "not a folder").unwrap();
        assert!(matches!(Cache::new(&folder).save(&built()), Err(CacheError::Io { .. })));
        fs::remove_file(folder).unwrap();
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let folder = folder("others");
        let cache = Cache::new(&folder);
        cache.save(&built()).unwrap();
        let others =
            ["1abc.pdb", "report.tmp", "draft-1.tmp", "sliding-notes.tmp", "sliding-3x3-1-2.x-1.tmp"];
        others.iter().for_each(|name| fs::write(folder.join(name), "text").unwrap());
        fs::create_dir(folder.join("sliding-folder.pdb")).unwrap();
        // No process has this number.
        let left = folder.join(format!("sliding-3x3-1-2.{}-0.tmp", u32::MAX));
        fs::write(&left, "half").unwrap();
        cache.sweep();
        assert_eq!(left.exists(), !Path::new("/proc/self").exists());
        assert!(others.iter().all(|name| folder.join(name).exists()));
        assert_eq!(cache.list().unwrap().len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}
