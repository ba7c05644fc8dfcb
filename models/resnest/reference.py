"""ResNeSt by timm."""

from timm.models.resnest import ResNestBottleneck
from timm.models.resnet import ResNet

from models.timm_reference import forward, provenance  # noqa: F401


def build(parameters):
    return ResNet(
        block=ResNestBottleneck,
        layers=parameters["layers"],
        num_classes=parameters["num_classes"],
        stem_type="deep",
        stem_width=parameters["stem_channels"],
        avg_down=True,
        block_args={"radix": 2, "avd": True, "avd_first": False},
    )
