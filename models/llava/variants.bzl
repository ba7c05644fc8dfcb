"""LLaVA, a decoder of tokens that reads an image among them: pure data. Parameters of the decoder have the names of its config.json."""

load("//defs:variants.bzl", "checkpoint_extras", "config_key", "input", "integers", "model", "parameter")
load("//models:transformers_model.bzl", "decoder", "text", "transformers_config", "transformers_model")
load("//models/clip:variants.bzl", "tower", "tower_sizes")

# A word is none of an image's places.
_WORDS = integers(limit = "image_token_index")

_TEXT = "text_config."
_VISION = "vision_config."

def _text(name, absent = None, older = [], **more):
    return config_key([_TEXT + key for key in [name] + older], absent = absent, **more)

# Files of smaller networks leave out what is CLIP's default there, so that an absent key says no size.
def _vision(name):
    return config_key([_VISION + name])

IMPLEMENTATION = transformers_model(
    "llava",
    "LLaVA (CLIP's encoder of images, two linear layers and Llama's decoder) with a score for each next word.",
    family = "llava",
    parameters = tower("image") + [
        parameter("resolution", "integer", default = 336, maximum = 4096, description = "height and width of the image, pixels"),
        parameter("patch_size", "integer", default = 14, maximum = 256, description = "height and width of a patch, pixels; a divisor of the resolution"),
        parameter("image_seq_length", "integer", default = 576, description = "tokens of an image: its patches"),
        parameter("image_token_index", "integer", default = 32000, maximum = 1000000, description = "the token in whose places the patches stand"),
        decoder.vocab_size(32064),
        parameter("hidden_size", "integer", description = "features of a token"),
        parameter("intermediate_size", "integer", description = "width of the feed-forward layers"),
        parameter("num_hidden_layers", "integer", maximum = 1024, description = "blocks of the decoder"),
        parameter("num_attention_heads", "integer", maximum = 1024, description = "its heads of queries; they divide hidden_size"),
        parameter("num_key_value_heads", "integer", maximum = 1024, description = "its heads of keys and values; they divide num_attention_heads"),
        decoder.max_position_embeddings(4096, "longest row, tokens; no tensor depends on it"),
        parameter("rms_norm_eps", "real", default = 1e-5, minimum = 0, maximum = 1, description = "added to a mean square"),
        parameter("rope_theta", "real", default = 10000, minimum = 1, maximum = 1e12, description = "base of the rotary frequencies"),
        decoder.sequence_length(maximum = 4096),
    ],
    inputs = [
        text.tokens("input_ids", integers(limit = "image_token_index", run = "image_seq_length")),
        input("pixel_values", shape = ["batch", 3, "resolution", "resolution"]),
    ],
    head = text.next_word_scores(_WORDS, trainable = False),
    # Files have the names of transformers before 4.52; until 5 the encoder of images was one module deeper.
    checkpoint_extras = checkpoint_extras(
        renamings = {
            ".vision_tower.vision_model.": ".vision_tower.",
            "language_model.lm_head.": "lm_head.",
            "language_model.model.": "model.language_model.",
            "multi_modal_projector.": "model.multi_modal_projector.",
            "vision_tower.": "model.vision_tower.",
            "vision_tower.vision_model.": "model.vision_tower.",
        },
    ),
    checkpoint_configs = [transformers_config(
        "llava",
        {
            "hidden_size": _text("hidden_size", 4096),
            "image_heads": _vision("num_attention_heads"),
            "image_hidden": _vision("hidden_size"),
            "image_layers": _vision("num_hidden_layers"),
            "image_mlp": _vision("intermediate_size"),
            "image_token_index": config_key(["image_token_index", "image_token_id"], absent = 32000),
            "intermediate_size": _text("intermediate_size", 11008),
            "max_position_embeddings": _text("max_position_embeddings", 2048, reaches = "sequence_length"),
            "num_attention_heads": _text("num_attention_heads", 32),
            "num_hidden_layers": _text("num_hidden_layers", 32),
            "num_key_value_heads": _text("num_key_value_heads", quotient = "num_attention_heads"),
            "patch_size": _vision("patch_size"),
            "resolution": _vision("image_size"),
            # transformers' processor counts patches, whatever its config's default says.
            "image_seq_length": config_key(quotient = "(resolution/patch_size)^2"),
            "rms_norm_eps": _text("rms_norm_eps", 1e-6),
            "rope_theta": _text("rope_parameters.rope_theta", 10000.0, ["rope_theta"]),
            "vocab_size": _text("vocab_size", 32000),
        },
        only = {
            "multimodal_projector_bias": [True],
            "projector_hidden_act": ["gelu"],
            "text_config.attention_bias": [False],
            "text_config.hidden_act": ["silu"],
            "text_config.mlp_bias": [False],
            "text_config.model_type": ["llama"],
            "text_config.rope_parameters.rope_type": ["default"],
            "text_config.tie_word_embeddings": [False],
            "tie_word_embeddings": [False],
            "vision_config.hidden_act": ["quick_gelu"],
            "vision_config.layer_norm_eps": [1e-5],
            "vision_config.model_type": ["clip_vision_model"],
            "vision_config.num_channels": [3],
            "vision_feature_layer": [-2],
            "vision_feature_select_strategy": ["default"],
        },
        # A file with other heads has tensors of another shape.
        unread = ["ignore_index", "vocab_size"] + [_TEXT + name for name in ["attention_dropout", "head_dim", "pretraining_tp"]] +
                 [_VISION + name for name in ["attention_dropout", "dropout", "initializer_factor", "projection_dim", "vocab_size"]],
        objects = ["text_config", "vision_config"],
    )],
)

def _sizes(hidden_size, intermediate_size, layers, heads, key_heads):
    return {
        "hidden_size": hidden_size,
        "intermediate_size": intermediate_size,
        "num_attention_heads": heads,
        "num_hidden_layers": layers,
        "num_key_value_heads": key_heads,
    }

_SMALL = dict(
    image_seq_length = 4,
    image_token_index = 90,
    patch_size = 14,
    resolution = 28,
    sequence_length = 8,
    vocab_size = 96,
    **dict(tower_sizes("image", 32, 2, 2), **_sizes(32, 48, 1, 2, 2))
)

TINY = [model(
    "llava_tiny",
    IMPLEMENTATION,
    parameters = dict(
        image_seq_length = 9,
        image_token_index = 500,
        max_position_embeddings = 64,
        patch_size = 8,
        resolution = 24,
        vocab_size = 512,
        **dict(tower_sizes("image", 32, 2, 2), **_sizes(64, 96, 2, 4, 2))
    ),
    smoke_parameters = _SMALL,
    description = "Small layers, which tests can afford.",
)]

# All 32 blocks would have 7.1 billion parameters, 56 GB in float64.
SHORT = [model(
    "llava_1_5_7b_2l",
    IMPLEMENTATION,
    parameters = dict(tower_sizes("image", 1024, 24, 16), **_sizes(4096, 11008, 2, 32, 32)),
    smoke_parameters = _SMALL,
    description = "llava-hf/llava-1.5-7b-hf with two of the decoder's 32 blocks.",
)]

MODELS = TINY + SHORT
