"""SSD by torchvision, without the transform that normalises and resizes images.

A narrower network is the same classes with fewer channels in each of their convolutions.
"""

import torch
from torch import nn
from torchvision.models import vgg
from torchvision.models.detection import image_list, ssd
from torchvision.models.detection.anchor_utils import DefaultBoxGenerator

from models.torchvision_reference import detection_rows, provenance, wanted_boxes  # noqa: F401

_RATIOS = [[2], [2, 3], [2, 3], [2, 3], [2], [2]]
_CHANNELS = [512, 1024, 512, 256, 256, 256]


def _narrow(parent, divisor):
    for name, child in parent.named_children():
        if isinstance(child, nn.Conv2d):
            inside = child.in_channels if child.in_channels == 3 else child.in_channels // divisor
            shape = {"kernel_size": child.kernel_size, "stride": child.stride, "padding": child.padding, "dilation": child.dilation}
            setattr(parent, name, nn.Conv2d(inside, child.out_channels // divisor, **shape))
        else:
            _narrow(child, divisor)


def build(parameters):
    divisor = parameters["narrowing"]
    backbone = ssd._vgg_extractor(vgg.vgg16(weights=None), False, 5)
    if divisor > 1:
        _narrow(backbone, divisor)
        backbone.scale_weight = nn.Parameter(torch.ones(_CHANNELS[0] // divisor))
    backbone.out_channels = [channels // divisor for channels in _CHANNELS]
    generator = DefaultBoxGenerator(_RATIOS, scales=[0.07, 0.15, 0.33, 0.51, 0.69, 0.87, 1.05], steps=[8, 16, 32, 64, 100, 300])
    module = ssd.SSD(backbone, generator, (300, 300), parameters["num_classes"], detections_per_img=parameters["detections_per_img"])
    module.gives_detections = parameters["gives_detections"]
    return module


def forward(module, inputs):
    image = inputs["image"]
    features = list(module.backbone(image).values())
    found = module.head(features)
    if image.is_meta:  # without numbers there are no boxes to choose
        return {"detections": image.new_empty(len(image), module.detections_per_img, 6)} if module.gives_detections else found
    sizes = [tuple(image.shape[-2:])] * len(image)
    # The sizes of default boxes are rounded to float32, and a plain list, which no conversion of the module reaches.
    module.anchor_generator._wh_pairs = [pairs.to(image.dtype) for pairs in module.anchor_generator._wh_pairs]
    module.anchors = module.anchor_generator(image_list.ImageList(image, sizes), features)
    if not module.gives_detections:
        return found
    return {"detections": detection_rows(module.postprocess_detections(found, module.anchors, sizes), module.detections_per_img)}


def loss(module, outputs, targets):
    images = wanted_boxes(targets)
    matched = [
        module.proposal_matcher(ssd.box_ops.box_iou(image["boxes"], anchors)) for image, anchors in zip(images, module.anchors)
    ]
    return sum(module.compute_loss(images, outputs, module.anchors, matched).values())
