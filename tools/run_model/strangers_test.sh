#!/bin/bash
# Runs files as other people write them: open sizes, int8, dicts, operators that LibTorch lacks, training mode.
set -eu
program=$1
data=$2
library=$3

# expect CODE TEXT WORD...: the program's code and a text among what it prints.
expect() {
  local code=0
  "$program" --action=verify "${@:3}" >"$TEST_TMPDIR/output" 2>&1 || code=$?
  [ "$code" = "$1" ] && grep -q -e "$2" "$TEST_TMPDIR/output" && return
  echo "strangers_test: ${*:3}: code $code, not $1, or nothing of '$2'" >&2
  cat "$TEST_TMPDIR/output" >&2
  exit 1
}
# passes FILE NAME WORD...: with the inputs and outputs that Python wrote.
passes() {
  expect 0 "PASS     output_0 max" --model="$data/$1" --inputs="$data/$2_inputs.safetensors" --reference="$data/$2_outputs.safetensors" "${@:3}"
}

# The file was exported for 3 rows of 5 and is called with 7 of 9.
passes varies.pt2 varies
varies=(--model="$data/varies.pt2")
expect 3 "leaves sizes of its inputs open: x:float32\[1..16,2..64,4\]" "${varies[@]}"
expect 3 "size 0 of x is 20; the file takes 1..16" "${varies[@]}" --input-spec='x:fp32[20,5,4]' --input-spec='ids:int64[20,5]'
expect 3 "size 1 of ids is 6 and size 1 of x is 5; the file takes equal sizes there" "${varies[@]}" --input-spec='x:fp32[2,5,4]' --input-spec='ids:int64[2,6]'

passes bytes.pt bytes
passes bytes.pt2 bytes
expect 0 "NOT_VERIFIED" --model="$data/bytes.pt" --input-spec='x:int8[2,3]<100' --input-spec='y:uint8[2,3]<256' --input-spec='mask:bool[2,3]'

passes nests.pt nests
expect 3 "the argument batch is of type Dict\[str, Tensor\]: give its tensors by dotted names" --model="$data/nests.pt" --input-spec='pair.0:fp32[2,3]'
expect 3 "pair.7 is no part of an argument" --model="$data/nests.pt" --input-spec='batch.c:fp32[2]' --input-spec='batch.a.b:fp32[2,3]' \
  --input-spec='pair.0:fp32[2,3]' --input-spec='pair.1:int64[]' --input-spec='pair.7:fp32[1]' --input-spec='more.0:fp32[1]'

# torchvision's operators of regions and deform_conv2d, without torchvision.
passes deforms.pt2 deforms
for inputs in pools pools_fp64; do passes pools.pt $inputs; done
passes pools.pt2 pools
expect 0 NOT_VERIFIED --model="$data/pools.pt" --inputs="$data/pools_none_inputs.safetensors" # no box: nothing to compare

passes drops.pt drops
expect 0 "NOTED    training_mode: the file was saved in training mode, norm (BatchNorm1d), drop (Dropout); it runs in evaluation" \
  --model="$data/drops.pt" --inputs="$data/drops_inputs.safetensors"
expect 3 "its graph calls aten::batch_norm as while training; call model.eval() before torch.jit.trace()" --model="$data/drops_traced.pt" --input-spec='x:fp32[8,3]'
expect 3 "exported in training mode: it calls torch.ops.aten.batch_norm.default as while training" --model="$data/drops.pt2"

# What stands in the way of a comparison with Python is not the product's fault.
expect 3 "--record.*: not with --against.*, which prints a comparison" --against=python --model="$data/grads.pt" --record=a
expect 3 "--python.*: it is of --against" --model="$data/grads.pt" --python=a
against=(--against=python --model="$data/grads.pt" --input-spec='x:fp32[8]')
expect 2 "give the Python that has torch, --python=FILE" "${against[@]}" --python=/nowhere/python
export PYTHONPATH=$TEST_TMPDIR
echo 'raise ImportError("No module named torch")' >"$TEST_TMPDIR/torch.py"
expect 2 "python3 cannot import torch: ImportError: No module named torch; give the one that has it" "${against[@]}" --python=python3
printf '__version__ = "2.6.0+cpu"\nget_num_threads = int\nclass __config__:\n    show = str\n' >"$TEST_TMPDIR/torch.py"
expect 2 "python3 has torch 2.6.0+cpu, and this program LibTorch 2.11.0: both must be of one version" "${against[@]}" --python=python3

passes calls.pt calls --load-library="$library"
# The digest of the model is of the library, too.
cp "$library" "$TEST_TMPDIR/other.so"
echo >>"$TEST_TMPDIR/other.so"
for each in "$library" "$library" "$TEST_TMPDIR/other.so"; do passes calls.pt calls --load-library="$each" --record="$TEST_TMPDIR/digests.jsonl"; done
[ "$(grep -o '"module":"[0-9a-f]*"' "$TEST_TMPDIR/digests.jsonl" | uniq -c | awk '{print $1}' | xargs)" = "2 1" ] || {
  echo "strangers_test: another library has the same digest, or the same library another" >&2
  exit 1
}
expect 3 "calls.pt: it calls example::silu, an operator that this program does not have; give the library" --model="$data/calls.pt" --input-spec='x:fp32[5]'
expect 3 "load-library=$data/calls.pt: cannot be loaded" --model="$data/calls.pt" --load-library="$data/calls.pt" --input-spec='x:fp32[5]'
