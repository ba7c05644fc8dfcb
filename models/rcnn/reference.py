"""Faster R-CNN and Mask R-CNN by torchvision, without the transform that normalises and resizes images.

torchvision's constructors have ResNet-50's pyramid alone. The same classes take a ResNet's third or fourth stage as the one map of
features, as detectron2's C4 and DC5 have it, and the fourth stage as the head of a region (C4).

A network that learns has torchvision's own training steps but for torch.randperm, by which it draws the anchors and regions that
count: _permutation() stands in its place, as models/layers/detection/balanced_sample.h has it. Its norms are frozen, as published
files have them, and the stem and the first stage get no gradient, as torchvision has it with trainable_backbone_layers = 3.
"""

from unittest import mock

import torch
from torch import nn
from torchvision.models import resnet
from torchvision.models.detection import FasterRCNN, MaskRCNN, backbone_utils, faster_rcnn, image_list, mask_rcnn
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.ops import MultiScaleRoIAlign
from torchvision.ops.misc import FrozenBatchNorm2d

from models.torchvision_reference import BLOCKS, detection_rows, padded, provenance, wanted_boxes  # noqa: F401

# The network that learns leaves its start as it is.
WITHOUT_GRADIENT = ("backbone.body.conv1.", "backbone.body.layer1.")


def _permutation(n, device=None):
    return (torch.arange(n, device=device) * 2654435761 % 2**32).argsort()


class _OneMap(nn.Module):
    """The third stage's features (C4), or the fourth's (DC5)."""

    def __init__(self, body, stages, out_channels):
        super().__init__()
        self.body, self.stages, self.out_channels = body, stages, out_channels

    def forward(self, x):
        x = self.body["maxpool"](self.body["relu"](self.body["bn1"](self.body["conv1"](x))))
        for stage in range(self.stages):
            x = self.body["layer%d" % (stage + 1)](x)
        return {"0": x}


class _FourthStage(nn.Module):
    """The backbone's own fourth stage, which the state names once; for boxes the means of its pixels."""

    def __init__(self, body, of_boxes):
        super().__init__()
        self.stage, self.of_boxes = [body["layer4"]], of_boxes

    def forward(self, x):
        x = self.stage[0](x)
        return x.mean((2, 3)) if self.of_boxes else x


def _learns(parameters):
    return "box_batch_size_per_image" in parameters


def _body(parameters):
    dilated = [False, False, parameters["features"] == "dc5"]
    norm = FrozenBatchNorm2d if _learns(parameters) else nn.BatchNorm2d
    body = resnet.ResNet(BLOCKS[parameters["block"]], parameters["layers"], replace_stride_with_dilation=dilated, norm_layer=norm)
    if _learns(parameters):
        body.layer1.register_forward_hook(lambda module, inputs, output: output.detach())
    return body, body.fc.in_features


