#!/usr/bin/env bash
# Runs the fuzz targets for a time that they share, one after another, and says how many inputs were tried.
#   scripts/fuzz.sh [time, such as 10m] [target…]
# Needs cargo-fuzz. An input that takes over 2 s or 512 MB counts as a fault.
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
share=$((seconds / ${#targets[@]}))

# Coverage is instrumented by any compiler that is told to be a nightly one; the address sanitizer is left to nightly.
export RUSTC_BOOTSTRAP=1
total=0
failed=0
for target in "${targets[@]}"; do
    mkdir -p "fuzz/work/$target"
    log=$(mktemp)
    if ! (cd fuzz && cargo fuzz run --sanitizer none "$target" "work/$target" "corpus/$target" "regressions/$target" -- \
        -max_total_time="$share" -timeout=2 -rss_limit_mb=512 -max_len=4096 -print_final_stats=1) >"$log" 2>&1; then
        failed=1
        tail -n 30 "$log"
    fi
    inputs=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
    memory=$(sed -n 's/^stat::peak_rss_mb: *//p' "$log")
    echo "$(date -u +%F) $target: ${inputs:-0} inputs in $share s, ${memory:-?} MB at most"
    total=$((total + ${inputs:-0}))
    rm -f "$log"
done
echo "$(date -u +%F) all: $total inputs in $((share * ${#targets[@]})) s"
exit $failed
