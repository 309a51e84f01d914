#!/usr/bin/env bash
# Runs an experiment in shards under GNU parallel, one a core, and joins the results.
#   scripts/experiment-parallel.sh experiments/eight-puzzle.toml 4
# A shard that was killed goes on where it stopped when this is started again.
set -euo pipefail
experiment=$1
shards=${2:-$(nproc)}
novelo=${NOVELO:-novelo}
name=$(basename "$experiment" .toml)

seq "$shards" | parallel --jobs "$(nproc)" --halt soon,fail=1 \
    "$novelo" experiment run "$experiment" --shard "{}/$shards"
"$novelo" experiment merge "$name.ndjson" "$name".*-of-"$shards".ndjson
"$novelo" report "$name.ndjson" --html "$name.html"
echo "$name.html"
