"""RepVGG by timm, as it trains: three branches a block."""

from timm.models import byobnet

from models.timm_reference import forward, provenance  # noqa: F401


def build(parameters):
    def group_size(channels, block):
        return channels // parameters["groups"] if parameters["groups"] > 1 and block % 2 == 1 else 0

    stages = zip(parameters["layers"], parameters["widths"], strict=True)
    blocks = tuple(byobnet.ByoBlockCfg(type="rep", d=layers, c=width, gs=group_size) for layers, width in stages)
    table = byobnet.ByoModelCfg(blocks=blocks, stem_type="rep", stem_chs=parameters["stem"])
    return byobnet.ByobNet(table, num_classes=parameters["num_classes"])
