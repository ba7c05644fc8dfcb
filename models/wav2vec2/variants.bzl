"""wav2vec 2.0, from a sound to letters: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "input", "integers", "output", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

IMPLEMENTATION = transformers_model(
    "wav2vec2",
    "wav2vec 2.0 (convolutions and an encoder over a sound) with a score for each letter at each frame, trained by CTC.",
    family = "wav2vec2",
    parameters = [encoder.vocab_size(32)] + encoder.widths + [
        parameter("conv_dim", "integer", default = 512, description = "channels of the convolutions over the sound"),
        parameter("feat_extract_norm", "text", default = "group", allowed = ["group", "layer"], description = "group: a norm over time behind the first convolution; layer: one over channels behind each"),
        parameter("conv_bias", "flag", default = False, description = "whether these convolutions have a bias"),
        parameter("do_stable_layer_norm", "flag", default = False, description = "whether the encoder's norms stand before its sub-layers"),
        parameter("num_conv_pos_embeddings", "integer", default = 128, maximum = 65536, description = "frames that the convolution of positions sees"),
        parameter("num_conv_pos_embedding_groups", "integer", default = 16, description = "groups of this convolution; they divide hidden_size"),
        parameter("samples", "integer", default = 16000, minimum = 400, maximum = 16000000, suffix = "n", description = "samples of a sound, 16,000 a second; a frame sees 400"),
        parameter("letters", "integer", default = 3, maximum = 100000, description = "of a row's label, in training"),
    ],
    inputs = [input("input_values", shape = ["batch", "samples"])],
    head = text.head(
        outputs = [output("logits", shape = ["batch", "*", "vocab_size"])],
        # The first letter is the blank.
        targets = [input("labels", shape = ["batch", "letters"], dtype = "INT64", distribution = integers(limit = "vocab_size", low = 1))],
    ),
    # As transformers wrote weight norm until 4.30.
    checkpoint_extras = checkpoint_extras(renamings = {
        "pos_conv_embed.conv.weight_g": "pos_conv_embed.conv.parametrizations.weight.original0",
        "pos_conv_embed.conv.weight_v": "pos_conv_embed.conv.parametrizations.weight.original1",
    }),
    unit = "sample",
    units_per_call = "batch*samples",
)

_TINY = encoder.size(64, 2, 4, 128, conv_dim = 32, num_conv_pos_embedding_groups = 4, samples = 2000)
_STABLE = {"conv_bias": True, "do_stable_layer_norm": True, "feat_extract_norm": "layer"}

TINY = {
    "wav2vec2_tiny": dict(_TINY, num_conv_pos_embeddings = 16),
    "wav2vec2_tiny_stable": dict(_TINY, num_conv_pos_embeddings = 5, **_STABLE),
}

# facebook/wav2vec2-base-960h, wav2vec2-large-960h and wav2vec2-large-960h-lv60-self.
PUBLISHED = {
    "wav2vec2_base": encoder.base,
    "wav2vec2_large": encoder.large,
    "wav2vec2_large_lv60": dict(encoder.large, **_STABLE),
}

_SMALL = {"conv_dim": 32, "num_hidden_layers": 1, "samples": 2000}

MODELS = sized_models(dict(TINY, **PUBLISHED), "", IMPLEMENTATION, _SMALL)
