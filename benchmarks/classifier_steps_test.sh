#!/bin/sh
# Measures an image classifier with its preprocessing and postprocessing. Arguments: the case's program.
set -eu
"$PWD/$1" --steps=preprocess,forward,postprocess --modes=wall --budget=0.05 >"$TEST_TMPDIR/log" 2>&1 || { cat "$TEST_TMPDIR/log"; exit 1; }
for row in wall/preprocess wall wall/postprocess; do
  grep -q "^[a-z0-9_]*/$row  " "$TEST_TMPDIR/log" || { cat "$TEST_TMPDIR/log"; echo "no row of $row" >&2; exit 1; }
done
