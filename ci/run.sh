#!/usr/bin/env bash
# What CI runs, on a clean checkout; a person runs it by `bash .ci/run`. First the README's test command, then what no
# test inside Bazel can show: commands as a user types them, bad input, a new model, the CUDA flavour.
# Ends with a line "N passed, N failed", and exits 0 only when none failed.
set -uo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
passed=0 failed=0 skipped=0
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
export scratch

check() { # NAME COMMAND...: one line, and the whole output where it failed
  local name=$1 start=$SECONDS; shift
  if "$@" >"$scratch/log" 2>&1; then
    passed=$((passed + 1)); printf 'PASSED  %s (%d s)\n' "$name" $((SECONDS - start))
  else
    failed=$((failed + 1)); printf 'FAILED  %s (%d s)\n' "$name" $((SECONDS - start)); tail -n 60 "$scratch/log" | sed 's/^/        /'
  fi
}

skip() { skipped=$((skipped + 1)); printf 'SKIPPED %s: %s\n' "$1" "$2"; }

echo '== tools/bazel test //...'
tools/bazel test //... 2>&1 | tee "$scratch/tests"
tests_status=${PIPESTATUS[0]}
count() { grep -cE "^//[^ ]+ .*$1( in|$)" "$scratch/tests"; }
passed=$((passed + $(count PASSED))); failed=$((failed + $(count 'FAILED|TIMEOUT|NO STATUS')))
[ "$tests_status" = 0 ] || [ "$failed" -gt 0 ] || failed=1

echo '== commands and bad input'
for script in ci/checks/*.sh; do
  while IFS= read -r name; do check "$name" bash "$script" "$name"; done < <(bash "$script" --list)
done
check 'the example of CONTRIBUTING.md works as it stands' python3 ci/try_contributing.py
if command -v "${CUDA_PATH:-/usr/local/cuda}/bin/nvcc" >/dev/null; then
  check 'the CUDA flavour builds, and says NO_DEVICE without a GPU' bash ci/cuda_flavour.sh
else
  skip 'the CUDA flavour' "no nvcc in ${CUDA_PATH:-/usr/local/cuda}/bin"
fi

printf '%d passed, %d failed' "$passed" "$failed"
[ "$skipped" = 0 ] || printf ', %d skipped' "$skipped"
printf '\n'
[ "$failed" = 0 ]
