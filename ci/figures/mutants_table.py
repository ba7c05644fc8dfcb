"""The table of docs/data/mutants.md, from the logs of each family's :cases_test that ran last:

    tools/bazel test //benchmarks/...
    python3 ci/figures/mutants_table.py > docs/data/mutants.md
"""

import glob
import re

# A case's first line, and that of a mutant.
_CASE = re.compile(r"^(\S+)   eager, (?:eval|generate) · ")
_CHECK = re.compile(r"^check +(OK|FLAGGED) +mutant scaled_(\S+): \w+, max \S+ \S+, rms (\S+) of std$")
_HEAD = """# Faults that the accuracy tests find

For the first model of each implementation three blocks, the first, the middle and the last, half the rows of their matrices
and all vectors times 1.01: how far the outputs are then from the reference, root mean square in its standard deviations,
where the float32 limits allow 1e-5. Made by `tools/bazel test //benchmarks/...` and `python3 ci/figures/mutants_table.py`;
other models' tests, `<case>_mutants_test`, print the same.

| case | first block | | middle block | | last block | |
|---|---|---|---|---|---|---|"""


def cells_by_case(lines):
    """{case: [a cell for each of its mutants]} of a test's log."""
    cells, case = {}, None
    for line in lines:
        if begins := _CASE.match(line):
            case = begins.group(1)
        elif found := _CHECK.match(line):
            status, block, rms = found.groups()
            cells.setdefault(case, []).append("%s | %s%s" % (block, rms, "" if status == "OK" else " **not found**"))
    return cells


def main():
    print(_HEAD)
    cells = {}
    for path in glob.glob("bazel-testlogs/benchmarks/*/cases_test/test.log"):
        with open(path, encoding="utf-8") as file:
            cells.update(cells_by_case(file))
    for case in sorted(cells):
        print("| %s | %s |" % (case, " | ".join(cells[case])))


if __name__ == "__main__":
    main()
