"""Training references are steps of gradient descent as written down on paper, in float64. Needs torch."""

import json
import math
import os
import tempfile
import types
import unittest

import torch

from artifacts.format import reference_blob
from tools.artifacts.generate import compute, training
from tools.artifacts.generate.oracle_test import FakeRunner, job_of
from tools.artifacts.generate.reference_error import ReferenceError
from tools.artifacts.generate.test_cases import training_outputs
from tools.artifacts.generate.true_float64 import LossOfPrecision

_SGD = {"learning_rate": 0.5, "momentum": 0.75, "nesterov": False, "weight_decay": 0.0}
_ADAM = {"learning_rate": 0.5, "beta1": 0.75, "beta2": 0.875, "epsilon": 1e-3, "weight_decay": 0.25}
_X, _Y = torch.tensor([[1.0, 2.0], [3.0, -1.0]], dtype=torch.float64), torch.tensor([[1.0], [2.0]], dtype=torch.float64)


def _forward(module, inputs):
    return {"y": module(inputs["x"])}


def _loss(module, outputs, targets):
    return (outputs["y"] - targets["t"]).square().mean()


def toy(forward=_forward, loss=_loss, **more):
    return types.SimpleNamespace(forward=forward, loss=loss, **more)


def linear():
    module = torch.nn.Linear(2, 1).double()
    with torch.no_grad():
        module.weight.copy_(torch.tensor([[0.5, -0.25]]))
        module.bias.fill_(0.125)
    return module


def settings_of(optimizers, loss="OWN", clip_norm=0.0):
    return {"loss": loss, "clip_norm": clip_norm, "optimizers": optimizers}


def run(script, module, settings=_SGD, **others):
    return training.steps(script, module, {"x": _X}, {"t": _Y}, settings_of([["sgd", settings]], **others))


