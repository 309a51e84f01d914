//! What a search with pattern databases needs beside its board: tables, from memory, from the cache or built.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use novelo_search::{Budget, Stop};

use super::cache::Cache;
use super::ida::{AdditivePdb, TableSet};
use super::machine::MoveMachine;
use super::partition::Partition;
use super::pdb::{PatternTable, TableKey, build};
use crate::request::Request;

/// The tables of a partition, and the pruning machine that goes with them: what is kept between searches.
pub struct PatternDatabases {
    partition: Partition,
    set: TableSet,
    bytes: usize,
    /// The machine that prunes the search.
    pub machine: MoveMachine,
}

impl PatternDatabases {
    fn new(partition: Partition, tables: Vec<Arc<PatternTable>>, machine: MoveMachine) -> Self {
        let table = |table: &Arc<PatternTable>| table.key().bytes(table.index()) + table.index().bytes();
        let bytes = tables.iter().map(table).sum::<usize>() + machine.bytes();
        Self { partition, set: TableSet::new(tables), bytes, machine }
    }

    /// The partition as a heuristic, and its reflection where the geometry allows one.
    pub fn heuristics(&self) -> Vec<AdditivePdb<'_>> {
        let partitions = [Some(self.partition.clone()), self.partition.reflected()];
        partitions.iter().flatten().map(|partition| AdditivePdb::new(partition, &self.set)).collect()
    }

    /// The bytes of the tables.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Tables of more bytes than this are for boards that take long.
const LARGE: u64 = 64 << 20;

/// The machine for searches with a partition. Longer strings prune more and take longer to find; on small boards, and
/// on those that smaller tables are for, the searches are short.
fn machine(partition: &Partition, budget: Budget<'_>) -> Result<MoveMachine, Stop> {
    let longest = match partition.shape().cells() {
        ..=12 => 6,
        13..=16 if partition.about_bytes() <= LARGE => 10,
        _ => 12,
    };
    MoveMachine::within(partition.shape(), longest, budget)
}

/// The databases used last: boards of a set mostly need the same one.
static LAST: Mutex<Option<Arc<PatternDatabases>>> = Mutex::new(None);

/// Where databases come from.
#[derive(Clone)]
pub struct TableSource<'a> {
    /// The folder of the cache; `None` works wholly in memory.
    pub cache: Option<PathBuf>,
    /// The most bytes that this folder may come to.
    pub cache_quota: Option<u64>,
    /// Told what takes long before it starts, and what went wrong without doing harm.
    pub notice: Option<fn(&str)>,
    /// The threads that build.
    pub threads: usize,
    /// Limits.
    pub budget: Budget<'a>,
}

/// The number of cores this process may use.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

impl<'a> TableSource<'a> {
    /// What a request asks for, under the limits of a budget.
    pub fn of(request: &Request, budget: Budget<'a>) -> Self {
        let threads = request.threads.unwrap_or_else(all_cores);
        let (cache, cache_quota) = (request.cache.clone(), request.cache_quota);
        Self { cache, cache_quota, notice: request.notice, threads, budget }
    }
}

impl TableSource<'_> {
    /// Builds of at least so many bytes are announced; smaller ones take less than a second or two.
    const ANNOUNCED: usize = 16 << 20;

    /// Whether a partition was the last one used.
    pub fn in_memory(partition: &Partition) -> bool {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().is_some_and(|databases| databases.partition == *partition)
    }

    /// Whether a partition needs no building.
    pub fn has(&self, partition: &Partition) -> bool {
        Self::in_memory(partition)
            || self.cache.as_ref().is_some_and(|folder| {
                let cache = Cache::new(folder);
                partition.tables().into_iter().all(|key| cache.contains(key))
            })
    }

    /// Whether the tables of a partition can be had within the memory limit.
    pub fn has_room(&self, partition: &Partition) -> bool {
        let bytes =
            if self.has(partition) { partition.about_bytes() } else { partition.about_bytes_to_build() };
        self.budget.has_room(bytes as usize)
    }

    /// The databases of a partition.
    pub fn databases(&self, partition: &Partition) -> Result<Arc<PatternDatabases>, Stop> {
        {
            let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
            match &*last {
                Some(databases) if databases.partition == *partition => return Ok(databases.clone()),
                // Its memory is needed for what comes now.
                _ => *last = None,
            }
        }
        let (tables, machine) = self
            .pool()?
            .install(|| rayon::join(|| self.tables(partition), || machine(partition, self.budget)));
        let databases = Arc::new(PatternDatabases::new(partition.clone(), tables?, machine?));
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(databases.clone());
        Ok(databases)
    }

    /// Sees to it that the tables of a partition are in the cache, where that can be.
    pub fn stock(&self, partition: &Partition) -> Result<(), Stop> {
        let pool = self.pool()?;
        partition
            .tables()
            .into_iter()
            .try_for_each(|key| pool.install(|| self.table(key, partition)).map(drop))
    }

    fn pool(&self) -> Result<rayon::ThreadPool, Stop> {
        rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().map_err(|_| Stop::Memory)
    }

    fn tables(&self, partition: &Partition) -> Result<Vec<Arc<PatternTable>>, Stop> {
        let mut tables = Vec::new();
        let mut held = Vec::new();
        for key in partition.tables() {
            let table = self.table(key, partition)?;
            held.push(self.budget.reserve(key.bytes(table.index()) + table.index().bytes())?);
            tables.push(Arc::new(table));
        }
        Ok(tables)
    }

    fn table(&self, key: TableKey, partition: &Partition) -> Result<PatternTable, Stop> {
        let index = key.index();
        if !self.budget.has_room(key.bytes(&index)) {
            return Err(Stop::Memory);
        }
        let cache = self.cache.as_ref().map(|folder| Cache::new(folder).with_quota(self.cache_quota));
        if let Some(Ok(table)) = cache.as_ref().map(|cache| cache.open(key, index.clone())) {
            return Ok(table);
        }
        self.announce(key, key.bytes(&index), partition, cache.as_ref());
        let table = build(key, index, self.budget)?;
        if let (Some(Err(error)), Some(notice)) = (cache.map(|cache| cache.save(&table)), self.notice) {
            notice(&format!("a pattern database could not be kept for the next time: {error}"));
        }
        Ok(table)
    }

    fn announce(&self, key: TableKey, bytes: usize, partition: &Partition, cache: Option<&Cache>) {
        let Some(notice) = self.notice.filter(|_| bytes >= Self::ANNOUNCED) else { return };
        let kept = match cache {
            Some(cache) => format!("it is kept in {}", cache.folder().display()),
            None => "it is not kept".into(),
        };
        notice(&format!(
            "building a pattern database of {} tiles for {partition} on {}: {} MB, {kept}",
            key.tiles(),
            key.shape,
            bytes.div_ceil(1_000_000),
        ));
    }
}
