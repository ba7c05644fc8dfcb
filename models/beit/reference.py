"""BEiT by timm."""

from timm.models.beit import Beit

from models.timm_reference import forward, provenance  # noqa: F401


def build(parameters):
    return Beit(
        img_size=parameters["resolution"],
        patch_size=parameters["patch_size"],
        depth=parameters["layers"],
        num_heads=parameters["heads"],
        embed_dim=parameters["hidden"],
        num_classes=parameters["num_classes"],
        use_abs_pos_emb=False,
        use_rel_pos_bias=True,
        init_values=0.1,  # that branches are scaled; the seeded weights overwrite it
    )
