"""Inception v3 by torchvision.

Read by tools/artifacts/generate/compute.py, which loads the seeded weights by name and computes in float64.
"""

import torchvision
from torch.nn import functional
from torchvision.models import inception


def provenance():
    return "torchvision %s" % torchvision.__version__.split("+")[0]


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
