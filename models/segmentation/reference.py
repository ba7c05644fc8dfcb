"""FCN, DeepLabV3 and LR-ASPP by torchvision."""

from torchvision.models import segmentation

from models.torchvision_reference import provenance  # noqa: F401


def build(parameters):
    return segmentation.__dict__["%s_%s" % (parameters["head"], parameters["backbone"])](
        weights=None,
        weights_backbone=None,
        num_classes=parameters["num_classes"],
        aux_loss=parameters["aux_loss"],
    )


def forward(module, inputs):
    return module(inputs["image"])