class StepsTest(unittest.TestCase):
    def test_a_tied_tensor_trains_as_one(self):
        """y = (w1 * w2) x with w1 = w2: d/dw of (w^2 x - t)^2 is twice that of two tensors."""
        module = torch.nn.Sequential(torch.nn.Linear(1, 1, bias=False), torch.nn.Linear(1, 1, bias=False))
        module[1].weight = module[0].weight
        weight = torch.tensor([[0.5]])
        compute.load(module, {"0.weight": weight, "1.weight": weight.clone()})
        x, t = torch.tensor([[2.0]], dtype=torch.float64), torch.tensor([[1.0]], dtype=torch.float64)
        got = training.steps(toy(), module, {"x": x}, {"t": t}, settings_of([["sgd", _SGD]]))
        # 2 (w^2 x - t) * 2 w x, at w = 0.5
        self.assertEqual([2 * (0.25 * 2 - 1) * 2 * 0.5 * 2], got["step1.gradients"].tolist())
        self.assertEqual(1, got["sgd.step3.parameters"].numel())

    def test_outputs_for_the_loss_alone_are_not_recorded(self):
        def forward(module, inputs):
            return {**_forward(module, inputs), "_twice": 2 * module(inputs["x"])}

        def loss(module, outputs, targets):
            return (outputs["_twice"] / 2 - targets["t"]).square().mean()

        got, want = run(toy(forward, loss), linear()), run(toy(), linear())
        self.assertEqual(set(want), set(got))
        for name, tensor in want.items():
            self.assertTrue(torch.equal(tensor, got[name]), name)

    def test_a_buffer_that_stays_is_not_recorded(self):
        module = linear()
        module.register_buffer("positions", torch.arange(3))
        self.assertEqual(set(run(toy(), linear())), set(run(toy(), module)))

    def test_the_numbers_are_those_of_the_formulas(self):
        got = run(toy(), linear())
        w, b = torch.tensor([[0.5, -0.25]], dtype=torch.float64), torch.tensor([0.125], dtype=torch.float64)
        velocity_w, velocity_b = torch.zeros_like(w), torch.zeros_like(b)
        want = {}
        for step in (1, 2, 3):
            y = _X @ w.T + b
            error = 2 * (y - _Y) / len(_X)  # d loss / d y
            gradient_w, gradient_b = error.T @ _X, error.sum(0)
            now = {"loss": ((y - _Y) ** 2).mean(), "y": y, "gradients": torch.cat([gradient_w.flatten(), gradient_b])}
            now["gradient_norms"] = torch.stack([gradient_w.norm(), gradient_b.norm()])
            velocity_w, velocity_b = 0.75 * velocity_w + gradient_w, 0.75 * velocity_b + gradient_b
            w, b = w - 0.5 * velocity_w, b - 0.5 * velocity_b
            after = {"parameters": torch.cat([w.flatten(), b])}
            after["update_norms"] = torch.stack([(0.5 * velocity_w).norm(), (0.5 * velocity_b).norm()])
            prefix = "step1." if step == 1 else "sgd.step%d." % step
            want.update({prefix + name: tensor for name, tensor in now.items()})
            want.update({"sgd.step%d.%s" % (step, name): tensor for name, tensor in after.items()})
        self.assertEqual(set(training_outputs(["y"])), set(got))
        for name, tensor in got.items():
            self.assertEqual((torch.float64, want[name].shape), (tensor.dtype, tensor.shape), name)
            torch.testing.assert_close(tensor, want[name], rtol=1e-13, atol=1e-13, msg=name)

    def test_the_third_step_sees_a_momentum_that_is_one_percent_off(self):
        one, other = run(toy(), linear()), run(toy(), linear(), {**_SGD, "momentum": 0.75 * 1.01})
        self.assertTrue(torch.equal(one["sgd.step1.parameters"], other["sgd.step1.parameters"]))
        self.assertGreater((one["sgd.step3.parameters"] - other["sgd.step3.parameters"]).abs().max().item(), 1e-3)

    def test_frozen_state_and_its_order(self):
        module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 1)).double()
        got = run(toy(), module)
        sizes = [6, 3, 3, 3, 3, 1]  # buffers of the norm are no parameters
        self.assertEqual(len(sizes), len(got["step1.gradient_norms"]))
        self.assertEqual(sum(sizes), len(got["sgd.step3.parameters"]))
        mean = (_X @ module[0].weight.T + module[0].bias).mean(0)  # of step 1: the module is as it was
        self.assertTrue(torch.allclose(0.1 * mean, got["step1.buffers"][:3], rtol=1e-12))
        self.assertEqual([1.0, 3.0], [got[name][-1].item() for name in ("step1.buffers", "sgd.step3.buffers")])
        self.assertFalse(module.training)

    def test_each_optimizer_starts_from_the_same_state(self):
        optimizers = [["sgd", _SGD], ["adam", _ADAM], ["adamw", _ADAM]]
        module = linear()
        together = training.steps(toy(), module, {"x": _X}, {"t": _Y}, settings_of(optimizers))
        self.assertEqual(set(training_outputs(["y"], ("sgd", "adam", "adamw"))), set(together))
        for optimizer in optimizers:
            alone = training.steps(toy(), linear(), {"x": _X}, {"t": _Y}, settings_of([optimizer]))
            for name, tensor in alone.items():
                self.assertTrue(torch.equal(tensor, together[name]), name)
        for name, tensor in linear().state_dict().items():
            self.assertTrue(torch.equal(tensor, module.state_dict()[name]), name)

    def test_adam_moves_by_its_formula(self):
        for name in ("adam", "adamw"):
            got = training.steps(toy(), linear(), {"x": _X}, {"t": _Y}, settings_of([[name, _ADAM]]))
            w = torch.tensor([0.5, -0.25, 0.125], dtype=torch.float64)
            g = got["step1.gradients"] + (0.25 * w if name == "adam" else 0)
            if name == "adamw":
                w = w - 0.5 * 0.25 * w
            # Both corrections are 1 in the first step's ratio.
            want = w - 0.5 * g / (g.abs() + 1e-3)
            torch.testing.assert_close(got[name + ".step1.parameters"], want, rtol=1e-13, atol=1e-13)

    def test_losses_over_outputs(self):
        two = toy(forward=lambda m, inputs: {"y": m(inputs["x"]), "z": 2 * m(inputs["x"]), "n": torch.ones(2, dtype=torch.int64)})
        y = linear()(_X).sum().item()
        module = linear()
        self.assertAlmostEqual(3 * y, run(two, module, loss="SUM")["step1.loss"].item(), delta=1e-12)
        self.assertAlmostEqual((y / 2 + 2 * y / 2) / 2, run(two, module, loss="MEAN")["step1.loss"].item(), delta=1e-12)
        logits = toy(forward=lambda m, inputs: {"y": torch.cat([m(inputs["x"]), 0 * m(inputs["x"])], 1)})
        got = training.steps(
            logits, module, {"x": _X}, {"t": torch.tensor([0, 1])}, settings_of([["sgd", _SGD]], loss="CROSS_ENTROPY")
        )
        a, b = (v.item() for v in linear()(_X))
        self.assertAlmostEqual((math.log1p(math.exp(-a)) + math.log1p(math.exp(b))) / 2, got["step1.loss"].item(), delta=1e-12)

    def test_gradients_are_clipped_to_their_norm_and_recorded_as_they_were(self):
        plain, clipped = run(toy(), linear()), run(toy(), linear(), clip_norm=0.25)
        self.assertTrue(torch.equal(plain["step1.gradients"], clipped["step1.gradients"]))
        norm = plain["step1.gradients"].norm().item()
        self.assertGreater(norm, 0.25)
        want = plain["sgd.step1.update_norms"] * 0.25 / (norm + 1e-6)
        torch.testing.assert_close(clipped["sgd.step1.update_norms"], want, rtol=1e-12, atol=0)

    def test_attention_may_run_where_it_drops_nothing(self):
        attend = torch.nn.functional.scaled_dot_product_attention

        def attending(probability):
            def forward(module, inputs):
                y = module(inputs["x"]).reshape(1, 1, 2, 1)
                return {"y": attend(y, y, y, dropout_p=probability).reshape(2, 1)}

            return toy(forward=forward)

        run(attending(0.0), linear())
        with self.assertRaisesRegex(ReferenceError, "random numbers"):
            run(attending(0.5), linear())

    def test_nothing_drops_out(self):
        module = torch.nn.Sequential(linear(), torch.nn.Dropout(0.5))
        self.assertTrue(torch.equal(run(toy(), linear())["step1.gradients"], run(toy(), module)["step1.gradients"]))
        drop = torch.nn.functional.dropout
        for name in ("drop_rate", "dropout", "attention_dropout", "activation_dropout"):
            rated = linear()
            setattr(rated, name, 0.5)
            rate = lambda module, name=name: getattr(module, name)
            dropping = lambda module, inputs, rate=rate: {"y": drop(module(inputs["x"]), rate(module)) if rate(module) else module(inputs["x"])}
            self.assertTrue(torch.equal(run(toy(), linear())["step1.gradients"], run(toy(forward=dropping), rated)["step1.gradients"]))

    def test_a_parameter_that_the_script_says_has_no_gradient_stays_as_it_is(self):
        unused = linear()
        unused.more = torch.nn.Parameter(torch.full((1,), 7.0, dtype=torch.float64))
        got = run(toy(WITHOUT_GRADIENT=("more",)), unused)
        for name, tensor in run(toy(), linear()).items():
            kept = {"gradients": 0.0, "gradient_norms": 0.0, "update_norms": 0.0, "parameters": 7.0}
            more = [kept[word] for word in [name.split(".")[-1]] if word in kept]
            self.assertEqual(tensor.flatten().tolist() + more, got[name].flatten().tolist(), name)

    def test_what_cannot_be_a_reference_is_refused_with_the_reason(self):
        def narrow(module, outputs, targets):
            with torch._C.DisableTorchFunction():
                return _loss(module, outputs, targets).to(torch.float32)

        unused = linear()
        unused.more = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
        random = lambda module, inputs: {"y": torch.nn.functional.dropout(module(inputs["x"]))}
        each = lambda module, outputs, targets: (outputs["y"] - targets["t"]).square()
        for script, module, words in [
            (types.SimpleNamespace(forward=_forward), linear(), "has no loss"),
            (toy(loss=each), linear(), "want a scalar"),
            (toy(), unused, '"more" gets no gradient'),
            (toy(WITHOUT_GRADIENT=("weight",)), linear(), '"weight" gets a gradient'),
            (toy(forward=random), linear(), "random numbers"),
        ]:
            with self.subTest(words=words), self.assertRaisesRegex(ReferenceError, words):
                run(script, module)
        with self.assertRaisesRegex(LossOfPrecision, "float32"):
            run(toy(loss=narrow), linear())
        with self.assertRaisesRegex(ReferenceError, 'no optimizer "lion"'):
            training.steps(toy(), linear(), {"x": _X}, {"t": _Y}, settings_of([["lion", {}]]))
        with self.assertRaisesRegex(ReferenceError, 'no loss "HINGE"'):
            run(toy(), linear(), loss="HINGE")


