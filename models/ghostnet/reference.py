"""GhostNet by timm."""

from timm.models import ghostnet

from models.timm_reference import forward, provenance  # noqa: F401


def build(parameters):
    return ghostnet._create_ghostnet(
        "ghostnet_100", width=parameters["width_multiplier"], num_classes=parameters["num_classes"]
    )
