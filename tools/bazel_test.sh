#!/usr/bin/env bash
# tools/bazel itself, in a small tree of its own with a stub in Bazel's place and one in apt-get's: no network, no Bazel.
set -uo pipefail
root=$PWD scratch=$TEST_TMPDIR
failures=0
fail() { echo "FAIL: $*"; sed 's/^/    /' "$scratch/out" "$scratch/err"; failures=$((failures + 1)); }
stub() { mkdir -p "${1%/*}"; printf '#!/bin/sh\n%s\n' "$2" >"$1"; chmod +x "$1"; } # PATH SCRIPT

stub "$scratch/stubs/apt-get" 'echo "$@" >>"$APT"; case " $* " in
  *" --assume-no "*) echo "Need to get 58.1 MB/60 MB of archives."; echo "After this operation, 90 MB of additional disk space will be used."; exit 1 ;;
  *" install "*" --download-only "*) [ -z "${APT_FAILS:-}" ] || exit 1; for word; do case $word in Dir::Cache=*) : >"${word#*=}/archives/libssl-dev.deb" ;; esac; done ;;
  *" install "*) exit 1 ;;
esac'
stub "$scratch/stubs/dpkg-deb" '[ "$1" = -x ] && cd "$3" && mkdir -p usr/include/lacking usr/bin etc/lacking && : >usr/include/lacking/evp.h && : >etc/lacking/conf &&
  : >usr/bin/protoc && ln -s sh usr/bin/of_the_system && ln -s /etc/lacking/conf usr/conf'
stub "$scratch/stubs/patchelf" 'echo "$@" >>"$APT"'
stub "$scratch/stubs/sudo" 'echo sudo >>"$APT"; exec "$@"'
stub "$scratch/stubs/id" 'echo "${USER_ID:-0}"'
stub "$scratch/stubs/python3" 'echo "$@" >>"$LOOKS"; exec '"$(command -v python3)"' "$@"'
stub "$scratch/real" '[ "$1" != --version ] || { echo "bazel ${VERSION:-7.7.1}"; exit; }; echo "${ASSAY_PREFIX:-}" >"$PREFIX"; echo "families=$ASSAY_FAMILIES arguments=$*"'
export BAZEL_REAL=$scratch/real PATH=$scratch/stubs:$PATH LOOKS=$scratch/looks APT=$scratch/apt PREFIX=$scratch/prefix TMPDIR=$scratch

new_tree() { # an empty checkout in $tree, a cache that has what Debian's source packages give
  tree=$scratch/tree cache=$scratch/cache
  rm -rf "$tree" "$cache" "$LOOKS" "$APT"
  mkdir -p "$tree/tools/deps" "$tree/benchmarks/x" "$cache/assay/sources"
  : >"$cache/assay/sources/tried"
  cp "$root/tools/bazel" "$tree/tools/bazel"
  cp "$root"/tools/deps/{find_families,unpack_packages}.sh "$tree/tools/deps"
  : >"$tree/WORKSPACE"
  echo 'benchmarks(' >"$tree/benchmarks/x/BUILD.bazel"
}
start() { # COMMAND [ARGUMENT...]: runs it in the tree, or in the folder $from, with the cache; its exit code is $code
  (cd "${from:-$tree}" && XDG_CACHE_HOME=$cache exec "$@") >"$scratch/out" 2>"$scratch/err"; code=$?
}
reaches_bazel() { # the last start() handed command and families to Bazel
  [ "$code" = 0 ] || fail "exit code $code"
  grep -qx 'families=benchmarks/x locks:  *arguments=build //x' "$scratch/out" || fail "the stub was not given what it needs"
}
looks() { cat "$LOOKS" 2>/dev/null | grep -c 'import pip'; }

