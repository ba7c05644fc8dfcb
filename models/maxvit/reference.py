"""MaxViT by torchvision."""

from torchvision.models import maxvit

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    return maxvit.MaxVit(
        input_size=(parameters["resolution"], parameters["resolution"]),
        stem_channels=parameters["channels"][0],
        partition_size=7,
        block_channels=parameters["channels"],
        block_layers=parameters["layers"],
        head_dim=32,
        stochastic_depth_prob=0.2,
        num_classes=parameters["num_classes"],
    )
