#!/usr/bin/env bash
# Runs an experiment as an array job of Slurm, a shard a task, then joins the results and makes the report.
#   scripts/experiment-slurm.sh experiments/eight-puzzle.toml 20 --time=2:00:00 --mem=4G
# What follows the number of shards goes to sbatch. The folder it is started in must be one that all machines see. A task
# that is requeued goes on where it stopped; when tasks have failed, the same command does what is left.
set -euo pipefail
experiment=$1
shards=$2
shift 2
novelo=${NOVELO:-novelo}
name=$(basename "$experiment" .toml)

sbatch --wait --requeue --open-mode=append --array="1-$shards" --job-name="$name" --output="$name.%a.log" "$@" <<JOB
#!/usr/bin/env bash
exec "$novelo" experiment run "$experiment" --shard "\$SLURM_ARRAY_TASK_ID/$shards"
JOB
"$novelo" experiment merge "$name.ndjson" "$name".*-of-"$shards".ndjson
"$novelo" report "$name.ndjson" --html "$name.html"
echo "$name.html"
