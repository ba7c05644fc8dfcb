"""A state_dict that torchvision, timm, torch_geometric or transformers saved gives their outputs here, for the first model of
each family of images, and for some that read more.

Their own random initialisation with random batch-norm statistics, one image, float32, within a few of float32's roundings of
what Python computes in float64. Families come from the registry: a new one is under this test without a line. manual:

    tools/bazel test --config=large //ci/goldens:image_checkpoints_test --test_output=all
"""

import re
import tempfile
import unittest

import numpy
import torch
from safetensors.torch import load_file, save_file

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.artifacts.checkpoints.filled import filled
from tools.artifacts.generate import compute, registry
from tools.artifacts.generate.true_float64 import true_float64
from ci.goldens import model_goldens


# Networks that read regions, edges or points as well: Mask R-CNN, GCN, SAM.
_READ_MORE = ["gcn_tiny", "maskrcnn_tiny_fpn", "sam_tiny"]
_RMS_LIMIT = 1e-5  # of float32 cases


def golden_cases():
    return model_goldens.verified_cases(registry.read("benchmarks/registry.json")[0])


def first_cases():
    """The golden's case of the first model of each family that takes an image, and that of each of _READ_MORE."""
    first = {}
    for case in golden_cases():
        # Boxes are compared as sets, not as numbers.
        if [given.name for given in case.inputs] == ["image"] and "detections" not in case.outputs:
            first.setdefault(case.script, case)
    more = [case for case in golden_cases() if case.model in _READ_MORE]
    assert len(more) == len(_READ_MORE), more
    return list(first.values()) + more


class ImageCheckpointsTest(unittest.TestCase):
    def test_each_family_loads_what_was_saved_and_computes_the_same(self):
        cases = first_cases()
        self.assertGreater(len(cases), 15)
        print("%-24s %12s %12s   max error, in the output's standard deviation" % ("", "C++ float32", "Python's"))
        for case in cases:
            with self.subTest(model=case.model), tempfile.TemporaryDirectory() as folder:
                self.check(case, folder)

    def test_a_densenet_as_torchvision_published_it(self):
        (case,) = [case for case in first_cases() if case.script == "models/densenet/reference.py"]
        with tempfile.TemporaryDirectory() as folder:
            text = self.check(case, folder, lambda name: re.sub(r"(denselayer\d+\.(?:norm|conv))([12])\.", r"\1.\2.", name))
        self.assertIn("tensors with names of an older version", text)

    def check(self, case, folder, old_name=str):
        command = CaseCommand(case.package[2:], case.name, folder, in_registry=True)
        command.export_inputs()
        script = compute.Family(case.script).script
        module = filled(script.build(case.parameters))
        save_file({old_name(n): t.clone().contiguous() for n, t in module.state_dict().items()}, command.path("model.safetensors"))
        inputs = load_file(command.path("inputs.safetensors"))
        with torch.inference_mode():
            single = {n: t.double().numpy() for n, t in script.forward(module, inputs).items()}
            given = {n: t.double() if t.is_floating_point() else t for n, t in inputs.items()}
            with true_float64():
                exact = {n: t.numpy() for n, t in script.forward(module.double(), given).items()}
        numpy.savez(command.path("exact.npz"), **exact)
        record = command.verify("--weights=model.safetensors", "--inputs=inputs.safetensors", "--reference=exact.npz")
        rounding = max(numpy.abs(single[n] - exact[n]).max() / exact[n].std() for n in exact)
        error = max(output.get("max_error", 0) for output in record["verdict"].get("outputs", [{}]))
        print("%-24s %12.2e %12.2e" % (case.model, error, rounding), flush=True)
        # Python itself misses the limits of a case with some weights that are not the case's own: EfficientDet's.
        if max(numpy.sqrt(numpy.square(single[n] - exact[n]).mean()) / exact[n].std() for n in exact) < _RMS_LIMIT:
            self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        self.assertTrue(0 < error < 10 * rounding, (error, rounding))
        return record["text"]


if __name__ == "__main__":
    unittest.main()
