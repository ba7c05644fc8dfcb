"""Every row of artifacts/FAULTS.md names tests that exist, or says that there can be none.

    python3 ci/faults.py        from the root; exit code 0, or 1 with the rows that are wrong
"""

import os
import re
import sys

_FOLDERS = {
    "FETCH": "artifacts/fetch",
    "GEN": "tools/artifacts/generate",
    "INV": "tools/artifacts/inventory",
    "UP": "tools/artifacts/upload",
    "LOCK": "artifacts/format/lock_table_test.py",
    "NUM": "benchmarks/harness/numerics",
    "TEN": "benchmarks/harness/tensor_files",
    "RUN": "benchmarks/harness/runner",
    "COMPARE": "tools/compare",
}
_WANTED = [str(n) for n in (*range(1, 41), 51, 53, 57, 58, *range(62, 68))]


def problems(number, cell):
    """The faults of the last cell of a row: a list of messages."""
    if cell.startswith("no "):
        return []
    found, path = [], None
    for word in re.findall(r"`[^`]+`|[A-Za-z_/]+\.(?:py|cc|sh)|\bLOCK\b", cell):
        if not word.startswith("`"):
            first, _, rest = word.partition("/")
            path = os.path.join(_FOLDERS.get(first, first), rest) if rest else _FOLDERS.get(word, word)
            if not os.path.exists(path):
                found.append("row %s: there is no %s" % (number, path))
                path = None
        elif path:
            with open(path, encoding="utf-8") as f:
                if not re.search(r"(def |, |\"|\b)" + re.escape(word.strip("`")), f.read()):
                    found.append("row %s: %s has no %s" % (number, path, word))
    return found if path or found else ["row %s: names no test" % number]


def main():
    with open("artifacts/FAULTS.md", encoding="utf-8") as f:
        rows = [line.strip().strip("|").split(" | ") for line in f if re.match(r"\| \d", line)]
    numbers = [row[0].strip() for row in rows]
    wrong = ["row %s is missing" % n for n in _WANTED if n not in numbers]
    for row in rows:
        wrong += problems(row[0].strip(), row[-1].strip())
    print("\n".join(wrong) or "%d rows, each with tests that exist or a reason" % len(rows))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
