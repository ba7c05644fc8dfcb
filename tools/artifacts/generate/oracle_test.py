"""The references are what they claim: strict about names, float64 throughout, rounded like the case. Needs torch."""

import math
import os
import tempfile
import unittest
import unittest.mock
import zlib

import numpy
import torch
import transformers
from safetensors.torch import save_file

from tools.artifacts.generate import compute, quality, true_float64
from artifacts.format import reference_blob, seeded_inputs

_MODELS = os.path.join(os.getcwd(), "models")
_TINY = {
    "mlp": ({"in_features": 6, "hidden_features": 10, "out_features": 5}, ["probabilities"], {"input": (2, 6)}),
    "resnet": (
        {"block": "bottleneck", "layers": [1, 1, 1, 1], "groups": 1, "width_per_group": 64, "num_classes": 9, "resolution": 32},
        ["logits"],
        {"image": (2, 3, 32, 32)},
    ),
    "bert": (
        {
            "vocab_size": 50,
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "intermediate_size": 64,
            "max_position_embeddings": 512,
            "type_vocab_size": 2,
            "layer_norm_eps": 1e-12,
            "sequence_length": 8,
        },
        ["last_hidden_state", "pooler_output"],
        {"input_ids": (2, 8), "attention_mask": (2, 8), "token_type_ids": (2, 8)},
    ),
}


class FakeRunner:
    """Fills tensors from their names like the real runner, with torch's generator."""

    def __init__(self, family, job, rounds_inputs=False):
        self._rounds_inputs = rounds_inputs
        self._family, self._contents = family, {content["label"]: content for content in job["contents"]}

    @staticmethod
    def _fill(name, tensor):
        generator = torch.Generator().manual_seed(zlib.crc32(name.encode()))
        if not tensor.is_floating_point():
            return torch.zeros_like(tensor)
        values = torch.rand(tensor.shape, generator=generator) - 0.5
        return values.abs() + 0.5 if name.endswith("running_var") else values

    def export_state(self, label, path):
        state = self._family.module(self._contents[label]).state_dict()
        save_file({n: self._fill(n, t) for n, t in state.items()}, path)

    def export_inputs(self, label, path):
        inputs = {}
        for spec in self._contents[label]["inputs"]:
            # The largest batch is drawn and cut, as rows of a smaller batch are those of a larger one.
            shape = [4] + spec["shape"][1:]
            if spec["rounding"]:
                tensor = torch.rand(shape, generator=torch.Generator().manual_seed(7)) - 0.5
                if self._rounds_inputs:
                    tensor = tensor.to(compute.DTYPES[spec["rounding"]])
            elif "mask" in spec["name"]:
                tensor = torch.ones(shape, dtype=torch.int64)
                tensor[0, -1] = 0
            else:
                limit = {"token_type_ids": 2, "labels": 5}.get(spec["name"], 50)
                tensor = torch.arange(math.prod(shape)).reshape(shape) % limit
            inputs[spec["name"]] = tensor[: spec["shape"][0]].contiguous()
        save_file(inputs, path)


def job_of(name, work, roundings=("fp32",), batches=(2,)):
    parameters, outputs, shapes = _TINY[name]
    contents = []
    for rounding in roundings:
        for batch in batches:
            contents.append(
                {
                    "id": len(contents),
                    "label": "//x:%s_%s_b%d" % (name, rounding, batch),
                    "parameters": parameters,
                    "batch": batch,
                    "rounding": rounding,
                    "seed": 0,
                    "inputs": [
                        {"name": n, "shape": [batch, *s[1:]], "rounding": "" if name == "bert" else rounding}
                        for n, s in shapes.items()
                    ],
                    "blob": os.path.join(work, "%d.safetensors" % len(contents)),
                    "outputs": outputs,
                    "training": None,
                    "continuation": [],
                    "targets": [],
                    "metadata": {"implementation": name},
                }
            )
    script = os.path.join(_MODELS, name, "reference.py")
    job = {"implementation": name, "script": script, "threads": 1, "roles": []}
    return {**job, "work": work, "contents": contents}


