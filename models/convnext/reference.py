"""ConvNeXt by torchvision."""

from torchvision.models import convnext

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    channels = parameters["channels"]
    stages = [
        convnext.CNBlockConfig(width, following, layers)
        for width, following, layers in zip(channels, channels[1:] + [None], parameters["layers"], strict=True)
    ]
    return convnext.ConvNeXt(
        stages, stochastic_depth_prob=parameters["stochastic_depth"], num_classes=parameters["num_classes"]
    )
