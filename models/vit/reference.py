"""Vision transformers by torchvision."""

from torchvision.models import vision_transformer

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    return vision_transformer.VisionTransformer(
        image_size=parameters["resolution"],
        patch_size=parameters["patch_size"],
        num_layers=parameters["layers"],
        num_heads=parameters["heads"],
        hidden_dim=parameters["hidden"],
        mlp_dim=4 * parameters["hidden"],
        num_classes=parameters["num_classes"],
    )
