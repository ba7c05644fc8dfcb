#!/usr/bin/env bash
# A user's kernel in the place of ATen's, compared over a model and operators: a right one, wrong ones, one that no case
# calls, one that does not fit. Bazel and //tools:kernel are played: everything is built. $1: run_suite, $2: libstand_in.so,
# $3: the folder of kernels over ATen's, $4: of kernels with a name of their own; then the cases.
set -u
suite=$PWD/$1 over=$PWD/$3 own=$PWD/$4
tree=$TEST_TMPDIR/tree
out=$tree/out
mkdir -p "$tree/tools" "$out/tools/kernel" "$out/$(dirname "$2")"
ln -s "$PWD/$2" "$out/$2"
cat >"$out/tools/kernel/kernel" <<'END'
#!/bin/sh
echo "ASSAY_KERNEL_LIBRARY=$1"
for word; do
  case $word in --like=*) echo "ASSAY_KERNEL_LIKE=${word#*=}" ;; --op=*) echo "ASSAY_KERNEL_OP=${word#*=}" ;; esac
done
END
cat >"$tree/tools/bazel" <<END
#!/bin/sh
case \$1 in info) echo '$out' ;; run) cat cases.csv ;; esac
END
echo case,model >"$tree/cases.csv"
chmod +x "$tree/tools/bazel" "$out/tools/kernel/kernel"
for case in "${@:5}"; do
  echo "//$(dirname "$case"):$(basename "$case"),m" >>"$tree/cases.csv"
  mkdir -p "$out/$(dirname "$case")"
  cp -L "$case" "$out/$case"
  ln -s "$TEST_SRCDIR" "$out/$case.runfiles"
done

failures=0
fail() { echo "FAIL: $*"; sed 's/^/    /' "$TEST_TMPDIR/said"; failures=$((failures + 1)); }
says() { grep -qE -- "$1" "$TEST_TMPDIR/said" || fail "it does not say: $1"; }
# compare CODE CASES LIBRARY [FLAG...]
compare() {
  BUILD_WORKSPACE_DIRECTORY=$tree BUILD_WORKING_DIRECTORY=$tree XDG_CACHE_HOME=$TEST_TMPDIR/cache \
    "$suite" --compare -k "^($2)\$" --candidate="$3" "${@:4}" \
    --compare-flags='--pairs=2 --extra-rounds=0 --budget=0.01 --flagged=keep --metric=wall' >"$TEST_TMPDIR/said" 2>&1
  code=$?
  [ "$code" = "$1" ] || fail "exit code $code, not $1: $*"
}

compare 0 'mlp_fp32_b64|relu_fp32_r64_c256' "$over/libright_softmax.so"
says '^mlp_fp32_b64/wall .* (FASTER|SLOWER|SAME|INCONCLUSIVE) +2$'
says '^calls +mlp_fp32_b64: aten::_softmax: 1, about [0-9.]+ % of the time$'
says '^note +//benchmarks/operators:relu_fp32_r64_c256 does not call aten::_softmax, and is not compared$'
compare 3 relu_fp32_r64_c256 "$over/libright_softmax.so"
says 'none of these cases calls aten::_softmax'
compare 1 mlp_fp32_b64 "$over/libwrong_softmax.so"
says 'mlp_fp32_b64: not compared: FAIL_ACCURACY \(candidate\)'

compare 0 mlp_fp32_b64 "$own/libsoftmax.so" --like=aten::softmax.int
says '^calls +mlp_fp32_b64: aten::_softmax: 1, '
compare 3 mlp_fp32_b64 "$own/libsoftmax.so"
says 'the library registers no kernel over ATen.s; --like=NAME says'
compare 3 mlp_fp32_b64 "$own/libregisters_two.so" --like=aten::softmax.int
says 'registers 2 operators; choose with --op: '
compare 3 mlp_fp32_b64 "$own/libsoftmax.so" --like=aten::layer_norm
says 'cannot be called in the place of aten::layer_norm:'
says '^ +needed +aten::native_layer_norm\(Tensor input'
compare 3 mlp_fp32_b64 "$own/libsoftmax.so" --like=aten::sofmax
says 'LibTorch has no such operator'
exit $((failures > 0))
