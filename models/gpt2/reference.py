"""GPT-2 by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers

from models.text_reference import forward_without_cache as forward, loss_of_next_words, loss_of_words, provenance  # noqa: F401

# What GPT2Config and our parameters call alike; every other setting is GPT2Config's default (GELU by tanh, tied words).
_SETTINGS = ("vocab_size", "n_positions", "n_embd", "n_layer", "n_head", "layer_norm_epsilon")


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    if "num_labels" not in parameters:
        return transformers.GPT2LMHeadModel(transformers.GPT2Config(**settings))
    settings.update(num_labels=parameters["num_labels"], pad_token_id=parameters["pad_token_id"])
    return transformers.GPT2ForSequenceClassification(transformers.GPT2Config(**settings))


def loss(module, outputs, targets):
    of = loss_of_words if targets["labels"].dim() == 1 else loss_of_next_words
    return of(module, outputs, targets)
