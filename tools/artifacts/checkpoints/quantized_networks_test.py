"""Networks on integers give, to the bit, the logits of torch.ao.quantization's eager mode.

Both get the same weights. Both see the case's images in float64 before, which fixes the scales. Then neither a weight nor an
activation may be rounded otherwise: a step of the logits is more than a thousand times their float32 error.
"""

import copy
import tempfile
import unittest
import warnings

import numpy
import torch
from safetensors.torch import load_file, save_file
from torch.ao import quantization
from torchvision.models.quantization import mobilenetv2, resnet

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.artifacts.checkpoints.filled import filled

warnings.filterwarnings("ignore", category=DeprecationWarning)


class _CutAtSix(quantization.MinMaxObserver):
    """Sees what ReLU6 leaves: the steps of a convolution are those of its activation."""

    def forward(self, x):
        super().forward(x.clamp(0, 6))
        return x


def _fuse_norms(model):
    """torch.ao fuses no ReLU6, so torchvision's fuse_model() replaces it by ReLU; this keeps it."""
    for sequence in [m for m in model.modules() if isinstance(m, torch.nn.Sequential)]:
        children = list(sequence.named_children())
        for (conv, first), (norm, second) in zip(children, children[1:]):
            if isinstance(first, torch.nn.Conv2d) and isinstance(second, torch.nn.BatchNorm2d):
                quantization.fuse_modules(sequence, [conv, norm], inplace=True)


def _observe_behind_relu6(model):
    for sequence in [m for m in model.modules() if isinstance(m, torch.nn.Sequential)]:
        left = [m for m in sequence if not isinstance(m, torch.nn.Identity)]
        for conv, activation in zip(left, left[1:]):
            if isinstance(activation, torch.nn.ReLU6):
                conv.activation_post_process = _CutAtSix(reduce_range=True)


def _quantized(model, images):
    """torch.ao's network of integers, with scales by one float64 call."""
    model = copy.deepcopy(model).double()
    has_relu6 = any(isinstance(m, torch.nn.ReLU6) for m in model.modules())
    _fuse_norms(model) if has_relu6 else model.fuse_model(is_qat=False)
    model.qconfig = quantization.QConfig(
        activation=quantization.MinMaxObserver.with_args(reduce_range=True),
        weight=quantization.default_per_channel_weight_observer,
    )
    quantization.prepare(model, inplace=True)
    _observe_behind_relu6(model)
    with torch.no_grad():
        model(images.double())
    return quantization.convert(model.float(), inplace=True)


class QuantizedNetworksTest(unittest.TestCase):
    def check(self, family, name, model):
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            case = CaseCommand("benchmarks/" + family, name, folder)
            images = load_file(case.export_inputs())["image"]
            model = filled(model.eval())
            state = model.state_dict()
            save_file({n: t.contiguous() for n, t in state.items() if "activation_post_process" not in n}, case.path("floats.safetensors"))
            integers, floats = _quantized(model, images)(images), model(images)
            errors = []
            for logits in (integers, floats):
                numpy.savez(case.path("logits.npz"), logits=logits.numpy())
                record = case.verify("--weights=floats.safetensors", "--reference=logits.npz")
                self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
                errors.append(record["verdict"]["outputs"][0].get("max_error", 0))  # absent where 0
            print("%s: %d different logits; largest difference from torch.ao %g, from the network on floats %g of std"
                  % (name, len(integers.unique()), *errors))
            self.assertEqual(errors[0], 0)
            self.assertGreater(errors[1], 0.005)

    def test_resnet18(self):
        self.check("resnet", "resnet18_fp32_b8_r64_int8_static", resnet.QuantizableResNet(resnet.QuantizableBasicBlock, [2, 2, 2, 2]))

    def test_resnet50(self):
        self.check("resnet", "resnet50_fp32_b8_int8_static", resnet.QuantizableResNet(resnet.QuantizableBottleneck, [3, 4, 6, 3]))

    def test_mobilenet_v2(self):
        self.check("mobilenet_v2", "mobilenet_v2_fp32_b8_r64_int8_static", mobilenetv2.QuantizableMobileNetV2(block=mobilenetv2.QuantizableInvertedResidual))


if __name__ == "__main__":
    unittest.main()
