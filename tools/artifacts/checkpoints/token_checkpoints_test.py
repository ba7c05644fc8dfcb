"""What save_pretrained() writes gives transformers' outputs here, for the first model of each class that reads tokens.

Random weights, float32, within a few of float32's roundings of what Python computes in float64. Families come from the
registry: a new one is under this test without a line. manual:

    tools/bazel test --config=large //tools/artifacts/checkpoints:token_checkpoints_test --test_output=all
"""

import tempfile
import unittest

import numpy
import torch
from safetensors.torch import load_file

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.artifacts.checkpoints.filled import filled
from tools.artifacts.generate import compute, registry
from tools.artifacts.generate.true_float64 import true_float64
from tools.goldens import model_goldens

def first_cases():
    """The golden's case of the first tiny model of each implementation and of each value of its texts and flags, which
    choose transformers' class and what it does."""
    cases, _ = registry.read("benchmarks/registry.json")
    first = {}
    for case in model_goldens.verified_cases(cases):
        names = [given.name for given in case.inputs]
        if any(name.endswith("input_ids") for name in names) and "tiny" in case.model and not case.continuation:
            chosen = sorted((name, value) for name, value in case.parameters.items() if isinstance(value, (str, bool)))
            first.setdefault((case.implementation, tuple(chosen)), case)
    return list(first.values())


class TokenCheckpointsTest(unittest.TestCase):
    def test_each_class_loads_what_was_saved_and_computes_the_same(self):
        cases = first_cases()
        self.assertGreater(len(cases), 0)
        print("%-36s %12s %12s   max error, in the output's standard deviation" % ("", "C++ float32", "Python's"))
        for case in cases:
            with self.subTest(model=case.model), tempfile.TemporaryDirectory() as folder:
                self.check(case, folder)

    def check(self, case, folder):
        command = CaseCommand(case.package[2:], case.name, folder, in_registry=True)
        command.export_inputs()
        script = compute.Family(case.script).script
        module = filled(script.build(case.parameters))
        # Mixtral's published files have a tensor for each expert: those are not read.
        module.save_pretrained(command.path("saved"), save_original_format=case.model != "mixtral_tiny")
        inputs = load_file(command.path("inputs.safetensors"))
        with torch.inference_mode():
            single = {n: t.double().numpy() for n, t in script.forward(module, inputs).items()}
            module.double()
            with true_float64():
                exact = {n: t.numpy() for n, t in script.forward(module, inputs).items()}
        numpy.savez(command.path("exact.npz"), **exact)
        record = command.verify("--weights=saved", "--inputs=inputs.safetensors", "--reference=exact.npz")
        rounding = max(numpy.abs(single[n] - exact[n]).max() / exact[n].std() for n in exact)
        error = max([output.get("max_error", 0) for output in record["verdict"].get("outputs", [])], default=numpy.nan)
        print("%-36s %12.2e %12.2e" % (case.model, error, rounding), flush=True)
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        self.assertTrue(0 < error < 10 * rounding, (error, rounding))


if __name__ == "__main__":
    unittest.main()
