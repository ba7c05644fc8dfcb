#!/bin/bash
# Runs a script of torchvision's Mask R-CNN without torchvision: boxes, labels, scores and masks are those of the writer.
set -eu
data=$2
"$1" --action=verify --model="$data/masks_rcnn.pt" --inputs="$data/masks_rcnn_inputs.safetensors" \
  --reference="$data/masks_rcnn_outputs.safetensors" >"$TEST_TMPDIR/output" 2>&1 || {
  cat "$TEST_TMPDIR/output" >&2
  exit 1
}
for part in "PASS     output_0 max" "output_1 max" "output_2 max" "output_3 max"; do
  grep -q -- "$part" "$TEST_TMPDIR/output" || {
    echo "script_detector_test: says nothing of '$part'" >&2
    cat "$TEST_TMPDIR/output" >&2
    exit 1
  }
done
