#!/usr/bin/env bash
# tools/bazel itself, in a small tree of its own with a stub in Bazel's place and one in apt-get's: no network, no Bazel.
set -uo pipefail
root=$PWD scratch=$TEST_TMPDIR
failures=0
fail() { echo "FAIL: $*"; sed 's/^/    /' "$scratch/out" "$scratch/err"; failures=$((failures + 1)); }
stub() { mkdir -p "${1%/*}"; printf '#!/bin/sh\n%s\n' "$2" >"$1"; chmod +x "$1"; } # PATH SCRIPT

stub "$scratch/stubs/apt-get" 'exit 1'
stub "$scratch/stubs/python3" 'echo "$@" >>"$LOOKS"; exec '"$(command -v python3)"' "$@"'
stub "$scratch/real" '[ "$1" != --version ] || { echo bazel 7.7.1; exit; }; echo "families=$ASSAY_FAMILIES arguments=$*"'
export BAZEL_REAL=$scratch/real PATH=$scratch/stubs:$PATH LOOKS=$scratch/looks ASSAY_NO_INSTALL=1

new_tree() { # an empty checkout in $tree and an empty cache
  tree=$scratch/tree cache=$scratch/cache
  rm -rf "$tree" "$cache" "$LOOKS"
  mkdir -p "$tree/tools/deps" "$tree/benchmarks/x"
  cp "$root/tools/bazel" "$tree/tools/bazel"
  cp "$root/tools/deps/find_families.sh" "$tree/tools/deps"
  echo 'benchmarks(' >"$tree/benchmarks/x/BUILD.bazel"
}
start() { # COMMAND [ARGUMENT...]: runs it with the cache; its exit code is $code
  XDG_CACHE_HOME=$cache "$@" >"$scratch/out" 2>"$scratch/err"; code=$?
}
reaches_bazel() { # the last start() handed command and families to Bazel
  [ "$code" = 0 ] || fail "exit code $code"
  grep -qx 'families=benchmarks/x locks:  *arguments=build //x' "$scratch/out" || fail "the stub was not given what it needs"
}
looks() { cat "$LOOKS" 2>/dev/null | grep -c 'import pip'; }

new_tree
start "$tree/tools/bazel" build //x; reaches_bazel
[ "$(ls -A "$tree/tools/deps/distdir")" = .tried ] || fail "the tree holds more than it should: $(ls -A "$tree/tools/deps/distdir")"
[ "$(looks)" = 1 ] || fail "a machine seen first is looked at: $(looks)"
start "$tree/tools/bazel" build //x; reaches_bazel
[ "$(looks)" = 1 ] || fail "a complete machine is looked at once: $(looks)"
[ ! -s "$scratch/err" ] || fail "a second start is quiet"
# A home, and a tree, may be shared by machines.
start env HOSTNAME=another "$tree/tools/bazel" build //x; reaches_bazel
[ "$(looks)" = 2 ] || fail "another machine is looked at too: $(looks)"
start env -u XDG_CACHE_HOME -u HOME "$tree/tools/bazel" build //x; reaches_bazel
[ "$(looks)" = 3 ] || fail "without a place to remember it is looked each time: $(looks)"

# Nothing can be written where a plain file has the folder's name: for root as well, whom no permission stops.
new_tree
: >"$tree/tools/deps/distdir"
start "$tree/tools/bazel" build //x; reaches_bazel
[ "$(wc -l <"$scratch/err")" = 1 ] || fail "one line says what a checkout that can't be written lacks"
grep -q 'tools/deps/distdir cannot be written' "$scratch/err" || fail "it names the folder"
cache=/dev/null
start "$tree/tools/bazel" build //x; reaches_bazel

new_tree
mkdir "$scratch/bin"; ln -s "$tree/tools/bazel" "$scratch/bin/bazel"; ln -s bin/bazel "$scratch/relative"
for link in bin/bazel relative; do start "$scratch/$link" build //x; reaches_bazel; done
[ ! -e "$scratch/deps" ] || fail "the link's own folder was written to"

# No families would be no tests, all of which pass.
new_tree
rm "$tree/tools/deps/find_families.sh"
start "$tree/tools/bazel" build //x
[ "$code" != 0 ] && [ ! -s "$scratch/out" ] || fail "without the families Bazel is not started"

[ $failures = 0 ] && echo "tools/bazel: all as it should be"
exit $((failures > 0))
