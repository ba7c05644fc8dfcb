"""For tests: a folder in which the program is started as a user would, and records to put there."""

import copy
import io
import os
import shutil
import tempfile
import unittest

import orjson

from tools.results import program

TESTDATA = "tools/results/testdata"
_GPUS = "benchmarks/harness/record/testdata/simulated_gpu.jsonl"
_HOSTILE = "benchmarks/harness/record/testdata/hostile.jsonl"


def real_record():
    """A record of a run on a machine, with samples."""
    with open(os.path.join(TESTDATA, "run.jsonl"), "rb") as f:
        return orjson.loads(f.readline())


def served_records():
    """Five runs of one case with LoadGen: server at one rate and at three, single_stream, multi_stream, offline."""
    with open(os.path.join(TESTDATA, "served.jsonl"), "rb") as f:
        return [orjson.loads(one) for one in f]


def decoder_records():
    """Two runs of a decoder with LoadGen: server at one rate without a bound, and at two rates with one, which the second missed."""
    with open(os.path.join(TESTDATA, "decoder.jsonl"), "rb") as f:
        return [orjson.loads(one) for one in f]


def trace_record():
    """A replay of a training step that was captured with its values, with --peaks."""
    with open(os.path.join(TESTDATA, "trace_replay.jsonl"), "rb") as f:
        return orjson.loads(f.readline())


def gpu_records():
    """Records of simulated GPUs, of two cards; ci/goldens/gpu_records.py says which."""
    with open(_GPUS, "rb") as f:
        return [orjson.loads(one) for one in f]


def on_cpu(gpu_record, slower=10.0):
    """The record of the same case on that machine's CPU, as if that were so much slower."""
    made = copy.deepcopy(gpu_record)
    made["device"] = "CPU"
    environment = made["environment"]
    for name in [name for name in environment if name.startswith(("gpu_", "cuda_", "cudnn_")) or name == "compute_capability"]:
        del environment[name]
    environment.pop("noise", None)
    environment["facts"] = [fact for fact in environment["facts"] if not fact["name"].startswith("gpu")]
    made["configuration"]["settings"]["device"] = "cpu"
    made["configuration"]["digest"] = made["configuration"]["digest"][::-1]
    made["measurements"] = [m for m in made["measurements"] if m["mode"] in ("wall", "throughput")]
    for measurement in made["measurements"]:
        for name in ("clock_mhz", "enqueue_ns", "peak_device_bytes", "checks"):
            measurement.pop(name, None)
        for name in ("median_ns", "ci_low_ns", "ci_high_ns", "minimum_ns", "mean_ns"):
            measurement[name] *= slower
        measurement["samples_ns"] = [slower * sample for sample in measurement["samples_ns"]]
    made["flags"] = ["--device=cpu"]
    for peak in made["peaks"]:
        for name in ("per_s", "ci_low_per_s", "ci_high_per_s"):
            peak[name] /= 100
    return made


def hostile_lines():
    """Lines that the C++ reader refuses, too; each has the reason as its `error`."""
    with open(_HOSTILE, "rb") as f:
        return f.readlines()


def record(**fields):
    """The same with other fields; a dotted path is written with __."""
    made = copy.deepcopy(real_record())
    for path, value in fields.items():
        owner = made
        *parents, name = path.split("__")
        for parent in parents:
            owner = owner.setdefault(parent, {})
        owner[name] = value
    return made


def line(value):
    return orjson.dumps(value) + b"\n"


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, *contents):
        """Bytes as they are, else records, a line each."""
        with open(self.path(name), "wb") as f:
            f.writelines(c if isinstance(c, bytes) else line(c) for c in contents)

    def copy(self, *names):
        for name in names:
            shutil.copy(os.path.join(TESTDATA, name), self.folder)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as f:
            return f.read()

    def run_program(self, *words):
        """(exit code, standard output, standard error)"""
        out, err = io.StringIO(), io.StringIO()
        code = program.main(list(words), {"BUILD_WORKING_DIRECTORY": self.folder}, out, err)
        return code, out.getvalue(), err.getvalue()

    def expect(self, code, *words):
        """Standard output; the test fails where the exit code is another."""
        got, out, err = self.run_program(*words)
        self.assertEqual(got, code, out + err)
        self.out, self.err = out, err
        return out

    def query(self, sql):
        """Rows, of JSON."""
        return orjson.loads(self.expect(0, "query", sql, "--format=json"))