def make(name, rounds_inputs=False, **options):
    """The decoded blobs of a tiny model, by (rounding, batch)."""
    with tempfile.TemporaryDirectory() as work:
        job = job_of(name, work, **options)
        family = compute.Family(job["script"])
        events, blobs = [], {}
        compute.independent_references(job, FakeRunner(family, job, rounds_inputs), events.append)
        for event in events:
            assert "error" not in event, event
        for content in job["contents"]:
            with open(content["blob"], "rb") as f:
                blobs[content["rounding"], content["batch"]] = reference_blob.decode(f.read())
        return blobs


class InputsTest(unittest.TestCase):
    """The runner's exports are compared with the generator in Python."""

    def given(self, dtype="FP32", rounding="fp32", **distribution):
        spec = {"name": "x", "dtype": dtype, "shape": [2, 3], "rounding": rounding, "distribution": distribution}
        return {"seed": 0, "inputs": [spec]}

    def tensor(self, content, dtype):
        return torch.tensor(seeded_inputs.values(content["inputs"][0]), dtype=dtype).reshape(2, 3)

    def test_the_draws_of_the_distribution_pass(self):
        floats, integers = self.given(normal={}), self.given("INT64", "", integers={"limit": "9"})
        for content, dtype in ((floats, torch.float32), (integers, torch.int64)):
            compute.inputs_of(content, {"x": self.tensor(content, dtype)})

    def test_one_element_of_another_value_is_named(self):
        content = self.given("INT64", "", integers={"limit": "9"})
        exported = self.tensor(content, torch.int64)
        exported[1, 0] += 1
        with self.assertRaisesRegex(compute.ReferenceError, 'input "x": element 3 was exported as'):
            compute.inputs_of(content, {"x": exported})

    def test_floats_in_place_of_integers_are_refused(self):
        content = self.given("INT64", "", integers={"limit": "9"})
        with self.assertRaisesRegex(compute.ReferenceError, "exported as torch.float32, the case says INT64"):
            compute.inputs_of(content, {"x": self.tensor(content, torch.float32)})


class OutputsTest(unittest.TestCase):
    """A blob keeps every form of output."""

    def test_scalars_integers_and_booleans_come_back(self):
        outputs = {"loss": torch.tensor(2.5), "labels": torch.tensor([3, 0, 7]), "right": torch.tensor([True, False])}
        blob = reference_blob.encode({n: compute.blob_output(n, t) for n, t in outputs.items()}, {})
        decoded, _ = reference_blob.decode(blob)
        self.assertEqual(((), (2.5,)), (decoded["loss"].shape, decoded["loss"].values))
        self.assertEqual((3.0, 0.0, 7.0), decoded["labels"].values)
        self.assertEqual((1.0, 0.0), decoded["right"].values)

    def test_integers_that_float64_cannot_tell_apart_are_refused(self):
        with self.assertRaisesRegex(compute.ReferenceError, '"labels" holds integers of 2\\^53'):
            compute.blob_output("labels", torch.tensor([2**53 + 1]))
        compute.blob_output("labels", torch.tensor([2**53 - 1]))


class ReferenceScriptsTest(unittest.TestCase):
    def test_every_family_computes_its_outputs(self):
        for name, (_, outputs, _) in _TINY.items():
            with self.subTest(family=name):
                decoded, metadata = make(name)["fp32", 2]
                self.assertEqual(set(outputs), set(decoded))
                self.assertGreater(min(o.stats.std for o in decoded.values()), 0)
                self.assertRegex(metadata["provenance"], r"\S+ [\d.]+, float64, torch 2\.")

    def test_rows_do_not_depend_on_the_batch(self):
        for name, (_, outputs, _) in _TINY.items():
            blobs = make(name, batches=(1, 2))
            for output in outputs:
                one, two = (blobs["fp32", batch][0][output] for batch in (1, 2))
                for a, b in zip(one.values, two.values):
                    self.assertAlmostEqual(a, b, delta=1e-12 * two.stats.std)

    def test_rounding_of_weights_and_inputs_shows_and_is_no_larger_than_the_dtype(self):
        for name in _TINY:
            blobs = make(name, roundings=("fp32", "fp16", "bf16"))
            for output in _TINY[name][1]:
                exact = blobs["fp32", 2][0][output]
                for rounding, smallest, largest in (("fp16", 1e-6, 1e-2), ("bf16", 1e-5, 1e-1)):
                    other = blobs[rounding, 2][0][output]
                    change = max(abs(a - b) for a, b in zip(exact.values, other.values)) / exact.stats.std
                    self.assertTrue(smallest < change < largest, (name, output, rounding, change))


    def test_a_runner_that_rounds_inputs_itself_gives_the_same_references(self):
        roundings = ("fp32", "fp16", "bf16")
        self.assertEqual(make("mlp", roundings=roundings), make("mlp", rounds_inputs=True, roundings=roundings))


