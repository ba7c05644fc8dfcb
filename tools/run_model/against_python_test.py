import contextlib
import io
import os
import re
import stat
import tempfile
import unittest

from tools.run_model import against_python
from tools.run_model.against_python import Cause, Failed

# A C++ side and a Python side in one: what a call takes stands in the words and variables that reach it.
_PROGRAM = """#!/usr/bin/env python3
import json, os, sys
words = sys.argv[1:]
flags = dict(word.lstrip("-").partition("=")[::2] for word in words if word.startswith("--"))
if "export-inputs" in flags:
    sys.exit(0)
if flags["model"] == "broken.pt":
    sys.exit("assay: broken.pt: it is cut off")
seconds = 0.010 * (1.0 if flags.get("threads") != "1" else 3.0) * (2.0 if flags.get("flush_denormal", "false") == "false" else 1.0)
settings = {"allocator": flags.get("allocator", "retain"), "memory-format": "contiguous"}
settings.update({"backend." + name: flags[name] for name in ("flush_denormal", "torchscript_grad") if name in flags})
record = {
    "load_s": 0.5, "measurements": [{"first_call_ns": 1e9, "samples_ns": ["%d" % (seconds * 1e9)] * 20, "peak_host_bytes": "100000000"}],
    "configuration": {"settings": settings}, "environment": {"threads": int(flags.get("threads", "4"))},
    "workload": {"inputs": [{"name": "x", "shape": ["1", "2"]}]}, "benchmark_case": {"dtype": "FP32"}}
with open(flags["record"], "a") as file:
    file.write(json.dumps(record) + "\\n")
"""
_PYTHON = """#!/usr/bin/env python3
import json, sys
if any(word.startswith("--serve=") for word in sys.argv):
    print(json.dumps({"load": 0.25, "first": 0.5, "call": 0.010, "peak": 200000000}))
else:
    print(json.dumps({"version": "%s", "threads": 4, "config": "one build", "lib": "/lib"}))
"""


class AgainstPythonTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.program = self.write("program", _PROGRAM)
        self.python = self.write("python", _PYTHON % "2.11.0+cpu")
        os.environ.pop("BUILD_WORKSPACE_DIRECTORY", None)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, stat.S_IRWXU)
        return path

    def run_against(self, *words, model="a.pt", python=""):
        """(exit code, what it printed, its errors)."""
        out, errors = io.StringIO(), io.StringIO()
        flags = ["--program=" + self.program, "--python=" + (python or self.python), "--python-given", "--model=" + model, "--backend=torchscript",
                 "--torch-version=2.11.0", "--config=one build", "--pairs=2", "--", "--model=" + model, "--against=python", "--python", "x", *words]
        argv, against_python.sys.argv = against_python.sys.argv, ["", "source"]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
                code = against_python.main(flags)
        finally:
            against_python.sys.argv = argv
        return code, re.sub(r"  +", "  ", out.getvalue()), errors.getvalue()

    def test_names_the_largest_cause_first_and_what_is_left(self):
        code, said, _ = self.run_against("--threads=1")
        self.assertEqual(code, 0)
        lines = said.splitlines()
        rows = [line.split("  ")[0] for line in lines[lines.index(next(line for line in lines if line.startswith("cause"))) + 1 :]]
        self.assertEqual(rows[:2], ["threads", "denormals"])
        self.assertIn("C++ ÷ Python  2.000  2.000  6.000 (6.000 .. 6.000)  0.500", said)
        self.assertIn("because  threads: 1 here; with 4 a call is 3.00 times as fast\nbecause  denormals: kept here; with flushed a call is 2.00 times as fast", said)
        self.assertIn("left  C++ ÷ Python with threads, denormals changed: 1.000", said)

    def test_says_where_no_setting_slows(self):
        _, said, _ = self.run_against("--flush_denormal=true")
        self.assertIn("because  none of these settings makes this run slow", said)
        self.assertIn("threads  4  1  0.333", said)

    def test_a_python_that_cannot_is_no_fault_of_the_product(self):
        for text, reason in (
            ("#!/bin/sh\necho 'No module named torch' >&2; exit 1\n", "cannot import torch: No module named torch; give the one that has it"),
            (_PYTHON % "2.6.0", "has torch 2.6.0, and this program LibTorch 2.11.0: both must be of one version"),
        ):
            code, _, errors = self.run_against(python=self.write("other", text))
            self.assertEqual(code, 2)
            self.assertIn(reason, errors)
        code, _, errors = self.run_against(python="/nowhere/python")
        self.assertEqual(code, 2)
        self.assertIn("/nowhere/python cannot be started: No such file", errors)

    def test_ends_as_run_model_does(self):
        code, _, errors = self.run_against(model="broken.pt")
        self.assertEqual(code, 1)
        self.assertIn("broken.pt: it is cut off", errors)

    def test_the_python_side_gets_the_names_and_dtypes_of_the_models_inputs(self):
        self.python = self.write("python", (_PYTHON % "2.11.0").replace("import json, sys\n", "import json, sys\nopen(sys.argv[0] + '.words', 'a').write(' '.join(sys.argv[1:]) + '\\n')\n", 1))
        self.assertEqual(self.run_against("--inputs", "my_own.npz")[0], 0)
        with open(self.python + ".words", encoding="utf-8") as file:
            said = file.read()
        self.assertIn("--serve=my_own.npz", said)
        self.assertIn('--forms=[["x", "FP32"]]', said)

    def test_takes_flags_out_in_each_spelling(self):
        words = ["--threads", "1", "--memory_format=channels_last", "-threads=2", "--noisy", "--keep=a", "x"]
        self.assertEqual(against_python.without(words, ["threads", "memory-format"]), ["--noisy", "--keep=a", "x"])

    def test_a_cause_needs_every_pair(self):
        cause = Cause("a", 1, 2, "")
        for ratios, slows in (([1.2, 1.3], True), ([1.2, 0.9], False), ([1.01, 1.02], False), ([], False)):
            cause.ratios = ratios
            self.assertEqual(cause.slows(), slows, ratios)

    def test_reads_no_record_that_is_not_there(self):
        with self.assertRaises(Failed):
            against_python.probe(self.write("silent", "#!/bin/sh\n"))


if __name__ == "__main__":
    unittest.main()