new_tree
start "$tree/tools/bazel" build //x; reaches_bazel
[ -z "$(find "$tree" -newer "$tree/benchmarks/x/BUILD.bazel" -type f)" ] || fail "the tree was written to"
[ "$(looks)" = 1 ] || fail "a machine seen first is looked at: $(looks)"
start "$tree/tools/bazel" build //x; reaches_bazel
[ "$(looks)" = 1 ] || fail "a complete machine is looked at once: $(looks)"
[ ! -s "$scratch/err" ] || fail "a second start is quiet"
from=/ start "$tree/tools/bazel" build //x; { [ "$code" = 3 ] && grep -q "type first: cd $tree" "$scratch/err"; } || fail "a folder outside of the checkout"
# 4 does not know the flags of .bazelrc, and 8 and 9 not those that mean WORKSPACE.
VERSION=no_version start "$tree/tools/bazel" build //x; grep -q "arguments=--noworkspace_rc --bazelrc=$tree/tools/bazel4.bazelrc build //x" "$scratch/out" || fail "Bazel 4 has an rc file of its own"
for version in 8.5.0 9.0.0; do
  VERSION=$version start "$tree/tools/bazel" build //x
  grep -q "arguments=--noworkspace_rc --bazelrc=$tree/tools/bazel8.bazelrc build //x" "$scratch/out" || fail "Bazel $version has an rc file of its own"
done
# A test that passed on one GPU is repeated on another, with another driver, and where there is none.
for gpu in 'H100, 580.1' 'H100, 580.2' ''; do
  stub "$scratch/stubs/nvidia-smi" "[ -n '$gpu' ] && echo '$gpu'"
  start "$tree/tools/bazel" test --config=cuda //x
  grep -q "arguments=test --test_env=ASSAY_GPU=${gpu:-none};\\? --config=cuda //x" "$scratch/out" || fail "'$gpu' is not in the key of a test"
done
start "$tree/tools/bazel" test //x; grep -q "arguments=test //x" "$scratch/out" || fail "a test without a GPU has no other key"
# //... leaves out what only CI and developers need; its own folder and other configurations do not.
start "$tree/tools/bazel" test //...; grep -q "arguments=test --config=without_extra //\.\.\." "$scratch/out" || fail "//... leaves out the extra tests"
start "$tree/tools/bazel" run //x:mlp_fp32_b1 --budget=1; [ "$code" = 3 ] || fail "a flag of the case before --"
grep -q "behind --: tools/bazel run //PACKAGE:CASE -- --budget=1" "$scratch/err" || fail "it does not say where the flag stands"
start "$tree/tools/bazel" run -c opt //x:y -- --budget=1; grep -q "arguments=run -c opt //x:y -- --budget=1" "$scratch/out" || fail "flags behind --"
for label in //x:mlp_fp32_b1 :mlp_bf16_b1 //x:mlp_fp32_b8_train; do
  start "$tree/tools/bazel" test "$label"; grep -q "arguments=test ${label}_accuracy_test$" "$scratch/out" || fail "a test of a case is its accuracy test"
done
for label in //x:mlp_fp32_b1_smoke_test //x/mlp_fp32_b1:tests --test_arg=//x:mlp_fp32_b1 //x:fp32; do
  start "$tree/tools/bazel" test "$label"; grep -q "arguments=test $label$" "$scratch/out" || fail "no other label is changed"
done
for words in '//tools/...' '--config=extra //...' '--config=large //...' '//x:all'; do
  # shellcheck disable=SC2086  # words
  start "$tree/tools/bazel" test $words; grep -q "arguments=test $words" "$scratch/out" || fail "test $words is as it is typed"
done
# A home, and a tree, may be shared by machines.
start env HOSTNAME=another "$tree/tools/bazel" build //x; reaches_bazel
[ "$(looks)" = 2 ] || fail "another machine is looked at too: $(looks)"
start env -u XDG_CACHE_HOME -u HOME "$tree/tools/bazel" build //x; reaches_bazel
[ "$(looks)" = 3 ] || fail "without a place to remember it is looked each time: $(looks)"

# A folder that no label can name harms nobody else.
for name in 'my models' modèle; do mkdir "$tree/benchmarks/$name"; echo 'benchmarks(' >"$tree/benchmarks/$name/BUILD.bazel"; done
start "$tree/tools/bazel" build //x; reaches_bazel
[ "$(grep -c 'left out of the families: give its folder a name of' "$scratch/err")" = 2 ] || fail "it does not say which folders it leaves out"

