"""How fast results are imported and asked, and with how much memory: over synthetic records (synthetic.py).

  tools/bazel run //tools/results:benchmark -- --records=1000000

It writes 9 kB a record into --folder, and removes that again. Seconds include the start of the program. On a busy
machine those of processors say more; "largest process" is the most memory that any of the import's processes had, of
which there is one for each CPU and one more. Not a test: nothing is held against a limit.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

from tools.results import synthetic

_QUERIES = [
    ["outcomes"],
    ["latest"],
    ["slowest"],
    ["history", "resnet50_bf16_b8"],
    ["select dtype, mode, count(*), avg(median_ns) from results group by 1, 2"],
    ["select model, max(median_ns) from results where dtype = 'BF16' and outcome = 'PASS' group by 1"],
]


def _timed(arguments, folder):
    """Seconds of a wall clock, and of processors."""
    environment = {**os.environ, "BUILD_WORKING_DIRECTORY": folder}
    before, used = time.monotonic(), _processor_seconds()
    subprocess.run(
        [sys.executable, "-s", "-S", "-m", "tools.results", *arguments],
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.monotonic() - before, _processor_seconds() - used


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
        print("%d records, %.0f MB" % (flags.records, os.path.getsize(path) / 1e6), flush=True)
        for what in ("import", "the same again"):
            seconds, used = _timed(["import", "runs.jsonl", "--samples=" + flags.samples], folder)
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
            print(
                "%-14s %6.1f s, %.1f s of processors; largest process %.0f MB, database %.0f MB"
                % (what, seconds, used, peak / 1e6, os.path.getsize(data) / 1e6),
                flush=True,
            )
        for query in _QUERIES:
            print(
                "query %6.2f s, %.2f s of processors: %s" % (*_timed(["query", *query], folder), " ".join(query)),
                flush=True,
            )


if __name__ == "__main__":
    main()
