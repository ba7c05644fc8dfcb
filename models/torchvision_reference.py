"""Code that the reference.py of torchvision's classifiers of images and videos share, beside build(parameters):

    from models.torchvision_reference import forward, provenance  # noqa: F401

tools/artifacts/generate/compute.py reads a reference.py, loads the seeded weights by name and computes in float64.
"""

import torch
import torchvision
from torchvision.models import resnet
from torchvision.models.detection import backbone_utils
from torchvision.ops.feature_pyramid_network import LastLevelP6P7

BLOCKS = {"basic": resnet.BasicBlock, "bottleneck": resnet.Bottleneck}


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


def forward(module, inputs):
    (given,) = inputs.values()
    return {"logits": module(given)}


def pyramid_to_p7(parameters):
    """The backbone of RetinaNet and FCOS: torchvision's constructors have ResNet-50's numbers."""
    body = resnet.ResNet(BLOCKS[parameters["block"]], parameters["layers"])
    width, out = body.fc.in_features, parameters["fpn_channels"]
    return backbone_utils.BackboneWithFPN(
        body, {"layer%d" % (i + 2): str(i) for i in range(3)}, [width // 4, width // 2, width], out, LastLevelP6P7(out, out)
    )


def wanted_boxes(targets):
    """The targets of a training case as torchvision's losses take them: right and lower edges are one behind the object's last pixels."""
    ends = torch.tensor([0, 0, 1, 1])
    return [{"boxes": (b + ends).to(torch.float64), "labels": c} for b, c in zip(targets["boxes"], targets["labels"])]


def detection_rows(found, most):
    """Rows of models/detector.h of what a detector finds in each image, at most so many boxes."""
    return torch.stack([padded(torch.cat([d["labels"][:, None], d["scores"][:, None], d["boxes"]], 1), most, -1) for d in found])


def padded(rows, most, first=0):
    """`most` rows, those that are new with `first` before zeros."""
    all_rows = rows.new_zeros(most, *rows.shape[1:])
    all_rows[:, 0] = first
    all_rows[: len(rows)] = rows
    return all_rows
