#!/usr/bin/env bash
# Tries inputs on the fuzz targets for a time that they share, and says how many were tried and what was found.
#   scripts/fuzz.sh [time, such as 10m] [target…]
# Half of the time has libFuzzer, which is led by coverage to paths that are new, and keeps the inputs that found them in
# fuzz/work; the other half are small changes of all that is known by then, without instrumentation, which is many times as
# quick (crates/novelo/tests/corpora.rs). The quick targets get a larger part of that half.
# Needs cargo-fuzz. An input that takes over 2 s or leaves 512 MB held counts as a fault.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo-fuzz >/dev/null || { echo "cargo-fuzz is needed: cargo install cargo-fuzz" >&2; exit 1; }
time=${1:-10m}
shift || true
case $time in
*h) seconds=$((${time%h} * 3600)) ;;
*m) seconds=$((${time%m} * 60)) ;;
*s) seconds=${time%s} ;;
*) echo "'$time' is not a time; write 30s, 10m or 2h" >&2; exit 2 ;;
esac
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=($(cd fuzz/fuzz_targets && ls | sed 's/\.rs$//'))

# Coverage is instrumented by any compiler that is told to be a nightly one; the address sanitizer is left to nightly.
RUSTC_BOOTSTRAP=1 cargo fuzz build --sanitizer none
programs=$(echo "${CARGO_TARGET_DIR:-fuzz/target}"/*/release)
cargo test -p novelo --test corpora --no-run

total=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

say() { echo "$(date -u +%F) $*"; }
stat() { sed -n "s/^stat::$1: *//p" "$log" | tail -n 1 | grep . || echo 0; }

# libFuzzer for some seconds. It goes by the clock: an input that it found slow is tried again, for the machine may have
# been at something else.
by_coverage() {
    local target=$1 end=$((SECONDS + $2)) inputs=0 memory=0
    mkdir -p "fuzz/"{work,corpus,regressions,artifacts}"/$target"
    while [ $SECONDS -lt $end ]; do
        "$programs/$target" "fuzz/work/$target" "fuzz/corpus/$target" "fuzz/regressions/$target" \
            -artifact_prefix="fuzz/artifacts/$target/" -max_total_time=$((end - SECONDS)) -timeout=2 \
            -rss_limit_mb=512 -max_len=4096 -print_final_stats=1 >"$log" 2>&1 && ended=0 || ended=$?
        inputs=$((inputs + $(stat number_of_executed_units)))
        memory=$(stat peak_rss_mb)
        [ $ended -ne 0 ] || continue
        local found
        found=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        if [[ $found == */timeout-* ]] && "$programs/$target" -timeout=2 "$found" >/dev/null 2>&1; then
            rm "$found"
        else
            failed=1
            tail -n 40 "$log"
            break
        fi
    done
    say "$target, led by coverage: $inputs inputs in $2 s, $memory MB at most"
    total=$((total + inputs))
}

# Small changes of everything known, for some seconds of the processor.
by_change() {
    local target=$1
    NOVELO_FUZZ="$target:$2" cargo test --quiet -p novelo --test corpora -- \
        --ignored --exact --nocapture changes_for_a_while >"$log" 2>&1 || { failed=1; tail -n 40 "$log"; }
    local inputs
    inputs=$(sed -n "s/^$target, changed: \([0-9]*\) inputs.*/\1/p" "$log" | tail -n 1)
    say "$(grep "^$target, " "$log" || echo "$target, changed: broken off")"
    total=$((total + ${inputs:-0}))
}

# How much of the changes a target gets: those that search or serve take a hundred times as long for an input.
weight() {
    case $1 in
    solution_is_verified | api_body) echo 1 ;;
    *) echo 3 ;;
    esac
}

weights=0
for target in "${targets[@]}"; do weights=$((weights + $(weight "$target"))); done
for target in "${targets[@]}"; do by_coverage "$target" $((seconds / 2 / ${#targets[@]})); done
for target in "${targets[@]}"; do by_change "$target" $((seconds / 2 * $(weight "$target") / weights)); done
say "all: $total inputs on ${#targets[@]} targets in $SECONDS s, $([ $failed = 0 ] && echo nothing found || echo FAULTS FOUND)"
exit $failed
