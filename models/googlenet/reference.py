"""GoogLeNet by torchvision."""

import torchvision
from torch.nn import functional

from models.torchvision_reference import provenance  # noqa: F401


def build(parameters):
    return torchvision.models.GoogLeNet(num_classes=parameters["num_classes"], init_weights=False)


def forward(module, inputs):
    outputs = module(inputs["image"])
    if not module.training:
        return {"logits": outputs}
    return {"logits": outputs.logits, "_aux2": outputs.aux_logits2, "_aux1": outputs.aux_logits1}


def loss(module, outputs, targets):
    of = {name: functional.cross_entropy(logits, targets["labels"]) for name, logits in outputs.items()}
    return of["logits"] + 0.3 * (of["_aux2"] + of["_aux1"])