# Nothing can be written where a plain file has the folder's name: for root as well, whom no permission stops.
new_tree
cache=/dev/null
start "$tree/tools/bazel" build //x; reaches_bazel
grep -q 'cannot write /dev/null/bazel, .*: tools/bazel --output_user_root=FOLDER build' "$scratch/err" || fail "it does not say where else Bazel can write"
start "$tree/tools/bazel" --output_user_root="$scratch/elsewhere" build //x; [ ! -s "$scratch/err" ] || fail "another folder is named, so nothing is said"

# Sources come through this machine's own servers, into the cache; where that fails one line says so, once.
new_tree
rm -r "$cache/assay"
start "$tree/tools/bazel" build //x; reaches_bazel
[ "$(grep -c 'source --download-only' "$APT")" = 3 ] || fail "three source packages are asked for"
grep -q 'not all of them were there' "$scratch/err" || fail "it says that they were not there"
start "$tree/tools/bazel" build //x; reaches_bazel
[ ! -s "$scratch/err" ] && [ "$(grep -c 'source --download-only' "$APT")" = 3 ] || fail "they are asked for once"

# Installing is allowed to root, and to another user who agreed, beforehand or on a terminal.
lacking_tree() { new_tree; sed -i 's|^/usr/include/openssl/evp.h|/usr/include/lacking/evp.h|' "$tree/tools/bazel"; }
on_terminal() { # ANSWER: starts tools/bazel as an ordinary user on a terminal, where ANSWER is typed
  USER_ID=1000 start python3 - "$1" "$tree/tools/bazel" build //x <<'PY'
import os, pty, sys
def read(descriptor, text=sys.argv[1].encode() + b"\n"):
    data = os.read(descriptor, 1024)
    if b"[y/N]" in data:
        os.write(descriptor, text)
    return data
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:], read, lambda descriptor: b"")))
PY
}
installs() { grep -q 'install -y --no-install-recommends libssl-dev' "$APT" 2>/dev/null; } # was it tried?
refuses() { # the last start() printed the command, tried nothing and started no program
  [ "$code" = 2 ] || fail "exit code $code, not 2"
  grep -q "Do it yourself: $1apt-get install libssl-dev" "$scratch/out" "$scratch/err" || fail "the command is not there"
  ! installs || fail "it was tried to install"
  ! grep -q 'families=' "$scratch/out" || fail "Bazel was started"
}

lacking_tree; start "$tree/tools/bazel" build //x
installs && [ "$code" = 2 ] || fail "root installs, and is told that it failed: $code"
grep -q 'libssl-dev: digests of artifacts' "$scratch/err" || fail "it says what and why"
grep -qx 'tools/bazel: installing them, 58.1 MB/60 MB to fetch: apt-get install libssl-dev' "$scratch/err" || fail "it says how much"
lacking_tree; start env ASSAY_INSTALL=0 "$tree/tools/bazel" build //x; refuses ''
lacking_tree; start env ASSAY_INSTALL=no "$tree/tools/bazel" build //x
[ "$code" = 3 ] && ! installs || fail "a word that ASSAY_INSTALL does not know is a yes: $code"
lacking_tree; start env USER_ID=1000 "$tree/tools/bazel" build //x; refuses 'sudo '
grep -q 'ASSAY_INSTALL=1' "$scratch/err" || fail "it says how to do without a terminal"
lacking_tree; start env USER_ID=1000 ASSAY_INSTALL=1 "$tree/tools/bazel" build //x
installs && grep -q sudo "$APT" || fail "a user who said so beforehand installs by sudo"
if python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
  lacking_tree; on_terminal y; installs && grep -q sudo "$APT" || fail "a user who says yes installs by sudo"
  lacking_tree; on_terminal n; refuses 'sudo '
  lacking_tree; on_terminal ''; refuses 'sudo '
else
  echo "left out: what is asked on a terminal, since this machine has no pseudo-terminals (/dev/pts)"
fi

