"""Conformer, an encoder of speech, as torchaudio 2.11 builds it: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter", "prefix_mask")

_FRAMES = ["batch", "frames", "input_dim"]

IMPLEMENTATION = model_implementation(
    name = "conformer",
    description = "Conformer: attention and a convolution over time between two halves of a feed-forward, frames of a sound in and out.",
    owner = "assay",
    source_url = "https://github.com/pytorch/audio/blob/v2.11.0/src/torchaudio/models/conformer.py",
    reference = "INDEPENDENT",
    reference_script = "models/conformer/reference.py",
    parameters = [
        parameter("input_dim", "integer", description = "features of a frame"),
        parameter("num_heads", "integer", maximum = 1024, description = "heads; they divide input_dim"),
        parameter("ffn_dim", "integer", description = "width of the feed-forward layers"),
        parameter("num_layers", "integer", maximum = 1024, description = "layers"),
        parameter("depthwise_conv_kernel_size", "integer", default = 31, maximum = 4095, description = "frames that the convolution sees; odd"),
        parameter("dropout", "real", default = 0.1, minimum = 0, maximum = 0.9, description = "probability of dropping an element in training"),
        parameter("use_group_norm", "flag", default = False, description = "whether the convolution's norm is over a row, and not over the batch"),
        parameter("convolution_first", "flag", default = False, description = "whether the convolution stands before the attention"),
        parameter("frames", "integer", default = 400, maximum = 100000, suffix = "t", description = "frames of a row"),
    ],
    inputs = [
        input("input", shape = _FRAMES),
        input("attention_mask", shape = ["batch", "frames"], dtype = "INT64", distribution = prefix_mask()),
    ],
    outputs = [output("encoded", shape = _FRAMES)],
    keeps_statistics = True,
    unit = "frame",
    units_per_call = "batch*frames",
)

_RNNT = {"convolution_first": True, "use_group_norm": True}

def _conformer(name, sizes, description, **more):
    return model(
        name,
        IMPLEMENTATION,
        parameters = dict(zip(["input_dim", "num_heads", "ffn_dim", "num_layers"], sizes), **more),
        smoke_parameters = {"frames": 16, "num_layers": 1},
        description = description,
    )

TINY = [
    _conformer("conformer_tiny", [32, 4, 64, 2], "Two small layers, which tests can afford.", depthwise_conv_kernel_size = 5, frames = 16),
    _conformer("conformer_tiny_rnnt", [32, 4, 64, 2], "Two small layers as torchaudio's conformer_rnnt_base has them.", depthwise_conv_kernel_size = 5, frames = 16, **_RNNT),
]

PUBLISHED = [
    _conformer("conformer_example", [80, 4, 128, 4], "The sizes of torchaudio's example.", dropout = 0.0),
    _conformer("conformer_rnnt_base", [256, 4, 1024, 16], "The layers of torchaudio's conformer_rnnt_base.", **_RNNT),
]

MODELS = TINY + PUBLISHED
