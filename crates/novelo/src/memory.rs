//! How much memory a search may hold, and what happens when the system refuses it.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use crate::user_error::UserError;

/// What the process itself takes when it is not known.
const USUAL_BASELINE: usize = 8 << 20;

/// The bytes a search's own structures may hold so that the process stays
/// within a limit. Without a limit, nine tenths of what the machine has free:
/// no search should bring the machine to its knees.
pub fn for_search(limit: Option<u64>) -> Result<usize, UserError> {
    let baseline = memory_stats::memory_stats().map_or(USUAL_BASELINE, |stats| stats.physical_mem);
    match limit {
        None => Ok((free().min(granted()) / 10 * 9) as usize),
        Some(limit) => {
            (limit as usize).checked_sub(baseline).filter(|&left| left > 0).map(searchable).ok_or_else(|| {
                UserError::new(format!(
                    "a memory limit of {} is below the {} the program itself takes",
                    bytesize::ByteSize(limit),
                    bytesize::ByteSize(baseline as u64)
                ))
                .help("give it at least 32MiB")
            })
        }
    }
}

/// What a process comes to hold beside its search: parts of the program that are used only then, and what the allocator does
/// not give back.
const UNCOUNTED: usize = 8 << 20;

/// The part of what is left within a limit that a search may count as its own.
fn searchable(left: usize) -> usize {
    left - UNCOUNTED.min(left / 4)
}

/// Address space that is left for threads and for what their allocations leave unused.
const BESIDE: u64 = 96 << 20;

/// Bytes of memory that the system grants this process beside what it has (`ulimit -v`, `ulimit -d`).
fn granted() -> u64 {
    #[cfg(unix)]
    {
        let taken = memory_stats::memory_stats().map_or(0, |stats| stats.virtual_mem as u64);
        let limits = [rlimit::Resource::AS, rlimit::Resource::DATA].map(rlimit::Resource::get_soft);
        let least = limits.into_iter().flatten().min().filter(|&least| least != rlimit::INFINITY);
        // What there is of a small grant is shared: half for the search.
        least.map_or(u64::MAX, |least| {
            let left = least.saturating_sub(taken);
            left.saturating_sub(BESIDE).max(left / 2)
        })
    }
    #[cfg(not(unix))]
    u64::MAX
}

/// Bytes that could be taken now, by the machine and by its control group.
fn free() -> u64 {
    let system = System::new_with_specifics(
        RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()),
    );
    let machine = system.available_memory();
    match system.cgroup_limits() {
        Some(limits) if limits.total_memory > 0 => machine.min(limits.free_memory),
        _ => machine,
    }
}
