//! How much memory a search may hold.

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
        None => Ok((free() / 10 * 9) as usize),
        Some(limit) => (limit as usize).checked_sub(baseline).filter(|&left| left > 0).ok_or_else(|| {
            UserError::new(format!(
                "a memory limit of {} is below the {} the program itself takes",
                bytesize::ByteSize(limit),
                bytesize::ByteSize(baseline as u64)
            ))
            .help("give it at least 32MiB")
        }),
    }
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
