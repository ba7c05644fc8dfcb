"""The registry's JSON is read as protobuf writes it."""

import json
import os
import tempfile
import unittest

from tools.artifacts.generate import registry
from tools.artifacts.generate.test_cases import entry, training_outputs


def read(*entries):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "registry.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"cases": list(entries)}, f)
        return registry.read(path)


class RegistryTest(unittest.TestCase):
    def test_numbers_come_out_of_protobufs_strings(self):
        (case,), _ = read(entry(seed=2**63))
        self.assertEqual({"depth": 1, "width": 4}, case.parameters)
        self.assertEqual((2, (2, 3, 4), 2**63), (case.batch, case.inputs[0].shape, case.seed))

    def test_every_kind_of_parameter_is_read(self):
        one = entry()
        one["verified"]["parameters"] = {
            "a": {"real": 1e-12},
            "b": {"flag": False},
            "c": {"text": "basic"},
            "d": {"integers": {"values": ["3", "4"]}},
            "e": {"integers": {}},
            "f": {"integer": "0"},
        }
        (case,), _ = read(one)
        self.assertEqual({"a": 1e-12, "b": False, "c": "basic", "d": [3, 4], "e": [], "f": 0}, case.parameters)

    def test_a_training_case_has_its_optimizer_targets_and_recorded_numbers(self):
        (case, other), _ = read(entry(sgd={"learning_rate": 0.1, "momentum": 0.9}), entry("toy_eval"))
        sgd = {"learning_rate": 0.1, "momentum": 0.9, "nesterov": False, "weight_decay": 0.0}
        want = {"loss": "OWN", "clip_norm": 0.0, "optimizers": [["sgd", sgd]]}
        self.assertEqual(want, case.training.settings)
        self.assertEqual(("labels",), case.training.targets)
        self.assertEqual(tuple(training_outputs(["y"])), case.outputs)
        self.assertEqual((None, ("y",)), (other.training, other.outputs))

    def test_a_training_case_without_a_known_optimizer_is_refused_by_name(self):
        lion, empty, none = entry(sgd={}), entry(sgd={}), entry(sgd={})
        lion["benchmark_case"]["training"] = {"optimizers": [{"lion": {}}]}
        empty["benchmark_case"]["training"] = {"optimizers": [{}]}
        del none["benchmark_case"]["training"]
        for bad, words in ((lion, "lion"), (empty, "optimizer none"), (none, "without an optimizer")):
            with self.assertRaisesRegex(registry.RegistryError, "toy:toy_fp32_b2.*%s.*one of adam, adamw, sgd" % words):
                read(bad)

    def test_a_loss_over_outputs_reads_no_targets_and_settings_keep_their_kinds(self):
        one = entry(sgd={"learning_rate": 0.1})
        adam = {"learning_rate": 0.1, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8}
        one["benchmark_case"]["training"] = {"loss": "MEAN", "clip_norm": 1, "optimizers": [{"adamw": adam}]}
        (case,), _ = read(one)
        self.assertEqual((), case.training.targets)
        settings = {"learning_rate": 0.1, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8, "weight_decay": 0.0}
        self.assertEqual((("adamw", settings),), case.training.optimizers)
        self.assertEqual(1.0, case.training.clip_norm)

    def test_a_registry_says_models_and_implementations_once(self):
        one, two = entry("a_fp32_b1"), entry("a_fp32_b8")
        implementation = one.pop("implementation")
        for case in (one, two):
            case.pop("implementation", None)
            case.pop("model")
            case["referenced"] = {**case["verified"], "batch": "2"}
            case["verified"] = {**case["verified"], "batch": "1"}
        registry_text = {"cases": [one, two], "models": [{"name": "toy", "implementation": "toy"}]}
        registry_text["implementations"] = [implementation]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "registry.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(registry_text, f)
            cases, _ = registry.read(path)
            self.assertEqual([("toy", "toy", 2)] * 2, [(c.model, c.implementation, c.batch) for c in cases])
            registry_text["models"] = []
            with open(path, "w", encoding="utf-8") as f:
                json.dump(registry_text, f)
            with self.assertRaisesRegex(registry.RegistryError, 'toy:a_fp32_b1: the registry lacks its model "toy"'):
                registry.read(path)

    def test_cases_without_a_key_are_counted_and_left_out(self):
        without = entry("other")
        del without["reference"]
        cases, count = read(entry(), without)
        self.assertEqual((1, 1), (len(cases), count))

    def test_outputs_are_those_of_the_verified_workload(self):
        one = entry()
        one["verified"]["outputs"] = [{"name": "step1.loss", "dtype": "FP32"}, {"name": "step1.y", "dtype": "FP32"}]
        (case,), _ = read(one)
        self.assertEqual(("step1.loss", "step1.y"), case.outputs)

    def test_an_inputs_distribution_is_text_whose_order_does_not_matter(self):
        one, other = entry("one"), entry("other")
        one["verified"]["inputs"][0]["distribution"] = {"integers": {"low": "1", "limit": "5"}}
        other["verified"]["inputs"][0]["distribution"] = {"integers": {"limit": "5", "low": "1"}}
        cases, _ = read(one, other)
        self.assertEqual(cases[0].inputs, cases[1].inputs)
        self.assertEqual('{"integers": {"limit": "5", "low": "1"}}', cases[0].inputs[0].distribution)

    def test_parameters_that_size_inputs_are_known(self):
        (case,), _ = read(entry())
        self.assertEqual(("width",), case.shape_parameters)

    def test_a_case_without_label_or_with_a_contradictory_reference_is_refused_by_name(self):
        unlabelled = entry()
        del unlabelled["benchmark_case"]["label"]
        scriptless = entry(reference="INDEPENDENT")
        del scriptless["implementation"]["reference_script"]
        for bad in (unlabelled, scriptless, entry(reference="REFERENCE_UNSPECIFIED")):
            with self.assertRaisesRegex(registry.RegistryError, "toy"):
                read(bad)


if __name__ == "__main__":
    unittest.main()
