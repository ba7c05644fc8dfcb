"""Vision transformers by timm."""

from timm.models.deit import VisionTransformerDistilled
from timm.models.vision_transformer import VisionTransformer

from models.timm_reference import provenance  # noqa: F401


def build(parameters):
    pool = parameters["pool"]
    return (VisionTransformerDistilled if pool == "distilled" else VisionTransformer)(
        img_size=parameters["resolution"],
        patch_size=parameters["patch_size"],
        depth=parameters["layers"],
        num_heads=parameters["heads"],
        embed_dim=parameters["hidden"],
        mlp_ratio=parameters["feed_forward"] / parameters["hidden"] or 4,
        num_classes=parameters.get("num_classes", 0),
        init_values=1e-5 if parameters["layer_scale"] else None,  # the seeded weights overwrite it
        class_token=pool != "map",
        global_pool="map" if pool == "map" else "token",
    )


def forward(module, inputs):
    return {"logits" if module.num_classes else "features": module(inputs["image"])}
