#!/usr/bin/env bash
# Everything that must hold before a change lands. Needs the Rust toolchain; installs the rest where it can.
#   NOVELO_REQUIRE_ALL=1 bash scripts/test.sh     fails if anything had to be left out
set -euo pipefail
cd "$(dirname "$0")/.."

# What is compiled once and for all compiles quicker whole than in pieces that can be compiled again.
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}

part() { printf '[%d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$1" >&2; }

left_out=()
leave_out() { left_out+=("$1, for want of $2"); }
has() { command -v "$1" >/dev/null; }
install() {
    [ "$(id -u)" = 0 ] && has apt-get || return 1
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# CaDiCaL, which one of the solvers calls, is built from source.
has c++ || install g++ || { echo "a C++ compiler is needed: install g++ or clang++" >&2; exit 1; }
# Games in a terminal are played in tmux, the web page in a real browser; the engine in WebAssembly is called from node.
has tmux || install tmux || true
browser() { has chromium || has chromium-browser || has google-chrome; }
browser || install chromium fonts-dejavu-core || true
has node || install nodejs || true
wasm=wasm32-unknown-unknown
if has rustup; then rustup target add "$wasm" >/dev/null 2>&1 || true; fi
has_wasm() { has node && [ -d "$(rustc --print sysroot)/lib/rustlib/$wasm" ]; }

# What the tests keep is not the user's.
NOVELO_CACHE=$(mktemp -d)
export NOVELO_CACHE
trap 'rm -rf "$NOVELO_CACHE"' EXIT

part "formatting and lints"
# The components are part of every usual toolchain; without them the tests still run.
if cargo fmt --version >/dev/null 2>&1; then cargo fmt --all --check; else leave_out "formatting" "rustfmt"; fi
if cargo clippy --version >/dev/null 2>&1; then
    # In the profile of the tests, so that what build scripts make is made once.
    cargo clippy --workspace --all-targets --profile test --quiet -- -D warnings
else
    leave_out "lints" "clippy"
fi
if has cargo-deny; then cargo deny --log-level error check bans licenses sources; fi

# Tests search real puzzles, so they are built with optimisation (see Cargo.toml). Those that need a tool are ignored
# unless they are asked for; always of the whole workspace, so that all are built with the same features, once.
if cargo nextest --version >/dev/null 2>&1; then
    tests() { cargo nextest run --workspace --cargo-quiet --no-fail-fast --status-level slow --final-status-level fail "$@"; }
    needing() { tests --run-ignored only "$@"; }
    documents() { cargo test --workspace --quiet --doc; }
else
    tests() { cargo test --workspace --quiet "$@"; }
    needing() { cargo test --workspace --quiet "$@" -- --ignored; }
    documents() { true; }
fi
part "tests"
tests
documents
part "tests that need a tool"
if has tmux; then
    needing --test terminal --test template --test pancake
else
    leave_out "games in the terminal" "tmux"
fi
if browser; then needing --test browser; else leave_out "the page in a browser" "chromium"; fi
if [ -d "${NOVELO_INSTANCES:-../shared/instances}" ]; then
    needing --test sliding --test numbrix --test mazes --test boxes
else
    leave_out "published boards with known answers" "NOVELO_INSTANCES"
fi

part "processes over MPI"
# The program over MPI is no part of the workspace, and its lints are the compiler's own.
{ has mpirun && has mpicc; } || install libopenmpi-dev openmpi-bin libclang-dev || true
if has mpirun && has mpicc; then
    CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target} cargo test --quiet --manifest-path crates/mpi/Cargo.toml
else
    leave_out "processes over MPI" "mpirun and mpicc"
fi

part "packages, each crate alone, documentation, WebAssembly"
# What would be published: all files are there, and what is depended on has a version.
cargo package --workspace --exclude novelo-bench --no-verify --allow-dirty --offline --quiet
# Each crate stands alone, with none of its features.
for crate in search puzzles lab; do
    cargo test --quiet -p "novelo-$crate" --no-default-features --lib
done
cargo check --quiet -p novelo --no-default-features
cargo run --quiet --profile test -p novelo-search --example jugs
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --profile test
if has_wasm; then
    cargo build --quiet -p novelo-search --example wasm --target "$wasm"
    node crates/search/examples/wasm.mjs "${CARGO_TARGET_DIR:-target}/$wasm/debug/examples/wasm.wasm"
else
    leave_out "WebAssembly" "node or the target $wasm"
fi

part "the Python package"
# The package is no part of the workspace either; its script builds it and tests it in an environment of its own.
has_python() { has python3 && python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }
has_python || install python3 python3-venv || true
if has_python; then bash scripts/test-python.sh; else leave_out "the Python package" "Python 3.9 with venv"; fi

part "all passed"
for what in "${left_out[@]}"; do echo "left out: $what" >&2; done
if [ -n "${NOVELO_REQUIRE_ALL:-}" ] && [ ${#left_out[@]} -gt 0 ]; then
    echo "NOVELO_REQUIRE_ALL is set, and ${#left_out[@]} parts were left out" >&2
    exit 1
fi
