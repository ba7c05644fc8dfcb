#!/usr/bin/env bash
# The program as people type it: a right kernel, wrong ones, what it prints and its exit codes.
set -u
kernel=$1 examples=$2 operators=$3
scratch=$(mktemp -d "${TEST_TMPDIR:-/tmp}/kernel.XXXXXX")
failures=0
fail() { echo "FAIL: $*"; sed 's/^/    /' "$scratch/out"; failures=$((failures + 1)); }
# expect CODE TEXT WORD...: its exit code, and a pattern that it prints.
expect() {
  local want=$1 text=$2
  shift 2
  "$kernel" "$@" >"$scratch/out" 2>&1
  local code=$?
  [ "$code" = "$want" ] || fail "exit code $code, not $want: $*"
  grep -qE -- "$text" "$scratch/out" || fail "it does not say '$text': $*"
}
# also TEXT: a pattern that the last call printed, too.
also() { grep -qE -- "$1" "$scratch/out" || fail "it does not say '$1', too"; }
verify() { expect "$1" "$2" "$examples/lib$3.so" --like=softmax --at=b=5,c=37 --action=verify --threads=1 "${@:4}"; }

verify 0 '^verdict +RIGHT: [0-9]+ checks agree with float64' softmax
verify 0 '^verdict +RIGHT' stable_softmax
verify 0 '^verdict +RIGHT' tvm_ffi_softmax
also 'it refuses b=.*: ValueError: softmax takes contiguous tensors of one shape'
verify 1 'TypeError: softmax takes float32' tvm_ffi_softmax --dtype=fp64
verify 1 "exports no TVM-FFI function 'mine'; it exports softmax" tvm_ffi_softmax --op=mine
verify 2 'built for another LibTorch: the one here does not define at::OfAnotherVersion()' other_libtorch
verify 1 '^verdict +WRONG: differs at b=1 c=[1-7], fp32$' wrong_length
verify 1 'values with (infinities|NaN)|a row of -inf' wrong_infinity
verify 1 "it reads byte 1 behind the end of input 'self'" reads_outside
verify 1 'was not written to' unwritten_end
verify 1 "it writes to input 'self'" writes_input
verify 1 'in the second of two equal calls' previous_output
verify 1 '^verdict +WRONG: threw at b=5 c=37' throws
verify 1 'signal 6' aborts
verify 1 '^verdict +WRONG: hung' hangs --timeout=1
verify 1 'checked with --dtype=fp16' throws
verify 1 'result has dtype' other_dtype
verify 1 'registers no operator' registers_nothing
verify 1 'registers 2 operators; choose with --op: ' registers_two

# No source, and no library.
for file in mine.cubin mine.py; do echo >"$scratch/$file"; done
expect 3 "mine.cubin: code of a GPU alone cannot be called: .* Give a source" "$scratch/mine.cubin" --like=softmax
expect 3 'mine.py: a source ends in .cc, ' "$scratch/mine.py" --like=softmax

# A library with a part that nvcc compiled: with compute-sanitizer, of which this one knows the words and the log, and without.
right=$examples/libsoftmax.so
objcopy --add-section ".nv_fatbin=$operators" "$right" "$scratch/gpu.so"
gpu() { expect "$1" "$2" "$scratch/gpu.so" --like=softmax --at=b=5,c=37 --action=verify --threads=1; }
command -v compute-sanitizer >/dev/null || gpu 0 '^NOTED +no compute-sanitizer: it is not in PATH'
mkdir "$scratch/bin"
cat >"$scratch/bin/compute-sanitizer" <<'END'
#!/bin/sh
[ "$1" = --version ] && exit 0
while :; do
  case $1 in
    --log-file=*%p*) log=$(echo "${1#*=}" | sed "s/%p/$$/") ;;
    --tool=memcheck | --target-processes=all | --report-api-errors=no) ;;
    *) break ;;
  esac
  shift
done
{
  echo '========= COMPUTE-SANITIZER'
  sed 's/^/========= /' "$(dirname "$0")/finding"
  echo '========= ERROR SUMMARY: some errors'
} >"$log"
[ -e "$0.touches" ] && touch "$(cat "$0.touches")"
exec "$@"
END
chmod +x "$scratch/bin/compute-sanitizer"
printf '%s\n' 'Invalid __global__ write of size 4 bytes' '    at softmax(float *)+0x70 in mine.cu:12' \
  '    by thread (3,0,0) in block (0,0,0)' >"$scratch/bin/finding"
PATH=$scratch/bin:$PATH gpu 1 'Invalid __global__ write of size 4 bytes at softmax\(float \*\)\+0x70 in mine.cu:12$'

