"""RegNetX and RegNetY by torchvision."""

from torchvision.models import regnet

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    stages = len(parameters["widths"])
    blocks = regnet.BlockParams(
        depths=parameters["depths"],
        widths=parameters["widths"],
        group_widths=[min(parameters["group_width"], width) for width in parameters["widths"]],
        bottleneck_multipliers=[1.0] * stages,
        strides=[2] * stages,
        se_ratio=0.25 if parameters["squeeze_excitation"] else None,
    )
    return regnet.RegNet(blocks, num_classes=parameters["num_classes"])