# Without sudo, or on demand, the packages are unpacked in the user's cache, once.
mkdir "$scratch/no_sudo"
for folder in ${PATH//:/ }; do ln -s "$folder"/* "$scratch/no_sudo" 2>/dev/null; done # what comes first stays
rm -f "$scratch/no_sudo/sudo"
ordinary() { start env USER_ID=1000 PATH="$scratch/no_sudo" "$@" "$tree/tools/bazel" build //x; } # [NAME=VALUE...]: a user without sudo
advises() { # COMMAND PACKAGES: the last start() named conda-forge and the container, and neither fetched nor started anything
  [ "$code" = 2 ] && [ ! -s "$scratch/out" ] && [ ! -e "$APT" ] || fail "exit code $code"
  grep -qE "conda $1 -c conda-forge $2( &&|,)" "$scratch/err" && grep -q 'docker build -t assay -f ci/Dockerfile' "$scratch/err" || fail "it does not say what else to do"
}
if [ -r /var/lib/dpkg/status ]; then
  for words in "env USER_ID=1000 PATH=$scratch/no_sudo" 'env USER_ID=1000 ASSAY_INSTALL=user'; do
    # shellcheck disable=SC2086  # words
    lacking_tree; start $words "$tree/tools/bazel" build //x; reaches_bazel
    unpacked=$(cat "$PREFIX")
    case $unpacked in "$cache/assay/packages-$HOSTNAME-"*/usr) ;; *) fail "the build uses $unpacked" ;; esac
    [ -e "$unpacked/include/lacking/evp.h" ] || fail "the header is not in the prefix"
    grep -q "into ${unpacked%/usr}, 58.1 MB/60 MB to fetch, 90 MB unpacked" "$scratch/err" || fail "it says where and how much"
    grep -q 'install -y --download-only --no-install-recommends libssl-dev patchelf' "$APT" && ! grep -q sudo "$APT" || fail "apt-get fetches, as the user"
    grep -q "set-rpath $unpacked/lib/.*/usr/bin/protoc" "$APT" || fail "protoc does not find its libraries"
    [ "$(readlink "$unpacked/bin/of_the_system") $(readlink "$unpacked/conf")" = "/usr/bin/sh ${unpacked%/usr}/etc/lacking/conf" ] || fail "links that led nowhere"
    calls=$(wc -l <"$APT") seen=$(looks)
    start env USER_ID=1000 "$tree/tools/bazel" build //x; reaches_bazel
    [ "$(cat "$PREFIX")" = "$unpacked" ] && [ "$(wc -l <"$APT")" = "$calls" ] && [ "$(looks)" = "$seen" ] && [ ! -s "$scratch/err" ] || fail "a second start fetches nothing, does not look again, and uses the same prefix"
    rm -r "${unpacked%/usr}"
    # shellcheck disable=SC2086  # words
    start $words "$tree/tools/bazel" build //x; reaches_bazel
    [ -e "$unpacked/include/lacking/evp.h" ] || fail "a folder that somebody removed is made anew"
  done
  lacking_tree; ordinary APT_FAILS=1
  [ "$code" = 2 ] && [ ! -s "$scratch/out" ] && ! compgen -G "$cache/assay/packages*" >/dev/null || fail "a failed download leaves nothing, and ends: $code"
else
  echo "left out: packages of a user, since this machine has no dpkg"
fi
lacking_tree; ordinary ASSAY_INSTALL=0
[ "$code" = 2 ] && [ ! -e "$APT" ] || fail "who forbids it gets nothing installed: $code"
lacking_tree; sed -i 's/^g++|/lacking-g++|/' "$tree/tools/bazel"; ordinary; advises 'create -n assay' 'gxx openssl'
grep -q 'an administrator has to install them: apt-get install g++$' "$scratch/err" || fail "a compiler is the administrator's"

