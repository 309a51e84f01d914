#!/usr/bin/env bash
# Everything that must hold before a change lands. Needs only the Rust toolchain.
set -euo pipefail
cd "$(dirname "$0")/.."

# The components are part of every usual toolchain; without them the tests still run.
if cargo fmt --version >/dev/null 2>&1; then cargo fmt --all --check; fi
if cargo clippy --version >/dev/null 2>&1; then cargo clippy --workspace --all-targets --quiet -- -D warnings; fi

# Tests search real puzzles, so they are built with optimisation (see Cargo.toml).
cargo test --workspace --quiet
cargo run --quiet -p novelo-search --example jugs
