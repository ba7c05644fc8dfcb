#!/bin/sh
# Serves a case under load: tools/bazel run //tools:serve -- --case=//benchmarks/resnet:resnet50_fp32_b8 --scenario=server --qps=10
# It builds the case with a load generator and runs it; every other flag is the case's.
set -eu

usage() {
  cat <<'TEXT'
Serves a case: requests arrive while others are answered, every reply is checked, and latencies are measured.

  tools/bazel run //tools:serve -- --case=LABEL [flags of the case]

  --case=LABEL          the case, such as //benchmarks/resnet:resnet50_fp32_b8; its batch (b8) is how many requests a worker answers at once
  --scenario=NAME       how requests arrive, as MLPerf defines it: server (default), single_stream, multi_stream, offline
  --qps=LIST            how many requests arrive in a second (scenario server); several numbers make a curve: 5,10,20
  --find-peak           searches for the highest rate that keeps --latency-bound
  --latency-bound=T@pN  50ms@p99: 99 % of the queries must be answered within 50 ms
  --duration=T          how long queries arrive, at each rate; default 10s
  --workers=N           threads that answer; default 1
  --instances=N         runs N processes at once; each gets the whole rate of --qps, and 1/N of the cores
  --record=FILE         appends the results to this file

The case's own --help=all explains these and all its other flags. tools/serve/README.md has examples.
Exit code: 0 right; 1 a wrong reply, or a missed bound; 2 the machine or the setup is wrong; 3 the command line is wrong.
TEXT
}

case=
scenario=--scenario=server
instances=1
logs=
backend=
first=1
for word; do
  [ "$first" ] && set --
  first=
  case $word in
    --help | -h) usage; exit 0 ;;
    --case=*)
      if [ -n "$case" ]; then
        echo "serve: --case=$case and $word: one case at a time; to compare two, tools/bazel run //tools:compare" >&2
        exit 3
      fi
      case=${word#--case=}
      ;;
    --case) echo "serve: --case needs its value behind '=': --case=//benchmarks/resnet:resnet50_fp32_b8" >&2; exit 3 ;;
    --scenario=*) scenario=; set -- "$@" "$word" ;;
    --instances=*) instances=${word#--instances=} ;;
    --load-logs=*) logs=${word#--load-logs=} ;;
    --backend=*) backend=${word#--backend=}; set -- "$@" "$word" ;;
    *) set -- "$@" "$word" ;;
  esac
done
if [ -z "$case" ]; then
  echo "serve: which case? Give --case=//benchmarks/resnet:resnet50_fp32_b8 (tools/bazel run //benchmarks:list shows all)" >&2
  exit 3
fi
case $case in
  //*:*) ;;
  *) echo "serve: --case=$case: a label, as //benchmarks/resnet:resnet50_fp32_b8" >&2; exit 3 ;;
esac
cpus=$(awk '/^Cpus_allowed_list/ { n = split($2, parts, ",")
  for (i = 1; i <= n; i++) { m = split(parts[i], ends, "-"); for (c = ends[1]; c <= ends[m]; c++) printf "%d ", c } }' /proc/self/status)
count=$(echo $cpus | wc -w)
case $instances in
  '' | *[!0-9]* | 0* | ?????*) echo "serve: --instances=$instances: a number from 1 to $count, the cores here" >&2; exit 3 ;;
esac
if [ "$instances" -gt "$count" ]; then
  echo "serve: --instances=$instances: each needs a core, and there are $count; give at most $count" >&2
  exit 3
fi
tree=${BUILD_WORKSPACE_DIRECTORY:?start it with tools/bazel run //tools:serve}
set -- $scenario "$@"
cd "$tree"
link=--//benchmarks/harness/runner/serving:load=//benchmarks/harness/runner/serving:loadgen
if grep -qF -e "name = \"$backend\"" -e "TORCHSCRIPT = \"$backend\"" defs/backends.bzl; then  # the case knows what to say to other names
  link="$link --//benchmarks/backends=//benchmarks/backends:$backend"
fi
if ! tools/bazel build --noshow_progress --show_result=0 --ui_event_filters=-info $link "$case"; then
  tools/bazel query "$case" >/dev/null 2>&1 && exit 2
  echo "serve: --case=$case: there is no such case; tools/bazel run //benchmarks:list shows all" >&2
  exit 3
fi
if [ "$instances" -eq 1 ]; then
  cd "${BUILD_WORKING_DIRECTORY:-$tree}"  # paths are those of where the command was typed
  exec "$tree/tools/bazel" run --noshow_progress $link "$case" -- "$@" ${logs:+"--load-logs=$logs"}
fi

program=$(tools/bazel info $link bazel-bin)/${case#//}
program=${program%:*}/${case##*:}
outputs=$(mktemp -d)
started=
trap 'rm -rf "$outputs"' EXIT
trap : INT  # the terminal sends it to the instances, too, and each ends with what it has
trap 'kill -TERM $started 2>/dev/null || :' TERM
number=0
while [ "$number" -lt "$instances" ]; do
  own=$(echo $cpus | tr ' ' '\n' | awk -v i="$number" -v n="$instances" -v all="$count" \
    'int((NR - 1) * n / all) == i { printf "%s%s", separator, $1; separator = "," }')
  taskset -c "$own" "$program" "$@" ${logs:+"--load-logs=$logs/$((number + 1))"} >"$outputs/$number" 2>&1 &
  started="$started $!"
  number=$((number + 1))
done
worst=0
number=0
for process in $started; do
  code=0
  wait "$process" || code=$?
  if [ "$code" -gt 128 ]; then  # a signal ended the waiting, not the process
    code=0
    wait "$process" || code=$?
  fi
  [ "$code" -le "$worst" ] || worst=$code
  number=$((number + 1))
  printf 'instance %s of %s\n' "$number" "$instances"
  cat "$outputs/$((number - 1))"
done
exit "$worst"