def _pyramid(parameters):
    body, width = _body(parameters)
    out = parameters["fpn_channels"]
    stages = {"layer%d" % (i + 1): str(i) for i in range(4)}
    backbone = backbone_utils.BackboneWithFPN(body, stages, [width // 8, width // 4, width // 2, width], out)
    size = parameters["representation_size"]
    parts = {"box_head": faster_rcnn.TwoMLPHead(out * 7**2, size), "box_predictor": faster_rcnn.FastRCNNPredictor(size, parameters["num_classes"])}
    masks = {"mask_head": mask_rcnn.MaskRCNNHeads(out, (out,) * 4, 1), "mask_predictor": mask_rcnn.MaskRCNNPredictor(out, out, parameters["num_classes"])}
    return backbone, parts, masks


def _one_map(parameters):
    whole, width = _body(parameters)
    classes, of_stage4 = parameters["num_classes"], parameters["features"] == "c4"
    body = nn.ModuleDict((name, child) for name, child in whole.named_children() if name not in ("avgpool", "fc"))
    backbone = _OneMap(body, 3 if of_stage4 else 4, width // 2 if of_stage4 else width)
    parts = {"rpn_anchor_generator": AnchorGenerator(((32, 64, 128, 256, 512),), ((0.5, 1.0, 2.0),))}
    if not of_stage4:
        size = parameters["representation_size"]
        box_pool = MultiScaleRoIAlign(["0"], 7, 0)
        return backbone, {**parts, "box_roi_pool": box_pool, "box_head": faster_rcnn.TwoMLPHead(width * 7**2, size),
                          "box_predictor": faster_rcnn.FastRCNNPredictor(size, classes)}, {}
    parts |= {"box_roi_pool": MultiScaleRoIAlign(["0"], 14, 0), "box_head": _FourthStage(body, True),
              "box_predictor": faster_rcnn.FastRCNNPredictor(width, classes)}
    masks = {"mask_roi_pool": MultiScaleRoIAlign(["0"], 14, 0), "mask_head": _FourthStage(body, False),
             "mask_predictor": mask_rcnn.MaskRCNNPredictor(width, parameters["fpn_channels"], classes)}
    return backbone, parts, masks


def build(parameters):
    backbone, parts, masks = (_pyramid if parameters["features"] == "fpn" else _one_map)(parameters)
    if parameters["masks"]:
        parts |= masks
    kind = MaskRCNN if parameters["masks"] else FasterRCNN
    if _learns(parameters):
        module = kind(backbone, rpn_post_nms_top_n_train=parameters["regions"], box_batch_size_per_image=parameters["box_batch_size_per_image"], **parts)
    else:
        module = kind(backbone, rpn_post_nms_top_n_test=parameters["regions"], box_detections_per_img=parameters["detections_per_img"], **parts)
    module.learns, module.gives_detections = _learns(parameters), parameters.get("gives_detections")
    return module


def forward(module, inputs):
    image, heads = inputs["image"], module.roi_heads
    features = module.backbone(image)
    sizes = [tuple(image.shape[-2:])] * len(image)
    if module.learns:
        targets = wanted_boxes(inputs)
        for of_image, masks in zip(targets, inputs.get("masks", ())):
            of_image["masks"] = masks
        with mock.patch.object(torch, "randperm", _permutation):
            proposals, losses = module.rpn(image_list.ImageList(image, sizes), features, targets)
            return losses | heads(features, proposals, sizes, targets)[1]
    if module.gives_detections:
        proposals, _ = module.rpn(image_list.ImageList(image, sizes), features)
        found, _ = heads(features, proposals, sizes)
        most = heads.detections_per_img
        masks = {"masks": torch.stack([padded(d["masks"][:, 0], most) for d in found])} if heads.has_mask() else {}
        return {"detections": detection_rows(found, most), **masks}
    scores, codes = module.rpn.head(list(features.values()))
    regions = [(r + torch.tensor([0, 0, 1, 1], device=r.device)).to(image.dtype) for r in inputs["regions"]]
    class_logits, box_regression = heads.box_predictor(heads.box_head(_pooled(heads.box_roi_pool, features, regions, sizes)))
    numbers = {
        "objectness": torch.cat([_rows(s, 1) for s in scores], 1)[..., 0],
        "pred_bbox_deltas": torch.cat([_rows(c, 4) for c in codes], 1),
        "class_logits": class_logits.unflatten(0, (len(image), -1)),
        "box_regression": box_regression.unflatten(0, (len(image), -1)),
    }
    if heads.has_mask():
        regions = [r[: heads.detections_per_img] for r in regions]
        logits = heads.mask_predictor(heads.mask_head(_pooled(heads.mask_roi_pool, features, regions, sizes)))
        numbers["mask_logits"] = logits.unflatten(0, (len(image), -1))
    return numbers


def loss(module, outputs, targets):
    return sum(outputs.values())


def _pooled(pool, features, regions, sizes):
    if not regions[0].is_meta:
        return pool(features, regions, sizes)
    # Without numbers nobody knows a region's level.
    return features["0"].new_empty(sum(map(len, regions)), features["0"].shape[1], *pool.output_size)


def _rows(x, numbers):
    return x.unflatten(1, (-1, numbers)).permute(0, 3, 4, 1, 2).flatten(1, 3)
