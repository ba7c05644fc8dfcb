"""Writes the files of this folder: models that are nowhere in this tree, and what PyTorch computes by them.

    python3 tools/run_model/testdata/write.py FOLDER     # with torch 2.11.0, torchvision 0.26.0, safetensors and onnxscript 0.7.2

Notes of the writers for people, such as where on this machine each line of source stood, are taken out again.
"""

import json
import os
import sys
import zipfile
from typing import Dict, List, Optional, Tuple

import torch
import torchvision
from safetensors.torch import save_file
from torchvision.models.detection import faster_rcnn, mask_rcnn
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.ops import MultiScaleRoIAlign


class Steps(torch.nn.Module):
    """Control flow on data, which only a script holds; a dict with a tuple in it."""

    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRUCell(3, 4)

    def forward(self, x: torch.Tensor, steps: torch.Tensor):
        state = x.new_zeros([x.size(0), 4])
        for _ in range(int(steps.max().item())):
            state = self.cell(x, state)
        return {"state": state, "rest": (state.argmax(1), steps + 1)}


class Bag(torch.nn.Module):
    """Whole numbers, a mask, a constant, a buffer that is not part of the state."""

    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(11, 4)
        self.register_buffer("shift", torch.tensor([1.0, -2.0, 3.0, 0.5]), persistent=False)

    def forward(self, ids, mask):
        rows = (self.table(ids) + self.shift) * mask.unsqueeze(-1)
        return torch.nn.functional.gelu(rows.sum(1)) * torch.tensor(0.5), ids.flip(1)


class Writes(torch.nn.Module):
    """A recurrent step, which keeps its state in an input."""

    def forward(self, x: torch.Tensor, state: torch.Tensor):
        state.add_(x).tanh_()
        return state * 2


class Masks(torch.nn.Module):
    """A mask of 0 and -inf; arguments with defaults in the middle and at the end."""

    def forward(self, x: torch.Tensor, scale: float = 0.5, mask: Optional[torch.Tensor] = None, shift: float = 0.0):
        scores = x * scale + shift
        if mask is not None:
            scores = scores + mask
        return torch.softmax(scores, -1)


class Needs(torch.nn.Module):
    """A number without a default; what it prints; an output of NaN."""

    def forward(self, x: torch.Tensor, times: int):
        for _ in range(times):
            print("verdict   PASS     printed by the model")
        return x * times, torch.log(x * x * -1.0)


class Picks(torch.nn.Module):
    """An index of 100 picks nothing; every other one that x does not have is an error."""

    def forward(self, x: torch.Tensor, index: torch.Tensor):
        none = index == 100
        return x.gather(1, index.masked_fill(none, 0)).masked_fill(none, 0)


class Recalls(torch.nn.Module):
    """Keeps its state in itself, as a recurrent step over audio does; a number chooses what it does, and it has other methods."""

    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(1, 3))
        self.seen: int = 0

    @torch.jit.export
    def reset(self):
        self.state = torch.zeros(1, 3)
        self.seen = 0

    def forward(self, x: torch.Tensor, rate: int):
        if rate != 16000:
            raise ValueError("rate must be 16000")
        self.state = torch.tanh(self.state + x)
        self.seen += 1
        return self.state * 2


class Logits(torch.nn.Module):
    """Scores, -inf where the mask says so."""

    def forward(self, x: torch.Tensor, mask: torch.Tensor):
        return x.masked_fill(mask, -torch.inf)


class Repeats(torch.nn.Module):
    """Numbers of floating point that must be whole, as the scales of ONNX's Resize."""

    def forward(self, x: torch.Tensor, times: torch.Tensor):
        if bool((times != times.round()).any()):
            raise ValueError("times must be whole")
        return x.repeat(int(times[0].item()), int(times[1].item()))


class Finds(torch.nn.Module):
    """Operators of torchvision on a list of images; how many boxes are left depends on their values."""

    def __init__(self):
        super().__init__()
        self.boxes = torch.nn.Conv2d(3, 5, 1)

    def forward(self, images: List[torch.Tensor]):
        features = self.boxes(torch.stack(images))
        x, y, width, height, score = features[0].flatten(1).unbind(0)
        boxes = torch.stack((x, y, x + width.abs(), y + height.abs()), 1) * 4.0
        kept = torchvision.ops.nms(boxes, score, 0.3)
        return {"boxes": boxes[kept], "kept": kept, "parts": torchvision.ops.roi_align(features, [boxes[kept], boxes[:3]], (2, 3), 0.5, -1, True)}


