"""CLIP, which says how well images fit texts: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter", "prefix_mask")

def tower(name):
    """The parameters of an encoder, which ReadClipTower() (models/layers/vision/clip_tower.h) reads."""
    return [
        parameter(name + "_hidden", "integer", description = "features of a token of the %s encoder" % name),
        parameter(name + "_layers", "integer", maximum = 1024, description = "its layers"),
        parameter(name + "_heads", "integer", maximum = 1024, description = "heads of each; they divide its features"),
        parameter(name + "_mlp", "integer", description = "width of its feed-forward layers"),
    ]

IMPLEMENTATION = model_implementation(
    name = "clip",
    description = "CLIP (an encoder of images and one of texts): a score for each pair of an image and a text, and the images' directions.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/clip/modeling_clip.py",
    reference = "INDEPENDENT",
    reference_script = "models/clip/reference.py",
    parameters = tower("text") + tower("image") + [
        parameter("vocab_size", "integer", default = 49408, maximum = 1000000, description = "rows of the word embedding"),
        parameter("max_position_embeddings", "integer", default = 77, description = "longest text, tokens"),
        parameter("resolution", "integer", default = 224, maximum = 4096, description = "height and width of the image, pixels"),
        parameter("patch_size", "integer", maximum = 256, description = "height and width of a patch, pixels; a divisor of the resolution"),
        parameter("projection_dim", "integer", description = "features in which images and texts are compared"),
        parameter("texts", "integer", default = 8, maximum = 65536, suffix = "k", description = "texts that each image is compared with"),
        parameter("sequence_length", "integer", default = 77, maximum = 2048, suffix = "s", description = "tokens of a text"),
    ],
    inputs = [
        input("input_ids", shape = ["texts", "sequence_length"], dtype = "INT64", distribution = integers(limit = "vocab_size")),
        input("pixel_values", shape = ["batch", 3, "resolution", "resolution"]),
        input("attention_mask", shape = ["texts", "sequence_length"], dtype = "INT64", distribution = prefix_mask()),
    ],
    outputs = [
        output("logits_per_image", shape = ["batch", "texts"]),
        output("image_embeds", shape = ["batch", "projection_dim"]),
    ],
    # Older files hold the positions' numbers.
    checkpoint_extras = checkpoint_extras(buffers = ["text_model.embeddings.position_ids", "vision_model.embeddings.position_ids"]),
    unit = "image",
    units_per_call = "batch",
)

TEXT_ENCODER = model_implementation(
    name = "clip_text_encoder",
    description = "CLIP's encoder of texts alone: states of the tokens, and those of each text's end.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/clip/modeling_clip.py",
    reference = "INDEPENDENT",
    reference_script = "models/clip/reference.py",
    parameters = tower("text") + [
        parameter("activation", "text", default = "quick_gelu", allowed = ["quick_gelu", "gelu"], description = "of the feed-forward layers"),
        parameter("vocab_size", "integer", default = 49408, maximum = 1000000, description = "rows of the word embedding"),
        parameter("max_position_embeddings", "integer", default = 77, description = "longest text, tokens"),
        parameter("sequence_length", "integer", default = 77, maximum = 2048, suffix = "s", description = "tokens of a text"),
    ],
    inputs = [input("input_ids", shape = ["batch", "sequence_length"], dtype = "INT64", distribution = integers(limit = "vocab_size"))],
    outputs = [
        output("last_hidden_state", shape = ["batch", "sequence_length", "text_hidden"]),
        output("pooler_output", shape = ["batch", "text_hidden"]),
    ],
    checkpoint_extras = checkpoint_extras(buffers = ["embeddings.position_ids"]),
    unit = "token",
    units_per_call = "batch*sequence_length",
)

def tower_sizes(name, hidden, layers, heads):
    """Values of tower(name)."""
    return {name + "_heads": heads, name + "_hidden": hidden, name + "_layers": layers, name + "_mlp": 4 * hidden}

def _clip(name, image, text, patch_size, projection_dim, description, **more):
    sizes = dict(tower_sizes("image", *image), patch_size = patch_size, projection_dim = projection_dim, **tower_sizes("text", *text))
    small = dict(
        tower_sizes("image", 32, 1, 2),
        max_position_embeddings = 16,
        projection_dim = 16,
        resolution = 2 * patch_size,
        sequence_length = 8,
        vocab_size = 96,
        **tower_sizes("text", 32, 1, 2)
    )
    return model(name, IMPLEMENTATION, parameters = dict(sizes, **more), smoke_parameters = small, description = description)

TINY = [
    _clip(
        "clip_tiny",
        (96, 2, 3),
        (64, 2, 2),
        8,
        48,
        "Two small layers on either side, which tests can afford.",
        max_position_embeddings = 32,
        resolution = 32,
        vocab_size = 1000,
    ),
]

def _text_encoder(name, text, description, **more):
    return model(
        name,
        TEXT_ENCODER,
        parameters = dict(tower_sizes("text", *text), **more),
        smoke_parameters = dict(max_position_embeddings = 16, sequence_length = 8, vocab_size = 96, **tower_sizes("text", 32, 1, 2)),
        description = description,
    )

TINY_TEXT = [_text_encoder("clip_text_tiny", (64, 2, 2), "Two small layers, which tests can afford.", activation = "gelu", max_position_embeddings = 32, vocab_size = 1000)]

TEXT = [
    _text_encoder("stable_diffusion_text_encoder", (768, 12, 12), "That of Stable Diffusion 1.5, which is clip_vit_l_14's."),
    _text_encoder("stable_diffusion_2_text_encoder", (1024, 23, 16), "That of Stable Diffusion 2, OpenCLIP's ViT-H without its last layer.", activation = "gelu"),
]

MODELS = TINY + TINY_TEXT + TEXT + [
    _clip("clip_vit_b_32", (768, 12, 12), (512, 12, 8), 32, 512, "openai/clip-vit-base-patch32."),
    _clip("clip_vit_b_16", (768, 12, 12), (512, 12, 8), 16, 512, "openai/clip-vit-base-patch16."),
    _clip("clip_vit_l_14", (1024, 24, 16), (768, 12, 12), 14, 768, "openai/clip-vit-large-patch14."),
]
