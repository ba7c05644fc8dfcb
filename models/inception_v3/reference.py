"""Inception v3 by torchvision."""

from torch.nn import functional
from torchvision.models import inception

from models.torchvision_reference import provenance  # noqa: F401


def build(parameters):
    return inception.Inception3(num_classes=parameters["num_classes"], init_weights=False)


def forward(module, inputs):
    outputs = module(inputs["image"])
    if not module.training:
        return {"logits": outputs}
    return {"logits": outputs.logits, "_aux": outputs.aux_logits}


def loss(module, outputs, targets):
    of = {name: functional.cross_entropy(logits, targets["labels"]) for name, logits in outputs.items()}
    return of["logits"] + 0.4 * of["_aux"]
