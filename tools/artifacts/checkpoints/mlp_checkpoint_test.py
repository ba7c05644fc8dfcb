"""--weights, --inputs and --reference from end to end: weights, input and output are made here, in plain Python.

The mlp is Linear, ReLU, Linear, ReLU, Linear, Softmax; its float64 output below is a dozen lines, and shares nothing with
the program that is tested.
"""

import hashlib
import json
import math
import os
import random
import struct
import tempfile
import unittest

from tools.artifacts.checkpoints.case_command import CaseCommand
from artifacts.format import safetensors_file
from artifacts.format.safetensors_file import Tensor

_LAYERS = (("0", 512, 32), ("2", 512, 512), ("4", 32, 512))  # name, rows, columns of the weight


def _rounded(values):
    return struct.unpack("<%df" % len(values), struct.pack("<%df" % len(values), *values))


def _f32(values, shape):
    return Tensor("F32", shape, struct.pack("<%df" % len(values), *values))


def _npy(values, shape):
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': %r, }" % (shape,)
    header += " " * ((-len(header) - 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<%dd" % len(values), *values)


def _softmax(values):
    exponents = [math.exp(v - max(values)) for v in values]
    return [e / math.fsum(exponents) for e in exponents]


class MlpCheckpointTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        draws = random.Random(1)
        cls.weights, x = {}, _rounded([draws.gauss(0, 1) for _ in range(32)])
        cls.input = x
        for name, rows, columns in _LAYERS:
            weight = _rounded([draws.gauss(0, columns**-0.5) for _ in range(rows * columns)])
            bias = _rounded([draws.gauss(0, 1) for _ in range(rows)])
            cls.weights[name + ".weight"] = _f32(weight, (rows, columns))
            cls.weights[name + ".bias"] = _f32(bias, (rows,))
            x = [
                math.fsum(w * v for w, v in zip(weight[row * columns : (row + 1) * columns], x)) + bias[row]
                for row in range(rows)
            ]
            if name != "4":
                x = [max(v, 0.0) for v in x]
        cls.output = _softmax(x)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.case = CaseCommand("benchmarks/mlp", "mlp_fp32_b1", temporary.name)
        safetensors_file.write(self.case.path("model.safetensors"), self.weights, {"format": "pt"})
        safetensors_file.write(self.case.path("in.safetensors"), {"input": _f32(self.input, (1, 32))}, {})
        self.write_output(self.output)

    def write_output(self, values):
        output = Tensor.of_doubles(values, (1, 32))
        safetensors_file.write(self.case.path("out.safetensors"), {"probabilities": output}, {})

    def write(self, name, data):
        os.makedirs(os.path.dirname(self.case.path(name)), exist_ok=True)
        with open(self.case.path(name), "wb") as f:
            f.write(data)

    def own(self, *more):
        return self.case.verify("--inputs=in.safetensors", "--reference=out.safetensors", *more)

    def test_a_checkpoint_made_elsewhere_passes_against_outputs_made_elsewhere(self):
        record = self.own("--weights=model.safetensors")
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        error = record["verdict"]["outputs"][0]["max_error"]
        self.assertLess(0, error)  # float32 against float64
        self.assertLess(error, 1e-5)
        print("max error %.2e of the outputs' standard deviation" % error)

    def test_the_record_says_what_was_loaded(self):
        record = self.own("--weights=model.safetensors")
        with open(self.case.path("model.safetensors"), "rb") as f:
            data = f.read()
        weights = record["weights"]
        self.assertEqual(weights["name"], "model.safetensors")
        self.assertEqual(weights["sha256"], hashlib.sha256(data).hexdigest())
        self.assertEqual((int(weights["tensors"]), record["inputs"]["name"]), (6, "in.safetensors"))
        self.assertIn("--weights=model.safetensors", record["flags"])
        self.assertIn("out.safetensors, given by --reference", record["verdict"]["reference"]["provenance"])

    def test_the_layout_of_openxla_and_shards_with_an_index_give_the_same(self):
        names = sorted(self.weights)
        shards = {"a.safetensors": names[:3], "b.safetensors": names[3:]}
        for shard, held in shards.items():
            self.write("sharded/" + shard, safetensors_file.encode({n: self.weights[n] for n in held}, {}))
        index = {"metadata": {"total_size": 1}, "weight_map": {n: s for s, held in shards.items() for n in held}}
        self.write("sharded/model.safetensors.index.json", json.dumps(index).encode())
        self.write("inputs_npy/input_0.npy", _npy(self.input, (1, 32)))
        self.write("outputs_npy/output_0.npy", _npy(self.output, (1, 32)))
        record = self.case.verify("--weights=sharded", "--inputs=inputs_npy", "--reference=outputs_npy")
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        whole = self.own("--weights=model.safetensors")
        self.assertEqual(record["verdict"]["outputs"], whole["verdict"]["outputs"])

    def test_another_output_is_not_taken_for_right(self):
        self.write_output([*self.output[1:], self.output[0]])
        record = self.own("--weights=model.safetensors")
        self.assertEqual((record["exit_code"], record["outcome"]), (1, "FAIL_ACCURACY"))
        self.assertIn("--weights=model.safetensors", record["text"].split("reproduce")[1])

    def test_without_a_reference_nothing_is_verified_and_the_suites_own_is_not_used(self):
        record = self.case.verify("--weights=model.safetensors")
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "NOT_VERIFIED"))
        self.assertIn("weights from model.safetensors; give --reference", record["verdict"]["message"])
        record = self.case.verify("--inputs=in.safetensors")
        self.assertEqual(record["outcome"], "NOT_VERIFIED")

    def test_without_weights_a_reference_must_have_the_locks_digest(self):
        record = self.case.verify("--reference=out.safetensors")
        self.assertEqual((record["exit_code"], record["outcome"]), (2, "FAIL_ARTIFACT"))

    def test_nan_in_the_weights_is_said(self):
        poisoned = dict(self.weights, **{"4.bias": _f32([math.nan] * 32, (32,))})
        safetensors_file.write(self.case.path("model.safetensors"), poisoned, {})
        record = self.own("--weights=model.safetensors")
        self.assertEqual((record["exit_code"], record["outcome"]), (1, "FAIL_NONFINITE"))
        self.assertIn('NaN or infinity in 1 of 6 tensors, the first is "4.bias"', record["text"])
        self.assertEqual(len(record["weights"]["warnings"]), 1)

    def prefixed(self, *prefixes):
        return {prefix + name: tensor for prefix in prefixes for name, tensor in self.weights.items()}

    def test_a_prefix_is_found_or_given_and_said(self):
        safetensors_file.write(self.case.path("wrapped.safetensors"), self.prefixed("_orig_mod.module."), {})
        safetensors_file.write(self.case.path("twice.safetensors"), self.prefixed("model.", "ema."), {})
        for arguments, said in (
            (["--weights=wrapped.safetensors"], '6 tensors have "_orig_mod.module." in front of their names'),
            (["--weights=twice.safetensors", "--weights-prefix=ema."], "6 tensors left out, outside of --weights-prefix"),
        ):
            record = self.own(*arguments)
            self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
            self.assertIn(said, record["text"])
            self.assertIn(said, "; ".join(record["weights"]["conversions"]))

    def test_seeded_inputs_are_exported_beside_weights(self):
        for more in ([], ["--weights=model.safetensors"]):
            self.assertEqual(self.case.run("--export-inputs=x%d" % len(more), *more).returncode, 0)
        with open(self.case.path("x0"), "rb") as alone, open(self.case.path("x1"), "rb") as beside:
            self.assertEqual(alone.read(), beside.read())

    def test_a_file_that_does_not_fit_is_a_usage_error_in_plain_words(self):
        safetensors_file.write(self.case.path("twice.safetensors"), self.prefixed("model.", "ema."), {})
        safetensors_file.write(self.case.path("more.safetensors"), dict(self.weights, **{"6.bias": self.weights["4.bias"]}), {})
        with open(self.case.path("model.safetensors"), "rb") as f:
            self.write("half.safetensors", f.read()[:100000])
        self.write("page/index.safetensors", b"<html>403 Forbidden</html>")
        self.write("pickle/model.bin", b"PK\x03\x04" + bytes(100))
        self.write("gap/output_1.npy", _npy(self.output, (1, 32)))
        for arguments, said in (
            (["--weights=in.safetensors"], "do not fit the model"),
            (["--weights=twice.safetensors"], '2 times, behind "ema." and "model."'),
            (["--weights=twice.safetensors", "--weights-prefix=x"], 'no tensor\'s name begins with "x."'),
            (["--weights=more.safetensors"], 'unexpected  1: "6.bias"'),
            (["--weights=half.safetensors"], "cut short"),
            (["--weights=page/index.safetensors"], "web page"),
            (["--weights=pickle/model.bin"], "from safetensors.torch import save_file"),
            (["--weights=pickle"], "no *.safetensors"),
            (["--weights=/dev/null"], "not a regular file"),
            (["--inputs=model.safetensors"], 'missing "input"'),
            (["--inputs=out.safetensors"], 'unexpected "probabilities"'),
            (["--weights=model.safetensors", "--reference=in.safetensors"], 'missing "probabilities"'),
            (["--weights=model.safetensors", "--reference=gap"], "output_0.npy"),
            (["--weights=model.safetensors", "--action=smoke"], "smoke"),
            (["--weights=model.safetensors", "--export-state=x"], "--export-"),
        ):
            with self.subTest(arguments):
                done = self.case.run("--action=verify", *arguments)
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                self.assertTrue(done.stderr.startswith("assay: "), done.stderr)
                self.assertIn(said, done.stderr)
                self.assertLess(len(done.stderr), 1000)

    def test_a_file_that_cannot_be_read_is_the_surroundings_fault(self):
        for flag in ("--weights=none.safetensors", "--inputs=none.npz", "--inputs=none"):
            record = self.case.verify(flag, "--reference=out.safetensors")
            self.assertEqual((record["exit_code"], record["outcome"]), (2, "ARTIFACT_UNAVAILABLE"), flag)
            self.assertIn("none", record["error"])
        record = self.case.verify("--weights=model.safetensors", "--reference=none.npz")
        self.assertEqual((record["exit_code"], record["outcome"]), (2, "ARTIFACT_UNAVAILABLE"))


if __name__ == "__main__":
    unittest.main()
