"""SAM as transformers 5.23 builds it, with its three published encoders and without one, and small ones: pure data."""

load("//defs:variants.bzl", "boxes", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter")

_MASKS = ["batch", "prompts", 3, "4*image_embedding_size", "4*image_embedding_size"]
_PIXELS = "image_embedding_size*patch_size"

def _implementation(name, description, parameters, inputs, unit, units_per_call, checkpoint_extras = None):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/sam/modeling_sam.py",
        reference = "INDEPENDENT",
        reference_script = "models/sam/reference.py",
        parameters = parameters + [
            parameter("image_embedding_size", "integer", default = 64, maximum = 1024, suffix = "e", description = "patches a side of the image"),
            parameter("patch_size", "integer", default = 16, maximum = 256, description = "pixels a side of a patch"),
            parameter("channels", "integer", default = 256, maximum = 4096, description = "of the image's features and of a prompt; a multiple of 8 and of twice decoder_heads"),
            parameter("mask_input_channels", "integer", default = 16, maximum = 4096, description = "of the features of a mask to begin with, a multiple of 4"),
            parameter("decoder_heads", "integer", default = 8, maximum = 256, description = "heads of the decoder's attention"),
            parameter("decoder_mlp", "integer", default = 2048, maximum = 65536, description = "width between the decoder's two linear layers"),
            parameter("prompts", "integer", default = 1, maximum = 65536, suffix = "p", description = "objects of an image that are asked for; each has three masks"),
            parameter("points", "integer", default = 1, maximum = 65536, suffix = "k", description = "points of a prompt"),
        ],
        inputs = inputs[:1] + [
            input("input_points", shape = ["batch", "prompts", "points", 2], dtype = "INT64", distribution = integers(limit = _PIXELS)),
            input("input_labels", shape = ["batch", "prompts", "points"], dtype = "INT64", distribution = integers(low = -1, limit = 2)),
        ] + inputs[1:],
        outputs = [
            output("pred_masks", shape = _MASKS),
            output("iou_scores", shape = ["batch", "prompts", 3]),
        ],
        checkpoint_extras = checkpoint_extras,
        unit = unit,
        units_per_call = units_per_call,
    )

IMPLEMENTATION = _implementation(
    "sam",
    "Segment Anything: for each prompt, which is of points, scores of three masks and how well each should fit.",
    parameters = [
        parameter("hidden", "integer", default = 768, maximum = 8192, description = "width of the encoder; a multiple of heads"),
        parameter("layers", "integer", default = 12, maximum = 256, description = "layers of the encoder"),
        parameter("heads", "integer", default = 12, maximum = 256, description = "heads of the encoder's attention"),
        parameter("window_size", "integer", default = 14, maximum = 1024, description = "patches a side of a window"),
        parameter("global_layers", "integers", default = [2, 5, 8, 11], minimum = 0, description = "those layers of the encoder whose attention sees the whole image, counted from 0"),
    ],
    inputs = [input("pixel_values", shape = ["batch", 3, _PIXELS, _PIXELS])],
    unit = "image",
    units_per_call = "batch",
)

MASK_DECODER = _implementation(
    "sam_mask_decoder",
    "What SAM computes for each prompt once the image is encoded; a prompt is of points, a box and the scores of an earlier mask.",
    parameters = [],
    inputs = [
        input("image_embeddings", shape = ["batch", "channels", "image_embedding_size", "image_embedding_size"]),
        input("input_boxes", shape = ["batch", "prompts", 4], dtype = "INT64", distribution = boxes(limit = _PIXELS)),
        input("input_masks", shape = ["batch", 1, "4*image_embedding_size", "4*image_embedding_size"]),
    ],
    unit = "prompt",
    units_per_call = "batch*prompts",
    checkpoint_extras = checkpoint_extras(heads = ["vision_encoder"]),
)

_SMALL_DECODER = {"channels": 32, "decoder_heads": 2, "decoder_mlp": 48, "image_embedding_size": 4, "mask_input_channels": 8, "patch_size": 4}
_SMALL = dict(_SMALL_DECODER, global_layers = [1], heads = 2, hidden = 24, layers = 2, window_size = 3)

TINY = [
    model("sam_tiny", IMPLEMENTATION, parameters = _SMALL, description = "Two narrow layers, one of them in windows, which tests can afford."),
    model("sam_mask_decoder_tiny", MASK_DECODER, parameters = _SMALL_DECODER, description = "A narrow decoder, which tests can afford."),
]

PUBLISHED = [
    model("sam_vit_b", IMPLEMENTATION, smoke_parameters = _SMALL, description = "facebook/sam-vit-base."),
    model(
        "sam_vit_l",
        IMPLEMENTATION,
        parameters = {"global_layers": [5, 11, 17, 23], "heads": 16, "hidden": 1024, "layers": 24},
        smoke_parameters = _SMALL,
        description = "facebook/sam-vit-large.",
    ),
    model(
        "sam_vit_h",
        IMPLEMENTATION,
        parameters = {"global_layers": [7, 15, 23, 31], "heads": 16, "hidden": 1280, "layers": 32},
        smoke_parameters = _SMALL,
        description = "facebook/sam-vit-huge.",
    ),
]

MODELS = TINY + PUBLISHED + [model("sam_mask_decoder", MASK_DECODER, smoke_parameters = _SMALL_DECODER, description = "That of all three sizes of SAM.")]
