"""Rewrites benchmarks/harness/programs/testdata/image_goldens.json: tools/bazel run //ci/goldens:image_goldens_update

The goldens are outputs of torchvision's ImageClassification for small photographs, and the likeliest classes of logits.
benchmarks/harness/programs/image_steps_test.cc makes the same. Run it after an upgrade of torchvision, and read the diff.
"""

import json
import os

import torch
from torchvision.transforms import InterpolationMode
from torchvision.transforms._presets import ImageClassification

_IMAGENET = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]}
_HALVES = {"mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5]}
# Height and width of a photograph, then an ImagePreset of suite.proto.
CASES = {
    "landscape": (15, 20, {"resize": 11, "crop": 8, "interpolation": "BILINEAR", **_IMAGENET}),
    "portrait": (20, 15, {"resize": 12, "crop": 9, "interpolation": "BICUBIC", **_HALVES}),
    "larger": (7, 10, {"resize": 12, "crop": 12, "interpolation": "BICUBIC", **_IMAGENET}),
    "same": (10, 13, {"resize": 10, "crop": 7, "interpolation": "BILINEAR", **_HALVES}),
}


def photograph(height, width):
    """(1, 3, height, width) bytes: stripes with sharp edges, over which bicubic shoots."""
    c, y, x = torch.meshgrid(torch.arange(3), torch.arange(height), torch.arange(width), indexing="ij")
    return ((97 * (x // 3) + 61 * (y // 2) + 29 * c) * 53 % 256).to(torch.uint8).unsqueeze(0)


def preset_of(fields):
    return ImageClassification(
        crop_size=fields["crop"],
        resize_size=fields["resize"],
        mean=fields["mean"],
        std=fields["std"],
        interpolation=InterpolationMode[fields["interpolation"]],
    )


def goldens():
    images = {}
    for name, (height, width, fields) in CASES.items():
        image = preset_of(fields)(photograph(height, width))
        images[name] = {"height": height, "width": width, "preset": fields, "image": [float("%.7g" % v) for v in image.flatten().tolist()]}
    logits = [[0.5, 3.0, -1.0, 2.0, 2.5, 0.0, 1.0], [7.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]
    top = torch.tensor(logits).softmax(-1).topk(5)
    return {
        "images": images,
        "logits": logits,
        "probabilities": [float("%.7g" % v) for v in top.values.flatten().tolist()],
        "classes": top.indices.flatten().tolist(),
    }


def main():
    path = os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"], "benchmarks/harness/programs/testdata/image_goldens.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump(goldens(), out, indent=None, sort_keys=True)
        out.write("\n")


if __name__ == "__main__":
    main()
