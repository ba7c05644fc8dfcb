"""Networks without norms as timm 1.0.31 builds them, each at the size that it is trained with: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "nfnet",
    description = "NFNet, residual blocks without norms, whose convolutions standardize their own weights.",
    library = "timm",
    parameters = [
        parameter("layers", "integers", maximum = 256, description = "blocks in each stage"),
        parameter("channels", "integers", maximum = 16384, description = "channels of each stage"),
        parameter("last", "integer", maximum = 16384, description = "channels in front of the classifier"),
        parameter("bottleneck", "integer", maximum = 64, description = "outer channels of a block, in inner ones"),
        parameter("squeeze", "integer", maximum = 64, description = "outer channels of a block, in those that they are squeezed to"),
        parameter("group_width", "integer", maximum = 16384, description = "channels of a group of the 3x3 convolutions"),
        parameter("activation", "text", allowed = ["gelu", "silu"], description = "in front of each convolution"),
        parameter("deepmind", "flag", description = "whether DeepMind's weights fit: scales behind activations, TensorFlow's padding, a learned scale of each branch"),
    ],
    keeps_statistics = False,
)

def _nfnet(name, resolution, layers, preset, **parameters):
    return classifier(
        name,
        IMPLEMENTATION,
        parameters = dict(parameters, resolution = resolution, layers = layers, channels = [256, 512, 1536, 1536]),
        preset = preset,
        smoke_parameters = {"resolution": 32, "layers": [1, 2], "channels": [32, 64], "last": 96, "group_width": 8},
    )

def _f(name, resolution, factor, preset):
    return _nfnet(
        name,
        resolution,
        [factor * blocks for blocks in [1, 2, 6, 3]],
        preset,
        last = 3072,
        bottleneck = 2,
        squeeze = 2,
        group_width = 128,
        activation = "gelu",
        deepmind = name.startswith("dm_"),
    )

# DeepMind's weights want the photograph squashed to a square, which no preset says.
MODELS = [
    _nfnet("nfnet_l0", 224, [1, 2, 6, 3], image_preset(248, interpolation = "bicubic"), last = 2304, bottleneck = 4, squeeze = 4, group_width = 64, activation = "silu", deepmind = False),
    _f("dm_nfnet_f0", 192, 1, None),
    _f("dm_nfnet_f1", 224, 2, None),
    _f("nfnet_f0", 192, 1, image_preset(213, crop = 192, interpolation = "bicubic")),
]
