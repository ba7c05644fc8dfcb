"""Measures the gain of parallel uploads: 200 blobs of 16 KB, 40 ms of latency at the server, one at a time against
--jobs.

  tools/bazel run //tools/artifacts/upload:latency_benchmark
  tools/bazel run //tools/artifacts/upload:latency_benchmark -- --jobs=32 --rounds=3

Measures the upload step (GcsBucket and sending.py) against the fake server in a process of its own; not the start of
Python, not a real network's bandwidth. Both ways in each round, in turns; prints every time and the ratio of medians.
Exit code 1 where the ratio is less than --goal.
"""

import argparse
import hashlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from tools.artifacts.upload import sending
from tools.artifacts.upload.bucket import CREATED, Settings
from tools.artifacts.upload.gcs_bucket import GcsBucket
from tools.artifacts.upload.local_blobs import Item
from tools.artifacts.upload.progress import Progress


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blobs", type=int, default=200)
    parser.add_argument("--bytes", type=int, default=16000)
    parser.add_argument("--latency", type=float, default=0.04, help="seconds, of every request")
    parser.add_argument("--jobs", type=int, default=Settings().jobs)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--goal", type=float, default=8.0, help="the least ratio that is right")
    return parser.parse_args()


def _items(folder, count, size):
    items = []
    for number in range(count):
        data = hashlib.sha256(b"%d" % number).digest() * (size // 32)
        path = os.path.join(folder, "%d" % number)
        with open(path, "wb") as f:
            f.write(data)
        digest = hashlib.sha256(data).hexdigest()
        items.append(Item(digest + ".safetensors", len(data), digest, path, (str(number),)))
    return items


def _seconds(items, url, prefix, jobs):
    """The seconds of one upload of everything into a new folder of the bucket."""
    settings = Settings(jobs=jobs)
    bucket = GcsBucket("bucket", prefix, settings, {"STORAGE_EMULATOR_HOST": url})
    bucket.check()
    begin = time.monotonic()
    results = sending.send(items, bucket, settings, Progress(items, io.StringIO(), time.monotonic))
    seconds = time.monotonic() - begin
    assert [r.state for r in results] == [CREATED] * len(items), [r for r in results if r.state != CREATED][:3]
    return seconds


def main():
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        items = _items(folder, arguments.blobs, arguments.bytes)
        script = os.path.join(folder, "script.json")
        with open(script, "w", encoding="utf-8") as f:
            json.dump([{"latency": arguments.latency}], f)
        command = [sys.executable, "-m", "artifacts.fake_gcs", "--bucket=bucket", "--script=" + script]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            url = server.stdout.readline().strip()
            single, several = [], []
            for number in range(arguments.rounds):
                single.append(_seconds(items, url, "one%d" % number, 1))
                several.append(_seconds(items, url, "many%d" % number, arguments.jobs))
                figures = (number + 1, single[-1], arguments.jobs, several[-1])
                print("round %d   one at a time %.2f s   --jobs=%d %.2f s" % figures)
            server.terminate()
    ratio = statistics.median(single) / statistics.median(several)
    what = "%d blobs of %.1f kB, %.0f ms of latency" % (len(items), items[0].size / 1e3, arguments.latency * 1e3)
    print("%s: %.1f times as fast with --jobs=%d (goal %.1f)" % (what, ratio, arguments.jobs, arguments.goal))
    return 0 if ratio >= arguments.goal else 1


if __name__ == "__main__":
    sys.exit(main())
