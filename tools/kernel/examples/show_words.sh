#!/usr/bin/env bash
# In the place of //tools:kernel, for the test of kernel(): shows its words, a line each. Fails where it is not given a library and an
# operator, as that program would.
set -u
[ -s "${1:-}" ] || { echo "no library ${1:-}"; exit 3; }
case " $* " in *' --like=aten::'*) ;; *) echo "no --like"; exit 3 ;; esac
basename "$1"
shift
printf '%s\n' "$@"
