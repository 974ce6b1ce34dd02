#!/usr/bin/env bash
# A sweep as a Slurm array job: each task computes its part of the points.
#
#   sbatch --array=1-8 scenarios/cluster/slurm_array.sh scenarios/sweep_consumers_outage.toml
#
# What stands behind the script's name goes to `queuecast sweep`: the same for every task. The
# folder of `--output` (here `output`, in the folder of submission) must be one that all nodes see.
# A task that was stopped and is requeued goes on where it was. When all are done:
#
#   queuecast merge output/sweep_consumers_outage/sweep.*-of-8.csv
#   queuecast sweep scenarios/sweep_consumers_outage.toml
#
# The second command finds every point in the joined file, and shows and draws the whole.
#SBATCH --job-name=queuecast-sweep
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -euo pipefail

# `--shard auto` reads SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP and _COUNT.
exec "${QUEUECAST:-queuecast}" sweep "$@" --shard auto --jobs "${SLURM_CPUS_PER_TASK:-1}"
