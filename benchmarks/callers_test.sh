#!/bin/sh
# //benchmarks:callers names the models that call an operator, with the overload, and operators that others call; and it knows typing mistakes.
set -eu
fail() { echo "$1: $said" >&2; exit 1; }
callers() { said=$(benchmarks/callers.sh "$@" 2>&1) && code=0 || code=$?; }
callers softmax --filter='benchmarks/(mlp|unet):'
[ "$code" = 0 ] || fail "exit code $code"
echo "$said" | grep -Eq '^mlp +aten::softmax\.int$' || fail "mlp calls softmax.int"
echo "$said" | grep -q '^unet' && fail "unet has no softmax"
callers aten::_softmax --filter='benchmarks/mlp:'
echo "$said" | grep -q '^1 of 1 models call aten::_softmax; ' || fail "softmax calls _softmax"
callers aten::softmax.Dimname --filter='benchmarks/mlp:'
[ "$said" = '0 of 1 models call aten::softmax.Dimname' ] || fail "another overload"
callers sofmax
[ "$code" = 3 ] || fail "exit code $code of an operator that does not exist"
echo "$said" | grep -q "no operator 'aten::sofmax'; the nearest names are .*aten::softmax" || fail "the nearest names"
callers relu gelu
[ "$code" = 3 ] || fail "exit code $code of two operators"
