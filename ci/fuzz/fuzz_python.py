"""The long form of fuzzing Python's readers: Atheris, which is libFuzzer for Python.

    tools/bazel run //ci/fuzz:fuzz_python -- lock /tmp/fuzz_lock -max_total_time=600

TARGET (lock, reference_blob or safetensors), a folder, and flags of libFuzzer. FOLDER/corpus gets what is discovered,
FOLDER/findings what broke a promise. Any other Python 3.11 with Atheris will do as well:
PYTHONPATH=. python3 ci/fuzz/fuzz_python.py …
"""

import os
import sys

try:
    import atheris
except ImportError:
    sys.exit("fuzz_python.py: this Python has no Atheris: python3 -m pip install atheris, or use the Bazel target")

with atheris.instrument_imports():
    from ci.fuzz import readers


def main(arguments):
    if len(arguments) < 3 or arguments[1] not in readers.TARGETS:
        targets = ", ".join(sorted(readers.TARGETS))
        sys.stderr.write("usage: fuzz_python TARGET FOLDER [FLAG...]; TARGET is one of %s\n" % targets)
        return 3
    target, out = arguments[1], os.path.abspath(arguments[2])
    seeds = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus", target)
    for folder in ("corpus", "findings"):
        os.makedirs(os.path.join(out, folder), exist_ok=True)
    flags = ["-artifact_prefix=%s/findings/" % out, "-max_len=20480", "-timeout=10", "-rss_limit_mb=2048"]
    places = [os.path.join(out, "corpus"), seeds]
    atheris.Setup([arguments[0]] + flags + arguments[3:] + places, readers.TARGETS[target])
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
