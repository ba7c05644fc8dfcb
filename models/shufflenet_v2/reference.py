"""ShuffleNetV2 by torchvision."""

from torchvision.models import shufflenetv2

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    return shufflenetv2.ShuffleNetV2([4, 8, 4], parameters["channels"], num_classes=parameters["num_classes"])
