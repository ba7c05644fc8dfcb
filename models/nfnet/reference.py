"""Networks without norms by timm."""

from timm.models import nfnet

from models.timm_reference import forward, provenance  # noqa: F401


def build(parameters):
    table = nfnet.NfCfg(
        depths=parameters["layers"],
        channels=parameters["channels"],
        stem_type="deep_quad",
        stem_chs=128,
        group_size=parameters["group_width"],
        bottle_ratio=1 / parameters["bottleneck"],
        extra_conv=True,
        gamma_in_act=parameters["deepmind"],
        same_padding=parameters["deepmind"],
        skipinit=parameters["deepmind"],
        num_features=parameters["last"],
        act_layer=parameters["activation"],
        attn_layer="se",
        attn_kwargs={"rd_ratio": 1 / parameters["squeeze"], "rd_divisor": 8},
    )
    return nfnet.NormFreeNet(table, num_classes=parameters["num_classes"])
