"""Back ends whose libraries come out of wheels, which no test of //... fetches (24 and 59 MB)."""

import json
import os
import shutil
import tempfile
import types
import unittest

from ci.check import BAZEL, ROOT, Check, program

_DATA = os.path.join(ROOT, "tools", "run_model", "testdata")


def _of_onnx():
    """The names of the back ends that run ONNX files, out of their table, whose syntax is Python's."""
    table = {"struct": types.SimpleNamespace}
    with open(os.path.join(ROOT, "defs", "backends.bzl"), encoding="utf-8") as f:
        exec(f.read(), table)
    return [row.name for row in table["BACKENDS"] if row.container == "onnx"]


class Backends(Check):
    def test_runtimes(self):
        """back ends: onnxruntime and openvino compute what an ONNX file says, and refuse what is none"""
        self.expect([BAZEL, "test", "--noshow_progress", "//benchmarks/backends:foreign_runtimes_test"])

    def test_file(self):
        """back ends: run_model builds itself again with each runtime, and both agree with Python on a file of torch.onnx"""
        flags = ["--model=%s/bag.onnx" % _DATA, "--inputs=%s/bag_inputs.safetensors" % _DATA, "--action=verify"]
        for name in _of_onnx():
            run = program("//tools:run_model", *flags, "--backend=" + name)
            self.expect([*run, "--reference=%s/bag_outputs.safetensors" % _DATA], "PASS     output_0 max")
            self.expect([*run, "--reference=%s/bag_inputs.safetensors" % _DATA], code=3)

    def test_outside(self):
        """back ends: an ONNX file with weights in a file beside, and rows left open"""
        files = ["--%s=%s/outside%s" % row for row in zip(("model", "inputs", "reference"), [_DATA] * 3, (".onnx", "_inputs.safetensors", "_outputs.safetensors"))]
        self.expect([*program("//tools:run_model"), "--action=verify", *files], "PASS     output_0 max")

    def test_digest(self):
        """back ends: the digest of an ONNX file in a record is of the weights beside it, too, and a missing file is named"""
        with tempfile.TemporaryDirectory() as folder:
            model, record = folder + "/outside.onnx", folder + "/records.jsonl"
            shutil.copy(_DATA + "/outside.onnx", model)
            with open(_DATA + "/outside.onnx.data", "rb") as f:
                weights = bytearray(f.read())
            run = [*program("//tools:run_model"), "--action=verify", "--model=" + model, "--inputs=%s/outside_inputs.safetensors" % _DATA]
            for name in _of_onnx():
                self.expect([*run, "--backend=" + name], "outside.onnx.data, which is missing", code=3)
            for change in (0, 0, 1):
                weights[3] ^= change
                with open(model + ".data", "wb") as f:
                    f.write(weights)
                self.expect([*run, "--record=" + record], "NOT_VERIFIED")
                os.remove(model + ".data")
            with open(record, encoding="utf-8") as f:
                same, again, other = (json.loads(line)["configuration"]["settings"]["module"] for line in f)
            self.assertEqual(same, again)
            self.assertNotEqual(same, other)

    @unittest.skipUnless(os.environ.get("ASSAY_TIMED"), "it compares times, which a busy machine changes: ASSAY_TIMED=1 runs it")
    def test_against_python(self):
        """back ends: run_model --against=python names first what was made slow on purpose"""
        for name, slow, cause in (("multiplies", ["--threads=1", "--input-spec=x:fp32[512,512]"], "threads: 1 here"),
                                  ("denormals", ["--input-spec=x:fp32[256,1024]"], "denormals: kept here"),
                                  ("grads", ["--torchscript-grad", "--input-spec=x:fp32[8]"], "grad mode: on here")):
            run = program("//tools:run_model", "--against=python", "--model=%s/%s.pt" % (_DATA, name), *slow)
            self.assertRegex(self.expect(run, "because").stdout, r"\n\nbecause   " + cause)
