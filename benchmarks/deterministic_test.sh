#!/bin/sh
# --deterministic on CUDA, from the command line to the record; without a GPU the run ends at NO_DEVICE, behind what is looked at
# here. Arguments: a case's program.
set -eu
case=$PWD/$1 log=$TEST_TMPDIR/log record=$TEST_TMPDIR/record.jsonl
unset CUBLAS_WORKSPACE_CONFIG
run() { code=0; "$case" --device=cuda --action=verify --record="$record" "$@" >"$log" 2>&1 || code=$?; }
wrong() { cat "$log"; echo "$1" >&2; exit 1; }
run --deterministic
case $code in 0 | 2) ;; *) wrong "exit code $code, not 0 or 2" ;; esac
grep -q '"CUBLAS_WORKSPACE_CONFIG":":4096:8"' "$record" || wrong "the record does not hold what cuBLAS was told"
rm "$record"; run
! grep -q CUBLAS_WORKSPACE_CONFIG "$record" || wrong "cuBLAS was told something by a run that is not deterministic"
rm "$record"
export CUBLAS_WORKSPACE_CONFIG=:4096:2:16:8
run --deterministic
[ $code = 3 ] || wrong "exit code $code, not 3"
grep -q 'unset it, or set it to :4096:8 or :16:8' "$log" || wrong "the message does not say what to do"
[ ! -e "$record" ] || wrong "a usage error left a record"
