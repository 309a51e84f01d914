//! The corpora of the fuzz targets as plain tests, and every input that once broke the program (fuzz/README.md).

#[allow(dead_code, reason = "the targets call each property by its own name")]
#[path = "../../../fuzz/src/lib.rs"]
mod properties;

use std::path::Path;

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

const LETTERS: &[u8] = b"0123456789:,x_ \nabU";

/// Seeds with a few bytes changed, dropped or doubled: what a fuzzer does first.
#[test]
fn seeds_with_small_changes() {
    let rounds = std::env::var("NOVELO_STRESS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for (name, property) in properties::PROPERTIES {
        let mut paths: Vec<_> = std::fs::read_dir(fuzz.join(name))
            .into_iter()
            .flatten()
            .flatten()
            .map(|file| file.path())
            .collect();
        paths.sort();
        for path in paths {
            let whole = std::fs::read(&path).unwrap();
            for _ in 0..5 * rounds {
                let mut bytes = whole.clone();
                for _ in 0..=random(3) {
                    let at = random(bytes.len().max(1));
                    match random(4) {
                        _ if bytes.is_empty() => bytes.push(random(256) as u8),
                        0 => bytes[at] = random(128) as u8,
                        1 => drop(bytes.remove(at)),
                        2 => bytes.insert(at, LETTERS[random(LETTERS.len())]),
                        _ => bytes.extend_from_within(at..(at + 8).min(whole.len()).max(at).min(bytes.len())),
                    }
                }
                property(&bytes);
            }
        }
    }
}
