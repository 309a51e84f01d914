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

# Games in a terminal are played in tmux.
if ! command -v tmux >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    (apt-get update -qq && apt-get install -y -qq tmux >/dev/null) || true
fi
command -v tmux >/dev/null || echo "left out: games in the terminal, for want of tmux" >&2

# The tests of the web page drive a real browser.
browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
if ! browser >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null) || true
fi
browser >/dev/null || echo "left out: the web page in a browser, for want of chromium" >&2

[ -d "${NOVELO_INSTANCES:-../shared/instances}" ] ||
    echo "left out: published boards with known answers, for want of NOVELO_INSTANCES" >&2

# The components are part of every usual toolchain; without them the tests still run.
if cargo fmt --version >/dev/null 2>&1; then cargo fmt --all --check; fi
if cargo clippy --version >/dev/null 2>&1; then cargo clippy --workspace --all-targets --quiet -- -D warnings; fi

# What the tests keep is not the user's.
NOVELO_CACHE=$(mktemp -d)
export NOVELO_CACHE
trap 'rm -rf "$NOVELO_CACHE"' EXIT

# Tests search real puzzles, so they are built with optimisation (see Cargo.toml).
cargo test --workspace --quiet
cargo run --quiet -p novelo-search --example jugs
