#!/usr/bin/env bash
# Everything that must hold before a change lands. Needs the Rust toolchain; installs the rest.
set -euo pipefail
cd "$(dirname "$0")/.."

# CaDiCaL, which one of the solvers calls, is built from source.
if ! command -v c++ >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && apt-get install -y -qq g++ >/dev/null
    else
        echo "a C++ compiler is needed: install g++ or clang++" >&2
        exit 1
    fi
fi

# The components are part of every usual toolchain; without them the tests still run.
if cargo fmt --version >/dev/null 2>&1; then cargo fmt --all --check; fi
if cargo clippy --version >/dev/null 2>&1; then cargo clippy --workspace --all-targets --quiet -- -D warnings; fi

# Tests search real puzzles, so they are built with optimisation (see Cargo.toml).
cargo test --workspace --quiet
cargo run --quiet -p novelo-search --example jugs
