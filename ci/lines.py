"""Counts the lines of this tree: the product's by room and, apart from them, those of tests and instruments.

    python3 ci/lines.py              the files that git tracks, as they are now
    python3 ci/lines.py 8152f92f     those of a commit

A line is what `wc -l` counts. Counted are .cc .h .cu .py .bzl .sh .js .proto, without lock.bzl. A test is a file that says so by
its name or its folder. An instrument proves the project, and no case needs it: ci/, certify, mutate, fuzz, figures, goldens,
lint, simulators, cheats and mutants, sanitizers, benchmarks of this tree's own code. Exits 2 where git has no such commit.
"""

import collections
import io
import re
import subprocess
import sys
import tarfile

KINDS = ("product", "tests", "instruments")
_SOURCES = (".cc", ".h", ".cu", ".py", ".bzl", ".sh", ".js", ".proto")
_TEST = re.compile(r"_test[._]|(^|/)(testdata|testing)/|(^|/)(fake|test)_")
_INSTRUMENT = re.compile(r"(^|/)(ci|certify|mutate|mutants|cheats|fuzz|figures|goldens|lint|sanitizers|simulated_\w+)/"
                         r"|/(?!google_)(\w+_)?benchmark\.(cc|py)$")


def kind_of(path):
    """One of KINDS; None for a file that is not counted."""
    if not path.endswith(_SOURCES) or path.endswith("/lock.bzl"):
        return None
    return "tests" if _TEST.search(path) else "instruments" if _INSTRUMENT.search(path) else "product"


def room_of(path):
    """The folder that a table names: two levels, and three in the harness."""
    folders = path.split("/")[:-1]
    return "/".join(folders[:3 if folders[1:2] == ["harness"] else 2]) or "."


def count(files):
    """{room: {kind: lines}} of pairs of path and content (bytes)."""
    rooms = collections.defaultdict(collections.Counter)
    for path, content in files:
        kind = kind_of(path)
        if kind:
            rooms[room_of(path)][kind] += content.count(b"\n")
    return rooms


def table(rooms):
    """Lines of text: the rooms with most of the product first, the sum last."""
    rows = sorted(rooms.items(), key=lambda row: (-row[1]["product"], row[0]))
    rows.append(("sum", sum(rooms.values(), collections.Counter())))
    line = "%-36s" + " %12s" * len(KINDS)
    return [line % ("room", *KINDS)] + [line % (room, *(lines[kind] for kind in KINDS)) for room, lines in rows]


def tracked_files():
    for path in subprocess.run(["git", "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")[:-1]:
        if kind_of(path):
            with open(path, "rb") as f:
                yield path, f.read()


def files_of(commit):
    archive = subprocess.run(["git", "archive", commit], stdout=subprocess.PIPE)
    if archive.returncode != 0:
        sys.exit(2)  # git said why
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        yield from ((member.name, tar.extractfile(member).read()) for member in tar if member.isfile())


if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[-1].startswith("-"):
        print(__doc__)
        sys.exit(0 if sys.argv[1:] == ["--help"] else 3)
    print("\n".join(table(count(files_of(sys.argv[1]) if sys.argv[1:] else tracked_files()))))
