"""VoVNet by timm."""

from timm.models.vovnet import VovNet

from models.timm_reference import forward, provenance  # noqa: F401


def build(parameters):
    version_b = parameters["version_b"]
    config = {
        "stem_chs": [64, 64, 128],
        "stage_conv_chs": [128, 160, 192, 224],
        "stage_out_chs": [256, 512, 768, 1024],
        "layer_per_block": parameters["convolutions"],
        "block_per_stage": parameters["layers"],
        "residual": version_b,
        "depthwise": False,
        "attn": "ese" if version_b else "",
    }
    return VovNet(config, num_classes=parameters["num_classes"])
