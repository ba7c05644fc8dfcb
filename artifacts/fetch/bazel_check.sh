#!/usr/bin/env bash
# Tests artifacts/repositories.bzl in a workspace of its own: each source of a blob, and that a failure names the blob.
#
#   artifacts/fetch/bazel_check.sh [SCRATCH-FOLDER]      needs bazel and python3, no network; a folder that is named stays
#
# The workspace holds a lock with made-up blobs and copies of this folder's programs. Not a Bazel test, because it
# starts a Bazel of its own (own output base; ended at the end).
set -eu
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname -- "$(dirname -- "$here")")
named=${1:-}
scratch=${1:-$(mktemp -d)}
mkdir -p "$scratch"
workspace=$scratch/workspace
bazel=$(ls /usr/bin/bazel-[0-9]* 2>/dev/null | sort -V | tail -n 1) || true
bazel=${BAZEL_REAL:-${bazel:-bazel}}
unset ASSAY_BUCKET ASSAY_TOKEN_FILE
n=0

in_workspace() { # COMMAND ARGUMENTS...: any Bazel command, without the rc files of the user and of the tree
  local command=$1 flags=(); shift
  case $("$bazel" --version) in "bazel no_version"* | "bazel 4."*) ;; *) flags=(--noenable_bzlmod --enable_workspace) ;; esac
  [ "$command" != shutdown ] || flags=()
  (cd "$workspace" && exec -a bazel "$bazel" --nohome_rc --noworkspace_rc --output_base="$scratch/base" "$command" \
    ${flags[@]+"${flags[@]}"} "$@")
}

build() { # [VARIABLE=VALUE...] DIGEST [FLAGS]: leaves the log in $scratch/log and the exit code in $status
  local variables=() digest; while [[ $1 == *=* ]]; do variables+=("--repo_env=$1"); shift; done
  digest=$1; shift; status=0
  in_workspace build --noshow_progress --repository_cache="$scratch/repository_cache" --repo_env=ASSAY_CACHE="$scratch/cache$n" \
    --repo_env=ASSAY_FETCH_DEADLINE=5 ${variables[@]+"${variables[@]}"} "$@" "//artifacts:blob_$digest" >"$scratch/log" 2>&1 || status=$?
}

expect() { # WHAT works|fails [TEXT...]: how the build before ended, and what its log says
  local what=$1 want=$2 how=works text; shift 2
  [ "$status" = 0 ] || how=fails
  for text in "$@"; do grep -qF -- "$text" "$scratch/log" || how="$how without \"$text\""; done
  if [ "$how" != "$want" ]; then
    echo "bazel_check: FAILED: $what: it $how, wanted that it $want. Its log:" >&2; cat "$scratch/log" >&2; exit 1
  fi
  echo "ok: $what"
}

forget_ours() { n=$((n + 1)); rm -rf "$workspace/artifacts/staged"; } # another ASSAY_CACHE also makes Bazel fetch again

forget() { forget_ours; rm -rf "$scratch/repository_cache"; } # everything that could answer in a source's place

put() { # BYTES SUFFIX: an object in the bucket; prints its digest
  local digest; digest=$(printf '%s' "$1" | sha256sum | cut -d' ' -f1)
  printf '%s' "$1" >"$scratch/bucket/$digest.$2"; echo "$digest"
}

stage() { mkdir -p "$workspace/artifacts/staged"; cat >"$workspace/artifacts/staged/$1.safetensors"; }

