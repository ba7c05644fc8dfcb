"""FCOS by torchvision, without the transform that normalises and resizes images.

Parameters that are numbers of a smaller network build the same classes: torchvision's constructor has ResNet-50's.
"""

import torch
from torchvision.models import resnet
from torchvision.models.detection import FCOS, backbone_utils, image_list
from torchvision.ops.feature_pyramid_network import LastLevelP6P7

from models.torchvision_reference import detection_rows, provenance  # noqa: F401

_BLOCKS = {"basic": resnet.BasicBlock, "bottleneck": resnet.Bottleneck}


def build(parameters):
    body = resnet.ResNet(_BLOCKS[parameters["block"]], parameters["layers"])
    width, out = body.fc.in_features, parameters["fpn_channels"]
    backbone = backbone_utils.BackboneWithFPN(
        body, {"layer%d" % (i + 2): str(i) for i in range(3)}, [width // 4, width // 2, width], out, LastLevelP6P7(out, out)
    )
    module = FCOS(backbone, parameters["num_classes"], detections_per_img=parameters["detections_per_img"])
    module.gives_detections = parameters["gives_detections"]
    return module


def forward(module, inputs):
    image = inputs["image"]
    features = list(module.backbone(image).values())
    found = module.head(features)
    sizes = [tuple(image.shape[-2:])] * len(image)
    module.anchors = module.anchor_generator(image_list.ImageList(image, sizes), features)
    module.counts = [level.shape[2] * level.shape[3] for level in features]
    if not module.gives_detections:
        return found
    if image.is_meta:  # without numbers there are no boxes to choose
        return {"detections": image.new_empty(len(image), module.detections_per_img, 6)}
    split = {name: list(numbers.split(module.counts, dim=1)) for name, numbers in found.items()}
    anchors = [list(of_image.split(module.counts)) for of_image in module.anchors]
    return {"detections": detection_rows(module.postprocess_detections(split, anchors, sizes), module.detections_per_img)}


def loss(module, outputs, targets):
    ends = torch.tensor([0, 0, 1, 1])
    images = [{"boxes": (b + ends).to(torch.float64), "labels": c} for b, c in zip(targets["boxes"], targets["labels"])]
    return sum(module.compute_loss(images, outputs, module.anchors, module.counts).values())
