#!/usr/bin/env python3
"""A runner for run_test.py: the name of a case says how it ends. Takes one case, or --series with its journal."""

import json
import os
import sys
import time


def _flags(words):
    """By name, with '_' for '-'."""
    parted = (word[2:].partition("=") for word in words)
    return {name.replace("-", "_"): value for name, _, value in parted}


def _record(flags, outcome, **more):
    medians = [{"mode": "wall", "median_ns": 1000 + 100 * ("inject" in flags)}] if "modes" in flags else []
    line = json.dumps({"benchmark_case": {"label": flags["case_name"]}, "outcome": outcome, "measurements": medians, **more})
    with open(flags["record"], "a", encoding="utf-8") as f:
        f.write(line + "\n")


def _run(flags):
    """The exit code of one case; None where the process is of no further use."""
    name = flags["case_name"].partition(":")[2].partition("_")[0]
    print("runs", name, flush=True)
    if name == "crashes":
        os.abort()
    if name == "hangs":
        time.sleep(100)
    if name == "lost":
        _record(flags, "DEVICE_LOST", error="the GPU is gone")
        return None
    if name == "silent":
        return 0
    outcome = {"passes": "PASS", "fails": "FAIL_ACCURACY", "skipped": "SKIPPED_DECLARED"}[name]
    output = {"name": "logits", "max_error": 2e-3, "max_limit": 1e-4, "rms_error": 1e-5, "rms_limit": 1e-5}
    _record(flags, outcome, duration_s=0.5, verdict={"outputs": [output]} if name == "fails" else {})
    return 1 if name == "fails" else 0


def main():
    flags = _flags(sys.argv[1:])
    if "series" not in flags:
        return _run(flags) or 0
    with open(flags["series"], "rb") as f:
        lines = [line.decode().split("\0") for line in f.read().split(b"\0\0")[:-1]]
    if "never_begins" in lines[0][1]:
        print("error while loading shared libraries: libcublas.so.13: no such file")
        return 127
    for i in range(int(flags["series_first"]), len(lines)):
        with open(flags["series"] + ".journal", "w", encoding="utf-8") as f:
            f.write("B%020d\n\n" % i)
        code = _run(_flags(lines[i]))
        with open(flags["series"] + ".journal", "r+", encoding="utf-8") as f:
            f.write("E")
        if code is None:
            return 1
    with open(flags["series"] + ".journal", "w", encoding="utf-8") as f:
        f.write("F%020d\n\n" % 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