# A prefix that the user names, such as a conda environment; a machine without apt-get; an unpacked Bazel, whose rc file is not in /etc.
lacking_tree; mkdir -p "$scratch/conda/include/lacking"; : >"$scratch/conda/include/lacking/evp.h"
ordinary ASSAY_PREFIX="$scratch/conda"; reaches_bazel
[ "$(cat "$PREFIX")" = "$scratch/conda" ] || fail "the prefix is not handed on"
rm "$scratch/conda/include/lacking/evp.h"; rm -r "$cache/assay"; ordinary ASSAY_PREFIX="$scratch/conda"; advises "install -p $scratch/conda" openssl
grep -q "ASSAY_PREFIX=$scratch/conda lacks them, too" "$scratch/err" || fail "nothing is unpacked beside a prefix that the user names"
ordinary ASSAY_PREFIX=/nonexistent; [ "$code" = 3 ] && grep -q 'ASSAY_PREFIX names no folder' "$scratch/err" || fail "a prefix that is none: $code"
rm "$scratch/no_sudo/apt-get"; lacking_tree; ordinary; advises 'create -n assay' openssl
grep -q 'no apt-get here' "$scratch/err" || fail "it does not say why nothing is installed"
# Bazel is not conda-forge's, which excludes the protobuf that the tree needs.
sed -i 's/^find_bazel() {/& return 0;/' "$tree/tools/bazel"; : >"$scratch/conda/include/lacking/evp.h"; ordinary ASSAY_PREFIX="$scratch/conda"
[ "$code" = 2 ] && grep -q 'Bazel is one file: .*-linux-x86_64 of its releases. .* BAZEL_REAL=FILE' "$scratch/err" && ! grep -q 'conda install' "$scratch/err" || fail "where Bazel comes from: $code"
new_tree; start env BAZEL_REAL="$scratch/none" "$tree/tools/bazel" build //x
[ "$code" = 3 ] && grep -q "BAZEL_REAL=$scratch/none is no program" "$scratch/err" || fail "a Bazel that is none: $code"
stub "$scratch/debian/bazel" 'exit 1'; start env BAZEL_REAL="$scratch/debian/bazel-7.7.1" PATH="$scratch/with_bazel:$PATH" "$tree/tools/bazel" build //x
! grep -q 'is no program' "$scratch/err" || fail "Debian's wrapper names a version that is not there"
# Certificates of conda, and of those who name them.
sed -i 's|^/etc/ssl/certs/ca-certificates.crt|/etc/ssl/lacking|' "$tree/tools/bazel"; ordinary SSL_CERT_FILE= ASSAY_PREFIX="$scratch/conda"; advises "install -p $scratch/conda" ca-certificates
mkdir "$scratch/conda/ssl"; : >"$scratch/conda/ssl/cacert.pem"; ordinary ASSAY_PREFIX="$scratch/conda"; reaches_bazel
# A protobuf that does not fit.
protobuf_of() { # HEADERS PROTOC: versions of the prefix's
  mkdir -p "$scratch/conda/include/google/protobuf/stubs" "$scratch/conda/bin"
  printf '#define GOOGLE_PROTOBUF_VERSION %s\n#define GOOGLE_PROTOBUF_VERSION_SUFFIX ""\n' "$1" >"$scratch/conda/include/google/protobuf/stubs/common.h"
  stub "$scratch/conda/bin/protoc" "echo libprotoc $2"
  start env ASSAY_PREFIX="$scratch/conda" "$tree/tools/bazel" build //x
}
protobuf_of 3021012 3.21.12; reaches_bazel
protobuf_of 3012004 3.12.4; reaches_bazel
protobuf_of 5029003 29.3
[ "$code" = 2 ] && [ ! -s "$scratch/out" ] && grep -q "$scratch/conda/include/.* is of protobuf 5.29.3. This tree needs 3.21 or older.*conda install -p $scratch/conda -c conda-forge libprotobuf=3.21" "$scratch/err" || fail "a protobuf that is too new: $code"
protobuf_of 3021012 29.3
[ "$code" = 2 ] && grep -q "$scratch/conda/bin/protoc --version says 'libprotoc 29.3', and $scratch/conda/include/.* is of protobuf 3.21.12" "$scratch/err" || fail "headers and protoc of two versions: $code"
new_tree
mkdir -p "$scratch/p/usr/bin" "$scratch/p/usr/share/bazel" "$scratch/p/etc/bazel"; echo no_version >"$scratch/p/usr/share/bazel/build-label.txt"; cp "$scratch/real" "$scratch/p/usr/bin/bazel-4"; : >"$scratch/p/etc/bazel/bazelrc"
start env ASSAY_PREFIX="$scratch/p/usr" BAZEL_REAL="$scratch/p/usr/bin/bazel-4" "$tree/tools/bazel" build //x
grep -q "arguments=--bazelrc=$scratch/p/etc/bazel/bazelrc --noworkspace_rc --bazelrc=$tree/tools/bazel4.bazelrc build //x" "$scratch/out" || fail "an unpacked Bazel has its rc file"

# Only to install, as ci/Dockerfile does.
new_tree; start env ASSAY_INSTALL=only "$tree/tools/bazel"
[ "$code" = 0 ] && [ ! -s "$scratch/out" ] || fail "it started Bazel: $code"

