"""MLP-Mixers by timm."""

from timm.models.mlp_mixer import MlpMixer

from models.timm_reference import forward, provenance  # noqa: F401


def build(parameters):
    return MlpMixer(
        img_size=parameters["resolution"],
        patch_size=parameters["patch_size"],
        num_blocks=parameters["layers"],
        embed_dim=parameters["hidden"],
        num_classes=parameters["num_classes"],
    )
