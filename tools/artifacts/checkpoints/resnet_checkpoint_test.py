"""A checkpoint that Python's safetensors wrote for torchvision's resnet18 gives Python's output, within float32's rounding.

The weights are torchvision's own random initialisation with random batch-norm statistics; Python computes in float32, as the
case does, and in float64 to say how much of the difference is rounding.
"""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest

import numpy
import torch
import torchvision
from huggingface_hub import save_torch_state_dict
from safetensors.torch import load_file, save_file

from tools.artifacts.checkpoints.case_command import CaseCommand


def _model():
    torch.manual_seed(7)
    model = torchvision.models.resnet18(weights=None).eval()
    for name, buffer in model.named_buffers():
        if name.endswith("running_mean"):
            buffer.normal_(0, 0.1)
        elif name.endswith("running_var"):
            buffer.uniform_(0.5, 1.5)
        else:
            buffer.fill_(1234)  # num_batches_tracked
    return model


class ResNetCheckpointTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.case = CaseCommand("benchmarks/resnet", "resnet18_fp32_b1", temporary.name)
        image = load_file(cls.case.export_inputs())["image"]
        model = _model()
        cls.state = {name: tensor.contiguous() for name, tensor in model.state_dict().items()}
        save_file(cls.state, cls.case.path("resnet18.safetensors"))
        with torch.inference_mode():
            cls.logits = model(image).numpy()
            cls.exact = model.double()(image.double()).numpy()
        numpy.savez(cls.case.path("logits.npz"), logits=cls.logits)
        numpy.savez_compressed(cls.case.path("exact.npz"), logits=cls.exact)

    def check(self, *arguments):
        record = self.case.verify(*arguments)
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        output = record["verdict"]["outputs"][0]
        self.assertEqual(int(output["elements_compared"]), self.logits.size)
        error = output.get("max_error", 0)  # of the outputs' standard deviation; absent where 0
        self.assertLess(error, 1e-5)
        return error

    def test_the_output_is_pythons_within_rounding(self):
        both = self.check("--weights=resnet18.safetensors", "--inputs=inputs.safetensors", "--reference=logits.npz")
        exact = self.check("--weights=resnet18.safetensors", "--inputs=inputs.safetensors", "--reference=exact.npz")
        rounding = numpy.abs(self.logits - self.exact).max() / self.exact.std()
        print("max error in the logits' standard deviation")
        print("  C++ float32 against Python float32     %.2e" % both)
        print("  C++ float32 against Python float64     %.2e" % exact)
        print("  Python float32 against Python float64  %.2e" % rounding)
        self.assertLess(both, 10 * rounding)
        self.assertTrue(0 < exact < 10 * rounding)

    def test_hugging_faces_shards_give_the_same(self):
        os.mkdir(self.case.path("sharded"))
        save_torch_state_dict(self.state, self.case.path("sharded"), max_shard_size="10MB")
        self.assertGreater(len([f for f in os.listdir(self.case.path("sharded")) if f.endswith(".safetensors")]), 1)
        sharded = self.check("--weights=sharded", "--reference=exact.npz")
        self.assertEqual(sharded, self.check("--weights=resnet18.safetensors", "--reference=exact.npz"))

    def test_files_of_before_batches_were_counted_load(self):
        old = {n: t for n, t in self.state.items() if not n.endswith("num_batches_tracked")}
        self.assertEqual(len(self.state) - len(old), 20)
        save_file(old, self.case.path("old.safetensors"))
        self.check("--weights=old.safetensors", "--reference=logits.npz")
        record = self.case.verify("--weights=old.safetensors", "--reference=logits.npz")
        (note,) = record["weights"]["conversions"]
        self.assertTrue(note.startswith('20 tensors not in the file left at 0: "bn1.num_batches_tracked"'), note)
        del old["bn1.running_mean"]
        save_file(old, self.case.path("older.safetensors"))
        done = self.case.run("--action=verify", "--weights=older.safetensors")
        self.assertEqual(done.returncode, 3)
        self.assertIn('missing     1: "bn1.running_mean"', done.stderr)

    def test_what_wrapped_models_and_training_scripts_save_loads(self):
        model = _model()
        wrapped = torch.compile(torch.nn.DataParallel(model)).state_dict()
        save_file({n: t.contiguous() for n, t in wrapped.items()}, self.case.path("wrapped.safetensors"))
        self.check("--weights=wrapped.safetensors", "--reference=logits.npz")
        torch.save({"model": wrapped, "epoch": 90, "args": [1]}, self.case.path("checkpoint.pth"))
        done = self.case.run("--action=verify", "--weights=checkpoint.pth", "--reference=logits.npz")
        self.assertEqual(done.returncode, 3)
        command = shlex.split(done.stderr.split("\n")[1])
        subprocess.run([sys.executable, "-s", "-S", *command[1:]], check=True, cwd=self.case.path("."))
        self.check("--weights=checkpoint.safetensors", "--reference=logits.npz")

    def test_one_changed_weight_is_seen(self):
        changed = dict(self.state, **{"fc.bias": self.state["fc.bias"] + 0.1})
        save_file(changed, self.case.path("changed.safetensors"))
        record = self.case.verify("--weights=changed.safetensors", "--reference=logits.npz")
        self.assertEqual((record["exit_code"], record["outcome"]), (1, "FAIL_ACCURACY"))

    def test_a_checkpoint_of_another_model_is_refused_by_name(self):
        other = {n: t.contiguous() for n, t in torchvision.models.resnet34(weights=None).state_dict().items()}
        save_file(other, self.case.path("other.safetensors"))
        done = self.case.run("--action=verify", "--weights=other.safetensors")
        self.assertEqual(done.returncode, 3)
        self.assertIn('"layer1.2.bn1.bias"', done.stderr)
        self.assertIn("more", done.stderr)
        self.assertIn("with 3, 4, 6, 3 blocks in layer1, layer2, layer3, layer4, where the model has 2, 2, 2, 2", done.stderr)


if __name__ == "__main__":
    unittest.main()