class MlpTest(unittest.TestCase):
    def test_a_training_content_beside_one_that_evaluates(self):
        with tempfile.TemporaryDirectory() as work:
            job = job_of("mlp", work)
            (evaluated,) = job["contents"]
            inputs = evaluated["inputs"] + [{"name": "labels", "shape": [2], "rounding": ""}]
            train = {**evaluated, "id": 1, "label": "//x:train", "inputs": inputs, "targets": ["labels"], "training": settings_of([["sgd", _SGD]])}
            train["outputs"] = training_outputs(evaluated["outputs"])
            train["metadata"] = {"training": json.dumps(train["training"], sort_keys=True)}
            train["blob"] = os.path.join(work, "train.safetensors")
            again = {**evaluated, "id": 2, "label": "//x:again", "blob": os.path.join(work, "again.safetensors")}
            job["contents"] += [train, again]
            events = []
            compute.independent_references(job, FakeRunner(compute.Family(job["script"]), job), events.append)
            blobs = []
            for event, content in zip(events, job["contents"]):
                self.assertNotIn("error", event)
                with open(content["blob"], "rb") as f:
                    blobs.append(reference_blob.decode(f.read()))
        (plain, _), (trained, metadata), (after, _) = blobs
        self.assertEqual(plain, after)  # a step changed no weights of the others
        self.assertEqual(plain["probabilities"].values, trained["step1.probabilities"].values)
        want = -sum(math.log(plain["probabilities"].values[5 * i + i]) for i in range(2)) / 2
        self.assertAlmostEqual(want, trained["step1.loss"].values[0], delta=1e-12)
        self.assertLess(trained["sgd.step3.loss"].values[0], trained["step1.loss"].values[0])
        self.assertRegex(metadata["provenance"], r"torch\.nn .*float64, torch .*, torch\.optim: sgd$")
        self.assertIn('"momentum": 0.75', metadata["training"])


if __name__ == "__main__":
    unittest.main()