def masks_rcnn():
    """torchvision's Mask R-CNN on one convolution, for images of 32 pixels a side."""
    backbone = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 8, 8), torch.nn.ReLU())
    backbone.out_channels = 4
    anchors = AnchorGenerator(((16,),), ((0.5, 1.0),))
    parts = {
        "box_roi_pool": MultiScaleRoIAlign(["0"], 2, 2),
        "box_head": faster_rcnn.TwoMLPHead(16, 8),
        "box_predictor": faster_rcnn.FastRCNNPredictor(8, 3),
        "mask_roi_pool": MultiScaleRoIAlign(["0"], 2, 2),
        "mask_head": mask_rcnn.MaskRCNNHeads(4, (4,), 1),
        "mask_predictor": mask_rcnn.MaskRCNNPredictor(4, 4, 3),
    }
    model = mask_rcnn.MaskRCNN(backbone, min_size=32, max_size=32, rpn_anchor_generator=anchors, box_detections_per_img=4, **parts)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.5)
    return model.eval()


class Varies(torch.nn.Module):
    """Arithmetic on sizes: in shapes, as a tensor's factor, as a number of floating point."""

    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(4, 6)

    def forward(self, x, ids):
        rows, length, _ = x.shape
        mixed = self.mix(x).view(rows, length, 2, 3).transpose(1, 2).reshape(rows, 2 * length, 3)
        mask = torch.full((length, length), -torch.inf).triu(1)
        return mixed.sum(1) / (2 * length) + rows, mask, ids + torch.arange(length), mixed[:, length:] * length**0.5


class Bytes(torch.nn.Module):
    """Inputs and outputs of int8, uint8 and bool."""

    def forward(self, x: torch.Tensor, y: torch.Tensor, mask: torch.Tensor):
        return (x.float() * 0.5 + y.float() / 255).masked_fill(mask, 0.0), x + 1, y // 2, ~mask


class Nests(torch.nn.Module):
    """A dict, a tuple and a list of tensors go in and out; a key has a dot."""

    def forward(self, batch: Dict[str, torch.Tensor], pair: Tuple[torch.Tensor, int], more: List[torch.Tensor]):
        made: Dict[str, List[torch.Tensor]] = {"sum": [batch["a.b"] + pair[0], batch["c"] * pair[1]], "more": more}
        return made, (more[1], pair[0])


class Drops(torch.nn.Module):
    """A batch norm and a dropout, which training mode changes."""

    def __init__(self):
        super().__init__()
        self.norm, self.drop = torch.nn.BatchNorm1d(3), torch.nn.Dropout(0.5)

    def forward(self, x: torch.Tensor):
        return self.drop(self.norm(x))


class Deforms(torch.nn.Module):
    """torchvision's deformable convolution, with a mask."""

    def __init__(self):
        super().__init__()
        self.conv = torchvision.ops.DeformConv2d(4, 6, 3, padding=1, groups=2)
        self.offset, self.mask = torch.nn.Conv2d(4, 18, 3, padding=1), torch.nn.Conv2d(4, 9, 3, padding=1)

    def forward(self, x):
        return self.conv(x, self.offset(x), torch.sigmoid(self.mask(x)))


class Pools(torch.nn.Module):
    """torchvision's operators of regions and its deformable convolution, each called by its function."""

    def forward(self, x: torch.Tensor, regions: torch.Tensor, weight: torch.Tensor, offset: torch.Tensor):
        operators = torchvision.ops
        greatest = operators.roi_pool(x, regions, (2, 2), 0.5)
        means = operators.ps_roi_pool(x, regions, 2, 0.5)
        samples = operators.ps_roi_align(x, regions, 2, 0.5, 2)
        aligned = operators.roi_align(x, regions, (2, 3), 0.5, -1, True)
        return greatest, means, samples, aligned, operators.deform_conv2d(x, offset, weight, padding=(1, 1))


class Calls(torch.nn.Module):
    """An operator of a library, benchmarks/operators/sweep/example_operators.cc."""

    def forward(self, x: torch.Tensor):
        return torch.ops.example.silu(x)


class Multiplies(torch.nn.Module):
    """Work for threads: run_model --against=python --threads=1. No value is near zero, since denormals are slow on some CPUs."""

    def forward(self, x: torch.Tensor):
        for _ in range(6):
            x = x @ x / 512 + 1
        return x


class Denormals(torch.nn.Module):
    """Divides numbers below 1.2e-38, which is slow unless they are flushed to zero."""

    def forward(self, x: torch.Tensor):
        y = torch.full_like(x, 1e-39)
        for _ in range(12):
            y = y / 1.01
        return y + x


