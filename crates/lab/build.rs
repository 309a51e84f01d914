//! Tells the program which commit it was built from, where that is known.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=../../.git/logs/HEAD");
    let git = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    if let Ok(output) = git
        && output.status.success()
    {
        println!("cargo:rustc-env=NOVELO_COMMIT={}", String::from_utf8_lossy(&output.stdout).trim());
    }
}