# A library that is written anew while it is measured.
: >"$scratch/bin/finding"
echo "$scratch/gpu.so" >"$scratch/bin/compute-sanitizer.touches"
PATH=$scratch/bin:$PATH expect 2 '^verdict +NOT_VERIFIED: .*gpu.so changed while it was checked or timed' \
  "$scratch/gpu.so" --like=softmax --at=b=5,c=37 --processes=2 --budget=0.001

# And one that is written anew when its checks have passed: by the first process that times it.
mkdir -p "$scratch/runfiles/_main/benchmarks/operators/kernel"
child=$scratch/runfiles/_main/benchmarks/operators/kernel/kernel_child
cat >"$child" <<END
#!/bin/sh
case "\$*" in *--action=time*) touch "$scratch/built.so" ;; esac
exec "$PWD/benchmarks/operators/kernel/kernel_child" "\$@"
END
chmod +x "$child"
cp "$right" "$scratch/built.so"
RUNFILES_DIR=$scratch/runfiles expect 2 '^verdict +NOT_VERIFIED: .*built.so changed while it was checked or timed' \
  "$scratch/built.so" --like=softmax --at=b=5,c=37 --processes=2 --budget=0.001
! grep -q '^mean' "$scratch/out" || fail 'it has times of a library that changed after its checks'

# A source given twice has not changed, although the cache sets the time of its library each time that it gives it.
XDG_CACHE_HOME=$scratch/cache expect 0 '^verdict +RIGHT' "$examples/softmax.cc" "$examples/softmax.cc" --noasan --like=softmax \
  --at=b=5,c=37 --processes=2 --budget=0.001
[ "$(grep -c '^verdict *RIGHT' "$scratch/out")" = 2 ] || fail 'not both are right'

# Times, and every format. How fast it is says nothing here. What a format says of times: kernel_report_test.
expect 0 '^mean +[0-9.e+]+ times as fast as ATen' "$right" --like=softmax --at=b=5,c=37 --processes=2 --budget=0.001
verify 0 '"verdict": "RIGHT"' softmax --json
verify 0 'mine::softmax,.*,RIGHT,b=5 c=37,fp32,' softmax --csv
# The seed repeats a run.
verify 1 '--seed=5 repeats this' wrong_infinity --seed=5
cp "$scratch/out" "$scratch/first"
verify 1 '--seed=5 repeats this' wrong_infinity --seed=5
cmp -s "$scratch/out" "$scratch/first" || fail "the same seed does not say the same"

# What a hasty user gets wrong.
expect 3 'near: softmax' "$right" --like=sofmax
expect 3 "'c' is missing; write b=16,c=96" "$right" --like=softmax --at=b=4
expect 2 'there is no such file' "$scratch/none.so" --like=softmax
expect 3 '--like is missing' "$right"
expect 3 'it is a folder; give a file in it' "$scratch" --like=softmax
expect 3 "'64' is no name=value; write b=16,c=96" "$right" --like=softmax --at=64
expect 3 "there is no folder $scratch/none; make it first" "$right" --like=softmax --html="$scratch/none/page.html"
expect 2 'aten::softmaxx itself does not take a=5 b=6, fp32: .*aten::softmax' "$right" --like=aten::softmaxx --at=self=5x6
expect 2 'itself does not take b=2147483647 c=2147483647, fp32: .' "$right" --like=softmax --at=b=2147483647,c=2147483647
expect 1 "it needs an argument 'dim' of type int, which --like does not have" "$right" --like=mm --action=verify
# A definition of FlashInfer-Trace, where Python has no torch.
printf '#!/bin/sh\nexit 4\n' >"$scratch/python" && chmod +x "$scratch/python"
expect 2 'it has no torch; pip install torch' "$examples/librmsnorm.so" --flashinfer-trace="$examples/rmsnorm_h128.json" \
  --workload="$examples/rmsnorm_h128.jsonl" --python="$scratch/python"
expect 3 'definition: it is no JSON object' "$examples/librmsnorm.so" --flashinfer-trace="$examples/rmsnorm_h128.jsonl" \
  --workload="$examples/rmsnorm_h128.jsonl"
expect 3 'needs --workload' "$examples/librmsnorm.so" --flashinfer-trace="$examples/rmsnorm_h128.json"
# The page has the list, between its marks.
sed -n '/^<!-- list -->$/,/^<!-- \/list -->$/p' "$operators" | grep -v '^<!--\|^```\|^$' >"$scratch/page"
"$kernel" --list | diff "$scratch/page" - >"$scratch/out" ||
  fail "$operators: paste what tools/bazel run //tools:kernel -- --list prints between <!-- list --> and <!-- /list -->"
# The samples of a tiny kernel fill megabytes.
expect 0 '^verdict +RIGHT' "$right" --like=softmax --at=b=1,c=8 --processes=2 --budget=0.2
echo 'no library' >"$scratch/text.so"
expect 2 'NOT_VERIFIED' "$scratch/text.so" --like=softmax --action=verify
exit $((failures > 0))
