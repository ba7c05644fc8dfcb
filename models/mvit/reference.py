"""MViT, version 1, by torchvision."""

from torchvision.models.video import mvit

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    blocks, width = [], parameters["channels"]
    for stage, count in enumerate(parameters["layers"]):
        for i in range(count):
            halves = stage > 0 and i == 0
            out = 2 * width if stage < 3 and i + 1 == count else width
            sizes = {
                "kernel_q": [3, 3, 3] if halves else [],
                "kernel_kv": [3, 3, 3],
                "stride_q": [1, 2, 2] if halves else [],
                "stride_kv": [1, 8 >> stage, 8 >> stage],
            }
            blocks.append(mvit.MSBlockConfig(num_heads=1 << stage, input_channels=width, output_channels=out, **sizes))
            width = out
    return mvit.MViT(
        spatial_size=(parameters["resolution"],) * 2,
        temporal_size=parameters["frames"],
        block_setting=blocks,
        residual_pool=False,
        residual_with_cls_embed=True,
        rel_pos_embed=False,
        proj_after_attn=False,
        stochastic_depth_prob=parameters["stochastic_depth"],
        num_classes=parameters["num_classes"],
    )
