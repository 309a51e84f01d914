//! What a run ran on.

use sysinfo::{
    CpuRefreshKind, MemoryRefreshKind, Pid, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System,
};

/// The commit the program was built from, where that is known.
pub const COMMIT: Option<&str> = option_env!("NOVELO_COMMIT");

/// Processor, cores, memory and system in one line.
pub fn describe() -> String {
    let what = RefreshKind::nothing()
        .with_memory(MemoryRefreshKind::nothing().with_ram())
        .with_cpu(CpuRefreshKind::nothing());
    let system = System::new_with_specifics(what);
    let processor = system.cpus().first().map_or("unknown processor", |cpu| cpu.brand().trim());
    let memory = bytesize::ByteSize(system.total_memory());
    let name = System::long_os_version().unwrap_or_else(|| std::env::consts::OS.into());
    format!("{processor}, {} cores, {memory}, {name}", cores())
}

/// How many runs can have a core to themselves.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// How much memory another process holds.
#[derive(Debug, Default)]
pub struct ProcessMemory(System);

impl ProcessMemory {
    /// Bytes that a process holds in memory now.
    pub fn bytes(&mut self, process: u32) -> Option<u64> {
        let pid = Pid::from_u32(process);
        let what = ProcessRefreshKind::nothing().with_memory();
        self.0.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), true, what);
        self.0.process(pid).map(sysinfo::Process::memory)
    }
}