class Grads(torch.nn.Module):
    """Small operators on parameters: gradients are recorded unless a guard is there."""

    def __init__(self):
        super().__init__()
        self.scale, self.shift = torch.nn.Parameter(torch.randn(8)), torch.nn.Parameter(torch.randn(8))

    def forward(self, x: torch.Tensor):
        for _ in range(60):
            x = torch.tanh(x * self.scale) + self.shift
        return x


class Loops(torch.nn.Module):
    """Never ends."""

    def forward(self, x: torch.Tensor):
        while bool((x == x).all()):
            x = x + 0
        return x


def tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [t for element in (value.values() if isinstance(value, dict) else value) for t in tensors(element)]


def keep(name, model, inputs):
    with torch.no_grad():
        outputs = tensors(model(**{name: tensor.clone() for name, tensor in inputs.items()}))
    save_file(inputs, name + "_inputs.safetensors")
    save_file({"output_%d" % i: output.contiguous() for i, output in enumerate(outputs)}, name + "_outputs.safetensors")


def without_notes(path):
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            if "/models/" in name and name.endswith(".json"):
                model = json.loads(data)
                for node in model["graph_module"]["graph"]["nodes"]:
                    node["metadata"] = {}
                data = json.dumps(model).encode()
            if not name.endswith(".debug_pkl") and "/sample_inputs/" not in name:
                archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED if "/code/" in name else zipfile.ZIP_STORED)


def without_notes_of_onnx(path):
    import onnx

    model = onnx.load(path, load_external_data=False)
    for part in (model, model.graph, *model.graph.node, *model.graph.input, *model.graph.output, *model.graph.value_info):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    onnx.save(model, path)


def main():
    os.chdir(sys.argv[1])
    torch.manual_seed(0)
    steps, bag = Steps().eval(), Bag().eval()
    torch.jit.save(torch.jit.script(steps), "steps.pt")
    without_notes("steps.pt")
    keep("steps", steps, {"x": torch.randn(2, 3), "steps": torch.tensor([1, 3])})
    for name, model in (("writes", Writes()), ("masks", Masks()), ("needs", Needs()), ("loops", Loops()), ("picks", Picks()), ("repeats", Repeats()), ("logits", Logits()), ("recalls", Recalls())):
        torch.jit.save(torch.jit.script(model), name + ".pt")
        without_notes(name + ".pt")
    keep("writes", Writes(), {"x": torch.randn(2, 3), "state": torch.randn(2, 3)})
    keep("masks", Masks(), {"x": torch.randn(2, 3), "mask": torch.tensor([[0.0, -torch.inf, 0.0]])})
    save_file({"x": torch.randn(2, 3), "times": torch.tensor(3)}, "needs_inputs.safetensors")
    index = torch.tensor([[2, 100, 0], [1, 2, 100]])
    keep("picks", Picks(), {"x": torch.randn(2, 3), "index": index})
    save_file({"x": torch.arange(6).reshape(2, 3), "index": index}, "picks_whole_inputs.safetensors")
    inputs = {"x": torch.randn(2, 3), "rate": torch.tensor(16000)}
    save_file(inputs, "recalls_inputs.safetensors")
    save_file({"output_0": Recalls()(inputs["x"], 16000)}, "recalls_outputs.safetensors")
    keep("logits", Logits(), {"x": torch.randn(2, 3), "mask": torch.tensor([[False, True, False]])})
    keep("repeats", Repeats(), {"x": torch.randn(2, 3), "times": torch.tensor([3.0, 1.0])})
    finds, images = Finds(), torch.randn(2, 3, 9, 8)
    torch.jit.save(torch.jit.script(finds), "finds.pt")
    without_notes("finds.pt")
    with torch.no_grad():
        outputs = {"output_%d" % i: output for i, output in enumerate(finds(list(images)).values())}
    save_file({"images": images}, "finds_inputs.safetensors")
    save_file(outputs, "finds_outputs.safetensors")
    inputs = {"ids": torch.tensor([[1, 10, 3], [4, 0, 0]]), "mask": torch.tensor([[1.0, 1, 1], [1, 0, 0]])}
    torch.export.save(torch.export.export(bag, tuple(inputs.values())), "bag.pt2")
    without_notes("bag.pt2")
    torch.onnx.export(bag, tuple(inputs.values()), "bag.onnx", dynamo=True, output_names=["output_0", "output_1"], external_data=False)
    without_notes_of_onnx("bag.onnx")
    keep("bag", bag, inputs)
    keep_strangers()
    keep_outside()
    keep_pools()
    keep_masks_rcnn()


