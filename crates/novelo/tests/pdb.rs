//! Pattern databases on disk: whatever happens to the files, no cost is ever wrong.

#![allow(unsafe_code, reason = "sends signals to processes and asks the system about them")]
#![cfg(unix)]

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// 52 moves; too many for a search without tables to find out quickly.
const BOARD: &str = "sliding:4x4:2,11,15,5,13,4,6,7,12,8,10,1,9,3,14,0:blank-first";
const COST: u64 = 52;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("novelo-pdb-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn novelo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_novelo"));
        command.args(arguments).env("NOVELO_CACHE", &self.0);
        command
    }

    fn files(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(&self.0).into_iter().flatten();
        files.map(|file| file.unwrap().path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
        let _ = std::fs::remove_file(&self.0);
    }
}

fn assert_solves(mut command: Command) -> Output {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text} {}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["cost"], &report["optimal"]), (&COST.into(), &true.into()));
    output
}

fn solve(folder: &Folder) -> Command {
    folder.novelo(&["solve", BOARD, "--json", "-a", "idastar", "-H", "pdb:5-5-5"])
}

/// Numbers that look random, for moments and places.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

#[test]
fn builds_killed_at_random_moments_leave_nothing_half_made() {
    let folder = Folder::new("killed");
    let mut seed = 1;
    let mut unfinished = 0;
    for round in 0..24 {
        let arguments = ["pdb", "build", "5-5-5", "--goal", "blank-first"];
        let mut child = folder.novelo(&arguments).stdout(Stdio::null()).spawn().unwrap();
        // A whole build takes some tenths of a second.
        std::thread::sleep(Duration::from_micros(random(&mut seed) % 400_000));
        child.kill().unwrap();
        unfinished += u32::from(!child.wait().unwrap().success());
        if round % 4 == 3 {
            assert_solves(solve(&folder));
            let verified = folder.novelo(&["pdb", "verify"]).output().unwrap();
            assert_eq!(verified.status.code(), Some(0), "{}", String::from_utf8_lossy(&verified.stdout));
            let temporary = |file: &&PathBuf| file.extension().is_some_and(|e| e == "tmp");
            assert_eq!(folder.files().iter().filter(temporary).count(), 0, "leftovers are cleaned up");
            let removed = folder.novelo(&["pdb", "remove", "--all"]).output().unwrap();
            assert_eq!(removed.status.code(), Some(0));
        }
    }
    assert!(unfinished > 0, "some builds were killed");
}

fn damage(whole: &[u8], file: &Path, seed: &mut u64, round: u32) {
    let mut bytes = whole.to_vec();
    let at = random(seed) as usize % bytes.len();
    match round % 3 {
        0 => bytes.truncate(at),
        // The header is as likely to be hit as all the rest.
        1 => bytes[at % 64] ^= 1 << (random(seed) % 8),
        _ => bytes[at] ^= 1 << (random(seed) % 8),
    }
    std::fs::write(file, bytes).unwrap();
}

#[test]
fn damaged_files_are_never_believed() {
    let folder = Folder::new("damaged");
    assert_solves(solve(&folder));
    let files: Vec<_> =
        folder.files().into_iter().map(|file| (std::fs::read(&file).unwrap(), file)).collect();
    assert!(!files.is_empty());
    let mut seed = 2;
    for round in 0..210 {
        let (whole, file) = &files[random(&mut seed) as usize % files.len()];
        damage(whole, file, &mut seed, round);
        // Whether it is noticed is a matter of the file alone; most rounds need no search to tell.
        let verified = folder.novelo(&["pdb", "verify"]).output().unwrap();
        assert_eq!(verified.status.code(), Some(1), "{}: round {round}", file.display());
        if round % 7 == 0 {
            assert_solves(solve(&folder));
            assert!(std::fs::read(file).unwrap() == *whole, "it is built again as it was");
        } else {
            std::fs::write(file, whole).unwrap();
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_costs_only_time() {
    let folder = Folder::new("file");
    std::fs::write(&folder.0, "not a folder").unwrap();
    let output = assert_solves(solve(&folder));
    assert!(String::from_utf8_lossy(&output.stderr).contains("could not be kept"));
    let built = folder.novelo(&["pdb", "build", "4-4"]).output().unwrap();
    assert_eq!(built.status.code(), Some(2));
    let mut nowhere = solve(&folder);
    nowhere.env("NOVELO_CACHE", "/proc/novelo");
    assert_solves(nowhere);
    let mut none = solve(&folder);
    none.arg("--no-cache").env("NOVELO_CACHE", "/proc/novelo");
    assert!(assert_solves(none).stderr.is_empty());
}

#[test]
fn a_full_disk_costs_only_time() {
    let folder = Folder::new("full");
    let mut command = solve(&folder);
    // SAFETY: between fork and exec only async-signal-safe calls are made.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit { rlim_cur: 50_000, rlim_max: 50_000 };
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0);
            Ok(())
        });
    }
    let output = assert_solves(command);
    assert!(String::from_utf8_lossy(&output.stderr).contains("could not be kept"));
    assert!(folder.files().is_empty());
    assert_solves(solve(&folder));
}

#[test]
fn two_processes_that_build_the_same_do_not_harm_each_other() {
    let folder = Folder::new("two");
    let start = || solve(&folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for child in [start(), start(), start()] {
        let output = child.wait_with_output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["cost"], COST);
    }
    assert_eq!(folder.novelo(&["pdb", "verify"]).output().unwrap().status.code(), Some(0));
}

#[test]
fn what_is_built_is_listed_and_removed() {
    let folder = Folder::new("list");
    assert_eq!(folder.novelo(&["pdb", "build", "4-4"]).output().unwrap().status.code(), Some(0));
    let listed = folder.novelo(&["pdb", "list", "--json"]).output().unwrap();
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert!(listed.as_array().unwrap().iter().all(|entry| entry["tiles"] == 4));
    for wrong in [&["pdb", "remove", "nothing"][..], &["pdb", "remove"], &["pdb", "build", "9-9"]] {
        assert_eq!(folder.novelo(wrong).output().unwrap().status.code(), Some(2), "{wrong:?}");
    }
    assert_eq!(folder.novelo(&["pdb", "remove", "--all"]).output().unwrap().status.code(), Some(0));
    assert!(folder.files().is_empty());
}

/// Ctrl-C while a large table is built, and a time limit: both hold, with statistics.
#[test]
fn limits_hold_while_tables_are_built() {
    let folder = Folder::new("limits");
    let arguments = ["solve", BOARD, "--json", "-a", "idastar", "-H", "pdb:7-8"];
    let child = folder.novelo(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    // SAFETY: signals the child started above, which is not yet waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["stop"], "interrupted");
    assert!(report["peak_bytes"].as_u64().unwrap() > 10 << 20 && report["lower_bound"].as_u64().unwrap() > 0);
    let arguments = [&arguments[..], &["--time-limit", "1s"]].concat();
    let output = folder.novelo(&arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(23));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["stop"], "time");
}
