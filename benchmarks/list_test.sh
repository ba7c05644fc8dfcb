#!/bin/sh
# //benchmarks:list shows why a case does not run on a device: no case of 8-bit integers runs on CUDA, whichever table it is from.
set -eu
list() { benchmarks/list_cases --registry=benchmarks/registry.pb --format=csv "$@" | tail -n +2; }
int8=$(list --filter='_int8_(dynamic|weights)')
[ "$(echo "$int8" | wc -l)" -ge 4 ] || { echo "list names no case that is lowered to 8 bits: $int8" >&2; exit 1; }
if runs=$(echo "$int8" | grep -v 'skipped on CUDA: int8_'); then
  echo "list does not say that these are skipped on CUDA:" >&2; echo "$runs" >&2; exit 1
fi
if others=$(list | grep -v '_int8_' | grep 'skipped on CUDA: int8_'); then
  echo "list says that these are skipped for a lowering that they do not have:" >&2; echo "$others" >&2; exit 1
fi
