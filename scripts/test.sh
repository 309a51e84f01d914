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

# The engine in WebAssembly is called from node.
if ! command -v node >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    (apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs >/dev/null) || true
fi
wasm=wasm32-unknown-unknown
if command -v rustup >/dev/null; then rustup target add "$wasm" >/dev/null 2>&1 || true; fi
has_wasm() { command -v node >/dev/null && [ -d "$(rustc --print sysroot)/lib/rustlib/$wasm" ]; }
has_wasm || echo "left out: WebAssembly, for want of node or of the target $wasm" >&2

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
RUSTDOCFLAGS="-D warnings" cargo doc --quiet -p novelo-search --no-deps
if has_wasm; then
    cargo build --quiet -p novelo-search --example wasm --target "$wasm"
    node crates/search/examples/wasm.mjs "${CARGO_TARGET_DIR:-target}/$wasm/debug/examples/wasm.wasm"
fi
