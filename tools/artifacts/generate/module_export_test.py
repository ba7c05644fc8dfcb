"""An exported module computes the reference, is the same bytes wherever it is made, and names no path."""

import hashlib
import os
import tempfile
import unittest

import torch

from artifacts.format import reference_blob
from tools.artifacts.generate import compute, module_export
from tools.artifacts.generate.oracle_test import _TINY, FakeRunner, job_of


def make(name, work, roundings=("fp32",)):
    """(job, events by role) of a tiny model made with all roles."""
    job = job_of(name, work, roundings=roundings)
    job["roles"] = ["inputs", "weights", "module"]
    events = []
    compute.independent_references(job, FakeRunner(compute.Family(job["script"]), job), events.append)
    by_role = {}
    for event in events:
        assert "error" not in event, event
        by_role.setdefault(event["role"], []).append(event)
    return job, by_role


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


class ModuleExportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = [os.path.join(folder.name, name) for name in ("one", "another/place")]
        for work in self.work:
            os.makedirs(work)

    def test_the_module_computes_the_reference_in_float32(self):
        for name, (_, outputs, _) in _TINY.items():
            with self.subTest(family=name), tempfile.TemporaryDirectory() as work:
                job, events = make(name, work)
                (event,) = events["module"]
                self.assertRegex(event["provenance"], r"torch\.export, float32, torch 2\.[\d.]+, seed 0")
                inputs = compute.inputs_of(job["contents"][0], self.exported_inputs(job), dtype=torch.float32)
                got = torch.export.load(event["path"]).module()(**inputs)
                with open(job["contents"][0]["blob"], "rb") as f:
                    want, _ = reference_blob.decode(f.read())
                self.assertEqual(set(outputs), set(got))
                for output, tensor in got.items():
                    self.assertEqual(torch.float32, tensor.dtype)
                    error = (tensor.double().flatten() - torch.tensor(want[output].values)).abs().max().item()
                    self.assertLess(error, 1e-4 * want[output].stats.std)

    def exported_inputs(self, job):
        runner = FakeRunner(compute.Family(job["script"]), job)
        return compute.InputExports(job, runner).of(job["contents"][0])

    def test_it_is_the_same_bytes_wherever_it_is_made_and_names_no_path(self):
        for name in _TINY:
            with self.subTest(family=name):
                work = [os.path.join(place, name) for place in self.work]
                for place in work:
                    os.mkdir(place)
                paths = [make(name, place)[1]["module"][0]["path"] for place in work]
                self.assertNotEqual(*paths)
                self.assertEqual(*map(digest, paths))
                with open(paths[0], "rb") as f:
                    data = f.read()
                self.assertNotIn(os.path.dirname(torch.__file__).encode(), data)
                self.assertNotIn(b".py", data)

    def test_roundings_share_a_module_and_weights_of_a_group_are_one_file(self):
        _, events = make("mlp", self.work[0], roundings=("fp32", "fp16", "bf16"))
        for role in ("module", "weights"):
            self.assertEqual([0, 1, 2], sorted(event["id"] for event in events[role]))
            self.assertEqual(1, len({event["path"] for event in events[role]}))
        self.assertEqual(3, len({event["path"] for event in events["inputs"]}))

    def test_what_cannot_be_exported_is_an_error_with_torchs_reason(self):
        class Script:
            @staticmethod
            def forward(module, inputs):
                return {"y": module(inputs["x"]) if inputs["x"].sum() > 0 else inputs["x"]}

        class Family:
            script = Script

            @staticmethod
            def module(content):
                return torch.nn.Linear(2, 2)

        modules = module_export.Modules({"work": self.work[0]}, Family)
        with self.assertRaisesRegex(module_export.ExportError, r"torch\.export: \w+: \w+"):
            modules.export({"parameters": {}, "batch": 1}, lambda module: module, {"x": torch.ones(1, 2)})


if __name__ == "__main__":
    unittest.main()
