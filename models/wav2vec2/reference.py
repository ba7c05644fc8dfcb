"""wav2vec 2.0 by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers

from models.text_reference import provenance  # noqa: F401

_SETTINGS = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "feat_extract_norm")
_SETTINGS += ("conv_bias", "do_stable_layer_norm", "num_conv_pos_embeddings", "num_conv_pos_embedding_groups")
# Stands for frames that are masked.
WITHOUT_GRADIENT = ("wav2vec2.masked_spec_embed",)


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    settings["conv_dim"] = [parameters["conv_dim"]] * 7
    # numpy draws what is masked, and a layer is left out as a whole: neither is a number of LibTorch's generator.
    settings.update(apply_spec_augment=False, layerdrop=0.0, ctc_loss_reduction="mean")
    return transformers.Wav2Vec2ForCTC(transformers.Wav2Vec2Config(**settings))


def forward(module, inputs):
    return {"logits": module(**inputs).logits}


def loss(module, outputs, targets):
    rows, frames, _ = outputs["logits"].shape
    settings = {"blank_token_id": module.config.pad_token_id, "reduction": module.config.ctc_loss_reduction, "zero_infinity": False}
    lengths = targets["labels"].new_full((rows,), frames)
    return module.loss_function(logits=outputs["logits"], labels=targets["labels"], logit_lengths=lengths, **settings)