# Warnings are errors for those who want it, wherever the command stands.
new_tree
start env ASSAY_STRICT=1 "$tree/tools/bazel" --batch build //x
grep -q 'arguments=--batch build --config=strict //x' "$scratch/out" || fail "strict builds"
start env ASSAY_STRICT=1 "$tree/tools/bazel" info
grep -q 'arguments=info$' "$scratch/out" || fail "info knows no configuration"

# A cache that machines share, for the commands that know one.
new_tree
start env ASSAY_REMOTE_CACHE=http://cache:8090 "$tree/tools/bazel" --batch test //x
grep -q 'arguments=--batch test --config=remote_cache --remote_cache=http://cache:8090 //x' "$scratch/out" || fail "the shared cache"
start env ASSAY_REMOTE_CACHE=http://cache:8090 "$tree/tools/bazel" info
grep -q 'arguments=info$' "$scratch/out" || fail "info knows no cache"

# A service that runs actions. On a GPU only where it is said which, and never here instead.
start env ASSAY_REMOTE_EXECUTOR=grpc://service:50051 "$tree/tools/bazel" --batch test //x
grep -q 'arguments=--batch test --config=remote --remote_executor=grpc://service:50051 //x' "$scratch/out" || fail "the executor"
start env ASSAY_REMOTE_EXECUTOR=grpc://service:50051 "$tree/tools/bazel" info
grep -q 'arguments=info$' "$scratch/out" || fail "info knows no executor"
start env ASSAY_REMOTE_EXECUTOR=grpc://service:50051 ASSAY_REMOTE_GPU='H100, 580.1' "$tree/tools/bazel" test --config=cuda //x
grep -q 'arguments=test --test_env=ASSAY_GPU=H100, 580.1 --config=remote --remote_executor=grpc://service:50051 --noremote_local_fallback --config=cuda //x' "$scratch/out" ||
  fail "the workers' GPU is in the key of a test"
refuses_executor() { # WHY: the last start() ended as wrong usage before Bazel was started
  [ "$code" = 3 ] && [ ! -s "$scratch/out" ] && grep -q "$1" "$scratch/err" || fail "$1: exit code $code"
}
start env ASSAY_REMOTE_EXECUTOR=grpc://service:50051 "$tree/tools/bazel" test --config=cuda //x; refuses_executor 'by ASSAY_REMOTE_GPU='
start env ASSAY_REMOTE_EXECUTOR=http://service:50051 "$tree/tools/bazel" build //x; refuses_executor 'ASSAY_REMOTE_EXECUTOR=http://service:50051: it is grpc://HOST:PORT'
start env ASSAY_REMOTE_EXECUTOR=grpc://service:50051 ASSAY_REMOTE_CACHE=http://cache:8090 "$tree/tools/bazel" build //x; refuses_executor 'unset one'

# Another LibTorch has an output folder of its own, if it is one of those that are pinned.
new_tree
printf '    "torch": ("2.11.0", {\n    "2.10.0": dict(_CUDA, torch = ("2.10.0", "ac5b")),\n' >"$tree/tools/deps/versions.bzl"
start env ASSAY_LIBTORCH=2.10.0 "$tree/tools/bazel" build //x
grep -q 'arguments=--output_base=.*/libtorch/2.10.0-[0-9]* build .*//x' "$scratch/out" || fail "another LibTorch"
start env ASSAY_LIBTORCH=2.10 "$tree/tools/bazel" build //x
[ $code = 3 ] && [ ! -s "$scratch/out" ] && grep -q 'ASSAY_LIBTORCH=2.10: .* pins 2.11.0 2.10.0$' "$scratch/err" || fail "a LibTorch that is none: exit code $code"
# So has a build for another machine.
start "$tree/tools/bazel" build --config=aarch64 //x
grep -q 'arguments=--output_base=.*/libtorch/aarch64-[0-9]* build .*--config=aarch64 //x' "$scratch/out" || fail "a build for another machine"
start "$tree/tools/bazel" build --config aarch64 //x
grep -q 'arguments=--output_base=.*/libtorch/aarch64-[0-9]* build ' "$scratch/out" || fail "the same, with a space"

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
