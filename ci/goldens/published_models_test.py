"""Every classifier and segmenter of torchvision is a model here; what a family's reference.py builds is what its name means.

Accuracy tests and goldens hold our C++ against reference.py, which is given our parameters: a wrong number in a table would
be wrong on both sides. Here torchvision, torchaudio or timm is asked by name, and knows nothing of our tables. Compared are names and
shapes of the state, and how the module describes itself: kernels, strides, paddings, epsilons, activations, and what it drops
in training. Image presets are compared with those of the published weights, or with
what they would want, for a model that has none. Manual, since @oracle_python is large to fetch:

    tools/bazel test --config=large //ci/goldens:published_models_test
"""

import json
import math
import unittest
import warnings

import timm
import torchaudio
import torchvision

from tools.artifacts.generate import compute, registry
from ci.goldens import model_goldens

_REGISTRY = "benchmarks/registry.json"


def state(module):
    return [model_goldens.tensor_line("state", name, tensor) for name, tensor in module.state_dict().items()]


class PublishedModelsTest(unittest.TestCase):
    def setUp(self):
        cases, _ = registry.read(_REGISTRY)
        self.cases = {case.model: case for case in model_goldens.verified_cases(cases)}
        self.names = torchvision.models.list_models(module=torchvision.models)

    def test_each_classifier_is_a_model_here(self):
        self.assertEqual(sorted(set(self.names) - set(self.cases)), [])
        self.assertEqual(len(self.names), 80)

    def test_each_segmenter_is_a_model_here(self):
        names = torchvision.models.list_models(module=torchvision.models.segmentation)
        self.assertEqual(sorted(set(names) - set(self.cases)), [])
        self.assertEqual(len(names), 6)

    def presets(self):
        with open(_REGISTRY, encoding="utf-8") as file:
            models = json.load(file)["models"]
        return {m["name"]: m["image_preset"] for m in models if "image_preset" in m}

    def test_torchvisions_weights_want_these_photographs(self):
        presets = self.presets()
        for name in self.names:
            with self.subTest(model=name):
                wanted = torchvision.models.get_model_weights(name).DEFAULT.transforms()
                self.assertEqual(
                    presets.get(name),
                    {
                        "resize": str(*wanted.resize_size),
                        "crop": str(*wanted.crop_size),
                        "interpolation": wanted.interpolation.name,
                        "mean": wanted.mean,
                        "std": wanted.std,
                    },
                )

    def test_timms_weights_want_these_photographs(self):
        presets = {n: p for n, p in self.presets().items() if timm.is_model(n) and n not in self.names}
        self.assertGreater(len(presets), 20)
        for name, preset in presets.items():
            with self.subTest(model=name):
                wanted = timm.get_pretrained_cfg(name)
                crop = wanted.input_size[-1]
                self.assertEqual(wanted.crop_mode, "center")
                self.assertEqual(
                    preset,
                    {
                        "resize": str(math.floor(crop / wanted.crop_pct)),
                        "crop": str(crop),
                        "interpolation": wanted.interpolation.upper(),
                        "mean": list(wanted.mean),
                        "std": list(wanted.std),
                    },
                )

    def check(self, name, build):
        with self.subTest(model=name):
            with compute.SkipRandomFills():
                theirs = build()
                ours = compute.Family(self.cases[name].script).script.build(self.cases[name].parameters)
            self.assertEqual(state(ours), state(theirs))
            self.assertEqual(repr(ours).splitlines(), repr(theirs).splitlines())

    def test_each_is_the_one_that_torchvision_builds_by_that_name(self):
        warnings.simplefilter("ignore")  # about weights that two of them would fill slowly
        for name in self.names:
            if name in self.cases:
                self.check(name, lambda: torchvision.models.get_model(name, weights=None))

    def test_each_is_the_one_that_timm_builds_by_that_name(self):
        scripts = {case.script for case in self.cases.values()}
        of_timm = {script for script in scripts if compute.Family(script).script.provenance().startswith("timm ")}
        names = [name for name, case in self.cases.items() if case.script in of_timm and timm.is_model(name)]
        self.assertGreater(len(names), 25)
        for name in names:
            self.check(name, lambda: timm.create_model(name))

    def test_wavernn_is_the_one_of_torchaudios_bundles(self):
        bundle = torchaudio.pipelines.TACOTRON2_WAVERNN_CHAR_LJSPEECH
        self.check("wavernn", lambda: torchaudio.models.WaveRNN(**bundle._wavernn_params))

    def test_hybrid_demucs_has_torchaudios_sizes(self):
        for name in ("hdemucs_low", "hdemucs_medium", "hdemucs_high"):
            self.check(name, lambda: getattr(torchaudio.models, name)(["drums", "bass", "other", "vocals"]))


if __name__ == "__main__":
    unittest.main()
