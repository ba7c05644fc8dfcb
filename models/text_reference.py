"""The parts that the reference.py of transformers' text models share, beside build(parameters):

    from models.text_reference import forward, loss, provenance  # noqa: F401

A head gives `logits`, of words, or `start_logits` and `end_logits`, of an answer.
"""

import transformers
from torch.nn import functional


def provenance():
    return "transformers %s" % transformers.__version__


def bert_settings(parameters, *more):
    """The settings that BERT and its kin name as our parameters, and `more` that one of them has."""
    names = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    names += ("max_position_embeddings", "type_vocab_size", "layer_norm_eps")
    return {name: parameters[name] for name in (*names, *more)}


def _is_decoder(module):
    return getattr(module.config, "is_decoder", False)


def forward(module, inputs):
    # Only a decoder would keep a cache.
    outputs = module(**inputs, **({"use_cache": False} if _is_decoder(module) else {}))
    return {name: outputs[name] for name in ("start_logits", "end_logits", "logits") if name in outputs}


def loss(module, outputs, targets):
    if "start_logits" in outputs:
        of_ends = [functional.cross_entropy(outputs[end + "_logits"], targets[end + "_positions"]) for end in ("start", "end")]
        return sum(of_ends) / 2
    return (loss_of_next_words if _is_decoder(module) else loss_of_words)(module, outputs, targets)


def forward_without_cache(module, inputs):
    """Calls a model that would keep a cache, whatever its configuration says of decoders."""
    return {"logits": module(**inputs, use_cache=False).logits}


def loss_of_words(_module, outputs, targets):
    """Cross entropy of the words in their places, or of classes."""
    return functional.cross_entropy(outputs["logits"].flatten(0, -2), targets["labels"].flatten())


def loss_of_next_words(_module, outputs, targets):
    logits, labels = outputs["logits"][:, :-1], targets["labels"][:, 1:]
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
