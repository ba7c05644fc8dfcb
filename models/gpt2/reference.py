"""GPT-2 by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers
from torch.nn import functional

# What GPT2Config and our parameters call alike; every other setting is GPT2Config's default (GELU by tanh, tied words).
_SETTINGS = ("vocab_size", "n_positions", "n_embd", "n_layer", "n_head", "layer_norm_epsilon")


def provenance():
    return "transformers %s" % transformers.__version__


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    if "num_labels" not in parameters:
        return transformers.GPT2LMHeadModel(transformers.GPT2Config(**settings))
    settings.update(num_labels=parameters["num_labels"], pad_token_id=parameters["pad_token_id"])
    return transformers.GPT2ForSequenceClassification(transformers.GPT2Config(**settings))


def forward(module, inputs):
    return {"logits": module(**inputs, use_cache=False).logits}


def loss(_module, outputs, targets):
    logits, labels = outputs["logits"], targets["labels"]
    if labels.dim() == 1:
        return functional.cross_entropy(logits, labels)
    logits, labels = logits[:, :-1], labels[:, 1:]
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
