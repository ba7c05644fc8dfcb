"""The fake Google Cloud Storage as a program, for shell tests and for trying things by hand. Test only.

    tools/bazel run //artifacts/fake_gcs -- --bucket=b --folder=artifacts/blobs
    python3 -m artifacts.fake_gcs --bucket=b --script=faults.json        from the workspace root

The first line of output is its address. It ends with its parent. --script is a list of rules (faults.py), for example
[{"method": "GET", "times": 2, "status": 503}, {"object": "^abc", "cut_after": 1000}].
"""

import argparse
import ctypes
import os
import signal
import sys
import threading

from artifacts.fake_gcs import faults
from artifacts.fake_gcs.server import READ_WRITE, FakeGcs

_PR_SET_PDEATHSIG = 1
_USAGE = 3


def _die_with_parent():
    """SIGTERM when the thread that started this process ends."""
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(0)


def _arguments():
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="fake_gcs", description=__doc__, formatter_class=shape)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--bucket", action="append", help="a bucket's name; may be repeated (default: b)")
    parser.add_argument("--script", metavar="FILE", help="faults, as JSON")
    parser.add_argument("--folder", metavar="DIR", help="its files are the first bucket's objects at the start")
    parser.add_argument("--token", help="writing needs this bearer token (default: anybody may write)")
    return parser.parse_args()


def main():
    _die_with_parent()
    arguments = _arguments()
    buckets = arguments.bucket or ["b"]
    base = os.environ.get("BUILD_WORKING_DIRECTORY", "")
    try:
        gcs = FakeGcs(buckets, tokens={arguments.token: READ_WRITE} if arguments.token else None, port=arguments.port)
        if arguments.script:
            with open(os.path.join(base, arguments.script), encoding="utf-8") as f:
                gcs.script(*faults.load(f.read()))
        if arguments.folder:
            gcs.put_folder(buckets[0], os.path.join(base, arguments.folder))
    except (OSError, ValueError) as error:
        print("fake_gcs: %s" % error, file=sys.stderr)
        sys.exit(_USAGE)
    with gcs:
        ended = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: ended.set())
        print(gcs.url, flush=True)  # who reads it may end this program at once
        ended.wait()


if __name__ == "__main__":
    main()