make_workspace() {
  mkdir -p "$workspace/artifacts/fetch" "$workspace/defs/build/python" "$scratch/bucket"
  cp "$root/artifacts/repositories.bzl" "$root/artifacts/BUILD.bazel" "$workspace/artifacts/"
  cp "$here"/*.py "$here"/*.inc "$workspace/artifacts/fetch/"
  cp -r "$root/tools/deps/stubs/rules_python" "$workspace/"
  touch "$workspace/artifacts/fetch/BUILD.bazel" "$workspace/defs/build/python/BUILD.bazel"
  printf 'def python_test(**kwargs):\n    pass\n' >"$workspace/defs/build/python/python_test.bzl"
  cat >"$workspace/WORKSPACE" <<'EOF'
workspace(name = "assay")
local_repository(name = "assay_families", path = "families")
local_repository(name = "rules_python", path = "rules_python")
load("@assay_families//:families.bzl", "LOCKS")
load("//artifacts:repositories.bzl", "blob_repositories")
blob_repositories(LOCKS)
EOF
  mkdir -p "$workspace/families"; touch "$workspace/families/WORKSPACE" "$workspace/families/BUILD.bazel"
  blob=$(put 'a blob' safetensors) module=$(put 'a module' pt2)
  cat >"$workspace/families/families.bzl" <<EOF
LOCKS = {"benchmarks/x": {
    "a": {"sha256": "$blob", "size": 6, "store": "bucket"},
    "a.module": {"sha256": "$module", "size": 8, "store": "bucket", "role": "module"},
}}
EOF
}

check_what_works() {
  status=0; in_workspace query //artifacts:all >"$scratch/log" 2>&1 || status=$?
  [ -z "$(find "$scratch/base/external" -maxdepth 1 -name 'blob_*')" ] || status=1
  expect "a query fetches nothing" works "blob_$blob"
  forget; build ASSAY_BUCKET="$scratch/bucket" "$blob"; expect "a folder as the bucket" works
  [ -z "$(find "$scratch/base/external" -maxdepth 1 -name "blob_${module:0:16}*")" ] || status=1
  expect "and nothing is fetched that was not asked for" works
  forget; build ASSAY_BUCKET=file://../bucket "$module"; expect "a relative folder" works
  cmp "$scratch/bucket/$module.pt2" "$scratch/base/external/blob_${module:0:16}/$module.pt2"
  forget; stage "$blob" <"$scratch/bucket/$blob.safetensors"; build "$blob"; expect "a staged blob needs no bucket" works
  forget; echo rotten | stage "$blob"
  build ASSAY_BUCKET="$scratch/bucket" "$blob"; expect "a rotten staged blob is passed over" works
  forget_ours; build ASSAY_BUCKET="$scratch/none" "$blob"; expect "Bazel's repository cache answers where the bucket is gone" works
  forget; mkdir -p "$scratch/dist"; cp "$scratch/bucket/$blob.safetensors" "$scratch/dist/$blob"
  build ASSAY_BUCKET="$scratch/none" "$blob" --distdir="$scratch/dist"; expect "so does --distdir" works
  forget; build ASSAY_BUCKET="http://127.0.0.1:1/b,$scratch/bucket" "$blob"
  expect "a dead source is told and passed" works "connection refused"
}

check_what_fails() {
  local digest='want  sha256 '
  forget; build "$blob"; expect "no bucket: says what to do" fails \
    "ARTIFACT_UNAVAILABLE: the blob is not in the tree and ASSAY_BUCKET is not set" "generate_artifacts -- --filter='^a\$'"
  forget; build ASSAY_BUCKET="$scratch/none,http://127.0.0.1:1/b?sig=SECRET" "$blob"; expect "no source has it" fails \
    "ARTIFACT_UNAVAILABLE: blob $blob" "no such folder: $scratch/none" "http://127.0.0.1:1/b?***"
  ! grep -F SECRET "$scratch/log" || { echo "bazel_check: FAILED: a secret is shown" >&2; exit 1; }
  forget; build ASSAY_BUCKET=ftp://h/b "$blob"; expect "a source of a kind that is not known" fails "the scheme ftp:// is not known"
  mkdir -p "$scratch/wrong"; printf 'b blob' >"$scratch/wrong/$blob.safetensors"
  forget; build ASSAY_BUCKET="$scratch/wrong" "$blob"; expect "wrong bytes" fails "FAIL_ARTIFACT: blob $blob" "$digest$blob"
}

serve() { # FAULTS: starts the fake bucket (artifacts/fake_gcs) with the blobs and these faults; its address is $url
  printf '%s' "$1" >"$scratch/faults.json"; : >"$scratch/url"
  (cd "$root" && exec python3 -B -m artifacts.fake_gcs --bucket=b --folder="$scratch/bucket" --script="$scratch/faults.json") >"$scratch/url" &
  server=$!
  until [ -s "$scratch/url" ]; do kill -0 $server; sleep 0.05; done
  url=$(head -n 1 "$scratch/url")/b
}

check_a_bad_network() {
  serve '[{"times": 1, "status": 503}, {"times": 1, "status": 429, "retry_after": 1}, {"times": 1, "reset": "before"}, {"times": 1, "cut_after": 3}]'
  forget; build ASSAY_BUCKET="$url" "$blob"
  expect "503, 429 with Retry-After, a reset and a cut body" works "came from $url" "503 " "429 " "connection reset" "got 3 of 6 bytes"
  kill $server; serve '[{"times": 1, "stall_after": 3}]'
  forget; build ASSAY_BUCKET="$url" ASSAY_FETCH_DEADLINE=40 "$blob"; expect "a stall" works "no byte for 15 s"
  kill $server; serve '[{"wrong_bytes": true}]'
  forget; build ASSAY_BUCKET="$url" "$blob"; expect "a wrong byte" fails "FAIL_ARTIFACT: blob $blob" "has another digest"
  forget; build ASSAY_BUCKET="$url,$scratch/bucket" "$blob"; expect "a wrong byte, and a mirror" works "has another digest"
  kill $server; serve '[{"html": true}]'
  forget; build ASSAY_BUCKET="$url" "$blob"; expect "a page in the object's place" fails "FAIL_ARTIFACT" 'body starts with "<!doctype"'
  kill $server; serve '[{"status": 403}]'
  forget; build ASSAY_BUCKET="$url" "$blob"; expect "a closed bucket" fails "ARTIFACT_UNAVAILABLE" "$url is closed to us"
  kill $server; server=
}

make_workspace
server=
trap 'if [ -n "$server" ]; then kill "$server" || true; fi; in_workspace shutdown >/dev/null 2>&1
  [ -n "$named" ] || { chmod -R u+w "$scratch"; rm -rf "$scratch"; }' EXIT
check_what_works
check_what_fails
check_a_bad_network
