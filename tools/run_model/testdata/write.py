"""Writes the files of this folder: models that are nowhere in this tree, and what PyTorch computes by them.

    python3 tools/run_model/testdata/write.py FOLDER     # with torch 2.11.0, torchvision 0.26.0, safetensors and onnxscript 0.7.2

Notes of the writers for people, such as where on this machine each line of source stood, are taken out again.
"""

import json
import os
import sys
import zipfile
from typing import List, Optional

import onnx
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
    model = onnx.load(path)
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
    keep_masks_rcnn()


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
