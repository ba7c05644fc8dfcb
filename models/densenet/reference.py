"""DenseNet by torchvision."""

from torchvision.models import densenet

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    return densenet.DenseNet(
        growth_rate=parameters["growth"],
        block_config=tuple(parameters["layers"]),
        num_init_features=parameters["stem_channels"],
        num_classes=parameters["num_classes"],
    )
