#!/usr/bin/env bash
# References from a bucket, end to end, as a user has them: the embedded store moved away, objects uploaded to a folder
# or to a fake Google Cloud Storage on loopback that misbehaves, tests that read them from there.
#   artifacts.sh --list     names of the checks
#   artifacts.sh NAME       one of them
set -euo pipefail
tests='//benchmarks/mlp:mlp_fp32_b1_accuracy_test //benchmarks/mlp:mlp_bf16_b1_accuracy_test'
scratch=$(mktemp -d) root=$PWD gcs_pid=''
clean_up() {
  [ ! -d "$scratch/store" ] || mv "$scratch/store" "$root/artifacts/blobs"
  [ -z "$gcs_pid" ] || kill "$gcs_pid" 2>/dev/null || true
  rm -rf "$scratch"
}
trap clean_up EXIT
say() { "$@" >"$scratch/said" 2>&1 || { local status=$?; cat "$scratch/said"; return $status; }; }
says() { grep -qF -- "$1" "$scratch/said" || { cat "$scratch/said"; echo "expected in the above: $1"; return 1; }; }
exits() { # CODE COMMAND...
  local code=$1 status=0; shift
  "$@" >"$scratch/said" 2>&1 || status=$?
  [ "$status" = "$code" ] || { cat "$scratch/said"; echo "exit code $status, expected $code"; return 1; }
}
tool() { local name=$1; shift; tools/bazel run --noshow_progress --ui_event_filters=-info,-stdout,-stderr "//tools:$name" -- "$@"; }
upload() { say tool upload_artifacts --filter='^mlp_' --allow-dirty "$@"; }
without_store() { mv artifacts/blobs "$scratch/store"; }
# Caches of its own, so that each check really fetches: Bazel's would answer for a bucket that lies.
run_tests() { tools/bazel test --noshow_progress --cache_test_results=no --repository_cache="$scratch/repositories" --repo_env=ASSAY_BUCKET="$1" --repo_env=ASSAY_CACHE="$scratch/cache" $tests; }
start_gcs() { # FAULTS, as JSON: sets $gcs to the address of a fake that holds the store's objects and mistreats requests so
  printf '%s' "$1" >"$scratch/faults.json"
  python3 -m artifacts.fake_gcs --bucket=assay-test --script="$scratch/faults.json" --folder="${2:-artifacts/blobs}" >"$scratch/address" &
  gcs_pid=$!
  for _ in $(seq 100); do [ ! -s "$scratch/address" ] || break; sleep 0.1; done
  gcs=$(head -n 1 "$scratch/address")
}

declare -A checks
checks['artifacts: every row of FAULTS.md has tests that exist']='say python3 ci/faults.py'
checks['artifacts: generated anew they are the committed ones, and a second time nothing is written']='generate() { say tool generate_artifacts --filter="^mlp_" --out="$scratch/b" --allow-dirty; }; generate; git diff --exit-code artifacts benchmarks; [ "$(ls "$scratch/b" | wc -l)" -ge 3 ]; ls -l --time-style=full-iso "$scratch/b" benchmarks/mlp/lock.bzl >"$scratch/before"; generate; ls -l --time-style=full-iso "$scratch/b" benchmarks/mlp/lock.bzl | diff "$scratch/before" -'
checks['artifacts: the blob rule under Bazel, fault by fault']='say bash artifacts/fetch/bazel_check.sh "$scratch/rule"'
checks['artifacts: uploaded to a folder, read back with the embedded store moved away']='upload --bucket="file://$scratch/b"; says "build --repo_env=ASSAY_BUCKET="; without_store; say run_tests "file://$scratch/b"; says "2 tests pass"'
checks['artifacts: uploading again changes nothing']='upload --bucket="file://$scratch/b"; ls -l --time-style=full-iso "$scratch/b" >"$scratch/before"; upload --bucket="file://$scratch/b"; ls -l --time-style=full-iso "$scratch/b" | diff "$scratch/before" -'
checks['artifacts: uploaded to a Google Cloud Storage that throttles and loses replies, read back from it']='mkdir "$scratch/empty"; start_gcs "[{\"method\": \"POST\", \"times\": 2, \"status\": 503}, {\"method\": \"POST\", \"times\": 1, \"status\": 429}, {\"method\": \"POST\", \"times\": 1, \"reset\": \"after\"}]" "$scratch/empty"; export STORAGE_EMULATOR_HOST=$gcs; upload --bucket=gs://assay-test; without_store; say run_tests "$gcs/assay-test"; says "2 tests pass"'
checks['artifacts: 503, 429, cut bodies and a stall end green']='start_gcs "[{\"method\": \"GET\", \"times\": 2, \"status\": 503}, {\"method\": \"GET\", \"times\": 1, \"status\": 429, \"retry_after\": 1}, {\"method\": \"GET\", \"times\": 1, \"stall_after\": 100, \"stall_seconds\": 60}, {\"method\": \"GET\", \"times\": 2, \"cut_after\": 300}]"; without_store; say run_tests "$gcs/assay-test"; says "2 tests pass"; says "failed there: "'
checks['artifacts: wrong bytes are FAIL_ARTIFACT, and end green where a mirror is right']='start_gcs "[{\"method\": \"GET\", \"wrong_bytes\": true}]"; without_store; exits 1 run_tests "$gcs/assay-test"; says FAIL_ARTIFACT; say run_tests "$gcs/assay-test,file://$scratch/store"; says "2 tests pass"'
checks['artifacts: list, size, check and prune']='say tool artifacts list --filter=mlp_fp32; says mlp_fp32_b2; say tool artifacts size --query=//benchmarks/mlp/...; say tool artifacts check --filter=mlp; say tool artifacts prune'
checks['artifacts, bad input: no bucket, another scheme, a bad filter, a folder that is none, an unknown word']='exits 3 tool upload_artifacts; says --bucket; exits 3 tool upload_artifacts --bucket=s3://b; says "gs://"; exits 3 tool artifacts list --filter="("; exits 3 tool generate_artifacts --help-me; exits 3 tool artifacts lsit; without_store; exits 1 run_tests "b/../c d"; says ASSAY_BUCKET'

if [ "${1:-}" = --list ]; then printf '%s\n' "${!checks[@]}" | LC_ALL=C sort; exit 0; fi
[ -n "${checks[${1:-}]:-}" ] || { echo "no check '${1:-}'; --list names them" >&2; exit 3; }
eval "${checks[$1]}"