class LoadTest(unittest.TestCase):
    def test_names_and_shapes_must_agree_to_the_last(self):
        module = torch.nn.Linear(2, 3)
        weight, bias = torch.zeros(3, 2), torch.zeros(3)
        for state, words in [
            ({"weight": weight}, "bias"),
            ({"weight": weight, "bias": bias, "more": bias}, "more"),
            ({"weight": weight.T.contiguous(), "bias": bias}, "size mismatch"),
        ]:
            with self.assertRaisesRegex(compute.ReferenceError, words):
                compute.load(module, state)

    def test_tied_tensors_must_be_equal(self):
        module = torch.nn.Sequential(torch.nn.Linear(2, 2, bias=False), torch.nn.Linear(2, 2, bias=False))
        module[1].weight = module[0].weight
        with self.assertRaisesRegex(compute.ReferenceError, "0.weight and 1.weight .* two in ours: tie them in the C"):
            compute.load(module, {"0.weight": torch.zeros(2, 2), "1.weight": torch.ones(2, 2)})

    def test_tied_tensors_stay_one(self):
        module = torch.nn.Sequential(torch.nn.Embedding(4, 2), torch.nn.Linear(2, 4, bias=False))
        module[1].weight = module[0].weight
        weight = torch.arange(8.0).reshape(4, 2)
        compute.load(module, {"0.weight": weight, "1.weight": weight.clone()})
        self.assertIs(module[0].weight, module[1].weight)
        self.assertEqual(["0.weight"], [name for name, _ in module.named_parameters()])
        self.assertEqual(torch.float64, module[1].weight.dtype)

    def test_a_tie_that_is_missing_on_the_other_side_is_named(self):
        module = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
        drawn, filled = torch.arange(4.0).reshape(2, 2), torch.ones(2)
        state = {"0.weight": drawn, "0.bias": filled, "1.weight": drawn.clone(), "1.bias": filled.clone()}
        with self.assertRaisesRegex(compute.ReferenceError, "0.weight and 1.weight .* tie them in its build"):
            compute.load(module, state)
        compute.load(module, dict(state, **{"1.weight": drawn + 1}))
        compute.load(module, state, drawn=False)

    def test_inputs_must_be_those_of_the_case(self):
        content = {"inputs": [{"name": "x", "shape": [2, 3], "rounding": "fp32"}]}
        with self.assertRaisesRegex(compute.ReferenceError, "no input"):
            compute.inputs_of(content, {})
        with self.assertRaisesRegex(compute.ReferenceError, r"exported \[3, 2\]"):
            compute.inputs_of(content, {"x": torch.zeros(3, 2)})

    def test_inputs_that_were_rounded_further_than_the_case_are_refused(self):
        exported = {"x": torch.zeros(2, 3, dtype=torch.bfloat16)}
        content = lambda rounding: {"inputs": [{"name": "x", "shape": [2, 3], "rounding": rounding}]}
        for rounding in ("fp32", "fp16"):
            with self.assertRaisesRegex(compute.ReferenceError, "exported as torch.bfloat16"):
                compute.inputs_of(content(rounding), exported)
        compute.inputs_of(content("bf16"), exported)


class SharedRowsTest(unittest.TestCase):
    """A smaller batch's rows are a larger one's where the parameters, which limit integers, are the same."""

    def exports(self, *numbers):
        runner = unittest.mock.Mock()
        runner.export_inputs.side_effect = lambda label, path: save_file({"y": torch.tensor(numbers[label])}, path)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        exports = compute.InputExports({"work": folder.name}, runner)
        for label, rows in enumerate(numbers):
            ways = {"ways": 9 if max(rows) > 4 else 5}
            exports.of({"label": label, "rounding": "fp32", "parameters": ways, "inputs": [{"name": "y", "shape": [len(rows)]}]})

    def test_other_parameters_may_draw_other_rows(self):
        self.exports([1, 2], [1, 2, 3], [8, 7])

    def test_other_rows_of_the_same_parameters_are_refused(self):
        with self.assertRaisesRegex(compute.ReferenceError, 'input "y": the rows of batch 2 and 3 differ'):
            self.exports([1, 2], [2, 1, 3])


