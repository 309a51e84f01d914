#!/usr/bin/env bash
# Tries scripts/experiment-slurm.sh against a real slurmctld and slurmd, which it starts on this machine for the time being:
# an array of four tasks, one of which is killed and requeued, must give the figures of one process.
#   NOVELO=target/release/novelo scripts/test-slurm.sh      as root, with Debian's slurm-wlm and munge
set -euo pipefail
cd "$(dirname "$0")/.."
novelo=$(realpath "${NOVELO:-target/release/novelo}")
scripts=$PWD/scripts
for tool in slurmctld slurmd munged sbatch scontrol; do
    command -v "$tool" >/dev/null || { echo "left out: Slurm, for want of $tool" >&2; exit 77; }
done
work=$(mktemp -d)
chmod 755 "$work"
daemons=()
finish() {
    for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null || true; done
    wait "${daemons[@]}" || true
    rm -rf "$work"
}
trap finish EXIT

# Munge says who is who; its socket is this run's own.
install -d -o munge -g munge -m 755 "$work/munge"
install -o munge -g munge -m 400 /dev/null "$work/munge/key"
head -c 1024 /dev/urandom >"$work/munge/key"
setpriv --reuid munge --regid munge --clear-groups munged --foreground --socket "$work/munge/socket" \
    --key-file "$work/munge/key" --log-file "$work/munge/log" --pid-file "$work/munge/pid" \
    --seed-file "$work/munge/seed" >"$work/munge.log" 2>&1 &
daemons+=($!)

# One machine of four processors, whatever it really has: the tasks are to run side by side.
host=$(hostname -s)
mkdir "$work/state" "$work/spool"
cat >"$work/slurm.conf" <<CONF
ClusterName=here
SlurmctldHost=$host
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=5
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$host CPUs=4 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
slurmctld -D >"$work/slurmctld.out" 2>&1 & daemons+=($!)
slurmd -D >"$work/slurmd.out" 2>&1 & daemons+=($!)
for _ in $(seq 100); do
    [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ] && break
    sleep 0.3
done
sinfo

cd "$work"
cat >small.toml <<'TOML'
title = "Small boards"
time-limit = "60s"
memory-limit = "500MiB"

[[instances]]
generate = "sliding"
size = "3x3"
count = 24
seed = 5

[[methods]]
algorithms = ["astar", "bfs"]
TOML
# What two runs must agree in: all but time and place.
figures() {
    grep '"outcome"' "$1" | sed -E 's/"seconds":[^,]*,//; s/"peak_bytes":[^,]*,//' | sort
}
mkdir alone
(cd alone && "$novelo" experiment run ../small.toml >log 2>&1) || { cat alone/log; exit 1; }

NOVELO=$novelo "$scripts/experiment-slurm.sh" small.toml 4 >slurm.log 2>&1 &
driver=$!
# A task is killed as soon as it has done something, and put into the queue again.
until [ "$(cat small.2-of-4.ndjson 2>/dev/null | wc -l)" -gt 2 ]; do
    kill -0 "$driver" 2>/dev/null || { cat slurm.log; exit 1; }
    sleep 0.02
done
job=$(squeue --noheader --array --format=%F_%K --name=small | grep '_2$' || true)
before=$(wc -l <small.2-of-4.ndjson)
if [ -n "$job" ]; then
    scontrol requeue "$job"
    echo "requeued $job after $before lines of its results"
else
    echo "the task had ended before it could be killed" >&2
    exit 1
fi
wait "$driver" || { cat slurm.log ./*.log; exit 1; }
cat slurm.log
diff <(figures alone/small.ndjson) <(figures small.ndjson)
echo "$(figures small.ndjson | wc -l) runs on Slurm agree with those of one process"
