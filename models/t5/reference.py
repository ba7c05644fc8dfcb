"""T5 and mT5 by Hugging Face transformers, with their default ("sdpa") attention."""

import torch
import transformers

from models.text_reference import forward_without_cache as forward, loss_of_words as loss, provenance  # noqa: F401

# What T5Config and MT5Config call as our parameters do; every other setting is their default.
_SETTINGS = (
    "vocab_size",
    "d_model",
    "d_kv",
    "d_ff",
    "num_layers",
    "num_heads",
    "relative_attention_num_buckets",
    "relative_attention_max_distance",
    "layer_norm_epsilon",
    "feed_forward_proj",
)


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    if parameters["scale_decoder_outputs"]:
        module = transformers.T5ForConditionalGeneration(transformers.T5Config(**settings))
    else:
        module = transformers.MT5ForConditionalGeneration(transformers.MT5Config(**settings))
    if not parameters["tie_word_embeddings"]:
        # The classes always tie; from_pretrained() unties this weight where a file has one of its own.
        module.lm_head.weight = torch.nn.Parameter(torch.empty_like(module.lm_head.weight))
    return module
