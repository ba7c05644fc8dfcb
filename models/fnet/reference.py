"""FNet by Hugging Face transformers (FNetForMaskedLM)."""

import transformers
from torch.nn import functional

# What FNetConfig and our parameters call alike; every other setting is FNetConfig's default (GELU by tanh, tied words).
_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)
# transformers' class has a pooler, of which the scores know nothing.
WITHOUT_GRADIENT = ("fnet.pooler.",)


def provenance():
    return "transformers %s" % transformers.__version__


def build(parameters):
    return transformers.FNetForMaskedLM(transformers.FNetConfig(**{name: parameters[name] for name in _SETTINGS}))


def forward(module, inputs):
    return {"logits": module(**inputs).logits}


def loss(_module, outputs, targets):
    return functional.cross_entropy(outputs["logits"].flatten(0, 1), targets["labels"].flatten())
