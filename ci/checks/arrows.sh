#!/usr/bin/env bash
# What needs what: no circle in the whole tree, and the check sees one that is put back (ci/arrows.py).
#   arrows.sh --list     names of the checks
#   arrows.sh NAME       one of them
set -euo pipefail
scratch=$(mktemp -d) changed=''
clean_up() {
  [ -z "$changed" ] || cp "$scratch/before" "$changed"
  rm -rf "$scratch" artifacts/format/scratch_circle.py
}
trap clean_up EXIT
look() { tools/bazel query --noshow_progress --ui_event_filters=-info //... --output=xml | python3 -B ci/arrows.py; }
finds() { # TEXT...: there is a fault, and it is shown with these texts
  local status=0 text
  look >"$scratch/said" 2>&1 || status=$?
  [ "$status" = 1 ] || { cat "$scratch/said"; echo "exit code $status, expected 1"; return 1; }
  for text; do grep -qF -- "$text" "$scratch/said" || { cat "$scratch/said"; echo "expected in the above: $text"; return 1; }; done
}
append() { # FILE TEXT
  cp "$1" "$scratch/before"; changed=$1
  printf '%s\n' "$2" >>"$1"
}

declare -A checks
checks['arrows: no two packages need each other']='look'
checks['arrows: a circle of rules is found']='append benchmarks/harness/base/BUILD.bazel "filegroup(name = \"scratch\", srcs = [\"//benchmarks/harness/numerics:rules\"])"
  finds "a circle of packages: benchmarks/harness/base -> benchmarks/harness/numerics -> benchmarks/harness/base" "//benchmarks/harness/base:scratch needs //benchmarks/harness/numerics:rules"'
checks['arrows: a circle through a Python import is found']='echo "from tools.artifacts.generate import plan" >artifacts/format/scratch_circle.py
  finds "a circle of packages: artifacts/format -> tools/artifacts/generate -> artifacts/format" "artifacts/format/scratch_circle.py:1: import of tools.artifacts.generate.plan"'

if [ "${1:-}" = --list ]; then printf '%s\n' "${!checks[@]}" | LC_ALL=C sort; exit 0; fi
[ -n "${checks[${1:-}]:-}" ] || { echo "no check '${1:-}'; --list names them" >&2; exit 3; }
eval "${checks[$1]}"
