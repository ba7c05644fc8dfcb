"""EfficientDet by effdet, on the backbones of timm.

effdet's __init__ imports packages for data sets and metrics; here it stands for a package without contents. Its settings
are objects of omegaconf, which needs a package without wheels: a namespace takes their place. What it compiles by
TorchScript runs in Python, so that float64 reaches it, and boxes are in that where effdet asks for float32.
"""

import functools
import importlib.metadata
import importlib.util
import sys
import types
from unittest import mock

import torch
from timm.models.efficientnet import _gen_efficientnet

from models.torchvision_reference import wanted_boxes


class _OmegaConf(types.SimpleNamespace):
    create = classmethod(lambda cls: cls())
    set_readonly = staticmethod(lambda settings, flag: None)

    def update(self, values):
        self.__dict__.update(values)


package = types.ModuleType("effdet")
package.__path__ = list(importlib.util.find_spec("effdet").submodule_search_locations)
sys.modules["effdet"] = package
sys.modules["omegaconf"] = types.SimpleNamespace(OmegaConf=_OmegaConf)
with mock.patch.object(torch.jit, "script", lambda compiled: compiled):
    from effdet import anchors, bench, efficientdet, loss as losses, object_detection
    from effdet.config import get_efficientdet_config


def _in_float64(self, boxes):
    self.data = {"boxes": boxes}


object_detection.BoxList.__init__ = _in_float64


def provenance():
    return "effdet %s, timm %s" % (importlib.metadata.version("effdet"), importlib.metadata.version("timm"))


def _backbone(parameters, _name, pretrained, **settings):
    """A backbone of any size, where timm's constructor of the name fixes the multipliers."""
    if parameters["tensorflow"]:
        settings.update(bn_eps=1e-3, pad_type="same")
    sizes = parameters["width_multiplier"], parameters["depth_multiplier"]
    return _gen_efficientnet("efficientnet_b0", *sizes, pretrained=pretrained, **settings)


def build(parameters):
    config = get_efficientdet_config("efficientdet_d0")
    config.update({name: parameters[name] for name in ("fpn_channels", "fpn_cell_repeats", "box_class_repeats", "num_classes")})
    config.image_size = (parameters["resolution"],) * 2
    config.backbone_args = {"drop_path_rate": parameters["drop_path_rate"]}
    config.redundant_bias = parameters["tensorflow"]
    config.pad_type = "same" if parameters["tensorflow"] else ""
    with mock.patch.object(efficientdet, "create_model", functools.partial(_backbone, parameters)):
        module = efficientdet.EfficientDet(config, pretrained_backbone=False)
    # Not of the module, whose state has no anchors. They are float32's.
    module.labeler = anchors.AnchorLabeler(anchors.Anchors.from_config(config).double(), config.num_classes)
    module.losses = [losses.DetectionLoss(config)]
    module.most = parameters["detections_per_img"] if parameters["gives_detections"] else None
    return module


def _rows(maps, numbers):
    return torch.cat([level.permute(0, 2, 3, 1).flatten(1).unflatten(1, (-1, numbers)) for level in maps], 1)


def forward(module, inputs):
    maps = module(inputs["image"])
    if module.most is None:
        return {"class_out": _rows(maps[0], module.config.num_classes), "box_out": _rows(maps[1], 4)}
    image = inputs["image"]
    if image.is_meta:  # without numbers there are no boxes to choose
        return {"detections": image.new_empty(len(image), module.most, 6)}
    chosen = bench._post_process(*maps, num_levels=5, num_classes=module.config.num_classes)
    images = []
    for scores, codes, cells, labels in zip(*chosen, strict=True):
        images.append(anchors.generate_detections(scores, codes, module.labeler.anchors.boxes, cells, labels, None, None, module.most))
    corners, scores, labels = torch.stack(images).split([4, 1, 1], dim=2)
    return {"detections": torch.cat([labels - 1, scores, corners], dim=2)}  # effdet's labels begin with 1


def loss(module, outputs, targets):
    """effdet's loss of one level that has all anchors in a column, where its levels have them in images: it adds all up."""
    images = wanted_boxes(targets)
    boxes = [image["boxes"][:, [1, 0, 3, 2]] for image in images]
    classes, codes, found = module.labeler.batch_label_anchors(boxes, [image["labels"] + 1 for image in images])
    column = lambda rows: rows.transpose(1, 2)[..., None]
    all_of = lambda levels, last: torch.cat([level.flatten(1) for level in levels], 1).unflatten(1, (-1, 1, last))
    of_classes, of_boxes = column(outputs["class_out"]), column(outputs["box_out"])
    return module.losses[0]([of_classes], [of_boxes], [all_of(classes, 1)], [all_of(codes, 4)], found)[0]
