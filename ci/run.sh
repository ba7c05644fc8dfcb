#!/usr/bin/env bash
# What CI runs, on a clean checkout; a person runs it by `bash .ci/run`. First README's test command, then checks that
# cannot be tests inside Bazel (ci/run_checks.py, which also runs one check alone). Ends with a line "N passed, N
# failed", and exits 0 only when none failed.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
export ASSAY_STRICT=1 # CI's compilers are known, so a warning is an error
tools/bazel help >/dev/null # installs what a bare machine lacks, python3 too
# CI's own machine gets what checks need beside, and so does one with ASSAY_INSTALL=1. Elsewhere such a check is skipped, and
# says what it lacks.
if [ "${ASSAY_INSTALL:-${CI:+1}}" = 1 ] && [ "$(id -u)" = 0 ]; then
  lacking=()
  command -v nginx >/dev/null || lacking+=(nginx-light)
  command -v slurmctld >/dev/null || lacking+=(munge slurmctld slurmd slurm-client)
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || lacking+=(postgresql)
  # RUNLEVEL=1: no service starts.
  [ ${#lacking[@]} = 0 ] || RUNLEVEL=1 apt-get -qq install -y --no-install-recommends "${lacking[@]}" >/dev/null 2>&1 || true
fi
exec python3 ci/run_checks.py --tests
