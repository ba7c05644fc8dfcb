"""Swin and Swin v2 transformers by torchvision."""

from torchvision.models import swin_transformer

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    second = parameters["version"] == 2
    return swin_transformer.SwinTransformer(
        patch_size=[4, 4],
        embed_dim=parameters["channels"],
        depths=parameters["layers"],
        num_heads=[parameters["channels"] // 32 * 2**stage for stage in range(4)],
        window_size=[8, 8] if second else [7, 7],
        stochastic_depth_prob=parameters["stochastic_depth"],
        num_classes=parameters["num_classes"],
        block=swin_transformer.SwinTransformerBlockV2 if second else None,
        downsample_layer=swin_transformer.PatchMergingV2 if second else swin_transformer.PatchMerging,
    )
