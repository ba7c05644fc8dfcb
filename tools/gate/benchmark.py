"""How long the gate takes over many cases: tools/bazel run //tools/gate:benchmark -- --cases=10000

Makes a registry, records of a real run's size and rows for them, then judges once; prints seconds beside Python's start.
"""

import argparse
import io
import json
import os
import sys
import tempfile
import time

from tools.gate import program
from tools.results.test_files import line, record


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10000)
    cases = parser.parse_args().cases
    with tempfile.TemporaryDirectory() as folder:
        names = ["case_%d" % i for i in range(cases)]
        with open(os.path.join(folder, "registry.json"), "w") as f:
            json.dump({"cases": [{"benchmark_case": {"name": name, "label": "//a:" + name}} for name in names]}, f)
        with open(os.path.join(folder, "results.jsonl"), "wb") as f:
            made = record(measurements=[{**m, "samples_ns": []} for m in record()["measurements"]])
            for i, name in enumerate(names):
                made["benchmark_case"]["name"], made["duration_s"] = name, 1 + i
                f.write(line(made))
        with open(os.path.join(folder, "all.toml"), "w") as f:
            f.write('[scope]\ncases = [".*"]\ndevices = ["CPU"]\n[environment.CPU]\ntorch_version = "2.11.0"\n')
        words = ["--expected=all.toml", "--registry=registry.json", "results.jsonl"]
        for more in (["--update"], [], ["--junit=gate.xml", "--summary=gate.md"]):
            out, begin, busy = io.StringIO(), time.perf_counter(), time.process_time()
            code = program.main(words + more, {"BUILD_WORKING_DIRECTORY": folder}, out, sys.stderr)
            seconds, busy = time.perf_counter() - begin, time.process_time() - busy
            told = (" ".join(more) or "judged", code, seconds, busy, out.getvalue().splitlines()[-1])
            print("%-34s exit code %d  %.2f s, %.2f s of a processor  %s" % told)
        size = os.path.getsize(os.path.join(folder, "results.jsonl"))
        print("%d cases, results of %.0f MB" % (cases, size / 1e6))


if __name__ == "__main__":
    main()
