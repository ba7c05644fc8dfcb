"""SqueezeNet by torchvision."""

from torchvision.models import squeezenet

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    return squeezenet.SqueezeNet(parameters["version"], num_classes=parameters["num_classes"])
