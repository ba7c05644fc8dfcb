"""Swin transformers of videos by torchvision."""

from torchvision.models.video.swin_transformer import SwinTransformer3d

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    channels = parameters["channels"]
    return SwinTransformer3d(
        patch_size=[2, 4, 4],
        embed_dim=channels,
        depths=parameters["layers"],
        num_heads=[channels // 32 * 2**stage for stage in range(4)],
        window_size=[8, 7, 7],
        stochastic_depth_prob=parameters["stochastic_depth"],
        num_classes=parameters["num_classes"],
    )
