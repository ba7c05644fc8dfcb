"""Measures how fast results are imported and queried, and how much memory that takes: over synthetic records
(synthetic.py).

  tools/bazel run //tools/results:benchmark -- --records=1000000

It writes 9.7 kB a record into --folder, as `export --samples=no` writes a run's, and removes that again. Seconds include
the start of the program. On a busy machine those of processors say more; "largest process" is the most memory that any
of the import's processes had, of which there is one for each CPU and one more. "reading alone" is what no import can go
below: as many processes read the file, digest it, and let the decoder go over every line and keep nothing. Not a test:
nothing is held against a limit.
"""

import argparse
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time

import msgspec

from tools.results import synthetic
from tools.results.line_file import LineFile

_QUERIES = [
    ["outcomes"],
    ["latest"],
    ["slowest"],
    ["history", "resnet50_bf16_b8"],
    ["speedup", *synthetic.COMMITS[:2]],
    ["failures"],
    ["suites"],
    ["select dtype, mode, sum(medians), sum(sum_ns) / sum(medians) from summary group by 1, 2"],
    ["select model, max(max_ns) from summary where dtype = 'BF16' and outcome = 'PASS' group by 1"],
    ["select dtype, mode, count(*), avg(median_ns) from results group by 1, 2"],
    ["select model, max(median_ns) from results where dtype = 'BF16' and outcome = 'PASS' group by 1"],
]


_NOTHING = msgspec.json.Decoder(msgspec.defstruct("nothing", []))


def _timed(work, *arguments):
    """Seconds of a wall clock, and of the processors that its child processes used."""
    before, used = time.monotonic(), _processor_seconds()
    work(*arguments)
    return time.monotonic() - before, _processor_seconds() - used


def _program(arguments, folder):
    subprocess.run(
        [sys.executable, "-s", "-S", "-m", "tools.results", *arguments],
        env={**os.environ, "BUILD_WORKING_DIRECTORY": folder},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def _read(path):
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0))) as pool:
        for _ in pool.imap(_read_piece, LineFile(path).pieces()):
            pass
        pool.close()
        pool.join()


def _read_piece(piece):
    data, _ = piece.read()
    for line in data.splitlines():
        _NOTHING.decode(line)


def _processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=100000)
    parser.add_argument(
        "--samples", choices=("yes", "no"), default="no", help="whether records have them, and the database keeps them"
    )
    parser.add_argument("--folder", default=tempfile.gettempdir())
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=flags.folder) as folder:
        path, data = os.path.join(folder, "runs.jsonl"), os.path.join(folder, "results.sqlite")
        with open(path, "wb") as f:
            f.writelines(synthetic.lines(flags.records, flags.samples == "yes"))
        first = None
        print("%d records, %.0f MB" % (flags.records, os.path.getsize(path) / 1e6), flush=True)
        for what in ("import", "the same again"):
            seconds, used = _timed(_program, ["import", "runs.jsonl", "--samples=" + flags.samples], folder)
            first = first or (seconds, used)
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
            print(
                "%-14s %6.1f s, %.1f s of processors; largest process %.0f MB, database %.0f MB"
                % (what, seconds, used, peak / 1e6, os.path.getsize(data) / 1e6),
                flush=True,
            )
        seconds, used = _timed(_read, path)
        print(
            "%-14s %6.1f s, %.1f s of processors; the import took %.1f times as long, %.1f times as much of processors"
            % ("reading alone", seconds, used, first[0] / seconds, first[1] / used),
            flush=True,
        )
        for query in _QUERIES:
            print(
                "query %6.2f s, %.2f s of processors: %s"
                % (*_timed(_program, ["query", *query], folder), " ".join(query)),
                flush=True,
            )


if __name__ == "__main__":
    main()
