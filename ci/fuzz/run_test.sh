#!/usr/bin/env bash
# run.sh's exit codes, in a small tree of its own with stubs for clang, Bazel and the fuzzer. 1 means "a finding", so
# nothing else may end with it.
set -uo pipefail
root=$PWD scratch=$TEST_TMPDIR
tree=$scratch/tree there=$scratch/tree/ci/fuzz
failures=0
stub() { mkdir -p "${1%/*}"; printf '#!/bin/bash\n%s\n' "$2" >"$1"; chmod +x "$1"; } # PATH SCRIPT
expect() { # CODE TEXT COMMAND...: the command exits with CODE and says TEXT
  local code=$1 text=$2 status=0 out; shift 2
  out=$("$@" 2>&1) || status=$?
  [ "$status" = "$code" ] && [[ $out == *"$text"* ]] && return
  echo "FAIL: exit code $status, expected $code and '$text': $*"; sed 's/^/    /' <<<"$out"; failures=$((failures + 1))
}
fuzzer() { echo "$1" >"$scratch/fuzzer"; } # SCRIPT that is the fuzzer from now on
run() { ASSAY_FUZZ_OUT=$scratch/out XDG_CACHE_HOME=$scratch/cache "$there/run.sh" npy 1 "$@"; }

mkdir -p "$there/corpus/npy"
cp "$root/ci/fuzz/run.sh" "$there"
: >"$there/npy.cc"
stub "$scratch/stubs/clang++" ''
# The "built" fuzzer is the script that fuzzer() wrote last.
stub "$tree/tools/bazel" 'for word; do case $word in --output_base=*) base=${word#*=} ;; esac; done
folder=$base/execroot/${MAIN:-assay}/bazel-out/k8-opt/bin/ci/fuzz; mkdir -p "$folder"
{ echo "#!/bin/bash"; echo "for word; do case \$word in -artifact_prefix=*) findings=\${word#*=} ;; esac; done"; cat '"$scratch"'/fuzzer; } >"$folder/npy_libfuzzer"
chmod +x "$folder/npy_libfuzzer"'
export PATH=$scratch/stubs:$PATH

fuzzer 'while [ $SECONDS -lt 1 ]; do :; done; echo "#1 DONE cov: 2 ft: 3 lim: 4"; echo "stat::number_of_executed_units: 5"'
expect 0 's, cov: 2 ft: 3
run.sh: npy: no finding' run
MAIN=_main expect 0 'no finding' env XDG_CACHE_HOME="$scratch/by_module" "$there/run.sh" npy 1 # another cache: so named only by MODULE.bazel
fuzzer 'echo x >"${findings}crash-1"; echo "SUMMARY: libFuzzer: deadly signal"; exit 77'
expect 1 'a FINDING' run

# Not findings; the one above is still in its folder.
fuzzer 'exit 0'
expect 2 'no finding, but exit code 0' run
fuzzer 'echo "error while loading shared libraries"; exit 127'
expect 2 'error while loading shared libraries' run
expect 2 "$scratch/none" run "$scratch/none"
expect 2 'neither XDG_CACHE_HOME nor HOME' env -u HOME -u XDG_CACHE_HOME "$there/run.sh" npy 1
expect 2 '/dev/null' env XDG_CACHE_HOME="$scratch/cache" ASSAY_FUZZ_OUT=/dev/null/fuzz "$there/run.sh" npy 1
expect 2 '/dev/null' env XDG_CACHE_HOME=/dev/null "$there/run.sh" npy 1
expect 3 "no target 'none'" "$there/run.sh" none 1
expect 3 SECONDS "$there/run.sh" npy soon
expect 0 npy "$there/run.sh" --list

[ $failures = 0 ] && echo "run.sh: all as it should be"
exit $((failures > 0))
