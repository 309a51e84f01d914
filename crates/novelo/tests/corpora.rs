//! The corpora of the fuzz targets as plain tests, and every input that once broke the program (fuzz/README.md).

#![allow(unsafe_code, reason = "asks the system what this process has taken")]

#[allow(dead_code, reason = "the targets call each property by its own name")]
#[path = "../../../fuzz/src/lib.rs"]
mod properties;

#[cfg(target_os = "linux")]
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::path::Path;
#[cfg(target_os = "linux")]
use std::sync::Mutex;

#[test]
fn every_seed_and_every_input_that_once_broke_it() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    for (name, property) in properties::PROPERTIES {
        let mut tried = 0;
        for kind in ["corpus", "regressions"] {
            let files = std::fs::read_dir(fuzz.join(kind).join(name)).into_iter().flatten().flatten();
            for file in files {
                eprintln!("{name} {}", file.path().display());
                property(&std::fs::read(file.path()).unwrap());
                tried += 1;
            }
        }
        assert!(tried > 0, "{name} has no seeds");
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const LETTERS: &[u8] = b"0123456789:,x_ \nabU";
const NUMBERS: [&str; 8] = ["0", "1", "255", "256", "-1", "4294967295", "18446744073709551615", "1e308"];

/// One to three small changes, as a fuzzer makes them: bytes set, dropped, doubled, numbers of another size, a piece of another
/// seed.
fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(3) {
        let len = bytes.len();
        let at = random.below(len + 1);
        let piece = at..(at + 1 + random.below(16)).min(len).max(at);
        match random.below(8) {
            0 if at < len => bytes[at] = random.below(128) as u8,
            1 if at < len => bytes[at] = random.of(LETTERS),
            2 if at < len => drop(bytes.remove(at)),
            3 => bytes.insert(at, random.of(LETTERS)),
            4 => drop(bytes.drain(piece)),
            5 => bytes.extend_from_within(piece),
            6 => {
                let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                drop(bytes.splice(at..at + digits, random.of(&NUMBERS).bytes()));
            }
            _ if !other.is_empty() => {
                let from = random.below(other.len());
                let to = (from + 1 + random.below(32)).min(other.len());
                drop(bytes.splice(piece, other[from..to].iter().copied()));
            }
            _ => bytes.push(random.below(256) as u8),
        }
    }
}

/// The files of some folders beside a target's name, in order.
fn files(kinds: &[&str], name: &str) -> Vec<Vec<u8>> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let mut paths: Vec<_> = kinds
        .iter()
        .filter_map(|kind| std::fs::read_dir(fuzz.join(kind).join(name)).ok())
        .flatten()
        .flatten()
        .map(|file| file.path())
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn seeds_with_small_changes() {
    let rounds = std::env::var("NOVELO_STRESS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut random = Random(1);
    for (name, property) in properties::PROPERTIES {
        let seeds = files(&["corpus"], name);
        for seed in &seeds {
            for _ in 0..5 * rounds {
                let mut bytes = seed.clone();
                let other = random.below(seeds.len());
                change(&mut bytes, &seeds[other], &mut random);
                property(&bytes);
            }
        }
    }
}

/// The second half of `scripts/fuzz.sh`: changes of all that is known, the finds of libFuzzer among it, for some seconds of
/// the processor. An input that takes over two of them, or after which 512 MB are held, is a fault, and kept.
#[test]
#[ignore = "scripts/fuzz.sh runs it, for as long as it is told"]
#[cfg(target_os = "linux")]
fn changes_for_a_while() {
    let asked = std::env::var("NOVELO_FUZZ").expect("NOVELO_FUZZ=TARGET:SECONDS");
    let (name, seconds) = asked.split_once(':').expect("TARGET:SECONDS");
    let seconds: f64 = seconds.parse().expect("seconds");
    let (_, property) =
        properties::PROPERTIES.into_iter().find(|(other, _)| *other == name).expect("a target");
    let seeds = files(&["corpus", "regressions", "work"], name);
    let start = processor_seconds();
    let mut random = Random(std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64);
    let hand = std::sync::Arc::new(Mutex::new((0_u64, Vec::new())));
    watch(name.to_owned(), hand.clone());
    let mut tried = 0_u64;
    while !tried.is_multiple_of(64) || processor_seconds() - start < seconds {
        let bytes = {
            let mut hand = hand.lock().unwrap();
            let (which, other) = (random.below(seeds.len()), random.below(seeds.len()));
            hand.1.clone_from(&seeds[which]);
            change(&mut hand.1, &seeds[other], &mut random);
            hand.0 += 1;
            hand.1.clone()
        };
        if std::panic::catch_unwind(|| property(&bytes)).is_err() {
            keep(name, "crash", &bytes);
        }
        tried += 1;
    }
    let spent = processor_seconds() - start;
    let megabytes = memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem >> 20);
    println!("{name}, changed: {tried} inputs in {spent:.0} s of the processor, {megabytes} MB at the end");
}

/// Ends the process when the input in hand takes too much: of the processor's time, for the machine may be at something else.
#[cfg(target_os = "linux")]
fn watch(name: String, hand: std::sync::Arc<Mutex<(u64, Vec<u8>)>>) {
    std::thread::spawn(move || {
        let mut last = (0, processor_seconds());
        loop {
            std::thread::sleep(std::time::Duration::from_millis(200));
            let (number, bytes) = hand.lock().unwrap().clone();
            let now = processor_seconds();
            if number != last.0 {
                last = (number, now);
            }
            let held = memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem);
            if now - last.1 > 2.0 {
                keep(&name, "slow", &bytes);
            } else if held > 512 << 20 {
                keep(&name, "large", &bytes);
            }
        }
    });
}

/// Writes an input down that has broken something, and ends the process.
#[cfg(target_os = "linux")]
fn keep(name: &str, how: &str, bytes: &[u8]) -> ! {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/artifacts").join(name);
    let path =
        folder.join(format!("{how}-{:016x}", BuildHasherDefault::<DefaultHasher>::default().hash_one(bytes)));
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(&path, bytes);
    println!("{how}: {}", path.display());
    std::process::exit(1)
}

/// What this process has taken of the processor.
#[cfg(target_os = "linux")]
fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes a value that lives here.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
