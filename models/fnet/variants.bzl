"""FNet as transformers' FNetForMaskedLM builds it: pure data."""

load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

IMPLEMENTATION = transformers_model(
    "fnet_masked_lm",
    "FNet (tokens mixed by a Fourier transform in place of attention) with a score for each word at each token.",
    family = "fnet",
    parameters = [encoder.vocab_size(32000)] + [p for p in encoder.widths if p.name != "num_attention_heads"] + [
        encoder.max_position_embeddings(512),
        encoder.type_vocab_size(4),
        encoder.layer_norm_eps(1e-12),
        encoder.sequence_length(512),
    ],
    inputs = [text.ids, text.segments],
    head = text.word_scores,
    # Published checkpoints also have the head that tells whether a sentence follows another.
    checkpoint_extras = encoder.extras("fnet", ["cls.seq_relationship"], ["position_ids", "token_type_ids"]),
)

_TINY = {"hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2, "vocab_size": 1000}

# google/fnet-base and google/fnet-large.
_SIZES = {
    "fnet_base": {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12},
    "fnet_large": {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24},
}

MODELS = sized_models(
    {"fnet_tiny": _TINY},
    "_masked_lm",
    IMPLEMENTATION,
    description = "FNet of two small layers, which tests can afford.",
) + sized_models(_SIZES, "_masked_lm", IMPLEMENTATION)
