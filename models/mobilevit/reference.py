"""MobileViT by timm."""

from timm.models import byobnet, mobilevit

from models.timm_reference import forward, provenance  # noqa: F401


def build(parameters):
    c, t, br = parameters["channels"], parameters["features"], float(parameters["expansion"])
    table = byobnet.ByoModelCfg(
        blocks=(
            mobilevit._inverted_residual_block(d=1, c=c[0], s=1, br=br),
            mobilevit._inverted_residual_block(d=3, c=c[1], s=2, br=br),
            mobilevit._mobilevit_block(d=1, c=c[2], s=2, transformer_dim=t[0], transformer_depth=2, patch_size=2, br=br),
            mobilevit._mobilevit_block(d=1, c=c[3], s=2, transformer_dim=t[1], transformer_depth=4, patch_size=2, br=br),
            mobilevit._mobilevit_block(d=1, c=c[4], s=2, transformer_dim=t[2], transformer_depth=3, patch_size=2, br=br),
        ),
        stem_chs=16,
        stem_type="3x3",
        stem_pool="",
        downsample="",
        act_layer="silu",
        num_features=parameters["last"],
    )
    return byobnet.ByobNet(table, num_classes=parameters["num_classes"])
