"""R3D, MC3 and R(2+1)D by torchvision."""

from torchvision.models.video import resnet

from models.torchvision_reference import forward, provenance  # noqa: F401

_STAGES = {
    "r3d": (resnet.BasicStem, [resnet.Conv3DSimple] * 4),
    "mc3": (resnet.BasicStem, [resnet.Conv3DSimple] + [resnet.Conv3DNoTemporal] * 3),
    "r2plus1d": (resnet.R2Plus1dStem, [resnet.Conv2Plus1D] * 4),
}


def build(parameters):
    stem, conv_makers = _STAGES[parameters["architecture"]]
    return resnet.VideoResNet(
        block=resnet.BasicBlock,
        conv_makers=conv_makers,
        layers=parameters["layers"],
        stem=stem,
        num_classes=parameters["num_classes"],
    )
