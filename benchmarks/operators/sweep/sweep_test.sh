#!/usr/bin/env bash
# Tests the sweep as a user starts it: all of ATen, its files, and its errors for wrong words.
set -u
sweep=$1 library=$2 samples=$3
scratch=$(mktemp -d "${TEST_TMPDIR:-/tmp}/sweep.XXXXXX")
failures=0
fail() { echo "FAIL: $*"; sed 's/^/    /' "$scratch/out" "$scratch/err"; failures=$((failures + 1)); }
start() { "$sweep" "$@" >"$scratch/out" 2>"$scratch/err"; code=$?; } # its exit code is $code
says() { cat "$scratch/out" "$scratch/err" | grep -qE -- "$1" || fail "it does not say: $1"; }

# All of it: none is wrong, and at least 85 in 100 are verified.
start --out="$scratch/all.jsonl"
[ "$code" = 0 ] || fail "exit code $code"
percent=$(sed -nE 's/^sweep .* verified, ([0-9]+)\.[0-9] %.*/\1/p' "$scratch/out")
[ "${percent:-0}" -ge 85 ] || fail "${percent:-nothing} percent are verified"
lines=$(wc -l <"$scratch/all.jsonl")
[ "$lines" -gt 1000 ] || fail "$lines operators are too few"

# Compares with itself, and with a file in which an operator has a better finding than it really has.
start --against="$scratch/all.jsonl" --filter='^aten::(mm|linalg_svd)$'
[ "$code" = 0 ] || fail "exit code $code against itself"
sed '/"aten::linalg_svd"/s/"finding":"[^"]*"/"finding":"verified"/' "$scratch/all.jsonl" >"$scratch/better.jsonl"
echo '{"operator":"aten::mm.gone","finding":"verified"}' >>"$scratch/better.jsonl"
start --against="$scratch/better.jsonl" --filter='^aten::(mm|linalg_svd)'
[ "$code" = 1 ] || fail "exit code $code where two are worse"
says 'worse +aten::linalg_svd: .*was: verified'
says 'worse +aten::mm.gone: is gone'

# An operator that kills the process is lost; the others are not.
echo '^aten::native_batch_norm$ input=f[2,3,8,8] weight=none bias=none running_mean=none running_var=none training=false momentum=0.1 eps=0.001' >"$scratch/deadly.txt"
start --samples="$scratch/deadly.txt" --filter='^aten::(cos|native_batch_norm|sin)$' --out="$scratch/lost.jsonl"
[ "$code" = 1 ] || fail "exit code $code where one crashed"
says 'aten::native_batch_norm \(.*deadly.txt:1\): signal 11'
[ "$(grep -c '"verified"' "$scratch/lost.jsonl")" = 2 ] || fail "the two others are not verified"

# Operators of a library are compared with float64, or with the operator that a row names.
start --load-library="$library" --samples="$samples"
[ "$code" = 0 ] || fail "exit code $code with a library"
says 'sweep +2 of 2 functional operators verified'
echo '^example::silu$ !truth=aten::gelu' >"$scratch/wrong.txt"
start --load-library="$library" --samples="$scratch/wrong.txt" --filter=silu
[ "$code" = 1 ] || fail "exit code $code for an operator that is not its truth"
says 'example::silu: result 0 differs by'
start --load-library="$scratch/none.so"; [ "$code" = 2 ] || fail "exit code $code"; says 'load-library: .*none.so'
start --samples="$scratch/none.txt"; [ "$code" = 2 ] || fail "exit code $code"; says 'none.txt: there is no such file'
echo '^a( x=1' >"$scratch/bad.txt"
start --samples="$scratch/bad.txt"; [ "$code" = 3 ] || fail "exit code $code"; says "bad.txt:1: pattern"

# Each row of a user's file is a call, and one that does nothing is an error.
printf '%s\n' '^example::silu$ self=f[7,64] !truth=aten::silu' '^example::silu$ self=f[7,67|1001] !truth=aten::gelu' >"$scratch/rows.txt"
start --load-library="$library" --samples="$scratch/rows.txt" --filter=silu
[ "$code" = 1 ] || fail "exit code $code where the second row's call is wrong"
says 'example::silu \(.*rows.txt:2\): result 0 differs by'
says 'sweep +0 of 1 functional operators verified'
for row in '^example::slu$ self=f[4]/no operator that .* fits is swept; the nearest are example::silu' \
  '^example::silu$ slf=f[4]/has no argument .slf.; the nearest are self' \
  '^example::silu$ !truth=aten::silux/there is no operator .aten::silux.; the nearest names are' \
  '^example::silu$ !truth=aten::addmm/addmm'; do
  echo "${row%%/*}" >"$scratch/bad.txt"
  start --load-library="$library" --samples="$scratch/bad.txt"
  [ "$code" = 3 ] || fail "exit code $code for $row"
  says "bad.txt:1: .*${row#*/}"
done

# Nothing that is missing is a pass.
echo '^example::silu$ self=f[4]' >"$scratch/untrue.txt"
start --load-library="$library" --samples="$scratch/untrue.txt" --filter=silu
[ "$code" = 2 ] || fail "exit code $code where nothing was compared"
says 'example::silu \(.*untrue.txt:1\) was not verified'
start --filter='^aten::empty_like$'; [ "$code" = 2 ] || fail "exit code $code"; says 'nothing was verified'

start --filter='^nothing$'; [ "$code" = 3 ] || fail "exit code $code"; says 'no functional operator of ATen matches'
start --filter='('; [ "$code" = 3 ] || fail "exit code $code"; says 'filter'
start --agianst=x; [ "$code" = 3 ] || fail "exit code $code"; says 'unknown flag --agianst'
start --filter='^aten::mm$' --against="$scratch/none"; [ "$code" = 2 ] || fail "exit code $code"; says 'there is no such file'
start --filter='^aten::mm$' --out="$scratch/none/x"; [ "$code" = 2 ] || fail "exit code $code"; says 'none/x'
exit $((failures > 0))
