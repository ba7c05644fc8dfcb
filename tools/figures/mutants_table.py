"""The table of docs/mutants.md, from the logs of the mutants tests that ran last:

    tools/bazel test --config=large --test_tag_filters=mutants //benchmarks/...
    python3 tools/figures/mutants_table.py
"""

import glob
import re

_CHECK = re.compile(r"^check +(OK|FLAGGED) +mutant scaled_(\S+): (\w+), rms (\S+), max (\S+) of std$", re.M)
_HEAD = """# Faults that the accuracy tests find

For each model three blocks, the first, the middle and the last, all parameters times 1.01: how far the outputs are then from
the reference, root mean square in its standard deviations, where the float32 limits allow 1e-5. Made by
`tools/bazel test --config=large --test_tag_filters=mutants //benchmarks/...` and `python3 tools/figures/mutants_table.py`.

| case | first block | | middle block | | last block | |
|---|---|---|---|---|---|---|"""


def main():
    print(_HEAD)
    for path in sorted(glob.glob("bazel-testlogs/benchmarks/*/*_mutants_test/test.log")):
        with open(path, encoding="utf-8") as file:
            mutants = _CHECK.findall(file.read())
        cells = ["%s | %s%s" % (block, rms, "" if status == "OK" else " **not found**") for status, block, _, rms, _ in mutants]
        print("| %s | %s |" % (path.split("/")[-2].replace("_mutants_test", ""), " | ".join(cells)))


if __name__ == "__main__":
    main()
