#!/usr/bin/env bash
# Runs the cases that a file of expectations chooses, and holds their results against it: what each workflow in ci/workflows
# does, and a person can.
#
#   ci/gate_suite.sh ci/expected/quick.toml /tmp/quick [FLAGS of //tools:gate]
#   ASSAY_CONFIG=cuda ci/gate_suite.sh ci/expected/gpu.toml /tmp/gpu
#
# Paths are relative to the checkout. The folder lies outside of it, or its records say that the tree has changes. Given again it
# goes on where it was cut off. Exit codes are the gate's; a suite that cannot even be planned ends it with 3.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: ci/gate_suite.sh EXPECTED.toml FOLDER [FLAGS]; see its head" >&2; exit 3; }
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
expected=$1 folder=$2
shift 2
run() { # TARGET [WORDS]
  local target=$1
  shift
  tools/bazel run --noshow_progress --ui_event_filters=-info,-stdout,-stderr ${ASSAY_CONFIG:+"--config=$ASSAY_CONFIG"} "$target" -- "$@"
}
plan=$(run //tools:gate --expected="$expected" --plan)
while IFS= read -r line; do
  words=()
  eval "words=($line)" # quoted by the gate
  code=0
  # A short look is enough: what is gated are outcomes and counters, never these times.
  run //tools:run_suite "${words[@]}" --modes=wall --budget=0.02 --out="$folder" </dev/null || code=$?
  [ $code -le 2 ] || exit $code # 1 and 2 are of cases, which the gate judges
done <<<"$plan"
run //tools:gate --expected="$expected" "$folder" "$@"