class TrueFloat64Test(unittest.TestCase):
    def test_casts_and_dtype_arguments_mean_float64(self):
        x = torch.ones(3, dtype=torch.float64) / 3
        with true_float64.true_float64():
            for y in (
                x.float(),
                x.half(),
                x.to(torch.float32),
                x.to(dtype=torch.bfloat16),
                x.type(torch.float32),
                torch.softmax(x, 0, dtype=torch.float32),
                torch.arange(3, dtype=torch.float32),
                torch.tensor(0.1),
            ):
                self.assertEqual(torch.float64, y.dtype)
            self.assertTrue(torch.equal(x, x.float()))

    def test_a_hidden_cast_is_an_error(self):
        class Narrow(torch.nn.Module):
            def forward(self, x):
                # handle_torch_function turns the requests' mode off in here, as in torch.nn.functional's Python code.
                with torch._C.DisableTorchFunction():
                    return x.to(torch.float32)

        x = torch.ones(3, dtype=torch.float64)
        with self.assertRaisesRegex(true_float64.LossOfPrecision, "float32"), true_float64.true_float64():
            Narrow()(x)

    def test_what_was_before_is_restored(self):
        with self.assertRaises(ZeroDivisionError), true_float64.true_float64():
            raise ZeroDivisionError
        self.assertEqual(torch.float32, torch.get_default_dtype())
        self.assertEqual(torch.float32, torch.ones(1).float().dtype)

    def test_a_model_that_casts_inside_agrees_across_attention_codes_only_so(self):
        config = dict(
            vocab_size=50, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=96
        )
        ids, outputs = torch.arange(12)[None], {}
        for attention in ("sdpa", "eager"):
            torch.manual_seed(0)
            module = transformers.LlamaModel(transformers.LlamaConfig(**config, attn_implementation=attention)).eval().double()
            with torch.inference_mode():
                outputs["naive", attention] = module(ids, use_cache=False)[0]
                with true_float64.true_float64():
                    outputs["true", attention] = module(ids, use_cache=False)[0]
        error = lambda a, b: (outputs[a] - outputs[b]).abs().max().item()
        self.assertLess(error(("true", "sdpa"), ("true", "eager")), 1e-13)
        self.assertGreater(error(("true", "sdpa"), ("naive", "sdpa")), 1e-9)


class BlobOutputTest(unittest.TestCase):
    def test_statistics_are_those_of_numpy(self):
        x = torch.randn(30, 1000, generator=torch.Generator().manual_seed(1), dtype=torch.float64) + 3
        output, y = compute.blob_output("y", x), x.numpy()
        want = [y.mean(), y.std(), numpy.linalg.norm(y), numpy.abs(y).max()]
        numpy.testing.assert_allclose(output.stats, want, rtol=1e-13)
        numpy.testing.assert_array_equal(output.values, y.flatten()[list(output.indices)])

    def test_an_output_with_nan_makes_no_blob(self):
        x = torch.zeros(30, 1000, dtype=torch.float64)
        x[3, 4] = float("nan")
        with self.assertRaises(reference_blob.BlobError):
            reference_blob.encode({"y": compute.blob_output("y", x)}, {})


class QualityTest(unittest.TestCase):
    def test_figures_order_the_dtypes_and_see_a_changed_weight(self):
        with tempfile.TemporaryDirectory() as work:
            job, events = job_of("resnet", work), []
            family = compute.Family(job["script"])
            quality.measure(job, FakeRunner(family, job), events.append)
        (figure,) = events[0]["measured"].values()
        self.assertLess(figure["fp32"][0], 1e-5)
        self.assertGreater(figure["sensitivity"][0], 10)
        if not isinstance(figure["bf16"], str):
            self.assertLess(100 * figure["fp32"][0], figure["bf16"][0])


if __name__ == "__main__":
    unittest.main()
