"""How long a report takes, beside pandas that makes the same of the same lines: tools/bazel run //tools/report:benchmark -- --records=100000

It writes made-up records without samples (tools/results/synthetic.py; 9.7 kB each) into --folder, imports them, and takes the
geometric mean of the speedups in each campaign: by //tools:report from the database, and by pandas from the file, of which it keeps
the fields that it needs alone. Both are processes of their own, their start included; the figures must be the same. Then the page.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas

from tools.results import synthetic


def _usable(measurement):
    return all(check.get("status") != "CHECK_FLAGGED" for check in measurement.get("checks", ()))


def by_pandas(path):
    """{campaign: geometric mean over models of those over a model's workloads, of the oldest time over the campaign's last}."""
    kept = []
    with open(path, "rb") as f:
        for line in f:
            run = json.loads(line)
            case, wall = run["benchmark_case"], next(m for m in run["measurements"] if m["mode"] == "wall")
            good = run["outcome"] == "PASS" and _usable(wall)
            kept.append((run["launch"]["suite_run"], run["started_utc"], case["model"], case["name"], wall["median_ns"], good))
    table = pandas.DataFrame(kept, columns=["campaign", "started", "model", "case", "ns", "good"])
    last = table.groupby(["campaign", "model", "case"], sort=False).last().reset_index()
    last = last[last.good].copy()
    oldest = last.sort_values("started", kind="stable").groupby("case").ns.first()
    last["log"] = np.log(last.case.map(oldest) / last.ns)
    models = last.groupby(["campaign", "model"], sort=False).log.mean()
    return np.exp(models.groupby("campaign", sort=False).mean()).to_dict()


def _timed(words, folder):
    """(seconds of a clock, of processors, standard output); the largest process of all so far is told beside it."""
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-s", "-S", *words],
        env={**os.environ, "BUILD_WORKING_DIRECTORY": folder},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - begun, used, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=100000)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--pandas", help=argparse.SUPPRESS)
    flags = parser.parse_args()
    if flags.pandas:
        json.dump(by_pandas(flags.pandas), sys.stdout)
        return
    with tempfile.TemporaryDirectory(dir=flags.folder) as folder:
        path = os.path.join(folder, "runs.jsonl")
        with open(path, "wb") as f:
            f.writelines(synthetic.lines(flags.records, samples=False))
        print("%d records, %.0f MB; load %.1f" % (flags.records, os.path.getsize(path) / 1e6, os.getloadavg()[0]), flush=True)
        report = ["-m", "tools.report", "results.sqlite"]
        steps = {
            "import": ["-m", "tools.results", "import", "runs.jsonl", "--samples=no"],
            "report": [*report, "--report=speedup", "--format=csv"],
            "pandas": ["-m", "tools.report.benchmark", "--pandas=" + path],
            "page": report,
        }
        made = {}
        for name, words in steps.items():
            made[name] = _timed(words, folder)
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
            print("%-7s %6.1f s, %.1f s of a processor; largest process so far %.0f MB" % (name, *made[name][:2], peak), flush=True)
        wanted = json.loads(made["pandas"][2])
        rows = list(csv.reader(made["report"][2].splitlines()))[1:]
        apart = np.abs(np.array([float(row[1]) for row in rows]) - list(wanted.values())).max()
        ratios = [made["pandas"][i] / made["report"][i] for i in (0, 1)]
        print("pandas takes %.1f times as long, %.1f times as much of a processor" % tuple(ratios))
        print("%d campaigns, whose means differ by %.1g at most" % (len(rows), apart))
        if len(rows) != len(wanted) or not apart < 1e-7:  # the report rounds to 8 digits
            sys.exit("the two do not agree")


if __name__ == "__main__":
    main()
