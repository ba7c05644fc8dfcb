#!/bin/sh
# //benchmarks:list shows why a case does not run on a device: no case of 8-bit integers runs on CUDA, whichever table it is from.
# And it has the table of flags as data: those of docs/data/flags.md.
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
python3 - <<'EOF'
import json, re, subprocess

def said(form):
    return subprocess.check_output(["benchmarks/list_cases", "--registry=benchmarks/registry.pb", "--format=" + form], text=True)

flags = {flag["name"]: flag for flag in json.loads(said("flags_json"))}
rows = [row for row in said("flags").splitlines() if row.startswith("| `--")]
assert len(rows) == len(flags) > 50, (len(rows), len(flags))
for row, flag in zip(rows, flags.values()):
    spelt = "[=" if flag["value"].startswith("[") else "=" if flag["value"] else "`"
    assert row.startswith("| `--%s%s" % (flag["name"], spelt)), (row, flag)
    assert (" configuration |" in row) == flag["in_configuration"], (row, flag)
assert (flags["batch"]["in_configuration"], flags["modes"]["in_configuration"], flags["modes"]["in_plan"]) == (True, False, True), flags
assert flags["threads"]["default"] == "0" and not flags["record"]["in_plan"], flags

# The two tables of docs/data/models.md count the cases without a reference alike, and as the list of cases does.
def cells(form):
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in said(form).splitlines()]

without = int(re.search(r"(\d+) without a reference$", said("text").strip())[1])
head, _, *models = cells("models")
*families, (name, _, total, keys) = cells("unreferenced")[2:]
assert name == "all" and int(total) == sum(int(cases) for _, _, cases, _ in families) == without > 0, (total, without)
assert sum(int(row[head.index("without reference")] or 0) for row in models) == without
assert 0 < int(keys) == sum(int(family[3]) for family in families) <= without, keys
EOF
