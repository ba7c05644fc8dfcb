#!/usr/bin/env bash
# What CI runs, on a clean checkout; a person runs it by `bash .ci/run`. First README's test command, then checks that
# cannot be tests inside Bazel (ci/run_checks.py, which also runs one check alone). Ends with a line "N passed, N
# failed", and exits 0 only when none failed.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
export ASSAY_STRICT=1 # CI's compilers are known, so a warning is an error
tools/bazel help >/dev/null # installs what a bare machine lacks, python3 too
# CI's own machine gets what a check needs beside. Elsewhere such a check is skipped, and says what it lacks.
if [ -n "${CI:-}" ] && [ "$(id -u)" = 0 ]; then
  for packages in nginx-light "munge slurmctld slurmd slurm-client"; do
    # shellcheck disable=SC2086 # several words; RUNLEVEL=1: no service starts
    RUNLEVEL=1 apt-get -qq install -y --no-install-recommends $packages >/dev/null 2>&1 || true
  done
fi
exec python3 ci/run_checks.py --tests
