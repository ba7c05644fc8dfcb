#!/bin/sh
# Serves a case under load: tools/bazel run //tools:serve -- --case=//benchmarks/resnet:resnet50_fp32_b8 --scenario=server --qps=10
# It builds the case with a load generator and runs it; every other flag is the case's.
set -eu

usage() {
  cat <<'TEXT'
Serves a case: requests arrive while others are answered, every reply is checked, and latencies are measured.

  tools/bazel run //tools:serve -- --case=LABEL [flags of the case]

  --case=LABEL          the case: //benchmarks/resnet:resnet50_fp32_b8; its batch is the largest that is put together
  --scenario=NAME       server (default), single_stream, multi_stream or offline: MLPerf's
  --qps=LIST            queries a second of server; several make a curve: 5,10,20
  --find-peak           searches for the highest rate that keeps --latency-bound
  --latency-bound=T@pN  50ms@p99: 99 % of the queries must be answered within 50 ms
  --duration=T          of each rate; default 10s
  --workers=N           threads that answer; default 1
  --record=FILE         appends the results to this file

The case's own --help=all explains these and all its other flags. tools/serve/README.md has examples.
Exit codes: 0 right, 1 a wrong reply (or a bound that is missed), 2 the surroundings, 3 usage.
TEXT
}

case=
scenario=--scenario=server
first=1
for word; do
  [ "$first" ] && set --
  first=
  case $word in
    --help | -h) usage; exit 0 ;;
    --case=*) case=${word#--case=} ;;
    --case) echo "serve: --case needs its value behind '=': --case=//benchmarks/resnet:resnet50_fp32_b8" >&2; exit 3 ;;
    --scenario=*) scenario=; set -- "$@" "$word" ;;
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
cd "${BUILD_WORKSPACE_DIRECTORY:?start it with tools/bazel run //tools:serve}"
exec tools/bazel run --noshow_progress \
  --//benchmarks/harness/runner/serving:load=//benchmarks/harness/runner/serving:loadgen "$case" -- $scenario "$@"
