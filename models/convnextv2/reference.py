"""ConvNeXt V2 by timm."""

from timm.models import convnext

from models.timm_reference import forward, provenance  # noqa: F401


def build(parameters):
    return convnext.ConvNeXt(
        dims=parameters["channels"],
        depths=parameters["layers"],
        use_grn=True,
        ls_init_value=None,
        conv_mlp=True,
        num_classes=parameters["num_classes"],
    )