def keep_outside():
    """ONNX with its weights in a file beside, and rows left open."""
    mix, x = torch.nn.Linear(40, 8).eval(), torch.randn(3, 40)
    torch.onnx.export(mix, (x,), "outside.onnx", dynamo=True, input_names=["x"], output_names=["output_0"], external_data=True, dynamic_shapes=({0: "rows"},))
    without_notes_of_onnx("outside.onnx")
    keep_of = torch.randn(7, 40)
    save_file({"x": keep_of}, "outside_inputs.safetensors")
    save_file({"output_0": mix(keep_of).detach()}, "outside_outputs.safetensors")


def export(name, model, inputs, **flags):
    torch.export.save(torch.export.export(model, tuple(inputs.values()), **flags), name + ".pt2")
    without_notes(name + ".pt2")


def script(name, model):
    torch.jit.save(torch.jit.script(model), name + ".pt")
    without_notes(name + ".pt")


def keep_strangers():
    torch.manual_seed(3)
    rows, length = torch.export.Dim("rows", min=1, max=16), torch.export.Dim("length", min=2, max=64)
    inputs = {"x": torch.randn(3, 5, 4), "ids": torch.randint(9, (3, 5))}
    varies = Varies().eval()
    export("varies", varies, inputs, dynamic_shapes={"x": {0: rows, 1: length}, "ids": {0: rows, 1: length}})
    keep("varies", varies, {"x": torch.randn(7, 9, 4), "ids": torch.randint(9, (7, 9))})
    inputs = {"x": torch.randint(-128, 128, (2, 5), dtype=torch.int8), "y": torch.randint(256, (2, 5), dtype=torch.uint8), "mask": torch.rand(2, 5) > 0.5}
    export("bytes", Bytes(), inputs)
    script("bytes", Bytes())
    keep("bytes", Bytes(), inputs)
    script("nests", Nests())
    a, c, first, one, two = torch.randn(2, 3), torch.randn(4), torch.randn(2, 3), torch.randn(2), torch.randn(3)
    inputs = {"batch.a.b": a, "batch.c": c, "pair.0": first, "pair.1": torch.tensor(3), "more.0": one, "more.1": two}
    save_file(inputs, "nests_inputs.safetensors")
    outputs = tensors(Nests()({"a.b": a, "c": c}, (first, 3), [one, two]))
    save_file({"output_%d" % i: output.clone() for i, output in enumerate(outputs)}, "nests_outputs.safetensors")
    for name, model in (("multiplies", Multiplies()), ("denormals", Denormals()), ("grads", Grads())):
        script(name, model)
    drops, x = Drops(), torch.randn(8, 3)
    drops(x)
    script("drops", drops)
    torch.jit.save(torch.jit.trace(drops, x, check_trace=False), "drops_traced.pt")
    without_notes("drops_traced.pt")
    export("drops", Drops(), {"x": x})
    keep("drops", torch.jit.load("drops.pt").eval(), {"x": x})
    library = torch.library.Library("example", "DEF")
    library.define("silu(Tensor self) -> Tensor")
    library.impl("silu", torch.nn.functional.silu, "CPU")
    script("calls", Calls())
    keep("calls", Calls(), {"x": torch.randn(5)})
    deforms, inputs = Deforms().eval(), {"x": torch.randn(2, 4, 7, 8)}
    export("deforms", deforms, inputs)
    keep("deforms", deforms, inputs)


def keep_pools():
    """In float32 and float64; boxes over an edge and outside of the image; no box."""
    torch.manual_seed(4)
    inputs = {"x": torch.randn(2, 4, 9, 8), "regions": torch.tensor([[0, 0, 0, 9, 7.5], [1, -4, 3, 20, 40], [1, -9, -9, -5, -5], [0, 6, 5, 6, 5]])}
    inputs.update(weight=torch.randn(3, 4, 3, 3), offset=torch.randn(2, 18, 9, 8))
    script("pools", Pools())
    export("pools", Pools(), inputs)
    keep("pools", Pools(), inputs)
    keep("pools_fp64", Pools(), {name: tensor.double() for name, tensor in inputs.items()})
    save_file({**inputs, "regions": inputs["regions"][:0]}, "pools_none_inputs.safetensors")


def keep_masks_rcnn():
    torch.manual_seed(2)
    model, images = torch.jit.script(masks_rcnn()), torch.rand(1, 3, 32, 32)
    torch.jit.save(model, "masks_rcnn.pt")
    without_notes("masks_rcnn.pt")
    with torch.no_grad():
        (found,) = model(list(images))[1]
    save_file({"images": images}, "masks_rcnn_inputs.safetensors")
    save_file({"output_%d" % i: output.contiguous() for i, output in enumerate(found.values())}, "masks_rcnn_outputs.safetensors")


if __name__ == "__main__":
    main()
